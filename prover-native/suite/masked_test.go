package suite

import (
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/g1/fp8"
)

// bothWays runs a test with eight field elements at once, where the processor can, and with one after the other.
func bothWays(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run("at once", test)
	defer fp8.OneByOne()()
	t.Run("one by one", test)
}

// The digits of a ladder are the scalars: with u and v of each, u + lambda v.
func TestLadderDigitsAreTheScalars(t *testing.T) {
	scalars := edgeScalars(t)
	for i := range scalars {
		x, y := &scalars[i], &scalars[(i+7)%len(scalars)]
		var digits [ladderSteps]uint8
		ladderDigits(&digits, x, y)
		var halves [4]*big.Int
		for j := range halves {
			halves[j] = new(big.Int)
			for _, d := range digits {
				halves[j].Lsh(halves[j], 1).Add(halves[j], big.NewInt(1-2*int64(d>>j&1)))
			}
		}
		for j, want := range []*Scalar{x, y} {
			n := new(big.Int).Mul(halves[2*j+1], lambdaInt)
			if n.Add(n, halves[2*j]).Mod(n, Order()); n.Cmp(want.BigInt(new(big.Int))) != 0 {
				t.Fatalf("%v and %v are not %v", halves[2*j], halves[2*j+1], want)
			}
		}
	}
}

// Points that are related to each other, which the special cases of additions are for, with all scalars at their bounds.
func TestLaddersAgreeWithTheLibrary(t *testing.T) {
	h := randomG1(t)
	image := g1.Image(&h)
	others := []G1{randomG1(t), h, image, add(h, h), add(h, image)}
	for i := range others {
		var minus G1
		others = append(others, *minus.Neg(&others[i]))
	}
	scalars := edgeScalars(t)
	bothWays(t, func(t *testing.T) {
		for at := range scalars {
			x, y := &scalars[at], &scalars[(3*at+1)%len(scalars)]
			for _, n := range []int{1, 2, 7, 8, 9} {
				into, pairs := make([]G1, n), make([]signingPair, n)
				for i := range pairs {
					pairs[i] = signingPair{h: h, k: others[(at+i)%len(others)], into: &into[i]}
				}
				must(t, maskedMulAll(pairs, x, y))
				for i := range pairs {
					if want := add(mul(&h, x), mul(&pairs[i].k, y)); into[i] != want {
						t.Fatalf("pair %d of %d with %v and %v", i, n, x, y)
					}
				}
			}
		}
	})
}

// The identity has no projective coordinates with Z = 1: a multiple of what would stand for it would be on another curve.
func TestLaddersRefuseTheIdentity(t *testing.T) {
	p, s := randomG1(t), scalar(t)
	for _, pair := range [][2]G1{{p, {}}, {{}, p}} {
		_, err := maskedMul(&pair[0], &pair[1], &s, &s)
		refused(t, err, fault.IdentityPoint)
	}
}
