package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
)

// useSmallShape replaces the circuit of claims of 16 for one test.
func useSmallShape(t *testing.T) {
	t.Helper()
	old := shapeRegistry
	t.Cleanup(func() { shapeRegistry = old })
	shapeRegistry = map[statement.Kind][]circuit{
		statement.Regulated: {{statement.FamilyClaim16, "claim-16", 1, 2, compileFactor(true)}},
	}
}

// withShapes is a directory with shapes, made out of one without.
func withShapes(t *testing.T) (dir string, want Expectation) {
	t.Helper()
	from, want := directory(t)
	useSmallShape(t)
	dir, key, err := MakeShapes(from, want, nil)
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	want.ManifestKey = key
	return dir, want
}

func TestShapesProveAndVerify(t *testing.T) {
	dir, want := withShapes(t)
	s, err := Open(dir, want)
	must(t, err)
	families := s.Families()
	if len(families) != 3 || families[2] != statement.FamilyClaim16 {
		t.Fatalf("families %v", families)
	}
	must(t, s.Warm(statement.FamilyClaim16))
	a, public := assignment(t, s, 5)
	a.Extra = true
	_, err = s.Prove(statement.FamilyClaim16, a, public)
	must(t, err)
	if k := s.VerifierKeys(); k.Claim16 == nil || k.Pay8 != nil || k.Transfer == nil {
		t.Fatal("verifying keys")
	}
	for i := 1; i <= 4; i++ {
		share, err := s.ReadShare(i)
		must(t, err)
		share.Close()
	}
}

// The directory that the shapes were added to is as it was, and the other one has its manifest under another key.
func TestShapesLeaveTheirOriginAsItIs(t *testing.T) {
	from, want := directory(t)
	before, err := Open(from, want)
	must(t, err)
	useSmallShape(t)
	dir, key, err := MakeShapes(from, want, nil)
	must(t, err)
	defer os.RemoveAll(dir)
	after, err := Open(from, want)
	must(t, err)
	if after.Identity() != before.Identity() || after.Shapes != nil || len(after.Families()) != 2 || after.VerifierKeys().Claim16 != nil {
		t.Error("the origin has changed")
	}
	want.ManifestKey = key
	made, err := Open(dir, want)
	must(t, err)
	if made.Digest != before.Digest || made.Identity() == before.Identity() {
		t.Error("the copy's manifest is another one, or its identity is the origin's")
	}
	again, sameKey, err := MakeShapes(from, Expectation{
		Network: want.Network, Kind: want.Kind, Allowed: want.Allowed, ManifestKey: template.key,
	}, nil)
	must(t, err)
	if again != dir || !bytes.Equal(sameKey, key) {
		t.Error("complete keys were made again")
	}
}

// A network may have both shapes or one of them; its keys are those of the shapes that its file names.
//
//spec:id F-80
func TestEachShapeIsTakenForItself(t *testing.T) {
	from, want := directory(t)
	useSmallShape(t)
	shapeRegistry[statement.Regulated] = append(shapeRegistry[statement.Regulated],
		circuit{statement.FamilyPay8, "pay-8", 1, 2, compileFactor(true)})
	dir, key, err := MakeShapes(from, want, nil)
	must(t, err)
	defer os.RemoveAll(dir)
	want.ManifestKey = key
	s, err := Open(dir, want)
	must(t, err)
	if k := s.VerifierKeys(); k.Claim16 == nil || k.Pay8 == nil || len(s.Families()) != 4 {
		t.Errorf("families %v", s.Families())
	}
	want.ManifestKey = resignShapes(t, dir, func(s *Shapes) { s.Circuits = s.Circuits[1:] })
	s, err = Open(dir, want)
	must(t, err)
	if k := s.VerifierKeys(); k.Claim16 != nil || k.Pay8 == nil || len(s.Families()) != 3 {
		t.Errorf("families %v", s.Families())
	}
	must(t, s.Warm(statement.FamilyPay8))
	if s.Warm(statement.FamilyClaim16) == nil {
		t.Error("a shape that the file does not name is warm")
	}
}

func TestMakeShapesIsForDevelopment(t *testing.T) {
	from, want := directory(t)
	useSmallShape(t)
	want.Allowed = Classes(Development, Ceremony)
	_, _, err := MakeShapes(from, want, nil)
	refused(t, err, fault.KeysClass)
	want.Allowed, want.Kind = Classes(Development), statement.Unregulated
	_, _, err = MakeShapes(from, want, nil)
	refused(t, err, fault.KeysNoCircuit)
}

// resignShapes lets a test change the file of shapes as its signer could: both files are signed anew with one key.
func resignShapes(t *testing.T, dir string, change func(*Shapes)) ed25519.PublicKey {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, shapesFile))
	must(t, err)
	var shapes Shapes
	must(t, json.Unmarshal(raw, &shapes))
	change(&shapes)
	raw, err = json.Marshal(&shapes)
	must(t, err)
	return signShapesRaw(t, dir, raw)
}

