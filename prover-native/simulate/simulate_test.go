package simulate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/simulate/fixedbase"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

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

var setting = sync.OnceValues(func() (*Setting, error) { return NewSetting("simulate-test", 1) })

func world(t testing.TB) (*Setting, *statement.Verifier) {
	t.Helper()
	s, err := setting()
	must(t, err)
	v, err := s.Verifier()
	must(t, err)
	return s, v
}

func terms() Terms {
	t := Terms{
		PolicyVersion: 3, CheckpointVersion: 9, Period: 202611,
		Limits: statement.Limits{MaxPerTransfer: 100, MaxPerPeriod: 1000, MaxHeld: 3000, MaxTransfersPerPeriod: 50},
		Payout: make([]byte, statement.PayoutBytes),
	}
	t.Root.SetUint64(12345)
	return t
}

func TestForgedTransfersVerifyAndAlteredOnesDoNot(t *testing.T) {
	s, v := world(t)
	terms := terms()
	f := NewForger(s.Simulator, [32]byte{1}, terms)
	forge := func() *Forged {
		x, err := f.Transfer(7, 0)
		must(t, err)
		return x
	}
	verify := func(x *Forged, l statement.Limits, root suite.Field) error {
		return v.VerifyTransfer(x.Statement, x.Evidence, &l, &root)
	}
	must(t, verify(forge(), terms.Limits, terms.Root))

	var other suite.Field
	refused(t, verify(forge(), terms.Limits, other), fault.ProofInvalid)
	l := terms.Limits
	l.MaxHeld++
	refused(t, verify(forge(), l, terms.Root), fault.ProofInvalid)
	for name, alter := range map[string]func(*Forged){
		"serial":    func(x *Forged) { x.Statement.Serials[1].SetUint64(5) },
		"withdrawn": func(x *Forged) { x.Statement.Withdrawn++ },
		"context":   func(x *Forged) { x.Statement.Context[0] ^= 1 },
		"output":    func(x *Forged) { x.Statement.Outputs[0].K = x.Statement.Outputs[1].K },
		"shown":     func(x *Forged) { x.Evidence.Shows[0].S = x.Evidence.Shows[1].S },
		"rk":        func(x *Forged) { x.Evidence.RK = x.Evidence.Shows[0].H },
		"signature": func(x *Forged) { x.Evidence.KeySignature[127] ^= 1 },
	} {
		x := forge()
		alter(x)
		if verify(x, terms.Limits, terms.Root) == nil {
			t.Errorf("%s: an altered transfer verifies", name)
		}
	}
}

// The library accepts a simulated proof, and refuses it for other inputs.
func TestTheLibraryAcceptsSimulatedProofs(t *testing.T) {
	s, _ := world(t)
	draw := FreshStream()
	public := make(fr.Vector, statement.TransferInputs)
	for i := range public {
		public[i] = draw.Field()
	}
	proof, err := s.trapdoors[statement.FamilyTransfer].Prove(public, draw.Field)
	must(t, err)
	must(t, groth16.Verify(proof, s.Transfer, public))
	for i := range public {
		changed := slices.Clone(public)
		changed[i].Double(&changed[i])
		if groth16.Verify(proof, s.Transfer, changed) == nil {
			t.Fatalf("input %d is not bound", i)
		}
	}
}

func TestRegistrationsAndMints(t *testing.T) {
	s, v := world(t)
	draw := FreshStream()
	points := fixedbase.G1([]suite.Scalar{draw.Scalar(), draw.Scalar(), draw.Scalar()})
	r := &statement.Register{Apk: draw.Field(), Coin: statement.BlindedCoin{Cm: draw.Field(), K: points[0]}}
	a, alpha := draw.Scalar(), draw.Scalar()
	pk, err := suite.PublicKey(&a)
	must(t, err)
	rk, err := suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	core, err := r.Core(s.Network)
	must(t, err)
	e := &statement.OwnerEvidence{CircuitVersion: s.CircuitVersion(statement.FamilyRegister), RK: rk}
	e.KeySignature, err = suite.SignCore(&a, &alpha, core)
	must(t, err)
	e.Proof, err = s.ProveRegister(r, &rk, draw)
	must(t, err)
	must(t, v.VerifyRegister(r, e))
	r.Coin.K = points[1]
	if v.VerifyRegister(r, e) == nil {
		t.Fatal("an altered registration verifies")
	}

	m := &statement.Mint{MintID: [32]byte{9}, Value: 500, Coin: statement.BlindedCoin{Cm: draw.Field(), K: points[2]}}
	proof, err := s.ProveMint(m, draw)
	must(t, err)
	must(t, v.VerifyMint(m, s.CircuitVersion(statement.FamilyMint), proof))
	m.Value++
	refused(t, v.VerifyMint(m, s.CircuitVersion(statement.FamilyMint), proof), fault.ProofInvalid)
}

