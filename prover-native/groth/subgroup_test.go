package groth

import (
	"fmt"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/measure"
)

// seed is the curve's x, which is negative.
func seed() *big.Int { return new(big.Int).Neg(new(big.Int).SetUint64(0xd201000000010000)) }

// cofactor is h2, from the literature; TestCofactors checks it.
func cofactor() *big.Int {
	h, _ := new(big.Int).SetString("5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1"+
		"616ec6e786f0c70cf1c38e31c7238e5", 16)
	return h
}

// smallFactors are the prime factors of h2 below a million.
var smallFactors = []int64{13, 13, 23, 23, 2713, 11953, 262069}

// onTwist returns the point of the curve of G2 with x = n + i, for the smallest n from the given one.
func onTwist(n uint64) bls.G2Affine {
	for ; ; n++ {
		var q bls.G2Affine
		var y2, b bls.E2
		q.X.A0.SetUint64(n)
		q.X.A1.SetOne()
		b.A0.SetUint64(4)
		b.A1.SetUint64(4)
		y2.Square(&q.X).Mul(&y2, &q.X).Add(&y2, &b)
		if y2.Legendre() == 1 {
			q.Y.Sqrt(&y2)
			return q
		}
	}
}

// timesG2 multiplies any point of the curve of G2; the library's multiplication is for the subgroup only.
func timesG2(q bls.G2Affine, n *big.Int) bls.G2Affine {
	var sum, base bls.G2Jac
	sum.FromAffine(&bls.G2Affine{})
	base.FromAffine(&q)
	for i := n.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if n.Bit(i) == 1 {
			sum.AddAssign(&base)
		}
	}
	return *new(bls.G2Affine).FromJacobian(&sum)
}

func plusG2(p, q bls.G2Affine) bls.G2Affine { return *new(bls.G2Affine).Add(&p, &q) }

// The numbers in the comment on the subgroup. Two of the claims are about groups: h2 r is the order, and the map psi - x has the
// degree h1 r because psi has the characteristic polynomial of the Frobenius map.
func TestCofactors(t *testing.T) {
	x, one := seed(), big.NewInt(1)
	h1 := new(big.Int).Sub(x, one)
	h1.Mul(h1, h1).Div(h1, big.NewInt(3))
	h2, p, r := cofactor(), fp.Modulus(), fr.Modulus()
	if degree := new(big.Int).Sub(p, x); degree.Cmp(new(big.Int).Mul(h1, r)) != 0 {
		t.Fatal("p - x is not h1 r")
	}
	if gcd := new(big.Int).GCD(nil, nil, h1, h2); gcd.Cmp(one) != 0 {
		t.Fatalf("h1 and h2 have the factor %v", gcd)
	}
	order := new(big.Int).Mul(h2, r)
	distance := new(big.Int).Mul(p, p)
	if distance.Sub(order, distance).BitLen() > p.BitLen()+1 { // |#E' - p^2 - 1| <= 2 p
		t.Fatal("outside Hasse's bound")
	}
	for n := range uint64(8) {
		if q := timesG2(onTwist(1000*n), order); !q.IsInfinity() {
			t.Fatal("not the order")
		}
	}
	rest := new(big.Int).Set(h2)
	for _, q := range smallFactors {
		var m big.Int
		if rest.DivMod(rest, big.NewInt(q), &m); m.Sign() != 0 {
			t.Fatalf("%d does not divide", q)
		}
	}
	for q := int64(2); q < 1_000_000; q++ {
		if new(big.Int).Mod(rest, big.NewInt(q)).Sign() == 0 {
			t.Fatalf("%d divides the rest", q)
		}
	}
}