func signShapesRaw(t *testing.T, dir string, raw []byte) ed25519.PublicKey {
	t.Helper()
	private := signer(t)
	manifest, err := os.ReadFile(filepath.Join(dir, manifestFile))
	must(t, err)
	put(t, dir, signatureFile, []byte(hex.EncodeToString(ed25519.Sign(private, manifest))))
	must(t, signShapes(dir, raw, private))
	return private.Public().(ed25519.PublicKey)
}

// Whoever can write into the directory and does not have the manifest's key adds no circuit to a network.
//
//spec:id F-80
func TestShapesOfAnotherSignerAreRefused(t *testing.T) {
	dir, want := withShapes(t)
	raw, err := os.ReadFile(filepath.Join(dir, shapesFile))
	must(t, err)
	must(t, signShapes(dir, raw, signer(t)))
	for _, open := range []func() error{
		func() error { _, err := Open(dir, want); return err },
		func() error { _, err := Admit(dir, want); return err },
	} {
		refused(t, open(), fault.KeysSignature)
	}
	must(t, os.Remove(filepath.Join(dir, shapesSignatureFile)))
	_, err = Open(dir, want)
	refused(t, err, fault.KeysMissing)
	must(t, os.Remove(filepath.Join(dir, shapesFile)))
	s, err := Open(dir, want)
	must(t, err)
	if s.VerifierKeys().Claim16 != nil {
		t.Error("a shape without its file")
	}
}

//spec:id F-80
func TestShapesHaveTheirForm(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Shapes)
		want   fault.Code
	}{
		"another network":     {func(s *Shapes) { s.Network = "another-net" }, fault.KeysNetwork},
		"another class":       {func(s *Shapes) { s.Class = "ceremony" }, fault.KeysClass},
		"another format":      {func(s *Shapes) { s.Format = manifestFormat }, fault.KeysManifest},
		"no circuit":          {func(s *Shapes) { s.Circuits = nil }, fault.KeysManifest},
		"too many":            {func(s *Shapes) { s.Circuits = make([]CircuitEntry, maxShapeCircuits+1) }, fault.KeysManifest},
		"a circuit twice":     {func(s *Shapes) { s.Circuits = append(s.Circuits, s.Circuits[0]) }, fault.KeysManifest},
		"a transcript":        {func(s *Shapes) { s.Transcripts = []TranscriptEntry{{"t", strings.Repeat("5e", 32)}} }, fault.KeysManifest},
		"other constraints":   {func(s *Shapes) { s.Circuits[0].Digest = strings.Repeat("00", 32) }, fault.KeysMismatch},
		"another version":     {func(s *Shapes) { s.Circuits[0].Version++ }, fault.KeysMismatch},
		"another file":        {func(s *Shapes) { s.Circuits[0].VerifyingKey.Name = "mint.vk" }, fault.KeysManifest},
		"another key's bytes": {func(s *Shapes) { s.Circuits[0].VerifyingKey.SHA256 = strings.Repeat("00", 32) }, fault.KeysDigest},
	} {
		t.Run(name, func(t *testing.T) {
			dir, want := withShapes(t)
			want.ManifestKey = resignShapes(t, dir, c.change)
			_, err := Open(dir, want)
			refused(t, err, c.want)
		})
	}
	dir, want := withShapes(t)
	raw, err := os.ReadFile(filepath.Join(dir, shapesFile))
	must(t, err)
	for _, wrong := range [][]byte{
		bytes.Replace(raw, []byte("{"), []byte(`{"more": 1,`), 1), append(bytes.Clone(raw), '{'), []byte("[]"), bytes.Repeat([]byte(" "), maxShapes+1),
	} {
		want.ManifestKey = signShapesRaw(t, dir, wrong)
		if _, err := Open(dir, want); err == nil {
			t.Errorf("accepted: %.20q", wrong)
		}
	}
}

// A later release adds a shape. This one passes over it and has the others.
//
//spec:id F-80
func TestUnknownShapesArePassedOver(t *testing.T) {
	dir, want := withShapes(t)
	want.ManifestKey = resignShapes(t, dir, func(s *Shapes) {
		other := s.Circuits[0]
		other.Name, other.Digest = "pay-8000", strings.Repeat("00", 32)
		other.ProvingKey.Name, other.VerifyingKey.Name = "pay-8000.pk", "pay-8000.vk"
		s.Circuits = append([]CircuitEntry{other}, s.Circuits...)
	})
	s, err := Open(dir, want)
	must(t, err)
	if len(s.Families()) != 3 {
		t.Errorf("families %v", s.Families())
	}
	want.ManifestKey = resignShapes(t, dir, func(s *Shapes) { s.Circuits = s.Circuits[:1] })
	s, err = Open(dir, want)
	must(t, err)
	if len(s.Families()) != 2 || s.VerifierKeys().Claim16 != nil {
		t.Errorf("families %v", s.Families())
	}
}

