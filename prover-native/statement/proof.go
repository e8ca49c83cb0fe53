package statement

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

// linkedPoints is the number of linked points of each family: shown signatures, then outputs.
var linkedPoints = map[Family]int{
	FamilyRegister: 1, FamilyMint: 1, FamilyTransfer: 5, FamilyTransferUnregulated: 4, FamilyRecover: 2,
	FamilyClaim16: 19, FamilyPay8: 12,
}

// Proof is the proof of a statement: a Groth16 proof and the link of its points. No point is checked for its subgroup yet.
type Proof struct {
	Groth *groth.Proof
	Link  *suite.Link
}

// ProofBytes is the length of a proof of a family.
func ProofBytes(f Family) int { return groth.ProofBytes + suite.LinkBytes(linkedPoints[f]) }

// DecodeProof reads a proof's only encoding: A, B, C, then the link.
//
//spec:id E-05
func DecodeProof(f Family, b []byte) (*Proof, error) {
	if len(b) != ProofBytes(f) {
		return nil, fault.Newf(fault.ProofLength, "%d bytes", len(b))
	}
	g, err := groth.Decode(b[:groth.ProofBytes])
	if err != nil {
		return nil, err
	}
	link, err := suite.DecodeLink(b[groth.ProofBytes:], linkedPoints[f])
	if err != nil {
		return nil, err
	}
	return &Proof{Groth: g, Link: link}, nil
}
