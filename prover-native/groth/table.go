package groth

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/multiexp"
)

const (
	windowBits  = 6
	windowCount = (fr.Bits + windowBits) / windowBits // one bit to spare, for the carry of signed digits
	windowSize  = 1 << (windowBits - 1)
)

// inputTable holds d * 2^(6i) * K for the points K of a verifying key and d = 1..32. With it, a combination of public inputs
// takes additions only. That is several times faster than the library's multi-exponentiation at this size, and takes 3 MB for
// the largest circuit.
type inputTable [][windowCount][windowSize]bls.G1Affine

func newInputTable(points []bls.G1Affine) inputTable {
	table := make(inputTable, len(points))
	for i := range points {
		var base bls.G1Jac
		base.FromAffine(&points[i])
		for w := range windowCount {
			table[i][w] = multiples(&base)
			for range windowBits {
				base.DoubleAssign()
			}
		}
	}
	return table
}

// multiples returns 1 to 32 times the base.
func multiples(base *bls.G1Jac) [windowSize]bls.G1Affine {
	var jac [windowSize]bls.G1Jac
	jac[0].Set(base)
	for d := 1; d < windowSize; d++ {
		jac[d].Set(&jac[d-1]).AddAssign(base)
	}
	return [windowSize]bls.G1Affine(g1.Normalise(jac[:]))
}

// combine returns sum scalars_i K_i.
func (t inputTable) combine(scalars []Field) (sum bls.G1Jac) {
	points := make([]bls.G1Affine, 0, windowCount*len(scalars))
	for i := range scalars {
		for w, digit := range recodeField(&scalars[i]) {
			switch {
			case digit > 0:
				points = append(points, t[i][w][digit-1])
			case digit < 0:
				points = append(points, t[i][w][-digit-1])
				points[len(points)-1].Y.Neg(&points[len(points)-1].Y)
			}
		}
	}
	var s g1.Adder
	lists := [][]bls.G1Affine{points}
	multiexp.Reduce(&s, lists)
	sum.FromAffine(&bls.G1Affine{})
	if len(lists[0]) == 1 {
		sum.FromAffine(&lists[0][0])
	}
	return sum
}

// recodeField writes a scalar in digits from -31 to 32.
func recodeField(e *Field) (digits [windowCount]int8) {
	words := e.Bits()
	carry := 0
	for w := range digits {
		at := w * windowBits
		v := words[at/64] >> (at % 64)
		if at%64 > 64-windowBits && at/64+1 < len(words) {
			v |= words[at/64+1] << (64 - at%64)
		}
		d := int(v&(1<<windowBits-1)) + carry
		carry = 0
		if d > windowSize {
			d -= 1 << windowBits
			carry = 1
		}
		digits[w] = int8(d)
	}
	return digits
}
