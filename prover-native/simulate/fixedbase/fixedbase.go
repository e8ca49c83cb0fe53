// Package fixedbase multiplies the generators of the three groups that simulated requests need, a few hundred thousand times a
// minute. With its tables a multiple is additions only. It leaks scalars through time and is for load tests.
package fixedbase

import (
	"sync"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"

	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/multiexp"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// A table has a window for each byte of a scalar, lowest byte first: d * 2^(8i) * base for every digit d from 1 to 255. Wider
// digits need fewer additions, until the tables exceed the processor's caches.
const (
	windowCount = 32
	windowSize  = 1<<8 - 1
)

type table[A any] [windowCount][windowSize]A

// fill sets a window to 1 to 255 times the base of the table times 2^(8i) for each window i. double and sum change their first
// argument.
func fill[A, J any](t *table[A], base, infinity J, double func(*J), sum func(*J, *J), affine func(*J) A) *table[A] {
	for i := range t {
		acc := infinity
		for d := range t[i] {
			sum(&acc, &base)
			t[i][d] = affine(&acc)
		}
		for range 8 {
			double(&base)
		}
	}
	return t
}

// points calls use with the table's points that add up to a multiple of the base. The scalar has 32 bytes, highest first.
func (t *table[A]) points(scalar []byte, use func(*A)) {
	for i := range t {
		if d := scalar[windowCount-1-i]; d != 0 {
			use(&t[i][d-1])
		}
	}
}

// The tables take a tenth of a second to compute and are computed on first use.
var (
	g1Table = sync.OnceValue(func() *table[suite.G1] {
		base, _, _, _ := bls.Generators()
		var infinity bls.G1Jac
		infinity.FromAffine(&suite.G1{})
		return fill(new(table[suite.G1]), base, infinity,
			func(p *bls.G1Jac) { p.DoubleAssign() },
			func(p, q *bls.G1Jac) { p.AddAssign(q) },
			func(p *bls.G1Jac) (a suite.G1) { return *a.FromJacobian(p) })
	})
	g2Table = sync.OnceValue(func() *table[suite.G2] {
		_, base, _, _ := bls.Generators()
		return fill(new(table[suite.G2]), base, g2Infinity(),
			func(p *bls.G2Jac) { p.DoubleAssign() },
			func(p, q *bls.G2Jac) { p.AddAssign(q) },
			func(p *bls.G2Jac) (a suite.G2) { return *a.FromJacobian(p) })
	})
	keyTable = sync.OnceValue(func() *table[jubjub.Point] {
		base := jubjub.Base()
		var extended twistededwards.PointExtended
		extended.FromAffine(&base)
		return fill(new(table[jubjub.Point]), extended, keyInfinity(),
			func(p *twistededwards.PointExtended) { p.Double(p) },
			func(p, q *twistededwards.PointExtended) { p.Add(p, q) },
			func(p *twistededwards.PointExtended) (a jubjub.Point) { return *a.FromExtended(p) })
	})
)

func g2Infinity() (p bls.G2Jac) { return *p.FromAffine(&suite.G2{}) }

func keyInfinity() (p twistededwards.PointExtended) {
	var identity jubjub.Point
	identity.Y.SetOne()
	return *p.FromAffine(&identity)
}

// G1 returns s * g1 for every scalar. All additions share their inversions.
func G1(scalars ...suite.Scalar) []suite.G1 {
	t := g1Table()
	lists := make([][]suite.G1, len(scalars))
	for i := range scalars {
		lists[i] = make([]suite.G1, 0, windowCount)
		t.points(suite.EncodeScalar(&scalars[i]), func(p *suite.G1) { lists[i] = append(lists[i], *p) })
	}
	multiexp.Reduce(new(g1.Adder), lists)
	sums := make([]suite.G1, len(scalars))
	for i, list := range lists {
		if len(list) == 1 { // none for the scalar zero
			sums[i] = list[0]
		}
	}
	return sums
}

// G2 returns s * g2.
func G2(scalar *suite.Scalar) (p suite.G2) {
	sum := g2Infinity()
	g2Table().points(suite.EncodeScalar(scalar), func(q *suite.G2) { sum.AddMixed(q) })
	return *p.FromJacobian(&sum)
}

// Key returns s * B in the group of owner keys.
func Key(scalar *jubjub.Scalar) (p jubjub.Point) {
	sum := keyInfinity()
	keyTable().points(scalar.Bytes(), func(q *jubjub.Point) { sum.MixedAdd(&sum, q) })
	return *p.FromExtended(&sum)
}
