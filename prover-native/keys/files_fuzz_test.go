package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/fuzztest"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// fuzzSigner signs the inputs of the fuzz targets: in production only a signer's bytes reach the parser, and a signer may
// make errors.
var fuzzSigner = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func goodManifest(t testing.TB) []byte {
	t.Helper()
	w := simtest.New(t, statement.Regulated, 1)
	committee, err := encodeCommittee(w.Committee)
	must(t, err)
	file := func(name string) FileEntry { return FileEntry{name, 100, "00"} }
	raw, err := json.Marshal(&Manifest{
		Format: manifestFormat, Network: simtest.NetworkID, Kind: "regulated", Class: "development", Provenance: "a test",
		Circuits:  []CircuitEntry{{"transfer", 1, "00", 10, 23, file("transfer.pk"), file("transfer.vk")}},
		Committee: committee,
	})
	must(t, err)
	return raw
}

// readManifest processes a manifest as far as Open does before it compiles anything.
func readManifest(raw []byte) error {
	m, err := parseManifest(raw, ed25519.Sign(fuzzSigner, raw), fuzzSigner.Public().(ed25519.PublicKey))
	if err != nil {
		return err
	}
	s := &Set{Manifest: m}
	if err := s.admit(Expectation{Network: simtest.NetworkID, Kind: statement.Regulated, Allowed: Classes(Development)}); err != nil {
		return err
	}
	if s.Committee, err = m.Committee.decode(); err != nil {
		return err
	}
	_, err = m.circuit("transfer")
	return err
}

// judged fails the test for an error without a code, and for allocations by a number in the file.
func judged(t *testing.T, input []byte, read func() error) error {
	t.Helper()
	var err error
	fuzztest.Bounded(t, 24<<20+64*uint64(len(input)), func() { err = read() })
	if err != nil && fault.CodeOf(err) == fault.Internal {
		t.Fatalf("a failure without a code: %v", err)
	}
	return err
}

func TestManifestSeedIsAccepted(t *testing.T) { must(t, readManifest(goodManifest(t))) }

func FuzzManifest(f *testing.F) {
	good := goodManifest(f)
	f.Add(good)
	f.Add([]byte(`{"format":"solidus/keys/v1"}`))
	f.Add(bytes.Repeat([]byte("["), 10_000))
	f.Add(bytes.Replace(good, []byte(`"f":1`), []byte(`"f":1e99`), 1))
	f.Add(bytes.Replace(good, []byte(`"f":1`), []byte(`"f":-1`), 1))
	f.Add(bytes.Replace(good, []byte(`"index":2`), []byte(`"index":1`), 1))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) <= maxManifest {
			_ = judged(t, raw, func() error { return readManifest(raw) })
		}
	})
}

// A manifest that is accepted after a change means the same or says something else openly; its committee always belongs together.
func TestMutatedManifests(t *testing.T) {
	good, random := goodManifest(t), fuzztest.Random(t)
	for range fuzztest.Rounds(400) {
		raw := fuzztest.Mutate(random, good)
		if judged(t, raw, func() error { return readManifest(raw) }) == nil {
			m, err := parseManifest(raw, ed25519.Sign(fuzzSigner, raw), fuzzSigner.Public().(ed25519.PublicKey))
			must(t, err)
			c, err := m.Committee.decode()
			must(t, err)
			must(t, c.Check())
		}
	}
}

// shareDirectory is a set with one share file.
func shareDirectory(t testing.TB) (*Set, []byte) {
	t.Helper()
	dir, w := t.TempDir(), simtest.New(t, statement.Regulated, 1)
	must(t, os.Mkdir(filepath.Join(dir, sharesDir), 0o700))
	must(t, writeShare(dir, Development, w.Shares[0], make([]byte, 32)))
	raw, err := os.ReadFile(filepath.Join(dir, shareName(1)))
	must(t, err)
	return &Set{Committee: w.Committee, dir: dir}, raw
}

func (s *Set) readFuzzedShare(t testing.TB, raw []byte) error {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(s.dir, shareName(1)), raw, 0o600))
	share, err := s.ReadShare(1)
	if err == nil {
		share.Close()
	}
	return err
}

func TestShareSeedIsAccepted(t *testing.T) {
	s, good := shareDirectory(t)
	must(t, s.readFuzzedShare(t, good))
}

