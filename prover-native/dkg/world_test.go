package dkg

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
	"solidus.io/prover/suite"
)

const testNetwork = "dkg-test"

func refused(t testing.TB, err error, want ceremony.Code) {
	t.Helper()
	if err == nil || ceremony.CodeOf(err) != want {
		t.Fatalf("got %v, want %s", err, want)
	}
}

// world is a ceremony with the secrets of all authorities.
type world struct {
	t           testing.TB
	dir         string
	coordinator ed25519.PrivateKey
	secrets     []*Secrets     // by index - 1
	old         []*suite.Share // of a refresh
	absent      map[int]bool   // members that post no more messages
	dishonest   map[int]bool   // members that keep no journal
	late        []string       // rounds in which members know that their message came too late
	// instead replaces what an authority does in a round.
	instead map[string]map[int]func(a *Authority) error
}

func newWorld(t testing.TB, n int) *world {
	t.Helper()
	w := &world{t: t, absent: map[int]bool{}, dishonest: map[int]bool{}, instead: map[string]map[int]func(*Authority) error{}}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	w.coordinator = key
	for range n {
		w.secrets = append(w.secrets, saved(t, nil))
	}
	return w
}

// saved are secrets in a file of their own, with an empty journal.
func saved(t testing.TB, noteKeySeed []byte) *Secrets {
	t.Helper()
	s, err := NewSecrets(noteKeySeed)
	must(t, err)
	path := filepath.Join(t.TempDir(), "secrets")
	must(t, s.Save(path))
	return loaded(t, path)
}

// path returns the file of an authority's secrets.
func (w *world) path(index int) string { return w.secrets[index-1].journal.secrets.Name() }

func loaded(t testing.TB, path string) *Secrets {
	t.Helper()
	s, err := LoadSecrets(path)
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

// forgetful is the software of a dishonest member: it has the secrets and an empty journal.
func (w *world) forgetful(index int) *Authority {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "secrets")
	s := w.secrets[index-1]
	again := &Secrets{
		Format: s.Format, Identity: slices.Clone(s.Identity), Encryption: slices.Clone(s.Encryption), Dealing: slices.Clone(s.Dealing),
		NoteKeySeed: slices.Clone(s.NoteKeySeed),
	}
	must(w.t, again.Save(path))
	return &Authority{Board: w.board(), secrets: loaded(w.t, path), index: index}
}

func (w *world) cards() (all [][]byte) {
	w.t.Helper()
	for i, s := range w.secrets {
		card, err := NewCard(s, fmt.Sprintf("Bank %d", i+1), testNetwork)
		must(w.t, err)
		all = append(all, card)
	}
	return all
}

func (w *world) begin(p *Plan) {
	w.t.Helper()
	w.dir = filepath.Join(w.t.TempDir(), "board")
	p.Network, p.Cards = testNetwork, w.cards()
	must(w.t, Begin(w.dir, p, w.coordinator))
}

func (w *world) board() *Board {
	w.t.Helper()
	b, err := OpenBoard(w.dir, w.coordinator.Public().(ed25519.PublicKey))
	must(w.t, err)
	return b
}

func (w *world) authority(index int) *Authority {
	w.t.Helper()
	if w.dishonest[index] {
		return w.forgetful(index)
	}
	a, err := Join(w.board(), w.secrets[index-1])
	must(w.t, err)
	return a
}

func (w *world) oldShare(index int) *suite.Share {
	if w.old == nil {
		return nil
	}
	return w.old[index-1]
}

func (w *world) act(round string, a *Authority) error {
	if other := w.instead[round][a.index]; other != nil {
		return other(a)
	}
	var err error
	switch round {
	case roundDeal:
		return a.Deal()
	case roundComplain:
		_, err = a.Complain()
	case roundJustify:
		_, err = a.Justify()
	case roundReveal:
		if slices.Contains(a.currentView().qualified, a.index) {
			return a.Reveal()
		}
	case roundOpen:
		_, err = a.Open()
	case roundHelp:
		if a.index != a.init.Lost {
			return a.Help(w.oldShare(a.index))
		}
	case roundConfirm:
		share, _, err := a.Share(w.oldShare(a.index))
		if err != nil {
			return err
		}
		defer share.Close()
		return a.Confirm(share)
	}
	return err
}

// round lets all present authorities act in the open round and closes it.
func (w *world) round() {
	w.t.Helper()
	b := w.board()
	for i := range w.secrets {
		if !w.absent[i+1] {
			must(w.t, w.act(b.Round(), w.authority(i+1)))
		}
	}
	must(w.t, w.board().Close(w.coordinator))
}

