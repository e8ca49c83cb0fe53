package g1

import (
	"crypto/rand"
	"math/big"
	"math/bits"
	"slices"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/internal/g1/fp8"
	"solidus.io/prover/internal/multiexp"
)

// Membership in the subgroup of order r of E(Fp), for points that are on the curve. x is the curve's seed and phi its
// endomorphism, a cube root of unity in the ring Z[phi] of maps.
//
// One point: P is in the subgroup exactly when P + x^2 phi(P) = O. The map 1 + x^2 phi has degree 1 - x^2 + x^4 = r, so its
// kernel has r points, and the subgroup lies in it. This is the library's test.
//
// Many points: E(Fp) is the direct sum of the subgroup and a group of order 3 * 11^2 * 10177^2 * 859267^2 * 52437899^2.
//
// The rounds find a component of order 11 or more. Each of the 19 rounds adds up the points times fresh coefficients and tests
// the sum as above. A coefficient is one of 121 numbers of Z[phi]: zero, or one of the six units times one of the numbers
// 1..5 times one of 1, 1 + z, 1 + 2z, 2 + z, with z = -phi^2 of order six. The numbers that take a component whose order is a
// power of a prime q to O lie in a prime ideal above q. 11 remains prime: its ideal has norm 121, and the coefficients represent
// each of the 121 classes once. The ideals above the other primes have norm 10177 or more. Two coefficients differ by a number
// of norm 700 at most, so they are in different classes there too. So, whatever the other coefficients are, at most one of the
// 121 values of a point's own one hides its component from a sum: a round misses it with probability at most 1/121, and all
// rounds with 121^-19 < 2^-131.
//
// The products find a component of order 3. The map 1 - phi has the kernel O, (0, 2), (0, -2). As 3 divides the order of E(Fp)
// once, 1 - phi takes E(Fp) onto the points without such a component, and these are the points where y - 2 is a cube (the
// descent by 1 - phi). Each product takes each y - 2 to the power of zero, one or two, afresh, and is tested for being a cube. It
// misses a component with probability 1/3. A round finds it too, unless the coefficient hides it: 49 coefficients are divisible
// by the ideal of norm 3, and 36 are in each of the two other classes, so a round misses it with probability 49/121 at most. 19
// rounds and 66 products miss it with (49/121)^19 / 3^66 < 2^-129.
//
// So some point outside the subgroup stays undetected with probability below 2^-129.
const (
	rounds   = 19
	products = 66
	// coefficients is the number of coefficients of a round: zero, and the units times the classes.
	coefficients = 1 + units*classes
	units        = 6
	// classes has a number from 1 to 5 and one of the four twists each.
	classes = 5 * 4
	// cubesOf is how many y - 2 share a table of all their products.
	cubesOf = 3
	table   = 3 * 3 * 3
	// roundsAtATime is how many rounds share inversions: enough for them to be cheap, few enough for the processor's cache.
	roundsAtATime = 10
)

// batchFrom is the number of points from which rounds and products are cheaper than one test for each point.
func batchFrom() int {
	if fp8.LanesFor(fp8.Size).AtOnce() {
		return 192
	}
	return 64
}

// twists are 1, 1 + z, 1 + 2z and 2 + z.
var twists = [4][2]uint{{1, 0}, {1, 1}, {1, 2}, {2, 1}}

// InSubgroup reports whether all points, which are on the curve, are in the subgroup. For many points it errs with probability
// 2^-129. The identity is a member. It runs in the calling goroutine.
func InSubgroup(points []*bls.G1Affine) bool {
	if len(points) < batchFrom() {
		return eachInSubgroup(points)
	}
	rest := make([]*bls.G1Affine, 0, len(points))
	for _, p := range points {
		if !p.IsInfinity() {
			rest = append(rest, p)
		}
	}
	return allCubes(rest) && roundsHold(rest)
}

func eachInSubgroup(points []*bls.G1Affine) bool {
	for len(points) > 0 {
		n := min(len(points), fp8.Size)
		if !eightInSubgroup(points[:n]) {
			return false
		}
		points = points[n:]
	}
	return true
}

