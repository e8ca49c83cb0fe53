package g1

import (
	"fmt"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/internal/measure"
)

// The numbers in the comment on the subgroup: the degree of the test's map, the order of the curve, and its factors.
func TestTheCurve(t *testing.T) {
	x, one := seedInt(), big.NewInt(1)
	x2 := new(big.Int).Mul(x, x)
	degree := new(big.Int).Mul(x2, x2)
	if degree.Sub(degree, x2).Add(degree, one).Cmp(fr.Modulus()) != 0 {
		t.Fatal("the degree of 1 + x^2 phi is not r")
	}
	order := new(big.Int).Mul(cofactor(), fr.Modulus())
	if trace := new(big.Int).Sub(fp.Modulus(), order); trace.Cmp(x) != 0 { // #E = p + 1 - (x + 1)
		t.Fatal("not the order")
	}
	for i := range uint64(8) {
		if p := times(onCurve(1000*i+1), order); !p.IsInfinity() {
			t.Fatal("not the order")
		}
	}
	product := big.NewInt(3)
	for _, q := range cofactorPrimes[1:] {
		if !big.NewInt(q).ProbablyPrime(20) {
			t.Fatalf("%d is not prime", q)
		}
		product.Mul(product, big.NewInt(q)).Mul(product, big.NewInt(q))
	}
	if product.Cmp(cofactor()) != 0 {
		t.Fatal("other factors")
	}
}

// The test of one point alone and of one beside others, on every kind of point outside the subgroup: the library is not trusted
// blindly.
func TestOnePoint(t *testing.T) { bothWays(t, testOnePoint) }

func testOnePoint(t *testing.T) {
	good := randomPoint(t)
	for _, p := range append(randomPoints(t, 10), bls.G1Affine{}) {
		if !InSubgroup([]*bls.G1Affine{&p}) || !InSubgroup([]*bls.G1Affine{&good, &p}) {
			t.Fatal("a point of the subgroup is refused")
		}
		for name, bad := range cofactorPoints(t) {
			wrong := plus(p, bad)
			if InSubgroup([]*bls.G1Affine{&wrong}) || InSubgroup([]*bls.G1Affine{&good, &wrong}) {
				t.Fatalf("a component of order %s is accepted", name)
			}
		}
	}
	for x := uint64(1); x < 100; x++ {
		if p := onCurve(x); InSubgroup([]*bls.G1Affine{&p}) || InSubgroup([]*bls.G1Affine{&good, &p}) {
			t.Fatalf("a point of the curve in general is accepted: x = %d", x)
		}
	}
}

// eisenstein is u + v z, with z^2 = z - 1.
type eisenstein struct{ u, v int }

func (a eisenstein) times(b eisenstein) eisenstein {
	return eisenstein{a.u*b.u - a.v*b.v, a.u*b.v + a.v*b.u + a.v*b.v}
}

func (a eisenstein) minus(b eisenstein) eisenstein { return eisenstein{a.u - b.u, a.v - b.v} }

func (a eisenstein) norm() int { return a.u*a.u + a.u*a.v + a.v*a.v }

func modulo(a, n int) int { return (a%n + n) % n }

// unitNumbers are what a coefficient's unit stands for: 1, -1, phi = z^2, -phi, phi^2 = -z, z.
var unitNumbers = [units]eisenstein{{1, 0}, {-1, 0}, {-1, 1}, {1, -1}, {0, -1}, {0, 1}}

// coefficient is the number that randomSums multiplies a point by where it draws c.
func coefficient(c int) eisenstein {
	if c == 0 {
		return eisenstein{}
	}
	class, unit := (c-1)/units, (c-1)%units
	twist := twists[class%4]
	n := class/4 + 1
	return unitNumbers[unit].times(eisenstein{n * int(twist[0]), n * int(twist[1])})
}

