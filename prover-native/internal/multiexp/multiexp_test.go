package multiexp

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Every window writes every half as the same number in digits of the promised size.
func TestRecode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	halves := []Half{{}, {1}, {^uint64(0)}, {0, 1}, {0, 1 << 63}, {^uint64(0), 1<<63 - 1}, {^uint64(0), ^uint64(0)}}
	for range 50 {
		halves = append(halves, Half{random.Uint64(), random.Uint64() >> random.IntN(64)})
	}
	for c := 2; c <= 12; c++ {
		for _, half := range halves {
			digits := make([]int16, (maxBits([]Half{half})+c)/c)
			half.recode(c, digits)
			sum := new(big.Int)
			for i := len(digits) - 1; i >= 0; i-- {
				if d := int(digits[i]); d > 1<<(c-1) || d <= -1<<(c-1) {
					t.Fatalf("digit %d with a window of %d", d, c)
				}
				sum.Lsh(sum, uint(c)).Add(sum, big.NewInt(int64(digits[i])))
			}
			want := new(big.Int).SetUint64(half[1])
			want.Lsh(want, 64).Add(want, new(big.Int).SetUint64(half[0]))
			if sum.Cmp(want) != 0 {
				t.Fatalf("%x is written as %x with a window of %d", want, sum, c)
			}
		}
	}
}
