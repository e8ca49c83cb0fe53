package register

import (
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
)

func TestEveryConstraintMatters(t *testing.T) {
	st.EveryConstraintMatters(t, circuit(t), []frontend.Circuit{honest(t).assign(t), honest(t).assign(t)}, nil)
}
