package transfer

import (
	"math/big"
	"testing"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
)

// lies are wrong answers to a single call of a hint.
var lies = []struct {
	name string
	tell func(in, out []*big.Int)
}{
	{"zeros", func(_, out []*big.Int) { all(out, func(x *big.Int) { x.SetUint64(0) }) }},
	{"ones", func(_, out []*big.Int) { all(out, func(x *big.Int) { x.SetUint64(1) }) }},
	{"-1", func(_, out []*big.Int) { all(out, func(x *big.Int) { x.Sub(fr.Modulus(), bigOne) }) }},
	{"negated", func(_, out []*big.Int) { all(out, func(x *big.Int) { x.Neg(x).Mod(x, fr.Modulus()) }) }},
	{"random", func(_, out []*big.Int) {
		all(out, func(x *big.Int) { e := random(); e.BigInt(x) })
	}},
	{"bits of value + p", func(in, out []*big.Int) { bitsOf(new(big.Int).Add(in[0], fr.Modulus()), out) }},
	{"bits of value + r", func(in, out []*big.Int) { bitsOf(new(big.Int).Add(in[0], blsfr.Modulus()), out) }},
	{"a two borrowed from the next bit", func(_, out []*big.Int) {
		for i := 0; i+1 < len(out); i++ {
			if out[i].Sign() == 0 && out[i+1].Cmp(bigOne) == 0 {
				out[i].SetUint64(2)
				out[i+1].SetUint64(0)
				return
			}
		}
	}},
	{"the missing rest in bit 0", func(in, out []*big.Int) {
		x := new(big.Int).Set(in[0])
		for i := 1; i < len(out); i++ {
			x.Sub(x, new(big.Int).Lsh(out[i], uint(i)))
		}
		out[0].Mod(x, fr.Modulus())
	}},
}

func all(xs []*big.Int, f func(*big.Int)) {
	for _, x := range xs {
		f(x)
	}
}

func bitsOf(x *big.Int, out []*big.Int) {
	for i := range out {
		out[i].SetUint64(uint64(x.Bit(i)))
	}
}

// hintCall is the n-th call of a hint in the solver's order.
type hintCall struct {
	id solver.HintID
	n  int
}

// hintCalls lists every hint call that solving makes.
func hintCalls(t *testing.T, c *Circuit) []hintCall {
	t.Helper()
	var calls []hintCall
	for id := range system().MHintsDependencies {
		count := 0
		honest := solver.GetRegisteredHint(id)
		counting := func(q *big.Int, in, out []*big.Int) error { count++; return honest(q, in, out) }
		if _, err := system().Solve(t, c, solver.OverrideHint(id, counting), solver.WithNbTasks(1)); err != nil {
			t.Fatal(err)
		}
		if count == 0 {
			t.Errorf("hint %s is never called", system().MHintsDependencies[id])
		}
		for n := range count {
			calls = append(calls, hintCall{id, n})
		}
	}
	return calls
}

// lieAt answers one call wrongly and the others honestly. It reports whether the answer differed from the truth.
func lieAt(call hintCall, tell func(in, out []*big.Int), lied *bool) solver.Option {
	honest, n := solver.GetRegisteredHint(call.id), 0
	return solver.OverrideHint(call.id, func(q *big.Int, in, out []*big.Int) error {
		if err := honest(q, in, out); err != nil {
			return err
		}
		if n++; n-1 == call.n {
			var truth []big.Int
			for _, x := range out {
				truth = append(truth, *new(big.Int).Set(x))
			}
			tell(in, out)
			for i := range out {
				*lied = *lied || out[i].Cmp(&truth[i]) != 0
			}
		}
		return nil
	})
}

// A wrong answer at any single call makes a true statement unprovable: no wire is left to the prover. The second statement
// has the other outcome of the zero test.
func TestDishonestHintAtEachCall(t *testing.T) {
	newPeriod := func(s *scenario) { s.period = num(202607) }
	for _, change := range []func(*scenario){func(*scenario) {}, newPeriod} {
		c, _ := scenarioOf(change).build(t)
		calls := hintCalls(t, c)
		if len(calls) != 39 { // 38 decompositions into bits and one zero test
			t.Fatalf("%d hint calls, want 39", len(calls))
		}
		for _, call := range calls {
			for _, lie := range lies {
				lied := false
				option := lieAt(call, lie.tell, &lied)
				if _, err := system().Solve(t, c, option, solver.WithNbTasks(1)); err == nil && lied {
					t.Errorf("call %d of %s, %s: accepted", call.n, system().MHintsDependencies[call.id], lie.name)
				}
			}
		}
	}
}

// falsehoods are false statements whose falsity a hint would have to cover.
var falsehoods = map[string]func(*scenario){
	"withdrawn -5":                func(s *scenario) { s.withdrawn = negative(5) },
	"overspending":                func(s *scenario) { s.paid, s.vSent = num(9000), num(9000) },
	"reset without a new period":  replacing("same", nil),
	"coins of 5 and -5":           func(s *scenario) { s.in = [2]fr.Element{num(5), negative(5)} },
	"period runs backwards":       func(s *scenario) { s.period = num(202605) },
	"recipient listed":            func(s *scenario) { s.listed = func(d *derived) []fr.Element { return []fr.Element{d.recipient} } },
	"exponent of another message": replacing("message1", another),
}

// A wrong answer at any single call covers no false statement.
func TestDishonestHintsCoverNoFalsehood(t *testing.T) {
	reference, _ := honest().build(t)
	calls := hintCalls(t, reference)
	for name, change := range falsehoods {
		c, _ := scenarioOf(change).build(t)
		for _, call := range calls {
			for _, lie := range lies {
				lied := false
				option := lieAt(call, lie.tell, &lied)
				if _, err := system().Solve(t, c, option, solver.WithNbTasks(1)); err == nil {
					t.Errorf("%s: accepted with call %d, %s", name, call.n, lie.name)
				}
			}
		}
	}
}

// The same lies told at every call at once.
func TestDishonestHintsEverywhere(t *testing.T) {
	c, _ := honest().build(t)
	false1, _ := scenarioOf(falsehoods["withdrawn -5"]).build(t)
	false2, _ := scenarioOf(falsehoods["overspending"]).build(t)
	system().DishonestHints(t, c, map[string]frontend.Circuit{"withdrawn -5": false1, "overspending": false2})
}
