package clause

import (
	"errors"

	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
)

// Violation names the clause of a statement that does not hold by its id in docs/spec.
type Violation struct {
	Equation string
	Code     fault.Code
}

func (v *Violation) Error() string {
	return v.Code.String() + ": equation " + v.Equation + " does not hold"
}

// Unwrap gives the coded error.
func (v *Violation) Unwrap() error { return fault.New(v.Code, "equation "+v.Equation) }

// Require returns nil where an equation holds and a violation where it does not.
func Require(holds bool, equation string, code fault.Code) error {
	if holds {
		return nil
	}
	return &Violation{Equation: equation, Code: code}
}

// First returns the first error.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Spent turns gadgets.ErrRetrySeed into a fault of the witness, for the message of a coin that exists already: another seed
// is no remedy there.
func Spent(err error) error {
	if errors.Is(err, gadgets.ErrRetrySeed) {
		return fault.New(fault.WitnessInvalid, "the message of a spent coin has no admissible exponent")
	}
	return err
}
