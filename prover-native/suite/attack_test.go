package suite

import (
	"reflect"
	"testing"

	"solidus.io/prover/fault"
)

// The paper allows c_m = PRF(s + m). Then s' = s + m - m' commits another message to the same c_m, hence to
// the same base h, and two signatures under one base give away h^y and h^x: any message can be signed. The
// attack runs against both commitments; it works on the sum and finds no second opening on ours.
func TestCommitmentToASumForgesAndOursDoesNot(t *testing.T) {
	x := newFixture(t, 1)
	sum := func(s, hm Field) Field {
		var key Field
		key.Add(&s, &hm)
		return x.hasher.Commit(key, Field{})
	}
	hm1, hm2 := randomField(t), randomField(t)
	s1 := randomField(t)
	var s2 Field
	s2.Add(&s1, &hm1).Sub(&s2, &hm2)

	cm1, cm2 := sum(s1, hm1), sum(s2, hm2)
	if !cm1.Equal(&cm2) {
		t.Fatal("the attack on the sum no longer applies")
	}
	forged, target := forge(t, x, cm1, hm1, hm2), randomField(t)
	must(t, x.Verify(x.committee, &target, forged(target)))

	ours1, ours2 := x.hasher.Commit(s1, hm1), x.hasher.Commit(s2, hm2)
	if ours1.Equal(&ours2) {
		t.Fatal("two openings of one commitment")
	}
	one, two := &Outputs{D: x.outputs.D, Cms: []Field{ours1}}, &Outputs{D: x.outputs.D, Cms: []Field{ours2}}
	h1, err := x.BlindBase(one, 0)
	must(t, err)
	h2, err := x.BlindBase(two, 0)
	must(t, err)
	if h1.Equal(&h2) {
		t.Fatal("two messages under one base")
	}
}

// forge obtains signatures on two messages under one base and returns a signer for all others.
func forge(t *testing.T, x *fixture, cm, m1, m2 Field) func(Field) *Signature {
	t.Helper()
	outputs := &Outputs{D: randomField(t), Cms: []Field{cm}}
	h, err := x.BlindBase(outputs, 0)
	must(t, err)
	issue := func(hm Field) G1 {
		b := scalar(t)
		k, err := x.Blind(outputs, 0, &hm, &b)
		must(t, err)
		var partials []Partial
		for i := 1; i <= 3; i++ {
			p, err := x.Sign(x.shares[i-1], outputs, 0, &k)
			must(t, err)
			partials = append(partials, Partial{Index: i, Point: p})
		}
		combined, err := x.Combine(x.committee, partials)
		must(t, err)
		sig, err := x.Unblind(x.committee, outputs, 0, &combined, &b)
		must(t, err)
		return sig.S2
	}
	a, b := issue(m1), issue(m2) // h^{x + y m1}, h^{x + y m2}
	var inverse Scalar
	inverse.Sub(&m1, &m2).Inverse(&inverse)
	b.Neg(&b)
	difference := add(a, b)
	hy := mul(&difference, &inverse)
	minus := mul(&hy, &m1)
	minus.Neg(&minus)
	hx := add(a, minus)
	return func(m Field) *Signature {
		return &Signature{S1: h, S2: add(hx, mul(&hy, &m))}
	}
}

// Half-quorums of two statements must not add up: each statement has its own bases even when it carries the very same blinded
// coin.
//
//spec:id S-03
func TestPartialsOfTwoStatementsDoNotCombine(t *testing.T) {
	x := newFixture(t, 1)
	for name, other := range x.otherOutputs(t) {
		t.Run(name, func(t *testing.T) {
			p := x.partials(t, 1, 2)
			third, err := x.Sign(x.shares[2], other, 0, &x.k)
			must(t, err)
			combined, err := x.Combine(x.committee, append(p, Partial{Index: 3, Point: third}))
			must(t, err)
			for _, o := range []*Outputs{x.outputs, other} {
				refused(t, x.CheckBlinded(x.committee, o, 0, &x.k, &combined), fault.SignatureInvalid)
			}
			sig, err := x.Unblind(x.committee, x.outputs, 0, &combined, &x.b)
			must(t, err)
			refused(t, x.Verify(x.committee, &x.hm, &sig), fault.SignatureInvalid)
		})
	}
}

