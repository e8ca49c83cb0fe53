package transfer

import (
	"testing"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/internal/circuittest"
)

//spec:id T-30
func TestPublicInputsAreSeparate(t *testing.T) {
	ccs, err := Compile(st.Network(t))
	if err != nil {
		t.Fatal(err)
	}
	if without := circuittest.Wrap(t, ccs).UnseparatedPublics(); len(without) != 0 {
		t.Errorf("public inputs without a constraint of their own: %v", without)
	}
}
