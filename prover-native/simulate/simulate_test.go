package simulate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/measure"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/keys"
	"solidus.io/prover/simulate/fixedbase"
	"solidus.io/prover/simulate/trapdoor"
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
		Limits: statement.Limits{MaxPerTransfer: 100, MaxPerPeriod: 1000, MaxHeld: 3000, MaxEscrow: 70, MaxTransfersPerPeriod: 50},
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
		"rk":        func(x *Forged) { x.Evidence.RK = jubjub.Base() },
		"signature": func(x *Forged) { x.Evidence.KeySignature[95] ^= 1 },
		"proof":     func(x *Forged) { x.Evidence.Proof[0] ^= 1 },
		"a":         func(x *Forged) { x.Evidence.Proof[groth.ProofBytes+31] ^= 1 },
		"z_1":       func(x *Forged) { x.Evidence.Proof[groth.ProofBytes+159] ^= 1 },
		"z'":        func(x *Forged) { x.Evidence.Proof[len(x.Evidence.Proof)-1] ^= 1 },
	} {
		x := forge()
		alter(x)
		if verify(x, terms.Limits, terms.Root) == nil {
			t.Errorf("%s: an altered transfer verifies", name)
		}
	}
}

// Batches of forged transfers are accepted. Each is checked in full: with other limits all are refused, one by one.
func TestBatchesOfForgedTransfers(t *testing.T) {
	s, v := world(t)
	terms := terms()
	f := NewForger(s.Simulator, [32]byte{8}, terms)
	items := make([]statement.Item, 40)
	for i := range items {
		x, err := f.Transfer(uint64(i), 0)
		must(t, err)
		items[i] = statement.Item{Statement: x.Statement, Evidence: x.Evidence, Limits: &terms.Limits, Root: &terms.Root}
	}
	for i, err := range v.VerifyTransfers(items) {
		if err != nil {
			t.Errorf("transfer %d: %v", i, err)
		}
	}
	other := terms.Limits
	other.MaxEscrow++
	for i := range items {
		items[i].Limits = &other
	}
	for _, err := range v.VerifyTransfers(items) {
		refused(t, err, fault.ProofInvalid)
	}
}

// The secrets make the transfers: without one of them, a forger's work is refused where that secret belongs.
func TestForgedTransfersNeedTheSecrets(t *testing.T) {
	s, v := world(t)
	terms := terms()
	for want, lose := range map[fault.Code]func(*Simulator){
		fault.ShownSignatureInvalid: func(s *Simulator) { s.x = FreshStream().Scalar() },
		fault.ProofInvalid: func(s *Simulator) {
			other, err := trapdoor.New(trapdoor.Draw(statement.TransferInputs, FreshStream().Field))
			must(t, err)
			s.trapdoors = map[statement.Family]*trapdoor.Trapdoor{statement.FamilyTransfer: other}
		},
	} {
		sim := *s.Simulator
		lose(&sim)
		x, err := NewForger(&sim, [32]byte{9}, terms).Transfer(0, 0)
		must(t, err)
		refused(t, v.VerifyTransfer(x.Statement, x.Evidence, &terms.Limits, &terms.Root), want)
	}
}

