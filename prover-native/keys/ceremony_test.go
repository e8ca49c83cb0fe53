package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// sealed is a ceremony's result for the small circuits. Another package tests how ceremonies work.
func sealed(t *testing.T) (*Sealed, *suite.Dealt) {
	t.Helper()
	useSmallCircuits(t)
	compiled, err := Compile(testNetwork, statement.Regulated)
	must(t, err)
	n, err := statement.NewNetwork(testNetwork)
	must(t, err)
	dealt, err := n.Scheme().Deal(1)
	must(t, err)
	for i := range dealt.Committee.Members {
		dealt.Committee.Members[i].NoteKey[0] = byte(i + 1)
	}
	s := &Sealed{
		Network: testNetwork, Kind: statement.Regulated, Provenance: "a test", CreatedAt: "2026-01-02T03:04:05Z",
		Transcripts: []TranscriptEntry{{Name: "setup", SHA256: strings.Repeat("5e", 32)}}, Committee: dealt.Committee,
	}
	for _, c := range compiled {
		made := SealedCircuit{Compiled: c, ProvingKey: &groth16.ProvingKey{}, VerifyingKey: &groth16.VerifyingKey{}}
		must(t, groth16.Setup(c.System, made.ProvingKey, made.VerifyingKey))
		s.Circuits = append(s.Circuits, made)
	}
	return s, dealt
}

func signer(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	return key
}

func TestSealedKeysAreOfTheCeremonyClassAndProve(t *testing.T) {
	s, _ := sealed(t)
	key := signer(t)
	dir, again := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	must(t, Seal(dir, s, key))
	must(t, Seal(again, s, key))
	want := Expectation{
		Network: testNetwork, Kind: statement.Regulated, Allowed: Classes(Ceremony), ManifestKey: key.Public().(ed25519.PublicKey),
	}
	set, err := Open(dir, want)
	must(t, err)
	a, public := assignment(t, set, 3)
	_, err = set.Prove(statement.FamilyTransfer, a, public)
	must(t, err)
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		one, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		two, err := os.ReadFile(filepath.Join(again, e.Name()))
		must(t, err)
		if !bytes.Equal(one, two) {
			t.Errorf("%s differs between two who seal", e.Name())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, sharesDir)); err == nil {
		t.Error("a share in a directory of the ceremony class")
	}
	want.Allowed = Classes(Development, LoadTest)
	_, err = Open(dir, want)
	refused(t, err, fault.KeysClass)
	refused(t, Seal(dir, s, key), fault.KeysMismatch)
	s.Transcripts = nil
	refused(t, Seal(filepath.Join(t.TempDir(), "c"), s, key), fault.KeysManifest)
}

// Keys of the ceremony class need a transcript, and development keys must not have one.
func TestTheClassGoesWithTheTranscript(t *testing.T) {
	dir, want := directory(t)
	want.Allowed = Classes(Ceremony, Development)
	want.ManifestKey = resign(t, dir, func(m *Manifest) { m.Class = Ceremony.String() })
	_, err := Open(dir, want)
	refused(t, err, fault.KeysManifest)
	want.ManifestKey = resign(t, dir, func(m *Manifest) {
		m.Class, m.Transcripts = Development.String(), []TranscriptEntry{{Name: "setup", SHA256: strings.Repeat("5e", 32)}}
	})
	_, err = Open(dir, want)
	refused(t, err, fault.KeysManifest)
}

func TestResealing(t *testing.T) {
	s, dealt := sealed(t)
	key := signer(t)
	public := key.Public().(ed25519.PublicKey)
	dir := filepath.Join(t.TempDir(), "old")
	must(t, Seal(dir, s, key))
	next := *dealt.Committee
	next.Epoch = 1
	transcript := TranscriptEntry{Name: "refresh", SHA256: strings.Repeat("11", 32)}
	into := filepath.Join(t.TempDir(), "new")
	must(t, Reseal(into, dir, public, &next, "2026-02-03T04:05:06Z", transcript, week, key))
	set, err := Open(into, Expectation{Network: testNetwork, Kind: statement.Regulated, Allowed: Classes(Ceremony), ManifestKey: public})
	must(t, err)
	if set.Committee.Epoch != 1 || len(set.Manifest.Transcripts) != 2 || set.Manifest.CreatedAt != "2026-02-03T04:05:06Z" {
		t.Fatalf("%+v", set.Manifest)
	}
	must(t, set.Warm(statement.FamilyTransfer))
	reseal := func(c *suite.Committee, from string, pinned ed25519.PublicKey) error {
		return Reseal(filepath.Join(t.TempDir(), "x"), from, pinned, c, "2026-02-03T04:05:06Z", transcript, week, key)
	}
	refused(t, reseal(dealt.Committee, dir, public), fault.CommitteeInvalid) // the same epoch
	_, other := sealed(t)
	other.Committee.Epoch = 1
	refused(t, reseal(other.Committee, dir, public), fault.CommitteeInvalid) // another key
	refused(t, reseal(&next, dir, signer(t).Public().(ed25519.PublicKey)), fault.KeysSignature)
	development, _ := directory(t)
	pinned, err := ManifestKey(development)
	must(t, err)
	refused(t, reseal(&next, development, pinned), fault.KeysClass)
	must(t, os.WriteFile(filepath.Join(dir, "mint.pk"), []byte("short"), 0o644))
	refused(t, reseal(&next, dir, public), fault.KeysTruncated)
}

func TestShareFiles(t *testing.T) {
	_, dealt := sealed(t)
	seed := bytes.Repeat([]byte{7}, ed25519.SeedSize)
	raw, err := EncodeShare(dealt.Shares[2], seed)
	must(t, err)
	share, got, err := DecodeShare(raw)
	must(t, err)
	if !share.Equal(dealt.Shares[2]) || !bytes.Equal(got, seed) {
		t.Error("another share")
	}
	_, _, err = DecodeShare(bytes.Replace(raw, []byte("0707"), nil, 1))
	refused(t, err, fault.ShareInvalid)
	_, _, err = DecodeShare(bytes.Replace(raw, []byte(`"class":"ceremony"`), []byte(`"class":"development"`), 1))
	refused(t, err, fault.KeysClass)
	unnamed, _, err := DecodeShare(bytes.Replace(raw, []byte(`"class":"ceremony",`), nil, 1))
	must(t, err)
	if !unnamed.Equal(share) {
		t.Error("a share without a class is another one")
	}
}
