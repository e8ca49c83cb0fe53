package transfer

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/jubjub"
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
	{"bits of value + r", func(in, out []*big.Int) { bitsOf(new(big.Int).Add(in[0], fr.Modulus()), out) }},
	{"bits of value + l", func(in, out []*big.Int) { bitsOf(new(big.Int).Add(in[0], jubjub.Order()), out) }},
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

// inverseLie answers the zero test of x with a chosen inverse, for those x that when picks.
func inverseLie(inverse int64, when func(x *big.Int) bool) solver.Option {
	return solver.OverrideHint(solver.GetHintID(solver.InvZeroHint), func(q *big.Int, in, out []*big.Int) error {
		if when(in[0]) {
			out[0].SetInt64(inverse)
			return nil
		}
		return solver.InvZeroHint(q, in, out)
	})
}

func isZero(x *big.Int) bool  { return x.Sign() == 0 }
func notZero(x *big.Int) bool { return x.Sign() != 0 }
func isOne(x *big.Int) bool   { return x.Cmp(bigOne) == 0 } // one period later

var bigOne = big.NewInt(1)

// zeroTests are honest statements with all outcomes of the two zero tests.
var zeroTests = map[string]func(*scenario){
	"same period, payment to another":  func(*scenario) {},
	"new period, payment to another":   func(s *scenario) { s.period = num(202607) },
	"same period, payment to oneself":  func(s *scenario) { s.toSelf = true },
	"new period, payment to oneself":   func(s *scenario) { s.period, s.toSelf = num(202607), true },
	"dummies and an escrow to oneself": func(s *scenario) { s.setDummy(0); s.setDummy(1); s.setEscrow(); s.toSelf = true },
}

// A wrong answer at any single call makes a true statement unprovable: no wire is left to the prover. The statements have both
// outcomes of each zero test.
func TestDishonestHintAtEachCall(t *testing.T) {
	for name, change := range zeroTests {
		t.Run(name, func(t *testing.T) {
			c, _ := scenarioOf(change).build(t)
			calls := hintCalls(t, c)
			if len(calls) != 27 { // 25 decompositions into bits and two zero tests
				t.Fatalf("%d hint calls, want 27", len(calls))
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
		})
	}
}

// falsehoods are false statements whose falsity a hint would have to cover.
var falsehoods = map[string]func(*scenario){
	"withdrawn -5":                func(s *scenario) { s.withdrawn = negative(5) },
	"overspending":                func(s *scenario) { s.paid, s.vSent = num(9000), num(9000) },
	"reset without a new period":  replacing("same", nil),
	"no reset in a new period":    func(s *scenario) { s.period = num(202607); s.replace["same"] = nil },
	"payment to another as own":   replacing("own", nil),
	"payment to oneself as other": func(s *scenario) { s.toSelf = true; s.replace["own"] = nil },
	"coins of 5 and -5":           func(s *scenario) { s.in = [2]fr.Element{num(5), negative(5)} },
	"origin 4":                    func(s *scenario) { s.origin[0] = num(4) },
	"escrow above its limit":      func(s *scenario) { s.escrow = num(1) },
	"period runs backwards":       func(s *scenario) { s.period = num(202605) },
	"recipient listed":            func(s *scenario) { s.listed = func(d *derived) []fr.Element { return []fr.Element{d.recipient} } },
	"another message shown":       replacing("message1", another),
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
	wrong := map[string]frontend.Circuit{}
	for name, change := range falsehoods {
		wrong[name], _ = scenarioOf(change).build(t)
	}
	system().DishonestHints(t, c, wrong)
}

// The answers of the zero tests are the only ones that a statement could turn on: neither 0 nor 1 as inverse covers a wrong one.
//
//spec:id T-11 T-31
func TestDishonestZeroTests(t *testing.T) {
	for name, change := range falsehoods {
		c, _ := scenarioOf(change).build(t)
		for _, inverse := range []int64{0, 1} {
			for _, when := range []func(*big.Int) bool{isZero, notZero} {
				if _, err := system().Solve(t, c, inverseLie(inverse, when), solver.WithNbTasks(1)); err == nil {
					t.Errorf("%s: accepted with the inverse %d", name, inverse)
				}
			}
		}
	}
}
