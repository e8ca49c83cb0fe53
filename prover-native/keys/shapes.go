package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"

	"github.com/consensys/gnark/constraint"
)

const (
	shapesFormat        = "solidus/shapes/v1"
	shapesFile          = "shapes.json"
	shapesSignatureFile = "shapes.sig"

	// Limits of a file of shapes: it may name circuits that this build does not know.
	maxShapes        = 1 << 16
	maxShapeCircuits = 64
)

// Shapes describe circuits that a network adds to those of its manifest. Their JSON is signed byte by byte, with the manifest's key.
type Shapes struct {
	Format      string            `json:"format"`
	Network     string            `json:"networkId"`
	Class       string            `json:"class"`
	Provenance  string            `json:"provenance"`
	CreatedAt   string            `json:"createdAt"`
	Circuits    []CircuitEntry    `json:"circuits"`
	Transcripts []TranscriptEntry `json:"transcripts,omitempty"`
}

// shapeRegistry lists the circuits of shapes that this build knows. A file of shapes may have none of them, and others. Tests
// replace it.
var shapeRegistry = map[statement.Kind][]circuit{
	statement.Regulated: {
		{statement.FamilyClaim16, "claim-16", 1, statement.Claim16Inputs, compileShape(transfer.Claim16)},
		{statement.FamilyPay8, "pay-8", 1, statement.Pay8Inputs, compileShape(transfer.Pay8)},
	},
}

func compileShape(s transfer.Shape) func(hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return func(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
		return transfer.CompileMany(network, s)
	}
}

// signedShapes are the bytes of both files of shapes; nil where a directory has none.
type signedShapes struct{ raw, signature []byte }

