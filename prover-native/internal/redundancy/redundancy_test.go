package redundancy_test

import (
	"slices"
	"testing"

	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/internal/redundancy"
)

// sample checks z = x y, z in 8 bits; twice, if Twice is set, so that both copies are superfluous.
type sample struct {
	X, Y  frontend.Variable
	Z     frontend.Variable `gnark:",public"`
	Twice bool              `gnark:"-"`
}

func (c *sample) Define(api frontend.API) error {
	api.AssertIsEqual(api.Mul(c.X, c.Y), c.Z)
	if c.Twice {
		api.AssertIsEqual(api.Mul(c.Y, c.X), c.Z)
	}
	api.ToBinary(c.Z, 8)
	return nil
}

// unnoticed are the constraints whose absence neither the rank nor the search detects.
func unnoticed(t *testing.T, twice bool) []int {
	s := circuittest.Compile(t, &sample{Twice: twice})
	wires, err := s.Solve(t, &sample{X: 3, Y: 5, Z: 15})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(redundancy.Dependent(s.R1CS, wires), redundancy.NewSearch(s.R1CS, wires).Alone)
}

func TestSuperfluousConstraintIsFound(t *testing.T) {
	if left := unnoticed(t, false); len(left) != 0 {
		t.Errorf("constraints %v are said to be superfluous", left)
	}
	// of two products and two assertions any one may go
	if left := unnoticed(t, true); !slices.Equal(left, []int{0, 1, 2, 3}) {
		t.Errorf("superfluous constraints %v, want 0 to 3", left)
	}
}

func TestOverride(t *testing.T) {
	s := circuittest.Compile(t, &sample{})
	false1 := &sample{X: 3, Y: 5, Z: 1}
	s.Refuses(t, false1)
	restore := redundancy.Override(s.R1CS, 0, true) // the product becomes 1
	wires, err := s.Solve(t, false1)
	restore()
	if err != nil {
		t.Fatal(err)
	}
	if violated := redundancy.Violated(s.R1CS, wires); !slices.Equal(violated, []int{0}) {
		t.Errorf("violated: %v, want [0]", violated)
	}
	s.Refuses(t, false1)
	s.Accepts(t, &sample{X: 3, Y: 5, Z: 15})
}
