package suite

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/fault"
)

// Encoded lengths in bytes.
const (
	FieldBytes  = 48
	ScalarBytes = 32
	G1Bytes     = 96
	G2Bytes     = 192
)

type (
	// Field is F, the scalar field of BW6-761, which is the base field of BLS12-377.
	Field = fr.Element
	// Scalar is an exponent modulo the group order r.
	Scalar = blsfr.Element
	// G1 is a point of the first group of BLS12-377.
	G1 = bls.G1Affine
	// G2 is a point of the second group of BLS12-377.
	G2 = bls.G2Affine
)

// DecodeField reads 48 big-endian bytes below the modulus.
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

// DecodeG1OnCurve reads x||y, refuses the identity and checks the curve equation, but not the subgroup: for
// callers that check the subgroup of all their points later. Nothing else may be done with such a point.
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

// EncodeG1 writes x||y; the identity has no encoding.
func EncodeG1(p *G1) ([]byte, error) {
	if p.IsInfinity() {
		return nil, fault.New(fault.IdentityPoint, "")
	}
	b := p.RawBytes()
	return b[:], nil
}

// CheckG1 is the whole check of a point that did not come through DecodeG1.
func CheckG1(p *G1) error {
	if err := CheckOnCurve(p); err != nil {
		return err
	}
	if !p.IsInSubGroup() {
		return fault.New(fault.PointNotInSubgroup, "")
	}
	return nil
}

// CheckOnCurve is CheckG1 without the subgroup: for callers that check the subgroup of all their points later.
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

// decodeCoordinates sets each element from its 48 bytes. A set flag bit makes the value exceed the modulus,
// so compressed and infinity forms of the library are refused here.
func decodeCoordinates(b []byte, into ...*fp.Element) error {
	for i, e := range into {
		if err := e.SetBytesCanonical(b[i*FieldBytes : (i+1)*FieldBytes]); err != nil {
			return fault.New(fault.PointNotCanonical, "")
		}
	}
	return nil
}

// Coordinates returns a G1 point's coordinates as elements of F: the two fields are the same, and so is the
// library's internal form.
func Coordinates(p *G1) (x, y Field) { return Field(p.X), Field(p.Y) }
