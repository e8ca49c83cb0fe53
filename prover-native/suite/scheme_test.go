package suite

import (
	"testing"

	"solidus.io/prover/fault"
)

// quorumsOfFour are all ways to choose three of four authorities.
var quorumsOfFour = [][]int{{1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}}

//spec:id S-05
func TestEveryQuorumYieldsTheSameSignature(t *testing.T) {
	x := newFixture(t, 1)
	var first Signature
	for n, quorum := range quorumsOfFour {
		combined, err := x.Combine(x.committee, x.partials(t, quorum...))
		must(t, err)
		must(t, x.CheckBlinded(x.committee, x.outputs, 0, &x.k, &combined))
		sig, err := x.Unblind(x.committee, x.outputs, 0, &combined, &x.b)
		must(t, err)
		must(t, x.Verify(x.committee, &x.hm, &sig))
		if n == 0 {
			first = sig
		} else if sig != first {
			t.Fatalf("quorum %v gives another signature", quorum)
		}
	}
}

func TestOrderOfPartialsDoesNotMatter(t *testing.T) {
	x := newFixture(t, 1)
	a, err := x.Combine(x.committee, x.partials(t, 4, 1, 3))
	must(t, err)
	b, err := x.Combine(x.committee, x.partials(t, 3, 4, 1))
	must(t, err)
	if !a.Equal(&b) {
		t.Fatal("combination depends on the order")
	}
}

func TestLargerCommittees(t *testing.T) {
	for _, f := range []int{2, 3} {
		x := newFixture(t, f)
		must(t, x.committee.Check())
		quorum := make([]int, 0, x.committee.Quorum())
		for i := x.committee.N(); len(quorum) < x.committee.Quorum(); i-- {
			quorum = append(quorum, i)
		}
		combined, err := x.Combine(x.committee, x.partials(t, quorum...))
		must(t, err)
		must(t, x.CheckBlinded(x.committee, x.outputs, 0, &x.k, &combined))
	}
}

//spec:id S-05
func TestCombineRefusesBadQuorums(t *testing.T) {
	x := newFixture(t, 1)
	p := x.partials(t, 1, 2, 3, 4)
	for name, c := range map[string]struct {
		in   []Partial
		want fault.Code
	}{
		"none":           {nil, fault.QuorumSize},
		"two":            {p[:2], fault.QuorumSize},
		"four":           {p, fault.QuorumSize},
		"duplicate":      {[]Partial{p[0], p[1], p[1]}, fault.DuplicateIndex},
		"same point":     {[]Partial{p[0], p[1], {Index: 1, Point: p[1].Point}}, fault.DuplicateIndex},
		"index zero":     {[]Partial{p[0], p[1], {Index: 0, Point: p[2].Point}}, fault.IndexOutOfRange},
		"negative index": {[]Partial{p[0], p[1], {Index: -3, Point: p[2].Point}}, fault.IndexOutOfRange},
		"index above N":  {[]Partial{p[0], p[1], {Index: 5, Point: p[2].Point}}, fault.IndexOutOfRange},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := x.Combine(x.committee, c.in)
			refused(t, err, c.want)
		})
	}
	for want, bad := range badPoints(t) {
		_, err := x.Combine(x.committee, []Partial{p[0], p[1], {Index: 3, Point: bad}})
		refused(t, err, want)
	}
}

func TestSwappedIndicesAreFoundOut(t *testing.T) {
	x := newFixture(t, 1)
	p := x.partials(t, 1, 2, 3)
	p[0].Index, p[1].Index = 2, 1
	combined, err := x.Combine(x.committee, p)
	must(t, err)
	refused(t, x.CheckBlinded(x.committee, x.outputs, 0, &x.k, &combined), fault.SignatureInvalid)
}