// otherOutputs differ from the fixture's in one value each.
func (x *fixture) otherOutputs(t *testing.T) map[string]*Outputs {
	t.Helper()
	o, fresh := x.outputs, randomField(t)
	return map[string]*Outputs{
		"another D":              {D: fresh, Period: o.Period, Cms: o.Cms},
		"another period":         {D: o.D, Period: o.Period + 1, Cms: o.Cms},
		"another commitment":     {D: o.D, Period: o.Period, Cms: []Field{fresh, o.Cms[1]}},
		"another second output":  {D: o.D, Period: o.Period, Cms: []Field{o.Cms[0], fresh}},
		"outputs swapped":        {D: o.D, Period: o.Period, Cms: []Field{o.Cms[1], o.Cms[0]}},
		"one output less":        {D: o.D, Period: o.Period, Cms: o.Cms[:1]},
		"one output more":        {D: o.D, Period: o.Period, Cms: append(o.Cms[:2:2], fresh)},
		"D and commitment moved": {D: o.Cms[0], Period: o.Period, Cms: []Field{o.D, o.Cms[1]}},
	}
}

//spec:id E-15
func TestBaseDependsOnNetworkAndAllOutputs(t *testing.T) {
	x := newFixture(t, 1)
	for range 2 { // the second time from the cache
		seen := map[G1]string{}
		check := func(name string, h G1, err error) {
			t.Helper()
			must(t, err)
			must(t, CheckG1(&h))
			if first, ok := seen[h]; ok {
				t.Fatalf("%s and %s share a base", name, first)
			}
			seen[h] = name
		}
		h, err := x.BlindBase(x.outputs, 0)
		check("the first output", h, err)
		h, err = x.BlindBase(x.outputs, 1)
		check("the second output", h, err)
		h, err = New(otherNetwork(t)).BlindBase(x.outputs, 0)
		check("another network", h, err)
		for name, o := range x.otherOutputs(t) {
			h, err := x.BlindBase(o, 0)
			check(name, h, err)
		}
	}
	for _, j := range []int{-1, 2, 256} {
		_, err := x.BlindBase(x.outputs, j)
		refused(t, err, fault.MalformedRequest)
	}
	_, err := x.BlindBase(&Outputs{Cms: make([]Field, 256)}, 0)
	refused(t, err, fault.MalformedRequest)
}

// Bases that depend on a coin's own commitment and D only, as they once did, are enough for two outputs and not for three. From
// 100 an owner makes (50, 50, 0), (50, 0, 50) and (0, 50, 50), all with the same inputs. One honest member signs each, and a
// dishonest member all three: three members sign every coin of 50. The honest members have reserved the inputs for one
// statement each, as they must.
//
//spec:id E-15
func TestThreeStatementsOfThreeOutputsMakeNoMoney(t *testing.T) {
	x := newFixture(t, 1)
	d := randomField(t)
	type coin struct {
		hm, cm Field
		b      Scalar
	}
	fifty, zero := make([]coin, 3), make([]coin, 3) // by place
	for j := range 3 {
		for _, c := range []*coin{&fifty[j], &zero[j]} {
			c.hm, c.b = randomField(t), scalar(t)
			c.cm = x.hasher.Commit(randomField(t), c.hm)
		}
	}
	// statement i has its coin of zero at place 2-i
	statement := func(i int) []coin {
		coins := append([]coin(nil), fifty...)
		coins[2-i] = zero[2-i]
		return coins
	}
	weak := func(i, j int) *Outputs { return &Outputs{D: d, Cms: []Field{statement(i)[j].cm}} }
	ours := func(i, _ int) *Outputs {
		o := &Outputs{D: d}
		for _, c := range statement(i) {
			o.Cms = append(o.Cms, c.cm)
		}
		return o
	}
	for name, rule := range map[string]struct {
		outputs func(i, j int) *Outputs
		place   func(j int) int
		made    int
	}{
		"own commitment": {weak, func(int) int { return 0 }, 3},
		"all outputs":    {ours, func(j int) int { return j }, 0},
	} {
		made := 0
		for j := range 3 {
			c, at := &fifty[j], rule.place(j)
			var partials []Partial
			sign := func(member, i int) {
				k, err := x.Blind(rule.outputs(i, j), at, &c.hm, &c.b)
				must(t, err)
				p, err := x.Sign(x.shares[member-1], rule.outputs(i, j), at, &k)
				must(t, err)
				partials = append(partials, Partial{Index: member, Point: p})
			}
			var last int
			for i := range 3 {
				if i != 2-j { // honest member i+1 signs statement i, which has a coin of 50 here
					sign(i+1, i)
					last = i
				}
			}
			sign(4, last)
			combined, err := x.Combine(x.committee, partials)
			must(t, err)
			for i := range 3 {
				sig, err := x.Unblind(x.committee, rule.outputs(i, j), at, &combined, &c.b)
				must(t, err)
				if x.Verify(x.committee, &c.hm, &sig) == nil {
					made++
					break
				}
			}
		}
		if made != rule.made {
			t.Errorf("%s: %d coins of 50 out of 100", name, made)
		}
	}
}

