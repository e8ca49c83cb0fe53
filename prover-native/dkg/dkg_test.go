package dkg

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

func networkOf(t testing.TB) *statement.Network {
	t.Helper()
	n, err := statement.NewNetwork(testNetwork)
	must(t, err)
	return n
}

//spec:id D-11 D-13
func TestACommitteeWithoutADealerSigns(t *testing.T) {
	for _, n := range []int{4, 7} {
		w := newWorld(t, n)
		w.begin(&Plan{Purpose: MakeKey})
		o := w.finish()
		if len(o.Qualified) != n || len(o.Confirmed) != n || len(o.Digest) != 64 || o.Committee.Epoch != 0 {
			t.Fatalf("%+v", o)
		}
		shares := w.shares()
		quorum := o.Committee.Quorum()
		if !signs(t, o.Committee, shares[:quorum]...) || !signs(t, o.Committee, shares[n-quorum:]...) {
			t.Error("a quorum does not sign")
		}
		for i, share := range shares {
			must(t, share.Matches(&o.Committee.Members[i]))
		}
		shareFile(t, w, n)
	}
}

// The folder contains no share and no g1^x: the first group occurs in one row only, that of y.
func TestTheFolderHoldsNoSecret(t *testing.T) {
	w, o, shares := made(t)
	var all []byte
	must(t, filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, b...)
		return err
	}))
	for i, share := range shares {
		x, y := share.Encode()
		xs, err := suite.DecodeScalar(x)
		must(t, err)
		point, err := suite.EncodeG1(ptr(mul1(&base1, &xs)))
		must(t, err)
		for what, secret := range map[string]string{"x": hexOf(x), "y": hexOf(y), "g1^x": hexOf(point), "seed": hexOf(w.secrets[i].Dealing)} {
			if strings.Contains(string(all), secret) {
				t.Errorf("%s of authority %d is in the folder", what, i+1)
			}
		}
	}
	b := w.board()
	for _, m := range b.messages[roundReveal] {
		first, err := decode1(m.(*Reveal).First, 2*b.f()+1)
		must(t, err)
		for k, p := range first {
			y, err := decode2(m.(*Reveal).Rows[1][k:k+1], 1)
			must(t, err)
			if !sameExponent(&p, &y[0]) {
				t.Error("the row in the first group is not that of y")
			}
		}
	}
	_ = o
}

func ptr[T any](v T) *T { return &v }

func TestAbsentDealers(t *testing.T) {
	w := newWorld(t, 7)
	w.begin(&Plan{Purpose: MakeKey})
	w.absent[2], w.absent[6] = true, true
	o := w.finish()
	if !slices.Equal(o.Qualified, []int{1, 3, 4, 5, 7}) || o.Excluded[2] == "" || len(o.Confirmed) != 5 {
		t.Fatalf("%+v", o)
	}
	// the absent authorities also received their shares
	w.absent = map[int]bool{}
	shares := w.shares()
	if !signs(t, o.Committee, shares[1], shares[5], shares[0], shares[2], shares[3]) {
		t.Error("who was absent cannot sign")
	}
}

func TestMoreThanFAbsentIsTooFew(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.absent[1], w.absent[2] = true, true
	for i := 3; i <= 4; i++ {
		must(t, w.authority(i).Deal())
	}
	refused(t, w.board().Close(w.coordinator), ceremony.TooFew)
}

// wrongShare lets dealer 2 seal something else to authority 3.
func wrongShare(w *world) {
	w.does(roundDeal, 2, func(a *Authority) error {
		if err := a.Deal(); err != nil {
			return err
		}
		tamper(w.t, a, func(m message) { damaged(m.(*Deal), 3) })
		return nil
	})
}

