package g1

import (
	"math/bits"
	"slices"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/internal/g1/fp8"
)

// Eight are eight points in projective coordinates: x = X/Z and y = Y/Z, and Z = 0 for the identity.
type Eight struct{ X, Y, Z fp8.Element }

// Steps computes with up to eight points in step, by formulas that hold for every two points of the curve, equal and opposite
// ones and the identity included (Renes, Costello, Batina: Complete addition formulas for prime order elliptic curves, Algorithms
// 7 and 9; this curve has no points of order two). So time and memory accesses do not depend on the points.
type Steps struct {
	one, minusOne, omega fp8.Element
	t                    [7]fp8.Element
	lanes                fp8.Lanes
}

// NewSteps returns Steps for n points.
func NewSteps(n int) *Steps {
	s := &Steps{lanes: fp8.LanesFor(n)}
	one, minusOne := fp.One(), fp.Element{}
	minusOne.Neg(&one)
	s.lanes.Load(&s.one, slices.Repeat([]fp.Element{one}, fp8.Size))
	s.lanes.Load(&s.minusOne, slices.Repeat([]fp.Element{minusOne}, fp8.Size))
	s.lanes.Load(&s.omega, slices.Repeat([]fp.Element{omega}, fp8.Size))
	return s
}

// Set sets p to points other than the identity.
func (s *Steps) Set(p *Eight, points []bls.G1Affine) {
	var x, y [fp8.Size]fp.Element
	for i := range points {
		x[i], y[i] = points[i].X, points[i].Y
	}
	s.lanes.Load(&p.X, x[:])
	s.lanes.Load(&p.Y, y[:])
	p.Z = s.one
}

// Mask multiplies the coordinates of p by random factors, which leaves it the same points.
func (s *Steps) Mask(p *Eight) error {
	factors := &s.t[0]
	if err := s.lanes.Random(factors); err != nil {
		return err
	}
	for _, e := range []*fp8.Element{&p.X, &p.Y, &p.Z} {
		s.lanes.Mul(e, e, factors)
	}
	return nil
}

// Affine sets points to p.
func (s *Steps) Affine(points []bls.G1Affine, p *Eight) {
	var x, y, z [fp8.Size]fp.Element
	s.lanes.Store(x[:], &p.X)
	s.lanes.Store(y[:], &p.Y)
	s.lanes.Store(z[:], &p.Z)
	for i, inverse := range fp.BatchInvert(z[:len(points)]) { // zero for zero
		points[i].X.Mul(&x[i], &inverse)
		points[i].Y.Mul(&y[i], &inverse)
	}
}

// Image sets r to the endomorphism of p.
func (s *Steps) Image(r, p *Eight) {
	s.lanes.Mul(&r.X, &p.X, &s.omega)
	r.Y, r.Z = p.Y, p.Z
}

// Double sets p = 2p.
func (s *Steps) Double(p *Eight) {
	t0, t1, t2, t3 := &s.t[0], &s.t[1], &s.t[2], &s.t[3]
	s.lanes.Mul(t0, &p.Y, &p.Y)
	s.lanes.Mul(t1, &p.Y, &p.Z)
	s.lanes.Mul(t2, &p.Z, &p.Z)
	s.lanes.Mul(t3, &p.X, &p.Y)
	s.lanes.Times12(t2, t2)
	s.lanes.Add(&p.Y, t0, t2)
	s.lanes.Add(&p.Z, t0, t0)
	s.lanes.Add(&p.Z, &p.Z, &p.Z)
	s.lanes.Add(&p.Z, &p.Z, &p.Z)
	s.lanes.Mul(&p.X, t2, &p.Z)
	s.lanes.Mul(&p.Z, t1, &p.Z)
	s.lanes.Add(t1, t2, t2)
	s.lanes.Add(t2, t1, t2)
	s.lanes.Sub(t0, t0, t2)
	s.lanes.Mul(&p.Y, t0, &p.Y)
	s.lanes.Add(&p.Y, &p.X, &p.Y)
	s.lanes.Mul(&p.X, t0, t3)
	s.lanes.Add(&p.X, &p.X, &p.X)
}