// With g1^x public, every presentation could be forged. The committee's type has no place for it.
func TestCommitteeHoldsNoPowerOfXInG1(t *testing.T) {
	count := func(typ reflect.Type) (names []string) {
		for i := range typ.NumField() {
			if typ.Field(i).Type == reflect.TypeFor[G1]() {
				names = append(names, typ.Field(i).Name)
			}
		}
		return names
	}
	if got := count(reflect.TypeFor[Committee]()); !reflect.DeepEqual(got, []string{"Y1"}) {
		t.Fatal(got)
	}
	if got := count(reflect.TypeFor[Member]()); !reflect.DeepEqual(got, []string{"Gamma"}) {
		t.Fatal(got)
	}
	x := newFixture(t, 1)
	s := scalar(t)
	hm := randomField(t)
	// what an attacker would do with X1 = g1^x: h' = g1^s, M' = h'^m, s'' = X1^s * Y1^{s m}
	var sm Scalar
	sm.Mul(&s, &hm)
	weights, err := lagrange([]int{1, 2, 3}, 0)
	must(t, err)
	var secret Scalar
	for i := range weights {
		var term Scalar
		term.Mul(&weights[i], &x.shares[i].x)
		secret.Add(&secret, &term)
	}
	x1 := mulBase(&secret)
	h := mulBase(&s)
	forged := Shown{H: h, M: mul(&h, &hm), S: add(mul(&x1, &s), mul(&x.committee.Y1, &sm))}
	must(t, x.VerifyShown(x.committee, forged))
}

// Shares of two epochs do not combine; those of one epoch make the same signature as those of the other.
//
//spec:id K-08
func TestSharesOfTwoEpochsDoNotCombine(t *testing.T) {
	x := newFixture(t, 1)
	former := x.shares
	next, err := (&Dealt{Committee: x.committee, Shares: former}).Refresh()
	must(t, err)
	must(t, next.Committee.Check())
	combined := func(shares ...*Share) G1 {
		t.Helper()
		var partials []Partial
		for _, share := range shares {
			p, err := x.Sign(share, x.outputs, 0, &x.k)
			must(t, err)
			partials = append(partials, Partial{Index: share.Index(), Point: p})
		}
		point, err := x.Combine(x.committee, partials)
		must(t, err)
		return point
	}
	one, other := combined(former[0], former[1], former[2]), combined(next.Shares[1], next.Shares[2], next.Shares[3])
	if !one.Equal(&other) {
		t.Error("the epochs sign differently")
	}
	mixed := combined(former[0], former[1], next.Shares[2])
	refused(t, x.CheckBlinded(x.committee, x.outputs, 0, &x.k, &mixed), fault.SignatureInvalid)
	p, err := x.Sign(next.Shares[0], x.outputs, 0, &x.k)
	must(t, err)
	must(t, x.CheckPartial(&next.Committee.Members[0], x.outputs, 0, &x.k, &p))
	refused(t, x.CheckPartial(&x.committee.Members[0], x.outputs, 0, &x.k, &p), fault.PartialInvalid)
}