//spec:id D-08
func TestAWrongShareIsJustified(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	wrongShare(w)
	o := w.finish()
	if len(o.Qualified) != 4 || len(o.Confirmed) != 4 {
		t.Fatalf("%+v", o)
	}
	if got := w.board().messages[roundComplain][3].(*Complaint).Against; !slices.Equal(got, []int{2}) {
		t.Errorf("authority 3 complains about %v", got)
	}
	shares := w.shares()
	if !signs(t, o.Committee, shares[1:]...) {
		t.Error("no signature")
	}
}

//spec:id D-08 D-09
func TestAWrongShareThatIsNotJustifiedExcludes(t *testing.T) {
	for name, justify := range map[string]func(a *Authority) error{
		"silent": func(*Authority) error { return nil },
		"wrong": func(a *Authority) error {
			if _, err := a.Justify(); err != nil {
				return err
			}
			tamper(t, a, func(m message) { m.(*Justification).Pieces[0].Value[0] = hexOf(make([]byte, 32)) })
			return nil
		},
		"of another member": func(a *Authority) error {
			if _, err := a.Justify(); err != nil {
				return err
			}
			tamper(t, a, func(m message) { m.(*Justification).Pieces[0].Member = 4 })
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 4)
			w.begin(&Plan{Purpose: MakeKey})
			wrongShare(w)
			w.does(roundJustify, 2, justify)
			o := w.finish()
			if !slices.Equal(o.Qualified, []int{1, 3, 4}) || !strings.Contains(o.Excluded[2], "authority 3") || len(o.Confirmed) != 4 {
				t.Fatalf("%+v", o)
			}
		})
	}
}

//spec:id D-09
func TestMoreThanFComplaintsExclude(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.does(roundDeal, 2, func(a *Authority) error {
		must(t, a.Deal())
		tamper(t, a, func(m message) { damaged(m.(*Deal), 3); damaged(m.(*Deal), 4) })
		return nil
	})
	w.does(roundJustify, 2, func(a *Authority) error {
		_, err := a.Justify()
		refused(t, err, ceremony.WrongMember) // it would publish shares for nothing
		return nil
	})
	if o := w.finish(); !slices.Equal(o.Qualified, []int{1, 3, 4}) || !strings.Contains(o.Excluded[2], "2 complaints") {
		t.Fatalf("%+v", o)
	}
}

// A complaint without reason only makes the complainant's own share public.
func TestAFalseComplaintChangesNothing(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.does(roundComplain, 1, func(a *Authority) error { return a.post(&Complaint{Against: []int{2, 3, 4, 4, 1, 99}}) })
	if o := w.finish(); len(o.Qualified) != 4 || len(o.Confirmed) != 4 {
		t.Fatalf("%+v", o)
	}
}

//spec:id D-05
func TestADealerThatEquivocatesIsOut(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.does(roundDeal, 2, func(a *Authority) error {
		must(t, a.Deal())
		dir := a.roundDir(0, roundDeal)
		other := *a
		secrets := *a.secrets
		secrets.Dealing = []byte("another seed, of thirty-two byte")
		other.secrets = &secrets
		d := deal(t, &other)
		sign(t, &other, dir, d)
		return nil
	})
	o := w.finish()
	if !slices.Equal(o.Qualified, []int{1, 3, 4}) || !slices.Equal(o.Equivocators[roundDeal], []int{2}) || len(o.Confirmed) != 4 {
		t.Fatalf("%+v", o)
	}
}

// deal returns an honest deal without posting it.
func deal(t testing.TB, a *Authority) *Deal {
	t.Helper()
	values, blinds := a.polynomials()
	d := &Deal{Header: Header{Ceremony: a.init.Ceremony, Round: roundDeal, Author: a.index, After: a.Digest(), Time: ceremony.Now()}}
	for i := range a.rows {
		var points []g2
		for k := range values[i] {
			points = append(points, add2(mul2(&base2, &values[i][k]), mul2(&pedersenBase, &blinds[i][k])))
		}
		row, err := encode2(points)
		must(t, err)
		d.Rows = append(d.Rows, row)
	}
	for _, m := range a.members {
		sealed, err := a.sealPiece(m, pieceAt(values, blinds, m.index), d.Rows)
		must(t, err)
		d.Sealed = append(d.Sealed, sealed)
	}
	return d
}

