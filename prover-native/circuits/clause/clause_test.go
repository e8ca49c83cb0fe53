package clause_test

import (
	"errors"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/suite"
)

//spec:id C-01
func TestRandomisedKey(t *testing.T) {
	a, alpha := st.Scalar(t), st.Scalar(t)
	var identity bls.G1Affine
	pk := st.PlusBase(&identity, &a)
	owner := &clause.Owner{Nk: st.Field(t), Alpha: alpha}

	rk, err := owner.RandomisedKey(&pk)
	if err != nil {
		t.Fatal(err)
	}
	if want := st.PlusBase(&pk, &alpha); !rk.Equal(&want) {
		t.Error("rk is not pk + alpha g1")
	}
	h := hash.New(st.Network(t))
	if got, want := owner.Apk(h, &rk), h.Apk(owner.Nk, &pk); got != want {
		t.Error("the address behind rk is another one")
	}
	if _, got := owner.Address(h, &rk); got != h.SerialKey(owner.Nk, &pk) {
		t.Error("the serial key behind rk is another one")
	}

	var minusA blsfr.Element
	minusA.Neg(&a)
	order3 := bls.G1Affine{}
	order3.Y.SetOne()
	outside := pk
	outside.Add(&outside, &order3)
	for name, x := range map[string]struct {
		pk    bls.G1Affine
		alpha blsfr.Element
		code  fault.Code
	}{
		"identity":             {identity, alpha, fault.IdentityPoint},
		"outside the subgroup": {outside, alpha, fault.PointNotInSubgroup},
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
	alpha := st.Scalar(t)
	var identity bls.G1Affine
	rk := st.PlusBase(&identity, &alpha)
	owner := &clause.Owner{Nk: st.Field(t), Alpha: alpha}
	if apk := owner.Apk(hash.New(st.Network(t)), &rk); !apk.IsZero() {
		t.Error("an address without a key")
	}
}

// A blinded coin is (c_m, h, k) as the signature scheme defines it.
//
//spec:id S-02
func TestBlindIsTheSchemes(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	hm := st.Field(t)
	for ; !st.HasExponent(&hm); hm = st.Field(t) {
	}
	b := clause.Blinding{S: st.Field(t), B: st.Scalar(t)}
	coin, err := b.Blind(h, &d, &hm)
	if err != nil {
		t.Fatal(err)
	}
	base, err := h.CoinBase(&coin.Cm, &d)
	if err != nil {
		t.Fatal(err)
	}
	k, err := suite.New(h).Blind(&hm, &coin.Cm, &d, &b.B)
	if err != nil {
		t.Fatal(err)
	}
	if coin.Cm != h.Commit(b.S, hm) || coin.H != base || coin.K != k {
		t.Error("another blinded coin")
	}
}

// A key chosen so that m h + b g1 is the identity: such a coin has no encoding.
func TestIdentityAsBlindedMessage(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	b := clause.Blinding{S: st.Field(t), B: st.Scalar(t)}
	var zero fr.Element // the message zero has the exponent zero, so k = b g1
	coin, err := b.Blind(h, &d, &zero)
	if err != nil {
		t.Fatal(err)
	}
	if !b.Opens(h, &coin, &zero) {
		t.Error("an honest coin does not open")
	}
	b.B.SetZero()
	if _, err := b.Blind(h, &d, &zero); !errors.Is(err, gadgets.ErrRetrySeed) {
		t.Errorf("blinded the identity with error %v", err)
	}
}

func TestOpensAndHidesRefuseMessagesWithoutExponent(t *testing.T) {
	h, d := hash.New(st.Network(t)), st.Field(t)
	b := clause.Blinding{S: st.Field(t), B: st.Scalar(t)}
	var hm fr.Element
	hm.SetInt64(-1) // p - 1 has the largest quotient
	if _, err := b.Blind(h, &d, &hm); !errors.Is(err, gadgets.ErrRetrySeed) {
		t.Errorf("blinded with error %v", err)
	}
	coin := clause.Coin{Cm: h.Commit(b.S, hm), H: st.Point(t), K: st.Point(t)}
	if b.Opens(h, &coin, &hm) {
		t.Error("a coin without exponent opens")
	}
	shown := clause.Shown{H: st.Point(t), M: st.Point(t)}
	if shown.Hides(&hm, &b.B) {
		t.Error("a shown signature hides a message without exponent")
	}
}

func TestErrors(t *testing.T) {
	if err := clause.Spent(gadgets.ErrRetrySeed); fault.CodeOf(err) != fault.WitnessInvalid {
		t.Errorf("got %v", err)
	}
	other := errors.New("other")
	if err := clause.Spent(other); err != other {
		t.Errorf("got %v", err)
	}
	err := clause.First(nil, clause.Require(true, "A", fault.OwnerZero), clause.Require(false, "B", fault.InsufficientFunds), other)
	if fault.CodeOf(err) != fault.InsufficientFunds || err.Error() != "INSUFFICIENT_FUNDS: equation B does not hold" {
		t.Errorf("got %v", err)
	}
	if err := clause.First(nil, nil); err != nil {
		t.Errorf("got %v", err)
	}
}
