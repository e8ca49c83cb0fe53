package keys

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// The real circuits take a minute to set up. These have the same form and take no time. The tests do not depend on the
// content of a circuit.

// factor proves a factorisation. The network enters as a constant, as in the real circuits.
type factor struct {
	Network hash.NetworkTag `gnark:"-"`
	Extra   bool            `gnark:"-"`

	Product, Offset frontend.Variable `gnark:",public"`
	A, B            frontend.Variable
}

func (c *factor) Define(api frontend.API) error {
	api.AssertIsEqual(api.Mul(c.A, c.B), api.Add(c.Product, int(c.Network[0])))
	api.AssertIsEqual(api.Mul(c.Offset, c.Offset), c.A)
	if c.Extra {
		api.AssertIsDifferent(c.B, 1_000_003) // a wire more
	}
	return nil
}

// unused has a public input that no constraint uses.
type unused struct {
	Product, Free frontend.Variable `gnark:",public"`
	A             frontend.Variable
}

func (c *unused) Define(api frontend.API) error {
	api.AssertIsEqual(api.Mul(c.A, c.A), c.Product)
	return nil
}

func compileFactor(extra bool) func(hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return func(tag hash.NetworkTag) (constraint.ConstraintSystem, error) {
		return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, &factor{Network: tag, Extra: extra})
	}
}

func compileUnused(hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, &unused{})
}

const testNetwork = "keys-test"

// useSmallCircuits replaces the registry for one test.
func useSmallCircuits(t *testing.T) {
	t.Helper()
	old := registry
	t.Cleanup(func() { registry = old })
	registry = map[statement.Kind][]circuit{
		statement.Regulated: {
			{statement.FamilyTransfer, "transfer", 1, 2, compileFactor(false)},
			{statement.FamilyMint, "mint", 1, 2, compileFactor(true)},
		},
		statement.Unregulated: {{statement.FamilyTransferUnregulated, "transfer-unregulated", 1, 2, compileFactor(false)}},
	}
}

func plan() Plan {
	return Plan{Network: testNetwork, Kind: statement.Regulated, Class: Development, Validators: 4}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if err == nil || fault.CodeOf(err) != want {
		t.Fatalf("got %v, want %v", err, want)
	}
}

// template is made once; each test works on a copy.
var template = struct {
	sync.Once
	dir string
	key ed25519.PublicKey
}{}

func directory(t *testing.T) (string, Expectation) {
	t.Helper()
	useSmallCircuits(t)
	template.Do(func() {
		dir, err := os.MkdirTemp("", "solidus-keys-test") //nolint:usetesting // shared by all tests, removed in TestMain
		must(t, err)
		template.dir = dir
		template.key, err = Make(dir, plan())
		must(t, err)
	})
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(template.dir)))
	must(t, restrict(dir))
	return dir, Expectation{
		Network: testNetwork, Kind: statement.Regulated, Allowed: Classes(Development), ManifestKey: template.key,
	}
}

// restrict gives the copied secrets their modes back.
func restrict(dir string) error {
	return filepath.WalkDir(filepath.Join(dir, sharesDir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o600)
	})
}

func TestMain(m *testing.M) {
	code := m.Run()
	if template.dir != "" {
		os.RemoveAll(template.dir)
	}
	os.Exit(code)
}

// resign lets a test change a manifest the way its signer could.
func resign(t *testing.T, dir string, change func(*Manifest)) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, manifestFile))
	must(t, err)
	var m Manifest
	must(t, json.Unmarshal(raw, &m))
	change(&m)
	raw, err = json.Marshal(&m)
	must(t, err)
	return signRaw(t, dir, raw)
}

func signRaw(t *testing.T, dir string, raw []byte) []byte {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	put(t, dir, manifestFile, raw)
	put(t, dir, signatureFile, []byte(hex.EncodeToString(ed25519.Sign(private, raw))))
	put(t, dir, publicKeyFile, []byte(hex.EncodeToString(public)))
	return public
}

func put(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
}

// assignment satisfies the small circuits: a = offset^2, b = offset.
func assignment(t *testing.T, s *Set, offset int) (*factor, []suite.Field) {
	t.Helper()
	tag := s.Network.Tag()
	product := offset*offset*offset - int(tag[0])
	a := &factor{Product: product, Offset: offset, A: offset * offset, B: offset}
	var public [2]suite.Field
	public[0].SetInt64(int64(product))
	public[1].SetInt64(int64(offset))
	return a, public[:]
}
