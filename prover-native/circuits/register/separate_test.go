package register

import (
	"testing"

	st "solidus.io/prover/circuits/internal/statementtest"
)

//spec:id C-06
func TestPublicInputsAreSeparate(t *testing.T) { st.PublicInputsAreSeparate(t, Compile) }
