// Package r1cs identifies compiled circuits.
package r1cs

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bw6-761"
)

// Digest is the SHA-256 of the constraints themselves: wire counts, then every term of every L, R and O as (coefficient,
// wire). It does not cover hints, names and debug information, because they do not change what is proved.
func Digest(s *cs.R1CS) [sha256.Size]byte {
	h := sha256.New()
	writeInts(h, s.GetNbPublicVariables(), s.GetNbSecretVariables(), s.GetNbInternalVariables(), s.GetNbConstraints())
	for _, c := range s.GetR1Cs() {
		for _, e := range []constraint.LinearExpression{c.L, c.R, c.O} {
			writeInts(h, len(e))
			for _, term := range e {
				k := s.Coefficients[term.CID].Bytes()
				h.Write(k[:])
				writeInts(h, int(term.VID))
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func writeInts(h hash.Hash, xs ...int) {
	var b [8]byte
	for _, x := range xs {
		binary.BigEndian.PutUint64(b[:], uint64(x))
		h.Write(b[:])
	}
}
