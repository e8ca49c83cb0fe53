package keys

import (
	"crypto/ed25519"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
)

func sealedDirectory(t *testing.T) (string, Expectation) {
	t.Helper()
	s, _ := sealed(t)
	key := signer(t)
	dir := filepath.Join(t.TempDir(), "sealed")
	must(t, Seal(dir, s, key))
	return dir, Expectation{
		Network: testNetwork, Kind: statement.Regulated, Allowed: Classes(Ceremony), ManifestKey: key.Public().(ed25519.PublicKey),
	}
}

// Whoever has the manifest's key can write that keys come from a ceremony. In production they come from the pinned ones.
//
//spec:id K-12
func TestProductionPinsTranscripts(t *testing.T) {
	dir, want := sealedDirectory(t)
	digest, err := hex.DecodeString(strings.Repeat("5e", 32))
	must(t, err)
	mine, other := [32]byte(digest), [32]byte{1}
	for _, c := range []struct {
		name       string
		production bool
		pins       [][32]byte
		code       fault.Code
	}{
		{"none pinned", true, nil, fault.KeysTranscripts},
		{"another pinned", true, [][32]byte{other}, fault.KeysTranscripts},
		{"one more pinned", true, [][32]byte{mine, other}, fault.KeysTranscripts},
		{"the manifest's", true, [][32]byte{mine}, fault.OK},
		{"a test network without pins", false, nil, fault.OK},
		{"a test network with pins", false, [][32]byte{other}, fault.KeysTranscripts},
	} {
		t.Run(c.name, func(t *testing.T) {
			want.Production, want.Transcripts = c.production, c.pins
			for _, open := range []func() error{
				func() error { _, err := Open(dir, want); return err },
				func() error { _, err := Admit(dir, want); return err },
			} {
				if c.code == fault.OK {
					must(t, open())
				} else {
					refused(t, open(), c.code)
				}
			}
		})
	}
}

// Attack: the process has the profile by a property, which this library does not see, and allows every class by mistake.
func TestTheCallersProfileCountsAsTheEnvironment(t *testing.T) {
	dir, want := directory(t)
	want.Allowed = Classes(Development, LoadTest, Ceremony)
	_, err := Open(dir, want)
	must(t, err)
	want.Production = true
	_, err = Open(dir, want)
	refused(t, err, fault.KeysClass)
}

// Attack: a dealer's directory, relabelled and signed again. Its shares of all authorities lie beside it.
//
//spec:id K-12
func TestARelabelledDirectoryIsRefused(t *testing.T) {
	good := TranscriptEntry{Name: "setup", SHA256: strings.Repeat("ab", 32)}
	for _, c := range []struct {
		name    string
		entries []TranscriptEntry
		left    string // by the dealer
		code    fault.Code
	}{
		{"an empty entry", []TranscriptEntry{{}}, "", fault.KeysManifest},
		{"a short digest", []TranscriptEntry{{Name: "setup", SHA256: "00"}}, "", fault.KeysManifest},
		{"no hexadecimal", []TranscriptEntry{{Name: "setup", SHA256: strings.Repeat("xy", 32)}}, "", fault.KeysManifest},
		{"capital letters", []TranscriptEntry{{Name: "setup", SHA256: strings.Repeat("AB", 32)}}, "", fault.KeysManifest},
		{"no name", []TranscriptEntry{{SHA256: good.SHA256}}, "", fault.KeysManifest},
		{"one twice", []TranscriptEntry{good, {Name: "committee", SHA256: good.SHA256}}, "", fault.KeysManifest},
		{"shares beside it", []TranscriptEntry{good}, sharesDir, fault.KeysClass},
		{"a simulator beside it", []TranscriptEntry{good}, simulatorFile, fault.KeysClass},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, want := directory(t)
			must(t, os.RemoveAll(filepath.Join(dir, sharesDir)))
			want.Allowed = Classes(Ceremony)
			want.ManifestKey = resign(t, dir, func(m *Manifest) { m.Class, m.Transcripts = Ceremony.String(), c.entries })
			if c.left != "" {
				must(t, os.Symlink("/nowhere", filepath.Join(dir, c.left)))
			}
			_, err := Open(dir, want)
			refused(t, err, c.code)
		})
	}
}
