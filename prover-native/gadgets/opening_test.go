package gadgets

import (
	"errors"
	"math/big"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/internal/circuittest"
)

type openingCircuit struct {
	Message frontend.Variable
	Skip    frontend.Variable
	Opening Opening
	Base    sw.G1Affine `gnark:",public"`
	Point   sw.G1Affine `gnark:",public"`
	Unless  bool        `gnark:"-"`
}

func (c *openingCircuit) Define(api frontend.API) error {
	api.AssertIsBoolean(c.Skip)
	if c.Unless {
		c.Opening.AssertLinkUnless(api, c.Skip, c.Message)
	} else {
		c.Opening.AssertLink(api, c.Message)
	}
	c.Opening.AssertPoint(api, c.Base, c.Point)
	return nil
}

func field(x *big.Int) (e fr.Element) {
	e.SetBigInt(x)
	return e
}

// messageWith is q r + m.
func messageWith(q, m *big.Int) fr.Element {
	x := new(big.Int).Mul(q, groupOrder)
	return field(x.Add(x, m))
}

func admissible() fr.Element {
	for {
		var hm fr.Element
		hm.MustSetRandom()
		if _, _, err := SplitMessage(&hm); err == nil {
			return hm
		}
	}
}

func openingAssignment(t *testing.T, hm fr.Element) *openingCircuit {
	t.Helper()
	b := randomScalar()
	o, err := NewOpening(&hm, &b)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Exponent(&hm)
	if err != nil {
		t.Fatal(err)
	}
	base := randomPoint()
	point, shift := times(&base, m.BigInt(new(big.Int))), timesBase(&b)
	point.Add(&point, &shift)
	return &openingCircuit{Message: hm, Skip: 0, Opening: o, Base: sw.NewG1Affine(base), Point: sw.NewG1Affine(point)}
}

func quotientTop() *big.Int { return new(big.Int).Lsh(big.NewInt(1), quotientBits) }

// Messages at the borders of the quotient and of the exponent.
//
//spec:id G-07
func TestOpening(t *testing.T) {
	s := circuittest.Compile(t, &openingCircuit{})
	last := new(big.Int).Sub(groupOrder, big.NewInt(1))
	topQ := new(big.Int).Sub(quotientTop(), big.NewInt(1))
	for _, hm := range []fr.Element{
		{}, fr.One(), messageWith(big.NewInt(0), last), messageWith(big.NewInt(1), big.NewInt(0)),
		messageWith(topQ, last), messageWith(topQ, big.NewInt(0)), admissible(), admissible(),
	} {
		c := openingAssignment(t, hm)
		s.Accepts(t, c)
		if free := s.Undetermined(t, c); len(free) != 0 {
			t.Errorf("undetermined wires %v", free)
		}
	}
}

//spec:id E-10
func TestSplitMessageRefusesLargeQuotients(t *testing.T) {
	for _, hm := range []fr.Element{messageWith(quotientTop(), big.NewInt(0)), field(big.NewInt(-1))} {
		b := randomScalar()
		if _, err := NewOpening(&hm, &b); !errors.Is(err, ErrRetrySeed) {
			t.Errorf("got %v", err)
		}
		if _, err := Exponent(&hm); !errors.Is(err, ErrRetrySeed) {
			t.Errorf("got %v", err)
		}
	}
}

// withExponent is an assignment for message hm with a chosen quotient and exponent, and a point that fits the exponent.
func withExponent(t *testing.T, hm fr.Element, q, m *big.Int) *openingCircuit {
	c := openingAssignment(t, hm)
	b := randomScalar()
	high, low := new(big.Int).DivMod(m, lambda, new(big.Int))
	c.Opening = Opening{Quotient: q, Low: low, High: high, Blind: RecodeWindows(&b)}
	base := randomPoint()
	point, shift := times(&base, new(big.Int).Mod(m, groupOrder)), timesBase(&b)
	point.Add(&point, &shift)
	c.Base, c.Point = sw.NewG1Affine(base), sw.NewG1Affine(point)
	return c
}

