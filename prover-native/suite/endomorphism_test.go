package suite

import (
	"math/big"
	"testing"

	"solidus.io/prover/internal/multiexp"
)

// edgeScalars are the scalars whose halves are at their bounds, and some random ones.
func edgeScalars(t testing.TB) []Scalar {
	t.Helper()
	var all []Scalar
	lambdaAndOne := new(big.Int).Add(lambdaInt, big.NewInt(1))
	for _, n := range []*big.Int{new(big.Int), lambdaInt, lambdaAndOne, new(big.Int).Mul(lambdaInt, lambdaInt), Order()} {
		for d := int64(-1); d <= 1; d++ {
			var s Scalar
			all = append(all, *s.SetBigInt(new(big.Int).Add(n, big.NewInt(d))))
		}
	}
	for range 20 {
		all = append(all, scalar(t))
	}
	return all
}

func TestEndomorphismSplitsScalars(t *testing.T) {
	word := func(h multiexp.Half) *big.Int {
		n := new(big.Int).SetUint64(h[1])
		return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(h[0]))
	}
	longest := 0
	for _, s := range edgeScalars(t) {
		u, v := split(&s)
		n := new(big.Int).Mul(word(v), lambdaInt)
		if n.Add(n, word(u)).Cmp(s.BigInt(new(big.Int))) != 0 || word(u).Cmp(lambdaInt) >= 0 {
			t.Fatalf("%v is not %v + lambda %v", &s, u, v)
		}
		longest = max(longest, word(u).BitLen(), word(v).BitLen())
		p := randomG1(t)
		sum := newG1Sum(1)
		sum.add(&p, &s)
		if got, want := sum.total(), mul(&p, &s); !got.Equal(&want) {
			t.Fatalf("another multiple by %v", &s)
		}
	}
	if longest != 128 {
		t.Fatalf("halves of at most %d bits: the test misses the bound", longest)
	}
}
