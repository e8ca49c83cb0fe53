package cabi

import (
	"bytes"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/jubjubtest"
	"solidus.io/prover/jubjub"
)

// badKeys are encodings of no owner's key.
func badKeys(t testing.TB, good []byte) map[fault.Code][][]byte {
	t.Helper()
	p, err := jubjub.DecodePoint(good)
	must(t, err)
	var identity jubjub.Point
	identity.Y.SetOne()
	two := plusOrderTwo(identity)
	eight := jubjubtest.OrderEight()
	mixed, mixedTwo := jubjub.Add(p, eight), plusOrderTwo(p)
	off := bytes.Clone(good)
	flip(off)
	return map[fault.Code][][]byte{
		fault.IdentityPoint:     {jubjub.EncodePoint(&identity)},
		fault.PointNotOnCurve:   {off, make([]byte, jubjub.PointBytes)},
		fault.PointNotCanonical: {bytes.Repeat([]byte{255}, jubjub.PointBytes)},
		fault.PointNotInSubgroup: {
			jubjub.EncodePoint(&two), jubjub.EncodePoint(&eight), jubjub.EncodePoint(&mixed), jubjub.EncodePoint(&mixedTwo),
		},
	}
}

// Every operation that takes an owner's key refuses a point that is none, with a small part outside the subgroup too.
func TestOwnerKeysAreFullyChecked(t *testing.T) {
	h := hostileOnce()
	w := h.regulated
	p, x, owner := transferPlan(w), exchangeOf(w), newAccount(w)
	net := func() *request { return new(request).sized([]byte(w.Network.ID())) }
	for name, c := range map[string]struct {
		q   *request
		key jubjub.Point
	}{
		"APK":                 {net().field(w.Field()).key(owner.pk), owner.pk},
		"SERIAL_KEY":          {net().field(w.Field()).key(owner.pk), owner.pk},
		"RANDOMISED_KEY":      {new(request).key(owner.pk).keyScalar(w.KeyScalar()), owner.pk},
		"PREPARE_TRANSFER":    {p.prepare(), p.owner.pk},
		"PREPARE_REGISTER":    {net().raw(enrolment(w, owner, w.Field())), owner.pk},
		"PREPARE_UNREGULATED": {net().raw(x.body()), x.owner.pk},
	} {
		ok(t, name, c.q)
		good := jubjub.EncodePoint(&c.key)
		for want, all := range badKeys(t, good) {
			for _, bad := range all {
				if code, _ := call(t, name, &request{bytes.Replace(c.q.b, good, bad, 1)}); code != want {
					t.Errorf("%s with %x: %v, want %v", name, bad, code, want)
				}
			}
		}
	}
}

func TestRandomisedKeysAreFullyChecked(t *testing.T) {
	p := newPipeline(t)
	x := p.Transfer(t)
	core, err := x.Statement.Core(p.Network)
	must(t, err)
	signature, good := x.Evidence.KeySignature, jubjub.EncodePoint(&x.Evidence.RK)
	says := func(rk, signature []byte) byte {
		return ok(t, "VERIFY_CORE", new(request).raw(rk).raw(core[:]).sized(signature))[0]
	}
	frame := new(request).u64(p.verifier).item(x).b
	verdict := func(b []byte) fault.Code {
		r := &reader{in: ok(t, "VERIFY_TRANSFER", &request{b})}
		return fault.Code(r.u32())
	}
	if says(good, signature) != 1 || verdict(frame) != fault.OK {
		t.Fatal("the good key is refused")
	}
	for want, all := range badKeys(t, good) {
		for _, bad := range all {
			if says(bad, signature) != 0 {
				t.Errorf("%v: VERIFY_CORE says yes", want)
			}
			if got := verdict(bytes.Replace(frame, good, bad, 1)); got != want {
				t.Errorf("rk: %v, want %v", got, want)
			}
		}
	}
	for want, all := range badKeys(t, signature[:jubjub.PointBytes]) {
		for _, bad := range all {
			changed := append(bytes.Clone(bad), signature[jubjub.PointBytes:]...)
			if says(good, changed) != 0 {
				t.Errorf("%v in R: VERIFY_CORE says yes", want)
			}
			if got := verdict(bytes.Replace(frame, signature, changed, 1)); got != want {
				t.Errorf("R: %v, want %v", got, want)
			}
		}
	}
}

func TestKeyScalars(t *testing.T) {
	a := hostileOnce().regulated.KeyScalar()
	var minus jubjub.Scalar
	minus.Neg(&a)
	pk := ok(t, "PUBLIC_KEY", new(request).keyScalar(a))
	core, zero := make([]byte, 32), make([]byte, jubjub.ScalarBytes)
	order := jubjub.Order().FillBytes(make([]byte, jubjub.ScalarBytes))
	for name, q := range map[string]func(s []byte) *request{
		"PUBLIC_KEY":     func(s []byte) *request { return new(request).raw(s) },
		"RANDOMISED_KEY": func(s []byte) *request { return new(request).raw(pk).raw(s) },
		"SIGN_CORE":      func(s []byte) *request { return new(request).raw(s).raw(zero).raw(core) },
	} {
		ok(t, name, q(a.Bytes()))
		refused(t, fault.ScalarNotCanonical, name, q(order))
		refused(t, fault.ScalarNotCanonical, name, q(bytes.Repeat([]byte{255}, jubjub.ScalarBytes)))
	}
	refused(t, fault.ScalarZero, "PUBLIC_KEY", new(request).raw(zero))
	refused(t, fault.ScalarZero, "SIGN_CORE", new(request).raw(zero).raw(zero).raw(core))
	refused(t, fault.ScalarZero, "SIGN_CORE", new(request).keyScalar(a).keyScalar(minus).raw(core))
	refused(t, fault.IdentityPoint, "RANDOMISED_KEY", new(request).raw(pk).keyScalar(minus))
	if got := ok(t, "RANDOMISED_KEY", new(request).raw(pk).raw(zero)); !bytes.Equal(got, pk) {
		t.Error("alpha zero changes the key")
	}
}