// Add sets r = p + q.
func (s *Steps) Add(r, p, q *Eight) {
	xx, yy, zz, xy, yz, xz, t := &s.t[0], &s.t[1], &s.t[2], &s.t[3], &s.t[4], &s.t[5], &s.t[6]
	s.lanes.Mul(xx, &p.X, &q.X)
	s.lanes.Mul(yy, &p.Y, &q.Y)
	s.lanes.Mul(zz, &p.Z, &q.Z)
	s.cross(xy, &p.X, &p.Y, &q.X, &q.Y, xx, yy)
	s.cross(yz, &p.Y, &p.Z, &q.Y, &q.Z, yy, zz)
	s.cross(xz, &p.X, &p.Z, &q.X, &q.Z, xx, zz)
	s.lanes.Times12(xz, xz)
	s.lanes.Times12(zz, zz)
	s.lanes.Add(t, xx, xx)
	s.lanes.Add(xx, t, xx)
	s.lanes.Add(t, yy, zz)
	s.lanes.Sub(yy, yy, zz)

	s.lanes.Mul(&r.X, xy, yy)
	s.lanes.Mul(zz, yz, xz)
	s.lanes.Sub(&r.X, &r.X, zz)
	s.lanes.Mul(&r.Y, yy, t)
	s.lanes.Mul(xz, xz, xx)
	s.lanes.Add(&r.Y, &r.Y, xz)
	s.lanes.Mul(&r.Z, t, yz)
	s.lanes.Mul(xx, xx, xy)
	s.lanes.Add(&r.Z, &r.Z, xx)
}

// cross sets z = a d + b c, with the products ac and bd.
func (s *Steps) cross(z, a, b, c, d, ac, bd *fp8.Element) {
	t := &s.t[6]
	s.lanes.Add(z, a, b)
	s.lanes.Add(t, c, d)
	s.lanes.Mul(z, z, t)
	s.lanes.Add(t, ac, bd)
	s.lanes.Sub(z, z, t)
}

// Neg sets r = -p.
func (s *Steps) Neg(r, p *Eight) {
	s.lanes.Mul(&r.Y, &p.Y, &s.minusOne)
	r.X, r.Z = p.X, p.Z
}

// TimesSeed sets p to p times the absolute value of the curve's seed.
func (s *Steps) TimesSeed(p *Eight) {
	base := *p
	for i := bits.Len64(seed) - 2; i >= 0; i-- {
		s.Double(p)
		if uint64(seed)>>i&1 == 1 {
			s.Add(p, p, &base)
		}
	}
}

// allIn reports whether all points, which are on the curve and not the identity, are in the subgroup.
func (s *Steps) allIn(points []bls.G1Affine) bool {
	var p, q Eight
	s.Set(&p, points)
	q = p
	s.TimesSeed(&q)
	s.TimesSeed(&q)
	s.Image(&q, &q)
	var zeros [2][fp8.Size]fp.Element // where q = -p
	t := &s.t[0]
	s.lanes.Mul(t, &p.X, &q.Z)
	s.lanes.Sub(t, &q.X, t)
	s.lanes.Store(zeros[0][:], t)
	s.lanes.Mul(t, &p.Y, &q.Z)
	s.lanes.Add(t, &q.Y, t)
	s.lanes.Store(zeros[1][:], t)
	if zeros != [2][fp8.Size]fp.Element{} {
		return false
	}
	// only a point off the curve becomes (0, 0, 0), which both equations hold for
	s.lanes.Store(zeros[0][:], &q.Z)
	return !slices.ContainsFunc(zeros[0][:len(points)], func(z fp.Element) bool { return z.IsZero() })
}

// SignedSums has, for each of the eight, the sixteen sums of four terms with either sign.
type SignedSums struct {
	x, z [8]fp8.Element // of the sums with a positive last term
	y    [16]fp8.Element
}

// SumSigned makes entry i of the table the sum of the terms in which bit j of i negates term j.
func (s *Steps) SumSigned(table *SignedSums, terms *[4]Eight) {
	var sums [8]Eight
	var minus Eight
	sums[0] = terms[3]
	for j := range terms[:3] {
		s.Neg(&minus, &terms[j])
		for i := range 1 << j {
			s.Add(&sums[i+1<<j], &sums[i], &minus)
			s.Add(&sums[i], &sums[i], &terms[j])
		}
	}
	for i := range sums {
		table.x[i], table.y[i], table.z[i] = sums[i].X, sums[i].Y, sums[i].Z
		s.Neg(&minus, &sums[i])
		table.y[15-i] = minus.Y
	}
}

// Choose sets p to entry i of the table. It reads all of them.
func (s *Steps) Choose(p *Eight, table *SignedSums, i int) {
	positive := (i ^ -(i >> 3)) & 7 // entry 15-i is the negative of entry i
	s.lanes.Choose(&p.X, table.x[:], positive)
	s.lanes.Choose(&p.Y, table.y[:], i)
	s.lanes.Choose(&p.Z, table.z[:], positive)
}
