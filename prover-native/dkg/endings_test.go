package dkg

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

// The coordinator of these tests is dishonest: it signs several ends of one round and shows members several folders of one
// ceremony, one after the other. Honest members run the software as it is.

// fork is a copy of the folder in which a round is open again. The messages that left names are not in it.
func (w *world) fork(round string, left func(author int) bool) *world {
	w.t.Helper()
	f := *w
	f.dir = filepath.Join(w.t.TempDir(), "fork")
	must(w.t, os.CopyFS(f.dir, os.DirFS(w.dir)))
	b := w.board()
	rounds := b.init.rounds()
	open := slices.Index(rounds, round)
	for i := open; i < len(rounds); i++ {
		must(w.t, os.RemoveAll(filepath.Join(f.dir, closeName(i, rounds[i]))))
		dir := filepath.Join(f.dir, filepath.Base(b.roundDir(i, rounds[i])))
		names, err := ceremony.List(dir)
		must(w.t, err)
		for _, name := range names {
			var author int
			_, err := fmt.Sscanf(name, "%03d-", &author)
			must(w.t, err)
			if i > open || left(author) {
				must(w.t, os.Remove(filepath.Join(dir, name)))
			}
		}
	}
	return &f
}

func (w *world) close() { w.t.Helper(); must(w.t, w.board().Close(w.coordinator)) }

// ask asks a member to act in the open round. An honest member may refuse.
func (w *world) ask(index int) error {
	w.t.Helper()
	if w.dishonest[index] {
		return w.tell(w.forgetful(index))
	}
	a, err := Join(w.board(), w.secrets[index-1], w.late...)
	if err != nil {
		return err
	}
	return w.tell(a)
}

func (w *world) tell(a *Authority) error {
	err := w.act(a.Round(), a)
	if ceremony.CodeOf(err) == ceremony.Exists {
		return nil // its message is already there
	}
	return err
}

// askAll asks these members and returns the refusals.
func (w *world) askAll(indices ...int) (refusals []error) {
	w.t.Helper()
	for _, i := range indices {
		if err := w.ask(i); err != nil {
			refusals = append(refusals, err)
		}
	}
	return refusals
}

// complete asks all members for all rounds that are left, and returns nil where the ceremony has no result.
func (w *world) complete() *Outcome {
	w.t.Helper()
	for w.board().Round() != "" {
		for i := range w.secrets {
			_ = w.ask(i + 1)
		}
		if w.board().Close(w.coordinator) != nil {
			return nil
		}
	}
	o, err := w.board().Outcome()
	if err != nil {
		return nil
	}
	return o
}

// spoil is what a coordinator and the dishonest members know: shares of dealers' polynomials, by dealer and member.
type spoil map[int]map[int]piece

func (s spoil) add(dealer, member int, p piece) {
	if s[dealer] == nil {
		s[dealer] = map[int]piece{}
	}
	s[dealer][member] = piece{slices.Clone(p.value), slices.Clone(p.blind)}
}

// betray adds all that a dishonest member has: the shares that it received, and its own polynomials.
func (s spoil) betray(w *world, member int) {
	w.t.Helper()
	a := w.forgetful(member)
	values, blinds := a.polynomials()
	for _, m := range a.members {
		s.add(member, m.index, pieceAt(values, blinds, m.index))
		p, err := a.received(m.index)
		must(w.t, err)
		s.add(m.index, member, p)
	}
}

// collect adds the shares that lie in the open round's folder.
func (s spoil) collect(w *world) {
	w.t.Helper()
	b := w.board()
	v := b.currentView()
	for author, m := range pendingMessages(w, b) {
		for i := range m.(*Opening).Pieces {
			p := &m.(*Opening).Pieces[i]
			got, err := b.checkPiece(v, p)
			must(w.t, err)
			s.add(p.Dealer, author, got)
		}
	}
}

func pendingMessages(w *world, b *Board) map[int]message {
	w.t.Helper()
	pending, err := b.Pending()
	must(w.t, err)
	all := map[int]message{}
	for _, p := range pending {
		raw, err := os.ReadFile(filepath.Join(b.roundDir(len(b.closed), b.Round()), p.File))
		must(w.t, err)
		m, err := b.openMessage(raw, b.Round(), p.Author, b.Digest())
		must(w.t, err)
		all[p.Author] = m
	}
	return all
}

