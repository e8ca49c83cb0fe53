package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
)

func TestOpenInsistsOnWhatWasAskedFor(t *testing.T) {
	dir, want := directory(t)
	for name, c := range map[string]struct {
		change func(*Expectation)
		want   fault.Code
	}{
		"network":        {func(e *Expectation) { e.Network = "another-net" }, fault.KeysNetwork},
		"malformed name": {func(e *Expectation) { e.Network = "Net" }, fault.BadNetworkID},
		"kind":           {func(e *Expectation) { e.Kind = statement.Unregulated }, fault.KeysKind},
		"class":          {func(e *Expectation) { e.Allowed = Classes(Ceremony, LoadTest) }, fault.KeysClass},
		"no class":       {func(e *Expectation) { e.Allowed = 0 }, fault.KeysClass},
		"another key":    {func(e *Expectation) { e.ManifestKey = make([]byte, 32) }, fault.KeysSignature},
		"no key":         {func(e *Expectation) { e.ManifestKey = nil }, fault.KeysSignature},
	} {
		t.Run(name, func(t *testing.T) {
			e := want
			c.change(&e)
			_, err := Open(dir, e)
			refused(t, err, c.want)
			_, err = Admit(dir, e)
			refused(t, err, c.want)
		})
	}
}

//spec:id F-29
func TestManifestBytesAreSigned(t *testing.T) {
	dir, want := directory(t)
	raw, err := os.ReadFile(filepath.Join(dir, manifestFile))
	must(t, err)
	for _, bad := range [][]byte{
		append(bytes.Clone(raw), ' '),
		bytes.Replace(raw, []byte("development"), []byte("ceremony"), 1),
		raw[:len(raw)-1],
		{},
	} {
		put(t, dir, manifestFile, bad)
		_, err := Open(dir, want)
		refused(t, err, fault.KeysSignature)
	}
	put(t, dir, manifestFile, raw)
	put(t, dir, signatureFile, []byte(strings.Repeat("00", 64)))
	_, err = Open(dir, want)
	refused(t, err, fault.KeysSignature)
	put(t, dir, signatureFile, []byte("not hexadecimal"))
	_, err = Open(dir, want)
	refused(t, err, fault.KeysManifest)
	put(t, dir, manifestFile, make([]byte, maxManifest+1))
	_, err = Open(dir, want)
	refused(t, err, fault.KeysOversized)
}

//spec:id F-29
func TestSignedButSenselessManifests(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Manifest)
		want   fault.Code
	}{
		"format":               {func(m *Manifest) { m.Format = "solidus/keys/v2" }, fault.KeysManifest},
		"unknown kind":         {func(m *Manifest) { m.Kind = "both" }, fault.KeysKind},
		"unknown class":        {func(m *Manifest) { m.Class = "production" }, fault.KeysClass},
		"a circuit missing":    {func(m *Manifest) { m.Circuits = m.Circuits[:1] }, fault.KeysManifest},
		"a circuit twice":      {func(m *Manifest) { m.Circuits[1] = m.Circuits[0] }, fault.KeysManifest},
		"another circuit":      {func(m *Manifest) { m.Circuits[1].Name = "baseline" }, fault.KeysNoCircuit},
		"circuit digest":       {func(m *Manifest) { m.Circuits[0].Digest = strings.Repeat("0", 64) }, fault.KeysMismatch},
		"circuit version":      {func(m *Manifest) { m.Circuits[0].Version = 2 }, fault.KeysMismatch},
		"public inputs":        {func(m *Manifest) { m.Circuits[0].PublicInputs = 3 }, fault.KeysMismatch},
		"path out of the tree": {func(m *Manifest) { m.Circuits[0].VerifyingKey.Name = "../transfer.vk" }, fault.KeysManifest},
		"negative size":        {func(m *Manifest) { m.Circuits[0].VerifyingKey.Size = -1 }, fault.KeysOversized},
		"huge size":            {func(m *Manifest) { m.Circuits[0].VerifyingKey.Size = 1 << 40 }, fault.KeysOversized},
		"digest not hex":       {func(m *Manifest) { m.Circuits[0].VerifyingKey.SHA256 = "zz" }, fault.KeysManifest},
		"empty committee":      {func(m *Manifest) { m.Committee.Members = nil }, fault.CommitteeInvalid},
		"another Y1":           {func(m *Manifest) { m.Committee.Y1 = m.Committee.Members[0].Gamma }, fault.CommitteeInvalid},
		"members swapped": {func(m *Manifest) {
			m.Committee.Members[0].X, m.Committee.Members[1].X = m.Committee.Members[1].X, m.Committee.Members[0].X
		}, fault.CommitteeInvalid},
		"identity in the committee": {func(m *Manifest) { m.Committee.X = strings.Repeat("0", 384) }, fault.IdentityPoint},
		"committee not hex":         {func(m *Manifest) { m.Committee.X = "x" }, fault.KeysManifest},
		"note key of 31 bytes":      {func(m *Manifest) { m.Committee.Members[0].NoteKey = strings.Repeat("0", 62) }, fault.KeysManifest},
	} {
		t.Run(name, func(t *testing.T) {
			dir, want := directory(t)
			want.ManifestKey = resign(t, dir, c.change)
			_, err := Open(dir, want)
			refused(t, err, c.want)
		})
	}
	for _, raw := range []string{`{"format":"solidus/keys/v1","surprise":1}`, `{"format":"solidus/keys/v1"} {}`, `[]`, ``} {
		dir, want := directory(t)
		want.ManifestKey = signRaw(t, dir, []byte(raw))
		_, err := Open(dir, want)
		refused(t, err, fault.KeysManifest)
	}
}

