package clause_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

//spec:id C-01
func TestRandomisedKey(t *testing.T) {
	a, alpha := st.KeyScalar(t), st.KeyScalar(t)
	pk := jubjub.MulBase(&a)
	owner := &clause.Owner{Nk: st.Field(t), Alpha: alpha}

	rk, err := owner.RandomisedKey(&pk)
	if err != nil {
		t.Fatal(err)
	}
	if want := jubjub.Add(pk, jubjub.MulBase(&alpha)); !rk.Equal(&want) {
		t.Error("rk is not pk + alpha B")
	}
	h := hash.New(st.Network(t))
	if got, want := owner.Apk(h, &rk), h.Apk(owner.Nk, &pk); got != want {
		t.Error("the address behind rk is another one")
	}
	if _, got := owner.Address(h, &rk); got != h.SerialKey(owner.Nk, &pk) {
		t.Error("the serial key behind rk is another one")
	}

	var minusA jubjub.Scalar
	minusA.Neg(&a)
	identity, order2 := jubjub.Point{}, jubjub.Point{}
	identity.Y.SetOne()
	order2.Y.SetInt64(-1)
	for name, x := range map[string]struct {
		pk    jubjub.Point
		alpha jubjub.Scalar
		code  fault.Code
	}{
		"identity":             {identity, alpha, fault.IdentityPoint},
		"outside the subgroup": {jubjub.Add(pk, order2), alpha, fault.PointNotInSubgroup},
		"off the curve":        {jubjub.Point{X: fr.One(), Y: fr.One()}, alpha, fault.PointNotOnCurve},
		"sum is the identity":  {pk, minusA, fault.IdentityPoint},
	} {
		t.Run(name, func(t *testing.T) {
			o := &clause.Owner{Nk: owner.Nk, Alpha: x.alpha}
			if _, err := o.RandomisedKey(&x.pk); fault.CodeOf(err) != x.code {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestOwnerOfTheIdentityHasNoAddress(t *testing.T) {
	alpha := st.KeyScalar(t)
	rk := jubjub.MulBase(&alpha)
	owner := &clause.Owner{Nk: st.Field(t), Alpha: alpha}
	if apk, serialKey := owner.Address(hash.New(st.Network(t)), &rk); !apk.IsZero() || !serialKey.IsZero() {
		t.Error("an address without a key")
	}
}

// outputs are two messages with their blindings.
func outputs(t *testing.T) ([]fr.Element, []clause.Blinding) {
	t.Helper()
	messages := []fr.Element{st.Field(t), st.Field(t)}
	return messages, []clause.Blinding{{S: st.Field(t), B: st.Field(t)}, {S: st.Field(t), B: st.Field(t)}}
}

// A blinded coin is (c_m, h, k) as the signature scheme defines it.
//
//spec:id S-02
func TestBlindIsTheSchemes(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	const period = 202606
	messages, blindings := outputs(t)
	coins, err := clause.Blind(h, &d, period, messages, blindings)
	if err != nil {
		t.Fatal(err)
	}
	o := &suite.Outputs{D: d, Period: period}
	for j := range messages {
		o.Cms = append(o.Cms, h.Commit(blindings[j].S, messages[j]))
	}
	for j := range coins {
		base, err := h.CoinBase(o, j)
		if err != nil {
			t.Fatal(err)
		}
		k, err := suite.New(h).Blind(o, j, &messages[j], &blindings[j].B)
		if err != nil {
			t.Fatal(err)
		}
		if coins[j].Cm != o.Cms[j] || coins[j].H != base || coins[j].K != k {
			t.Errorf("another blinded coin %d", j)
		}
		if !blindings[j].Opens(h, &coins[j], &messages[j]) {
			t.Errorf("coin %d does not open", j)
		}
	}
}

// Each base depends on D, the period and the commitments of all outputs, so no two statements share one.
//
//spec:id E-15
func TestBasesBelongToOneStatement(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	messages, blindings := outputs(t)
	blind := func(d fr.Element, period uint32) clause.Coin {
		t.Helper()
		coins, err := clause.Blind(h, &d, period, messages, blindings)
		if err != nil {
			t.Fatal(err)
		}
		return coins[0]
	}
	reference := blind(d, 1)
	others := []clause.Coin{blind(d, 2), blind(st.Field(t), 1)}
	blindings[1].S = st.Field(t)
	others = append(others, blind(d, 1))
	for i, other := range others {
		if other.Cm != reference.Cm || other.H == reference.H || other.K == reference.K {
			t.Errorf("statement %d shares a base, or has another commitment", i)
		}
	}
}

// A blinding chosen so that m h + b g1 is the identity: such a coin has no encoding.
func TestIdentityAsBlindedMessage(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	b := clause.Blinding{S: st.Field(t), B: st.Field(t)}
	zero := []fr.Element{{}} // k = b g1
	coins, err := clause.Blind(h, &d, 0, zero, []clause.Blinding{b})
	if err != nil {
		t.Fatal(err)
	}
	if !b.Opens(h, &coins[0], &zero[0]) {
		t.Error("an honest coin does not open")
	}
	b.B.SetZero()
	if _, err := clause.Blind(h, &d, 0, zero, []clause.Blinding{b}); fault.CodeOf(err) != fault.IdentityPoint {
		t.Errorf("blinded the identity with error %v", err)
	}
}

func TestOpensAndHides(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	messages, blindings := outputs(t)
	coins, err := clause.Blind(h, &d, 0, messages, blindings)
	if err != nil {
		t.Fatal(err)
	}
	coin, b, other := coins[0], blindings[0], st.Field(t)
	base := st.Point(t)
	shown := clause.Show(&base, &messages[0], &b.B)
	if !shown.Hides(&messages[0], &b.B) {
		t.Error("an honest shown signature does not hide its message")
	}
	moved := shown
	moved.H = st.Point(t)
	withB, withS := b, b
	withB.B, withS.S = other, other
	exchanged := coin
	exchanged.K = coins[1].K
	for name, accepted := range map[string]bool{
		"opens to another message":     b.Opens(h, &coin, &messages[1]),
		"opens under another b":        withB.Opens(h, &coin, &messages[0]),
		"opens under another s":        withS.Opens(h, &coin, &messages[0]),
		"opens with another k":         b.Opens(h, &exchanged, &messages[0]),
		"hides another message":        shown.Hides(&messages[1], &b.B),
		"hides under another o":        shown.Hides(&messages[0], &other),
		"hides on another base":        moved.Hides(&messages[0], &b.B),
		"hides a message plus l":       shown.Hides(plus(messages[0], jubjub.Order()), &b.B),
		"opens to a message minus one": b.Opens(h, &coin, plus(messages[0], big.NewInt(-1))),
	} {
		if accepted {
			t.Error(name)
		}
	}
}

func plus(x fr.Element, add *big.Int) *fr.Element {
	var e fr.Element
	e.SetBigInt(add)
	x.Add(&x, &e)
	return &x
}

// linked are a shown signature and an output with a link that is made for them.
type linked struct {
	h        *hash.Hasher
	d        fr.Element
	rk       jubjub.Point
	core     [32]byte
	shown    clause.Shown
	coin     clause.Coin
	messages []fr.Element
	points   clause.Linked
	link     *clause.Link
}

func bind(t *testing.T) *linked {
	t.Helper()
	x := &linked{h: hash.New(st.Network(t)), d: st.Field(t), rk: st.KeyPoint(t), core: st.Core(t)}
	messages, blindings := outputs(t)
	x.messages = messages
	base, o := st.Point(t), st.Field(t)
	x.shown = clause.Show(&base, &messages[0], &o)
	coins, err := clause.Blind(x.h, &x.d, 7, messages[1:], blindings[1:])
	if err != nil {
		t.Fatal(err)
	}
	x.coin = coins[0]
	x.points.Shown(&x.shown, &messages[0], &o)
	x.points.Output(&x.coin, &messages[1], &blindings[1].B)
	if x.link, err = x.points.Bind(x.h, x.core, &x.d, &x.rk); err != nil {
		t.Fatal(err)
	}
	return x
}

// statement is what a validator knows.
func (x *linked) statement() *suite.LinkStatement {
	return &suite.LinkStatement{
		Core: x.core, D: x.d, RK: &x.rk,
		H: []suite.G1{x.shown.H, x.coin.H}, M: []suite.G1{x.shown.M, x.coin.K},
	}
}

// A link holds for its messages, and a validator accepts it with the challenge that it computes itself.
//
//spec:id C-03 L-02 L-03 L-04
func TestLink(t *testing.T) {
	x := bind(t)
	if !x.link.Holds(x.h, x.messages...) {
		t.Error("an honest link does not hold")
	}
	c, err := x.statement().Challenge(&x.link.Shown.T, &x.link.Shown.A)
	if err != nil {
		t.Fatal(err)
	}
	if c != x.link.C {
		t.Error("the validator's challenge is another one")
	}
	claim := &suite.LinkClaim{Statement: x.statement(), Link: &x.link.Shown, C: c}
	if err := suite.VerifyLinks([]*suite.LinkClaim{claim}); err != nil {
		t.Errorf("a validator refuses an honest link: %v", err)
	}
	claim.Statement.M[0], claim.Statement.M[1] = claim.Statement.M[1], claim.Statement.M[0]
	if err := suite.VerifyLinks([]*suite.LinkClaim{claim}); fault.CodeOf(err) != fault.LinkInvalid {
		t.Errorf("exchanged points: %v", err)
	}
}

//spec:id C-03
func TestLinkRefuses(t *testing.T) {
	for name, change := range map[string]func(x *linked){
		"another message":     func(x *linked) { x.messages[1] = st.Field(t) },
		"messages exchanged":  func(x *linked) { x.messages[0], x.messages[1] = x.messages[1], x.messages[0] },
		"a message too few":   func(x *linked) { x.messages = x.messages[:1] },
		"a message too many":  func(x *linked) { x.messages = append(x.messages, fr.Element{}) },
		"a nonce too few":     func(x *linked) { x.link.Secrets.Kappa = x.link.Secrets.Kappa[:1] },
		"another a":           func(x *linked) { x.link.Shown.A = st.Field(t) },
		"another challenge":   func(x *linked) { x.link.C = st.Field(t) },
		"another response":    func(x *linked) { x.link.Shown.Z[1] = st.Field(t) },
		"another nonce":       func(x *linked) { x.link.Secrets.Kappa[0] = st.Field(t) },
		"another salt":        func(x *linked) { x.link.Secrets.Salt = st.Field(t) },
		"of another network":  func(x *linked) { x.h = hash.New(st.OtherNetwork(t)) },
		"secrets overwritten": func(x *linked) { x.link.Wipe() },
	} {
		t.Run(name, func(t *testing.T) {
			x := bind(t)
			change(x)
			if x.link.Holds(x.h, x.messages...) {
				t.Error("the link holds")
			}
		})
	}
}

// Two links of one statement share nothing: from two answers with one nonce the message follows.
//
//spec:id L-01
func TestLinksAreFresh(t *testing.T) {
	x := bind(t)
	again, err := x.points.Bind(x.h, x.core, &x.d, &x.rk)
	if err != nil {
		t.Fatal(err)
	}
	if !again.Holds(x.h, x.messages...) {
		t.Fatal("the second link does not hold")
	}
	a, b := x.link.Secrets, again.Secrets
	if a.Kappa[0] == b.Kappa[0] || a.Kappa[1] == b.Kappa[1] || a.Blind == b.Blind || a.Salt == b.Salt || x.link.C == again.C {
		t.Error("two links share a secret or a challenge")
	}
}

// The assignment and the public inputs have the order a, c, z_1, z_2.
func TestLinkAssignment(t *testing.T) {
	x := bind(t)
	public, secret := x.link.Assign()
	v := x.link.Append([]fr.Element{fr.One()})
	want := []fr.Element{fr.One(), x.link.Shown.A, x.link.C, x.link.Shown.Z[0], x.link.Shown.Z[1]}
	if len(v) != len(want) {
		t.Fatalf("%d public inputs, want %d", len(v), len(want))
	}
	for i := range v {
		if v[i] != want[i] {
			t.Errorf("public input %d is another one", i)
		}
	}
	if public.A != x.link.Shown.A || public.C != x.link.C || secret.Salt != x.link.Secrets.Salt {
		t.Error("another a, c or salt")
	}
	for i := range x.messages {
		if public.Responses[i] != x.link.Shown.Z[i] || secret.Nonces[i] != x.link.Secrets.Kappa[i] {
			t.Errorf("another response or nonce %d", i)
		}
	}
}

// A mint has no rk, and its link is no other statement's.
//
//spec:id L-02
func TestLinkOfAMint(t *testing.T) {
	x := bind(t)
	mint, err := x.points.Bind(x.h, x.core, &x.d, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := x.statement()
	withKey, err := s.Challenge(&mint.Shown.T, &mint.Shown.A)
	if err != nil {
		t.Fatal(err)
	}
	s.RK = nil
	without, err := s.Challenge(&mint.Shown.T, &mint.Shown.A)
	if err != nil {
		t.Fatal(err)
	}
	if mint.C != without || withKey == without {
		t.Error("the challenge does not depend on rk")
	}
}

func TestErrors(t *testing.T) {
	other := errors.New("other")
	err := clause.First(nil, clause.Require(true, "A", fault.OwnerZero), clause.Require(false, "B", fault.InsufficientFunds), other)
	if fault.CodeOf(err) != fault.InsufficientFunds || err.Error() != "INSUFFICIENT_FUNDS: equation B does not hold" {
		t.Errorf("got %v", err)
	}
	if err := clause.First(nil, nil); err != nil {
		t.Errorf("got %v", err)
	}
	if err := clause.First(nil, other); !errors.Is(err, other) {
		t.Errorf("got %v", err)
	}
}
