// Package r1cs identifies compiled circuits.
package r1cs

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/consensys/gnark/constraint"
)

// System is a compiled circuit over the scalar field of any curve.
type System = constraint.R1CS[constraint.U64]

// Digest is the SHA-256 of the constraints themselves: wire counts, then every term of every L, R and O as (coefficient,
// wire). It does not cover hints, names and debug information, because they do not change what is proved. A coefficient is as
// long as an element of the field, so circuits over fields of different lengths differ.
func Digest(s System) [sha256.Size]byte {
	h := sha256.New()
	coefficients := encoded(s)
	writeInts(h, s.GetNbPublicVariables(), s.GetNbSecretVariables(), s.GetNbInternalVariables(), s.GetNbConstraints())
	for _, c := range s.GetR1Cs() {
		for _, e := range []constraint.LinearExpression{c.L, c.R, c.O} {
			writeInts(h, len(e))
			for _, term := range e {
				h.Write(coefficients[term.CID])
				writeInts(h, int(term.VID))
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// encoded returns the coefficients of a system, big endian.
func encoded(s System) [][]byte {
	all := make([][]byte, s.GetNbCoefficients())
	for i := range all {
		all[i] = s.ToBigInt(s.GetCoefficient(i)).FillBytes(make([]byte, (s.FieldBitLen()+7)/8))
	}
	return all
}

func writeInts(h hash.Hash, xs ...int) {
	var b [8]byte
	for _, x := range xs {
		binary.BigEndian.PutUint64(b[:], uint64(x))
		h.Write(b[:])
	}
}