func TestPsi(t *testing.T) {
	trace := new(big.Int).Add(seed(), big.NewInt(1))
	for n := range uint64(5) { // psi^2 + p = (x + 1) psi on all points; x + 1 is negative
		q := onTwist(100 * n)
		image := psi(&q)
		if !image.IsOnCurve() {
			t.Fatal("the image is not on the curve")
		}
		sum := plusG2(psi(&image), timesG2(q, fp.Modulus()))
		sum = plusG2(sum, timesG2(image, new(big.Int).Neg(trace)))
		if !sum.IsInfinity() {
			t.Fatal("another characteristic polynomial")
		}
	}
	for _, q := range randomG2(t, 5) {
		image := psi(&q)
		if want := timesG2(q, new(big.Int).Mod(fp.Modulus(), fr.Modulus())); !image.Equal(&want) {
			t.Fatal("not the multiplication by p")
		}
	}
}

// cofactorPoints are two points of each small prime order, which may be independent, and two of the large rest.
func cofactorPoints(t testing.TB) map[string]bls.G2Affine {
	t.Helper()
	order := new(big.Int).Mul(cofactor(), fr.Modulus())
	all := map[string]bls.G2Affine{}
	rest := cofactor()
	for _, small := range smallFactors {
		rest.Div(rest, big.NewInt(small))
	}
	for _, small := range append([]int64{0}, smallFactors...) {
		q, label := big.NewInt(small), big.NewInt(small).String()
		if small == 0 {
			q, label = rest, "rest"
		}
		exponent := new(big.Int).Div(order, q)
		if small == 13 || small == 23 {
			exponent.Div(exponent, q) // the square of the prime divides the order
		}
		first := true
		for n := uint64(1); ; n += 7 {
			p := timesG2(onTwist(n), exponent)
			for next := timesG2(p, q); !next.IsInfinity(); next = timesG2(p, q) {
				p = next // where the points of order q^2 are a cyclic group
			}
			if p.IsInfinity() {
				continue
			}
			if !first {
				all[label+" other"] = p
				break
			}
			all[label], first = p, false
		}
	}
	return all
}

func randomG1(t testing.TB, n int) []bls.G1Affine {
	t.Helper()
	_, _, g, _ := bls.Generators()
	all := make([]bls.G1Affine, n)
	for i := range all {
		all[i].ScalarMultiplication(&g, randomScalar(t))
	}
	return all
}

func randomG2(t testing.TB, n int) []bls.G2Affine {
	t.Helper()
	_, _, _, g := bls.Generators()
	all := make([]bls.G2Affine, n)
	for i := range all {
		all[i].ScalarMultiplication(&g, randomScalar(t))
	}
	return all
}

func randomScalar(t testing.TB) *big.Int {
	t.Helper()
	var e Field
	_, err := e.SetRandom()
	must(t, err)
	return e.BigInt(new(big.Int))
}

// The test of one point, on every kind of point outside the subgroup: the library is not trusted blindly.
func TestSubgroupG2(t *testing.T) {
	bad := cofactorPoints(t)
	for _, good := range randomG2(t, 5) {
		if !g2InSubgroup([]*bls.G2Affine{&good}) {
			t.Fatal("a point of the subgroup is refused")
		}
		for order, p := range bad {
			for _, wrong := range []bls.G2Affine{p, plusG2(good, p)} {
				if g2InSubgroup([]*bls.G2Affine{&good, &wrong}) {
					t.Fatalf("a component of order %s is accepted", order)
				}
			}
		}
	}
	for n := range uint64(60) {
		if q := onTwist(n); g2InSubgroup([]*bls.G2Affine{&q}) {
			t.Fatalf("a point of the curve in general is accepted: %d + i", n)
		}
	}
}

func BenchmarkSubgroups(b *testing.B) {
	for _, n := range []int{1, 32, 128, 512} {
		first, second := make([]*bls.G1Affine, n), make([]*bls.G2Affine, n)
		some, others := randomG1(b, n), randomG2(b, n)
		for i := range n {
			first[i], second[i] = &some[i], &others[i]
		}
		b.Run(fmt.Sprintf("G1/%d", n), func(b *testing.B) { measure.Loop(b, n, func() { g1.InSubgroup(first) }) })
		b.Run(fmt.Sprintf("G2/%d", n), func(b *testing.B) { measure.Loop(b, n, func() { g2InSubgroup(second) }) })
	}
}