// FuzzShareFile: a share that is accepted is the authority's own.
func FuzzShareFile(f *testing.F) {
	s, good := shareDirectory(f)
	f.Add(good)
	f.Add(bytes.Replace(good, []byte(`"index":1`), []byte(`"index":2`), 1))
	f.Add(bytes.Replace(good, []byte(`"index":1`), []byte(`"index":-9e9`), 1))
	f.Add([]byte(`{"index":1,"x":"","y":"0","noteKeySeed":"zz"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		_ = judged(t, raw, func() error { return s.readFuzzedShare(t, raw) })
	})
}

// smallKeys are the encodings of a key pair of a small circuit.
func smallKeys(t testing.TB) (vk, pk []byte, c circuit, sys *system) {
	t.Helper()
	c = circuit{statement.FamilyTransfer, "transfer", 1, 2, compileFactor(false)}
	n, err := statement.NewNetwork(simtest.NetworkID)
	must(t, err)
	sys, err = c.build(n.Tag())
	must(t, err)
	var p groth16.ProvingKey
	var v groth16.VerifyingKey
	must(t, groth16.Setup(sys.R1CS, &p, &v))
	var out bytes.Buffer
	_, err = v.WriteRawTo(&out)
	must(t, err)
	vk = bytes.Clone(out.Bytes())
	out.Reset()
	_, err = p.WriteRawTo(&out)
	must(t, err)
	return vk, bytes.Clone(out.Bytes()), c, sys
}

// keyFile puts content where its entry says it is.
func keyFile(t testing.TB, dir, name string, content []byte) FileEntry {
	t.Helper()
	e, err := write(dir, name, content, 0o644)
	must(t, err)
	return e
}

// FuzzVerifyingKey checks that a loaded key, whatever the manifest signs, has the right number of points, all of them in
// their groups.
func FuzzVerifyingKey(f *testing.F) {
	good, _, c, _ := smallKeys(f)
	dir := f.TempDir()
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(append(bytes.Clone(good), 0))
	for at := 0; at+4 <= len(good); at += g1Bytes { // lengths stand between points
		f.Add(append(append(bytes.Clone(good[:at]), 0xff, 0xff, 0xff, 0xff), good[at+4:]...))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) == 0 || len(raw) > maxVerifyingKey {
			return
		}
		e := &CircuitEntry{VerifyingKey: keyFile(t, dir, "transfer.vk", raw)}
		var vk *groth.VerifyingKey
		err := judged(t, raw, func() (err error) { vk, err = readVerifyingKey(dir, e, &c); return err })
		if err == nil && vk.PublicInputs() != c.publicInputs {
			t.Fatal("a key with another number of public inputs")
		}
	})
}

// counts are the places of the counts in a proving key.
func counts(pk []byte) (places []int) {
	at := domainBytes + 3*g1Bytes
	skip := func(size int) {
		places = append(places, at)
		at += 4 + int(binary.BigEndian.Uint32(pk[at:]))*size
	}
	for range 4 {
		skip(g1Bytes)
	}
	at += 2 * g2Bytes
	skip(g2Bytes)
	return append(places, at) // of wires, 8 bytes
}

// FuzzProvingKey checks that a file that is not a proving key of the circuit is refused without a panic and without
// allocations by its own numbers.
func FuzzProvingKey(f *testing.F) {
	_, good, c, sys := smallKeys(f)
	dir := f.TempDir()
	f.Add(good)
	f.Add(good[:len(good)-1])
	domain := []int{0, 1, 4, 7, 8, 8 + fr.Bytes, 8 + 2*fr.Bytes, domainBytes - 1}
	for _, at := range append(domain, counts(good)...) {
		for _, v := range [][]byte{{0xff}, {0x40}, {0xff, 0xff, 0xff, 0xff}, {0, 0, 0, 0, 0, 0, 0, 3}} {
			bad := bytes.Clone(good)
			copy(bad[at:], v)
			f.Add(bad)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) == 0 || len(raw) > 1<<20 {
			return
		}
		l := &loaded{circuit: c, entry: &CircuitEntry{ProvingKey: keyFile(t, dir, "transfer.pk", raw)}}
		_ = judged(t, raw, func() error { _, err := l.readProvingKey(dir, sys); return err })
	})
}

// FuzzHexFile reads the small files beside a manifest.
func FuzzHexFile(f *testing.F) {
	dir := f.TempDir()
	f.Add([]byte("00\n"))
	f.Add(bytes.Repeat([]byte("0"), 5000))
	f.Add([]byte("0\n0"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(dir, "file")
		must(t, os.WriteFile(path, raw, 0o600))
		_ = judged(t, raw, func() error {
			b, err := readHex(path, 32)
			if err == nil && len(b) != suite.ScalarBytes {
				t.Fatal("another length")
			}
			return err
		})
	})
}
