package suite

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/internal/g1"
)

// maskedMul returns x*p + y*q without using x or y themselves: both are split into fresh random summands, because the time
// and the memory accesses of a multiplication depend on its scalars. The two sums share their doublings and a table of a*p +
// b*q for two-bit a and b, so the masks cost additions only.
func maskedMul(p, q *G1, x, y *Scalar) (G1, error) {
	maskX, err := randomScalar()
	if err != nil {
		return G1{}, err
	}
	maskY, err := randomScalar()
	if err != nil {
		return G1{}, err
	}
	var restX, restY Scalar
	restX.Sub(x, &maskX)
	restY.Sub(y, &maskY)
	pairs := [2][2][fr.Limbs]uint64{{maskX.Bits(), maskY.Bits()}, {restX.Bits(), restY.Bits()}}
	table := smallCombinations(p, q)

	var sum bls.G1Jac
	sum.FromAffine(&G1{})
	for window := (fr.Bits+1)/2 - 1; window >= 0; window-- {
		sum.DoubleAssign().DoubleAssign()
		for i := range pairs {
			if at := twoBits(&pairs[i][0], window) | twoBits(&pairs[i][1], window)<<2; at != 0 {
				sum.AddMixed(&table[at-1])
			}
		}
	}
	var r G1
	r.FromJacobian(&sum)
	return r, nil
}

// smallCombinations returns a*p + b*q at index a + 4b - 1, for a and b from 0 to 3.
func smallCombinations(p, q *G1) []G1 {
	var table [15]bls.G1Jac
	var pj, qj bls.G1Jac
	pj.FromAffine(p)
	qj.FromAffine(q)
	for at := 1; at <= len(table); at++ {
		entry := &table[at-1]
		switch {
		case at == 1:
			entry.Set(&pj)
		case at < 4:
			entry.Set(&table[at-2]).AddAssign(&pj)
		case at == 4:
			entry.Set(&qj)
		default:
			entry.Set(&table[at-5]).AddAssign(&qj)
		}
	}
	return g1.Normalise(table[:])
}

// twoBits returns the base-4 digit with index window.
func twoBits(words *[fr.Limbs]uint64, window int) int {
	return int(words[window/32]>>(window%32*2)) & 3
}
