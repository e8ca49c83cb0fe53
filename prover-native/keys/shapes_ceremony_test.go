package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// network is a sealed network and what is needed to add shapes to it.
type network struct {
	dir    string
	key    ed25519.PrivateKey
	dealt  *suite.Dealt
	digest string
	made   []SealedCircuit // of the manifest
}

func (n *network) public() ed25519.PublicKey { return n.key.Public().(ed25519.PublicKey) }

func sealedNetwork(t *testing.T) *network {
	t.Helper()
	s, dealt := sealed(t)
	useSmallShape(t)
	shapeRegistry[statement.Regulated] = append(shapeRegistry[statement.Regulated],
		circuit{statement.FamilyPay8, "pay-8", 1, 2, compileFactor(false)})
	n := &network{dir: filepath.Join(t.TempDir(), "sealed"), key: signer(t), dealt: dealt, made: s.Circuits}
	must(t, Seal(n.dir, s, n.key))
	_, digest, err := PinnedDigest(n.dir, n.public())
	must(t, err)
	n.digest = hex.EncodeToString(digest[:])
	return n
}

// shapesOf is a ceremony's result for small shapes, whose transcript has a digest of one repeated byte.
func (n *network) shapesOf(t *testing.T, digest string, names ...string) *SealedShapes {
	t.Helper()
	compiled, err := CompileShapes(testNetwork, names)
	must(t, err)
	s := &SealedShapes{
		Manifest: n.digest, Provenance: "a test of " + names[0], CreatedAt: "2026-11-27T03:04:05Z",
		Transcript: TranscriptEntry{Name: "setup of " + names[0], SHA256: strings.Repeat(digest, 32)},
	}
	for _, c := range compiled {
		made := SealedCircuit{Compiled: c, ProvingKey: &groth16.ProvingKey{}, VerifyingKey: &groth16.VerifyingKey{}}
		must(t, groth16.Setup(c.System, made.ProvingKey, made.VerifyingKey))
		s.Circuits = append(s.Circuits, made)
	}
	return s
}

func (n *network) seal(t *testing.T, from string, s *SealedShapes) (string, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "with-shapes")
	return dir, SealShapes(dir, from, n.public(), s, n.key)
}

func (n *network) want(pins ...string) Expectation {
	want := Expectation{
		Network: testNetwork, Kind: statement.Regulated, Allowed: Classes(Ceremony), ManifestKey: n.public(), Production: true,
	}
	for _, pin := range pins {
		raw, _ := hex.DecodeString(strings.Repeat(pin, 32))
		want.Transcripts = append(want.Transcripts, [32]byte(raw))
	}
	return want
}

//spec:id K-13
func TestAProductionNetworkAddsShapes(t *testing.T) {
	n := sealedNetwork(t)
	s := n.shapesOf(t, "5a", "claim-16")
	dir, err := n.seal(t, n.dir, s)
	must(t, err)
	set, err := Open(dir, n.want("5e", "5a"))
	must(t, err)
	if hex.EncodeToString(set.Digest[:]) != n.digest || set.VerifierKeys().Claim16 == nil || set.VerifierKeys().Pay8 != nil {
		t.Error("another manifest, or other shapes")
	}
	a, public := assignment(t, set, 5)
	a.Extra = true
	_, err = set.Prove(statement.FamilyClaim16, a, public)
	must(t, err)
	// who has not yet taken part in the decision pins the manifest's ceremonies only
	_, err = Open(dir, n.want("5e"))
	refused(t, err, fault.KeysTranscripts)
	names, err := CheckSealed(dir, n.public(), []Replayed{{s.Transcript.SHA256, s.Circuits}})
	must(t, err)
	if !slices.Equal(names, []string{shapesFile}) {
		t.Error(names)
	}
	// the second of two who seal gets the same bytes
	again, err := n.seal(t, n.dir, s)
	must(t, err)
	for _, name := range []string{shapesFile, shapesSignatureFile, manifestFile, signatureFile, "claim-16.pk", "claim-16.vk"} {
		one, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		two, err := os.ReadFile(filepath.Join(again, name))
		must(t, err)
		if !bytes.Equal(one, two) {
			t.Errorf("%s differs between two who seal", name)
		}
	}
}

