package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

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
		sum := sha256.Sum256(verifyingKey)
		if int64(len(verifyingKey)) != entry.VerifyingKey.Size || hex.EncodeToString(sum[:]) != entry.VerifyingKey.SHA256 || entry.Version != c.version {
			return nil, nil, fault.Newf(fault.KeysMismatch, "%s is not the file that the manifest names", entry.VerifyingKey.Name)
		}
		key, err := parseVerifyingKey(verifyingKey, entry, &c)
		return s, &statement.CircuitKey{Version: entry.Version, Key: key}, err
	}
	return nil, nil, fault.Newf(fault.KeysNoCircuit, "%d", family)
}