//spec:id G-06
func TestOpeningRefusesOtherExponents(t *testing.T) {
	s := circuittest.Compile(t, &openingCircuit{})
	hm := admissible()
	q, m, err := SplitMessage(&hm)
	if err != nil {
		t.Fatal(err)
	}
	plus := func(x *big.Int, n int64) *big.Int { return new(big.Int).Add(x, big.NewInt(n)) }
	wrapped := new(big.Int).Add(hm.BigInt(new(big.Int)), fieldOrder)
	wrappedQ, wrappedM := new(big.Int).DivMod(wrapped, groupOrder, new(big.Int))
	orders := func(n int64) *big.Int { return new(big.Int).Add(m, new(big.Int).Mul(groupOrder, big.NewInt(n))) }
	wrong := map[string]frontend.Circuit{
		"m + 1":           withExponent(t, hm, q, plus(m, 1)),
		"q + 1":           withExponent(t, hm, plus(q, 1), m),
		"hash + p":        withExponent(t, hm, wrappedQ, wrappedM),
		"m + 2r, q - 2":   withExponent(t, hm, plus(q, -2), orders(2)),
		"m - r, q + 1":    withExponent(t, hm, plus(q, 1), orders(-1)),
		"q = hm / r in F": withExponent(t, hm, quotientInField(hm, big.NewInt(5)), big.NewInt(5)),
	}
	for name, c := range wrong {
		if _, err := s.Solve(t, c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	s.DishonestHints(t, openingAssignment(t, hm), wrong)
}

// quotientInField is (hm - m) / r in F, which satisfies the equation for any m and is out of range.
func quotientInField(hm fr.Element, m *big.Int) *big.Int {
	d := hm.BigInt(new(big.Int))
	d.Sub(d, m).Mul(d, new(big.Int).ModInverse(groupOrder, fieldOrder))
	return d.Mod(d, fieldOrder)
}

// A quotient of 125 bits is refused, whatever message it comes with.
//
//spec:id G-06
func TestQuotientOutOfRange(t *testing.T) {
	s := circuittest.Compile(t, &openingCircuit{})
	hm := messageWith(quotientTop(), big.NewInt(12345))
	s.Refuses(t, withExponent(t, admissible(), quotientTop(), big.NewInt(12345)))
	c := withExponent(t, admissible(), quotientTop(), big.NewInt(12345))
	c.Message = hm
	s.Refuses(t, c)
	// one r moved from the quotient to the exponent is in range: hm = (2^124 - 1) r + (m + r), and names the same point
	alias := withExponent(t, admissible(), new(big.Int).Sub(quotientTop(), big.NewInt(1)), new(big.Int).Add(groupOrder, big.NewInt(12345)))
	alias.Message = hm
	s.Accepts(t, alias)
}

func TestLinkUnless(t *testing.T) {
	s := circuittest.Compile(t, &openingCircuit{Unless: true})
	c := openingAssignment(t, admissible())
	s.Accepts(t, c)
	other := *c
	other.Message = admissible()
	s.Refuses(t, &other)
	other.Skip = 1
	s.Accepts(t, &other)
	other.Opening.Quotient = quotientTop() // the range holds for a dummy, too
	s.Refuses(t, &other)
	other = *c
	other.Skip = 2
	s.Refuses(t, &other)
}

//spec:id G-07
func TestOpeningOfAnotherPoint(t *testing.T) {
	s := circuittest.Compile(t, &openingCircuit{})
	c := openingAssignment(t, admissible())
	var neg bls12377.G1Affine
	neg.X.SetBigInt(toInt(c.Point.X))
	neg.Y.SetBigInt(toInt(c.Point.Y))
	neg.Neg(&neg)
	c.Point = sw.NewG1Affine(neg)
	s.Refuses(t, c)
}

// toInt reads the types that the constructors assign.
func toInt(v frontend.Variable) *big.Int {
	if x, ok := v.(*big.Int); ok {
		return x
	}
	e := v.(fr.Element)
	return e.BigInt(new(big.Int))
}
