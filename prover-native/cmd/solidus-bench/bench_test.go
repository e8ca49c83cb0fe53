package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"solidus.io/prover/internal/machine"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/frontend"
)

// square is a circuit small enough for many setups.
type square struct {
	X frontend.Variable
	Y frontend.Variable `gnark:",public"`
}

func (c *square) Define(api frontend.API) error {
	api.AssertIsEqual(c.Y, api.Mul(c.X, c.X))
	return nil
}

func tiny(y int) subject {
	return subject{
		name: "square", empty: &square{},
		assign: func() (frontend.Circuit, error) { return &square{X: 3, Y: y}, nil },
	}
}

func TestKeysAreCachedAndDamageIsNoticed(t *testing.T) {
	cache := t.TempDir()
	prepare := func() (*prepared, string) {
		var progress bytes.Buffer
		p, err := tiny(9).prepare(cache, &progress)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := p.measure(); err != nil || x.prove <= 0 || x.verify <= 0 {
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
	if _, err := tiny(9).prepare(cache, &progress); err != nil {
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
	p, err := tiny(9).prepare(cache, &progress)
	if err != nil {
		t.Fatal(err)
	}
	if p.keys.fromCache {
		t.Error("keys of another class were used")
	}
}

func TestFalseStatementsAreNotMeasured(t *testing.T) {
	p, err := tiny(10).prepare("", &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.measure(); err == nil {
		t.Error("a false statement was proved")
	}
}

// Both samples satisfy their circuits; proving them takes minutes of setup and is left to the command itself.
func TestSamplesAreHonest(t *testing.T) {
	transfer, err := transferSubject()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []subject{baselineSubject(), transfer} {
		t.Run(s.name, func(t *testing.T) {
			system, err := s.compile()
			if err != nil {
				t.Fatal(err)
			}
			a, err := s.assign()
			if err != nil {
				t.Fatal(err)
			}
			w, err := frontend.NewWitness(a, ecc.BW6_761.ScalarField())
			if err != nil {
				t.Fatal(err)
			}
			if err := system.IsSolved(w); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	for want, times := range map[float64][]time.Duration{
		7:   {7 * time.Millisecond},
		2:   {9 * time.Millisecond, time.Millisecond, 2 * time.Millisecond},
		2.5: {4 * time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond, time.Millisecond},
	} {
		if got := median(times); got != want {
			t.Errorf("median of %v is %v", times, got)
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
	} {
		if _, ok := fields[name]; !ok {
			t.Errorf("field %s is missing", name)
		}
	}
	if r.PeakRssBytes < 1<<20 || r.Machine == "" {
		t.Errorf("machine %q, peak %d", r.Machine, r.PeakRssBytes)
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, name := range []string{"prover", "verify", "plot"} {
		var out, errs bytes.Buffer
		if code := run([]string{name, "--help"}, &out, &errs); code != 0 || !bytes.Contains(errs.Bytes(), []byte("Usage of "+name)) {
			t.Errorf("%s: status %d, said %q", name, code, errs.String())
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		nil, {"wallet"}, {"prover", "--runs", "0"}, {"prover", "--procs", "-1"}, {"prover", "extra"}, {"prover", "--unknown"},
		{"verify", "--rounds", "0"}, {"verify", "extra"}, {"plot"}, {"plot", "--out", "x"}, {"plot", "--out", "x", "--chart", "y", "--prover", "z"},
	} {
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 2 || errs.Len() == 0 || out.Len() != 0 {
			t.Errorf("%v: status %d, said %q and %q", args, code, out.String(), errs.String())
		}
	}
}
