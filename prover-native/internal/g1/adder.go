package g1

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// Adder performs many independent additions of affine points with one inversion for all of them. An addition takes six
// multiplications, where mixed projective formulas take eleven. Every case is handled (equal points, opposite points, the
// identity), so it is safe for points that an attacker chooses. It leaks its operands through time and is not for secret
// points.
type Adder struct {
	ops      []addition
	den, run []fp.Element
}

type addition struct {
	dst, a, b        *bls.G1Affine
	double, subtract bool
}

// Add queues dst = a + b. dst may be a or b, but no other operand that is queued.
func (s *Adder) Add(dst, a, b *bls.G1Affine) {
	if a.IsInfinity() {
		*dst = *b
		return
	}
	if b.IsInfinity() {
		*dst = *a
		return
	}
	var d fp.Element
	d.Sub(&b.X, &a.X)
	if d.IsZero() {
		if a.Y.Equal(&b.Y) {
			s.Double(dst, a)
		} else {
			*dst = bls.G1Affine{}
		}
		return
	}
	s.ops = append(s.ops, addition{dst: dst, a: a, b: b})
	s.den = append(s.den, d)
}

// Subtract queues dst = a - b.
func (s *Adder) Subtract(dst, a, b *bls.G1Affine) {
	if a.IsInfinity() || b.IsInfinity() || a.X.Equal(&b.X) {
		var minus bls.G1Affine
		minus.Neg(b)
		s.addNow(dst, a, &minus)
		return
	}
	var d fp.Element
	d.Sub(&b.X, &a.X)
	s.ops = append(s.ops, addition{dst: dst, a: a, b: b, subtract: true})
	s.den = append(s.den, d)
}

// addNow computes dst = a + b at once. It does not touch the queue.
func (*Adder) addNow(dst, a, b *bls.G1Affine) {
	var alone Adder
	alone.Add(dst, a, b)
	alone.Flush()
}

// Double queues dst = 2a.
func (s *Adder) Double(dst, a *bls.G1Affine) {
	if a.Y.IsZero() { // the identity, or a point of order two
		*dst = bls.G1Affine{}
		return
	}
	var d fp.Element
	d.Double(&a.Y)
	s.ops = append(s.ops, addition{dst: dst, a: a, double: true})
	s.den = append(s.den, d)
}

// DoubleAll doubles every point at once. It does not touch the queue.
func (s *Adder) DoubleAll(points []bls.G1Affine) {
	n := len(points)
	if n == 0 {
		return
	}
	if cap(s.run) < n {
		s.run = make([]fp.Element, n, 2*n)
	}
	run := s.run[:n]
	var total, slope, x, y fp.Element
	total.SetOne()
	for i := range points {
		run[i] = total
		if !points[i].Y.IsZero() {
			total.Mul(&total, &points[i].Y)
		}
	}
	total.Double(&total).Inverse(&total) // half of the inverse of the product: every slope has a 2 in its denominator
	for i := n - 1; i >= 0; i-- {
		p := &points[i]
		if p.Y.IsZero() { // the identity, or a point of order two
			*p = bls.G1Affine{}
			continue
		}
		slope.Mul(&total, &run[i])
		total.Mul(&total, &p.Y)
		x.Square(&p.X)
		y.Double(&x).Add(&y, &x)
		slope.Mul(&slope, &y)
		x.Square(&slope).Sub(&x, &p.X).Sub(&x, &p.X)
		y.Sub(&p.X, &x).Mul(&y, &slope).Sub(&y, &p.Y)
		p.X, p.Y = x, y
	}
}

// Flush computes what is queued.
func (s *Adder) Flush() {
	n := len(s.ops)
	if n == 0 {
		return
	}
	if cap(s.run) < n {
		s.run = make([]fp.Element, n, 2*n)
	}
	run := s.run[:n] // products of the first denominators
	run[0] = s.den[0]
	for i := 1; i < n; i++ {
		run[i].Mul(&run[i-1], &s.den[i])
	}
	var inv, slope, x, y fp.Element
	inv.Inverse(&run[n-1])
	for i := n - 1; i >= 0; i-- {
		if i > 0 {
			slope.Mul(&inv, &run[i-1])
			inv.Mul(&inv, &s.den[i])
		} else {
			slope = inv
		}
		op := &s.ops[i]
		if op.double {
			x.Square(&op.a.X)
			y.Double(&x).Add(&y, &x)
			slope.Mul(&slope, &y)
			x.Square(&slope).Sub(&x, &op.a.X).Sub(&x, &op.a.X)
		} else {
			if op.subtract {
				y.Add(&op.b.Y, &op.a.Y).Neg(&y)
			} else {
				y.Sub(&op.b.Y, &op.a.Y)
			}
			slope.Mul(&slope, &y)
			x.Square(&slope).Sub(&x, &op.a.X).Sub(&x, &op.b.X)
		}
		y.Sub(&op.a.X, &x).Mul(&y, &slope).Sub(&y, &op.a.Y)
		op.dst.X, op.dst.Y = x, y
	}
	s.ops, s.den = s.ops[:0], s.den[:0]
}

// Normalise is the library's BatchJacobianToAffineG1 without its goroutines.
func Normalise(points []bls.G1Jac) []bls.G1Affine {
	all := make([]bls.G1Affine, len(points))
	var run, zz fp.Element
	run.SetOne()
	for i := range points {
		all[i].X = run
		if !points[i].Z.IsZero() {
			run.Mul(&run, &points[i].Z)
		}
	}
	run.Inverse(&run)
	for i := len(points) - 1; i >= 0; i-- {
		p := &points[i]
		if p.Z.IsZero() {
			all[i] = bls.G1Affine{}
			continue
		}
		all[i].X.Mul(&all[i].X, &run)
		run.Mul(&run, &p.Z)
		zz.Square(&all[i].X)
		all[i].Y.Mul(&p.Y, &zz).Mul(&all[i].Y, &all[i].X)
		all[i].X.Mul(&p.X, &zz)
	}
	return all
}