// sumAt adds up the dealers' values at x, row by row. It returns nil unless the shares suffice. A row's root is one point more.
func (s spoil) sumAt(b *Board, dealers []int, x int) []scalar {
	total := make([]scalar, len(b.rows))
	for _, dealer := range dealers {
		for i, r := range b.rows {
			indices, known := []int{}, []scalar{}
			if r.root != anywhere {
				indices, known = []int{r.root}, []scalar{{}}
			}
			for member, p := range s[dealer] {
				if member != r.root {
					indices, known = append(indices, member), append(known, p.value[i])
				}
			}
			if len(indices) < b.quorum() {
				return nil
			}
			at := weighted(known[:b.quorum()], weights(indices[:b.quorum()], x))
			total[i].Add(&total[i], &at)
		}
	}
	return total
}

// endings shows the honest members one end of the reveal round after the other, each without the reveal of another dealer, and
// asks them to open that dealer. It returns the folders.
func (w *world) endings(honest []int, s spoil) (forks []*world, refusals []error) {
	w.t.Helper()
	for _, dealer := range honest {
		f := w.fork(roundReveal, func(author int) bool { return author == dealer })
		f.close()
		refusals = append(refusals, f.askAll(slices.DeleteFunc(slices.Clone(honest), func(i int) bool { return i == dealer })...)...)
		s.collect(f)
		forks = append(forks, f)
	}
	original := w.fork(roundReveal, func(int) bool { return false })
	original.close()
	return append(forks, original), refusals
}

func revealed4(w *world, dishonest ...int) (honest []int) {
	w.t.Helper()
	for _, i := range dishonest {
		w.dishonest[i] = true
	}
	w.until(roundReveal)
	for i := range w.secrets {
		must(w.t, w.ask(i+1))
		if !w.dishonest[i+1] {
			honest = append(honest, i+1)
		}
	}
	return honest
}

// logarithms reports whether these are the logarithms of the committee's key.
func logarithms(c *suite.Committee, values []scalar) bool {
	x, y := mul2(&base2, &values[0]), mul2(&base2, &values[1])
	return x.Equal(&c.X) && y.Equal(&c.Y)
}

func onlyOf(t testing.TB, refusals []error, codes ...ceremony.Code) {
	t.Helper()
	if len(refusals) == 0 {
		t.Error("no member refuses")
	}
	for _, err := range refusals {
		if !slices.Contains(codes, ceremony.CodeOf(err)) {
			t.Error(err)
		}
	}
}

// Without a journal a coordinator has each dealer opened under an end of its own, adds up their parts of the key, and then lets
// the ceremony go on in a folder that shows nothing of it.
//
//spec:id D-14
func TestACoordinatorLearnsNoKeyFromSeveralEnds(t *testing.T) {
	for name, dishonest := range map[string][]int{"all authorities honest": nil, "f dishonest": {4}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 4)
			w.begin(&Plan{Purpose: MakeKey})
			honest := revealed4(w, dishonest...)
			s := spoil{}
			for _, i := range dishonest {
				s.betray(w, i)
			}
			forks, refusals := w.endings(honest, s)
			onlyOf(t, refusals, ceremony.OtherEnding)
			results := 0
			for _, f := range forks {
				o := f.complete()
				if o == nil {
					continue
				}
				results++
				if x := s.sumAt(f.board(), o.Qualified, 0); x != nil && logarithms(o.Committee, x) {
					t.Error("the coordinator knows the key of a ceremony that verifies")
				}
			}
			if results > 1 {
				t.Errorf("%d results", results)
			}
		})
	}
}

// Without a journal a coordinator learns what a refresh adds to a share, so old shares and new ones add up.
//
//spec:id D-14
func TestACoordinatorLearnsNotWhatARefreshAdds(t *testing.T) {
	w, o, old := made(t)
	r := w.next(o, old, &Plan{Purpose: Refresh})
	honest := revealed4(r, 4)
	s := spoil{}
	s.betray(r, 4)
	forks, refusals := r.endings(honest, s)
	onlyOf(t, refusals, ceremony.OtherEnding)
	for _, f := range forks {
		after := f.complete()
		if after == nil {
			continue
		}
		added := s.sumAt(f.board(), after.Qualified, 1)
		if added == nil {
			continue
		}
		must(t, addShare(added, old[0])) // stolen from authority 1 before the refresh
		if x := mul2(&base2, &added[0]); x.Equal(&after.Committee.Members[0].X) {
			t.Error("an old share becomes a new one")
		}
	}
}