func TestFilesAreComparedWithTheManifest(t *testing.T) {
	for name, c := range map[string]struct {
		change func([]byte) []byte
		want   fault.Code
	}{
		"truncated": {func(b []byte) []byte { return b[:len(b)-1] }, fault.KeysTruncated},
		"empty":     {func([]byte) []byte { return nil }, fault.KeysTruncated},
		"oversized": {func(b []byte) []byte { return append(b, 0) }, fault.KeysOversized},
		"a bit":     {func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, fault.KeysDigest},
	} {
		for _, file := range []string{"transfer.vk", "transfer.pk"} {
			t.Run(name+" "+file, func(t *testing.T) {
				dir, want := directory(t)
				raw, err := os.ReadFile(filepath.Join(dir, file))
				must(t, err)
				put(t, dir, file, c.change(raw))
				s, err := Open(dir, want)
				if strings.HasSuffix(file, ".pk") {
					must(t, err) // read with the first proof only
					err = s.Warm(statement.FamilyTransfer)
				}
				refused(t, err, c.want)
			})
		}
	}
	dir, want := directory(t)
	must(t, os.Remove(filepath.Join(dir, "mint.vk")))
	_, err := Open(dir, want)
	refused(t, err, fault.KeysMissing)
	_, err = Open(filepath.Join(dir, "nowhere"), want)
	refused(t, err, fault.KeysMissing)
}

// A verifying key is checked point by point although its bytes are signed.
func TestUnsoundVerifyingKeysDoNotLoad(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*groth16.VerifyingKey)
		want   fault.Code
	}{
		"input at infinity":  {func(vk *groth16.VerifyingKey) { vk.G1.K[1] = bls.G1Affine{} }, fault.KeysInfinitePoint},
		"gamma equals delta": {func(vk *groth16.VerifyingKey) { vk.G2.Gamma = vk.G2.Delta }, fault.KeysDegenerate},
		"an input less":      {func(vk *groth16.VerifyingKey) { vk.G1.K = vk.G1.K[:2] }, fault.KeysPublicInputs},
		"committed inputs":   {func(vk *groth16.VerifyingKey) { vk.PublicAndCommitmentCommitted = [][]int{{1}} }, fault.KeysCommitmentKeys},
	} {
		t.Run(name, func(t *testing.T) {
			dir, want := directory(t)
			raw, err := os.ReadFile(filepath.Join(dir, "transfer.vk"))
			must(t, err)
			var vk groth16.VerifyingKey
			_, err = vk.ReadFrom(bytes.NewReader(raw))
			must(t, err)
			c.change(&vk)
			var out bytes.Buffer
			_, err = vk.WriteRawTo(&out)
			must(t, err)
			want.ManifestKey = replace(t, dir, "transfer.vk", out.Bytes())
			_, err = Open(dir, want)
			refused(t, err, c.want)
		})
	}
	dir, want := directory(t)
	raw, err := os.ReadFile(filepath.Join(dir, "transfer.vk"))
	must(t, err)
	want.ManifestKey = replace(t, dir, "transfer.vk", append(raw, 1, 2, 3))
	_, err = Open(dir, want)
	refused(t, err, fault.KeysManifest)
	want.ManifestKey = replace(t, dir, "transfer.vk", bytes.Repeat([]byte{0xff}, 4000))
	_, err = Open(dir, want)
	refused(t, err, fault.KeysManifest)
}