// A second message after the end of the round is ignored and does not stop the ceremony.
//
//spec:id D-05
func TestALateSecondMessageCountsForNothing(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.dishonest[2] = true
	a := w.authority(2)
	w.round()
	d := deal(t, a)
	sign(t, a, a.roundDir(0, roundDeal), d)
	if o := w.finish(); len(o.Qualified) != 4 || len(o.Equivocators) != 0 {
		t.Fatalf("%+v", o)
	}
}

//spec:id D-06 D-10
func TestWhoDoesNotRevealIsOpened(t *testing.T) {
	for name, reveal := range map[string]func(a *Authority) error{
		"silent": func(*Authority) error { return nil },
		"wrong proof": func(a *Authority) error {
			must(t, a.Reveal())
			tamper(t, a, func(m message) {
				p := &m.(*Reveal).Proof
				p.Value[0][0], p.Value[0][1] = p.Value[0][1], p.Value[0][0]
			})
			return nil
		},
		"another y in the first group": func(a *Authority) error {
			must(t, a.Reveal())
			tamper(t, a, func(m message) { r := m.(*Reveal); r.First[0], r.First[1] = r.First[1], r.First[0] })
			return nil
		},
		"rogue key": func(a *Authority) error {
			must(t, a.Reveal())
			tamper(t, a, func(m message) { rogue(t, a, m.(*Reveal)) })
			return nil
		},
		"rows of another length": func(a *Authority) error {
			must(t, a.Reveal())
			tamper(t, a, func(m message) { m.(*Reveal).Rows[0] = m.(*Reveal).Rows[0][1:] })
			return nil
		},
		"no proof": func(a *Authority) error {
			must(t, a.Reveal())
			tamper(t, a, func(m message) { m.(*Reveal).Proof = RevealProof{} })
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 4)
			w.begin(&Plan{Purpose: MakeKey})
			w.until(roundReveal)
			dealt := w.authority(4)
			want, err := dealt.reveal() // what an honest dealer would have said
			must(t, err)
			w.does(roundReveal, 4, reveal)
			o := w.finish()
			if len(o.Qualified) != 4 || o.Opened[4] == "" || len(o.Opened) != 1 || len(o.Confirmed) != 4 {
				t.Fatalf("%+v", o)
			}
			b := w.board()
			_, err = b.Outcome()
			must(t, err)
			points, err := decode2(want.Rows[0], 3)
			must(t, err)
			if !b.view.reveals[4].rows[0][0].Equal(&points[0]) {
				t.Error("the polynomial that is opened is not the one that was dealt")
			}
			if !signs(t, o.Committee, w.shares()[:3]...) {
				t.Error("no signature")
			}
		})
	}
}

// rogue replaces the dealer's part by one that would make the whole key g2, whose logarithm is known. It uses the other
// dealers' reveals.
func rogue(t testing.TB, a *Authority, r *Reveal) {
	t.Helper()
	others := base2
	pending, err := a.Pending()
	must(t, err)
	for _, p := range pending {
		raw, err := os.ReadFile(filepath.Join(a.roundDir(len(a.closed), roundReveal), p.File))
		must(t, err)
		m, err := a.openMessage(raw, roundReveal, p.Author, a.Digest())
		must(t, err)
		points, err := decode2(m.(*Reveal).Rows[0][:1], 1)
		must(t, err)
		others = sub2(others, points[0])
	}
	encoded, err := encode2([]g2{others})
	must(t, err)
	r.Rows[0][0] = encoded[0]
}