// Without a journal a coordinator has the masks of a recovery opened. With the authority that is helped it then reads the shares
// of all helpers, so the key.
//
//spec:id D-14
func TestACoordinatorAndTheOneWhoIsHelpedReadNoShares(t *testing.T) {
	const lost = 2
	w, o, old := made(t)
	r := w.next(o, []*suite.Share{old[0], nil, old[2], old[3]}, &Plan{Purpose: Recover, Lost: lost})
	honest := revealed4(r, lost)
	s := spoil{}
	s.betray(r, lost)
	forks, refusals := r.endings(honest, s)
	onlyOf(t, refusals, ceremony.OtherEnding)
	for _, f := range forks {
		_ = f.askAll(1, 2, 3, 4)
		if f.board().Close(f.coordinator) != nil {
			continue
		}
		_ = f.askAll(honest...)
		b := f.board()
		key, err := f.secrets[lost-1].encryption()
		must(t, err)
		for helper, m := range pendingMessages(f, b) {
			masks := s.sumAt(b, b.currentView().qualified, helper)
			if masks == nil {
				continue
			}
			sealed, err := bytesOf(m.(*Help).Sealed, sealOverhead+2*suite.ScalarBytes)
			must(t, err)
			plain, err := unseal(key, b.shareInfo(helper, lost), []byte(roundHelp), sealed)
			must(t, err)
			x, err := suite.DecodeScalar(plain[:suite.ScalarBytes])
			must(t, err)
			x.Sub(&x, &masks[2]).Sub(&x, &masks[0])
			if at := mul2(&base2, &x); at.Equal(&o.Committee.Members[helper-1].X) {
				t.Errorf("the share of authority %d is known", helper)
			}
		}
	}
}

// Members may act under different ends, each under one. A dealer that revealed in the end with a result is then opened by fewer
// than f+1 honest members, which hides its polynomial in a new key. In a refresh, where the root is known, one such dealer stays.
//
//spec:id D-14
func TestMembersOfTwoEndsLeaveADealerClosed(t *testing.T) {
	first, o, old := made(t)
	for _, purpose := range []Purpose{MakeKey, Refresh} {
		w := newWorld(t, 4)
		if purpose == MakeKey {
			w.begin(&Plan{Purpose: MakeKey})
		} else {
			w = first.next(o, old, &Plan{Purpose: Refresh})
		}
		revealed4(w, 4)
		w.late = []string{roundReveal} // authority 1 is told that its reveal came too late
		s := spoil{}
		s.betray(w, 4)
		other := w.fork(roundReveal, func(author int) bool { return author == 2 })
		other.close()
		must(t, other.ask(3))
		s.collect(other)
		w = w.fork(roundReveal, func(author int) bool { return author == 1 })
		w.close()
		must(t, w.ask(1))
		must(t, w.ask(2))
		s.collect(w)
		result := w.complete()
		if result == nil || len(result.Opened) != 1 || !slices.Equal(result.Confirmed, []int{1, 2, 4}) {
			t.Fatalf("%s: %+v", purpose, result)
		}
		if len(s[1]) != 3 || len(s[2]) != 2 || len(s[3]) != 1 {
			t.Errorf("%s: shares of %d, %d, %d members", purpose, len(s[1]), len(s[2]), len(s[3]))
		}
		if s.sumAt(w.board(), result.Qualified, 0) != nil && purpose == MakeKey || s.sumAt(w.board(), result.Qualified, 1) != nil {
			t.Errorf("%s: all dealers are known", purpose)
		}
	}
}

// Helpers act on an end of the open round that 2f+1 members made. So no f+1 honest members opened masks under another one.
//
//spec:id D-05
func TestTheOpenRoundNeedsTheMessagesOfAQuorum(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.until(roundOpen)
	for i := 1; i <= 2; i++ {
		n, err := w.authority(i).Open()
		must(t, err)
		if n != 0 {
			t.Error("a share of a dealer that revealed")
		}
	}
	refused(t, w.board().Close(w.coordinator), ceremony.TooFew)
	b := w.board()
	signed, err := ceremony.Sign(w.coordinator, kindClose, &Close{
		Ceremony: b.init.Ceremony, Round: roundOpen, Previous: b.Digest(), Messages: []Listed{}, Equivocators: []Equivocation{},
		Time: ceremony.Now(),
	})
	must(t, err)
	must(t, ceremony.WriteNew(filepath.Join(w.dir, closeName(4, roundOpen)), signed, 0o644))
	_, err = OpenBoard(w.dir, b.Coordinator())
	refused(t, err, ceremony.TooFew)
}

