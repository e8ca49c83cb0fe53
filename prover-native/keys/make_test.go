package keys

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/statement"
)

func TestMakeOpenProve(t *testing.T) {
	dir, want := directory(t)
	s, err := Open(dir, want)
	must(t, err)
	if s.Class != Development || s.Kind != statement.Regulated || s.Committee.N() != 4 {
		t.Fatal("the set is not what was made")
	}
	must(t, s.Committee.Check())
	for _, f := range s.Families() {
		must(t, s.Warm(f))
		a, public := assignment(t, s, 5)
		proof, err := s.Prove(f, a, public)
		must(t, err)
		again, err := s.Prove(f, a, public)
		must(t, err)
		if len(proof) != groth.ProofBytes || bytes.Equal(proof, again) {
			t.Fatalf("proofs have %d bytes and are randomised", groth.ProofBytes)
		}
	}
	k := s.VerifierKeys()
	if k.Transfer == nil || k.Mint == nil || k.Register != nil || k.Unregulated != nil {
		t.Fatal("verifying keys")
	}
}

func TestProveRefusesAFalseWitness(t *testing.T) {
	dir, want := directory(t)
	s, err := Open(dir, want)
	must(t, err)
	a, public := assignment(t, s, 5)
	a.A = 26
	_, err = s.Prove(statement.FamilyTransfer, a, public)
	refused(t, err, fault.WitnessInvalid)
	if strings.ContainsAny(err.Error(), "0123456789") {
		t.Fatalf("the refusal reveals values: %v", err)
	}
	a, public = assignment(t, s, 5)
	public[0].SetUint64(1) // a validator would assemble other inputs than were proved
	_, err = s.Prove(statement.FamilyTransfer, a, public)
	refused(t, err, fault.ProofInvalid)
	_, err = s.Prove(statement.FamilyRegister, a, public)
	refused(t, err, fault.KeysNoCircuit)
}

func TestMakeReusesWhatFits(t *testing.T) {
	dir, want := directory(t)
	before, err := os.ReadFile(filepath.Join(dir, manifestFile))
	must(t, err)
	key, err := Make(dir, plan())
	must(t, err)
	after, err := os.ReadFile(filepath.Join(dir, manifestFile))
	must(t, err)
	if !bytes.Equal(before, after) || !bytes.Equal(key, want.ManifestKey) {
		t.Fatal("a fitting directory was made again")
	}
	for name, p := range map[string]Plan{
		"network":    {Network: "another-net", Kind: statement.Regulated, Class: Development, Validators: 4},
		"kind":       {Network: testNetwork, Kind: statement.Unregulated, Class: Development, Validators: 4},
		"validators": {Network: testNetwork, Kind: statement.Regulated, Class: Development, Validators: 7},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Make(dir, p)
			refused(t, err, fault.KeysMismatch)
		})
	}
	loadTest := plan()
	loadTest.Class = LoadTest
	_, err = MakeLoadTest(dir, loadTest, nil)
	refused(t, err, fault.KeysMismatch)
	registry[statement.Regulated][0].compile = compileFactor(true)
	_, err = Make(dir, plan())
	refused(t, err, fault.KeysMismatch)
	if !strings.Contains(err.Error(), "remove it or choose another directory") {
		t.Fatalf("the refusal does not say what to do: %v", err)
	}
}

func TestMakeRefusesSenselessPlans(t *testing.T) {
	useSmallCircuits(t)
	for _, c := range []struct {
		change func(*Plan)
		want   fault.Code
	}{
		{func(p *Plan) { p.Class = Ceremony }, fault.KeysClass},
		{func(p *Plan) { p.Class = 0 }, fault.KeysClass},
		{func(p *Plan) { p.Class = LoadTest }, fault.KeysClass}, // the simulator's
		{func(p *Plan) { p.Kind = 0 }, fault.KeysKind},
		{func(p *Plan) { p.Validators = 1 }, fault.CommitteeInvalid},
		{func(p *Plan) { p.Validators = 5 }, fault.CommitteeInvalid},
		{func(p *Plan) { p.Network = "X" }, fault.BadNetworkID},
	} {
		p := plan()
		c.change(&p)
		_, err := Make(t.TempDir(), p)
		refused(t, err, c.want)
	}
}

func TestOnlyLoadTestKeysAreSimulated(t *testing.T) {
	useSmallCircuits(t)
	for _, class := range []Class{Development, Ceremony, 0} {
		p := plan()
		p.Class = class
		_, err := MakeLoadTest(t.TempDir(), p, nil)
		refused(t, err, fault.KeysClass)
	}
	dir, want := directory(t)
	s, err := Open(dir, want)
	must(t, err)
	_, err = s.ReadSimulator()
	refused(t, err, fault.KeysClass)
}

func TestUnconstrainedInputNeverGetsKeys(t *testing.T) {
	useSmallCircuits(t)
	registry[statement.Regulated][1].compile = compileUnused
	_, err := Make(t.TempDir(), plan())
	refused(t, err, fault.KeysInfinitePoint)
}

