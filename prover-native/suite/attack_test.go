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
	hm1, hm2 := admissible(t), admissible(t)
	s1 := randomField(t)
	var s2 Field
	s2.Add(&s1, &hm1).Sub(&s2, &hm2)

	cm1, cm2 := sum(s1, hm1), sum(s2, hm2)
	if !cm1.Equal(&cm2) {
		t.Fatal("the attack on the sum no longer applies")
	}
	forged, target := forge(t, x, cm1, hm1, hm2), admissible(t)
	must(t, x.Verify(x.committee, &target, forged(target)))

	ours1, ours2 := x.hasher.Commit(s1, hm1), x.hasher.Commit(s2, hm2)
	if ours1.Equal(&ours2) {
		t.Fatal("two openings of one commitment")
	}
	h1, err := x.BlindBase(&ours1, &x.d)
	must(t, err)
	h2, err := x.BlindBase(&ours2, &x.d)
	must(t, err)
	if h1.Equal(&h2) {
		t.Fatal("two messages under one base")
	}
}

// forge obtains signatures on two messages under one base and returns a signer for all others.
func forge(t *testing.T, x *fixture, cm, hm1, hm2 Field) func(Field) *Signature {
	t.Helper()
	h, err := x.BlindBase(&cm, &x.d)
	must(t, err)
	issue := func(hm Field) G1 {
		b := scalar(t)
		k, err := x.Blind(&hm, &cm, &x.d, &b)
		must(t, err)
		var partials []Partial
		for i := 1; i <= 3; i++ {
			p, err := x.Sign(x.shares[i-1], &cm, &x.d, &k)
			must(t, err)
			partials = append(partials, Partial{Index: i, Point: p})
		}
		combined, err := x.Combine(x.committee, partials)
		must(t, err)
		sig, err := x.Unblind(x.committee, &cm, &x.d, &combined, &b)
		must(t, err)
		return sig.S2
	}
	a, b := issue(hm1), issue(hm2) // h^{x + y m1}, h^{x + y m2}
	m1, err := Exponent(&hm1)
	must(t, err)
	m2, err := Exponent(&hm2)
	must(t, err)
	var inverse Scalar
	inverse.Sub(&m1, &m2).Inverse(&inverse)
	b.Neg(&b)
	difference := add(a, b)
	hy := mul(&difference, &inverse)
	minus := mul(&hy, &m1)
	minus.Neg(&minus)
	hx := add(a, minus)
	return func(hm Field) *Signature {
		m, err := Exponent(&hm)
		must(t, err)
		return &Signature{S1: h, S2: add(hx, mul(&hy, &m))}
	}
}

// Half-quorums of two statements must not add up: each statement has its own base even when it carries the
// very same blinded coin.
//
//spec:id S-03
func TestPartialsOfTwoStatementsDoNotCombine(t *testing.T) {
	x := newFixture(t, 1)
	otherD := randomField(t)
	p := x.partials(t, 1, 2)
	third, err := x.Sign(x.shares[2], &x.cm, &otherD, &x.k)
	must(t, err)
	combined, err := x.Combine(x.committee, append(p, Partial{Index: 3, Point: third}))
	must(t, err)
	for _, d := range []*Field{&x.d, &otherD} {
		refused(t, x.CheckBlinded(x.committee, &x.cm, d, &x.k, &combined), fault.SignatureInvalid)
	}
	sig, err := x.Unblind(x.committee, &x.cm, &x.d, &combined, &x.b)
	must(t, err)
	refused(t, x.Verify(x.committee, &x.hm, &sig), fault.SignatureInvalid)
}

//spec:id E-15
func TestBaseDependsOnNetworkCommitmentAndInputs(t *testing.T) {
	x := newFixture(t, 1)
	h, err := x.BlindBase(&x.cm, &x.d)
	must(t, err)
	must(t, CheckG1(&h))
	other := randomField(t)
	swapped, err := x.BlindBase(&x.d, &x.cm)
	must(t, err)
	h2, err := x.BlindBase(&x.cm, &other)
	must(t, err)
	h3, err := x.BlindBase(&other, &x.d)
	must(t, err)
	elsewhere, err := New(otherNetwork(t)).BlindBase(&x.cm, &x.d)
	must(t, err)
	for _, p := range []G1{swapped, h2, h3, elsewhere} {
		if p.Equal(&h) {
			t.Fatal("two contexts share a base")
		}
	}
}

// Only Sign may bring a share and a point together. A share's other exported methods take no point of G1.
func TestNoOperationRaisesACallersPointToAShare(t *testing.T) {
	shareType, pointType := reflect.TypeFor[*Share](), reflect.TypeFor[*G1]()
	takes := func(f reflect.Type, want reflect.Type) bool {
		for i := range f.NumIn() {
			if f.In(i) == want || f.In(i) == want.Elem() {
				return true
			}
		}
		return false
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*PointchevalSanders](), shareType} {
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			if takes(m.Type, shareType) && takes(m.Type, pointType) && m.Name != "Sign" {
				t.Fatalf("%v.%s combines a share with a point", typ, m.Name)
			}
		}
	}
	sign, ok := reflect.TypeFor[*PointchevalSanders]().MethodByName("Sign")
	if !ok {
		t.Fatal("no Sign")
	}
	points := 0
	for i := range sign.Type.NumIn() {
		if sign.Type.In(i) == pointType {
			points++
		}
	}
	if points != 1 {
		t.Fatalf("Sign takes %d points, k alone is allowed: h must be computed", points)
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
	hm := admissible(t)
	m, err := Exponent(&hm)
	must(t, err)
	// what an attacker would do with X1 = g1^x: h' = g1^s, M' = h'^m, s'' = X1^s * Y1^{s m}
	var sm Scalar
	sm.Mul(&s, &m)
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
	forged := Shown{H: h, M: mul(&h, &m), S: add(mul(&x1, &s), mul(&x.committee.Y1, &sm))}
	must(t, x.VerifyShown(x.committee, forged))
}