// A file of shapes makes no circuit of an unregulated network, where nothing limits what it claims or pays.
func TestUnregulatedNetworksHaveNoShapes(t *testing.T) {
	regulated, _ := withShapes(t)
	useSmallCircuits(t)
	p := plan()
	p.Kind = statement.Unregulated
	dir := t.TempDir()
	_, err := Make(dir, p)
	must(t, err)
	raw, err := os.ReadFile(filepath.Join(regulated, shapesFile))
	must(t, err)
	key := signShapesRaw(t, dir, raw)
	_, err = Open(dir, Expectation{Network: testNetwork, Kind: statement.Unregulated, Allowed: Classes(Development), ManifestKey: key})
	refused(t, err, fault.KeysKind)
}

// In production the pins name the ceremonies of the manifest and then those of the shapes.
//
//spec:id K-12
func TestProductionPinsTheTranscriptsOfShapes(t *testing.T) {
	dir, want := sealedDirectory(t)
	useSmallShape(t)
	ofManifest := [32]byte(bytes.Repeat([]byte{0x5e}, 32))
	ofShapes := [32]byte(bytes.Repeat([]byte{0x5a}, 32))
	shapes := &Shapes{
		Format: shapesFormat, Network: testNetwork, Class: "ceremony", Provenance: "a ceremony", CreatedAt: "2026-11-27T00:00:00Z",
		Transcripts: []TranscriptEntry{{"shapes", strings.Repeat("5a", 32)}},
		// a name that nobody knows needs no key
		Circuits: []CircuitEntry{{Name: "pay-8000"}},
	}
	raw, err := json.Marshal(shapes)
	must(t, err)
	want.ManifestKey, want.Production = signShapesRaw(t, dir, raw), true
	for name, c := range map[string]struct {
		pins [][32]byte
		code fault.Code
	}{
		"both":              {[][32]byte{ofManifest, ofShapes}, fault.OK},
		"the manifest's":    {[][32]byte{ofManifest}, fault.KeysTranscripts},
		"another order":     {[][32]byte{ofShapes, ofManifest}, fault.KeysTranscripts},
		"the shapes' alone": {[][32]byte{ofShapes}, fault.KeysTranscripts},
	} {
		t.Run(name, func(t *testing.T) {
			want.Transcripts = c.pins
			_, err := Admit(dir, want)
			if c.code == fault.OK {
				must(t, err)
			} else {
				refused(t, err, c.code)
			}
		})
	}
	shapes.Transcripts = nil
	raw, err = json.Marshal(shapes)
	must(t, err)
	want.ManifestKey, want.Transcripts = signShapesRaw(t, dir, raw), [][32]byte{ofManifest}
	_, err = Admit(dir, want)
	refused(t, err, fault.KeysManifest)
}

// A refresh of the committee signs the shapes anew, those that nobody here knows as well.
func TestARefreshCarriesShapes(t *testing.T) {
	dir, want := withShapes(t)
	to := t.TempDir()
	key, err := Refresh(to, want, Refreshed{From: dir, Overlap: Overlap{}})
	must(t, err)
	before, err := os.ReadFile(filepath.Join(dir, shapesFile))
	must(t, err)
	after, err := os.ReadFile(filepath.Join(to, shapesFile))
	must(t, err)
	want.ManifestKey = key
	s, err := Open(to, want)
	must(t, err)
	if !bytes.Equal(before, after) || s.VerifierKeys().Claim16 == nil {
		t.Error("the shapes are others")
	}
	must(t, s.Warm(statement.FamilyClaim16))
}

// A wallet has no folder: it pins the bytes of a shape's verifying key, which the manifest's signer answers for.
//
//spec:id F-80
func TestPinnedShapes(t *testing.T) {
	dir, want := withShapes(t)
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		return b
	}
	manifest, err := OpenManifest(want, read("manifest.json"), read("manifest.sig"))
	must(t, err)
	shapes, signature, key := read(shapesFile), read(shapesSignatureFile), read("claim-16.vk")
	opened, err := manifest.OpenPinnedShape(want, shapes, signature, statement.FamilyClaim16, key)
	must(t, err)
	if opened.Version != 1 || opened.Key == nil {
		t.Errorf("%+v", opened)
	}
	altered := bytes.Clone(key)
	altered[0] ^= 1
	_, err = manifest.OpenPinnedShape(want, shapes, signature, statement.FamilyClaim16, altered)
	refused(t, err, fault.KeysMismatch)
	_, err = manifest.OpenPinnedShape(want, shapes, signature, statement.FamilyPay8, key)
	refused(t, err, fault.KeysNoCircuit)
	_, err = manifest.OpenPinnedShape(want, append(shapes, ' '), signature, statement.FamilyClaim16, key)
	refused(t, err, fault.KeysSignature)
	_, err = manifest.OpenPinnedShape(want, shapes, nil, statement.FamilyClaim16, key)
	refused(t, err, fault.KeysSignature)
	// signed, and of another network
	other := resignShapes(t, dir, func(s *Shapes) { s.Network = "another" })
	want.ManifestKey = other
	_, err = manifest.OpenPinnedShape(want, read(shapesFile), read(shapesSignatureFile), statement.FamilyClaim16, key)
	refused(t, err, fault.KeysNetwork)
}
