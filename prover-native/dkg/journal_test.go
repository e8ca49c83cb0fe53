package dkg

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/ceremony"
)

// disk is what lies in the files of a member's secrets at one moment.
type disk struct{ secrets, journal []byte }

func onDisk(t testing.TB, path string) (d disk) {
	t.Helper()
	var err error
	d.secrets, err = os.ReadFile(path)
	must(t, err)
	d.journal, err = os.ReadFile(journalPath(path))
	must(t, err)
	return d
}

// restore writes files as a person would who copies them back.
func restore(t testing.TB, path string, secrets, journal []byte) {
	t.Helper()
	must(t, os.WriteFile(path, secrets, 0o600))
	must(t, os.WriteFile(journalPath(path), journal, 0o600))
}

// dealt is a ceremony in which authority 1 dealt, and its files before and after that. Its program is not running.
func dealt(t testing.TB) (w *world, path string, before, after disk) {
	t.Helper()
	w = newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	path = w.path(1)
	before = onDisk(t, path)
	must(t, w.authority(1).Deal())
	w.secrets[0].Close()
	return w, path, before, onDisk(t, path)
}

// messageOf1 is what authority 1 said in the open round.
func messageOf1(t testing.TB, w *world) string {
	t.Helper()
	b := w.board()
	own, err := b.own(len(b.closed), b.Round(), 1)
	must(t, err)
	if len(own) != 1 {
		t.Fatalf("%d messages", len(own))
	}
	return string(own[0])
}

