// Package jubjub is the group of owner keys: Jubjub, the twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 over F, the scalar
// field of BLS12-381. The coordinates of its points are elements of F, so a circuit computes with them natively. The curve has
// 8 l points; keys lie in the subgroup of prime order l.
//
// The addition formulas are complete: -1 is a square in F and d is not, so no denominator is ever zero.
package jubjub

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"

	"solidus.io/prover/fault"
)

// PointBytes is the length of an encoded point: x, then y, 32 bytes big endian each.
const PointBytes = 2 * fr.Bytes

// Point is a point of the curve. The identity is (0, 1).
type Point = twistededwards.PointAffine

var curve = twistededwards.GetEdwardsCurve()

// Base is the generator B of the subgroup.
func Base() Point { return curve.Base }

// Order is l, the order of the subgroup.
func Order() *big.Int { return new(big.Int).Set(&curve.Order) }

// DecodePoint reads x||y. It refuses coordinates that are not below r, points off the curve and the identity. It does not
// check the subgroup.
//
//spec:id E-16
func DecodePoint(b []byte) (Point, error) {
	var p Point
	if len(b) != PointBytes {
		return p, fault.Newf(fault.BadLength, "Jubjub point of %d bytes", len(b))
	}
	if p.X.SetBytesCanonical(b[:fr.Bytes]) != nil || p.Y.SetBytesCanonical(b[fr.Bytes:]) != nil {
		return Point{}, fault.New(fault.PointNotCanonical, "")
	}
	if err := CheckOnCurve(&p); err != nil {
		return Point{}, err
	}
	return p, nil
}

// EncodePoint is the inverse of DecodePoint.
func EncodePoint(p *Point) []byte {
	x, y := p.X.Bytes(), p.Y.Bytes()
	return append(x[:], y[:]...)
}

// CheckOnCurve refuses the identity and points off the curve.
func CheckOnCurve(p *Point) error {
	if p.IsZero() {
		return fault.New(fault.IdentityPoint, "")
	}
	if !p.IsOnCurve() {
		return fault.New(fault.PointNotOnCurve, "")
	}
	return nil
}

// Check is the complete check of a key: on the curve, in the subgroup of order l, not the identity.
func Check(p *Point) error {
	if err := CheckOnCurve(p); err != nil {
		return err
	}
	if !p.IsInSubGroup() {
		return fault.New(fault.PointNotInSubgroup, "")
	}
	return nil
}

// Add is p + q.
func Add(p, q Point) Point {
	var sum Point
	sum.Add(&p, &q)
	return sum
}

// Mul is s p.
func Mul(p *Point, s *Scalar) Point {
	n := s.Big()
	defer wipe(n)
	var q Point
	q.ScalarMultiplication(p, n)
	return q
}

// MulBase is s B.
func MulBase(s *Scalar) Point {
	n := s.Big()
	defer wipe(n)
	var q Point
	q.ScalarMultiplicationBase(n)
	return q
}
