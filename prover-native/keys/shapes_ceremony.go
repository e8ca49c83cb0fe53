package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
)

// CompileShapes returns the named circuits of shapes of a regulated network, each once, in the order of the names.
func CompileShapes(network string, names []string) ([]Compiled, error) {
	n, err := statement.NewNetwork(network)
	if err != nil {
		return nil, err
	}
	known := shapeRegistry[statement.Regulated]
	var all []Compiled
	for i, name := range names {
		at := slices.IndexFunc(known, func(c circuit) bool { return c.name == name })
		if at < 0 || slices.Contains(names[:i], name) {
			return nil, fault.Newf(fault.KeysNoCircuit, "no shape %q, or twice", name)
		}
		c := &known[at]
		sys, err := c.build(n.Tag())
		if err != nil {
			return nil, err
		}
		all = append(all, Compiled{Name: c.name, Version: c.version, PublicInputs: c.publicInputs, Digest: sys.digest, System: sys.R1CS})
	}
	if len(all) == 0 {
		return nil, fault.New(fault.KeysNoCircuit, "no shape is named")
	}
	return all, nil
}

// SealedShapes holds the result of a ceremony for shapes.
type SealedShapes struct {
	// Manifest is the SHA-256 of the network's manifest when the ceremony began.
	Manifest   string
	Provenance string
	CreatedAt  string // the time of the last record, so that every run of SealShapes writes the same bytes
	Transcript TranscriptEntry
	Circuits   []SealedCircuit
}

// SealShapes fills an empty directory with the keys of another one, bytes unchanged, and adds the shapes of a ceremony to them.
// The signer is the manifest's. Shapes that the other directory has stay as they are and come first, so readers see that the new
// file follows the old one. The bytes depend only on the directory, the ceremony's result and the key.
//
//spec:id K-13
func SealShapes(dir, from string, manifestKey ed25519.PublicKey, s *SealedShapes, signer ed25519.PrivateKey) error {
	if !bytes.Equal(manifestKey, signer.Public().(ed25519.PublicKey)) {
		return fault.New(fault.KeysSignature, "shapes are signed with the key of the manifest")
	}
	raw, signature, err := readSigned(from)
	if err != nil {
		return err
	}
	m, digest, err := pinnedManifest(from, manifestKey)
	if err != nil {
		return err
	}
	shapes, had, err := s.after(m, digest, from, manifestKey)
	if err != nil {
		return err
	}
	if err := makeEmptyDir(dir); err != nil {
		return err
	}
	for _, e := range slices.Concat(m.Circuits, had) {
		if err := e.copy(dir, from); err != nil {
			return err
		}
	}
	for i := range s.Circuits {
		e, err := s.Circuits[i].write(dir)
		if err != nil {
			return err
		}
		shapes.Circuits = append(shapes.Circuits, *e)
	}
	encoded, err := json.MarshalIndent(shapes, "", "  ")
	if err != nil || len(encoded) >= maxShapes || len(shapes.Circuits) > maxShapeCircuits {
		return fault.New(fault.KeysOversized, shapesFile)
	}
	if err := signShapes(dir, append(encoded, '\n'), signer); err != nil {
		return err
	}
	return copyManifest(dir, manifestKey, raw, signature)
}

// after returns the file of shapes that follows the one of a directory, still without the new circuits, and the circuits that the
// directory's file had.
func (s *SealedShapes) after(m *Manifest, digest [32]byte, from string, key ed25519.PublicKey) (*Shapes, []CircuitEntry, error) {
	switch {
	case m.Class != Ceremony.String():
		return nil, nil, fault.New(fault.KeysClass, m.Class)
	case m.Kind != statement.Regulated.String():
		return nil, nil, fault.New(fault.KeysKind, "shapes of an unregulated network")
	case !m.isOrFollows(digest, s.Manifest):
		return nil, nil, fault.New(fault.KeysManifest, "the ceremony was held for another manifest")
	}
	shapes := &Shapes{
		Format: shapesFormat, Network: m.Network, Class: m.Class, Provenance: s.Provenance, CreatedAt: s.CreatedAt,
	}
	signed, err := readSignedShapes(from)
	if err != nil {
		return nil, nil, err
	}
	if signed != nil {
		old, err := signed.parse(key)
		if err != nil {
			return nil, nil, err
		}
		if old.Network != m.Network || old.Class != m.Class {
			return nil, nil, fault.New(fault.KeysNetwork, "the directory has shapes of another network or class")
		}
		shapes.Circuits, shapes.Transcripts = slices.Clone(old.Circuits), slices.Clone(old.Transcripts)
		shapes.Provenance = old.Provenance + "; " + s.Provenance
	}
	for i := range s.Circuits {
		if slices.ContainsFunc(shapes.Circuits, func(e CircuitEntry) bool { return e.Name == s.Circuits[i].Name }) {
			return nil, nil, fault.Newf(fault.KeysMismatch, "the network has %s already", s.Circuits[i].Name)
		}
	}
	shapes.Transcripts = append(shapes.Transcripts, s.Transcript)
	_, err = transcriptDigests(slices.Concat(m.Transcripts, shapes.Transcripts))
	return shapes, slices.Clone(shapes.Circuits), err
}

