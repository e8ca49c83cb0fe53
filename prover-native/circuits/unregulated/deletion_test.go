package unregulated

import (
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
)

func TestEveryConstraintMatters(t *testing.T) {
	dummy := draft(t, func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = 1200, 0, true })
	// the selector of a coin of value zero moves nothing, so that only its own constraint can refuse a selector of two
	zero := draft(t, func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value = 1200, 0 })
	bases := []frontend.Circuit{honest(t).assign(t), dummy.assign(t), zero.assign(t)}
	st.EveryConstraintMatters(t, circuit(t), bases, nil)
}
