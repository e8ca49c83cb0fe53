package suite

import (
	"strconv"
	"testing"

	"solidus.io/prover/internal/measure"
)

func BenchmarkSign(b *testing.B) {
	x := newFixture(b, 1)
	measure.Loop(b, 1, func() { x.partial(b, 1) })
}

func BenchmarkCheckPartial(b *testing.B) {
	x := newFixture(b, 1)
	p := x.partial(b, 1)
	for b.Loop() {
		must(b, x.CheckPartial(&x.committee.Members[0], x.outputs, 0, &x.k, &p.Point))
	}
}

func BenchmarkVerifyShown3(b *testing.B) {
	x := newFixture(b, 1)
	sig := x.signature(b)
	shown := []Shown{x.show(b, &sig), x.show(b, &sig), x.show(b, &sig)}
	for b.Loop() {
		must(b, x.VerifyShown(x.committee, shown...))
	}
}

// BenchmarkShownHold is what a validator does with the presentations of 64 transfers.
func BenchmarkShownHold(b *testing.B) {
	x := newFixture(b, 1)
	sig := x.signature(b)
	shown := make([]Shown, 3*64)
	for i := range shown {
		shown[i] = x.show(b, &sig)
	}
	measure.Loop(b, 64, func() { must(b, x.ShownHold(x.committee, shown)) })
}

// BenchmarkInSubgroup is the check of the points of 1, 4 and 64 transfers: three shows of three points, two blinded coins and
// the link's T.
func BenchmarkInSubgroup(b *testing.B) {
	for _, n := range []int{1, 4, 64} {
		points := make([]*G1, 12*n)
		for i := range points {
			p := randomG1(b)
			points[i] = &p
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			measure.Loop(b, n, func() {
				if !InSubgroup(points) {
					b.Fatal("refused")
				}
			})
		})
	}
}

func BenchmarkVerifyCore(b *testing.B) {
	_, _, rk, sig := signed(b, [32]byte{})
	for b.Loop() {
		must(b, VerifyCore(&rk, [32]byte{}, sig))
	}
}

func BenchmarkCheckG1(b *testing.B) {
	p := randomG1(b)
	for b.Loop() {
		must(b, CheckG1(&p))
	}
}

func BenchmarkMul(b *testing.B) {
	p, s := randomG1(b), scalar(b)
	for b.Loop() {
		mul(&p, &s)
	}
}

// BenchmarkCombine is what a gateway or a wallet does with 2f+1 checked partial signatures on one output.
func BenchmarkCombine(b *testing.B) {
	x := newFixture(b, 1)
	partials := x.partials(b, 1, 2, 3)
	for b.Loop() {
		_, err := x.Combine(x.committee, partials)
		must(b, err)
	}
}
