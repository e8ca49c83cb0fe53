package groth

import (
	"math/big"
	"testing"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/internal/measure"
)

func TestMillerLoopsAgreeWithTheLibrary(t *testing.T) {
	for _, n := range []int{1, 2, 3, 20} {
		p, q := randomPoints(t, "G1", n), randomPoints(t, "G2", n)
		value, inside := millerAll(p, q)
		if !inside {
			t.Fatal("points of G2 are refused")
		}
		other := make([]bw6.G2Affine, n)
		for i := range q {
			other[i] = bw6.G2Affine(q[i])
		}
		want, err := bw6.Pair(p, other)
		must(t, err)
		if got := bw6.FinalExponentiation(&value); !got.Equal(&want) {
			t.Fatalf("another pairing of %d pairs", n)
		}
	}
}

// The loop detects points outside G2: of each small order, of large order, alone and added to a point of G2, at every place.
func TestTheMillerLoopTestsTheSubgroup(t *testing.T) {
	p, q := randomPoints(t, "G1", 5), randomPoints(t, "G2", 5)
	bad := cofactorPoints(t, "G2")
	for label, small := range bad {
		minus := small
		minus.Y.Neg(&minus.Y)
		for _, add := range []affine{small, minus} {
			for at := range q {
				good := q[at]
				for _, wrong := range []affine{add, plus(good, add)} {
					q[at] = wrong
					if _, inside := millerAll(p, q); inside {
						t.Fatalf("a component of order %s at %d is accepted", label, at)
					}
				}
				q[at] = good
			}
		}
	}
	// two points of order two times anything: not rational on this curve, so points of the curve in general
	for x := uint64(2); x < 60; x++ {
		q[0] = onCurve(4, x)
		if _, inside := millerAll(p, q); inside {
			t.Fatalf("a point of the curve in general is accepted: x = %d", x)
		}
	}
}

// The numbers in the comment of millerAll.
func TestTheMillerLoopsMap(t *testing.T) {
	x := new(big.Int).SetUint64(seed)
	one := big.NewInt(1)
	a0 := new(big.Int).Add(x, one)
	a1 := new(big.Int).Mul(x, x)
	a1.Mul(a1, new(big.Int).Sub(x, one)).Sub(a1, x)
	norm := new(big.Int).Mul(a0, a0)
	norm.Add(norm, new(big.Int).Mul(a0, a1)).Add(norm, new(big.Int).Mul(a1, a1))
	if norm.Cmp(new(big.Int).Mul(fr.Modulus(), big.NewInt(3))) != 0 {
		t.Fatal("the degree is not 3r")
	}
	sum0, sum1 := new(big.Int), new(big.Int)
	for i := len(bw6.LoopCounter) - 1; i >= 0; i-- {
		sum0.Lsh(sum0, 1).Add(sum0, big.NewInt(int64(bw6.LoopCounter[i])))
		sum1.Lsh(sum1, 1).Add(sum1, big.NewInt(int64(bw6.LoopCounter1[i])))
	}
	if sum0.Cmp(a0) != 0 || sum1.Cmp(a1) != 0 {
		t.Fatal("the library's loop runs on other numbers")
	}
	last := len(bw6.LoopCounter) - 1
	if bw6.LoopCounter[last] != 0 || bw6.LoopCounter1[last] != 1 || bw6.LoopCounter[0] != 0 || bw6.LoopCounter1[0] != -1 {
		t.Fatal("the loop begins and ends otherwise")
	}
	for i := range bw6.LoopCounter {
		if bw6.LoopCounter[i] != 0 && bw6.LoopCounter1[i] != 0 {
			t.Fatal("two digits at once")
		}
	}
	h, _ := new(big.Int).SetString(cofactors["G2"].h, 10)
	if new(big.Int).Mod(h, big.NewInt(9)).Sign() == 0 {
		t.Fatal("9 divides the order")
	}
	for _, q := range randomPoints(t, "G2", 20) {
		if !inImage(&q) {
			t.Fatal("a point of G2 is not in the image")
		}
		var small affine
		small.Y.SetUint64(2)
		if moved := plus(q, small); inImage(&moved) {
			t.Fatal("a component of order three is in the image")
		}
	}
	var e fp.Element
	e.SetUint64(5)
	got := powerThird(&e)
	n := new(big.Int).Sub(fp.Modulus(), one)
	var want fp.Element
	if want.Exp(e, n.Div(n, big.NewInt(3))); !got.Equal(&want) {
		t.Fatal("another power")
	}
}

func BenchmarkMiller(b *testing.B) {
	for _, n := range []int{1, 4, 16, 64, 256} {
		p, q := randomPoints(b, "G1", n), randomPoints(b, "G2", n)
		other := make([]bw6.G2Affine, n)
		for i := range q {
			other[i] = bw6.G2Affine(q[i])
		}
		b.Run("library/"+big.NewInt(int64(n)).String(), func(b *testing.B) {
			measure.Loop(b, n, func() {
				_, err := bw6.MillerLoop(p, other)
				must(b, err)
			})
		})
		b.Run("here/"+big.NewInt(int64(n)).String(), func(b *testing.B) {
			measure.Loop(b, n, func() { millerAll(p, q) })
		})
	}
}