//spec:id D-15
func TestAJournalThatLacksSomethingIsRefused(t *testing.T) {
	w, path, before, after := dealt(t)
	other := onDisk(t, w.path(2))
	named := func(line string) []byte { return bytes.Replace(after.secrets, newest(t, after), []byte(line), 1) }
	v1 := bytes.Replace(after.secrets, []byte("secrets/v2"), []byte("secrets/v1"), 1)
	for name, c := range map[string]struct {
		want             ceremony.Code
		secrets, journal []byte
	}{
		"older, by a copy":           {ceremony.JournalBehind, after.secrets, before.journal},
		"empty":                      {ceremony.JournalBehind, after.secrets, nil},
		"without its last character": {ceremony.JournalDamaged, after.secrets, after.journal[:len(after.journal)-1]},
		"without half a line":        {ceremony.JournalDamaged, after.secrets, after.journal[:len(before.journal)+100]},
		"of other secrets":           {ceremony.JournalDamaged, after.secrets, other.journal},
		"without its first line":     {ceremony.JournalDamaged, after.secrets, after.journal[len(before.journal):]},
		"secrets that name no line":  {ceremony.JournalDamaged, named(strings.Repeat("z", 64)), after.journal},
		"secrets that name another":  {ceremony.JournalBehind, named(strings.Repeat("a", 64)), after.journal},
		"secrets of before journals": {ceremony.Malformed, v1, after.journal},
	} {
		restore(t, path, c.secrets, c.journal)
		if _, err := LoadSecrets(path); ceremony.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if left := onDisk(t, path); !bytes.Equal(left.journal, c.journal) || !bytes.Equal(left.secrets, c.secrets) {
			t.Errorf("%s: the refusal changed the files", name)
		}
	}
	for at := 0; at < len(after.journal); at += 1 + len(after.journal)/500 {
		changed := slices.Clone(after.journal)
		changed[at] ^= 1
		restore(t, path, after.secrets, changed)
		_, err := LoadSecrets(path)
		if code := ceremony.CodeOf(err); code != ceremony.JournalDamaged && code != ceremony.JournalBehind {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	must(t, os.Remove(journalPath(path)))
	_, err := LoadSecrets(path)
	refused(t, err, ceremony.JournalMissing)
	must(t, os.Symlink(w.path(2), journalPath(path)))
	_, err = LoadSecrets(path)
	refused(t, err, ceremony.JournalDamaged)
	_, err = Join(w.board(), &Secrets{Identity: w.secrets[0].Identity})
	refused(t, err, ceremony.JournalMissing)
}

func newest(t testing.TB, d disk) []byte {
	t.Helper()
	lines := bytes.SplitAfter(bytes.TrimSuffix(d.journal, []byte("\n")), []byte("\n"))
	return []byte(ceremony.Digest(append(slices.Clone(lines[len(lines)-1]), '\n')))
}

// The newest line alone does not show that the lines before it are there.
//
//spec:id D-15
func TestAJournalWithoutALineInItsMiddleIsRefused(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.round()
	_, err := w.authority(1).Complain()
	must(t, err)
	path := w.path(1)
	w.secrets[0].Close()
	d := onDisk(t, path)
	lines := bytes.SplitAfter(d.journal, []byte("\n"))
	restore(t, path, d.secrets, slices.Concat(lines[0], lines[2]))
	_, err = LoadSecrets(path)
	refused(t, err, ceremony.JournalDamaged)
	restore(t, path, d.secrets, d.journal)
	loaded(t, path).Close()
}

// A power failure leaves a whole line that the secrets do not name yet, or a part of one. Its message has not left.
//
//spec:id D-15
func TestACrashWhileTheJournalIsWrittenIsNoLoss(t *testing.T) {
	w, path, before, after := dealt(t)
	first := messageOf1(t, w)
	must(t, os.RemoveAll(w.board().roundDir(0, roundDeal)))
	for cut := len(before.journal); cut < len(after.journal); cut += 1 + len(after.journal)/20 {
		restore(t, path, before.secrets, after.journal[:cut])
		loaded(t, path).Close()
		if left := onDisk(t, path); !bytes.Equal(left.journal, before.journal) || !bytes.Equal(left.secrets, before.secrets) {
			t.Fatalf("after %d bytes", cut)
		}
	}
	restore(t, path, before.secrets, after.journal)
	w.secrets[0] = loaded(t, path)
	if left := onDisk(t, path); !bytes.Equal(left.journal, after.journal) || !bytes.Equal(left.secrets, after.secrets) {
		t.Fatal("the secrets do not name the newest line")
	}
	must(t, w.authority(1).Deal())
	if messageOf1(t, w) != first {
		t.Error("another message than the one in the journal")
	}
}

//spec:id D-15
func TestAMessageLeavesAfterItsLine(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	path, dir := w.path(1), w.board().roundDir(0, roundDeal)
	a := w.authority(1)
	must(t, os.WriteFile(dir, nil, 0o600)) // the message cannot be written
	refused(t, a.Deal(), ceremony.Missing)
	if e := w.secrets[0].journal.of(roundDeal); e == nil || len(e.Records) != 1 {
		t.Fatal("the journal does not hold the message")
	}
	must(t, os.Remove(dir))
	w.secrets[0].Close()
	w.secrets[0] = loaded(t, path)
	must(t, w.authority(1).Deal())
	if messageOf1(t, w) != w.secrets[0].journal.of(roundDeal).Message {
		t.Error("another message than the one in the journal")
	}
	refused(t, w.authority(1).Deal(), ceremony.Exists)
	// where the journal cannot be written, nothing leaves
	must(t, w.secrets[1].journal.file.Close())
	refused(t, w.authority(2).Deal(), ceremony.Missing)
	pending, err := w.board().Pending()
	must(t, err)
	if len(pending) != 1 {
		t.Error(pending)
	}
	// nor where the secrets cannot name the line
	must(t, w.secrets[2].journal.secrets.Close())
	refused(t, w.authority(3).Deal(), ceremony.Missing)
}

// A file of secrets that was restored alone is a member with its whole memory.
//
//spec:id D-15
func TestRestoredSecretsFindTheirJournal(t *testing.T) {
	w, path, before, after := dealt(t)
	for i := 2; i <= 4; i++ {
		must(t, w.authority(i).Deal())
	}
	w.close()
	restore(t, path, before.secrets, after.journal)
	w.secrets[0] = loaded(t, path)
	_, err := w.authority(1).Complain()
	must(t, err)
}

// Secrets with a journal of the same age are a copy that nothing beside it contradicts. The folder does, if it has a message of
// this member that the copy does not know.
//
//spec:id D-14
func TestACopyIsNoticedByTheFolder(t *testing.T) {
	w, path, before, _ := dealt(t)
	restore(t, path, before.secrets, before.journal)
	w.secrets[0] = loaded(t, path)
	_, err := Join(w.board(), w.secrets[0])
	refused(t, err, ceremony.JournalBehind) // it lies there
	for i := 2; i <= 4; i++ {
		must(t, w.authority(i).Deal())
	}
	w.close()
	_, err = Join(w.board(), w.secrets[0])
	refused(t, err, ceremony.JournalBehind) // it is listed
	without := w.fork(roundDeal, func(author int) bool { return author == 1 })
	without.close()
	must(t, os.CopyFS(without.dir, os.DirFS(missingFrom(t, without.dir, w.dir))))
	_, err = Join(without.board(), w.secrets[0])
	refused(t, err, ceremony.JournalBehind) // it lies there and is not listed
}

//spec:id D-15
func TestOneProcessAtATime(t *testing.T) {
	w := newWorld(t, 4)
	_, err := LoadSecrets(w.path(1))
	refused(t, err, ceremony.JournalBusy)
	path := w.path(1)
	w.secrets[0].Close()
	loaded(t, path).Close()
}

//spec:id D-14
func TestACardServesOneCeremony(t *testing.T) {
	first := newWorld(t, 4)
	first.begin(&Plan{Purpose: MakeKey})
	second := *first
	second.begin(&Plan{Purpose: MakeKey}) // the cards are the same, and no one dealt yet
	must(t, first.authority(1).Deal())
	_, err := Join(second.board(), first.secrets[0])
	refused(t, err, ceremony.OtherCeremony)
	must(t, second.authority(2).Deal())
}

// An author notices a coordinator that leaves its message out, even if the folder does not have the message any more.
//
//spec:id D-14
func TestAMessageThatIsNowhereIsMissed(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	for i := 1; i <= 4; i++ {
		must(t, w.authority(i).Deal())
	}
	w = w.fork(roundDeal, func(author int) bool { return author == 3 })
	w.close()
	_, err := Join(w.board(), w.secrets[2])
	refused(t, err, ceremony.ChainBroken)
	_, err = Join(w.board(), w.secrets[2], roundComplain)
	refused(t, err, ceremony.ChainBroken)
	a, err := Join(w.board(), w.secrets[2], roundDeal)
	must(t, err)
	_, err = a.Complain()
	must(t, err)
}

// A folder from before an end that the member acted on is not one to act in.
//
//spec:id D-14
func TestAFolderFromBeforeIsRefused(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.absent[1] = true
	w.round()
	_, err := w.authority(1).Complain()
	must(t, err)
	old := w.fork(roundDeal, func(int) bool { return false })
	_, err = Join(old.board(), w.secrets[0])
	refused(t, err, ceremony.ChainBroken)
}

// The end of the reveal round fixes the dealers that are opened. If that were not so, the journal would.
//
//spec:id D-14
func TestOneSetOfDealersIsOpened(t *testing.T) {
	w := newWorld(t, 4)
	w.begin(&Plan{Purpose: MakeKey})
	w.until(roundReveal)
	for i := 1; i <= 3; i++ {
		must(t, w.authority(i).Reveal())
	}
	w.close()
	a := w.authority(1)
	n, err := a.Open()
	must(t, err)
	if e := w.secrets[0].journal.of(roundOpen); n != 1 || !slices.Equal(e.Opened, []int{4}) {
		t.Fatalf("%d, %+v", n, e)
	}
	must(t, os.Remove(filepath.Join(a.roundDir(4, roundOpen), messageName(1, ceremony.Digest([]byte(messageOf1(t, w)))))))
	a = w.authority(1)
	a.currentView().unrevealed = []int{3}
	_, err = a.Open()
	refused(t, err, ceremony.OtherEnding)
}

// A journal holds records and messages, which are public.
//
//spec:id D-15
func TestAJournalHoldsNoSecret(t *testing.T) {
	w, _, _ := made(t)
	for i, s := range w.secrets {
		d := onDisk(t, w.path(i+1))
		for _, secret := range []ceremony.Secret{s.Identity, s.Encryption, s.Dealing, s.NoteKeySeed} {
			if bytes.Contains(d.journal, []byte(hexOf(secret))) || bytes.Contains(d.journal, secret) {
				t.Error("a secret is in the journal")
			}
		}
		if e := s.journal.entries; len(e) != 5 || len(s.journal.records) != 6 {
			t.Errorf("%d messages, %d records", len(e), len(s.journal.records))
		}
	}
}
