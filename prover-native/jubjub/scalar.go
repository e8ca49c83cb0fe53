package jubjub

import (
	"crypto/rand"
	"math/big"

	"solidus.io/prover/fault"
)

// ScalarBytes is the length of an encoded scalar, big endian.
const ScalarBytes = 32

// Scalar is an exponent modulo l. Its bytes are canonical, so that two equal scalars are equal values.
type Scalar struct{ bytes [ScalarBytes]byte }

// DecodeScalar reads 32 big-endian bytes below l.
//
//spec:id E-17
func DecodeScalar(b []byte) (Scalar, error) {
	var s Scalar
	if len(b) != ScalarBytes {
		return s, fault.Newf(fault.BadLength, "key scalar of %d bytes", len(b))
	}
	copy(s.bytes[:], b)
	n := s.Big()
	defer wipe(n)
	if n.Cmp(&curve.Order) >= 0 {
		return Scalar{}, fault.New(fault.ScalarNotCanonical, "")
	}
	return s, nil
}

// RandomScalar draws uniformly from 1..l-1.
func RandomScalar() (Scalar, error) {
	for {
		var wide [2 * ScalarBytes]byte
		if _, err := rand.Read(wide[:]); err != nil {
			return Scalar{}, err
		}
		s := Reduce(wide[:])
		clear(wide[:])
		if !s.IsZero() {
			return s, nil
		}
	}
}

// Reduce maps 64 bytes to a scalar with a bias below 2^-258.
func Reduce(wide []byte) Scalar {
	n := new(big.Int).SetBytes(wide)
	return reduced(n)
}

// Bytes is the encoding.
func (s *Scalar) Bytes() []byte { return append([]byte(nil), s.bytes[:]...) }

// Big is the scalar as an integer. Callers overwrite the integer of a secret scalar.
func (s *Scalar) Big() *big.Int { return new(big.Int).SetBytes(s.bytes[:]) }

// IsZero reports whether the scalar is zero.
func (s *Scalar) IsZero() bool { return *s == Scalar{} }

// SetZero overwrites the scalar.
func (s *Scalar) SetZero() { *s = Scalar{} }

// Neg sets s to -a and returns it.
func (s *Scalar) Neg(a *Scalar) *Scalar {
	n := a.Big()
	*s = reduced(n.Neg(n))
	return s
}

// Add sets s to a + b and returns it.
func (s *Scalar) Add(a, b *Scalar) *Scalar {
	n, m := a.Big(), b.Big()
	defer wipe(m)
	*s = reduced(n.Add(n, m))
	return s
}

// Mul sets s to a b and returns it.
func (s *Scalar) Mul(a, b *Scalar) *Scalar {
	n, m := a.Big(), b.Big()
	defer wipe(m)
	*s = reduced(new(big.Int).Mul(n, m))
	wipe(n)
	return s
}

// reduced is n modulo l. It overwrites n.
func reduced(n *big.Int) (s Scalar) {
	rest := new(big.Int).Mod(n, &curve.Order)
	rest.FillBytes(s.bytes[:])
	wipe(rest)
	wipe(n)
	return s
}

// wipe clears the words behind n.
func wipe(n *big.Int) {
	words := n.Bits()
	clear(words[:cap(words)])
	n.SetInt64(0)
}