// The claims on coefficients in the comment on the subgroup.
func TestCoefficients(t *testing.T) {
	byEleven, byThree := map[eisenstein]bool{}, [3]int{}
	for c := range coefficients {
		a := coefficient(c)
		byEleven[eisenstein{modulo(a.u, 11), modulo(a.v, 11)}] = true
		byThree[modulo(a.u-a.v, 3)]++ // z is -1 modulo the ideal of norm 3
		for d := range c {
			if norm := a.minus(coefficient(d)).norm(); norm == 0 || norm > 700 {
				t.Fatalf("%d and %d differ by a number of norm %d", c, d, norm)
			}
		}
	}
	if len(byEleven) != coefficients || byThree != [3]int{49, 36, 36} {
		t.Fatalf("%d classes modulo 11, %v modulo the ideal of norm 3", len(byEleven), byThree)
	}
	miss := new(big.Int).Exp(big.NewInt(coefficients), big.NewInt(rounds), nil)
	if miss.BitLen() <= 131 {
		t.Fatal("the rounds err more often")
	}
	miss.Exp(big.NewInt(3), big.NewInt(products), nil)
	miss.Mul(miss, new(big.Int).Exp(big.NewInt(coefficients), big.NewInt(rounds), nil))
	if miss.Div(miss, new(big.Int).Exp(big.NewInt(49), big.NewInt(rounds), nil)).BitLen() <= 129 {
		t.Fatal("rounds and products err more often")
	}
}

// Each sum is the combination with the drawn coefficients.
func TestSumsAreTheDrawnCombinations(t *testing.T) {
	const n = 7
	points := randomPoints(t, coefficients)
	images, chosen := imagesOf(pointers(points)), make([]uint8, n*coefficients)
	must(t, draw(chosen, coefficients))
	for c := range coefficients { // the first round has every coefficient
		chosen[c] = uint8(c)
	}
	var s Adder
	for round, got := range sumsOf(&s, images, chosen, n) {
		var want bls.G1Affine
		for i := range points {
			want = plus(want, apply(coefficient(int(chosen[round*coefficients+i])), points[i]))
		}
		if affine := new(bls.G1Affine).FromJacobian(&got); !affine.Equal(&want) {
			t.Fatalf("round %d has another sum", round)
		}
	}
}

// apply multiplies a point by u + v z.
func apply(a eisenstein, p bls.G1Affine) bls.G1Affine {
	image := Image(&p)
	z := minus(Image(&image))
	return plus(timesSmall(p, a.u), timesSmall(z, a.v))
}

func timesSmall(p bls.G1Affine, n int) bls.G1Affine {
	if n < 0 {
		return times(minus(p), big.NewInt(int64(-n)))
	}
	return times(p, big.NewInt(int64(n)))
}

// The products are products of powers 0, 1 and 2 of the values.
func TestProducts(t *testing.T) {
	values := make([]fp.Element, 2*cubesOf)
	for i := range values {
		values[i].SetUint64([]uint64{2, 3, 5, 7, 11, 13}[i])
	}
	all, err := randomProducts(values)
	must(t, err)
	seen := map[fp.Element]bool{}
	for i := range all {
		n := all[i].Uint64()
		for _, v := range values {
			q := v.Uint64()
			for range 2 {
				if n%q == 0 {
					n /= q
				}
			}
		}
		if n != 1 {
			t.Fatal("a product of other powers")
		}
		seen[all[i]] = true
	}
	if len(seen) < products/2 {
		t.Fatalf("%d different products of %d", len(seen), products)
	}
}

// y - 2 is a cube exactly where a point has no component of order three.
func TestCubesShowComponentsOfOrderThree(t *testing.T) {
	bothWays(t, testCubesShowComponentsOfOrderThree)
}

func testCubesShowComponentsOfOrderThree(t *testing.T) {
	third := new(big.Int).Sub(fp.Modulus(), big.NewInt(1))
	third.Div(third, big.NewInt(3))
	order := new(big.Int).Mul(cofactor(), fr.Modulus())
	order.Div(order, big.NewInt(3))
	for x := uint64(1); x < 200; x++ {
		p := onCurve(x)
		component := times(p, order)
		var value, power fp.Element
		value.Sub(&p.Y, new(fp.Element).SetUint64(2))
		cube := isCube(&value)
		if power.Exp(value, third); cube != power.IsOne() {
			t.Fatal("not what a cube is")
		}
		if cube != component.IsInfinity() || allCubes(pointers([]bls.G1Affine{p, p, p, p})) != cube {
			t.Fatalf("x = %d: cube is %v", x, cube)
		}
	}
}

