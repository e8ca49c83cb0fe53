package cabi

import (
	"encoding/hex"
	"fmt"
	"os"
	"sync"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// openSet is a handle's reference to a key set. One process opens the same directory many times, once per service. Compiled
// circuits and proving keys are then held once, and dropped with the last reference.
type openSet struct {
	*keys.Set
	close func()
}

// Close releases the reference. Calls that still use the set keep it alive.
func (s *openSet) Close() { s.close() }

// shared holds the open sets by their directory and the digests of the verified manifest and shapes.
var shared = struct {
	sync.Mutex
	sets map[setKey]*sharedSet
}{sets: map[setKey]*sharedSet{}}

type setKey struct {
	dir      string
	identity keys.Identity
}

type sharedSet struct {
	set    *keys.Set
	claims int
}

// claim verifies the manifest for this caller, then returns an open set or opens one. It holds the lock while it opens a set,
// because a second caller would only repeat the work.
func claim(dir string, want keys.Expectation) (*openSet, error) {
	identity, err := keys.Admit(dir, want)
	if err != nil {
		return nil, err
	}
	key := setKey{dir, identity}
	shared.Lock()
	defer shared.Unlock()
	entry := shared.sets[key]
	if entry == nil {
		set, err := keys.Open(dir, want)
		if err != nil {
			return nil, err
		}
		if key.identity != set.Identity() {
			return nil, fault.New(fault.KeysManifest, "the manifest or the shapes changed while they were read")
		}
		entry = &sharedSet{set: set}
		shared.sets[key] = entry
	}
	entry.claims++
	return &openSet{entry.set, sync.OnceFunc(func() { release(key) })}, nil
}

func release(key setKey) {
	shared.Lock()
	defer shared.Unlock()
	if entry := shared.sets[key]; entry != nil {
		if entry.claims--; entry.claims == 0 {
			delete(shared.sets, key)
		}
	}
}

func keysOpen(r *reader, w *writer) error {
	n, kind, allowed, production := r.network(), r.kind(), keys.ClassSet(r.u8()), r.flag()
	var transcripts [][32]byte
	for range r.count(32) {
		transcripts = append(transcripts, r.array32())
	}
	key, dir := r.sized(), string(r.sized())
	if err := r.end(); err != nil {
		return err
	}
	set, err := claim(dir, keys.Expectation{
		Network: n.ID(), Kind: kind, Allowed: allowed, ManifestKey: key, Production: production, Transcripts: transcripts,
	})
	if err != nil {
		return err
	}
	id, err := handles.add(set)
	w.u64(id)
	return err
}

func keysInfo(r *reader, w *writer) error {
	set := lookup[*openSet](r)
	if err := r.end(); err != nil {
		return err
	}
	w.u8(uint8(set.Class))
	w.text(set.Manifest.Provenance)
	w.bytes(set.Digest[:])
	w.bytes(set.ShapesDigest[:])
	families := set.Families()
	w.u32(uint32(len(families)))
	for _, family := range families {
		e, err := set.Entry(family)
		if err != nil {
			return err
		}
		digest, err := hex.DecodeString(e.Digest)
		if err != nil || len(digest) != 32 {
			return fault.New(fault.KeysManifest, "digest")
		}
		w.u8(uint8(family))
		w.u32(e.Version)
		w.bytes(digest)
		w.u32(uint32(e.Constraints))
		w.u64(uint64(e.ProvingKey.Size))
	}
	w.committee(set.Committee)
	w.u32(uint32(len(set.Former)))
	for i := range set.Former {
		f := &set.Former[i]
		w.committee(f.Committee)
		w.bytes(f.Manifest[:])
		w.u64(uint64(f.SharesUntil.Unix()))
		w.u64(uint64(f.NoteKeysUntil.Unix()))
	}
	return nil
}

func (w *writer) committee(c *suite.Committee) {
	w.u32(c.Epoch)
	w.u32(uint32(c.F))
	w.g2(&c.X)
	w.g2(&c.Y)
	w.point(&c.Y1)
	w.u32(uint32(len(c.Members)))
	for i := range c.Members {
		m := &c.Members[i]
		w.u32(uint32(m.Index))
		w.g2(&m.X)
		w.g2(&m.Y)
		w.point(&m.Gamma)
		w.bytes(m.NoteKey[:])
	}
}

func keysWarmUp(r *reader, _ *writer) error {
	set, family := lookup[*openSet](r), statement.Family(r.u8())
	if err := r.end(); err != nil {
		return err
	}
	return set.Warm(family)
}

// fingerprints avoids compiling the circuits of a network again.
var fingerprints = cache[fingerprintKey, [32]byte]{limit: 64}

type fingerprintKey struct {
	network string
	kind    statement.Kind
}

func keysFingerprint(r *reader, w *writer) error {
	n, kind := r.network(), r.kind()
	if err := r.end(); err != nil {
		return err
	}
	digest, err := fingerprints.get(fingerprintKey{n.ID(), kind}, func() ([32]byte, error) {
		return keys.Fingerprint(n.ID(), kind)
	})
	w.bytes(digest[:])
	return err
}

// keysMake reports progress on standard error: it takes minutes where nothing is cached.
func keysMake(r *reader, w *writer) error {
	n, kind, class := r.network(), r.kind(), keys.Class(r.u8())
	validators, dir := int(r.u32()), string(r.sized())
	if err := r.end(); err != nil {
		return err
	}
	start := time.Now()
	key, err := keys.Make(dir, keys.Plan{
		Network: n.ID(), Kind: kind, Class: class, Validators: validators,
		Progress: func(line string) {
			fmt.Fprintf(os.Stderr, "solidus keys [%6.1f s] %s\n", time.Since(start).Seconds(), line)
		},
	})
	w.bytes(key)
	return err
}

// keysShapes reports progress as keysMake does. It returns the manifest's key and the directory.
func keysShapes(r *reader, w *writer) error {
	n, kind := r.network(), r.kind()
	manifestKey, from := r.sized(), string(r.sized())
	if err := r.end(); err != nil {
		return err
	}
	start := time.Now()
	dir, key, err := keys.MakeShapes(from,
		keys.Expectation{Network: n.ID(), Kind: kind, Allowed: keys.Classes(keys.Development), ManifestKey: manifestKey},
		func(line string) {
			fmt.Fprintf(os.Stderr, "solidus keys [%6.1f s] %s\n", time.Since(start).Seconds(), line)
		})
	w.u32(uint32(len(key)))
	w.bytes(key)
	w.text(dir)
	return err
}

// keysRefresh is for rehearsals and tests: it needs all shares in one place.
func keysRefresh(r *reader, w *writer) error {
	n, kind, allowed := r.network(), r.kind(), keys.ClassSet(r.u8())
	shares, noteKeys := time.Duration(r.u32())*time.Second, time.Duration(r.u32())*time.Second
	newNoteKey, manifestKey, from, dir := int(r.u32()), r.sized(), string(r.sized()), string(r.sized())
	if err := r.end(); err != nil {
		return err
	}
	key, err := keys.Refresh(dir,
		keys.Expectation{Network: n.ID(), Kind: kind, Allowed: allowed, ManifestKey: manifestKey},
		keys.Refreshed{From: from, Overlap: keys.Overlap{Shares: shares, NoteKeys: noteKeys}, NewNoteKey: newNoteKey})
	w.bytes(key)
	return err
}

func treeBuild(r *reader, w *writer) error {
	n, raw := r.network(), r.sized()
	if err := r.end(); err != nil {
		return err
	}
	if len(raw)%sanction.KeyBytes != 0 {
		return fault.New(fault.BadLength, "sanction keys")
	}
	list := make([]sanction.Key, len(raw)/sanction.KeyBytes)
	for i := range list {
		copy(list[i][:], raw[i*sanction.KeyBytes:])
		if i > 0 && list[i] == list[i-1] {
			return fault.Newf(fault.ListDuplicate, "position %d", i)
		}
	}
	tree, err := sanction.Build(n.Tag(), list)
	if err != nil {
		return err
	}
	id, err := handles.add(tree)
	root := tree.Root()
	w.u64(id)
	w.field(&root)
	w.u32(uint32(tree.Len()))
	return err
}

func treePath(r *reader, w *writer) error {
	tree, apk := lookup[*sanction.Tree](r), r.field()
	if err := r.end(); err != nil {
		return err
	}
	p, err := tree.Path(&apk)
	if err != nil {
		return err
	}
	w.path(p)
	return nil
}
