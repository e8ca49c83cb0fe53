package setup

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	cs "github.com/consensys/gnark/constraint/bls12-381"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/ceremony"
	solidus "solidus.io/prover/internal/r1cs"
	"solidus.io/prover/keys"
)

// The real circuits take an hour. The tests do not depend on the content of a circuit.

// chain proves that y is x to the power of 2^Steps, plus a wire that nothing mentions.
type chain struct {
	Steps int               `gnark:"-"`
	Y     frontend.Variable `gnark:",public"`
	X     frontend.Variable
	Idle  frontend.Variable
}

func (c *chain) Define(api frontend.API) error {
	y := c.X
	for range c.Steps {
		y = api.Mul(y, y)
	}
	api.AssertIsEqual(y, c.Y)
	return nil
}

func compileChain(t testing.TB, name string, steps int) keys.Compiled {
	t.Helper()
	ccs, err := frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, &chain{Steps: steps}, frontend.IgnoreUnconstrainedInputs())
	must(t, err)
	s := ccs.(*cs.R1CS)
	return keys.Compiled{Name: name, Version: 1, PublicInputs: 1, Digest: solidus.Digest(s), System: s}
}

// circuits are one with a domain of 8 and one of 4.
func circuits(t testing.TB) []keys.Compiled {
	return []keys.Compiled{compileChain(t, "long", 6), compileChain(t, "short", 2)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want ceremony.Code) {
	t.Helper()
	if err == nil || ceremony.CodeOf(err) != want {
		t.Fatalf("got %v, want %s", err, want)
	}
}

func newKey(t testing.TB) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	return key
}

var (
	firstValue  = hex.EncodeToString([]byte("the first beacon's value"))
	secondValue = hex.EncodeToString([]byte("the second beacon's value"))
)

// stage is the progress of a template.
type stage int

const (
	contributed1 stage = iota // three contributions to phase 1
	ended1                    // and its beacon
	contributed2
	ended2
	stages
)

var template struct {
	sync.Once
	dirs        [stages]string
	coordinator ed25519.PrivateKey
	keys        []ed25519.PrivateKey
}

func prepare(t testing.TB) {
	template.coordinator = newKey(t)
	dir, err := os.MkdirTemp("", "solidus-setup-test") //nolint:usetesting // shared by all tests, removed in TestMain
	must(t, err)
	c := &Ceremony{
		Dir: filepath.Join(dir, "work"), Circuits: circuits(t), Coordinator: template.coordinator.Public().(ed25519.PublicKey),
	}
	must(t, c.Init("setup-test", "regulated", 3, "a lottery", template.coordinator))
	keep := func(s stage) {
		template.dirs[s] = filepath.Join(dir, string(rune('a'+s)))
		must(t, os.CopyFS(template.dirs[s], os.DirFS(c.Dir)))
	}
	for i, name := range []string{"Ada", "Ben", "Cleo"} {
		template.keys = append(template.keys, newKey(t))
		must(t, c.Contribute(name, "with a note", template.keys[i]))
	}
	keep(contributed1)
	must(t, c.EndPhase(firstValue, "draw 1", template.coordinator))
	keep(ended1)
	for i, name := range []string{"Cleo", "Ada", "Ben"} {
		must(t, c.Contribute(name, "", template.keys[i]))
	}
	keep(contributed2)
	must(t, c.EndPhase(secondValue, "draw 2", template.coordinator))
	keep(ended2)
}

// copyOf is a ceremony of its own in some stage.
func copyOf(t testing.TB, s stage) *Ceremony {
	t.Helper()
	template.Do(func() { prepare(t) })
	dir := filepath.Join(t.TempDir(), "ceremony")
	must(t, os.CopyFS(dir, os.DirFS(template.dirs[s])))
	return &Ceremony{Dir: dir, Circuits: circuits(t), Coordinator: template.coordinator.Public().(ed25519.PublicKey)}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if template.dirs[0] != "" {
		os.RemoveAll(filepath.Dir(template.dirs[0]))
	}
	os.Exit(code)
}

// swapIn does what the third contributor could do: it replaces the first file of the contribution, signs the record again, and
// deletes all later contributions.
func swapIn(t testing.TB, c *Ceremony, phase int, raw []byte) {
	const number = 3
	t.Helper()
	tr, err := c.open()
	must(t, err)
	p := tr.phase(phase)
	contribution := p.contributions[number-1]
	f := &contribution.Files[0]
	must(t, os.WriteFile(filepath.Join(c.Dir, folder(phase), f.Name), raw, 0o644))
	f.SHA256 = ceremony.Digest(raw)
	resign(t, c, &contribution, signerOf(p.signers[number-1].key))
	for later := number + 1; later <= len(p.contributions); later++ {
		must(t, os.Remove(filepath.Join(c.Dir, recordName(phase, later))))
		for _, f := range p.contributions[later-1].Files {
			must(t, os.Remove(filepath.Join(c.Dir, folder(phase), f.Name)))
		}
	}
}

func signerOf(public ed25519.PublicKey) ed25519.PrivateKey {
	for _, k := range template.keys {
		if k.Public().(ed25519.PublicKey).Equal(public) {
			return k
		}
	}
	return nil
}

func resign(t testing.TB, c *Ceremony, contribution *Contribution, key ed25519.PrivateKey) {
	t.Helper()
	raw, err := ceremony.Sign(key, kindContribution, contribution)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(c.Dir, recordName(contribution.Phase, contribution.Number)), raw, 0o644))
}

func fileOf(t testing.TB, c *Ceremony, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(c.Dir, name))
	must(t, err)
	return raw
}
