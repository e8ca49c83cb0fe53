package statementtest

import (
	"math/big"
	"strings"
	"testing"

	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/internal/circuittest"
)

// payments is a circuit with one assertion of each kind: out of an account of Held, Paid goes to somebody, or to nobody.
type payments struct {
	Held, Left, Paid frontend.Variable
	Nobody           frontend.Variable
	Owner            frontend.Variable
	Empty            frontend.Variable // 1 where nothing is left
	// Twice asserts a range twice. Loose leaves out that of Paid.
	Twice, Loose bool `gnark:"-"`
}

func (c *payments) Define(api frontend.API) error {
	gadgets.AssertRange(api, c.Left, 8)
	if c.Twice {
		gadgets.AssertRange(api, c.Left, 9)
	}
	if !c.Loose {
		gadgets.AssertRange(api, c.Paid, 8)
	}
	api.AssertIsBoolean(c.Nobody)
	api.AssertIsEqual(c.Held, api.Add(c.Left, api.Select(c.Nobody, 0, c.Paid)))
	gadgets.AssertNotZero(api, c.Owner)
	api.AssertIsEqual(c.Empty, gadgets.IsZero(api, c.Left))
	return nil
}

// paymentCases are honest payments, and false ones that are wrong in one place each.
func paymentCases() (honest []frontend.Circuit, falsehoods []Falsehood) {
	honest = []frontend.Circuit{
		&payments{Held: 12, Left: 5, Paid: 7, Nobody: 0, Owner: 1, Empty: 0},
		&payments{Held: 5, Left: 5, Paid: 7, Nobody: 1, Owner: 1, Empty: 0},
		&payments{Held: 7, Left: 0, Paid: 7, Nobody: 0, Owner: 1, Empty: 1},
	}
	inverse := func(x int64) []solver.Option {
		return []solver.Option{solver.OverrideHint(solver.GetHintID(solver.InvZeroHint),
			func(_ *big.Int, _, out []*big.Int) error { out[0].SetInt64(x); return nil })}
	}
	return honest, []Falsehood{
		{"more left than 8 bits", &payments{Held: 256, Left: 256, Paid: 0, Nobody: 0, Owner: 1, Empty: 0}, nil},
		{"negative payment", &payments{Held: 5, Left: 6, Paid: -1, Nobody: 0, Owner: 1, Empty: 0}, nil},
		{"nobody twice", &payments{Held: -2, Left: 5, Paid: 7, Nobody: 2, Owner: 1, Empty: 0}, nil},
		{"money from nothing", &payments{Held: 11, Left: 5, Paid: 7, Nobody: 0, Owner: 1, Empty: 0}, nil},
		{"owner zero", &payments{Held: 12, Left: 5, Paid: 7, Nobody: 0, Owner: 0, Empty: 0}, nil},
		{"said to be empty", &payments{Held: 12, Left: 5, Paid: 7, Nobody: 0, Owner: 1, Empty: 1}, nil},
		{"lied to be empty", &payments{Held: 12, Left: 5, Paid: 7, Nobody: 0, Owner: 1, Empty: 1}, inverse(0)},
		{"inverse of zero", &payments{Held: 7, Left: 0, Paid: 7, Nobody: 0, Owner: 1, Empty: 1}, inverse(1)},
	}
}

func paymentScore(t *testing.T, c payments, drop string) *Score {
	t.Helper()
	honest, all := paymentCases()
	var falsehoods []Falsehood
	for _, f := range all {
		if f.Name != drop {
			falsehoods = append(falsehoods, f)
		}
	}
	define := func() frontend.Circuit { x := c; return &x }
	return mutationScore(t, circuittest.Compile(t, define()), define, honest, falsehoods)
}

func TestMutationScoreOfACompleteTable(t *testing.T) {
	s := paymentScore(t, payments{}, "")
	if len(s.Survivors) != 0 || len(s.Accepted) != 0 {
		t.Errorf("survivors %v, accepted %v", s.Survivors, s.Accepted)
	}
	if s.Assertions != 8 || s.Places != 8 || s.Arms != 2 {
		t.Errorf("%v, want 8 assertions in as many places, 2 arms", s)
	}
	if !strings.Contains(s.String(), "10 of 10 mutants killed, 100.00 %") {
		t.Errorf("the score says %s", s)
	}
}

// Each falsehood is needed: without it the assertion that it shows the need of survives, and no other.
func TestMutationScoreFindsMissingFalsehoods(t *testing.T) {
	_, all := paymentCases()
	for _, f := range all {
		if s := paymentScore(t, payments{}, f.Name); len(s.Survivors) != 1 {
			t.Errorf("without %q there are the survivors %v", f.Name, s.Survivors)
		}
	}
}

// An assertion that another one implies survives, whatever the table is.
func TestMutationScoreFindsRedundantAssertions(t *testing.T) {
	if s := paymentScore(t, payments{Twice: true}, ""); len(s.Survivors) != 1 {
		t.Errorf("survivors %v, want the second range check", s.Survivors)
	}
}

// An assertion that is missing from the circuit lets a falsehood through.
func TestMutationScoreFindsMissingAssertions(t *testing.T) {
	if s := paymentScore(t, payments{Loose: true}, ""); len(s.Accepted) != 1 || s.Accepted[0] != "negative payment" {
		t.Errorf("accepted %v, want the negative payment", s.Accepted)
	}
}

// careless asserts in a way that the mutator does not know.
type careless struct{ X frontend.Variable }

func (c *careless) Define(api frontend.API) error {
	api.AssertIsLessOrEqual(c.X, 5)
	return nil
}

func TestMutatorRefusesUnknownAssertions(t *testing.T) {
	_, err := (&mutator{leaveOut: nothing}).compile(circuittest.Compile(t, &careless{}).Field(), &careless{})
	if err == nil || !strings.Contains(err.Error(), "AssertIsLessOrEqual") {
		t.Errorf("compiled with error %v", err)
	}
}
