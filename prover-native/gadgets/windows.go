package gadgets

import (
	"math/big"
	"sync"

	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/jubjub"
)

// WindowCount is the number of signed 3-bit windows of a scalar. Their values are exactly the odd integers below 8^84 in
// absolute value, and of s and s - l, which are below l < 2^252, one is odd.
const WindowCount = 84

// Windows is a scalar for the fixed base: per window two bits that select 1, 3, 5 or 7 and a sign bit. Every
// assignment of bits is a scalar, so nothing but their being bits needs checking.
//
//spec:id G-03
type Windows [3 * WindowCount]frontend.Variable

// RecodeWindows writes a scalar as windows.
func RecodeWindows(scalar *jubjub.Scalar) Windows {
	x, negative := scalar.Big(), 0
	if x.Bit(0) == 0 {
		x.Sub(jubjub.Order(), x)
		negative = 1
	}
	var w Windows
	for i := range WindowCount {
		digit := x.Int64() // the last digit is the rest: 1, 3, 5 or 7
		if i < WindowCount-1 {
			digit = int64(new(big.Int).And(x, big.NewInt(15)).Uint64()) - 8
			x.Sub(x, big.NewInt(digit)).Rsh(x, 3)
		}
		sign := negative
		if digit < 0 {
			sign, digit = 1-negative, -digit
		}
		index := int(digit-1) / 2
		w[3*i], w[3*i+1], w[3*i+2] = index&1, index>>1, sign
	}
	return w
}

// windowTable holds the coordinates of (2j + 1) 8^i B.
var windowTable = sync.OnceValue(func() *[WindowCount][4][2]*big.Int {
	var t [WindowCount][4][2]*big.Int
	base := jubjub.Base()
	power := big.NewInt(1)
	for i := range t {
		for j := range t[i] {
			var p jubjub.Point
			p.ScalarMultiplication(&base, new(big.Int).Mul(power, big.NewInt(int64(2*j+1))))
			t[i][j] = [2]*big.Int{p.X.BigInt(new(big.Int)), p.Y.BigInt(new(big.Int))}
		}
		power.Lsh(power, 3)
	}
	return &t
})

// AddFixedBase is p + scalar B for a point p of Jubjub. The validator checks that p is on the curve.
//
//spec:id G-04
func AddFixedBase(api frontend.API, p Point, w *Windows) Point {
	for i, entry := range windowTable() {
		b0, b1, sign := w[3*i], w[3*i+1], w[3*i+2]
		api.AssertIsBoolean(b0)
		api.AssertIsBoolean(b1)
		api.AssertIsBoolean(sign)
		both := api.Mul(b0, b1)
		x := selectConstant(api, &entry, 0, b0, b1, both)
		p = add(api, p, Point{
			X: api.Mul(x, api.Sub(1, api.Mul(2, sign))), // -(x, y) = (-x, y)
			Y: selectConstant(api, &entry, 1, b0, b1, both),
		})
	}
	return p
}

// selectConstant is the multilinear form that takes the value entry[b0 + 2 b1][axis]; it is affine in b0, b1 and b0 b1.
func selectConstant(api frontend.API, entry *[4][2]*big.Int, axis int, b0, b1, both frontend.Variable) frontend.Variable {
	t0, t1, t2, t3 := entry[0][axis], entry[1][axis], entry[2][axis], entry[3][axis]
	d1 := new(big.Int).Sub(t1, t0)
	d2 := new(big.Int).Sub(t2, t0)
	d3 := new(big.Int).Sub(t3, t0)
	d3.Sub(d3, d1).Sub(d3, d2)
	return api.Add(t0, api.Mul(b0, d1), api.Mul(b1, d2), api.Mul(both, d3))
}
