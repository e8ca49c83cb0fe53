package groth

import (
	"fmt"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/internal/measure"
)

func TestMillerLoopsAgreeWithTheLibrary(t *testing.T) {
	for _, n := range []int{1, 2, 3, 20} {
		p, q := randomG1(t, n), randomG2(t, n)
		value, inside := millerAll(p, q)
		if !inside {
			t.Fatal("points of G2 are refused")
		}
		want, err := bls.Pair(p, q)
		must(t, err)
		if got := bls.FinalExponentiation(&value); !got.Equal(&want) {
			t.Fatalf("another pairing of %d pairs", n)
		}
	}
}

// The loop detects points outside G2: of each small order, of large order, alone and added to a point of G2, at every place.
func TestTheMillerLoopTestsTheSubgroup(t *testing.T) {
	p, q := randomG1(t, 5), randomG2(t, 5)
	for label, small := range cofactorPoints(t) {
		minus := small
		minus.Y.Neg(&minus.Y)
		for _, add := range []bls.G2Affine{small, minus} {
			for at := range q {
				good := q[at]
				for _, wrong := range []bls.G2Affine{add, plusG2(good, add)} {
					q[at] = wrong
					if _, inside := millerAll(p, q); inside {
						t.Fatalf("a component of order %s at %d is accepted", label, at)
					}
				}
				q[at] = good
			}
		}
	}
	for n := range uint64(60) {
		q[0] = onTwist(n)
		if _, inside := millerAll(p, q); inside {
			t.Fatalf("a point of the curve in general is accepted: %d + i", n)
		}
	}
}

// The multiple that the library's loop runs on is -x, and its digits are those that millerAll knows.
func TestTheMillerLoopsMultiple(t *testing.T) {
	sum := new(big.Int)
	for i := len(bls.LoopCounter) - 1; i >= 0; i-- {
		if d := bls.LoopCounter[i]; d != 0 && d != 1 {
			t.Fatalf("the digit %d", d)
		}
		sum.Lsh(sum, 1).Add(sum, big.NewInt(int64(bls.LoopCounter[i])))
	}
	if sum.Neg(sum).Cmp(seed()) != 0 || bls.LoopCounter[len(bls.LoopCounter)-1] != 1 {
		t.Fatal("another multiple")
	}
}

// A public input's combination may be the identity: its loop with fixed lines must count as one.
func TestTheFixedLoopOfTheIdentity(t *testing.T) {
	p, q := randomG1(t, 2), randomG2(t, 2)
	want, err := bls.Pair(p[:1], q[:1])
	must(t, err)
	p[1] = bls.G1Affine{}
	got, err := bls.PairFixedQ(p, []lineTable{bls.PrecomputeLines(q[0]), bls.PrecomputeLines(q[1])})
	must(t, err)
	if !got.Equal(&want) {
		t.Fatal("another pairing")
	}
}

func BenchmarkMiller(b *testing.B) {
	for _, n := range []int{1, 2, 3, 4, 6, 8, 16, 64} {
		p, q := randomG1(b, n), randomG2(b, n)
		b.Run(fmt.Sprintf("library/%d", n), func(b *testing.B) {
			measure.Loop(b, n, func() {
				_, _, err := millerEach(p, q)
				must(b, err)
			})
		})
		b.Run(fmt.Sprintf("here/%d", n), func(b *testing.B) {
			measure.Loop(b, n, func() { millerAll(p, q) })
		})
	}
}
