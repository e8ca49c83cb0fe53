package g1

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/internal/g1/fp8"
)

// eightFrom is the number of additions from which eight at once are cheaper than one after the other.
const eightFrom = 12

// eightAdder adds or doubles affine points, eight at once. Its products lack a factor of 2^32 (see fp8.GatherX). The inverses
// have it instead, so slopes are right, and one factor of each product with a slope is shifted.
type eightAdder struct {
	lanes                            fp8.Lanes
	ax, den, run                     []fp8.Element
	y, inverse, slope, shifted, x, t fp8.Element
	spare                            [fp8.Size]bls.G1Affine
	at                               [fp8.Size]*bls.G1Affine // the spare points
}

// What inverses have to make up for: the slope of a sum is a product with one inverse. That of a double, 3 x^2 / 2y, lacks the
// factor twice, and its inverse is that of y.
var (
	missingOfSum    = *new(fp.Element).SetUint64(1 << 32)
	missingOfDouble = *new(fp.Element).SetUint64(1 << 63)
)

// padding are the operands of additions that fill the last eight.
var padding = func() [2]bls.G1Affine {
	_, _, g, _ := bls.Generators()
	var twice bls.G1Affine
	return [2]bls.G1Affine{g, *twice.Double(&g)}
}()

// add computes sums of different points, or doubles. It adds operations to the list.
func (e *eightAdder) add(o *additions, double bool) {
	e.lanes = fp8.LanesFor(fp8.Size)
	for i := range e.spare {
		e.at[i] = &e.spare[i]
		if len(o.dst)%fp8.Size != 0 {
			o.add(&e.spare[i], &padding[0], &padding[1])
		}
	}
	n := len(o.dst) / fp8.Size
	if len(e.den) < n {
		e.ax, e.den, e.run = make([]fp8.Element, n), make([]fp8.Element, n), make([]fp8.Element, n)
	}
	for i := range n {
		fp8.GatherX(&e.ax[i], eight(o.a, i))
		if double {
			fp8.GatherY(&e.den[i], eight(o.a, i))
		} else {
			fp8.GatherX(&e.t, eight(o.b, i))
			fp8.SubReduced(&e.den[i], &e.t, &e.ax[i])
		}
		if i == 0 {
			e.run[0] = e.den[0]
		} else {
			e.lanes.Mul(&e.run[i], &e.run[i-1], &e.den[i])
		}
	}
	if double {
		e.invert(&e.run[n-1], &missingOfDouble)
	} else {
		e.invert(&e.run[n-1], &missingOfSum)
	}
	for i := n - 1; i >= 0; i-- {
		if i > 0 {
			e.lanes.Mul(&e.slope, &e.inverse, &e.run[i-1])
			e.lanes.Mul(&e.inverse, &e.inverse, &e.den[i])
		} else {
			e.slope = e.inverse
		}
		if double {
			e.tangent(i)
		} else {
			e.chord(o, i)
		}
		e.finish(eight(o.dst, i), &e.ax[i])
	}
}

// eight returns points 8i to 8i + 7.
func eight(points []*bls.G1Affine, i int) *[fp8.Size]*bls.G1Affine {
	return (*[fp8.Size]*bls.G1Affine)(points[i*fp8.Size:])
}

// invert sets the inverse to factor / v. It uses the spare points.
func (e *eightAdder) invert(v *fp8.Element, factor *fp.Element) {
	fp8.Reduce(&e.t, v)
	fp8.Scatter(&e.at, &e.t, &e.t)
	total := fp.One()
	for i := range e.spare { // Y has the product of the first values
		e.spare[i].Y = total
		total.Mul(&total, &e.spare[i].X)
	}
	total.Inverse(&total).Mul(&total, factor)
	for i := len(e.spare) - 1; i >= 0; i-- {
		value := &e.spare[i]
		value.Y.Mul(&value.Y, &total)
		total.Mul(&total, &value.X)
		value.X = value.Y
	}
	fp8.GatherX(&e.inverse, &e.at)
}

// chord sets the slope from the inverse, y to that of the first points, and t to the sum of both x.
func (e *eightAdder) chord(o *additions, i int) {
	fp8.GatherY(&e.y, eight(o.a, i))
	fp8.GatherY(&e.t, eight(o.b, i))
	fp8.SubReduced(&e.t, &e.t, &e.y)
	e.lanes.Mul(&e.slope, &e.slope, &e.t)
	e.lanes.Add(&e.t, &e.den[i], &e.ax[i])
	e.lanes.Add(&e.t, &e.t, &e.ax[i])
}

// tangent is chord for doubles.
func (e *eightAdder) tangent(i int) {
	e.y = e.den[i]
	e.lanes.Mul(&e.t, &e.ax[i], &e.ax[i])
	e.lanes.Add(&e.x, &e.t, &e.t)
	e.lanes.Add(&e.x, &e.x, &e.t)
	e.lanes.Mul(&e.slope, &e.slope, &e.x)
	e.lanes.Add(&e.t, &e.ax[i], &e.ax[i])
}

// finish computes the third points of lines and negates them. The shifted slope is below 2^33 p, more than Mul takes of two
// operands: its product with one below 2^9 p is below 2^6 p, which Sub and Reduce take.
func (e *eightAdder) finish(dst *[fp8.Size]*bls.G1Affine, ax *fp8.Element) {
	fp8.Shift(&e.shifted, &e.slope)
	e.lanes.Mul(&e.x, &e.shifted, &e.slope)
	e.lanes.Sub(&e.x, &e.x, &e.t)
	fp8.Reduce(&e.x, &e.x)
	e.lanes.Sub(&e.t, ax, &e.x)
	e.lanes.Mul(&e.t, &e.shifted, &e.t)
	e.lanes.Sub(&e.t, &e.t, &e.y)
	fp8.Reduce(&e.t, &e.t)
	fp8.Scatter(dst, &e.x, &e.t)
}
