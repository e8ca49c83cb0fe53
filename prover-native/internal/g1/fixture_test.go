package g1

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// times multiplies any point of the curve; the library's multiplication is for the subgroup only.
func times(p bls.G1Affine, n *big.Int) bls.G1Affine {
	var sum, base bls.G1Jac
	sum.FromAffine(&bls.G1Affine{})
	base.FromAffine(&p)
	for i := n.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if n.Bit(i) == 1 {
			sum.AddAssign(&base)
		}
	}
	return *new(bls.G1Affine).FromJacobian(&sum)
}

func plus(p, q bls.G1Affine) bls.G1Affine { return *new(bls.G1Affine).Add(&p, &q) }

func minus(p bls.G1Affine) bls.G1Affine { return *new(bls.G1Affine).Neg(&p) }

// onCurve returns the point of the curve with the smallest x from the given one.
func onCurve(x uint64) bls.G1Affine {
	for ; ; x++ {
		var p bls.G1Affine
		var y2 fp.Element
		p.X.SetUint64(x)
		y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, new(fp.Element).SetUint64(4))
		if p.Y.Sqrt(&y2) != nil {
			return p
		}
	}
}

// seedInt is the curve's seed.
func seedInt() *big.Int { return new(big.Int).Neg(new(big.Int).SetUint64(seed)) }

// cofactor is (x-1)^2 / 3.
func cofactor() *big.Int {
	h := new(big.Int).Sub(seedInt(), big.NewInt(1))
	return h.Mul(h, h).Div(h, big.NewInt(3))
}

// cofactorPrimes divide the cofactor, all but 3 twice.
var cofactorPrimes = []int64{3, 11, 10177, 859267, 52437899}

// cofactorPoints has points of each prime order q that divides the cofactor: some point, its image, their sum, and the
// eigenvectors of the endomorphism where -3 is a square modulo q. So the points of every order span all points of this order.
func cofactorPoints(t testing.TB) map[string]bls.G1Affine {
	t.Helper()
	all := map[string]bls.G1Affine{"(0, 2)": torsion(2), "(0, -2)": torsion(-2)}
	for _, prime := range cofactorPrimes[1:] {
		q := big.NewInt(prime)
		p, vectors := pointOfOrder(t, q)
		image := Image(&p)
		all[q.String()], all[q.String()+" image"], all[q.String()+" sum"] = p, image, plus(p, image)
		for i, v := range vectors {
			all[fmt.Sprintf("%v eigenvector %d", q, i)] = v
		}
	}
	return all
}

// pointOfOrder returns a point of prime order whose square divides the cofactor, and its components in the eigenspaces of the
// endomorphism, which has none where -3 is no square.
func pointOfOrder(t testing.TB, q *big.Int) (p bls.G1Affine, vectors []bls.G1Affine) {
	t.Helper()
	rest := new(big.Int).Mul(cofactor(), fr.Modulus())
	rest.Div(rest, new(big.Int).Mul(q, q))
	values := eigenvalues(q)
	for x := uint64(1); ; x += 5 {
		p, vectors = times(onCurve(x), rest), nil
		for i := range values {
			vectors = append(vectors, plus(Image(&p), minus(times(p, values[1-i]))))
		}
		if p.IsInfinity() || slices.ContainsFunc(vectors, func(v bls.G1Affine) bool { return v.IsInfinity() }) {
			continue
		}
		if zero := times(p, q); !zero.IsInfinity() {
			t.Fatalf("a point of order %v^2", q)
		}
		for i, v := range vectors {
			if Image(&v) != times(v, values[i]) {
				t.Fatalf("no eigenvector of order %v", q)
			}
		}
		return p, vectors
	}
}

// eigenvalues returns the roots of e^2 + e + 1 modulo q.
func eigenvalues(q *big.Int) []*big.Int {
	root := new(big.Int).ModSqrt(new(big.Int).Sub(q, big.NewInt(3)), q)
	if root == nil {
		return nil
	}
	half := new(big.Int).ModInverse(big.NewInt(2), q)
	first := new(big.Int).Sub(root, big.NewInt(1))
	first.Mul(first, half).Mod(first, q)
	second := new(big.Int).Neg(first)
	second.Sub(second, big.NewInt(1)).Mod(second, q)
	return []*big.Int{first, second}
}

// torsion is the point (0, y), of order three.
func torsion(y int64) bls.G1Affine {
	var p bls.G1Affine
	p.Y.SetInt64(y)
	return p
}

func randomPoint(t testing.TB) bls.G1Affine {
	t.Helper()
	var e fr.Element
	_, err := e.SetRandom()
	must(t, err)
	_, _, g, _ := bls.Generators()
	return times(g, e.BigInt(new(big.Int)))
}

func randomPoints(t testing.TB, n int) []bls.G1Affine {
	t.Helper()
	points := make([]bls.G1Affine, n)
	for i := range points {
		points[i] = randomPoint(t)
	}
	return points
}

func pointers(points []bls.G1Affine) []*bls.G1Affine {
	all := make([]*bls.G1Affine, len(points))
	for i := range points {
		all[i] = &points[i]
	}
	return all
}
