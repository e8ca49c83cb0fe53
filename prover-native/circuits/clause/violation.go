package clause

import "solidus.io/prover/fault"

// Violation names the clause of a statement that does not hold by its id in docs/spec.
type Violation struct {
	Equation string
	Code     fault.Code
}

func (v *Violation) Error() string {
	return v.Code.String() + ": equation " + v.Equation + " does not hold"
}

// Unwrap returns the error with its code.
func (v *Violation) Unwrap() error { return fault.New(v.Code, "equation "+v.Equation) }

// Require returns nil where an equation holds and a violation where it does not.
func Require(holds bool, equation string, code fault.Code) error {
	if holds {
		return nil
	}
	return &Violation{Equation: equation, Code: code}
}

// First returns the first error that is not nil.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
