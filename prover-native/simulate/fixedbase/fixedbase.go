// Package fixedbase multiplies the generators of the two curves that simulated requests need, a few hundred thousand times a
// minute. With its tables a multiple is additions only. It leaks scalars through time and is for load tests.
package fixedbase

import (
	"sync"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/suite"
)

// windowBits is the width of a table's digits. Wider digits need fewer additions, until the tables exceed the processor's
// caches.
const windowBits = 8

// table holds d * 2^(8i) * base for every digit d from 1 to 255, so that a multiple of the base is additions only.
type table[A, J any] struct {
	windows [][]A
	add     func(*J, *A)
}

// curve holds the operations of a group that a table needs.
type curve[A, J any] struct {
	double func(*J)
	sum    func(*J, *J)
	add    func(*J, *A)
	affine func([]J) []A
}

func newTable[A, J any](base, infinity J, scalarBits int, c curve[A, J]) *table[A, J] {
	t := &table[A, J]{add: c.add}
	for range (scalarBits + windowBits - 1) / windowBits {
		multiples := make([]J, 1<<windowBits-1)
		acc := infinity
		for d := range multiples {
			c.sum(&acc, &base)
			multiples[d] = acc
		}
		t.windows = append(t.windows, c.affine(multiples))
		for range windowBits {
			c.double(&base)
		}
	}
	return t
}

// addTo adds scalar * base to sum. words is the scalar, lowest word first.
func (t *table[A, J]) addTo(sum *J, words []uint64) {
	for i := range t.windows {
		if d := words[i*windowBits/64] >> (i * windowBits % 64) & (1<<windowBits - 1); d != 0 {
			t.add(sum, &t.windows[i][d-1])
		}
	}
}

// The tables of the generators take a tenth of a second to compute and are computed on first use.
var (
	g1Table = sync.OnceValue(func() *table[suite.G1, bls.G1Jac] {
		base, _, _, _ := bls.Generators()
		return newTable(base, blsInfinity(), 253, curve[suite.G1, bls.G1Jac]{
			double: func(p *bls.G1Jac) { p.DoubleAssign() },
			sum:    func(p, q *bls.G1Jac) { p.AddAssign(q) },
			add:    func(p *bls.G1Jac, q *suite.G1) { p.AddMixed(q) },
			affine: bls.BatchJacobianToAffineG1,
		})
	})
	proofG1Table = sync.OnceValue(func() *table[bw6.G1Affine, bw6.G1Jac] {
		base, _, _, _ := bw6.Generators()
		return newTable(base, proofG1Infinity(), 377, curve[bw6.G1Affine, bw6.G1Jac]{
			double: func(p *bw6.G1Jac) { p.DoubleAssign() },
			sum:    func(p, q *bw6.G1Jac) { p.AddAssign(q) },
			add:    func(p *bw6.G1Jac, q *bw6.G1Affine) { p.AddMixed(q) },
			affine: bw6.BatchJacobianToAffineG1,
		})
	})
	proofG2Table = sync.OnceValue(func() *table[bw6.G2Affine, bw6.G2Jac] {
		_, base, _, _ := bw6.Generators()
		return newTable(base, proofG2Infinity(), 377, curve[bw6.G2Affine, bw6.G2Jac]{
			double: func(p *bw6.G2Jac) { p.DoubleAssign() },
			sum:    func(p, q *bw6.G2Jac) { p.AddAssign(q) },
			add:    func(p *bw6.G2Jac, q *bw6.G2Affine) { p.AddMixed(q) },
			affine: proofG2Affine,
		})
	})
)

func blsInfinity() (p bls.G1Jac)     { return *p.FromAffine(&suite.G1{}) }
func proofG1Infinity() (p bw6.G1Jac) { return *p.FromAffine(&bw6.G1Affine{}) }
func proofG2Infinity() (p bw6.G2Jac) { return *p.FromAffine(&bw6.G2Affine{}) }

// proofG2Affine converts a batch, which the library does for the other groups only.
func proofG2Affine(points []bw6.G2Jac) []bw6.G2Affine {
	out := make([]bw6.G2Affine, len(points))
	for i := range points {
		out[i].FromJacobian(&points[i])
	}
	return out
}

// G1 returns s * g1 in the group of signatures for every scalar, with one inversion for all.
func G1(scalars []suite.Scalar) []suite.G1 {
	t := g1Table()
	sums := make([]bls.G1Jac, len(scalars))
	for i := range scalars {
		words := scalars[i].Bits()
		sums[i] = blsInfinity()
		t.addTo(&sums[i], words[:])
	}
	return bls.BatchJacobianToAffineG1(sums)
}

// ProofG1 does the same in the first group of proofs.
func ProofG1(scalars ...fr.Element) []bw6.G1Affine {
	t := proofG1Table()
	sums := make([]bw6.G1Jac, len(scalars))
	for i := range scalars {
		words := scalars[i].Bits()
		sums[i] = proofG1Infinity()
		t.addTo(&sums[i], words[:])
	}
	return bw6.BatchJacobianToAffineG1(sums)
}

// ProofG2 is a multiple of the generator of the second group of proofs.
func ProofG2(scalar *fr.Element) (p bw6.G2Affine) {
	sum, words := proofG2Infinity(), scalar.Bits()
	proofG2Table().addTo(&sum, words[:])
	p.FromJacobian(&sum)
	return p
}
