// Package groth decodes and verifies Groth16 proofs over BLS12-381 for circuits without commitments.
//
// The library underneath decodes leniently: it accepts compressed and raw points, checks the curve equation only together
// with the subgroup, and leaves the soundness of a verifying key to the caller. Here a proof has one encoding, and a
// verifying key is checked once, when it is loaded.
package groth

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
)

const (
	coordinate = fp.Bytes
	g1Bytes    = 2 * coordinate
	g2Bytes    = 4 * coordinate
	offsetB    = g1Bytes
	offsetC    = offsetB + g2Bytes
	// ProofBytes is the length of every proof: A, B and C.
	ProofBytes = offsetC + g1Bytes
)

type (
	// Field is a public input.
	Field = fr.Element
	// Proof is (A, B, C) with points on their curves, not yet known to be in their subgroups.
	Proof struct {
		A, C bls.G1Affine
		B    bls.G2Affine
	}
)

// PointsG1 are A and C, for a test of their subgroup together with other points, see Claim.
func (p *Proof) PointsG1() []*bls.G1Affine { return []*bls.G1Affine{&p.A, &p.C} }

// Decode reads a proof's only encoding. The points are on their curves and not the identity; Verify checks their
// subgroups.
func Decode(b []byte) (*Proof, error) {
	if len(b) != ProofBytes {
		return nil, fault.Newf(fault.ProofLength, "%d bytes", len(b))
	}
	var p Proof
	if err := decodeG1(b, &p.A); err != nil {
		return nil, err
	}
	if err := decodeG2(b[offsetB:], &p.B); err != nil {
		return nil, err
	}
	if err := decodeG1(b[offsetC:], &p.C); err != nil {
		return nil, err
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
	return append(append(append(b, a[:]...), bs[:]...), c[:]...), nil
}

func decodeG1(b []byte, p *bls.G1Affine) error {
	if err := decodeCoordinates(b, &p.X, &p.Y); err != nil {
		return err
	}
	if p.IsInfinity() || !p.IsOnCurve() {
		return fault.New(fault.ProofEncoding, "not on the curve")
	}
	return nil
}

func decodeG2(b []byte, p *bls.G2Affine) error {
	if err := decodeCoordinates(b, &p.X.A1, &p.X.A0, &p.Y.A1, &p.Y.A0); err != nil {
		return err
	}
	if p.IsInfinity() || !p.IsOnCurve() {
		return fault.New(fault.ProofEncoding, "not on the curve")
	}
	return nil
}

func decodeCoordinates(b []byte, coordinates ...*fp.Element) error {
	for i, c := range coordinates {
		if c.SetBytesCanonical(b[i*coordinate:(i+1)*coordinate]) != nil {
			return fault.New(fault.ProofEncoding, "not canonical")
		}
	}
	return nil
}
