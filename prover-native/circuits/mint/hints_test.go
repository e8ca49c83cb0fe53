package mint

import "testing"

func TestDishonestHintAtEachCall(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		if calls := circuit(t, kind).DishonestHintAtEachCall(t, honest(t, kind, 700).assign()); calls == 0 {
			t.Error("the circuit calls no hints: the test shows nothing")
		} else {
			t.Logf("%d hint calls", calls)
		}
	})
}
