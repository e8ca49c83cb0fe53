package statementtest

import (
	"fmt"
	"math/big"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/internal/r1cs"
)

// Falsehood is an assignment that a circuit must refuse, with the wrong answers to hints that its prover gives.
type Falsehood struct {
	Name    string
	Circuit frontend.Circuit
	Lies    []solver.Option
}

// Score is the result of leaving out each assertion of a circuit's definition once. The assertion is missed where a falsehood
// is then accepted.
type Score struct {
	Assertions, Places int
	// Arms are the mutants whose selections in one place of the source always take the same arm. Such a mutant is noticed where
	// it accepts a falsehood or refuses an honest assignment.
	Arms int
	// Survivors are the mutants that nothing notices. Accepted are the falsehoods that the circuit itself accepts.
	Survivors, Accepted []string
}

func (s *Score) String() string {
	mutants := s.Assertions + s.Arms
	killed := mutants - len(s.Survivors)
	return fmt.Sprintf("%d assertions in %d places of the source left out one by one, %d arms of selections fixed: "+
		"%d of %d mutants killed, %.2f %%", s.Assertions, s.Places, s.Arms, killed, mutants, 100*float64(killed)/float64(mutants))
}

// MutationScore leaves out each assertion that a circuit's definition makes, one at a time: each equality, inequality, range
// check and boolean, found by counting the calls of the API, in every loop and gadget. It compiles what is left and fails the
// test for each assertion without which no falsehood is accepted. system is the compiled circuit, define returns a new one.
func MutationScore(
	t *testing.T, system circuittest.System, define func() frontend.Circuit, honest []frontend.Circuit, falsehoods []Falsehood,
) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // hundreds of systems, of which none is kept
	score := mutationScore(t, system, define, honest, falsehoods)
	t.Log(score)
	for _, name := range score.Accepted {
		t.Errorf("%s: accepted", name)
	}
	for _, survivor := range score.Survivors {
		t.Errorf("nothing is accepted or refused otherwise without %s", survivor)
	}
}

// mutationScore finds the falsehood for each assertion with the circuit that asserts nothing and observes everything. That
// circuit has to accept every falsehood: so nothing but the assertions refuses any.
func mutationScore(
	t *testing.T, system circuittest.System, define func() frontend.Circuit, honest []frontend.Circuit, falsehoods []Falsehood,
) *Score {
	t.Helper()
	whole := compileMutant(t, &mutator{leaveOut: nothing}, define())
	if r1cs.Digest(whole.R1CS) != r1cs.Digest(system.R1CS) {
		t.Fatal("the mutants are those of another circuit")
	}
	w := &mutator{leaveOut: everything, watch: true, selections: map[string]bool{}}
	watched := compileMutant(t, w, define())
	score := &Score{Assertions: len(w.assertions), Arms: 2 * len(w.selections)}
	killers := make([][]*Falsehood, len(w.assertions))
	for i := range falsehoods {
		f := &falsehoods[i]
		switch refusing := w.refusing(t, watched, f); len(refusing) {
		case 0:
			score.Accepted = append(score.Accepted, f.Name)
		case 1:
			killers[refusing[0]] = append(killers[refusing[0]], f)
		}
	}
	places := map[string]bool{}
	for n, x := range w.assertions {
		places[x.at] = true
		if !misses(t, system, define(), n, killers[n]) {
			score.Survivors = append(score.Survivors, fmt.Sprintf("assertion %d, %s", n, x.at))
		}
	}
	score.Places = len(places)
	for at := range w.selections {
		for arm := range 2 {
			mutant := compileMutant(t, &mutator{leaveOut: nothing, fixed: at, arm: arm}, define())
			if !notices(t, mutant, honest, falsehoods) {
				score.Survivors = append(score.Survivors, fmt.Sprintf("the arm other than %d of %s", arm, at))
			}
		}
	}
	return score
}

func compileMutant(t *testing.T, m *mutator, c frontend.Circuit) circuittest.System {
	t.Helper()
	ccs, err := m.compile(ecc.BLS12_381.ScalarField(), c)
	if err != nil {
		t.Fatal(err)
	}
	return circuittest.Wrap(t, ccs)
}

// refusing returns the assertions that do not hold for a falsehood.
func (m *mutator) refusing(t *testing.T, watched circuittest.System, f *Falsehood) (refusing []int) {
	t.Helper()
	observe := func(_ *big.Int, in, _ []*big.Int) error {
		if n := int(in[0].Int64()); !m.assertions[n].holds(in[1], in[2]) {
			refusing = append(refusing, n)
		}
		return nil
	}
	options := append(slices.Clone(f.Lies), solver.OverrideHint(solver.GetHintID(observed), observe), solver.WithNbTasks(1))
	if _, err := watched.Solve(t, f.Circuit, options...); err != nil {
		t.Errorf("%s: refused although nothing is asserted: %v", f.Name, err)
	}
	return refusing
}

// misses reports whether a circuit needs its n-th assertion: it refuses a falsehood and accepts it without the assertion.
func misses(t *testing.T, system circuittest.System, c frontend.Circuit, n int, killers []*Falsehood) bool {
	t.Helper()
	if len(killers) == 0 {
		return false
	}
	mutant := compileMutant(t, &mutator{leaveOut: only(n)}, c)
	for _, f := range killers {
		options := append(slices.Clone(f.Lies), solver.WithNbTasks(1))
		if _, err := system.Solve(t, f.Circuit, options...); err == nil {
			continue
		}
		if _, err := mutant.Solve(t, f.Circuit, options...); err == nil {
			return true
		}
	}
	return false
}

// notices reports whether a mutant refuses an honest assignment or accepts a falsehood.
func notices(t *testing.T, mutant circuittest.System, honest []frontend.Circuit, falsehoods []Falsehood) bool {
	t.Helper()
	for _, c := range honest {
		if _, err := mutant.Solve(t, c); err != nil {
			return true
		}
	}
	for i := range falsehoods {
		if _, err := mutant.Solve(t, falsehoods[i].Circuit, falsehoods[i].Lies...); err == nil {
			return true
		}
	}
	return false
}

// LastOfEachPlace leaves out the last assertion that each place in the source makes, and fails the test for each without which no
// falsehood is accepted. A place is a chain of source lines, so a loop over coins or payees is one place, of which the last coin or
// payee counts. It leaves out the places in the files that are named, which a whole MutationScore of another circuit has tried.
func LastOfEachPlace(
	t *testing.T, system circuittest.System, define func() frontend.Circuit, falsehoods []Falsehood, files ...string,
) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	w := &mutator{leaveOut: everything, watch: true, selections: map[string]bool{}}
	watched := compileMutant(t, w, define())
	last := map[string]int{}
	for n, x := range w.assertions {
		if !slices.ContainsFunc(files, func(file string) bool { return strings.Contains(x.at, file+":") }) {
			last[x.at] = n
		}
	}
	killers := map[int][]*Falsehood{}
	for i := range falsehoods {
		f := &falsehoods[i]
		switch refusing := w.refusing(t, watched, f); len(refusing) {
		case 0:
			t.Errorf("%s: accepted", f.Name)
		case 1:
			killers[refusing[0]] = append(killers[refusing[0]], f)
		}
	}
	for at, n := range last {
		if !misses(t, system, define(), n, killers[n]) {
			t.Errorf("nothing is accepted without assertion %d, %s", n, at)
		}
	}
	t.Logf("the last assertions of %d places left out one by one", len(last))
}
