package circuittest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
)

// lie rewrites the honest outputs of a hint.
type lie struct {
	name  string
	apply func(in, out []*big.Int, rng *rand.Rand)
}

// lies are the ways in which a prover may answer a hint wrongly. The first group is independent of the circuit. The second
// aims at bit decompositions: the same value modulo r from other bits, the value shifted by the order of Jubjub, and a two
// in a bit balanced by its neighbour.
var lies = []lie{
	{"zeros", func(_, out []*big.Int, _ *rand.Rand) { each(out, func(x *big.Int) { x.SetUint64(0) }) }},
	{"ones", func(_, out []*big.Int, _ *rand.Rand) { each(out, func(x *big.Int) { x.SetUint64(1) }) }},
	{"minus one", func(_, out []*big.Int, _ *rand.Rand) { each(out, func(x *big.Int) { x.Sub(modulus, one) }) }},
	{"negated", func(_, out []*big.Int, _ *rand.Rand) {
		each(out, func(x *big.Int) { x.Sub(modulus, x).Mod(x, modulus) })
	}},
	{"first plus one", func(_, out []*big.Int, _ *rand.Rand) { out[0].Add(out[0], one) }},
	{"random", func(_, out []*big.Int, rng *rand.Rand) { each(out, func(x *big.Int) { x.Set(randomBelow(rng)) }) }},
	{"bits of value + r", func(in, out []*big.Int, _ *rand.Rand) { bitsOf(new(big.Int).Add(in[0], modulus), out) }},
	{"bits of value + l", func(in, out []*big.Int, _ *rand.Rand) { bitsOf(new(big.Int).Add(in[0], order), out) }},
	{"carry", func(_, out []*big.Int, _ *rand.Rand) {
		for i := 0; i+1 < len(out); i++ {
			if out[i].Sign() == 0 && out[i+1].Cmp(one) == 0 {
				out[i].SetUint64(2)
				out[i+1].SetUint64(0)
				return
			}
		}
	}},
}

var (
	one     = big.NewInt(1)
	modulus = fr.Modulus()
	order   = jubjubOrder()
)

func jubjubOrder() *big.Int {
	curve := twistededwards.GetEdwardsCurve()
	return &curve.Order
}

func each(xs []*big.Int, f func(*big.Int)) {
	for _, x := range xs {
		f(x)
	}
}

func bitsOf(x *big.Int, out []*big.Int) {
	for i := range out {
		out[i].SetUint64(uint64(x.Bit(i)))
	}
}

func randomBelow(rng *rand.Rand) *big.Int {
	var raw [48]byte
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	x := new(big.Int).SetBytes(raw[:])
	return x.Mod(x, modulus)
}

// DishonestHints answers every hint of the circuit wrongly, in every way of lies.
//
// No false statement may become provable. For a true statement a wrong answer may be accepted only if no wire changes (a lie
// that happens to be true), except where a wire is undetermined in the sense of Undetermined: the choice there proves
// nothing.
func (s System) DishonestHints(t *testing.T, honest frontend.Circuit, falsehoods map[string]frontend.Circuit) {
	t.Helper()
	for _, problem := range s.acceptedLies(t, honest, falsehoods) {
		t.Error(problem)
	}
}

// acceptedLies describes every lie that was accepted and must not be.
func (s System) acceptedLies(t *testing.T, honest frontend.Circuit, falsehoods map[string]frontend.Circuit) (problems []string) {
	t.Helper()
	reference, err := s.Solve(t, honest)
	if err != nil {
		t.Fatalf("honest assignment refused: %v", err)
	}
	free := make(map[int]bool)
	for _, v := range s.Undetermined(t, honest) {
		free[v] = true
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for id, name := range s.MHintsDependencies {
		truth := solver.GetRegisteredHint(id)
		if truth == nil {
			t.Fatalf("hint %s is not registered", name)
		}
		used := false
		for _, l := range lies {
			options := []solver.Option{
				solver.WithNbTasks(1), // the lie has state
				solver.OverrideHint(id, func(q *big.Int, in, out []*big.Int) error {
					used = true
					if err := truth(q, in, out); err != nil {
						return err
					}
					l.apply(in, out, rng)
					return nil
				}),
			}
			if got, err := s.Solve(t, honest, options...); err == nil {
				if v, changed := firstChange(reference, got, free); changed {
					problems = append(problems, fmt.Sprintf("hint %s, %s: accepted with another wire %d", name, l.name, v))
				}
			}
			for statement, a := range falsehoods {
				if _, err := s.Solve(t, a, options...); err == nil {
					problems = append(problems, fmt.Sprintf("hint %s, %s: false statement %q accepted", name, l.name, statement))
				}
			}
		}
		if !used {
			t.Fatalf("hint %s was never called", name)
		}
	}
	return problems
}

func firstChange(a, b fr.Vector, free map[int]bool) (int, bool) {
	for v := range a {
		if !free[v] && !a[v].Equal(&b[v]) {
			return v, true
		}
	}
	return 0, false
}
