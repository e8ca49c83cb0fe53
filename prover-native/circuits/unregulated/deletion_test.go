package unregulated

import (
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
)

func TestEveryConstraintMatters(t *testing.T) {
	// the selector of a coin of value zero moves nothing, so that only its own constraint can refuse a selector of two
	bases := []frontend.Circuit{honest(t).assign(t), draft(t, oneCoin).assign(t), draft(t, worthless).assign(t)}
	st.EveryConstraintMatters(t, circuit(t), bases, nil)
}
