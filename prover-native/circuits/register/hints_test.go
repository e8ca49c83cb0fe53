package register

import "testing"

// The solver is asked for no hint, so the prover chooses no wire beside the inputs. With a hint in the circuit this test has to
// try wrong answers, as those of the other circuits do.
func TestNoHints(t *testing.T) {
	if hints := circuit(t).MHintsDependencies; len(hints) != 0 {
		t.Errorf("the circuit calls the hints %v", hints)
	}
}
