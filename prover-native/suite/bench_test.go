package suite

import (
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
		must(b, x.CheckPartial(&x.committee.Members[0], &x.cm, &x.d, &x.k, &p.Point))
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

func BenchmarkVerifyCore(b *testing.B) {
	a, alpha := scalar(b), scalar(b)
	sig, err := SignCore(&a, &alpha, [32]byte{})
	must(b, err)
	pk, err := PublicKey(&a)
	must(b, err)
	rk, err := RandomisedKey(&pk, &alpha)
	must(b, err)
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