func TestDrawnNumbers(t *testing.T) {
	for _, n := range []int{coefficients, table} {
		numbers, counts := make([]uint8, 1000*n), make([]int, n)
		must(t, draw(numbers, n))
		for _, v := range numbers {
			counts[v]++
		}
		for v, c := range counts {
			if c < 750 || c > 1250 { // 8 standard deviations
				t.Fatalf("%d of %d is drawn %d times of %d", v, n, c, len(numbers))
			}
		}
	}
}

// Sizes on both sides of the threshold, with a component of each order alone and beside one of the subgroup at several places.
func TestBatches(t *testing.T) { bothWays(t, testBatches) }

func testBatches(t *testing.T) {
	bad := cofactorPoints(t)
	for _, n := range []int{2, 7, 8, 9, batchFrom() - 1, batchFrom(), batchFrom() + 1, batchFrom() + 2, 300} {
		points := randomPoints(t, n)
		if !InSubgroup(pointers(points)) {
			t.Fatalf("%d points of the subgroup are refused", n)
		}
		for order, p := range bad {
			for _, at := range []int{0, n / 2, n - 1} {
				good := points[at]
				for _, wrong := range []bls.G1Affine{p, plus(good, p)} {
					points[at] = wrong
					if InSubgroup(pointers(points)) {
						t.Fatalf("a component of order %s at %d of %d is accepted", order, at, n)
					}
				}
				points[at] = good
			}
		}
	}
}

// Rounds alone find every component but those of order three, and products those.
func TestRoundsAndProductsApart(t *testing.T) { bothWays(t, testRoundsAndProductsApart) }

func testRoundsAndProductsApart(t *testing.T) {
	points := randomPoints(t, batchFrom())
	for order, p := range cofactorPoints(t) {
		points[5] = plus(randomPoint(t), p)
		if ofThree := p.X.IsZero(); allCubes(pointers(points)) == ofThree {
			t.Fatalf("products on a component of order %s", order)
		} else if !ofThree && roundsHold(pointers(points)) {
			t.Fatalf("a component of order %s passes the rounds", order)
		}
	}
}

// Errors that cancel in the sum of all points, and points that meet the addition's special cases.
func TestBatchesOfRelatedPoints(t *testing.T) { bothWays(t, testBatchesOfRelatedPoints) }

func testBatchesOfRelatedPoints(t *testing.T) {
	const many = 300
	if many < batchFrom() {
		t.Fatal("these points are tested one by one")
	}
	p := randomPoint(t)
	points := make([]bls.G1Affine, many)
	for i := range points {
		points[i] = p
		if i%3 == 0 {
			points[i] = minus(p)
		}
	}
	points[9] = bls.G1Affine{}
	if !InSubgroup(pointers(points)) || !InSubgroup(pointers(make([]bls.G1Affine, many))) || !InSubgroup(nil) {
		t.Fatal("equal and opposite points or the identity are refused")
	}
	for order, small := range cofactorPoints(t) {
		points[7], points[8] = plus(points[7], small), plus(points[8], minus(small))
		if InSubgroup(pointers(points)) {
			t.Fatalf("two components of order %s cancel", order)
		}
		points[7], points[8] = plus(points[7], minus(small)), plus(points[8], small)
		all := make([]bls.G1Affine, many)
		for i := range all {
			all[i] = small
		}
		if InSubgroup(pointers(all)) {
			t.Fatalf("only points of order %s are accepted", order)
		}
	}
}

func BenchmarkSubgroup(b *testing.B) {
	for _, n := range []int{16, 64, 128, 512, 1024} {
		points := pointers(randomPoints(b, n))
		b.Run(fmt.Sprintf("%d/each", n), func(b *testing.B) { measure.Loop(b, n, func() { eachInSubgroup(points) }) })
		b.Run(fmt.Sprintf("%d/products", n), func(b *testing.B) { measure.Loop(b, n, func() { allCubes(points) }) })
		b.Run(fmt.Sprintf("%d/rounds", n), func(b *testing.B) { measure.Loop(b, n, func() { roundsHold(points) }) })
	}
}
