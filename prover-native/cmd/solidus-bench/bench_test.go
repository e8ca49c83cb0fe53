package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/machine"
)

// TestMain also is the program that the measurements start, with circuits that are set up in no time for the memory of a prover.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "memory" || os.Args[1] == "prove") {
		subjects, shapeSubjects = tinySubjects, tinyShapes
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// square is a circuit small enough for many setups.
type square struct {
	X frontend.Variable
	Y frontend.Variable `gnark:",public"`
}

func (c *square) Define(api frontend.API) error {
	api.AssertIsEqual(c.Y, api.Mul(c.X, c.X))
	return nil
}

func tiny(name string, curve ecc.ID, y int) subject {
	return subject{
		name: name, curve: curve, compile: compiler(curve, &square{}),
		draw: func() (task, error) {
			return func() (frontend.Circuit, error) { return &square{X: 3, Y: y}, nil }, nil
		},
	}
}

func tinySubjects() ([2]subject, error) {
	return [2]subject{tiny("baseline", ecc.BW6_761, 9), tiny("transfer", ecc.BLS12_381, 9)}, nil
}

func tinyShapes() ([]subject, error) {
	return []subject{tiny("transfer", ecc.BLS12_381, 9), tiny("claim-16", ecc.BLS12_381, 9), tiny("pay-8", ecc.BLS12_381, 9)}, nil
}

func useTinySubjects(t *testing.T) {
	t.Helper()
	old, oldShapes := subjects, shapeSubjects
	t.Cleanup(func() { subjects, shapeSubjects = old, oldShapes })
	subjects, shapeSubjects = tinySubjects, tinyShapes
}

var square9 = tiny("square", ecc.BLS12_381, 9)

func TestKeysAreCachedAndDamageIsNoticed(t *testing.T) {
	cache := t.TempDir()
	prepare := func() (*prepared, string) {
		var progress bytes.Buffer
		p, err := square9.prepare(cache, &progress)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := p.measure(); err != nil || x.prove.wall <= 0 || x.verify <= 0 {
			t.Fatal(x, err)
		}
		return p, progress.String()
	}
	if p, _ := prepare(); p.keys.fromCache {
		t.Fatal("keys from an empty cache")
	}
	if p, said := prepare(); !p.keys.fromCache || !strings.Contains(said, "read from the cache") {
		t.Fatalf("keys were not cached: %s", said)
	}
	for _, name := range []string{provingFile, verifyingFile, noteFile} {
		t.Run(name, func(t *testing.T) {
			paths, err := filepath.Glob(filepath.Join(cache, "*", name))
			if err != nil || len(paths) != 1 {
				t.Fatalf("%v %v", paths, err)
			}
			content, err := os.ReadFile(paths[0])
			if err != nil {
				t.Fatal(err)
			}
			content[len(content)/2] ^= 1
			if err := os.WriteFile(paths[0], content, 0o600); err != nil {
				t.Fatal(err)
			}
			if p, said := prepare(); p.keys.fromCache || !strings.Contains(said, "unusable") {
				t.Errorf("damaged keys were used: %s", said)
			}
			if p, _ := prepare(); !p.keys.fromCache {
				t.Error("repaired keys were not cached")
			}
		})
	}
}

func TestKeysOfAnotherClassAreRefused(t *testing.T) {
	cache := t.TempDir()
	var progress bytes.Buffer
	if _, err := square9.prepare(cache, &progress); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(cache, "*", noteFile))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%v %v", paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), `"class": "benchmark"`, `"class": "development"`, 1)
	if other == string(text) {
		t.Fatal("note names no class")
	}
	if err := os.WriteFile(paths[0], []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := square9.prepare(cache, &progress)
	if err != nil {
		t.Fatal(err)
	}
	if p.keys.fromCache {
		t.Error("keys of another class were used")
	}
}