//spec:id S-04
func TestPartialIsCheckedBeforeUnblinding(t *testing.T) {
	x := newFixture(t, 1)
	p := x.partial(t, 2)
	member, err := x.committee.Member(2)
	must(t, err)
	must(t, x.CheckPartial(member, x.outputs, 0, &x.k, &p.Point))

	other := newFixture(t, 1)
	foreignKey, err := x.Sign(other.shares[1], x.outputs, 0, &x.k)
	must(t, err)
	secondOutput, err := x.Sign(x.shares[1], x.outputs, 1, &x.k)
	must(t, err)
	otherK := randomG1(t)
	wrongK, err := x.Sign(x.shares[1], x.outputs, 0, &otherK)
	must(t, err)
	negated := p.Point
	negated.Neg(&negated)
	points := map[string]G1{
		"another authority's": x.partial(t, 1).Point,
		"of another key":      foreignKey,
		"on another output":   secondOutput,
		"on another k":        wrongK,
		"negated":             negated,
		"random":              randomG1(t),
	}
	for name, o := range x.otherOutputs(t) {
		points[name], err = x.Sign(x.shares[1], o, 0, &x.k)
		must(t, err)
	}
	for name, point := range points {
		t.Run(name, func(t *testing.T) {
			refused(t, x.CheckPartial(member, x.outputs, 0, &x.k, &point), fault.PartialInvalid)
		})
	}
	for want, bad := range badPoints(t) {
		refused(t, x.CheckPartial(member, x.outputs, 0, &x.k, &bad), want)
		refused(t, x.CheckPartial(member, x.outputs, 0, &bad, &p.Point), want)
		refused(t, x.CheckBlinded(x.committee, x.outputs, 0, &bad, &p.Point), want)
	}
	if _, err := x.committee.Member(0); fault.CodeOf(err) != fault.IndexOutOfRange {
		t.Fatal("member 0 exists")
	}
	if _, err := x.committee.Member(5); fault.CodeOf(err) != fault.IndexOutOfRange {
		t.Fatal("member 5 of 4 exists")
	}
}

// A partial shifted by a point of order 3 satisfies the pairing equation: only the subgroup check sees it.
func TestCofactorComponentPassesThePairingButNotTheCheck(t *testing.T) {
	x := newFixture(t, 1)
	p := x.partial(t, 1)
	h, err := x.BlindBase(x.outputs, 0)
	must(t, err)
	shifted := mixed(p.Point)
	m := &x.committee.Members[0]
	if !pairingHolds(&h, &m.X, &x.k, &m.Y, &shifted) {
		t.Fatal("the pairing saw the cofactor: this test no longer shows why the check exists")
	}
	refused(t, x.CheckPartial(m, x.outputs, 0, &x.k, &shifted), fault.PointNotInSubgroup)
}

func TestSignRefusesBadPoints(t *testing.T) {
	x := newFixture(t, 1)
	for want, bad := range badPoints(t) {
		_, err := x.Sign(x.shares[0], x.outputs, 0, &bad)
		refused(t, err, want)
	}
}

//spec:id S-03
func TestSigningIsDeterministicDespiteItsMasks(t *testing.T) {
	x := newFixture(t, 1)
	first := x.partial(t, 1)
	for range 20 {
		if again := x.partial(t, 1); again != first {
			t.Fatal("two partials on one statement differ")
		}
	}
	h, err := x.BlindBase(x.outputs, 0)
	must(t, err)
	want := add(mul(&h, &x.shares[0].x), mul(&x.k, &x.shares[0].y))
	if !want.Equal(&first.Point) {
		t.Fatal("masked signing differs from the equation")
	}
}

func TestMaskedMultiplicationIsExact(t *testing.T) {
	var zero, one, minusOne Scalar
	one.SetOne()
	minusOne.Neg(&one)
	for range 8 {
		p, q := randomG1(t), randomG1(t)
		opposite := p
		opposite.Neg(&p)
		for _, x := range []Scalar{zero, one, minusOne, scalar(t)} {
			for _, y := range []Scalar{zero, one, minusOne, scalar(t)} {
				for _, second := range []G1{q, p, opposite} {
					got, err := maskedMul(&p, &second, &x, &y)
					must(t, err)
					if want := add(mul(&p, &x), mul(&second, &y)); !got.Equal(&want) {
						t.Fatal("masked multiplication differs")
					}
				}
			}
		}
	}
}

