package groth

import (
	"math/big"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
)

// millerAll returns the product of the Miller loops of e(P_i, Q_i), up to factors that the final exponentiation removes, and
// whether every Q_i is in G2. It is the library's loop, in step for all points and in affine coordinates: one inversion for
// each step serves all points, and lines have a coefficient of one.
//
// The loop runs on T = a0 Q + a1 psi(Q) with a0 = x + 1, a1 = x^3 - x^2 - x and psi(X, Y) = (w X, -Y). It stops before the
// last addition. For Q in G2 that is the addition of -psi(Q) to psi(Q): its line is vertical, and its value at P lies in a
// subfield that the final exponentiation removes. So the end of the loop also shows whether (a0 + a1 psi) Q = O. That map has
// degree a0^2 + a0 a1 + a1^2 = 3r. Its kernel is the sum of G2 and {O, (0, 2), (0, -2)}, as either is in it and their orders
// are coprime. What remains to be excluded is the component of order 3. The order of E(Fp) is divisible by 3 once, so 1 -
// phi, whose kernel is those three points, maps E(Fp) onto the points without that component. This image is where y - 2 is a
// cube (the descent by the isogeny 1 - phi). Of the three points themselves, which have x = 0, only O would be in G2, and O
// is refused.
//
// No P_i and no Q_i is O, and all are on their curves.
func millerAll(p, q []affine) (bw6.GT, bool) {
	m := newMiller(p, q)
	for i := len(bw6.LoopCounter) - 2; i >= 0; i-- {
		m.value.Square(&m.value)
		m.double()
		switch digit := bw6.LoopCounter1[i]*3 + bw6.LoopCounter[i]; {
		case digit == 0 || i == 0:
			m.multiply()
		default:
			m.add(digit)
		}
	}
	return m.value, m.inG2(q)
}

type miller struct {
	value bw6.GT
	// the line y - slope x + c, evaluated at P and divided by the y of P, is 1 + slope (-x/y) + c/y
	minusXOverY, oneOverY []fp.Element
	t, psi                []affine
	addends               map[int8][]affine
	lines, tangents       [][2]fp.Element // c/y and slope (-x/y)
	run, den              []fp.Element
	stray                 bool
}

// psiRoot is w, the cube root of unity that phi on G2 does not use.
var psiRoot = func() (w fp.Element) {
	w.Square(&cubeRootG2)
	return w
}()

func newMiller(p, q []affine) *miller {
	n := len(p)
	m := &miller{
		minusXOverY: make([]fp.Element, n), oneOverY: make([]fp.Element, n),
		t: make([]affine, n), psi: make([]affine, n),
		lines: make([][2]fp.Element, n), tangents: make([][2]fp.Element, n),
		run: make([]fp.Element, n), den: make([]fp.Element, n),
	}
	m.value.SetOne()
	minusQ, minusPsi := make([]affine, n), make([]affine, n)
	for i := range q {
		m.psi[i] = image(&q[i], &psiRoot)
		minusPsi[i] = m.psi[i]
		m.psi[i].Y.Neg(&m.psi[i].Y)
		minusQ[i] = affine{X: q[i].X, Y: m.psi[i].Y}
		m.den[i] = p[i].Y
	}
	m.addends = map[int8][]affine{1: q, -1: minusQ, 3: m.psi, -3: minusPsi}
	m.invert(func(i int, inverse *fp.Element) {
		m.oneOverY[i] = *inverse
		m.minusXOverY[i].Mul(&p[i].X, inverse).Neg(&m.minusXOverY[i])
	})
	copy(m.t, m.psi)
	return m
}

// invert passes the inverse of every denominator to use. For points of G2 no denominator is zero: the loop adds the same
// multiples for all of them, and it was run for the generator. A point that meets a zero is in no group of order r.
func (m *miller) invert(use func(i int, inverse *fp.Element)) {
	var total, inverse fp.Element
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
	m.invert(func(i int, slope *fp.Element) {
		var xx, x fp.Element
		t := &m.t[i]
		xx.Square(&t.X)
		x.Double(&xx).Add(&x, &xx)
		slope.Mul(slope, &x)
		x.Square(slope).Sub(&x, &t.X).Sub(&x, &t.X)
		m.step(i, slope, &x)
	})
}

// step evaluates the line through T with this slope at P, and replaces T by the sum, whose x is given.
func (m *miller) step(i int, slope, x *fp.Element) {
	t, line := &m.t[i], &m.lines[i]
	var y fp.Element
	line[0].Mul(slope, &t.X).Sub(&line[0], &t.Y).Mul(&line[0], &m.oneOverY[i])
	line[1].Mul(slope, &m.minusXOverY[i])
	y.Sub(&t.X, x).Mul(&y, slope).Sub(&y, &t.Y)
	t.X, t.Y = *x, y
}

// multiply multiplies the lines into the value.
func (m *miller) multiply() {
	for i := range m.lines {
		m.value.MulBy01(&m.lines[i][0], &m.lines[i][1])
	}
}

// add adds the digit's multiple of Q to every T, and multiplies the tangents and the chords into the value.
func (m *miller) add(digit int8) {
	copy(m.tangents, m.lines)
	addends := m.addends[digit]
	for i := range m.t {
		m.den[i].Sub(&addends[i].X, &m.t[i].X)
	}
	m.invert(func(i int, slope *fp.Element) {
		var x fp.Element
		t, a := &m.t[i], &addends[i]
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
func sparseProduct(a, b *[2]fp.Element) (product [5]fp.Element) {
	var one, t fp.Element
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
func (m *miller) inG2(q []affine) bool {
	if m.stray {
		return false
	}
	for i := range q {
		if m.t[i] != m.psi[i] || !inImage(&q[i]) {
			return false
		}
	}
	return true
}

// inImage reports whether y - 2 is a cube, for a point of the curve of G2 with x != 0.
func inImage(q *affine) bool {
	if q.X.IsZero() {
		return false
	}
	var e fp.Element
	e.SetUint64(2)
	e.Sub(&q.Y, &e)
	third := powerThird(&e)
	return third.IsOne()
}

// thirdDigits is (p-1)/3 in base 32, the highest digit first.
var thirdDigits = func() (digits []uint8) {
	n := new(big.Int).Sub(fp.Modulus(), big.NewInt(1))
	n.Div(n, big.NewInt(3))
	for _, c := range []byte(n.Text(32)) {
		if c >= 'a' {
			c -= 'a' - 10 - '0'
		}
		digits = append(digits, c-'0')
	}
	return digits
}()

// powerThird returns e^((p-1)/3), which is one for cubes.
func powerThird(e *fp.Element) fp.Element {
	var table [32]fp.Element
	table[0].SetOne()
	for i := 1; i < len(table); i++ {
		table[i].Mul(&table[i-1], e)
	}
	power := table[thirdDigits[0]]
	for _, d := range thirdDigits[1:] {
		for range 5 {
			power.Square(&power)
		}
		if d != 0 {
			power.Mul(&power, &table[d])
		}
	}
	return power
}
