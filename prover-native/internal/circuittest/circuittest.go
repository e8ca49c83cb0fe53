// Package circuittest holds the common parts of the tests of every circuit: compiling and solving, the pinned statistics
// under stats/, the search for wires that the constraints leave free, and the replacement of solver hints by dishonest ones.
// Only tests import it.
package circuittest

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bls12-381"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"
)

func init() { logger.Disable() }

// System is a compiled circuit over the scalar field of BLS12-381.
type System struct {
	*cs.R1CS
}

// Compile compiles a circuit and fails the test when it does not compile.
func Compile(t testing.TB, c frontend.Circuit) System {
	t.Helper()
	ccs, err := frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c)
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return Wrap(t, ccs)
}

// Wrap narrows a compiled constraint system to the concrete type.
func Wrap(t testing.TB, ccs constraint.ConstraintSystem) System {
	t.Helper()
	s, ok := ccs.(*cs.R1CS)
	if !ok {
		t.Fatalf("constraint system is %T, want an R1CS over BLS12-381", ccs)
	}
	return System{s}
}

// Witness turns an assignment into a full witness.
func Witness(t testing.TB, a frontend.Circuit) witness.Witness {
	t.Helper()
	w, err := frontend.NewWitness(a, ecc.BLS12_381.ScalarField())
	if err != nil {
		t.Fatalf("witness: %v", err)
	}
	return w
}

// Solve runs the solver and returns the value of every wire.
func (s System) Solve(t testing.TB, a frontend.Circuit, opts ...solver.Option) (fr.Vector, error) {
	t.Helper()
	sol, err := s.R1CS.Solve(Witness(t, a), opts...)
	if err != nil {
		return nil, err
	}
	return sol.(*cs.R1CSSolution).W, nil
}

// Accepts fails the test when the assignment does not satisfy the circuit.
func (s System) Accepts(t testing.TB, a frontend.Circuit) {
	t.Helper()
	if _, err := s.Solve(t, a); err != nil {
		t.Fatalf("honest assignment refused: %v", err)
	}
}

// Refuses fails the test when the assignment satisfies the circuit.
func (s System) Refuses(t testing.TB, a frontend.Circuit) {
	t.Helper()
	if _, err := s.Solve(t, a); err == nil {
		t.Fatal("violated statement accepted")
	}
}

// UnseparatedPublics returns the public inputs x without a constraint x x = s whose wire s is in no other constraint. Where there
// is none, no combination of the columns of public inputs lies in the span of the other columns: in the rows of these
// constraints only public inputs are factors.
func (s System) UnseparatedPublics() []int {
	public, separate, uses := s.GetNbPublicVariables(), map[int]int{}, map[int]int{}
	for _, c := range s.GetR1Cs() {
		for _, side := range []constraint.LinearExpression{c.L, c.R, c.O} {
			for _, term := range side {
				uses[term.WireID()]++
			}
		}
		if len(c.L) == 1 && len(c.R) == 1 && len(c.O) == 1 && c.L[0] == c.R[0] && c.L[0].WireID() < public {
			separate[c.L[0].WireID()] = c.O[0].WireID()
		}
	}
	var without []int
	for x := 1; x < public; x++ { // wire 0 is the constant
		if wire, ok := separate[x]; !ok || wire < public || uses[wire] != 1 {
			without = append(without, x)
		}
	}
	return without
}
