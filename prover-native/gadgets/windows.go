package gadgets

import (
	"math/big"
	"sync"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"
)

// WindowCount is the number of signed 3-bit windows of a scalar. The odd integers below 8^85 in absolute value are exactly the
// values, and every residue mod r has an odd representative below 2r < 2^254.
const WindowCount = 85

// Windows is a scalar for the fixed base: per window two bits that select 1, 3, 5 or 7 and a sign bit. Every
// assignment of bits is a scalar, so nothing but their being bits needs checking.
//
//spec:id G-03
type Windows [3 * WindowCount]frontend.Variable

// RecodeWindows writes a scalar as windows.
func RecodeWindows(scalar *blsfr.Element) Windows {
	x := scalar.BigInt(new(big.Int))
	if x.Bit(0) == 0 {
		x.Add(x, groupOrder)
	}
	var w Windows
	for i := range WindowCount {
		digit := x.Int64() // the last digit is what is left, 1, 3, 5 or 7
		if i < WindowCount-1 {
			digit = int64(new(big.Int).And(x, big.NewInt(15)).Uint64()) - 8
			x.Sub(x, big.NewInt(digit)).Rsh(x, 3)
		}
		sign := 0
		if digit < 0 {
			sign, digit = 1, -digit
		}
		index := int(digit-1) / 2
		w[3*i], w[3*i+1], w[3*i+2] = index&1, index>>1, sign
	}
	return w
}

// windowTable holds the coordinates of (2j + 1) 8^i g1.
var windowTable = sync.OnceValue(func() *[WindowCount][4][2]*big.Int {
	var t [WindowCount][4][2]*big.Int
	_, _, g1, _ := bls12377.Generators()
	power := big.NewInt(1)
	for i := range t {
		for j := range t[i] {
			var p bls12377.G1Affine
			p.ScalarMultiplication(&g1, new(big.Int).Mul(power, big.NewInt(int64(2*j+1))))
			t[i][j] = [2]*big.Int{p.X.BigInt(new(big.Int)), p.Y.BigInt(new(big.Int))}
		}
		power.Lsh(power, 3).Mod(power, groupOrder)
	}
	return &t
})

// addWindows adds the scalar times g1 to an accumulator that carries +-T: 8 constraints per window.
func addWindows(api frontend.API, acc sw.G1Affine, w *Windows) sw.G1Affine {
	for i, entry := range windowTable() {
		b0, b1, sign := w[3*i], w[3*i+1], w[3*i+2]
		api.AssertIsBoolean(b0)
		api.AssertIsBoolean(b1)
		api.AssertIsBoolean(sign)
		both := api.Mul(b0, b1)
		y := selectConstant(api, &entry, 1, b0, b1, both)
		acc = add(api, acc, sw.G1Affine{
			X: selectConstant(api, &entry, 0, b0, b1, both),
			Y: api.Mul(y, api.Sub(1, api.Mul(2, sign))),
		})
	}
	return acc
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

// AddFixedBase is p + scalar * g1 for p in G1, and unsatisfiable where the sum is O. p = O is not representable.
//
//spec:id G-04
func AddFixedBase(api frontend.API, p sw.G1Affine, w *Windows) sw.G1Affine {
	acc := addWindows(api, add(api, p, offset()), w)
	return add(api, acc, negate(api, offset()))
}
