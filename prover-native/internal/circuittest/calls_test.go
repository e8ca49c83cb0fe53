package circuittest

import (
	"testing"

	"github.com/consensys/gnark/frontend"
)

// split has one decomposition into bits, hence one hint call.
type split struct {
	X frontend.Variable `gnark:",public"`
	Y frontend.Variable
}

func (c *split) Define(api frontend.API) error {
	api.ToBinary(c.X, 8)
	api.AssertIsDifferent(c.Y, c.X)
	return nil
}

func TestEachCallIsOverridden(t *testing.T) {
	s := Compile(t, &split{})
	if calls := s.DishonestHintAtEachCall(t, &split{X: 5, Y: 6}); calls != 1 {
		t.Errorf("%d hint calls, want 1", calls)
	}
}