// isOrFollows reports whether a manifest has a digest, or names the manifest that has it as former: a refresh may happen while a
// ceremony is held.
func (m *Manifest) isOrFollows(digest [32]byte, named string) bool {
	return hex.EncodeToString(digest[:]) == named ||
		slices.ContainsFunc(m.Former, func(f FormerEntry) bool { return f.ManifestSHA256 == named })
}

// copyManifest writes a verified manifest with its signature and key, the manifest last.
func copyManifest(dir string, key ed25519.PublicKey, raw, signature []byte) error {
	for _, f := range []struct {
		name    string
		content []byte
	}{
		{publicKeyFile, []byte(hex.EncodeToString(key) + "\n")},
		{signatureFile, []byte(hex.EncodeToString(signature) + "\n")},
		{manifestFile, raw},
	} {
		if _, err := write(dir, f.name, f.content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// PinnedShapes reads a directory's shapes under the manifest's key. They are nil where it has none.
func PinnedShapes(dir string, key ed25519.PublicKey) (*Shapes, error) {
	signed, err := readSignedShapes(dir)
	if err != nil || signed == nil {
		return nil, err
	}
	return signed.parse(key)
}

// PinnedDigest is PinnedManifest with the digest of the manifest's bytes.
func PinnedDigest(dir string, key ed25519.PublicKey) (*Manifest, [32]byte, error) {
	return pinnedManifest(dir, key)
}

// Replayed holds the circuits that a verified transcript makes.
type Replayed struct {
	Transcript string // its SHA-256
	Circuits   []SealedCircuit
}

// CheckSealed compares what transcripts make with what a directory's manifest and shapes say of them. It returns the names of the
// files that name the transcripts. Each circuit of such a file must be made by one of them: whoever has the manifest's key could
// name, beside the circuits of a ceremony, one that he made alone.
//
//spec:id K-14
func CheckSealed(dir string, key ed25519.PublicKey, replays []Replayed) ([]string, error) {
	m, err := PinnedManifest(dir, key)
	if err != nil {
		return nil, err
	}
	shapes, err := PinnedShapes(dir, key)
	if err != nil {
		return nil, err
	}
	files := []*sealedFile{{name: manifestFile, circuits: m.Circuits, transcripts: m.Transcripts}}
	if shapes != nil {
		files = append(files, &sealedFile{name: shapesFile, circuits: shapes.Circuits, transcripts: shapes.Transcripts})
	}
	for i := range replays {
		at := slices.IndexFunc(files, func(f *sealedFile) bool { return namesTranscript(f.transcripts, replays[i].Transcript) })
		if at < 0 {
			return nil, fault.New(fault.KeysTranscripts, "neither the manifest nor the shapes name this transcript")
		}
		if err := files[at].prove(dir, replays[i].Circuits); err != nil {
			return nil, err
		}
	}
	var names []string
	for _, f := range files {
		if !f.given {
			continue
		}
		if err := f.complete(); err != nil {
			return nil, err
		}
		names = append(names, f.name)
	}
	return names, nil
}

// sealedFile is a file that names transcripts, with the names of its circuits that one of those given makes.
type sealedFile struct {
	name        string
	circuits    []CircuitEntry
	transcripts []TranscriptEntry
	proven      []string
	given       bool
}

func (f *sealedFile) prove(dir string, circuits []SealedCircuit) error {
	f.given = true
	for i := range circuits {
		if err := circuits[i].isIn(dir, f.circuits); err != nil {
			return err
		}
		f.proven = append(f.proven, circuits[i].Name)
	}
	return nil
}

func (f *sealedFile) complete() error {
	for i := range f.circuits {
		if name := f.circuits[i].Name; !slices.Contains(f.proven, name) {
			return fault.Newf(fault.KeysTranscripts, "%s names %q, which no transcript given here makes", f.name, name)
		}
	}
	return nil
}

func namesTranscript(all []TranscriptEntry, digest string) bool {
	return slices.ContainsFunc(all, func(t TranscriptEntry) bool { return t.SHA256 == digest })
}

// isIn requires that an entry has the circuit's digests and that the directory's verifying key is the one of the entry.
func (c *SealedCircuit) isIn(dir string, entries []CircuitEntry) error {
	at := slices.IndexFunc(entries, func(e CircuitEntry) bool { return e.Name == c.Name })
	if at < 0 {
		return fault.New(fault.KeysNoCircuit, c.Name)
	}
	e := &entries[at]
	digests, err := Digests(c)
	if err != nil {
		return err
	}
	if e.Version != c.Version || e.Digest != hex.EncodeToString(c.Digest[:]) || e.PublicInputs != c.PublicInputs ||
		e.ProvingKey.SHA256 != hex.EncodeToString(digests[0][:]) || e.VerifyingKey.SHA256 != hex.EncodeToString(digests[1][:]) {
		return fault.Newf(fault.KeysMismatch, "%s is not what the transcript makes", c.Name)
	}
	if _, err := e.VerifyingKey.read(dir, c.Name+".vk", maxVerifyingKey); err != nil {
		return err
	}
	// a directory of a service that makes no proofs has no proving keys
	if _, err := os.Lstat(filepath.Join(dir, c.Name+".pk")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_, err = e.ProvingKey.read(dir, c.Name+".pk", maxProvingKey)
	return err
}
