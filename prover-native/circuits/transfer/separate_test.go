package transfer

import (
	"testing"

	st "solidus.io/prover/circuits/internal/statementtest"
)

//spec:id T-30
func TestPublicInputsAreSeparate(t *testing.T) { st.PublicInputsAreSeparate(t, Compile) }
