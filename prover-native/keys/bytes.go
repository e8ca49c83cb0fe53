package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/versions"
	"solidus.io/prover/statement"
)

// OpenManifest verifies the bytes of manifest.json and manifest.sig, for wallets, which have no folder. The set has no circuits.
func OpenManifest(want Expectation, manifest, signature []byte) (*Set, error) {
	if err := versions.CheckThisProcess(); err != nil {
		return nil, fault.New(fault.LibraryMismatch, err.Error())
	}
	raw, err := hex.DecodeString(string(bytes.TrimSpace(signature)))
	if err != nil || len(manifest) > maxManifest {
		return nil, fault.New(fault.KeysSignature, "")
	}
	m, err := parseManifest(manifest, raw, want.ManifestKey)
	if err != nil {
		return nil, err
	}
	s := &Set{Manifest: m, Digest: sha256.Sum256(manifest), circuits: map[statement.Family]*loaded{}}
	if err := s.admit(want); err != nil {
		return nil, err
	}
	if s.Committee, err = m.Committee.decode(); err != nil {
		return nil, err
	}
	s.Former, err = m.formers(s.Committee)
	return s, err
}

// OpenPinned is OpenManifest with the verifying key of one circuit, as its bytes. The circuit is not compiled: the manifest's
// signer answers for the digest of its constraints.
func OpenPinned(want Expectation, manifest, signature []byte, family statement.Family, verifyingKey []byte) (*Set, *statement.CircuitKey, error) {
	s, err := OpenManifest(want, manifest, signature)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range registry[s.Kind] {
		if c.family != family {
			continue
		}
		entry, err := s.Manifest.circuit(c.name)
		if err != nil {
			return nil, nil, err
		}
		key, err := c.pinned(entry, verifyingKey)
		return s, key, err
	}
	return nil, nil, fault.Newf(fault.KeysNoCircuit, "%d", family)
}

// OpenPinnedShape verifies the bytes of shapes.json and shapes.sig, beside a manifest that OpenManifest has verified, and the
// verifying key of one shape.
func (s *Set) OpenPinnedShape(want Expectation, shapes, signature []byte, family statement.Family, verifyingKey []byte) (*statement.CircuitKey, error) {
	raw, err := hex.DecodeString(string(bytes.TrimSpace(signature)))
	if err != nil || len(shapes) > maxShapes {
		return nil, fault.New(fault.KeysSignature, shapesFile)
	}
	parsed, err := (&signedShapes{shapes, raw}).parse(want.ManifestKey)
	if err != nil {
		return nil, err
	}
	if err := s.admitParsed(parsed); err != nil {
		return nil, err
	}
	for _, c := range shapeRegistry[s.Kind] {
		at := slices.IndexFunc(parsed.Circuits, func(e CircuitEntry) bool { return e.Name == c.name })
		if c.family == family && at >= 0 {
			return c.pinned(&parsed.Circuits[at], verifyingKey)
		}
	}
	return nil, fault.Newf(fault.KeysNoCircuit, "%d", family)
}

// pinned is a verifying key that a signed entry names.
func (c *circuit) pinned(entry *CircuitEntry, verifyingKey []byte) (*statement.CircuitKey, error) {
	sum := sha256.Sum256(verifyingKey)
	if int64(len(verifyingKey)) != entry.VerifyingKey.Size || hex.EncodeToString(sum[:]) != entry.VerifyingKey.SHA256 || entry.Version != c.version {
		return nil, fault.Newf(fault.KeysMismatch, "%s is not the file that the keys name", entry.VerifyingKey.Name)
	}
	key, err := parseVerifyingKey(verifyingKey, entry, c)
	return &statement.CircuitKey{Version: entry.Version, Key: key}, err
}