//spec:id S-06 S-07
func TestUnblindAndVerify(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	must(t, x.Verify(x.committee, &x.hm, &sig))
	other := randomField(t)
	refused(t, x.Verify(x.committee, &other, &sig), fault.SignatureInvalid)
	refused(t, x.Verify(newFixture(t, 1).committee, &x.hm, &sig), fault.SignatureInvalid)
	combined, err := x.Combine(x.committee, x.partials(t, 1, 2, 3))
	must(t, err)
	wrongB := scalar(t)
	bad, err := x.Unblind(x.committee, x.outputs, 0, &combined, &wrongB)
	must(t, err)
	refused(t, x.Verify(x.committee, &x.hm, &bad), fault.SignatureInvalid)
	for want, p := range badPoints(t) {
		_, err := x.Unblind(x.committee, x.outputs, 0, &p, &x.b)
		refused(t, err, want)
		refused(t, x.Verify(x.committee, &x.hm, &Signature{S1: p, S2: sig.S2}), want)
		refused(t, x.Verify(x.committee, &x.hm, &Signature{S1: sig.S1, S2: p}), want)
	}
}

//spec:id S-08
func TestRandomise(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	s := scalar(t)
	again, err := x.Randomise(&sig, &s)
	must(t, err)
	must(t, x.Verify(x.committee, &x.hm, &again))
	if again.S1 == sig.S1 || again.S2 == sig.S2 {
		t.Fatal("nothing was re-randomised")
	}
	_, err = x.Randomise(&sig, &Scalar{})
	refused(t, err, fault.ScalarZero)
}

func TestClosedShareDoesNotSign(t *testing.T) {
	x := newFixture(t, 1)
	share := x.shares[0]
	must(t, share.Matches(&x.committee.Members[0]))
	refused(t, share.Matches(&x.committee.Members[1]), fault.ShareInvalid)
	share.Close()
	share.Close()
	_, err := x.Sign(share, x.outputs, 0, &x.k)
	refused(t, err, fault.UnknownHandle)
	refused(t, share.Matches(&x.committee.Members[0]), fault.UnknownHandle)
	if !share.x.IsZero() || !share.y.IsZero() {
		t.Fatal("a closed share keeps its scalars")
	}
}

func TestShareDecoding(t *testing.T) {
	good := func() []byte { s := scalar(t); return EncodeScalar(&s) }
	x, y := good(), good()
	share, err := NewShare(3, x, y)
	must(t, err)
	if share.Index() != 3 {
		t.Fatal("index")
	}
	for _, b := range [][]byte{x, y} {
		for _, v := range b {
			if v != 0 {
				t.Fatal("the caller's secret was not cleared")
			}
		}
	}
	again := good()
	_, err = NewShare(0, good(), again)
	refused(t, err, fault.IndexOutOfRange)
	if again[31] != 0 || again[0] != 0 {
		t.Fatal("the caller's secret was not cleared on failure")
	}
	_, err = NewShare(MaxAuthorities+1, good(), good())
	refused(t, err, fault.IndexOutOfRange)
	_, err = NewShare(1, make([]byte, 32), good())
	refused(t, err, fault.ShareInvalid)
	_, err = NewShare(1, good(), make([]byte, 32))
	refused(t, err, fault.ShareInvalid)
	_, err = NewShare(1, bigBytes(Order(), 32), good())
	refused(t, err, fault.ScalarNotCanonical)
	_, err = NewShare(1, good(), make([]byte, 5))
	refused(t, err, fault.BadLength)
}
