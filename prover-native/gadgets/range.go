package gadgets

import (
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
)

// AssertRange asserts that x is an integer below 2^n. It costs n + 1 constraints, for n well below the field's 255 bits.
//
//spec:id G-01
func AssertRange(api frontend.API, x frontend.Variable, n int) {
	api.ToBinary(x, n)
}

// IsZero is 1 where x = 0 and 0 elsewhere. The library's IsZero leaves the hinted inverse free where x = 0; here a third constraint pins it to 0, so
// that no wire of a circuit is left to the prover.
//
//spec:id G-02
func IsZero(api frontend.API, x frontend.Variable) frontend.Variable {
	inv, err := api.Compiler().NewHint(solver.InvZeroHint, 1, x)
	if err != nil {
		panic(err) // the number of inputs is right
	}
	z := api.Sub(1, api.Mul(x, inv[0]))
	api.AssertIsEqual(api.Mul(x, z), 0)
	api.AssertIsEqual(api.Mul(inv[0], z), 0)
	return z
}

// AssertNotZero asserts that x has an inverse.
func AssertNotZero(api frontend.API, x frontend.Variable) {
	api.AssertIsDifferent(x, 0)
}

// AssertSeparate gives each public input a constraint x x = s with a wire s of its own. So no combination of the columns of
// public inputs lies in the span of the other columns, which the simulation extractability of Groth16 needs (eprint 2020/811):
// otherwise a seen proof could be turned into one for other public inputs.
//
//spec:id G-10
func AssertSeparate(api frontend.API, public ...frontend.Variable) {
	for _, x := range public {
		api.Mul(x, x)
	}
}