// The multiples that a table yields are the library's.
func TestTables(t *testing.T) {
	draw := FreshStream()
	scalars := []suite.Scalar{draw.Scalar(), draw.Scalar(), {}}
	scalars[2].SetOne()
	scalars[2].Neg(&scalars[2]) // r-1: the largest
	got := fixedbase.G1(scalars)
	for i := range scalars {
		want, err := suite.PublicKey(&scalars[i])
		must(t, err)
		if !got[i].Equal(&want) {
			t.Fatalf("multiple %d differs", i)
		}
	}
}

type record struct{ core, wire []byte }

func parse(t *testing.T, raw []byte) (head string, records []record) {
	t.Helper()
	if !bytes.HasPrefix(raw, []byte(magic)) {
		t.Fatal("magic")
	}
	raw = raw[len(magic):]
	next := func() []byte {
		n := binary.BigEndian.Uint32(raw)
		b := raw[4 : 4+n]
		raw = raw[4+n:]
		return b
	}
	head = string(next())
	for len(raw) > 0 {
		b := next()
		records = append(records, record{b[:32], b[32:]})
	}
	return head, records
}

func TestSeriesRepeatsItselfAndNeverARecord(t *testing.T) {
	s, _ := world(t)
	f := NewForger(s.Simulator, [32]byte{2}, terms())
	write := func(series Series) []byte {
		var out bytes.Buffer
		must(t, f.Write(&out, series, [32]byte{}))
		return out.Bytes()
	}
	one := write(Series{Count: 70, Workers: 1})
	if !bytes.Equal(one, write(Series{Count: 70, Workers: 3})) {
		t.Fatal("the number of workers changes the series")
	}
	head, records := parse(t, one)
	if len(records) != 70 || !strings.Contains(head, `"policyVersion":3`) {
		t.Fatalf("%d records, %s", len(records), head)
	}
	seen := map[string]bool{}
	for _, r := range records {
		if seen[string(r.core)] {
			t.Fatal("a core twice")
		}
		seen[string(r.core)] = true
	}
	_, tail := parse(t, write(Series{First: 60, Count: 10}))
	for i, r := range tail {
		if !bytes.Equal(r.wire, records[60+i].wire) {
			t.Fatal("a part of a series differs from the whole")
		}
	}
	x, err := f.Transfer(0, 0)
	must(t, err)
	y, err := f.Transfer(0, 1)
	must(t, err)
	if !x.Statement.Serials[0].Equal(&y.Statement.Serials[0]) || x.Core == y.Core {
		t.Fatal("a variant is a conflicting transfer of the same serial numbers")
	}
}

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errors.New("no space")
	}
	return len(b), nil
}

func TestSeriesStopsWhenItCannotBeWritten(t *testing.T) {
	s, _ := world(t)
	f := NewForger(s.Simulator, [32]byte{3}, terms())
	if err := f.Write(&full{1 << 20}, Series{Count: 1000, Workers: 2}, [32]byte{}); err == nil || err.Error() != "no space" {
		t.Fatal(err)
	}
}

func makeKeys(t *testing.T, kind statement.Kind) (string, keys.Expectation) {
	t.Helper()
	dir := t.TempDir()
	key, err := MakeKeys(dir, keys.Plan{Network: "simulate-test", Kind: kind, Validators: 4})
	must(t, err)
	return dir, keys.Expectation{Network: "simulate-test", Kind: kind, Allowed: keys.Classes(keys.LoadTest), ManifestKey: key}
}