func readSignedShapes(dir string) (*signedShapes, error) {
	raw, err := readLimited(filepath.Join(dir, shapesFile), maxShapes)
	if err != nil {
		if _, gone := os.Lstat(filepath.Join(dir, shapesFile)); errors.Is(gone, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	signature, err := readHex(filepath.Join(dir, shapesSignatureFile), ed25519.SignatureSize)
	if err != nil {
		return nil, err
	}
	return &signedShapes{raw, signature}, nil
}

// parse verifies the signature first, so that only bytes of the signer are ever parsed.
//
//spec:id F-80
func (s *signedShapes) parse(key ed25519.PublicKey) (*Shapes, error) {
	if len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, s.raw, s.signature) {
		return nil, fault.New(fault.KeysSignature, shapesFile)
	}
	d := json.NewDecoder(bytes.NewReader(s.raw))
	d.DisallowUnknownFields()
	var shapes Shapes
	if err := d.Decode(&shapes); err != nil {
		return nil, fault.New(fault.KeysManifest, shapesFile+" is not the expected JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fault.New(fault.KeysManifest, "trailing data in "+shapesFile)
	}
	if shapes.Format != shapesFormat {
		return nil, fault.Newf(fault.KeysManifest, "format %q", shapes.Format)
	}
	if len(shapes.Circuits) == 0 || len(shapes.Circuits) > maxShapeCircuits {
		return nil, fault.Newf(fault.KeysManifest, "%d circuits in %s", len(shapes.Circuits), shapesFile)
	}
	names := map[string]bool{}
	for i := range shapes.Circuits {
		if name := shapes.Circuits[i].Name; name == "" || names[name] {
			return nil, fault.Newf(fault.KeysManifest, "%s names %q twice, or a circuit without a name", shapesFile, name)
		}
		names[shapes.Circuits[i].Name] = true
	}
	return &shapes, nil
}

// admitShapes reads a directory's shapes, if it has any. They are of the manifest's network and class, signed with its key, and of
// a regulated network: an unregulated one has no limits that a shape could count.
func (s *Set) admitShapes(want Expectation) error {
	signed, err := readSignedShapes(s.dir)
	if err != nil || signed == nil {
		return err
	}
	shapes, err := signed.parse(want.ManifestKey)
	if err != nil {
		return err
	}
	if err := s.admitParsed(shapes); err != nil {
		return err
	}
	s.Shapes, s.ShapesDigest = shapes, sha256.Sum256(signed.raw)
	return nil
}

func (s *Set) admitParsed(shapes *Shapes) error {
	switch {
	case s.Manifest.Kind != statement.Regulated.String():
		return fault.New(fault.KeysKind, shapesFile+" in an unregulated network")
	case shapes.Network != s.Manifest.Network:
		return fault.Newf(fault.KeysNetwork, "%s is of %q", shapesFile, shapes.Network)
	case shapes.Class != s.Manifest.Class:
		return fault.Newf(fault.KeysClass, "%s has the class %q", shapesFile, shapes.Class)
	}
	return nil
}

// loadShapes loads the circuits that this build knows, each as it is compiled here, and passes over the others.
func (s *Set) loadShapes() error {
	if s.Shapes == nil {
		return nil
	}
	for _, c := range shapeRegistry[s.Kind] {
		at := slices.IndexFunc(s.Shapes.Circuits, func(e CircuitEntry) bool { return e.Name == c.name })
		if at < 0 {
			continue
		}
		if err := s.load(c, &s.Shapes.Circuits[at]); err != nil {
			return err
		}
	}
	return nil
}

// MakeShapes fills a directory of its own with development keys and with keys of every shape that this build knows. It copies the
// keys of the directory from, shares included, bytes unchanged: their manifest has the same digest and another key, because nobody
// kept the one before. The directory's name is that of from with the names and a fingerprint of the shapes behind it. A directory
// that is complete is used again.
func MakeShapes(from string, want Expectation, progress func(line string)) (dir string, key ed25519.PublicKey, err error) {
	if inProduction() || want.Allowed != Classes(Development) {
		return "", nil, fault.New(fault.KeysClass, "only development keys get shapes of one party")
	}
	n, err := statement.NewNetwork(want.Network)
	if err != nil {
		return "", nil, err
	}
	known := shapeRegistry[want.Kind]
	if len(known) == 0 {
		return "", nil, fault.New(fault.KeysNoCircuit, "no shapes in this kind of network")
	}
	if _, err := Admit(from, want); err != nil {
		return "", nil, err
	}
	p := &Plan{Network: want.Network, Kind: want.Kind, Class: Development, Progress: progress}
	systems, suffix, err := fingerprintOf(n, known)
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Clean(from) + suffix
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, fault.New(fault.KeysMissing, "the directory cannot be made")
	}
	unlock, err := lock(dir, p.say)
	if err != nil {
		return "", nil, err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(dir, manifestFile)); err == nil {
		key, err := reuseShapes(dir, want)
		return dir, key, err
	}
	key, err = p.fillShapes(dir, from, want, known, systems)
	return dir, key, err
}

// fingerprintOf compiles the circuits of shapes.
func fingerprintOf(n *statement.Network, known []circuit) (systems []*system, suffix string, err error) {
	h := sha256.New()
	h.Write([]byte(shapesFormat))
	var names []string
	for _, c := range known {
		sys, err := c.build(n.Tag())
		if err != nil {
			return nil, "", err
		}
		h.Write([]byte{0, byte(c.version >> 24), byte(c.version >> 16), byte(c.version >> 8), byte(c.version)})
		h.Write(sys.digest[:])
		systems, names = append(systems, sys), append(names, c.name)
	}
	return systems, "-" + strings.Join(names, "-") + "-" + hex.EncodeToString(h.Sum(nil)[:6]), nil
}

func reuseShapes(dir string, want Expectation) (ed25519.PublicKey, error) {
	key, err := ManifestKey(dir)
	if err != nil {
		return nil, err
	}
	want.ManifestKey = key
	s, err := Open(dir, want)
	if err != nil {
		return nil, fault.Newf(fault.KeysMismatch, "%s holds other keys (%v); remove it", dir, err)
	}
	for _, c := range shapeRegistry[want.Kind] {
		if _, err := s.find(c.family); err != nil {
			return nil, fault.Newf(fault.KeysMismatch, "%s lacks %s; remove it", dir, c.name)
		}
	}
	return key, nil
}

// fillShapes writes the manifest last, so that an interrupted run leaves no directory that looks complete.
func (p *Plan) fillShapes(dir, from string, want Expectation, known []circuit, systems []*system) (ed25519.PublicKey, error) {
	old, err := Open(from, want)
	if err != nil {
		return nil, err
	}
	for i := range old.Manifest.Circuits {
		if err := old.Manifest.Circuits[i].copy(dir, from); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, sharesDir), 0o700); err != nil {
		return nil, fault.New(fault.KeysMissing, "the directory of the shares cannot be made")
	}
	for i := 1; i <= old.Committee.N(); i++ {
		if err := copyPrivate(dir, from, shareName(i), 4096); err != nil {
			return nil, err
		}
	}
	shapes := &Shapes{
		Format: shapesFormat, Network: p.Network, Class: p.Class.String(),
		Provenance: "single-party set-up on one machine: whoever ran it can forge proofs",
		CreatedAt:  time.Now().UTC().Format(time.RFC3339),
	}
	for i := range known {
		entry, err := p.setUpOf(dir, &known[i], systems[i])
		if err != nil {
			return nil, err
		}
		shapes.Circuits = append(shapes.Circuits, *entry)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	defer clear(private)
	raw, err := json.MarshalIndent(shapes, "", "  ")
	if err != nil {
		return nil, fault.New(fault.Internal, "encoding")
	}
	if err := signShapes(dir, append(raw, '\n'), private); err != nil {
		return nil, err
	}
	return public, signWith(dir, old.Manifest, private)
}

// signShapes writes both files of shapes, the signature first: without shapes.json a directory has none.
func signShapes(dir string, raw []byte, private ed25519.PrivateKey) error {
	signature := hex.EncodeToString(ed25519.Sign(private, raw)) + "\n"
	if _, err := write(dir, shapesSignatureFile, []byte(signature), 0o644); err != nil {
		return err
	}
	_, err := write(dir, shapesFile, raw, 0o644)
	return err
}

// carryShapes takes the shapes of an old directory over, those that this build does not know as well: the same bytes under another
// signature.
func carryShapes(dir, oldDir string, oldKey ed25519.PublicKey, signer ed25519.PrivateKey) error {
	signed, err := readSignedShapes(oldDir)
	if err != nil || signed == nil {
		return err
	}
	shapes, err := signed.parse(oldKey)
	if err != nil {
		return err
	}
	for i := range shapes.Circuits {
		if err := shapes.Circuits[i].copy(dir, oldDir); err != nil {
			return err
		}
	}
	return signShapes(dir, signed.raw, signer)
}
