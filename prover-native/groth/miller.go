package groth

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// millerAll returns the product of the Miller loops of e(P_i, Q_i), up to factors that the final exponentiation removes, and
// whether every Q_i is in G2. It is the library's loop, in step for all points and in affine coordinates: one inversion for
// each step serves all points, and lines have a coefficient of one. The loop ends with T = -x Q, so that it also shows whether
// psi(Q) = x Q, which is the test of the subgroup (see subgroup.go).
//
// No P_i and no Q_i is O, and all are on their curves.
func millerAll(p []bls.G1Affine, q []bls.G2Affine) (bls.GT, bool) {
	m := newMiller(p, q)
	for i := len(bls.LoopCounter) - 2; i >= 0; i-- {
		m.value.Square(&m.value)
		m.double()
		if bls.LoopCounter[i] == 0 {
			m.multiply()
		} else {
			m.add(q)
		}
	}
	m.value.Conjugate(&m.value) // x is negative
	return m.value, m.inG2(q)
}

type miller struct {
	value bls.GT
	// the line y - slope x + c, evaluated at P and divided by the y of P, is 1 + slope (-x/y) + c/y
	minusXOverY, oneOverY []fp.Element
	t                     []bls.G2Affine
	lines, tangents       []line
	run, den              []bls.E2
	stray                 bool
}

// line holds c/y and slope (-x/y).
type line [2]bls.E2

func newMiller(p []bls.G1Affine, q []bls.G2Affine) *miller {
	n := len(p)
	m := &miller{
		minusXOverY: make([]fp.Element, n), oneOverY: make([]fp.Element, n),
		t: append([]bls.G2Affine(nil), q...), lines: make([]line, n), tangents: make([]line, n),
		run: make([]bls.E2, n), den: make([]bls.E2, n),
	}
	m.value.SetOne()
	for i := range p {
		m.den[i].A0 = p[i].Y
	}
	m.invert(func(i int, inverse *bls.E2) {
		m.oneOverY[i] = inverse.A0
		m.minusXOverY[i].Mul(&p[i].X, &inverse.A0).Neg(&m.minusXOverY[i])
	})
	return m
}

// invert passes the inverse of every denominator to use. For points of the subgroups no denominator is zero: the loop adds Q to
// other multiples than Q and -Q, and no point has order two. A point that meets a zero is in no group of order r.
func (m *miller) invert(use func(i int, inverse *bls.E2)) {
	var total, inverse bls.E2
	total.SetOne()
	for i := range m.den {
		if m.den[i].IsZero() {
			m.stray = true
			m.den[i].SetOne()
		}
		m.run[i] = total
		total.Mul(&total, &m.den[i])
	}
	total.Inverse(&total)
	for i := len(m.den) - 1; i >= 0; i-- {
		inverse.Mul(&total, &m.run[i])
		total.Mul(&total, &m.den[i])
		use(i, &inverse)
	}
}

// double replaces every T by 2T and stores the values of the tangents.
func (m *miller) double() {
	for i := range m.t {
		m.den[i].Double(&m.t[i].Y)
	}
	m.invert(func(i int, slope *bls.E2) {
		var xx, x bls.E2
		t := &m.t[i]
		xx.Square(&t.X)
		x.Double(&xx).Add(&x, &xx)
		slope.Mul(slope, &x)
		x.Square(slope).Sub(&x, &t.X).Sub(&x, &t.X)
		m.step(i, slope, &x)
	})
}

// step evaluates the line through T with this slope at P, and replaces T by the sum, whose x is given.
func (m *miller) step(i int, slope, x *bls.E2) {
	t, line := &m.t[i], &m.lines[i]
	var y bls.E2
	line[0].Mul(slope, &t.X).Sub(&line[0], &t.Y).MulByElement(&line[0], &m.oneOverY[i])
	line[1].MulByElement(slope, &m.minusXOverY[i])
	y.Sub(&t.X, x).Mul(&y, slope).Sub(&y, &t.Y)
	t.X, t.Y = *x, y
}

// multiply multiplies the lines into the value, two at a time.
func (m *miller) multiply() {
	lines := m.lines
	for ; len(lines) > 1; lines = lines[2:] {
		product := sparseProduct(&lines[0], &lines[1])
		m.value.MulBy01245(&product)
	}
	if len(lines) == 1 {
		m.value.MulBy01(&lines[0][0], &lines[0][1])
	}
}

// add adds Q to every T, and multiplies the tangents and the chords into the value.
func (m *miller) add(q []bls.G2Affine) {
	copy(m.tangents, m.lines)
	for i := range m.t {
		m.den[i].Sub(&q[i].X, &m.t[i].X)
	}
	m.invert(func(i int, slope *bls.E2) {
		var x bls.E2
		t, a := &m.t[i], &q[i]
		x.Sub(&a.Y, &t.Y)
		slope.Mul(slope, &x)
		x.Square(slope).Sub(&x, &t.X).Sub(&x, &a.X)
		m.step(i, slope, &x)
	})
	for i := range m.lines {
		product := sparseProduct(&m.tangents[i], &m.lines[i])
		m.value.MulBy01245(&product)
	}
}

// sparseProduct multiplies two lines.
func sparseProduct(a, b *line) (product [5]bls.E2) {
	var one, t bls.E2
	one.SetOne()
	x0, x1 := &product[0], &product[2]
	x0.Mul(&a[0], &b[0])
	x1.Mul(&a[1], &b[1])
	t.Add(&b[0], &b[1])
	product[1].Add(&a[0], &a[1]).Mul(&product[1], &t).Sub(&product[1], x0).Sub(&product[1], x1)
	product[3].Add(&a[0], &b[0])
	product[4].Add(&a[1], &b[1])
	x0.Add(x0, t.MulByNonResidue(&one))
	return product
}

// inG2 reports, at the end of the loop, whether every Q is in G2.
func (m *miller) inG2(q []bls.G2Affine) bool {
	if m.stray {
		return false
	}
	for i := range q {
		xQ := m.t[i]
		xQ.Y.Neg(&xQ.Y)
		if xQ != psi(&q[i]) {
			return false
		}
	}
	return true
}