// eightInSubgroup is eachInSubgroup for up to eight points.
func eightInSubgroup(points []*bls.G1Affine) bool {
	if !fp8.LanesFor(len(points)).AtOnce() {
		return !slices.ContainsFunc(points, func(p *bls.G1Affine) bool { return !p.IsInSubGroup() })
	}
	rest := make([]bls.G1Affine, 0, fp8.Size)
	for _, p := range points {
		if !p.IsInfinity() {
			rest = append(rest, *p)
		}
	}
	return len(rest) == 0 || NewSteps(len(rest)).allIn(rest)
}

// roundsHold tests the sums of all rounds.
func roundsHold(points []*bls.G1Affine) bool {
	images := imagesOf(points)
	var s Adder
	var all []bls.G1Jac
	for start := 0; start < rounds; start += roundsAtATime {
		sums, err := randomSums(&s, images, min(roundsAtATime, rounds-start))
		if err != nil {
			return false
		}
		all = append(all, sums...)
	}
	sums := make([]*bls.G1Affine, 0, rounds)
	for _, sum := range Normalise(all) {
		sums = append(sums, &sum)
	}
	return eachInSubgroup(sums)
}

// imagesOf returns the points times 1, phi and phi^2.
func imagesOf(points []*bls.G1Affine) [][3]bls.G1Affine {
	images := make([][3]bls.G1Affine, len(points))
	for i, p := range points {
		images[i][0] = *p
		images[i][1] = Image(p)
		images[i][2].Y = p.Y
		images[i][2].X.Mul(&p.X, &omega2)
	}
	return images
}

// randomSums returns a sum of the points times random coefficients for each of n rounds.
func randomSums(s *Adder, images [][3]bls.G1Affine, n int) ([]bls.G1Jac, error) {
	chosen := make([]uint8, n*len(images))
	if err := draw(chosen, coefficients); err != nil {
		return nil, err
	}
	return sumsOf(s, images, chosen, n), nil
}

// sumsOf returns the sum of the points times the coefficients that n rounds chose.
func sumsOf(s *Adder, images [][3]bls.G1Affine, chosen []uint8, n int) []bls.G1Jac {
	lists := sortByClass(images, chosen, n)
	multiexp.Reduce(s, lists)
	return combineClasses(s, lists, n)
}

// sortByClass collects the points of each round and class, times the units of their coefficients.
func sortByClass(images [][3]bls.G1Affine, chosen []uint8, n int) [][]bls.G1Affine {
	sizes := make([]int, n*classes)
	for i, c := range chosen {
		if c != 0 {
			sizes[i/len(images)*classes+int(c-1)/units]++
		}
	}
	space := make([]bls.G1Affine, len(chosen))
	lists := make([][]bls.G1Affine, len(sizes))
	for i, size := range sizes {
		lists[i], space = space[:0:size], space[size:]
	}
	for round := range n {
		own := lists[round*classes : (round+1)*classes]
		for i, c := range chosen[round*len(images) : (round+1)*len(images)] {
			if c == 0 {
				continue
			}
			list, unit := &own[(c-1)/units], (c-1)%units
			*list = append(*list, images[i][unit/2])
			if unit%2 == 1 {
				last := &(*list)[len(*list)-1]
				last.Y.Neg(&last.Y)
			}
		}
	}
	return lists
}

// partBits is the length of the parts of a class's coefficient, which are at most 5 * 2.
const partBits = 4

// combineClasses returns, for each of n rounds, the sum of the classes times their coefficients u + v z.
func combineClasses(s *Adder, sums [][]bls.G1Affine, n int) []bls.G1Jac {
	lists := make([][]bls.G1Affine, n*2*partBits)
	for i, sum := range sums {
		if len(sum) == 0 {
			continue
		}
		round, class := i/classes, i%classes
		for part, twist := range twists[class%4] {
			for left := uint(class/4+1) * twist; left != 0; left &= left - 1 {
				at := (round*2+part)*partBits + bits.TrailingZeros(left)
				lists[at] = append(lists[at], sum[0])
			}
		}
	}
	multiexp.Reduce(s, lists)
	all := make([]bls.G1Jac, n)
	for round := range all {
		u := bitsToSum(lists[2*round*partBits:][:partBits])
		v := bitsToSum(lists[(2*round+1)*partBits:][:partBits])
		v.X.Mul(&v.X, &omega2) // times z
		v.Y.Neg(&v.Y)
		all[round].Set(u.AddAssign(&v))
	}
	return all
}

