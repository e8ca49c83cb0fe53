package statementtest

import (
	"testing"

	"github.com/consensys/gnark/constraint"

	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
)

// PublicInputsAreSeparate fails the test when a public input of the compiled circuit has no constraint of its own.
func PublicInputsAreSeparate(t *testing.T, compile func(hash.NetworkTag) (constraint.ConstraintSystem, error)) {
	t.Helper()
	ccs, err := compile(Network(t))
	if err != nil {
		t.Fatal(err)
	}
	if without := circuittest.Wrap(t, ccs).UnseparatedPublics(); len(without) != 0 {
		t.Errorf("public inputs without a constraint of their own: %v", without)
	}
}
