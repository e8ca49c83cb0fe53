package statementtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
)

// SamePublic fails the test when the public inputs of an assignment differ from a statement's vector.
func SamePublic(t *testing.T, a frontend.Circuit, want []fr.Element) {
	t.Helper()
	w, err := frontend.NewWitness(a, ecc.BLS12_381.ScalarField(), frontend.PublicOnly())
	if err != nil {
		t.Fatal(err)
	}
	got := w.Vector().(fr.Vector)
	if len(got) != len(want) {
		t.Fatalf("%d public inputs, want %d", len(got), len(want))
	}
	for i := range got {
		if !got[i].Equal(&want[i]) {
			t.Errorf("public input %d differs", i)
		}
	}
}

// Names fails the test when the error is not a violation of the equation.
func Names(t *testing.T, err error, equation string) {
	t.Helper()
	var v *clause.Violation
	if !errors.As(err, &v) {
		t.Fatalf("plain check says %v, want a violation of %s", err, equation)
	}
	if !strings.Contains(v.Equation, equation) {
		t.Errorf("plain check names %s, want %s", v.Equation, equation)
	}
}
