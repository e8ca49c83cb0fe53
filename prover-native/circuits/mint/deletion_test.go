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
			p, w := honest(t, kind, value)
			bases = append(bases, assign(t, kind, p, w))
		}
		st.EveryConstraintMatters(t, circuit(t, kind), bases, nil)
	})
}
