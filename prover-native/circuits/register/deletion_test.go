package register

import (
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
)

func TestEveryConstraintMatters(t *testing.T) {
	st.EveryConstraintMatters(t, circuit(t), []frontend.Circuit{honest(t).assign(), honest(t).assign()}, nil)
}
