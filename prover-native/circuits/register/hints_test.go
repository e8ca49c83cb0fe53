package register

import "testing"

func TestDishonestHintAtEachCall(t *testing.T) {
	if calls := circuit(t).DishonestHintAtEachCall(t, honest(t).assign(t)); calls == 0 {
		t.Error("the circuit calls no hints: the test shows nothing")
	} else {
		t.Logf("%d hint calls", calls)
	}
}
