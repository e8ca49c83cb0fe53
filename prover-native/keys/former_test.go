package keys

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"testing"
	"time"

	"solidus.io/prover/fault"
)

var week = Overlap{Shares: 7 * 24 * time.Hour, NoteKeys: 30 * 24 * time.Hour}

// refreshed returns a directory of development keys that were refreshed once, and what opens it.
func refreshed(t *testing.T, newNoteKey int) (old, dir string, want Expectation) {
	t.Helper()
	old, want = directory(t)
	dir = filepath.Join(t.TempDir(), "next")
	key, err := Refresh(dir, want, Refreshed{From: old, Overlap: week, NewNoteKey: newNoteKey})
	must(t, err)
	want.ManifestKey = key
	return old, dir, want
}

func TestARefreshKeepsTheKeyAndTheFormerCommittee(t *testing.T) {
	old, dir, want := refreshed(t, 2)
	was, err := OpenAsStated(old, key(t, old))
	must(t, err)
	set, err := Open(dir, want)
	must(t, err)
	if set.Committee.Epoch != was.Committee.Epoch+1 || !set.Committee.X.Equal(&was.Committee.X) {
		t.Fatal("not the next epoch of the same key")
	}
	if len(set.Former) != 1 {
		t.Fatalf("%d former committees", len(set.Former))
	}
	f := &set.Former[0]
	if f.Manifest != was.Digest || f.Committee.Epoch != was.Committee.Epoch ||
		f.NoteKeysUntil.Sub(f.SharesUntil) != week.NoteKeys-week.Shares {
		t.Errorf("%+v", f)
	}
	for i := range set.Committee.Members {
		member, former := &set.Committee.Members[i], &f.Committee.Members[i]
		if member.X.Equal(&former.X) {
			t.Errorf("authority %d has the same share", i+1)
		}
		if (member.NoteKey == former.NoteKey) == (i == 1) {
			t.Errorf("note key of authority %d", i+1)
		}
		share, err := set.ReadShare(i + 1)
		must(t, err)
		refused(t, share.Matches(former), fault.ShareInvalid)
		share.Close()
	}
}

func TestOldFormerCommitteesLeave(t *testing.T) {
	_, dir, want := refreshed(t, 0)
	for range maxFormer {
		next := filepath.Join(t.TempDir(), "next")
		key, err := Refresh(next, want, Refreshed{From: dir, Overlap: week})
		must(t, err)
		dir, want.ManifestKey = next, key
	}
	set, err := Open(dir, want)
	must(t, err)
	if set.Committee.Epoch != maxFormer+1 || len(set.Former) != maxFormer || set.Former[maxFormer-1].Committee.Epoch != 1 {
		t.Errorf("epoch %d with %d former committees", set.Committee.Epoch, len(set.Former))
	}
}

// Whoever signs a manifest cannot give a former epoch another key, another order or a time that reads in two ways.
func TestFormerCommitteesAreOfTheSameKey(t *testing.T) {
	_, dir, want := refreshed(t, 0)
	stranger := t.TempDir()
	_, err := Make(stranger, plan())
	must(t, err)
	strange, _, err := ReadManifest(stranger)
	must(t, err)
	for name, change := range map[string]struct {
		of   func(*FormerEntry)
		code fault.Code
	}{
		"another key":                           {func(f *FormerEntry) { f.Committee = strange.Committee }, fault.CommitteeInvalid},
		"another epoch":                         {func(f *FormerEntry) { f.Committee.Epoch += 2 }, fault.CommitteeInvalid},
		"a foreign member":                      {func(f *FormerEntry) { f.Committee.Members[3].X = strange.Committee.Members[3].X }, fault.CommitteeInvalid},
		"no digest":                             {func(f *FormerEntry) { f.ManifestSHA256 = "" }, fault.KeysManifest},
		"a note key that ends before its share": {func(f *FormerEntry) { f.NoteKeysUntil = "2020-01-01T00:00:00Z" }, fault.KeysManifest},
		"no end":                                {func(f *FormerEntry) { f.SharesUntil = "" }, fault.KeysManifest},
		"local time":                            {func(f *FormerEntry) { f.NoteKeysUntil = "2026-01-01T00:00:00+01:00" }, fault.KeysManifest},
	} {
		raw, err := os.ReadFile(filepath.Join(dir, manifestFile))
		must(t, err)
		want.ManifestKey = resign(t, dir, func(m *Manifest) { change.of(&m.Former[0]) })
		_, err = Open(dir, want)
		if err == nil || fault.CodeOf(err) != change.code {
			t.Errorf("%s: %v", name, err)
		}
		must(t, os.WriteFile(filepath.Join(dir, manifestFile), raw, 0o600))
	}
	want.ManifestKey = resign(t, dir, func(m *Manifest) {
		for len(m.Former) <= maxFormer {
			m.Former = append(m.Former, m.Former[0])
		}
	})
	_, err = Open(dir, want)
	refused(t, err, fault.KeysManifest)
}

func TestOnlyKeysOfOnePartyAreRefreshedByOne(t *testing.T) {
	dir, want := directory(t)
	want.Allowed = Classes(Ceremony)
	_, err := Refresh(filepath.Join(t.TempDir(), "next"), want, Refreshed{From: dir, Overlap: week})
	refused(t, err, fault.KeysClass)
	t.Setenv("SOLIDUS_PROFILE", "production")
	want.Allowed = Classes(Development)
	_, err = Refresh(filepath.Join(t.TempDir(), "next"), want, Refreshed{From: dir, Overlap: week})
	refused(t, err, fault.KeysClass)
}

func key(t *testing.T, dir string) ed25519.PublicKey {
	t.Helper()
	k, err := ManifestKey(dir)
	must(t, err)
	return k
}