// Any statement is proved for points whose openings are known, and for no others. A proof may be simulated anew for an old link.
func TestStatementsAreProvedForLinkedPoints(t *testing.T) {
	s, v := world(t)
	terms, draw := terms(), FreshStream()
	x, err := NewForger(s.Simulator, [32]byte{10}, terms).Transfer(0, 0)
	must(t, err)
	version := s.CircuitVersion(statement.FamilyMint)
	o := trapdoor.Opening{Message: draw.Field(), Blind: draw.Scalar()}
	m := &statement.Mint{MintID: [32]byte{7}, Value: 1 << 62, Coin: statement.BlindedCoin{Cm: draw.Field()}}
	prove := func(k suite.G1) []byte {
		m.Coin.K = k
		linked, err := s.LinkedMint(m)
		must(t, err)
		link, err := trapdoor.Link(linked, []trapdoor.Opening{o}, draw.Field)
		must(t, err)
		proof, err := s.ProveMint(m, link, draw)
		must(t, err)
		return proof
	}
	blind := func(outputs *suite.Outputs) suite.G1 {
		k, err := s.Network.Scheme().Blind(outputs, 0, &o.Message, &o.Blind)
		must(t, err)
		return k
	}
	must(t, v.VerifyMint(m, version, prove(blind(m.Bases(s.Network)))))
	// the same opening over the base of another statement
	refused(t, v.VerifyMint(m, version, prove(blind(x.Statement.Bases(s.Network)))), fault.LinkInvalid)

	old, err := statement.DecodeProof(statement.FamilyTransfer, x.Evidence.Proof)
	must(t, err)
	other := terms.Limits
	other.MaxPerTransfer = 0 // and something was paid
	item := &statement.Item{Statement: x.Statement, Evidence: x.Evidence, Limits: &other, Root: &terms.Root}
	refused(t, v.VerifyTransfer(x.Statement, x.Evidence, &other, &terms.Root), fault.ProofInvalid)
	x.Evidence.Proof, err = s.ProveTransfer(item, old.Link, draw)
	must(t, err)
	must(t, v.VerifyTransfer(x.Statement, x.Evidence, &other, &terms.Root))
	_, err = s.ProveTransfer(item, &suite.Link{T: old.Link.T, Z: old.Link.Z[1:]}, draw)
	refused(t, err, fault.BadLength)
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
	blinds := []suite.Scalar{draw.Scalar(), draw.Scalar(), draw.Scalar()}
	points := fixedbase.G1(blinds...)
	r := &statement.Register{Apk: draw.Field(), Coin: statement.BlindedCoin{Cm: draw.Field(), K: points[0]}}
	a, alpha := draw.KeyScalar(), draw.KeyScalar()
	pk, err := suite.PublicKey(&a)
	must(t, err)
	rk, err := suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	core, err := r.Core(s.Network)
	must(t, err)
	e := &statement.OwnerEvidence{CircuitVersion: s.CircuitVersion(statement.FamilyRegister), RK: rk}
	e.KeySignature, err = suite.SignCore(&a, &alpha, core)
	must(t, err)
	linked, err := s.LinkedRegister(r, &rk)
	must(t, err)
	link, err := trapdoor.Link(linked, []trapdoor.Opening{{Blind: blinds[0]}}, draw.Field)
	must(t, err)
	e.Proof, err = s.ProveRegister(r, &rk, link, draw)
	must(t, err)
	must(t, v.VerifyRegister(r, e))
	r.Coin.K = points[1]
	if v.VerifyRegister(r, e) == nil {
		t.Fatal("an altered registration verifies")
	}

	m := &statement.Mint{MintID: [32]byte{9}, Value: 500, Coin: statement.BlindedCoin{Cm: draw.Field(), K: points[2]}}
	linked, err = s.LinkedMint(m)
	must(t, err)
	link, err = trapdoor.Link(linked, []trapdoor.Opening{{Blind: blinds[2]}}, draw.Field)
	must(t, err)
	proof, err := s.ProveMint(m, link, draw)
	must(t, err)
	must(t, v.VerifyMint(m, s.CircuitVersion(statement.FamilyMint), proof))
	m.Value++
	refused(t, v.VerifyMint(m, s.CircuitVersion(statement.FamilyMint), proof), fault.LinkInvalid)
}

// The multiples that tables yield are the library's.
func TestTables(t *testing.T) {
	draw := FreshStream()
	scalars := []suite.Scalar{draw.Scalar(), draw.Scalar(), {}, {}, {}}
	scalars[2].SetOne()
	scalars[3].Neg(&scalars[2]) // r-1: the largest
	got := fixedbase.G1(scalars...)
	for i := range scalars {
		n := scalars[i].BigInt(new(big.Int))
		var g1 bls.G1Affine
		var g2 bls.G2Affine
		if !got[i].Equal(g1.ScalarMultiplicationBase(n)) {
			t.Errorf("multiple %d in the first group differs", i)
		}
		if p := fixedbase.G2(&scalars[i]); !p.Equal(g2.ScalarMultiplicationBase(n)) {
			t.Errorf("multiple %d in the second group differs", i)
		}
	}
	one, err := jubjub.DecodeScalar(append(make([]byte, jubjub.ScalarBytes-1), 1))
	must(t, err)
	var largest jubjub.Scalar
	for i, s := range []jubjub.Scalar{draw.KeyScalar(), one, *largest.Neg(&one), {}} {
		if p, want := fixedbase.Key(&s), jubjub.MulBase(&s); !p.Equal(&want) {
			t.Errorf("multiple %d in the group of keys differs", i)
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
	i := uint64(0)
	measure.Loop(b, 1, func() {
		x, err := f.Transfer(i, 0)
		must(b, err)
		_, err = x.Wire(&terms)
		must(b, err)
		i++
	})
}

func BenchmarkProve(b *testing.B) {
	s, _ := world(b)
	draw, public := FreshStream(), make([]suite.Field, statement.TransferInputs)
	link := &suite.Link{T: fixedbase.G1(draw.Scalar())[0], Z: make([]suite.Field, 5)}
	for b.Loop() {
		_, err := s.Prove(statement.FamilyTransfer, public, link, draw)
		must(b, err)
	}
}
