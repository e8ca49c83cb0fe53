package suite

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
)

// Encoded lengths in bytes.
const (
	FieldBytes  = fr.Bytes
	ScalarBytes = fr.Bytes
	G1Bytes     = 2 * fp.Bytes
	G2Bytes     = 4 * fp.Bytes
)

type (
	// Field is F, the scalar field of BLS12-381.
	Field = fr.Element
	// Scalar is an exponent modulo the group order r. It is an element of F, so the exponent of a message is its hash.
	Scalar = Field
	// G1 is a point of the first group of BLS12-381.
	G1 = bls.G1Affine
	// G2 is a point of the second group of BLS12-381.
	G2 = bls.G2Affine
)

// DecodeField reads 32 big-endian bytes below the modulus.
//
//spec:id E-01
func DecodeField(b []byte) (Field, error) {
	var e Field
	if len(b) != FieldBytes {
		return e, fault.Newf(fault.BadLength, "field element of %d bytes", len(b))
	}
	if err := e.SetBytesCanonical(b); err != nil {
		return Field{}, fault.New(fault.FieldNotCanonical, "")
	}
	return e, nil
}

// EncodeField is the inverse of DecodeField.
func EncodeField(e *Field) []byte {
	b := e.Bytes()
	return b[:]
}

// DecodeScalar reads 32 big-endian bytes below the group order.
//
//spec:id E-02
func DecodeScalar(b []byte) (Scalar, error) {
	var e Scalar
	if len(b) != ScalarBytes {
		return e, fault.Newf(fault.BadLength, "scalar of %d bytes", len(b))
	}
	if err := e.SetBytesCanonical(b); err != nil {
		return Scalar{}, fault.New(fault.ScalarNotCanonical, "")
	}
	return e, nil
}

// EncodeScalar is the inverse of DecodeScalar.
func EncodeScalar(e *Scalar) []byte {
	b := e.Bytes()
	return b[:]
}

// DecodeG1OnCurve reads x||y, refuses the identity and checks the curve equation, but not the subgroup. It is for callers
// that check the subgroup of all their points later. A point must not be used for anything else before that check.
func DecodeG1OnCurve(b []byte) (G1, error) {
	var p G1
	if len(b) != G1Bytes {
		return p, fault.Newf(fault.BadLength, "G1 point of %d bytes", len(b))
	}
	if err := decodeCoordinates(b, &p.X, &p.Y); err != nil {
		return G1{}, err
	}
	if err := CheckOnCurve(&p); err != nil {
		return G1{}, err
	}
	return p, nil
}

// DecodeG1 reads a point of the prime-order subgroup.
//
//spec:id E-03
func DecodeG1(b []byte) (G1, error) {
	p, err := DecodeG1OnCurve(b)
	if err != nil {
		return G1{}, err
	}
	if !p.IsInSubGroup() {
		return G1{}, fault.New(fault.PointNotInSubgroup, "")
	}
	return p, nil
}

// EncodeG1 writes x||y. The identity has no encoding.
func EncodeG1(p *G1) ([]byte, error) {
	if p.IsInfinity() {
		return nil, fault.New(fault.IdentityPoint, "")
	}
	b := p.RawBytes()
	return b[:], nil
}

// CheckG1 is the complete check of a point that did not come from DecodeG1.
func CheckG1(p *G1) error {
	if err := CheckOnCurve(p); err != nil {
		return err
	}
	if !p.IsInSubGroup() {
		return fault.New(fault.PointNotInSubgroup, "")
	}
	return nil
}

// CheckOnCurve is CheckG1 without the subgroup check, for callers that check the subgroup of all their points later.
func CheckOnCurve(p *G1) error {
	if p.IsInfinity() {
		return fault.New(fault.IdentityPoint, "")
	}
	if !p.IsOnCurve() {
		return fault.New(fault.PointNotOnCurve, "")
	}
	return nil
}

// DecodeG2 reads the library's raw form, the imaginary coordinate first.
//
//spec:id E-04
func DecodeG2(b []byte) (G2, error) {
	var p G2
	if len(b) != G2Bytes {
		return p, fault.Newf(fault.BadLength, "G2 point of %d bytes", len(b))
	}
	if err := decodeCoordinates(b, &p.X.A1, &p.X.A0, &p.Y.A1, &p.Y.A0); err != nil {
		return G2{}, err
	}
	if err := CheckG2(&p); err != nil {
		return G2{}, err
	}
	return p, nil
}

// EncodeG2 is the inverse of DecodeG2.
func EncodeG2(p *G2) ([]byte, error) {
	if p.IsInfinity() {
		return nil, fault.New(fault.IdentityPoint, "")
	}
	b := p.RawBytes()
	return b[:], nil
}

// CheckG2 refuses the identity, points off the curve and points outside the subgroup.
func CheckG2(p *G2) error {
	if p.IsInfinity() {
		return fault.New(fault.IdentityPoint, "")
	}
	if !p.IsOnCurve() {
		return fault.New(fault.PointNotOnCurve, "")
	}
	if !p.IsInSubGroup() {
		return fault.New(fault.PointNotInSubgroup, "")
	}
	return nil
}

// decodeCoordinates sets each element from its 48 bytes, big-endian. A set flag bit makes the value exceed the modulus,
// so compressed and infinity forms of the library are refused here.
func decodeCoordinates(b []byte, into ...*fp.Element) error {
	for i, e := range into {
		if err := e.SetBytesCanonical(b[i*fp.Bytes : (i+1)*fp.Bytes]); err != nil {
			return fault.New(fault.PointNotCanonical, "")
		}
	}
	return nil
}
