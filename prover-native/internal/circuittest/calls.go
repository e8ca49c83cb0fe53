package circuittest

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
)

// hintCall is the n-th call of a hint in the solver's order.
type hintCall struct {
	id solver.HintID
	n  int
}

// hintCalls lists every hint call that solving makes.
func (s System) hintCalls(t *testing.T, a frontend.Circuit) (calls []hintCall) {
	t.Helper()
	for id, name := range s.MHintsDependencies {
		count, truth := 0, solver.GetRegisteredHint(id)
		counting := func(q *big.Int, in, out []*big.Int) error { count++; return truth(q, in, out) }
		if _, err := s.Solve(t, a, solver.OverrideHint(id, counting), solver.WithNbTasks(1)); err != nil {
			t.Fatal(err)
		}
		if count == 0 {
			t.Fatalf("hint %s is never called", name)
		}
		for n := range count {
			calls = append(calls, hintCall{id, n})
		}
	}
	return calls
}

// DishonestHintAtEachCall answers one call of a hint wrongly and all others correctly, for every call and in every way of
// DishonestHints. No such answer may be accepted: then the prover chooses no wire. It returns the number of calls.
func (s System) DishonestHintAtEachCall(t *testing.T, honest frontend.Circuit) int {
	t.Helper()
	calls, rng := s.hintCalls(t, honest), rand.New(rand.NewPCG(3, 4))
	for _, call := range calls {
		for _, l := range lies {
			lied := false
			option := lieAt(call, func(in, out []*big.Int) { l.apply(in, out, rng) }, &lied)
			if _, err := s.Solve(t, honest, option, solver.WithNbTasks(1)); err == nil && lied {
				t.Errorf("call %d of %s, %s: accepted", call.n, s.MHintsDependencies[call.id], l.name)
			}
		}
	}
	return len(calls)
}

// lieAt answers one call with a lie. It sets lied where the answer differs from the truth.
func lieAt(call hintCall, tell func(in, out []*big.Int), lied *bool) solver.Option {
	truth, n := solver.GetRegisteredHint(call.id), 0
	return solver.OverrideHint(call.id, func(q *big.Int, in, out []*big.Int) error {
		if err := truth(q, in, out); err != nil {
			return err
		}
		if n++; n-1 != call.n {
			return nil
		}
		before := make([]big.Int, len(out))
		for i, x := range out {
			before[i].Set(x)
		}
		tell(in, out)
		for i := range out {
			*lied = *lied || out[i].Cmp(&before[i]) != 0
		}
		return nil
	})
}
