package keys

import (
	"encoding/hex"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// maxFormer bounds the former committees in a manifest: with as many members as there can be, they fill half of what a
// manifest may have.
const maxFormer = 6

// Former is the committee of a former epoch of the same key.
type Former struct {
	Committee *suite.Committee
	Manifest  [32]byte
	// SharesUntil ends the time in which authorities sign with its shares too.
	SharesUntil time.Time
	// NoteKeysUntil ends the time in which a member's note key counts that is not its key any more.
	NoteKeysUntil time.Time
}

// Overlap says how long a committee lives on beside the one that follows it, from the time of the ceremony's last record.
type Overlap struct {
	Shares   time.Duration
	NoteKeys time.Duration
}

// retire puts a manifest's committee at the head of its former ones. The oldest leaves when there are too many.
func (m *Manifest) retire(digest [32]byte, endedAt string, o Overlap) error {
	end, err := time.Parse(time.RFC3339, endedAt)
	if err != nil {
		return fault.New(fault.KeysManifest, "the time of the refresh")
	}
	if o.Shares < 0 || o.NoteKeys < o.Shares {
		return fault.New(fault.KeysManifest, "former note keys count at least as long as former shares sign")
	}
	former := append([]FormerEntry{{
		ManifestSHA256: hex.EncodeToString(digest[:]),
		SharesUntil:    stamp(end.Add(o.Shares)), NoteKeysUntil: stamp(end.Add(o.NoteKeys)), Committee: m.Committee,
	}}, m.Former...)
	m.Former = former[:min(len(former), maxFormer)]
	return nil
}

// formers decodes and checks the former committees: each is of the epoch before the one that follows it, of the same key and
// size, and its keys belong together.
//
//spec:id K-08
func (m *Manifest) formers(present *suite.Committee) ([]Former, error) {
	if len(m.Former) > maxFormer {
		return nil, fault.New(fault.KeysManifest, "too many former committees")
	}
	var all []Former
	next := present
	for i := range m.Former {
		f, err := m.Former[i].decode()
		if err != nil {
			return nil, err
		}
		if !follows(next, f.Committee) {
			return nil, fault.Newf(fault.CommitteeInvalid, "former committee %d is not of the epoch before and the same key", i)
		}
		all = append(all, *f)
		next = f.Committee
	}
	return all, nil
}

// follows reports whether a committee is of the next epoch of the same key.
func follows(c, was *suite.Committee) bool {
	return c.Epoch == was.Epoch+1 && c.F == was.F && c.X.Equal(&was.X) && c.Y.Equal(&was.Y) && c.Y1.Equal(&was.Y1)
}

func (e *FormerEntry) decode() (*Former, error) {
	c, err := e.Committee.decode()
	if err != nil {
		return nil, err
	}
	dec := &hexDecoder{}
	f := &Former{Committee: c}
	copy(f.Manifest[:], dec.bytes(e.ManifestSHA256, len(f.Manifest)))
	if dec.err != nil {
		return nil, dec.err
	}
	if f.SharesUntil, err = parseStamp(e.SharesUntil); err != nil {
		return nil, err
	}
	if f.NoteKeysUntil, err = parseStamp(e.NoteKeysUntil); err != nil {
		return nil, err
	}
	if f.NoteKeysUntil.Before(f.SharesUntil) {
		return nil, fault.New(fault.KeysManifest, "a former note key that ends before its share")
	}
	return f, nil
}

// parseStamp reads a time in its only form.
func parseStamp(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || stamp(t) != text {
		return time.Time{}, fault.New(fault.KeysManifest, "a time of a former committee")
	}
	return t, nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
