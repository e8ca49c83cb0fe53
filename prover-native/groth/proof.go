// Package groth decodes and verifies Groth16 proofs over BW6-761 for circuits without commitments.
//
// The library underneath decodes leniently: it takes compressed and raw points, checks the curve equation only
// together with the subgroup, and leaves a verifying key's own soundness to the caller. Here a proof has one
// encoding, and a verifying key is checked once, when it is loaded.
package groth

import (
	"encoding/binary"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/fault"
)

const (
	coordinate = fp.Bytes
	point      = 2 * coordinate
	// countOffset is where the number of commitments stands, after A, B and C.
	countOffset = 3 * point
	pokOffset   = countOffset + 4
	// ProofBytes is the length of every proof: three points, a zero, and the identity as the proof of knowledge
	// of no commitments.
	ProofBytes = pokOffset + point
	// rawInfinity marks the identity in the library's raw form.
	rawInfinity = 0x40
)

type (
	// Field is a public input.
	Field = fr.Element
	// Proof is (A, B, C) with points on their curves, not yet known to be in their subgroups.
	Proof struct {
		A, C bw6.G1Affine
		B    bw6.G2Affine
	}
)

// CheckShape is the cheapest check: the length and the number of commitments.
func CheckShape(b []byte) error {
	if len(b) != ProofBytes {
		return fault.Newf(fault.ProofLength, "%d bytes", len(b))
	}
	if binary.BigEndian.Uint32(b[countOffset:]) != 0 {
		return fault.New(fault.ProofHasCommitments, "")
	}
	return nil
}

// Decode reads a proof's only encoding. The points are on their curves and not the identity; Verify checks their
// subgroups.
//
//spec:id E-05
func Decode(b []byte) (*Proof, error) {
	if err := CheckShape(b); err != nil {
		return nil, err
	}
	var p Proof
	if err := decodeG1(b, &p.A); err != nil {
		return nil, err
	}
	if err := decodeG2(b[point:], &p.B); err != nil {
		return nil, err
	}
	if err := decodeG1(b[2*point:], &p.C); err != nil {
		return nil, err
	}
	if b[pokOffset] != rawInfinity {
		return nil, fault.New(fault.ProofEncoding, "trailing point")
	}
	for _, v := range b[pokOffset+1:] {
		if v != 0 {
			return nil, fault.New(fault.ProofEncoding, "trailing point")
		}
	}
	return &p, nil
}

// Encode is the inverse of Decode; it refuses a proof that Decode would refuse.
func Encode(p *groth16.Proof) ([]byte, error) {
	if len(p.Commitments) != 0 {
		return nil, fault.New(fault.ProofHasCommitments, "")
	}
	if p.Ar.IsInfinity() || p.Bs.IsInfinity() || p.Krs.IsInfinity() {
		return nil, fault.New(fault.ProofEncoding, "identity")
	}
	b := make([]byte, 0, ProofBytes)
	a, bs, c := p.Ar.RawBytes(), p.Bs.RawBytes(), p.Krs.RawBytes()
	b = append(append(append(b, a[:]...), bs[:]...), c[:]...)
	b = append(b, 0, 0, 0, 0, rawInfinity)
	return append(b, make([]byte, point-1)...), nil
}

func decodeG1(b []byte, p *bw6.G1Affine) error {
	if err := decodePoint(b, &p.X, &p.Y); err != nil {
		return err
	}
	if p.IsInfinity() || !p.IsOnCurve() {
		return fault.New(fault.ProofEncoding, "not on the curve")
	}
	return nil
}

func decodeG2(b []byte, p *bw6.G2Affine) error {
	if err := decodePoint(b, &p.X, &p.Y); err != nil {
		return err
	}
	if p.IsInfinity() || !p.IsOnCurve() {
		return fault.New(fault.ProofEncoding, "not on the curve")
	}
	return nil
}

func decodePoint(b []byte, x, y *fp.Element) error {
	if x.SetBytesCanonical(b[:coordinate]) != nil || y.SetBytesCanonical(b[coordinate:point]) != nil {
		return fault.New(fault.ProofEncoding, "not canonical")
	}
	return nil
}
