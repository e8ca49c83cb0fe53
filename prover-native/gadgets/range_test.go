package gadgets

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
)

type rangeCircuit struct {
	Bits int `gnark:"-"`
	X    frontend.Variable
}

func (c *rangeCircuit) Define(api frontend.API) error {
	AssertRange(api, c.X, c.Bits)
	return nil
}

//spec:id G-01
func TestAssertRange(t *testing.T) {
	for _, n := range []int{2, 32, 64, 95, 160} {
		s := circuittest.Compile(t, &rangeCircuit{Bits: n})
		if got := s.GetNbConstraints(); got != n+1 {
			t.Errorf("%d bits cost %d constraints", n, got)
		}
		top := new(big.Int).Lsh(big.NewInt(1), uint(n))
		last := new(big.Int).Sub(top, big.NewInt(1))
		falsehoods := map[string]frontend.Circuit{}
		for name, x := range map[string]*big.Int{
			"2^n": top, "2^n + 1": new(big.Int).Add(top, big.NewInt(1)), "-1": big.NewInt(-1),
			"-2^n": new(big.Int).Neg(top), "r - 2^n": new(big.Int).Sub(fr.Modulus(), top),
			"half of r": new(big.Int).Rsh(fr.Modulus(), 1),
		} {
			falsehoods[name] = &rangeCircuit{X: x}
			s.Refuses(t, falsehoods[name])
		}
		for _, x := range []*big.Int{big.NewInt(0), big.NewInt(1), last} {
			s.Accepts(t, &rangeCircuit{X: x})
		}
		s.DishonestHints(t, &rangeCircuit{X: last}, falsehoods)
		s.DishonestHints(t, &rangeCircuit{X: 0}, falsehoods)
	}
}

type zeroCircuit struct {
	X    frontend.Variable
	Zero frontend.Variable
}

func (c *zeroCircuit) Define(api frontend.API) error {
	api.AssertIsEqual(IsZero(api, c.X), c.Zero)
	return nil
}

//spec:id G-02
func TestIsZero(t *testing.T) {
	s := circuittest.Compile(t, &zeroCircuit{})
	for _, x := range []int{0, 1, -1, 7} {
		zero := 0
		if x == 0 {
			zero = 1
		}
		honest := &zeroCircuit{X: x, Zero: zero}
		s.Accepts(t, honest)
		if free := s.Undetermined(t, honest); len(free) != 0 {
			t.Errorf("x = %d: undetermined wires %v", x, free)
		}
		wrong := map[string]frontend.Circuit{"flipped": &zeroCircuit{X: x, Zero: 1 - zero}, "two": &zeroCircuit{X: x, Zero: 2}}
		for _, c := range wrong {
			s.Refuses(t, c)
		}
		s.DishonestHints(t, honest, wrong)
	}
}

type notZeroCircuit struct{ X frontend.Variable }

func (c *notZeroCircuit) Define(api frontend.API) error {
	AssertNotZero(api, c.X)
	return nil
}

func TestAssertNotZero(t *testing.T) {
	s := circuittest.Compile(t, &notZeroCircuit{})
	s.Accepts(t, &notZeroCircuit{X: 1})
	s.Accepts(t, &notZeroCircuit{X: -1})
	s.Refuses(t, &notZeroCircuit{X: 0})
	s.Refuses(t, &notZeroCircuit{X: fr.Modulus()})
}
