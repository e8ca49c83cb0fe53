package groth

import (
	"crypto/rand"
	"math/bits"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"

	"solidus.io/prover/internal/multiexp"
)

// Membership in the two subgroups of order r, for points that are on their curves.
//
// One point. Let x be the seed, y = (x-1)/3, d = x^2 y + y + 1 and phi the endomorphism of the point's curve. A point P is in
// the subgroup exactly when
//
//	(x + 1) P + d (phi(P) - P) = x^2 U + U + phi(P) + 3S + P = O,   S = y P,   U = phi(S) - S.
//
// That map is c + d phi with c = x + 1 - d, of degree c^2 - c d + d^2 = r, so its kernel has r points, and the subgroup lies
// in it. (This also tells the cube root of phi from the other one.) The library tests (x + 1) P + (x^3 - x^2 + 1) phi(P), a
// map of degree 3r. Its kernel also has the three points with phi(T) = T. On the curve of G1 they are not rational, but on
// that of G2 they are (0, 2), (0, -2) and O, and its IsInSubGroup accepts them and every sum of one of them with a point of
// G2.
//
// Many points of G1. E(Fp) is the direct sum of the subgroup and a group of order 4 * 127 * m, where m has no prime factor
// below 10^6.
//
//   - The part of order 4 is the 2-torsion, (1, 0), (w, 0) and (w^2, 0) for the cube roots of unity. A point has no component
//     there exactly when it is twice another point, that is when x - 1 and x - w are squares other than zero. Each point is
//     tested for this.
//   - For the rest, each of 19 rounds adds up multiples of the points by fresh numbers from -63 to 63 and tests the sum as above.
//     Let some point have a component of order q there, a multiple of 127 or of a prime above 10^6. Whatever the other multiples
//     are, at most one of 127 consecutive multiples of that component, which are different, cancels their sum: a round misses it
//     with probability at most 1/127, all of them with 127^-19 < 2^-132.
//
// In G2 the cofactor group has elements of order 3 and 13, for which this does not pay. Points of G2 are tested one by one.
const (
	seed  = 0x8508c00000000001
	third = (seed - 1) / 3

	g1Rounds = 19
	// g1Multiples is the bound of a round's multiples.
	g1Multiples = 63
	// g1BatchFrom is where the rounds are cheaper than the points.
	g1BatchFrom = 36
)

// cubeRootG1 and cubeRootG2 are cube roots of unity such that phi(x, y) = (root x, y) is the phi of the test.
var cubeRootG1, cubeRootG2 = findCubeRoots()

func findCubeRoots() (g1, g2 fp.Element) {
	_, _, p, q := bw6.Generators()
	root := endomorphism.omega
	for _, search := range []struct {
		root      *fp.Element
		generator affine
	}{{&g1, p}, {&g2, affine(q)}} {
		*search.root = root
		if !inKernel([]affine{search.generator}, search.root) {
			search.root.Square(&root)
		}
	}
	return g1, g2
}

// g2InSubgroup tests points of the curve of G2.
func g2InSubgroup(points []affine) bool { return inKernel(points, &cubeRootG2) }

// g1InSubgroup tests points of the curve of G1. For many points it errs with probability 2^-132.
func g1InSubgroup(points []affine) bool {
	if len(points) < g1BatchFrom {
		return inKernel(points, &cubeRootG1)
	}
	for i := range points {
		if !isDouble(&points[i]) {
			return false
		}
	}
	sums, err := randomSums(points)
	return err == nil && inKernel(sums, &cubeRootG1)
}

// isDouble reports whether a point of the curve of G1 is twice another point and not the identity.
func isDouble(p *affine) bool {
	var e fp.Element
	e.SetOne()
	e.Sub(&p.X, &e)
	if p.Y.IsZero() || e.Legendre() != 1 {
		return false
	}
	e.Sub(&p.X, &endomorphism.omega)
	return e.Legendre() == 1
}

// randomSums returns a random combination of the points for each round.
func randomSums(points []affine) ([]affine, error) {
	const c = 7
	digits := make([]int16, len(points)*g1Rounds)
	if err := drawMultiples(digits); err != nil {
		return nil, err
	}
	sums := multiexp.BitSums(new(adder), [][]affine{points}, digits, g1Rounds, c)
	all := make([]bw6.G1Jac, g1Rounds)
	for r := range all {
		all[r] = multiexp.Horner[bw6.G1Jac](sums[r*c : (r+1)*c])
	}
	return normalise(all), nil
}

// drawMultiples fills digits with random numbers from -63 to 63.
func drawMultiples(digits []int16) error {
	fresh := make([]byte, 2*len(digits))
	left := fresh[:0]
	for i := 0; i < len(digits); {
		if len(left) == 0 {
			if _, err := rand.Read(fresh); err != nil {
				return err
			}
			left = fresh
		}
		if d := int16(left[0] & 127); d != 127 {
			digits[i] = d - g1Multiples
			i++
		}
		left = left[1:]
	}
	return nil
}

// inKernel reports whether the map of the test takes every point to O. Both curves add by the same formulas.
func inKernel(points []affine, root *fp.Element) bool {
	for i := range points {
		if !oneInKernel(&points[i], root) {
			return false
		}
	}
	return true
}

// oneInKernel is inKernel for a single point.
func oneInKernel(p *affine, root *fp.Element) bool {
	var start, multiple, u, sum bw6.G1Jac
	start.FromAffine(p)
	timesJac(&multiple, &start, third)
	u.Set(&multiple)
	u.X.Mul(&u.X, root)
	u.SubAssign(&multiple)
	timesJac(&sum, &u, seed)
	timesJac(&sum, &sum, seed)
	sum.AddAssign(&u).AddAssign(&start).AddAssign(&multiple)
	multiple.DoubleAssign()
	sum.AddAssign(&multiple)
	start.X.Mul(&start.X, root)
	sum.AddAssign(&start)
	return sum.Z.IsZero()
}

func timesJac(r, p *bw6.G1Jac, n uint64) {
	base := *p
	sum := base
	for bit := bits.Len64(n) - 2; bit >= 0; bit-- {
		sum.DoubleAssign()
		if n>>bit&1 == 1 {
			sum.AddAssign(&base)
		}
	}
	*r = sum
}

func image(p *affine, root *fp.Element) affine {
	q := affine{Y: p.Y}
	q.X.Mul(&p.X, root)
	return q
}
