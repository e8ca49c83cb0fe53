package suite

import (
	"errors"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

// fixture is a committee of four with one blinded coin that its wallet can open.
type fixture struct {
	*PointchevalSanders
	hasher    *hash.Hasher
	committee *Committee
	shares    []*Share
	hm        Field
	cm, d     Field
	b         Scalar
	k         G1
}

func newFixture(t testing.TB, f int) *fixture {
	t.Helper()
	tag, err := hash.NetworkTagOf("suite-test")
	must(t, err)
	x := &fixture{hasher: hash.New(tag)}
	x.PointchevalSanders = New(x.hasher)
	dealt, err := x.Deal(f)
	must(t, err)
	t.Cleanup(dealt.Close)
	for i := range dealt.Committee.Members {
		dealt.Committee.Members[i].NoteKey[0] = byte(i + 1)
	}
	x.committee, x.shares = dealt.Committee, dealt.Shares
	x.newCoin(t)
	return x
}

// newCoin draws another coin for the same committee.
func (x *fixture) newCoin(t testing.TB) {
	t.Helper()
	x.hm = admissible(t)
	s := randomField(t)
	x.cm = x.hasher.Commit(s, x.hm)
	x.d = randomField(t)
	x.b = scalar(t)
	k, err := x.Blind(&x.hm, &x.cm, &x.d, &x.b)
	must(t, err)
	x.k = k
}

func (x *fixture) partial(t testing.TB, index int) Partial {
	t.Helper()
	p, err := x.Sign(x.shares[index-1], &x.cm, &x.d, &x.k)
	must(t, err)
	return Partial{Index: index, Point: p}
}

func (x *fixture) partials(t testing.TB, indices ...int) []Partial {
	t.Helper()
	var all []Partial
	for _, i := range indices {
		all = append(all, x.partial(t, i))
	}
	return all
}

// signature runs the whole protocol with the first quorum.
func (x *fixture) signature(t testing.TB) Signature {
	t.Helper()
	indices := make([]int, x.committee.Quorum())
	for i := range indices {
		indices[i] = i + 1
	}
	combined, err := x.Combine(x.committee, x.partials(t, indices...))
	must(t, err)
	sig, err := x.Unblind(x.committee, &x.cm, &x.d, &combined, &x.b)
	must(t, err)
	return sig
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != want || err == nil {
		t.Fatalf("got %v, want %v", err, want)
	}
	if !errors.Is(err, fault.New(want, "")) {
		t.Fatalf("%v does not match its own code", err)
	}
}

func scalar(t testing.TB) Scalar {
	t.Helper()
	s, err := randomScalar()
	must(t, err)
	return s
}

func randomField(t testing.TB) Field {
	t.Helper()
	var e Field
	_, err := e.SetRandom()
	must(t, err)
	return e
}

// admissible draws a message hash that has an exponent.
func admissible(t testing.TB) Field {
	t.Helper()
	for {
		hm := randomField(t)
		if _, err := Exponent(&hm); err == nil {
			return hm
		}
	}
}

func randomG1(t testing.TB) G1 {
	t.Helper()
	s := scalar(t)
	return mulBase(&s)
}

// smallOrder is (0, 1), a point of order 3: on the curve, not in the subgroup.
func smallOrder() G1 {
	var p G1
	p.Y.SetOne()
	return p
}

// offCurve has canonical coordinates that do not satisfy the equation.
func offCurve() G1 {
	var p G1
	p.X.SetUint64(7)
	p.Y.SetUint64(7)
	return p
}

// mixed is a point of the subgroup plus one of order 3: pairings cannot tell it from the former.
func mixed(p G1) G1 { return add(p, smallOrder()) }

// badPoints are the ways in which a decoded or computed G1 point can be unusable.
func badPoints(t testing.TB) map[fault.Code]G1 {
	return map[fault.Code]G1{
		fault.IdentityPoint:      {},
		fault.PointNotOnCurve:    offCurve(),
		fault.PointNotInSubgroup: mixed(randomG1(t)),
	}
}
