package groth

import (
	"sync"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
)

// lineTable holds the lines of a fixed G2 point for the Miller loop.
type lineTable = [2][len(bls.LoopCounter) - 1]bls.LineEvaluationAff

// VerifyingKey is a checked verifying key with its fixed pairings precomputed. It is safe for concurrent use.
type VerifyingKey struct {
	inputs    []bls.G1Affine // of the constant one and each public input
	lines     []lineTable    // -gamma, -delta
	target    bls.GT         // e(alpha, beta)
	alphaNeg  bls.G1Affine
	betaLines lineTable
	table     func() inputTable // of the inputs and -alpha; computed for the first proof
}

// NewVerifyingKey checks a key for a circuit with this number of public inputs. A key with commitment keys would make the
// library accept commitments. A public input whose point is the identity would be unconstrained. With gamma equal to delta
// the prover could move public inputs into its own part of the proof.
//
//spec:id F-46
func NewVerifyingKey(vk *groth16.VerifyingKey, publicInputs int) (*VerifyingKey, error) {
	if len(vk.CommitmentKeys) != 0 || len(vk.PublicAndCommitmentCommitted) != 0 {
		return nil, fault.New(fault.KeysCommitmentKeys, "verifying key")
	}
	if len(vk.G1.K) != publicInputs+1 {
		return nil, fault.Newf(fault.KeysPublicInputs, "%d, the circuit has %d", len(vk.G1.K)-1, publicInputs)
	}
	if err := checkG1(append([]bls.G1Affine{vk.G1.Alpha}, vk.G1.K...)); err != nil {
		return nil, err
	}
	if err := checkG2([]bls.G2Affine{vk.G2.Beta, vk.G2.Gamma, vk.G2.Delta}); err != nil {
		return nil, err
	}
	if vk.G2.Gamma.Equal(&vk.G2.Delta) {
		return nil, fault.New(fault.KeysDegenerate, "")
	}
	var gamma, delta bls.G2Affine
	gamma.Neg(&vk.G2.Gamma)
	delta.Neg(&vk.G2.Delta)
	target, err := bls.Pair([]bls.G1Affine{vk.G1.Alpha}, []bls.G2Affine{vk.G2.Beta})
	if err != nil {
		return nil, fault.New(fault.Internal, "pairing")
	}
	v := &VerifyingKey{
		inputs:    append([]bls.G1Affine(nil), vk.G1.K...),
		lines:     []lineTable{bls.PrecomputeLines(gamma), bls.PrecomputeLines(delta)},
		target:    target,
		betaLines: bls.PrecomputeLines(vk.G2.Beta),
	}
	v.alphaNeg.Neg(&vk.G1.Alpha)
	v.table = sync.OnceValue(func() inputTable { return newInputTable(append(v.inputs[:len(v.inputs):len(v.inputs)], v.alphaNeg)) })
	return v, nil
}

func checkG1(points []bls.G1Affine) error {
	for i := range points {
		if points[i].IsInfinity() {
			return fault.New(fault.KeysInfinitePoint, "")
		}
		if !points[i].IsOnCurve() || !points[i].IsInSubGroup() {
			return fault.New(fault.KeysManifest, "a point of the verifying key is not in its group")
		}
	}
	return nil
}

func checkG2(points []bls.G2Affine) error {
	for i := range points {
		if points[i].IsInfinity() {
			return fault.New(fault.KeysInfinitePoint, "")
		}
		if !points[i].IsOnCurve() || !points[i].IsInSubGroup() {
			return fault.New(fault.KeysManifest, "a point of the verifying key is not in its group")
		}
	}
	return nil
}

// PublicInputs is the number of public inputs of the circuit.
func (vk *VerifyingKey) PublicInputs() int { return len(vk.inputs) - 1 }

// Verify checks e(A, B) = e(alpha, beta) e(L, gamma) e(C, delta) with L the combination of the public inputs. It
// starts no goroutine of its own and logs nothing.
func (vk *VerifyingKey) Verify(p *Proof, public []Field) error {
	if err := vk.checkCount(public); err != nil {
		return err
	}
	if !p.A.IsInSubGroup() || !p.C.IsInSubGroup() || !p.B.IsInSubGroup() {
		return fault.New(fault.ProofInvalid, "")
	}
	sum := vk.table()[1:].combine(public)
	sum.AddMixed(&vk.inputs[0])
	var combined bls.G1Affine
	combined.FromJacobian(&sum)
	ab, err := bls.MillerLoop([]bls.G1Affine{p.A}, []bls.G2Affine{p.B})
	if err != nil {
		return fault.New(fault.Internal, "Miller loop")
	}
	// the library's loop writes to the tables it is given
	lines := append([]lineTable(nil), vk.lines...)
	fixed, err := bls.MillerLoopFixedQ([]bls.G1Affine{combined, p.C}, lines)
	if err != nil {
		return fault.New(fault.Internal, "Miller loop")
	}
	result := bls.FinalExponentiation(&ab, &fixed)
	if !result.Equal(&vk.target) {
		return fault.New(fault.ProofInvalid, "")
	}
	return nil
}
