package keys

import (
	"crypto/sha256"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
)

// Fingerprint identifies the keys that Make would make for a network: the format of the directory and the constraints of
// every circuit. A cache with this value in the names of its directories never returns the keys of other circuits.
func Fingerprint(network string, kind statement.Kind) ([32]byte, error) {
	circuits := registry[kind]
	if circuits == nil {
		return [32]byte{}, fault.New(fault.KeysKind, "unknown kind")
	}
	n, err := statement.NewNetwork(network)
	if err != nil {
		return [32]byte{}, err
	}
	h := sha256.New()
	h.Write([]byte(manifestFormat + "\x00" + kind.String()))
	for _, c := range circuits {
		sys, err := c.build(n.Tag())
		if err != nil {
			return [32]byte{}, err
		}
		h.Write([]byte("\x00" + c.name))
		h.Write([]byte{0, byte(c.version >> 24), byte(c.version >> 16), byte(c.version >> 8), byte(c.version)})
		h.Write(sys.digest[:])
	}
	return [32]byte(h.Sum(nil)), nil
}