//spec:id D-04
func TestMessagesOfAnotherCeremonyFitNowhere(t *testing.T) {
	first := newWorld(t, 4)
	first.begin(&Plan{Purpose: MakeKey})
	must(t, first.authority(1).Deal())
	second := newWorld(t, 4)
	second.secrets = first.secrets
	second.begin(&Plan{Purpose: MakeKey})
	from, to := filepath.Join(first.dir, "1-deal"), filepath.Join(second.dir, "1-deal")
	must(t, os.CopyFS(to, os.DirFS(from)))
	pending, err := second.board().Pending()
	must(t, err)
	if len(pending) != 1 {
		t.Fatal(pending)
	}
	refused(t, pending[0].Err, ceremony.OtherCeremony)
	for i := 2; i <= 4; i++ {
		must(t, second.authority(i).Deal())
	}
	must(t, second.board().Close(second.coordinator))
	second.absent[1] = true // its journal knows the first ceremony
	if o := second.finish(); !slices.Equal(o.Qualified, []int{2, 3, 4}) {
		t.Fatalf("%+v", o)
	}
}

// A message is bound to its round, its author and the messages before it.
//
//spec:id D-04
func TestMessagesStayInTheirPlace(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.round()
	b := w.board()
	raw := fileOfRound(t, w, "1-deal", 0)
	_, err := b.openMessage(raw, roundDeal, 1, b.Digest())
	refused(t, err, ceremony.ChainBroken)
	_, err = b.openMessage(raw, roundDeal, 2, b.heads[0])
	refused(t, err, ceremony.WrongSigner)
	_, err = b.openMessage(raw, roundComplain, 1, b.heads[0])
	refused(t, err, ceremony.Malformed)
	_, err = b.openMessage(raw, roundDeal, 5, b.heads[0])
	refused(t, err, ceremony.WrongMember)
	_, err = b.openMessage(raw[:len(raw)-2], roundDeal, 1, b.heads[0])
	refused(t, err, ceremony.Malformed)
	_, err = b.openMessage(append([]byte(" "), raw...), roundDeal, 1, b.heads[0])
	refused(t, err, ceremony.Malformed)
	refused(t, w.authority(1).Deal(), ceremony.WrongPhase)
	_, err = w.authority(1).Complain()
	must(t, err)
	_, err = w.authority(1).Complain()
	refused(t, err, ceremony.Exists)
}

func fileOfRound(t testing.TB, w *world, round string, i int) []byte {
	t.Helper()
	names, err := ceremony.List(filepath.Join(w.dir, round))
	must(t, err)
	raw, err := os.ReadFile(filepath.Join(w.dir, round, names[i]))
	must(t, err)
	return raw
}

// An author detects that a coordinator left out its message.
func TestALeftOutMessageIsNoticed(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	for i := 1; i <= 4; i++ {
		must(t, w.authority(i).Deal())
	}
	hidden := fileOfRound(t, w, "1-deal", 2)
	name := filepath.Join(w.dir, "1-deal", messageName(3, ceremony.Digest(hidden)))
	must(t, os.Remove(name))
	must(t, w.board().Close(w.coordinator))
	must(t, os.WriteFile(name, hidden, 0o644))
	_, err := Join(w.board(), w.secrets[2])
	refused(t, err, ceremony.ChainBroken)
}

// A coordinator that lists invalid reveals, or too few, cannot have the honest dealers opened.
//
//spec:id D-10
func TestNoMoreThanFDealersAreOpened(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	for i := 1; i <= 2; i++ {
		w.does(roundReveal, i, func(a *Authority) error {
			must(t, a.Reveal())
			tamper(t, a, func(m message) { m.(*Reveal).Proof = RevealProof{} })
			return nil
		})
	}
	w.until(roundOpen)
	_, err := w.authority(3).Open()
	refused(t, err, ceremony.TooFew)
	for i := range 4 { // whatever members do, there is no result
		must(t, w.forgetful(i+1).post(&Opening{Pieces: []Piece{}}))
	}
	must(t, w.board().Close(w.coordinator))
	_, err = w.board().Outcome()
	refused(t, err, ceremony.TooFew)

	w = newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.until(roundReveal)
	for i := range 4 {
		must(t, w.authority(i+1).Reveal())
	}
	b := w.board()
	raw := fileOfRound(t, w, "4-reveal", 0)
	c := &Close{
		Ceremony: b.init.Ceremony, Round: roundReveal, Previous: b.Digest(), Messages: []Listed{{1, ceremony.Digest(raw)}},
		Equivocators: []Equivocation{}, Time: ceremony.Now(),
	}
	signed, err := ceremony.Sign(w.coordinator, kindClose, c)
	must(t, err)
	must(t, ceremony.WriteNew(filepath.Join(w.dir, closeName(3, roundReveal)), signed, 0o644))
	_, err = OpenBoard(w.dir, w.coordinator.Public().(ed25519.PublicKey))
	refused(t, err, ceremony.TooFew)
}

