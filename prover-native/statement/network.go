package statement

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math/big"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/suite"
)

// Lengths of the blocks that a context covers. Both always have their full length. The memo block of family 8 is the long one.
const (
	PayoutBytes   = 512
	MemoBytes     = 1024
	LongMemoBytes = 2560
)

// Kind determines which transfers a network accepts. It never changes: unregulated coins in a regulated network would bypass
// every limit.
type Kind uint8

// The kinds of network.
const (
	Regulated   Kind = 1
	Unregulated Kind = 2
)

// String is the kind's name in manifests and options.
func (k Kind) String() string {
	switch k {
	case Regulated:
		return "regulated"
	case Unregulated:
		return "unregulated"
	default:
		return "unknown"
	}
}

// ParseKind is the inverse of String.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{Regulated, Unregulated} {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fault.Newf(fault.KeysKind, "unknown kind %q", name)
}

// Network binds every digest and every hash to one network.
type Network struct {
	id     string
	digest [32]byte
	tag    hash.NetworkTag
	hasher *hash.Hasher
}

// NewNetwork checks the id and computes the network's digests.
func NewNetwork(id string) (*Network, error) {
	digest, err := hash.NetworkDigest(id)
	if err != nil {
		return nil, fault.New(fault.BadNetworkID, "")
	}
	n := &Network{id: id, digest: digest}
	copy(n.tag[:], digest[:])
	n.hasher = hash.New(n.tag)
	return n, nil
}

// ID is the network's name.
func (n *Network) ID() string { return n.id }

// Digest is the network's digest.
func (n *Network) Digest() [32]byte { return n.digest }

// Tag is the part of the digest that is a constant of the circuits.
func (n *Network) Tag() hash.NetworkTag { return n.tag }

// Hasher computes the network's hashes over F.
func (n *Network) Hasher() *hash.Hasher { return n.hasher }

// Scheme is the network's signature scheme.
func (n *Network) Scheme() suite.Scheme { return suite.New(n.hasher) }

// Context is the digest of the payout block and the memo block of a transfer.
func (n *Network) Context(payout, memo []byte) ([32]byte, error) {
	if len(payout) != PayoutBytes || len(memo) != MemoBytes && len(memo) != LongMemoBytes {
		return [32]byte{}, fault.Newf(fault.BadLength, "payout of %d and memo of %d bytes", len(payout), len(memo))
	}
	return n.sum("solidus/context/v1", payout, memo), nil
}

// MintSerial returns the serial number that a mint id reserves.
func (n *Network) MintSerial(mintID [32]byte) suite.Field {
	h := sha512.New()
	h.Write([]byte("solidus/mint-serial/v2"))
	h.Write(n.digest[:])
	h.Write(mintID[:])
	var e suite.Field
	e.SetBigInt(new(big.Int).SetBytes(h.Sum(nil)))
	return e
}

func (n *Network) sum(domain string, parts ...[]byte) [32]byte {
	h := sha256.New()
	h.Write([]byte(domain))
	h.Write(n.digest[:])
	for _, p := range parts {
		h.Write(p)
	}
	return [32]byte(h.Sum(nil))
}

// inputDigest is SHA-512 of the body with its labels, modulo r: uniform up to 2^-257.
func (n *Network) inputDigest(family Family, body []byte) suite.Field {
	h := sha512.New()
	h.Write([]byte("solidus/D/v2"))
	h.Write(n.digest[:])
	h.Write([]byte{byte(family)})
	h.Write(body)
	var e suite.Field
	e.SetBigInt(new(big.Int).SetBytes(h.Sum(nil)))
	return e
}

func (n *Network) core(family Family, body []byte) [32]byte {
	return n.sum("solidus/core/v2", []byte{byte(family)}, body)
}

func appendU32(b []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(b, v) }

func appendU64(b []byte, v uint64) []byte { return binary.BigEndian.AppendUint64(b, v) }

func appendField(b []byte, e *suite.Field) []byte {
	x := e.Bytes()
	return append(b, x[:]...)
}
