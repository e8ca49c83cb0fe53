package gadgets

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/internal/jubjubtest"
	"solidus.io/prover/jubjub"
)

// The formulas are complete because the curve is -x^2 + y^2 = 1 + d x^2 y^2, -1 is a square and d is none.
func TestCurveConstants(t *testing.T) {
	curve := twistededwards.GetEdwardsCurve()
	var minusOne fr.Element
	minusOne.SetInt64(-1)
	if curve.A != minusOne {
		t.Error("the coefficient of x^2 is not -1")
	}
	if minusOne.Legendre() != 1 {
		t.Error("-1 is not a square")
	}
	d := field(edwardsD)
	if d.Legendre() != -1 {
		t.Error("d is a square")
	}
	// d as the designers define it
	num, den := fr.NewElement(10240), fr.NewElement(10241)
	num.Neg(num.Div(&num, &den))
	if d != num || d != curve.D {
		t.Error("d is not -10240/10241")
	}
	if base := jubjub.Base(); !base.IsOnCurve() {
		t.Error("the base is off the curve")
	}
}

type additionCircuit struct {
	P, Q Point
	R    Point `gnark:",public"`
}

func (c *additionCircuit) Define(api frontend.API) error {
	assertPoint(api, add(api, c.P, c.Q), c.R)
	return nil
}

func assertPoint(api frontend.API, p, q Point) {
	api.AssertIsEqual(p.X, q.X)
	api.AssertIsEqual(p.Y, q.Y)
}

func identity() (p jubjub.Point) {
	p.Y.SetOne()
	return p
}

func randomPoint(t *testing.T) jubjub.Point {
	t.Helper()
	s, err := jubjub.RandomScalar()
	if err != nil {
		t.Fatal(err)
	}
	return jubjub.MulBase(&s)
}

// torsion are the points whose order divides 8, the identity first.
func torsion() []jubjub.Point {
	all, eight := []jubjub.Point{identity()}, jubjubtest.OrderEight()
	for i := range 7 {
		all = append(all, jubjub.Add(all[i], eight))
	}
	return all
}

// Complete formulas: for all points of the curve, those of small order, equal, opposite and identity included, the result is
// the group's and no wire is undetermined.
func TestAdditionIsComplete(t *testing.T) {
	s := circuittest.Compile(t, &additionCircuit{})
	if got := s.GetNbConstraints() - 2; got != 6 {
		t.Errorf("an addition costs %d constraints, want 6", got)
	}
	p := randomPoint(t)
	var minus jubjub.Point
	minus.Neg(&p)
	points := append(torsion(), p, minus, jubjub.Add(p, p), randomPoint(t), jubjub.Add(p, torsion()[1]), jubjub.Base())
	for i, a := range points {
		for j, b := range points {
			r := jubjub.Add(a, b)
			c := &additionCircuit{P: NewPoint(&a), Q: NewPoint(&b), R: NewPoint(&r)}
			s.Accepts(t, c)
			if free := s.Undetermined(t, c); len(free) != 0 {
				t.Errorf("points %d and %d: undetermined wires %v", i, j, free)
			}
			var other jubjub.Point
			other.Neg(&r)
			if !other.Equal(&r) {
				c.R = NewPoint(&other)
				s.Refuses(t, c)
			}
		}
	}
}

// The library's formulas share no code with a sum by the definition of the group law.
func TestAdditionIsTheGroupLaw(t *testing.T) {
	one := fr.One()
	for range 20 {
		p, q := randomPoint(t), randomPoint(t)
		d := field(edwardsD)
		var product, x, y, v0, v1, den fr.Element
		v0.Mul(&p.X, &q.Y)
		v1.Mul(&p.Y, &q.X)
		product.Mul(&v0, &v1).Mul(&product, &d)
		den.Add(&one, &product)
		x.Add(&v0, &v1).Div(&x, &den)
		v0.Mul(&p.Y, &q.Y)
		v1.Mul(&p.X, &q.X)
		den.Sub(&one, &product)
		y.Add(&v0, &v1).Div(&y, &den)
		if r := jubjub.Add(p, q); r.X != x || r.Y != y {
			t.Fatal("another sum")
		}
	}
}