// replace changes a file's content and signs a manifest with its digest.
func replace(t *testing.T, dir, name string, content []byte) []byte {
	t.Helper()
	put(t, dir, name, content)
	digest := sha256.Sum256(content)
	return resign(t, dir, func(m *Manifest) {
		for i := range m.Circuits {
			for _, f := range []*FileEntry{&m.Circuits[i].ProvingKey, &m.Circuits[i].VerifyingKey} {
				if f.Name == name {
					f.Size, f.SHA256 = int64(len(content)), hex.EncodeToString(digest[:])
				}
			}
		}
	})
}

// A proving key of another circuit makes no proofs that verify; it is found when it is loaded or when it is used.
func TestForeignProvingKeys(t *testing.T) {
	dir, want := directory(t)
	raw, err := os.ReadFile(filepath.Join(dir, "mint.pk"))
	must(t, err)
	want.ManifestKey = replace(t, dir, "transfer.pk", raw)
	s, err := Open(dir, want)
	must(t, err)
	refused(t, s.Warm(statement.FamilyTransfer), fault.KeysInconsistent)

	other := t.TempDir()
	_, err = Make(other, plan()) // the same circuits, other secrets
	must(t, err)
	raw, err = os.ReadFile(filepath.Join(other, "transfer.pk"))
	must(t, err)
	want.ManifestKey = replace(t, dir, "transfer.pk", raw)
	s, err = Open(dir, want)
	must(t, err)
	must(t, s.Warm(statement.FamilyTransfer))
	a, public := assignment(t, s, 3)
	_, err = s.Prove(statement.FamilyTransfer, a, public)
	refused(t, err, fault.ProofInvalid)
}

func TestReadManifestAndOpenAsStated(t *testing.T) {
	dir, want := directory(t)
	m, digest, err := ReadManifest(dir)
	must(t, err)
	s, err := OpenAsStated(dir, want.ManifestKey)
	must(t, err)
	if m.Network != testNetwork || s.Digest != digest {
		t.Fatal("the manifest is not the set's")
	}
	put(t, dir, publicKeyFile, []byte(strings.Repeat("00", 32)))
	_, _, err = ReadManifest(dir)
	refused(t, err, fault.KeysSignature)
}

func TestNames(t *testing.T) {
	for _, c := range []Class{Development, LoadTest, Ceremony} {
		got, err := ParseClass(c.String())
		must(t, err)
		if got != c {
			t.Fatal("class")
		}
	}
	_, err := ParseClass("test")
	refused(t, err, fault.KeysClass)
	_, err = statement.ParseKind("mixed")
	refused(t, err, fault.KeysKind)
}

// The registry's names are file names, so they must stay plain, and no circuit of one kind serves the other but the mint.
func TestRegistry(t *testing.T) {
	for kind, circuits := range registry {
		seen := map[string]bool{}
		for _, c := range circuits {
			if strings.Trim(c.name, "abcdefghijklmnopqrstuvwxyz-") != "" || seen[c.name] || c.version < 1 {
				t.Errorf("%v: circuit %q", kind, c.name)
			}
			seen[c.name] = true
		}
	}
	regulated := map[statement.Family]bool{}
	for _, c := range registry[statement.Regulated] {
		regulated[c.family] = true
	}
	for _, c := range registry[statement.Unregulated] {
		if regulated[c.family] && c.family != statement.FamilyMint {
			t.Errorf("%s serves both kinds", c.name)
		}
	}
}
