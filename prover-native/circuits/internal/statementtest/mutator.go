package statementtest

import (
	"fmt"
	"math/big"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
)

// assertion is one call in a circuit's definition that can refuse an assignment.
type assertion struct {
	// at are the source lines of the call, innermost first.
	at string
	// holds judges the two values that the call is about.
	holds func(a, b *big.Int) bool
}

// mutator is a builder of constraint systems that changes a circuit's definition at one place, which it finds by counting: it
// leaves out an assertion, or it always takes the same arm of the selections of a source line. It panics at calls that assert
// something of their own and that no circuit uses, so none can come in unnoticed.
type mutator struct {
	frontend.Builder[constraint.U64]
	leaveOut func(n int) bool
	// watch asks for a hint at each assertion that tells whether it holds, and for the source lines.
	watch bool
	// arm is the arm that selections at the source line fixed take.
	fixed string
	arm   int

	assertions []assertion
	selections map[string]bool // source lines
}

// nothing leaves everything in.
func nothing(int) bool { return false }

// everything leaves all assertions out.
func everything(int) bool { return true }

// only leaves out one assertion.
func only(k int) func(int) bool { return func(n int) bool { return n == k } }

// compile compiles a circuit with the mutator.
func (m *mutator) compile(field *big.Int, c frontend.Circuit) (constraint.ConstraintSystem, error) {
	builder := func(field *big.Int, config frontend.CompileConfig) (frontend.Builder[constraint.U64], error) {
		var err error
		m.Builder, err = r1cs.NewBuilder[constraint.U64](field, config)
		return m, err
	}
	return frontend.Compile(field, builder, c, frontend.IgnoreUnconstrainedInputs())
}

// observed stands at the place of an assertion in a system that is watched. The solver is given another function instead.
func observed(*big.Int, []*big.Int, []*big.Int) error {
	return fmt.Errorf("the watched assertion is not observed")
}

// assert makes an assertion or does what stands for it where it is left out.
func (m *mutator) assert(holds func(a, b *big.Int) bool, a, b frontend.Variable, keep, leave func()) {
	n := len(m.assertions)
	x := assertion{holds: holds}
	if m.watch {
		x.at = source()
		if _, err := m.NewHint(observed, 1, n, a, b); err != nil {
			panic(err)
		}
	}
	m.assertions = append(m.assertions, x)
	if m.leaveOut(n) {
		leave()
	} else {
		keep()
	}
}

func no() {}

// AssertIsEqual implements frontend.API.
func (m *mutator) AssertIsEqual(a, b frontend.Variable) {
	holds := func(a, b *big.Int) bool { return a.Cmp(b) == 0 }
	m.assert(holds, a, b, func() { m.Builder.AssertIsEqual(a, b) }, no)
}

// AssertIsDifferent implements frontend.API.
func (m *mutator) AssertIsDifferent(a, b frontend.Variable) {
	holds := func(a, b *big.Int) bool { return a.Cmp(b) != 0 }
	m.assert(holds, a, b, func() { m.Builder.AssertIsDifferent(a, b) }, no)
}

// AssertIsBoolean implements frontend.API. The builder asserts it once for each variable. A variable whose assertion is left
// out is marked nevertheless, or the next selection would assert it again.
func (m *mutator) AssertIsBoolean(x frontend.Variable) {
	if m.IsBoolean(x) {
		return
	}
	holds := func(x, _ *big.Int) bool { return x.BitLen() <= 1 }
	m.assert(holds, x, 0, func() { m.Builder.AssertIsBoolean(x) }, func() { m.MarkBoolean(x) })
}

// ToBinary implements frontend.API: a range check, whose bits nobody uses.
func (m *mutator) ToBinary(x frontend.Variable, n ...int) []frontend.Variable {
	holds := func(x, _ *big.Int) bool { return x.BitLen() <= n[0] }
	m.assert(holds, x, 0, func() { m.Builder.ToBinary(x, n...) }, no)
	return nil
}

// Select implements frontend.API.
func (m *mutator) Select(selector, first, second frontend.Variable) frontend.Variable {
	m.AssertIsBoolean(selector)
	if m.watch {
		m.selections[source()] = true
	}
	if m.fixed != "" && m.fixed == source() {
		return []frontend.Variable{first, second}[m.arm]
	}
	return m.Builder.Select(selector, first, second)
}

// unknown refuses calls that assert something in a way that the mutator does not know.
func unknown(call string) { panic("the mutator does not know " + call) }

// AssertIsCrumb implements frontend.API.
func (m *mutator) AssertIsCrumb(frontend.Variable) { unknown("AssertIsCrumb") }

// AssertIsLessOrEqual implements frontend.API.
func (m *mutator) AssertIsLessOrEqual(_, _ frontend.Variable) { unknown("AssertIsLessOrEqual") }

// Div implements frontend.API.
func (m *mutator) Div(_, _ frontend.Variable) frontend.Variable { unknown("Div"); return nil }

// Inverse implements frontend.API.
func (m *mutator) Inverse(frontend.Variable) frontend.Variable { unknown("Inverse"); return nil }

// BatchInvert implements frontend.API.
func (m *mutator) BatchInvert([]frontend.Variable) []frontend.Variable {
	unknown("BatchInvert")
	return nil
}

// Xor implements frontend.API.
func (m *mutator) Xor(_, _ frontend.Variable) frontend.Variable { unknown("Xor"); return nil }

// Or implements frontend.API.
func (m *mutator) Or(_, _ frontend.Variable) frontend.Variable { unknown("Or"); return nil }

// And implements frontend.API.
func (m *mutator) And(_, _ frontend.Variable) frontend.Variable { unknown("And"); return nil }

// Lookup2 implements frontend.API.
func (m *mutator) Lookup2(_, _, _, _, _, _ frontend.Variable) frontend.Variable {
	unknown("Lookup2")
	return nil
}

// IsZero implements frontend.API.
func (m *mutator) IsZero(frontend.Variable) frontend.Variable { unknown("IsZero"); return nil }

// Cmp implements frontend.API.
func (m *mutator) Cmp(_, _ frontend.Variable) frontend.Variable { unknown("Cmp"); return nil }

// source is the chain of source lines from a circuit's Define to the mutator, innermost first.
func source() string {
	var counters [32]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters[:])])
	var lines []string
	for {
		frame, more := frames.Next()
		if !strings.Contains(frame.Function, ".(*mutator).") {
			lines = append(lines, fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line))
		}
		if !more || strings.HasSuffix(frame.Function, ").Define") {
			return strings.Join(lines, " < ")
		}
	}
}
