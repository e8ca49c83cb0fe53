package mint

import (
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
)

func TestEveryConstraintMatters(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		var bases []frontend.Circuit
		for _, value := range []uint64{700, 0, 1<<64 - 1} {
			bases = append(bases, honest(t, kind, value).assign())
		}
		st.EveryConstraintMatters(t, circuit(t, kind), bases, nil)
	})
}
