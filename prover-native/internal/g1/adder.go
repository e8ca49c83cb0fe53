package g1

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/internal/g1/fp8"
)

// Adder performs many independent additions of affine points with one inversion for all of them. An addition takes six
// multiplications, where mixed projective formulas take eleven. Every case is handled (equal points, opposite points, the
// identity), so it is safe for points that an attacker chooses. It leaks its operands through time and is not for secret
// points.
type Adder struct {
	sums, doubles additions
	den, run      []fp.Element
	eight         eightAdder
}

// additions are operations in lists by operand.
type additions struct{ dst, a, b []*bls.G1Affine }

func (o *additions) add(dst, a, b *bls.G1Affine) {
	o.dst, o.a, o.b = append(o.dst, dst), append(o.a, a), append(o.b, b)
}

func (o *additions) clear() { o.dst, o.a, o.b = o.dst[:0], o.a[:0], o.b[:0] }

// queueLimit bounds what waits, for the sake of the processor's cache.
const queueLimit = 1 << 10

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
	if a.X == b.X {
		if a.Y == b.Y {
			s.Double(dst, a)
		} else {
			*dst = bls.G1Affine{}
		}
		return
	}
	if len(s.sums.dst) == queueLimit {
		s.Flush()
	}
	s.sums.add(dst, a, b)
}

// Double queues dst = 2a.
func (s *Adder) Double(dst, a *bls.G1Affine) {
	if a.Y.IsZero() { // the identity, or a point of order two
		*dst = bls.G1Affine{}
		return
	}
	s.doubles.add(dst, a, a)
}

// DoubleAll doubles every point at once. It computes what is queued, too.
func (s *Adder) DoubleAll(points []bls.G1Affine) {
	for i := range points {
		s.Double(&points[i], &points[i])
	}
	s.Flush()
}

// Flush computes what is queued.
func (s *Adder) Flush() {
	s.compute(&s.sums, false)
	s.compute(&s.doubles, true)
}

func (s *Adder) compute(o *additions, double bool) {
	if len(o.dst) >= eightFrom && fp8.LanesFor(fp8.Size).AtOnce() {
		s.eight.add(o, double)
	} else if len(o.dst) > 0 {
		s.each(o, double)
	}
	o.clear()
}

// each computes sums of different points, or doubles, one after the other.
func (s *Adder) each(o *additions, double bool) {
	n := len(o.dst)
	if cap(s.run) < n {
		s.den, s.run = make([]fp.Element, 2*n), make([]fp.Element, 2*n)
	}
	den, run := s.den[:n], s.run[:n] // run has products of the first denominators
	for i := range den {
		if double {
			den[i].Double(&o.a[i].Y)
		} else {
			den[i].Sub(&o.b[i].X, &o.a[i].X)
		}
		if i == 0 {
			run[0] = den[0]
		} else {
			run[i].Mul(&run[i-1], &den[i])
		}
	}
	var inv, slope, x, y fp.Element
	inv.Inverse(&run[n-1])
	for i := n - 1; i >= 0; i-- {
		if i > 0 {
			slope.Mul(&inv, &run[i-1])
			inv.Mul(&inv, &den[i])
		} else {
			slope = inv
		}
		a, b := o.a[i], o.b[i]
		if double {
			x.Square(&a.X)
			y.Double(&x).Add(&y, &x)
		} else {
			y.Sub(&b.Y, &a.Y)
		}
		slope.Mul(&slope, &y)
		x.Square(&slope).Sub(&x, &a.X).Sub(&x, &b.X)
		y.Sub(&a.X, &x).Mul(&y, &slope).Sub(&y, &a.Y)
		o.dst[i].X, o.dst[i].Y = x, y
	}
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
