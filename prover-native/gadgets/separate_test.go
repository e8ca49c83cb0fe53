package gadgets

import (
	"testing"

	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
)

// sums uses its public inputs in linear constraints only.
type sums struct {
	Separate bool              `gnark:"-"`
	X, Y     frontend.Variable `gnark:",public"`
	A        frontend.Variable
}

func (c *sums) Define(api frontend.API) error {
	api.AssertIsEqual(c.X, api.Add(c.A, 1))
	api.AssertIsEqual(c.Y, api.Mul(c.A, c.A))
	if c.Separate {
		AssertSeparate(api, c.X, c.Y)
	}
	return nil
}

//spec:id G-10
func TestSeparate(t *testing.T) {
	if without := circuittest.Compile(t, &sums{}).UnseparatedPublics(); len(without) != 2 {
		t.Errorf("public inputs without a constraint of their own: %v, want both", without)
	}
	s := circuittest.Compile(t, &sums{Separate: true})
	if without := s.UnseparatedPublics(); len(without) != 0 {
		t.Errorf("public inputs without a constraint of their own: %v", without)
	}
	honest := &sums{X: 4, Y: 9, A: 3}
	s.Accepts(t, honest)
	if free := s.Undetermined(t, honest); len(free) != 0 {
		t.Errorf("undetermined wires: %v", free)
	}
}