// A second ceremony adds to the shapes of the first: readers see a file that goes on where theirs ends.
//
//spec:id K-13
func TestShapesOfASecondCeremonyFollowThoseOfTheFirst(t *testing.T) {
	n := sealedNetwork(t)
	first, err := n.seal(t, n.dir, n.shapesOf(t, "5a", "claim-16"))
	must(t, err)
	second, err := n.seal(t, first, n.shapesOf(t, "5b", "pay-8"))
	must(t, err)
	before, err := PinnedShapes(first, n.public())
	must(t, err)
	after, err := PinnedShapes(second, n.public())
	must(t, err)
	if len(after.Circuits) != 2 || len(after.Transcripts) != 2 || !slices.Equal(after.Circuits[:1], before.Circuits) ||
		!slices.Equal(after.Transcripts[:1], before.Transcripts) {
		t.Errorf("%+v", after)
	}
	set, err := Open(second, n.want("5e", "5a", "5b"))
	must(t, err)
	must(t, set.Warm(statement.FamilyClaim16))
	must(t, set.Warm(statement.FamilyPay8))
	// the shapes of before are no longer what is pinned
	_, err = Open(first, n.want("5e", "5a", "5b"))
	refused(t, err, fault.KeysTranscripts)
}

// A refresh between the beginning and the end of a ceremony for shapes makes no new one necessary.
//
//spec:id K-13
func TestShapesOutliveARefresh(t *testing.T) {
	n := sealedNetwork(t)
	s := n.shapesOf(t, "5a", "claim-16")
	next := *n.dealt.Committee
	next.Epoch = 1
	refreshed := filepath.Join(t.TempDir(), "refreshed")
	must(t, Reseal(refreshed, n.dir, n.public(), &next, "2026-11-28T00:00:00Z",
		TranscriptEntry{Name: "refresh", SHA256: strings.Repeat("11", 32)}, week, n.key))
	dir, err := n.seal(t, refreshed, s)
	must(t, err)
	_, err = Open(dir, n.want("5e", "11", "5a"))
	must(t, err)
	// and the manifest of a former epoch is none of a later one
	s.Manifest = strings.Repeat("00", 32)
	_, err = n.seal(t, refreshed, s)
	refused(t, err, fault.KeysManifest)
}

//spec:id K-13
func TestShapesThatMayNotBeSealed(t *testing.T) {
	n := sealedNetwork(t)
	with, err := n.seal(t, n.dir, n.shapesOf(t, "5a", "claim-16"))
	must(t, err)
	sealing := func(from string, s *SealedShapes) error { _, err := n.seal(t, from, s); return err }

	refused(t, sealing(with, n.shapesOf(t, "5b", "claim-16")), fault.KeysMismatch)
	refused(t, sealing(with, n.shapesOf(t, "5a", "pay-8")), fault.KeysManifest)  // the transcript of the first once more
	refused(t, sealing(n.dir, n.shapesOf(t, "5e", "pay-8")), fault.KeysManifest) // that of the manifest
	other := sealedNetwork(t)
	refused(t, sealing(n.dir, other.shapesOf(t, "5a", "claim-16")), fault.KeysManifest) // a network of the same name
	s := n.shapesOf(t, "5a", "claim-16")
	refused(t, SealShapes(filepath.Join(t.TempDir(), "x"), n.dir, n.public(), s, signer(t)), fault.KeysSignature)
	stranger := signer(t)
	refused(t, SealShapes(filepath.Join(t.TempDir(), "x"), n.dir, stranger.Public().(ed25519.PublicKey), s, stranger), fault.KeysSignature)
	refused(t, SealShapes(with, n.dir, n.public(), s, n.key), fault.KeysMismatch) // a folder that has keys

	development, _ := directory(t)
	key := signer(t)
	manifest, err := os.ReadFile(filepath.Join(development, manifestFile))
	must(t, err)
	put(t, development, signatureFile, []byte(hex.EncodeToString(ed25519.Sign(key, manifest))))
	refused(t, SealShapes(filepath.Join(t.TempDir(), "x"), development, key.Public().(ed25519.PublicKey), s, key), fault.KeysClass)
}

// Shapes of one party do not get into a network of a ceremony, not even under the manifest's key.
//
//spec:id K-13
func TestProductionRefusesDevelopmentShapes(t *testing.T) {
	made, _ := withShapes(t)
	raw, err := os.ReadFile(filepath.Join(made, shapesFile))
	must(t, err)
	n := sealedNetwork(t)
	for _, name := range []string{"claim-16.pk", "claim-16.vk"} {
		b, err := os.ReadFile(filepath.Join(made, name))
		must(t, err)
		put(t, n.dir, name, b)
	}
	must(t, signShapes(n.dir, raw, n.key))
	_, err = Open(n.dir, n.want("5e"))
	refused(t, err, fault.KeysClass)
	must(t, signShapes(n.dir, bytes.Replace(raw, []byte(`"development"`), []byte(`"ceremony"`), 1), n.key))
	_, err = Open(n.dir, n.want("5e"))
	refused(t, err, fault.KeysManifest) // of the class ceremony, without a transcript
}