func TestLoadTestKeys(t *testing.T) {
	dir, want := makeKeys(t, statement.Regulated)
	set, err := keys.Open(dir, want)
	must(t, err)
	s, err := Open(set)
	must(t, err)
	v, err := statement.NewVerifier(set.Network, set.Kind, set.Committee, set.VerifierKeys())
	must(t, err)
	terms := terms()
	x, err := NewForger(s, [32]byte{4}, terms).Transfer(0, 0)
	must(t, err)
	must(t, v.VerifyTransfer(x.Statement, x.Evidence, &terms.Limits, &terms.Root))

	for i := 1; i <= set.Committee.N(); i++ {
		share, err := set.ReadShare(i)
		must(t, err)
		share.Close()
	}
	if _, err := os.Stat(filepath.Join(dir, "transfer.pk")); !os.IsNotExist(err) {
		t.Fatal("a proving key")
	}
	refused(t, set.Warm(statement.FamilyTransfer), fault.KeysMissing)

	again, err := MakeKeys(dir, keys.Plan{Network: "simulate-test", Kind: statement.Regulated, Validators: 4})
	must(t, err)
	if !bytes.Equal(again, want.ManifestKey) {
		t.Fatal("fitting keys were made again")
	}
	_, err = keys.Make(dir, keys.Plan{Network: "simulate-test", Kind: statement.Regulated, Class: keys.Development, Validators: 4})
	refused(t, err, fault.KeysMismatch)
}

// Every set of classes without load-test, production's among them, refuses the directory before it reads a key.
func TestOtherClassSetsRefuseLoadTestKeys(t *testing.T) {
	dir, want := makeKeys(t, statement.Regulated)
	for set := range keys.ClassSet(8) {
		e := want
		e.Allowed = set
		_, err := keys.Open(dir, e)
		if set&keys.Classes(keys.LoadTest) == 0 {
			refused(t, err, fault.KeysClass)
			_, err = keys.Admit(dir, e)
			refused(t, err, fault.KeysClass)
		} else {
			must(t, err)
		}
	}
	e := want
	e.Allowed = keys.Classes(keys.Ceremony)
	_, err := keys.Open(dir, e)
	refused(t, err, fault.KeysClass)
}

func TestTheSimulatorsSecretsAreKeptAndChecked(t *testing.T) {
	dir, want := makeKeys(t, statement.Unregulated)
	set, err := keys.Open(dir, want)
	must(t, err)
	s, err := Open(set)
	must(t, err)
	if s.CircuitVersion(statement.FamilyTransferUnregulated) == 0 || s.CircuitVersion(statement.FamilyTransfer) != 0 {
		t.Fatal("circuits of the other kind")
	}
	path := filepath.Join(dir, "simulator.json")
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v", info.Mode())
	}
	raw, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Chmod(path, 0o640))
	_, err = Open(set)
	refused(t, err, fault.KeysPermissions)
	must(t, os.Chmod(path, 0o600))
	other, _ := makeKeys(t, statement.Unregulated)
	foreign, err := os.ReadFile(filepath.Join(other, "simulator.json"))
	must(t, err)
	must(t, os.WriteFile(path, foreign, 0o600))
	_, err = Open(set)
	refused(t, err, fault.KeysInconsistent)
	// the committee's own secrets with another set-up's trapdoors
	cut := func(b []byte) (head, tail []byte) {
		at := bytes.Index(b, []byte(`"circuits"`))
		return b[:at], b[at:]
	}
	head, _ := cut(raw)
	_, tail := cut(foreign)
	must(t, os.WriteFile(path, append(append([]byte(nil), head...), tail...), 0o600))
	_, err = Open(set)
	refused(t, err, fault.KeysInconsistent)
}

// The shipped programs contain no simulator: the bridge, the library built from it, and the keys' tool.
func TestTheShippedLibraryHasNoSimulator(t *testing.T) {
	for _, target := range []string{"../cabi", "../cabi/jni", "../cmd/solidus-keys"} {
		out, err := exec.Command("go", "list", "-tags", "jni", "-deps", target).Output()
		must(t, err)
		if !strings.Contains(string(out), "solidus.io/prover/keys\n") {
			t.Fatalf("%s: an unexpected list", target)
		}
		if strings.Contains(string(out), "solidus.io/prover/simulate") {
			t.Errorf("%s contains the simulator", target)
		}
	}
}

func BenchmarkForge(b *testing.B) {
	s, _ := world(b)
	f, terms := NewForger(s.Simulator, [32]byte{5}, terms()), terms()
	for i := uint64(0); b.Loop(); i++ {
		x, err := f.Transfer(i, 0)
		must(b, err)
		_, err = x.Wire(&terms)
		must(b, err)
	}
}

func BenchmarkProve(b *testing.B) {
	s, _ := world(b)
	draw, public := FreshStream(), make([]suite.Field, statement.TransferInputs)
	for b.Loop() {
		_, err := s.Prove(statement.FamilyTransfer, public, draw)
		must(b, err)
	}
}
