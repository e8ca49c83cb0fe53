package circuittest

import (
	"testing"

	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
)

// These tests show that the searches find what they search for.

// zeroTest is the library's comparison with zero, whose hinted inverse is free where the input is zero.
type zeroTest struct {
	X      frontend.Variable
	IsZero frontend.Variable `gnark:",public"`
}

func (c *zeroTest) Define(api frontend.API) error {
	api.AssertIsEqual(c.IsZero, api.IsZero(c.X))
	return nil
}

func TestUndeterminedWireIsFound(t *testing.T) {
	s := Compile(t, &zeroTest{})
	if free := s.Undetermined(t, &zeroTest{X: 5, IsZero: 0}); len(free) != 0 {
		t.Errorf("free wires %v where the inverse is determined", free)
	}
	if free := s.Undetermined(t, &zeroTest{X: 0, IsZero: 1}); len(free) != 1 {
		t.Errorf("free wires %v, want the inverse of zero", free)
	}
}

// carelessInverse takes the hinted inverse without checking it: y = x/x is provable as anything.
type carelessInverse struct {
	X frontend.Variable
	Y frontend.Variable `gnark:",public"`
}

func (c *carelessInverse) Define(api frontend.API) error {
	inverse, err := api.Compiler().NewHint(solver.InvZeroHint, 1, c.X)
	if err != nil {
		return err
	}
	api.AssertIsEqual(api.Mul(inverse[0], c.X, c.X), api.Mul(c.Y, c.X))
	return nil
}

// looseBit asserts that a hinted value is a bit and nothing else, so the prover may choose it.
type looseBit struct {
	X frontend.Variable `gnark:",public"`
}

func (c *looseBit) Define(api frontend.API) error {
	bit, err := api.Compiler().NewHint(solver.InvZeroHint, 1, c.X)
	if err != nil {
		return err
	}
	api.AssertIsEqual(api.Mul(bit[0], api.Sub(bit[0], 1)), 0)
	return nil
}

func TestAcceptedLiesAreFound(t *testing.T) {
	if lies := Compile(t, &zeroTest{}).acceptedLies(t, &zeroTest{X: 5, IsZero: 0}, map[string]frontend.Circuit{
		"five is zero": &zeroTest{X: 5, IsZero: 1},
		"zero is not":  &zeroTest{X: 0, IsZero: 0},
	}); len(lies) != 0 {
		t.Errorf("a sound circuit is said to accept %v", lies)
	}
	if lies := Compile(t, &carelessInverse{}).acceptedLies(t, &carelessInverse{X: 1, Y: 1}, map[string]frontend.Circuit{
		"y is zero": &carelessInverse{X: 1, Y: 0},
	}); len(lies) == 0 {
		t.Error("no lie found in a circuit that does not check its hint")
	}
	if lies := Compile(t, &looseBit{}).acceptedLies(t, &looseBit{X: 1}, nil); len(lies) == 0 {
		t.Error("a true statement with another witness was not noticed")
	}
}

func TestStatisticsSeeTheCircuit(t *testing.T) {
	got := Compile(t, &zeroTest{}).Measure("zero", "")
	if got.Constraints != 3 || got.Public != 1 || got.Secret != 1 || got.Commitments != 0 || len(got.Digest) != 64 {
		t.Errorf("unexpected statistics %+v", got)
	}
	if other := Compile(t, &carelessInverse{}).Measure("careless", ""); other.Digest == got.Digest {
		t.Error("two circuits with one digest")
	}
}