// bitsToSum returns the sum of 2^i times the point of list i.
func bitsToSum(lists [][]bls.G1Affine) bls.G1Jac {
	points := make([]bls.G1Affine, len(lists))
	for i, list := range lists {
		if len(list) == 1 {
			points[i] = list[0]
		}
	}
	return multiexp.Horner[bls.G1Jac](points)
}

// allCubes reports whether y - 2 is a cube other than zero for all points, none of which is the identity.
func allCubes(points []*bls.G1Affine) bool {
	values := make([]fp.Element, (len(points)+cubesOf-1)/cubesOf*cubesOf)
	var two fp.Element
	two.SetUint64(2)
	for i := range values {
		if i >= len(points) {
			values[i].SetOne()
		} else if values[i].Sub(&points[i].Y, &two); values[i].IsZero() {
			return false
		}
	}
	random, err := randomProducts(values)
	if err != nil {
		return false
	}
	for start := 0; start < products; start += fp8.Size {
		if !areCubes(random[start:min(start+fp8.Size, products)]) {
			return false
		}
	}
	return true
}

// third is (p - 1) / 3.
var third = new(big.Int).Div(fp.Modulus(), big.NewInt(3))

// areCubes tests up to eight values other than zero: the power to (p - 1) / 3 of a cube is one.
func areCubes(values []fp.Element) bool {
	lanes := fp8.LanesFor(len(values))
	if !lanes.AtOnce() {
		return !slices.ContainsFunc(values, func(v fp.Element) bool { return !isCube(&v) })
	}
	var e fp8.Element
	var powers [fp8.Size]fp.Element
	copy(powers[:], values)
	lanes.Load(&e, powers[:])
	lanes.Exp(&e, &e, third)
	lanes.Store(powers[:], &e)
	return !slices.ContainsFunc(powers[:len(values)], func(v fp.Element) bool { return !v.IsOne() })
}

// isCube proves by a root that a value other than zero is a cube.
func isCube(v *fp.Element) bool {
	var root, cube fp.Element
	if root.Cbrt(v) == nil {
		return false
	}
	return cube.Square(&root).Mul(&cube, &root).Equal(v)
}

// randomProducts returns products of random powers of the values, whose number is divisible by cubesOf.
func randomProducts(values []fp.Element) ([products]fp.Element, error) {
	var all [products]fp.Element
	for i := range all {
		all[i].SetOne()
	}
	chosen := make([]uint8, len(values)/cubesOf*products)
	if err := draw(chosen, table); err != nil {
		return all, err
	}
	var powers [table]fp.Element
	powers[0].SetOne()
	for at := 0; at < len(values); at += cubesOf {
		for j, n := 0, 1; j < cubesOf; j, n = j+1, 3*n {
			powers[n] = values[at+j]
			for m := n + 1; m < 3*n; m++ {
				powers[m].Mul(&powers[m-n], &values[at+j])
			}
		}
		for i := range all {
			all[i].Mul(&all[i], &powers[chosen[at/cubesOf*products+i]])
		}
	}
	return all, nil
}

// draw fills numbers with random ones below n.
func draw(numbers []uint8, n int) error {
	bound := 256 / n * n // a byte from here on would make some numbers more likely
	fresh := make([]byte, len(numbers)+len(numbers)/8)
	left := fresh[:0]
	for i := 0; i < len(numbers); left = left[1:] {
		if len(left) == 0 {
			if _, err := rand.Read(fresh); err != nil {
				return err
			}
			left = fresh
		}
		if b := int(left[0]); b < bound {
			numbers[i] = uint8(b % n)
			i++
		}
	}
	return nil
}
