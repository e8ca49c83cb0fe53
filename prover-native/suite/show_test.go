package suite

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

func otherNetwork(t testing.TB) *hash.Hasher {
	t.Helper()
	tag, err := hash.NetworkTagOf("another-network")
	must(t, err)
	return hash.New(tag)
}

func (x *fixture) show(t testing.TB, sig *Signature) Shown {
	t.Helper()
	s, o := scalar(t), scalar(t)
	shown, err := x.Show(x.committee, sig, &x.hm, &s, &o)
	must(t, err)
	return shown
}

//spec:id S-09 S-10
func TestShownSignatures(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	var all []Shown
	for range 12 { // beyond the switch to multi-exponentiation
		all = append(all, x.show(t, &sig))
		must(t, x.VerifyShown(x.committee, all...))
	}
	refused(t, x.VerifyShown(newFixture(t, 1).committee, all...), fault.ShownSignatureInvalid)
	refused(t, x.VerifyShown(x.committee), fault.ShownSignatureInvalid)
	for i := range all {
		bad := append([]Shown(nil), all...)
		bad[i].M = add(bad[i].M, randomG1(t))
		refused(t, x.VerifyShown(x.committee, bad...), fault.ShownSignatureInvalid)
	}
}

func TestShowRefusesZeroAndForeignMessages(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	o := scalar(t)
	_, err := x.Show(x.committee, &sig, &x.hm, &Scalar{}, &o)
	refused(t, err, fault.ScalarZero)
	s := scalar(t)
	other := randomField(t)
	wrong, err := x.Show(x.committee, &sig, &other, &s, &o)
	must(t, err)
	refused(t, x.VerifyShown(x.committee, wrong), fault.ShownSignatureInvalid)
	must(t, x.VerifyShown(x.committee, x.show(t, &sig)))
}

// h' = 1, M' = g1^o, s” = Y1^o satisfies the equation without any signature.
//
//spec:id S-10
func TestIdentityBaseIsAForgeryTheEquationAccepts(t *testing.T) {
	x := newFixture(t, 1)
	o := scalar(t)
	forged := Shown{M: mulBase(&o), S: mul(&x.committee.Y1, &o)}
	if !pairingHolds(&forged.H, &x.committee.X, &forged.M, &x.committee.Y, &forged.S) {
		t.Fatal("the equation refused: this test no longer shows why the check exists")
	}
	refused(t, x.VerifyShown(x.committee, forged), fault.IdentityPoint)
	good := x.signature(t)
	refused(t, x.VerifyShown(x.committee, x.show(t, &good), forged), fault.IdentityPoint)
}

//spec:id S-10
func TestShownPointsAreChecked(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	for want, bad := range badPoints(t) {
		for i := range 3 {
			shown := x.show(t, &sig)
			*[]*G1{&shown.H, &shown.M, &shown.S}[i] = bad
			refused(t, x.VerifyShown(x.committee, shown), want)
		}
	}
}

// Two wrong presentations whose errors cancel in an unweighted product.
func TestErrorsThatCancelAreFound(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	for range 8 {
		a, b, e := x.show(t, &sig), x.show(t, &sig), randomG1(t)
		a.S = add(a.S, e)
		e.Neg(&e)
		b.S = add(b.S, e)
		h, m, s := add(a.H, b.H), add(a.M, b.M), add(a.S, b.S)
		if !pairingHolds(&h, &x.committee.X, &m, &x.committee.Y, &s) {
			t.Fatal("the errors do not cancel")
		}
		refused(t, x.VerifyShown(x.committee, a, b), fault.ShownSignatureInvalid)
	}
}

// A presentation is perfectly independent of the issuance: for every presentation of one signature, other t
// and o present another signature on another message by the very same three points.
//
//spec:id S-09
func TestPresentationIsIndependentOfTheSignature(t *testing.T) {
	x := newFixture(t, 1)
	var key [2]Scalar // x, y interpolated, to sign under bases of known logarithm
	weights, err := lagrange([]int{1, 2, 3}, 0)
	must(t, err)
	for i := range weights {
		var a, b Scalar
		a.Mul(&weights[i], &x.shares[i].x)
		b.Mul(&weights[i], &x.shares[i].y)
		key[0].Add(&key[0], &a)
		key[1].Add(&key[1], &b)
	}
	signed := func(u Scalar, hm Field) Signature {
		var e Scalar
		e.Mul(&key[1], &hm).Add(&e, &key[0]).Mul(&e, &u)
		return Signature{S1: mulBase(&u), S2: mulBase(&e)}
	}
	u0, u1, hm0, hm1 := scalar(t), scalar(t), randomField(t), randomField(t)
	sig0, sig1 := signed(u0, hm0), signed(u1, hm1)
	must(t, x.Verify(x.committee, &hm0, &sig0))
	must(t, x.Verify(x.committee, &hm1, &sig1))

	t0, o0 := scalar(t), scalar(t)
	var t1, o1, difference Scalar
	t1.Inverse(&u1).Mul(&t1, &u0).Mul(&t1, &t0)
	difference.Sub(&hm0, &hm1).Mul(&difference, &u0).Mul(&difference, &t0)
	o1.Add(&o0, &difference)
	a, err := x.Show(x.committee, &sig0, &hm0, &t0, &o0)
	must(t, err)
	b, err := x.Show(x.committee, &sig1, &hm1, &t1, &o1)
	must(t, err)
	if a != b {
		t.Fatal("the presentation depends on the signature")
	}
}

// Without o, the presentation can be recognised from the message: M' = h'^m.
func TestWithoutBlindingTheIssuerRecognisesTheMessage(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	s := scalar(t)
	bare, err := x.Show(x.committee, &sig, &x.hm, &s, &Scalar{})
	must(t, err)
	if got := mul(&bare.H, &x.hm); !got.Equal(&bare.M) {
		t.Fatal("the test's premise is wrong")
	}
	shown := x.show(t, &sig)
	if got := mul(&shown.H, &x.hm); got.Equal(&shown.M) {
		t.Fatal("a blinded presentation opens to its message")
	}
}

// A chi-square test over the low bytes of 2,560 presentations of one signature (255 degrees of freedom; the
// bound is beyond the 10^-9 quantile), and no value occurs twice.
func TestPresentationsLookUniform(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	const samples = 2560
	var counts [3][256]int
	seen := map[G1]bool{}
	for range samples {
		shown := x.show(t, &sig)
		for i, p := range []G1{shown.H, shown.M, shown.S} {
			if seen[p] {
				t.Fatal("a point repeats")
			}
			seen[p] = true
			b := p.X.Bytes()
			counts[i][b[fp.Bytes-1]]++
		}
	}
	for i := range counts {
		expected, chi := float64(samples)/256, 0.0
		for _, n := range counts[i] {
			d := float64(n) - expected
			chi += d * d / expected
		}
		if chi > 410 {
			t.Fatalf("point %d: chi-square %.0f", i, chi)
		}
	}
}