func TestKeysThatTheTranscriptDoesNotMake(t *testing.T) {
	n := sealedNetwork(t)
	s := n.shapesOf(t, "5a", "claim-16")
	dir, err := n.seal(t, n.dir, s)
	must(t, err)
	check := func(transcript string, made []SealedCircuit) error {
		_, err := CheckSealed(dir, n.public(), []Replayed{{strings.Repeat(transcript, 32), made}})
		return err
	}
	refused(t, check("5b", s.Circuits), fault.KeysTranscripts)
	refused(t, check("5a", n.shapesOf(t, "5a", "claim-16").Circuits), fault.KeysMismatch) // another set-up of the same circuit
	refused(t, check("5a", n.shapesOf(t, "5a", "pay-8").Circuits), fault.KeysNoCircuit)
	put(t, dir, "claim-16.pk", []byte("short"))
	refused(t, check("5a", s.Circuits), fault.KeysTruncated)
	must(t, os.Remove(filepath.Join(dir, "claim-16.pk")))
	must(t, check("5a", s.Circuits))
}

// The holder of the manifest's key signs a shape that he set up alone beside one of a ceremony, or in place of a circuit of the
// manifest. The pins stay what they were, so only the comparison of every entry shows it.
//
//spec:id K-14
func TestACircuitOfNoCeremonyIsFound(t *testing.T) {
	n := sealedNetwork(t)
	first, second := n.shapesOf(t, "5a", "claim-16"), n.shapesOf(t, "5b", "pay-8")
	one, err := n.seal(t, n.dir, first)
	must(t, err)
	forged := filepath.Join(t.TempDir(), "forged")
	must(t, os.CopyFS(forged, os.DirFS(one)))
	shapes, err := PinnedShapes(forged, n.public())
	must(t, err)
	own, err := n.shapesOf(t, "5c", "pay-8").Circuits[0].write(forged)
	must(t, err)
	shapes.Circuits = append(shapes.Circuits, *own)
	raw, err := json.Marshal(shapes)
	must(t, err)
	for _, name := range []string{shapesFile, shapesSignatureFile} {
		must(t, os.Remove(filepath.Join(forged, name)))
	}
	must(t, signShapes(forged, raw, n.key))
	_, err = Open(forged, n.want("5e", "5a"))
	must(t, err) // the attack is one: its pins are those of the ceremony
	ofFirst, ofSecond := Replayed{first.Transcript.SHA256, first.Circuits}, Replayed{second.Transcript.SHA256, second.Circuits}
	_, err = CheckSealed(forged, n.public(), []Replayed{ofFirst})
	refused(t, err, fault.KeysTranscripts)

	// two ceremonies: both transcripts together prove the file, one alone does not
	both, err := n.seal(t, one, second)
	must(t, err)
	_, err = CheckSealed(both, n.public(), []Replayed{ofSecond})
	refused(t, err, fault.KeysTranscripts)
	names, err := CheckSealed(both, n.public(), []Replayed{ofFirst, ofSecond})
	must(t, err)
	if !slices.Equal(names, []string{shapesFile}) {
		t.Error(names)
	}
	// and one that is given twice does not stand for the other
	_, err = CheckSealed(both, n.public(), []Replayed{ofFirst, ofFirst})
	refused(t, err, fault.KeysTranscripts)

	ofManifest := Replayed{strings.Repeat("5e", 32), n.made}
	names, err = CheckSealed(both, n.public(), []Replayed{ofManifest, ofFirst, ofSecond})
	must(t, err)
	if !slices.Equal(names, []string{manifestFile, shapesFile}) {
		t.Error(names)
	}
	_, err = CheckSealed(both, n.public(), []Replayed{{ofManifest.Transcript, n.made[:1]}})
	refused(t, err, fault.KeysTranscripts)
	_, err = CheckSealed(both, n.public(), []Replayed{{ofManifest.Transcript, nil}})
	refused(t, err, fault.KeysTranscripts)
}

func TestShapesAreChosenByName(t *testing.T) {
	all, err := CompileShapes(testNetwork, []string{"pay-8", "claim-16"})
	must(t, err)
	if len(all) != 2 || all[0].Name != "pay-8" || all[0].PublicInputs != statement.Pay8Inputs ||
		all[1].System.GetNbConstraints() > 1<<15 || all[0].System.GetNbConstraints() > 1<<16 || all[0].System.GetNbConstraints() <= 1<<15 {
		t.Errorf("%s, %s", all[0].Name, all[1].Name)
	}
	for _, names := range [][]string{{}, {""}, {"transfer"}, {"claim-16", "claim-16"}} {
		_, err := CompileShapes(testNetwork, names)
		refused(t, err, fault.KeysNoCircuit)
	}
}