func TestCircuitWithAnotherNumberOfInputsIsRefused(t *testing.T) {
	useSmallCircuits(t)
	registry[statement.Regulated][0].publicInputs = 3
	_, err := Make(t.TempDir(), plan())
	refused(t, err, fault.KeysPublicInputs)
}

// Keys depend on the network, since it is a constant of every circuit.
func TestNetworksHaveTheirOwnCircuits(t *testing.T) {
	dir, want := directory(t)
	other := resign(t, dir, func(m *Manifest) { m.Network = "another-net" })
	want.Network, want.ManifestKey = "another-net", other
	_, err := Open(dir, want)
	refused(t, err, fault.KeysMismatch)
}

func TestConcurrentMakersWait(t *testing.T) {
	useSmallCircuits(t)
	dir := t.TempDir()
	var wg sync.WaitGroup
	keys := make([]string, 4)
	errs := make([]error, len(keys))
	for i := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			key, err := Make(dir, plan())
			keys[i], errs[i] = string(key), err
		}()
	}
	wg.Wait()
	for i := range keys {
		must(t, errs[i])
		if keys[i] != keys[0] {
			t.Fatal("two makers made two sets")
		}
	}
}

func TestProgressIsReported(t *testing.T) {
	useSmallCircuits(t)
	var lines []string
	p := plan()
	p.Progress = func(line string) { lines = append(lines, line) }
	_, err := Make(t.TempDir(), p)
	must(t, err)
	all := strings.Join(lines, "\n")
	for _, part := range []string{"transfer: set-up begins", "transfer: done", "mint: done", "committee dealt"} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is missing from %q", part, all)
		}
	}
}

func TestSharesArePrivateAndFitTheCommittee(t *testing.T) {
	dir, want := directory(t)
	s, err := Open(dir, want)
	must(t, err)
	for i := 1; i <= 4; i++ {
		share, err := s.ReadShare(i)
		must(t, err)
		share.Close()
	}
	_, err = s.ReadShare(5)
	refused(t, err, fault.IndexOutOfRange)
	path := filepath.Join(dir, shareName(1))
	must(t, os.Chmod(path, 0o640))
	_, err = s.ReadShare(1)
	refused(t, err, fault.KeysPermissions)
	other, err := os.ReadFile(filepath.Join(dir, shareName(2)))
	must(t, err)
	must(t, os.Chmod(path, 0o600))
	must(t, os.WriteFile(path, other, 0o600))
	_, err = s.ReadShare(1)
	refused(t, err, fault.ShareInvalid)
	must(t, os.WriteFile(path, []byte("{}"), 0o600))
	_, err = s.ReadShare(1)
	refused(t, err, fault.IndexOutOfRange)
	must(t, os.WriteFile(path, []byte(`{"index":1,"x":"zz"}`), 0o600))
	_, err = s.ReadShare(1)
	refused(t, err, fault.ShareInvalid)
	must(t, os.Remove(path))
	_, err = s.ReadShare(1)
	refused(t, err, fault.KeysMissing)
}

func TestMadeFilesHaveTheirModes(t *testing.T) {
	useSmallCircuits(t)
	dir := t.TempDir()
	_, err := Make(dir, plan())
	must(t, err)
	for i := 1; i <= 4; i++ {
		info, err := os.Stat(filepath.Join(dir, shareName(i)))
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Fatalf("share %d has mode %o", i, info.Mode().Perm())
		}
		raw, err := os.ReadFile(filepath.Join(dir, shareName(i)))
		must(t, err)
		var fields map[string]any
		must(t, json.Unmarshal(raw, &fields))
		for _, name := range []string{"index", "x", "y", "noteKeySeed"} {
			if fields[name] == nil {
				t.Fatalf("share %d lacks %s", i, name)
			}
		}
	}
	info, err := os.Stat(filepath.Join(dir, sharesDir))
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Fatalf("the shares' directory has mode %o", info.Mode().Perm())
	}
}

// Circuits whose keys Make would not reuse have another fingerprint.
func TestFingerprint(t *testing.T) {
	useSmallCircuits(t)
	of := func(network string, kind statement.Kind) [32]byte {
		digest, err := Fingerprint(network, kind)
		must(t, err)
		return digest
	}
	before := of(testNetwork, statement.Regulated)
	if of(testNetwork, statement.Regulated) != before {
		t.Fatal("the fingerprint changes by itself")
	}
	seen := map[[32]byte]bool{before: true, of("another-net", statement.Regulated): true, of(testNetwork, statement.Unregulated): true}
	registry[statement.Regulated][1].version++
	seen[of(testNetwork, statement.Regulated)] = true
	registry[statement.Regulated][0].compile = compileFactor(true)
	seen[of(testNetwork, statement.Regulated)] = true
	if len(seen) != 5 {
		t.Fatalf("%d fingerprints of 5 plans", len(seen))
	}
	_, err := Fingerprint(testNetwork, 0)
	refused(t, err, fault.KeysKind)
	_, err = Fingerprint("X", statement.Regulated)
	refused(t, err, fault.BadNetworkID)
}
