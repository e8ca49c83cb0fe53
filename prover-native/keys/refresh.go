package keys

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// Refreshed describes a refresh of keys that one party made.
type Refreshed struct {
	From    string // the directory of the keys that there are, with all shares
	Overlap Overlap
	// NewNoteKey is an authority that gets another note key, as one that lost its share does, or 0.
	NewNoteKey int
}

// Refresh fills an empty directory with the keys of another one and fresh shares: what a refresh of the committee makes of
// ceremony keys, for rehearsals and tests. The other directory's keys are of the development or load-test class. It returns
// the new manifest's key.
func Refresh(dir string, want Expectation, r Refreshed) (ed25519.PublicKey, error) {
	if inProduction() || want.Allowed.has(Ceremony) {
		return nil, fault.New(fault.KeysClass, "a ceremony refreshes these keys")
	}
	old, err := Open(r.From, want)
	if err != nil {
		return nil, err
	}
	if r.NewNoteKey < 0 || r.NewNoteKey > old.Committee.N() {
		return nil, fault.Newf(fault.IndexOutOfRange, "authority %d", r.NewNoteKey)
	}
	seeds, shares, err := old.secrets()
	defer func() {
		for i := range shares {
			shares[i].Close()
			suite.Wipe(seeds[i])
		}
	}()
	if err != nil {
		return nil, err
	}
	dealt, err := (&suite.Dealt{Committee: old.Committee, Shares: shares}).Refresh()
	if err != nil {
		return nil, err
	}
	defer dealt.Close()
	if err := makeEmptyDir(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, sharesDir), 0o700); err != nil {
		return nil, fault.New(fault.KeysMissing, "the directory of the shares cannot be made")
	}
	if r.NewNoteKey > 0 {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		copy(dealt.Committee.Members[r.NewNoteKey-1].NoteKey[:], public)
		copy(seeds[r.NewNoteKey-1], private.Seed())
		clear(private)
	}
	for i, share := range dealt.Shares {
		if err := writeShare(dir, old.Class, share, seeds[i]); err != nil {
			return nil, err
		}
	}
	if old.Class == LoadTest {
		if err := copyPrivate(dir, r.From, simulatorFile, maxSimulator); err != nil {
			return nil, err
		}
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	defer clear(private)
	if err := carryShapes(dir, r.From, want.ManifestKey, private); err != nil {
		return nil, err
	}
	return public, old.Manifest.follow(dir, r.From, old.Digest, dealt.Committee, stamp(time.Now()), r.Overlap, private)
}

// secrets reads every authority's share and the seed of its note key. Callers close and wipe them, also after an error.
func (s *Set) secrets() (seeds [][]byte, shares []*suite.Share, err error) {
	for i := 1; i <= s.Committee.N(); i++ {
		share, err := s.ReadShare(i)
		if err != nil {
			return seeds, shares, err
		}
		raw, err := readPrivate(filepath.Join(s.dir, shareName(i)), 4096)
		if err != nil {
			return seeds, shares, err
		}
		var file shareFile
		if err = json.Unmarshal(raw, &file); err != nil || len(file.NoteKeySeed) != ed25519.SeedSize {
			return seeds, shares, fault.New(fault.ShareInvalid, "not a share file")
		}
		shares, seeds = append(shares, share), append(seeds, append([]byte(nil), file.NoteKeySeed...))
		file.wipe()
		suite.Wipe(raw)
	}
	return seeds, shares, nil
}

func copyPrivate(dir, from, name string, limit int64) error {
	raw, err := readPrivate(filepath.Join(from, name), limit)
	if err != nil {
		return err
	}
	defer suite.Wipe(raw)
	_, err = write(dir, name, raw, 0o600)
	return err
}
