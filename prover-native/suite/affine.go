package suite

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"
)

// adder performs many independent additions of affine points with one inversion among them: six multiplications each,
// where mixed projective formulas take eleven. Every case is handled (equal points, opposite points, the identity), so it
// is safe for points that a stranger chose. It leaks its operands through time and is not for secret points.
type adder struct {
	ops      []addition
	den, run []fp.Element
}

type addition struct {
	dst, a, b        *G1
	double, subtract bool
}

// add queues dst = a + b. dst may be a or b, but nothing else that is queued.
func (s *adder) add(dst, a, b *G1) {
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
			s.double(dst, a)
		} else {
			*dst = G1{}
		}
		return
	}
	s.ops = append(s.ops, addition{dst: dst, a: a, b: b})
	s.den = append(s.den, d)
}

// subtract queues dst = a - b.
func (s *adder) subtract(dst, a, b *G1) {
	if a.IsInfinity() || b.IsInfinity() || a.X.Equal(&b.X) {
		var minus G1
		minus.Neg(b)
		s.addNow(dst, a, &minus)
		return
	}
	var d fp.Element
	d.Sub(&b.X, &a.X)
	s.ops = append(s.ops, addition{dst: dst, a: a, b: b, subtract: true})
	s.den = append(s.den, d)
}

// addNow computes dst = a + b apart from what is queued.
func (*adder) addNow(dst, a, b *G1) {
	var alone adder
	alone.add(dst, a, b)
	alone.flush()
}

// double queues dst = 2a.
func (s *adder) double(dst, a *G1) {
	if a.Y.IsZero() { // the identity, or a point of order two
		*dst = G1{}
		return
	}
	var d fp.Element
	d.Double(&a.Y)
	s.ops = append(s.ops, addition{dst: dst, a: a, double: true})
	s.den = append(s.den, d)
}

// doubleAll doubles every point, apart from what is queued.
func (s *adder) doubleAll(points []G1) {
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
			*p = G1{}
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

// flush computes what is queued.
func (s *adder) flush() {
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

// reduce replaces every list by the sum of its points, all lists at once. The lists are overwritten.
func (s *adder) reduce(lists [][]G1) {
	for busy := true; busy; {
		busy = false
		for i, list := range lists {
			half := len(list) / 2
			for j := range half {
				s.add(&list[j], &list[j], &list[len(list)-1-j])
			}
			lists[i] = list[:len(list)-half]
			busy = busy || len(lists[i]) > 1
		}
		s.flush()
	}
}
