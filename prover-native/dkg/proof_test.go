package dkg

import (
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/ceremony"
)

// The second generator is the hash of its own name, so its logarithm is unknown.
//
//spec:id D-01
func TestThePedersenBaseIsAHash(t *testing.T) {
	want, err := bls.HashToG2([]byte("solidus/dkg/pedersen/v1"), []byte("SOLIDUS-V01-DKG"))
	must(t, err)
	if !pedersenBase.Equal(&want) || pedersenBase.IsInfinity() || !pedersenBase.IsInSubGroup() || pedersenBase.Equal(&base2) {
		t.Error("another base")
	}
}

// A confirmation counts with a proof of the member's own share for this committee only.
//
//spec:id D-07 D-13
func TestWrongConfirmationsDoNotCount(t *testing.T) {
	zero := func(m message) { m.(*Confirmation).Response[0] = encodeScalars(make([]scalar, 1))[0] }
	for name, change := range map[string]func(m message){
		"another x":         zero,
		"x and y exchanged": func(m message) { c := m.(*Confirmation); c.Response[0], c.Response[1] = c.Response[1], c.Response[0] },
		"another challenge": func(m message) { c := m.(*Confirmation); c.Challenge = c.Response[0] },
		"another committee": func(m message) { m.(*Confirmation).Committee = ceremony.Digest([]byte("another")) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 4)
			w.begin(&Plan{Purpose: MakeKey})
			w.does(roundConfirm, 2, confirming(t, w, 2, change))
			o := w.finish()
			if len(o.Confirmed) != 3 || o.WrongConfirmations[2] == "" || len(o.WrongConfirmations) != 1 {
				t.Errorf("%+v", o)
			}
		})
	}

	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	for _, index := range []int{2, 3} {
		w.does(roundConfirm, index, confirming(t, w, index, zero))
	}
	w.until("")
	_, err := w.board().Outcome()
	refused(t, err, ceremony.TooFew)
}

// confirming posts a member's confirmation and then changes what it signed.
func confirming(t *testing.T, w *world, index int, change func(m message)) func(a *Authority) error {
	return func(a *Authority) error {
		share, _, err := a.Share(w.oldShare(index))
		must(t, err)
		defer share.Close()
		must(t, a.Confirm(share))
		tamper(t, a, change)
		return nil
	}
}