// until runs rounds until the one that is named is open.
func (w *world) until(round string) {
	w.t.Helper()
	for w.board().Round() != round {
		w.round()
	}
}

// finish runs to the end.
func (w *world) finish() *Outcome {
	w.t.Helper()
	w.until("")
	o, err := w.board().Outcome()
	must(w.t, err)
	return o
}

// shares returns the shares of the present authorities.
func (w *world) shares() []*suite.Share {
	w.t.Helper()
	var all []*suite.Share
	for i := range w.secrets {
		if w.absent[i+1] {
			all = append(all, nil)
			continue
		}
		share, _, err := w.authority(i + 1).Share(w.oldShare(i + 1))
		must(w.t, err)
		all = append(all, share)
	}
	return all
}

// does lets a dishonest member do something else in a round.
func (w *world) does(round string, index int, what func(a *Authority) error) {
	w.dishonest[index] = true
	if w.instead[round] == nil {
		w.instead[round] = map[int]func(*Authority) error{}
	}
	w.instead[round][index] = what
}

// tamper lets an author's message of the open round be changed and signed again by its author.
func tamper(t testing.TB, a *Authority, change func(m message)) {
	t.Helper()
	dir := a.roundDir(len(a.closed), a.Round())
	names, err := ceremony.List(dir)
	must(t, err)
	for _, name := range names {
		if name[:3] != fmt.Sprintf("%03d", a.index) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		m := newMessage(a.Round())
		_, err = ceremony.Open(raw, "committee/"+a.Round(), m)
		must(t, err)
		must(t, os.Remove(filepath.Join(dir, name)))
		change(m)
		sign(t, a, dir, m)
	}
}

func sign(t testing.TB, a *Authority, dir string, m message) {
	t.Helper()
	raw, err := ceremony.Sign(a.secrets.identity(), "committee/"+a.Round(), m)
	must(t, err)
	must(t, ceremony.WriteNew(filepath.Join(dir, messageName(a.index, ceremony.Digest(raw))), raw, 0o644))
}

// damaged changes the sealed share of a member.
func damaged(d *Deal, member int) {
	s := []byte(d.Sealed[member-1])
	if s[100] == '0' {
		s[100] = '1'
	} else {
		s[100] = '0'
	}
	d.Sealed[member-1] = string(s)
}

// made is a committee of four, made once.
func made(t testing.TB) (*world, *Outcome, []*suite.Share) {
	t.Helper()
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	o := w.finish()
	return w, o, w.shares()
}

// refreshed begins a refresh or a recovery of that committee by the same authorities with new secrets.
func (w *world) next(o *Outcome, shares []*suite.Share, p *Plan) *world {
	w.t.Helper()
	n := newWorld(w.t, len(w.secrets))
	for i, s := range w.secrets {
		n.secrets[i] = saved(w.t, s.NoteKeySeed)
	}
	n.old = shares
	p.Previous = o.Committee
	n.begin(p)
	return n
}

func scheme(t testing.TB) suite.Scheme {
	t.Helper()
	return networkOf(t).Scheme()
}

// signs makes a coin with the partial signatures of some shares and tells whether the signature holds under the committee.
func signs(t testing.TB, c *suite.Committee, shares ...*suite.Share) bool {
	t.Helper()
	s := scheme(t)
	hm, o := coin()
	var b suite.Scalar
	b.SetUint64(77)
	k, err := s.Blind(o, 0, &hm, &b)
	must(t, err)
	var partials []suite.Partial
	for _, share := range shares {
		p, err := s.Sign(share, o, 0, &k)
		must(t, err)
		partials = append(partials, suite.Partial{Index: share.Index(), Point: p})
	}
	combined, err := s.Combine(c, partials)
	must(t, err)
	if s.CheckBlinded(c, o, 0, &k, &combined) != nil {
		return false
	}
	sig, err := s.Unblind(c, o, 0, &combined, &b)
	must(t, err)
	return s.Verify(c, &hm, &sig) == nil
}

// coin returns the hash of a message, and the outputs of a statement with this coin alone.
func coin() (hm suite.Field, o *suite.Outputs) {
	o = &suite.Outputs{Period: 7, Cms: make([]suite.Field, 1)}
	o.Cms[0].SetUint64(5)
	o.D.SetUint64(6)
	hm.SetUint64(1)
	return hm, o
}

func shareFile(t testing.TB, w *world, index int) []byte {
	t.Helper()
	raw, err := w.authority(index).Finish(w.oldShare(index))
	must(t, err)
	share, seed, err := keys.DecodeShare(raw)
	must(t, err)
	share.Close()
	if string(seed) != string(w.secrets[index-1].NoteKeySeed) {
		t.Fatal("another note key")
	}
	return raw
}
