package suite

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/measure"
)

// orders are n orders of two coins each, every third with one coin.
func (x *fixture) orders(t testing.TB, n int) []OutputsToSign {
	t.Helper()
	all := make([]OutputsToSign, n)
	for i := range all {
		all[i] = OutputsToSign{D: randomField(t), Period: uint32(i)}
		for range 2 {
			all[i].Coins = append(all[i].Coins, Blinded{randomField(t), randomG1(t)})
		}
		if i%3 == 2 {
			all[i].Coins = all[i].Coins[:1]
		}
	}
	return all
}

func (x *fixture) signsTheSame(t *testing.T, orders []OutputsToSign) {
	t.Helper()
	signed, refused, err := x.SignAll(x.shares[1], orders)
	must(t, err)
	for i, o := range orders {
		var first error
		for j := range o.Coins {
			want, err := x.Sign(x.shares[1], o.outputs(), j, &o.Coins[j].K)
			if first == nil {
				first = err
			}
			if refused[i] == nil && !signed[i][j].Equal(&want) {
				t.Fatalf("order %d coin %d of %d: another signature", i, j, len(orders))
			}
		}
		if fault.CodeOf(refused[i]) != fault.CodeOf(first) {
			t.Fatalf("order %d: %v, alone %v", i, refused[i], first)
		}
		if (refused[i] == nil) != (len(signed[i]) == len(o.Coins) && len(o.Coins) > 0) {
			t.Fatalf("order %d: %d signatures with %v", i, len(signed[i]), refused[i])
		}
	}
}

func TestSignAllSignsWhatSignSigns(t *testing.T) {
	x := newFixture(t, 1)
	for _, n := range []int{0, 1, 2, 5, 12, 70, 130} {
		Forget()
		orders := x.orders(t, n)
		x.signsTheSame(t, orders)
		x.signsTheSame(t, orders) // with everything remembered
	}
}

func TestABadPointSpoilsItsOwnOrder(t *testing.T) {
	x := newFixture(t, 1)
	for _, n := range []int{3, 100} {
		Forget()
		orders := x.orders(t, n)
		at := 0
		for _, bad := range badPoints(t) {
			orders[at].Coins[at%2].K = bad
			at++
		}
		x.signsTheSame(t, orders)
		x.signsTheSame(t, orders)
	}
}

// Coins that are related to their base, which the special cases of the addition are for: k = h, -h, 2h, phi(h), and the
// generator.
func TestSignAllOnRelatedPoints(t *testing.T) {
	x := newFixture(t, 1)
	orders := x.orders(t, 36)
	for i := range orders {
		c := &orders[i].Coins[0]
		h, err := x.BlindBase(orders[i].outputs(), 0)
		must(t, err)
		switch i % 5 {
		case 0:
			c.K = h
		case 1:
			c.K.Neg(&h)
		case 2:
			c.K = add(h, h)
		case 3:
			c.K = g1.Image(&h)
		case 4:
			one := small(1)
			c.K = mulBase(&one)
		}
	}
	x.signsTheSame(t, orders)
	for _, n := range []int{1, 2, 3, 15, 16, 17} { // accumulators that meet table entries
		e := small(n)
		y := e
		pairs := make([]signingPair, 12)
		into := make([]G1, 12)
		for i := range pairs {
			pairs[i] = signingPair{h: orders[i].Coins[0].K, k: orders[i].Coins[0].K, into: &into[i]}
		}
		must(t, maskedMulAll(pairs, &e, &y))
		for i := range pairs {
			want := mul(&pairs[i].h, &e)
			if want = add(want, want); !into[i].Equal(&want) {
				t.Fatalf("%d times a point", 2*n)
			}
		}
	}
}

// Bases that were computed together are those that BlindBase computes one by one, of all outputs and of no more than there may be.
func TestPreparedBasesAreTheBases(t *testing.T) {
	x := newFixture(t, 1)
	all := []*Outputs{{}, {Cms: make([]Field, maxOutputs+1)}}
	for _, o := range x.orders(t, 9) {
		all = append(all, o.outputs())
	}
	var want []G1
	for range 2 {
		var got []G1
		for _, o := range all[2:] {
			for j := range o.Cms {
				h, err := x.BlindBase(o, j)
				must(t, err)
				got = append(got, h)
			}
		}
		if want != nil && !slices.Equal(got, want) {
			t.Fatal("other bases")
		}
		want = got
		Forget()
		x.PrepareBases(all)
	}
}

func TestSignAllWithAClosedShare(t *testing.T) {
	x := newFixture(t, 1)
	x.shares[1].Close()
	_, _, err := x.SignAll(x.shares[1], x.orders(t, 2))
	if !errors.Is(err, fault.New(fault.UnknownHandle, "")) {
		t.Fatal(err)
	}
}

// The cache compares a point's whole coordinates. Its negative, and a point off the curve with the same x, are other points.
func TestOnlyTheSamePointIsKnown(t *testing.T) {
	Forget()
	p := randomG1(t)
	if !KnownInSubgroup([]*G1{&p}) {
		t.Fatal("refused")
	}
	m := mixed(p)
	if KnownInSubgroup([]*G1{&p, &m}) {
		t.Fatal("a point with a component of order 3 is known")
	}
	if KnownInSubgroup([]*G1{&m}) {
		t.Fatal("what was refused is remembered")
	}
}

func BenchmarkSignAll(b *testing.B) {
	x := newFixture(b, 1)
	for _, n := range []int{1, 4, 16, 64} {
		orders := make([]OutputsToSign, n)
		for i := range orders {
			coins := []Blinded{{randomField(b), randomG1(b)}, {randomField(b), randomG1(b)}}
			orders[i] = OutputsToSign{D: randomField(b), Coins: coins}
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			measure.Loop(b, 2*n, func() {
				_, _, err := x.SignAll(x.shares[0], orders)
				must(b, err)
			})
		})
	}
}