// A coordinator has seen all reveals, so X and Y, and asks for the rounds since the deals again, without one dealer. Without a
// journal it could choose among the keys of all sets of dealers.
//
//spec:id D-14
func TestACoordinatorChoosesNoDealersAfterTheReveals(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.until(roundOpen)
	f := w.fork(roundDeal, func(author int) bool { return author == 4 })
	f.close()
	onlyOf(t, f.askAll(1, 2, 3), ceremony.OtherEnding)
	refused(t, f.board().Close(f.coordinator), ceremony.TooFew)
}

// Without a journal one ceremony has two transcripts, each with 2f+1 confirmations of honest members.
//
//spec:id D-14
func TestACeremonyHasOneResult(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.until(roundComplain)
	f := w.fork(roundDeal, func(author int) bool { return author == 4 })
	f.close()
	one, other := w.complete(), f.complete()
	if one == nil || other != nil {
		t.Errorf("results %v and %v", one, other)
	}
}

// A coordinator loses a member's message and asks for it again. With two different ones it could call the member a liar.
//
//spec:id D-14
func TestAMemberIsNotMadeToContradictItself(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	for i := 1; i <= 4; i++ {
		must(t, w.authority(i).Deal())
	}
	f := w.fork(roundDeal, func(author int) bool { return author == 2 })
	must(t, f.authority(2).Deal())
	must(t, os.CopyFS(w.dir, os.DirFS(missingFrom(t, w.dir, f.dir))))
	w.close()
	if e := w.board().closed[0].Equivocators; len(e) > 0 {
		t.Errorf("an honest member has two messages: %v", e)
	}
}

// missingFrom is a copy of a folder without the files that another one has.
func missingFrom(t testing.TB, has, dir string) string {
	t.Helper()
	more := t.TempDir()
	must(t, os.CopyFS(more, os.DirFS(dir)))
	must(t, filepath.WalkDir(more, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if _, err := os.Stat(filepath.Join(has, strings.TrimPrefix(path, more))); err == nil {
			return os.Remove(path)
		}
		return nil
	}))
	return more
}

// follows reports whether a folder has these records, and perhaps more.
func follows(b *Board, chain []string) bool {
	return len(b.heads) >= len(chain) && slices.Equal(b.heads[:len(chain)], chain)
}

// Whatever folders of one ceremony a member is shown, in whatever order, how often its message is lost and its program begins
// again: it signs at most one message in a round, and all its messages follow one chain of records.
//
//spec:id D-14
func TestAnySequenceOfFoldersGetsOneEndOfEachRound(t *testing.T) {
	acts, refusals := 0, 0
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 23))
		w := newWorld(t, 4)
		w.begin(&Plan{Purpose: MakeKey})
		for _, i := range []int{2, 3, 4} { // they act in every folder
			w.dishonest[i] = true
		}
		w.late = w.board().init.rounds() // it goes on where its messages are left out
		folders := []*world{w}
		said, chain := map[string]string{}, []string{}
		for range 60 {
			f := folders[random.IntN(len(folders))]
			if random.IntN(3) > 0 { // rather one in which the member can go on
				f = folders[slices.IndexFunc(folders, func(f *world) bool { return follows(f.board(), chain) })]
			}
			switch round := f.board().Round(); {
			case round == "":
			case random.IntN(3) == 0:
				left := 1 + random.IntN(8) // or none
				f = f.fork(round, func(author int) bool { return author == left })
				for i := 2; i <= 4; i++ {
					if i != left {
						must(t, f.ask(i))
					}
				}
				if f.board().Close(f.coordinator) == nil {
					folders = slices.Insert(folders, 0, f)
				}
			case random.IntN(4) == 0:
				w.secrets[0].Close()
				w.secrets[0] = loaded(t, w.path(1))
				for _, f := range folders {
					f.secrets[0] = w.secrets[0]
				}
			default:
				if random.IntN(2) == 0 { // its message does not leave
					f = f.fork(round, func(int) bool { return false })
				}
				if f.ask(1) != nil {
					refusals++
					continue
				}
				b := f.board()
				own, err := b.own(len(b.closed), round, 1)
				must(t, err)
				for _, raw := range own {
					acts++
					if was, ok := said[round]; ok && was != string(raw) {
						t.Fatalf("seed %d: two messages in round %s", seed, round)
					}
					said[round] = string(raw)
					if !follows(b, chain) {
						t.Fatalf("seed %d: it acts on two ends in round %s", seed, round)
					}
					chain = b.heads
				}
			}
		}
		t.Log("seed", seed, "folders", len(folders), "rounds", len(said))
	}
	if acts < 10 || refusals < 10 {
		t.Errorf("%d acts and %d refusals show nothing", acts, refusals)
	}
}