//spec:id D-13
func TestEveryRecordOfTheFolderCounts(t *testing.T) {
	w, o, _ := made(t)
	must(t, filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		must(t, err)
		for _, at := range []int{1, len(raw) / 2, len(raw) - 3} {
			changed := slices.Clone(raw)
			changed[at] ^= 1
			must(t, os.WriteFile(path, changed, 0o644))
			if b, err := OpenBoard(w.dir, w.coordinator.Public().(ed25519.PublicKey)); err == nil {
				if other, err := b.Outcome(); err == nil && other.Digest == o.Digest {
					t.Errorf("byte %d of %s may change", at, path)
				}
			}
		}
		return os.WriteFile(path, raw, 0o644)
	}))
	for _, other := range []ed25519.PublicKey{w.secrets[0].identity().Public().(ed25519.PublicKey), nil} {
		_, err := OpenBoard(w.dir, other)
		refused(t, err, ceremony.WrongSigner)
	}
}

//spec:id D-02
func TestCards(t *testing.T) {
	a, err := NewSecrets(nil)
	must(t, err)
	b, err := NewSecrets(nil)
	must(t, err)
	card, err := NewCard(a, "Ada", testNetwork)
	must(t, err)
	_, err = openCard(card, "another-network", 1)
	refused(t, err, ceremony.OtherCeremony)
	// a card with the note key of another authority
	var stolen Card
	_, err = ceremony.Open(card, kindCard, &stolen)
	must(t, err)
	raw, err := ceremony.Sign(b.identity(), kindCard, &stolen)
	must(t, err)
	_, err = openCard(raw, testNetwork, 1)
	refused(t, err, ceremony.WrongProof)
}

//spec:id D-03
func TestRosters(t *testing.T) {
	w := newWorld(t, 4)
	cards := w.cards()
	begin := func(p *Plan) error { return Begin(filepath.Join(t.TempDir(), "x"), p, w.coordinator) }
	refused(t, begin(&Plan{Purpose: MakeKey, Network: testNetwork, Cards: cards[:3]}), ceremony.WrongMember)
	refused(t, begin(&Plan{Purpose: MakeKey, Network: testNetwork, Cards: [][]byte{cards[0], cards[1], cards[2], cards[2]}}), ceremony.Repeated)
	refused(t, begin(&Plan{Purpose: Refresh, Network: testNetwork, Cards: cards}), ceremony.WrongPrevious)
	refused(t, begin(&Plan{Purpose: "other", Network: testNetwork, Cards: cards}), ceremony.Malformed)
	made, o, _ := made(t)
	refused(t, begin(&Plan{Purpose: MakeKey, Network: testNetwork, Cards: cards, Previous: o.Committee}), ceremony.WrongPrevious)
	refused(t, begin(&Plan{Purpose: Refresh, Network: testNetwork, Cards: cards, Previous: o.Committee}), ceremony.WrongMember)
	mine := made.cards()
	mine[0], mine[1] = mine[1], mine[0]
	refused(t, begin(&Plan{Purpose: Refresh, Network: testNetwork, Cards: mine, Previous: o.Committee}), ceremony.WrongMember)
	refused(t, begin(&Plan{Purpose: Recover, Network: testNetwork, Cards: made.cards(), Previous: o.Committee}), ceremony.WrongMember)
}