func TestFalseStatementsAreNotMeasured(t *testing.T) {
	for _, curve := range []ecc.ID{ecc.BW6_761, ecc.BLS12_381} {
		p, err := tiny("square", curve, 10).prepare(t.TempDir(), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.measure(); err == nil {
			t.Errorf("%v: a false statement was proved", curve)
		}
	}
}

// The whole measurement, with small circuits over both curves, and their provers in processes of their own.
func TestProverMeasuresBothCircuits(t *testing.T) {
	useTinySubjects(t)
	var progress bytes.Buffer
	r, err := measureProver(proverOptions{proofOptions: proofOptions{runs: 2, procs: 1}}, &progress)
	if err != nil {
		t.Fatal(err, progress.String())
	}
	if r.BaselineCurve != "bw6_761" || r.TransferCurve != "bls12_381" || r.BaselinePublicInputs != 1 || r.TransferPublicInputs != 1 {
		t.Errorf("%+v", r)
	}
	for name, x := range map[string]float64{
		"ratio": r.Ratio, "processor ratio": r.CPURatio,
		"verification": r.TransferVerifyMillis, "baseline's verification": r.BaselineVerifyMillis,
		"constraints": float64(r.TransferConstraints), "baseline's constraints": float64(r.BaselineConstraints),
	} {
		if x <= 0 {
			t.Errorf("%s: %v", name, x)
		}
	}
	if r.BaselineProvingKeyBytes <= r.TransferProvingKeyBytes || r.TransferProvingKeyBytes < 1000 {
		t.Errorf("proving keys of %d and %d bytes", r.BaselineProvingKeyBytes, r.TransferProvingKeyBytes)
	}
	if r.BaselinePeakRssBytes < 1<<20 || r.TransferPeakRssBytes < 1<<20 || r.PeakRssBytes < 1<<20 {
		t.Errorf("memory %d, %d and %d", r.BaselinePeakRssBytes, r.TransferPeakRssBytes, r.PeakRssBytes)
	}
}

// The whole measurement of the shapes, with small circuits.
func TestShapesAreMeasuredTogether(t *testing.T) {
	useTinySubjects(t)
	path := filepath.Join(t.TempDir(), "shapes.json")
	var out, progress bytes.Buffer
	if status := run([]string{"shapes", "--runs", "2", "--json", path}, &out, &progress); status != 0 {
		t.Fatal(status, progress.String())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r shapesReport
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Shapes) != 3 || r.Cores != 1 || r.Runs != 2 || strings.Count(out.String(), "\n") != 3 {
		t.Fatalf("%s\n%s", text, out.String())
	}
	for i, want := range []struct {
		circuit       string
		coins, payees int
	}{{"transfer", 2, 1}, {"claim-16", 16, 1}, {"pay-8", 2, 8}} {
		x := r.Shapes[i]
		if x.Circuit != want.circuit || x.Coins != want.coins || x.Payees != want.payees {
			t.Errorf("%+v, want %+v", x, want)
		}
		if x.ProveMillis <= 0 || x.VerifyMillis <= 0 || x.ProvingKeyBytes < 1000 || x.VerifyingKeyBytes < 500 || x.PeakRssBytes < 1<<20 {
			t.Errorf("%+v", x)
		}
		if x.CPUMillisEachCoin*float64(x.Coins) != x.ProveCPUMillis || x.CPUMillisEachPayment*float64(x.Payees) != x.ProveCPUMillis {
			t.Errorf("shares of %v: %v and %v", x.ProveCPUMillis, x.CPUMillisEachCoin, x.CPUMillisEachPayment)
		}
	}
}

func TestMemoryNeedsCachedKeysOfAKnownCircuit(t *testing.T) {
	useTinySubjects(t)
	for _, circuit := range []string{"transfer", "wallet"} {
		var out bytes.Buffer
		if err := proveAlone(memoryOptions{circuit, t.TempDir(), 1}, &out); err == nil || out.Len() != 0 {
			t.Errorf("%s: %q", circuit, out.String())
		}
	}
}

// Both samples satisfy their circuits; proving them takes minutes of setup and is left to the command itself.
func TestSamplesAreHonest(t *testing.T) {
	both, err := subjects()
	if err != nil {
		t.Fatal(err)
	}
	all, err := shapeSubjects()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(both[:1], all...) {
		t.Run(s.name, func(t *testing.T) {
			system, err := s.build()
			if err != nil {
				t.Fatal(err)
			}
			assign, err := s.draw()
			if err != nil {
				t.Fatal(err)
			}
			a, err := assign()
			if err != nil {
				t.Fatal(err)
			}
			w, err := frontend.NewWitness(a, s.curve.ScalarField())
			if err != nil {
				t.Fatal(err)
			}
			if err := system.IsSolved(w); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMiddle(t *testing.T) {
	for want, samples := range map[float64][]float64{7: {7}, 2: {9, 1, 2}, 2.5: {4, 2, 3, 1}} {
		if got := middle(samples); got != want {
			t.Errorf("the median of %v is %v", samples, got)
		}
	}
}

func TestReportHasItsFields(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	r := &report{BaselineMillis: 10, TransferMillis: 2, Ratio: 5, Machine: describeMachine(), PeakRssBytes: machine.PeakMemory()}
	var stdout bytes.Buffer
	if err := r.write(path, &stdout); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"baselineMillis", "transferMillis", "ratio", "baselineConstraints", "transferConstraints", "machine", "goVersion",
		"cores", "runs", "baselineVerifyMillis", "transferVerifyMillis", "transferSetupMillis", "baselineSetupMillis", "peakRssBytes",
		"baselineProvingKeyBytes", "transferProvingKeyBytes", "baselinePeakRssBytes", "transferPeakRssBytes",
		"baselineCurve", "transferCurve",
	} {
		if _, ok := fields[name]; !ok {
			t.Errorf("field %s is missing", name)
		}
	}
	if r.PeakRssBytes < 1<<20 || r.Machine == "" {
		t.Errorf("machine %q, peak %d", r.Machine, r.PeakRssBytes)
	}
}

func TestDevicesProveAndAreVerified(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a network's keys")
	}
	var progress bytes.Buffer
	r, err := measureDevices(deviceOptions{runs: 1}, &progress)
	if err != nil {
		t.Fatal(err, progress.String())
	}
	if len(r.KeyBytes) != 4 || r.KeyBytes["transfer.pk"] < 1<<20 {
		t.Errorf("keys %v", r.KeyBytes)
	}
	for i, row := range r.Devices {
		if row.Threads != 1<<i || len(row.ProveMillis) != 1 || row.ProveMillis[0] <= 0 || row.MemoryBytes < 1<<24 || row.ModuleBytes == 0 {
			t.Errorf("%+v", row)
		}
	}
	if len(r.Devices) == 0 {
		t.Error("no device")
	}
}

func TestADeviceThatFailsIsNoFigure(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"prove", "--dir", t.TempDir(), "--proof", "p"}, &out, &errs); code != 1 || out.Len() > 0 {
		t.Error(code, out.String())
	}
	for _, args := range [][]string{
		{"device", "--runs", "0"}, {"device", "--module", "m"}, {"device", "--arm64", "a"}, {"device", "x"}, {"prove"}, {"prove", "--dir", "d"},
	} {
		if code := run(args, &out, &errs); code != 2 {
			t.Error(args, code)
		}
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, name := range []string{"prover", "memory", "verify", "plot"} {
		var out, errs bytes.Buffer
		if code := run([]string{name, "--help"}, &out, &errs); code != 0 || !bytes.Contains(errs.Bytes(), []byte("Usage of "+name)) {
			t.Errorf("%s: status %d, said %q", name, code, errs.String())
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		nil, {"wallet"}, {"prover", "--runs", "0"}, {"prover", "--procs", "-1"}, {"prover", "extra"}, {"prover", "--unknown"},
		{"memory"}, {"memory", "--circuit", "transfer"}, {"memory", "--cache", "x"}, {"memory", "--circuit", "y", "--cache", "x", "z"},
		{"verify", "--rounds", "0"}, {"verify", "extra"},
		{"plot"}, {"plot", "--out", "x"}, {"plot", "--out", "x", "--chart", "y", "--prover", "z"},
	} {
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 2 || errs.Len() == 0 || out.Len() != 0 {
			t.Errorf("%v: status %d, said %q and %q", args, code, out.String(), errs.String())
		}
	}
}
