package dkg

import (
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

func sameExponent(p *g1, q *g2) bool {
	var minus g1
	minus.Neg(&base1)
	ok, err := bls.PairingCheck([]g1{*p, minus}, []g2{base2, *q})
	return err == nil && ok
}

func sameKey(a, b *suite.Committee) bool {
	return a.X.Equal(&b.X) && a.Y.Equal(&b.Y) && a.Y1.Equal(&b.Y1)
}

//spec:id D-11
func TestARefreshKeepsTheKeyAndReplacesTheShares(t *testing.T) {
	w, o, old := made(t)
	r := w.next(o, old, &Plan{Purpose: Refresh})
	after := r.finish()
	if !sameKey(o.Committee, after.Committee) || after.Committee.Epoch != 1 || len(after.Confirmed) != 4 {
		t.Fatal("not the same key in the next epoch")
	}
	fresh := r.shares()
	for i := range fresh {
		if fresh[i].Equal(old[i]) || old[i].Matches(&after.Committee.Members[i]) == nil {
			t.Errorf("the share of authority %d is still the old one", i+1)
		}
	}
	if !signs(t, after.Committee, fresh[:3]...) || !signs(t, o.Committee, fresh[1:]...) || !signs(t, o.Committee, old[:3]...) {
		t.Error("the key does not sign any more")
	}
	for _, mixed := range [][]*suite.Share{
		{old[0], fresh[1], fresh[2]}, {old[0], old[1], fresh[2]}, {fresh[0], fresh[3], old[1]},
	} {
		if signs(t, after.Committee, mixed...) {
			t.Error("old and new shares combine")
		}
	}
	// and once more
	again := r.next(after, fresh, &Plan{Purpose: Refresh})
	if last := again.finish(); !sameKey(o.Committee, last.Committee) || last.Committee.Epoch != 2 {
		t.Error("the second refresh")
	}
}

func TestARefreshWithoutTheOldShare(t *testing.T) {
	w, o, old := made(t)
	r := w.next(o, old, &Plan{Purpose: Refresh})
	r.until(roundConfirm)
	_, _, err := r.authority(1).Share(nil)
	refused(t, err, ceremony.WrongShare)
	_, _, err = r.authority(1).Share(old[1])
	refused(t, err, ceremony.WrongShare)
}

// A dealer of a refresh cannot move the key: a constant term has no place in its message, and what is added anywhere else is
// zero at 0. A deal with a commitment more does not count.
func TestARefreshCannotMoveTheKey(t *testing.T) {
	w, o, old := made(t)
	r := w.next(o, old, &Plan{Purpose: Refresh})
	r.does(roundDeal, 2, func(a *Authority) error {
		must(t, a.Deal())
		tamper(t, a, func(m message) { m.(*Deal).Rows[0] = append(m.(*Deal).Rows[0], m.(*Deal).Rows[0][0]) })
		return nil
	})
	after := r.finish()
	if after.Excluded[2] == "" || !sameKey(o.Committee, after.Committee) {
		t.Fatalf("%+v", after)
	}
}

func TestAbsentDealersOfARefresh(t *testing.T) {
	w, o, old := made(t)
	r := w.next(o, old, &Plan{Purpose: Refresh})
	r.absent[4] = true
	r.does(roundReveal, 3, func(a *Authority) error { return a.Reveal() })
	after := r.finish()
	if len(after.Qualified) != 3 || !sameKey(o.Committee, after.Committee) {
		t.Fatalf("%+v", after)
	}
	r.absent = map[int]bool{}
	if !signs(t, after.Committee, r.shares()[1:]...) {
		t.Error("a member that was absent cannot sign after it returns")
	}
}

func TestASilentDealerOfARefreshIsOpened(t *testing.T) {
	w, o, old := made(t)
	r := w.next(o, old, &Plan{Purpose: Refresh})
	r.does(roundReveal, 1, func(*Authority) error { return nil })
	after := r.finish()
	if len(after.Qualified) != 4 || after.Opened[1] == "" || !sameKey(o.Committee, after.Committee) || !signs(t, after.Committee, r.shares()[:3]...) {
		t.Fatalf("%+v", after)
	}
}

//spec:id D-12
func TestALostShareComesBack(t *testing.T) {
	w, o, old := made(t)
	const lost = 2
	w.secrets[lost-1].NoteKeySeed = []byte("her note key is a new one, too..") // it lay beside the share
	r := w.next(o, []*suite.Share{old[0], nil, old[2], old[3]}, &Plan{Purpose: Recover, Lost: lost})
	after := r.finish()
	if !sameKey(o.Committee, after.Committee) || after.Committee.Epoch != 1 || len(after.Confirmed) != 4 {
		t.Fatalf("%+v", after)
	}
	if after.Committee.Members[lost-1].NoteKey == o.Committee.Members[lost-1].NoteKey {
		t.Error("the lost note key is still there")
	}
	fresh := r.shares()
	if !signs(t, after.Committee, fresh[0], fresh[1], fresh[2]) || signs(t, after.Committee, fresh[0], old[1], fresh[2]) {
		t.Error("not the next epoch's share")
	}
}

// Invalid masked shares are skipped. With too few valid ones there is no share.
//
//spec:id D-12
func TestHelpersWhoLie(t *testing.T) {
	for n, want := range map[int]ceremony.Code{4: ceremony.TooFew, 7: ""} {
		w := newWorld(t, n)
		w.begin(&Plan{Purpose: MakeKey})
		o := w.finish()
		old := w.shares()
		old[1].Close()
		old[1] = nil
		r := w.next(o, old, &Plan{Purpose: Recover, Lost: 2})
		r.does(roundHelp, 3, func(a *Authority) error {
			must(t, a.Help(r.oldShare(3)))
			tamper(t, a, func(m message) {
				m.(*Help).Sealed = hexOf(make([]byte, sealOverhead+2*suite.ScalarBytes))
			})
			return nil
		})
		r.until(roundConfirm)
		share, c, err := r.authority(2).Share(nil)
		if want != "" {
			refused(t, err, want)
			continue
		}
		must(t, err)
		must(t, share.Matches(&c.Members[1]))
	}
}
