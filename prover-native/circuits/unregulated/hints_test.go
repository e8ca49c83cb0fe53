package unregulated

import "testing"

func TestDishonestHintAtEachCall(t *testing.T) {
	dummy := draft(t, func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = 1200, 0, true })
	for _, x := range []*payment{honest(t), dummy} {
		if calls := circuit(t).DishonestHintAtEachCall(t, x.assign(t)); calls == 0 {
			t.Error("the circuit calls no hints: the test shows nothing")
		} else {
			t.Logf("%d hint calls", calls)
		}
	}
}
