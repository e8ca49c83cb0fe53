package groth

import (
	"sync"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/fault"
)

// lineTable holds the lines of a fixed G2 point for the Miller loop.
type lineTable = [2][len(bw6.LoopCounter) - 1]bw6.LineEvaluationAff

// VerifyingKey is a checked verifying key with its fixed pairings precomputed. It is safe for concurrent use.
type VerifyingKey struct {
	inputs    []bw6.G1Affine // of the constant one and each public input
	lines     []lineTable    // -gamma, -delta
	target    bw6.GT         // e(alpha, beta)
	alphaNeg  bw6.G1Affine
	betaLines lineTable
	table     func() inputTable // of the inputs and -alpha; computed for the first proof
}

// NewVerifyingKey checks a key for a circuit with this number of public inputs. A key with commitment keys would make the
// library accept commitments. A public input whose point is the identity would be unconstrained. With gamma equal to delta
// the prover could move public inputs into its own part of the proof.
func NewVerifyingKey(vk *groth16.VerifyingKey, publicInputs int) (*VerifyingKey, error) {
	if len(vk.CommitmentKeys) != 0 || len(vk.PublicAndCommitmentCommitted) != 0 {
		return nil, fault.New(fault.KeysCommitmentKeys, "verifying key")
	}
	if len(vk.G1.K) != publicInputs+1 {
		return nil, fault.Newf(fault.KeysPublicInputs, "%d, the circuit has %d", len(vk.G1.K)-1, publicInputs)
	}
	if err := checkG1(append([]bw6.G1Affine{vk.G1.Alpha}, vk.G1.K...)); err != nil {
		return nil, err
	}
	if err := checkG2([]bw6.G2Affine{vk.G2.Beta, vk.G2.Gamma, vk.G2.Delta}); err != nil {
		return nil, err
	}
	if vk.G2.Gamma.Equal(&vk.G2.Delta) {
		return nil, fault.New(fault.KeysDegenerate, "")
	}
	var gamma, delta bw6.G2Affine
	gamma.Neg(&vk.G2.Gamma)
	delta.Neg(&vk.G2.Delta)
	target, err := bw6.Pair([]bw6.G1Affine{vk.G1.Alpha}, []bw6.G2Affine{vk.G2.Beta})
	if err != nil {
		return nil, fault.New(fault.Internal, "pairing")
	}
	v := &VerifyingKey{
		inputs:    append([]bw6.G1Affine(nil), vk.G1.K...),
		lines:     []lineTable{bw6.PrecomputeLines(gamma), bw6.PrecomputeLines(delta)},
		target:    target,
		betaLines: bw6.PrecomputeLines(vk.G2.Beta),
	}
	v.alphaNeg.Neg(&vk.G1.Alpha)
	v.table = sync.OnceValue(func() inputTable { return newInputTable(append(v.inputs[:len(v.inputs):len(v.inputs)], v.alphaNeg)) })
	return v, nil
}

func checkG1(points []bw6.G1Affine) error {
	for i := range points {
		if points[i].IsInfinity() {
			return fault.New(fault.KeysInfinitePoint, "")
		}
		if !points[i].IsOnCurve() || !oneInKernel(&points[i], &cubeRootG1) {
			return fault.New(fault.KeysManifest, "a point of the verifying key is not in its group")
		}
	}
	return nil
}

func checkG2(points []bw6.G2Affine) error {
	for i := range points {
		if points[i].IsInfinity() {
			return fault.New(fault.KeysInfinitePoint, "")
		}
		if !points[i].IsOnCurve() || !oneInKernel((*affine)(&points[i]), &cubeRootG2) {
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
	if !inKernel([]affine{p.A, p.C}, &cubeRootG1) || !inKernel([]affine{affine(p.B)}, &cubeRootG2) {
		return fault.New(fault.ProofInvalid, "")
	}
	sum := vk.table()[1:].combine(public)
	sum.AddMixed(&vk.inputs[0])
	var combined bw6.G1Affine
	combined.FromJacobian(&sum)
	ab, err := bw6.MillerLoop([]bw6.G1Affine{p.A}, []bw6.G2Affine{p.B})
	if err != nil {
		return fault.New(fault.Internal, "Miller loop")
	}
	// the library's loop writes to the tables it is given
	lines := append([]lineTable(nil), vk.lines...)
	fixed, err := bw6.MillerLoopFixedQ([]bw6.G1Affine{combined, p.C}, lines)
	if err != nil {
		return fault.New(fault.Internal, "Miller loop")
	}
	result := bw6.FinalExponentiation(&ab, &fixed)
	if !result.Equal(&vk.target) {
		return fault.New(fault.ProofInvalid, "")
	}
	return nil
}
