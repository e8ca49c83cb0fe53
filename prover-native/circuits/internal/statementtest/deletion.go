package statementtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/internal/redundancy"
)

// Deleted is the result of deleting every constraint of a circuit once.
type Deleted struct {
	Constraints int
	// Each deleted constraint is counted by the test that needs it. Without an Independent one the solutions gain a
	// dimension. A Near one alone refuses a vector next to a solution. A False one alone refuses a false statement.
	Independent, Near, False int
	Unnoticed                []int
}

// Share is the percentage of the constraints that some test needs.
func (d *Deleted) Share() float64 {
	return 100 * float64(d.Constraints-len(d.Unnoticed)) / float64(d.Constraints)
}

func (d *Deleted) String() string {
	return fmt.Sprintf("%d constraints deleted one by one: %d linearly independent, %d by a vector near a solution, %d by a false statement, "+
		"%d unnoticed: %.2f %% noticed", d.Constraints, d.Independent, d.Near, d.False, len(d.Unnoticed), d.Share())
}

// EveryConstraintMatters deletes each constraint once and fails the test for those whose absence nothing detects. bases are
// honest assignments. A falsehood counts where it violates one constraint and no other.
func EveryConstraintMatters(t *testing.T, s circuittest.System, bases []frontend.Circuit, falsehoods []Falsehood) {
	t.Helper()
	d := &Deleted{Constraints: s.GetNbConstraints()}
	var remaining []int
	for i, base := range bases {
		wires, err := s.Solve(t, base)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			remaining = redundancy.Dependent(s.R1CS, wires)
			d.Independent = d.Constraints - len(remaining)
		}
		search := redundancy.NewSearch(s.R1CS, wires)
		remaining = slices.DeleteFunc(remaining, search.Alone)
	}
	d.Near = d.Constraints - d.Independent - len(remaining)
	before := len(remaining)
	remaining = slices.DeleteFunc(remaining, func(i int) bool { return refusesAlone(t, s, i, falsehoods) })
	d.False, d.Unnoticed = before-len(remaining), remaining
	t.Log(d)
	if len(remaining) != 0 {
		t.Errorf("constraints whose absence nothing detects: %v", remaining)
	}
}

// refusesAlone reports whether one of the falsehoods satisfies everything but constraint i, whatever value the output of its
// product has.
func refusesAlone(t *testing.T, s circuittest.System, i int, falsehoods []Falsehood) bool {
	for j := range falsehoods {
		for _, one := range []bool{false, true} {
			if wires, err := solveWithout(t, s, i, one, &falsehoods[j]); err == nil && slices.Equal(redundancy.Violated(s.R1CS, wires), []int{i}) {
				return true
			}
		}
	}
	return false
}

func solveWithout(t *testing.T, s circuittest.System, i int, one bool, f *Falsehood) (fr.Vector, error) {
	restore := redundancy.Override(s.R1CS, i, one)
	defer restore()
	return s.Solve(t, f.Circuit, f.Lies...)
}
