package circuittest

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"solidus.io/prover/internal/r1cs"
)

var update = flag.Bool("update", false, "rewrite the pinned files instead of comparing with them")

// Updating reports whether the test run rewrites the pinned files.
func Updating() bool { return *update }

// Stats is the content of stats/<circuit>.json. A change of any of these values is a change of the circuit: it needs a new
// circuit version and a new setup, so it must never happen unnoticed.
type Stats struct {
	Circuit     string `json:"circuit"`
	Network     string `json:"network,omitempty"`
	Constraints int    `json:"constraints"`
	Public      int    `json:"publicInputs"`
	Secret      int    `json:"secretInputs"`
	Internal    int    `json:"internalWires"`
	Commitments int    `json:"commitments"`
	// Undetermined counts the wires found by System.Undetermined on the honest assignment. It is absent where no test needs
	// it.
	Undetermined *int   `json:"undeterminedWires,omitempty"`
	Digest       string `json:"r1csSha256"`
}

// Measure collects the statistics of a compiled circuit. WithUndetermined adds the value that needs a solved assignment.
func (s System) Measure(circuit, network string) Stats { return Measure(s.R1CS, circuit, network) }

// Measure is System.Measure for a circuit over any field. The constant wire is not counted among the public inputs.
func Measure(s r1cs.System, circuit, network string) Stats {
	digest := r1cs.Digest(s)
	return Stats{
		Circuit:     circuit,
		Network:     network,
		Constraints: s.GetNbConstraints(),
		Public:      s.GetNbPublicVariables() - 1,
		Secret:      s.GetNbSecretVariables(),
		Internal:    s.GetNbInternalVariables(),
		Commitments: len(s.GetCommitments().CommitmentIndexes()),
		Digest:      hex.EncodeToString(digest[:]),
	}
}

// WithUndetermined records the number of undetermined wires.
func (x Stats) WithUndetermined(wires []int) Stats {
	n := len(wires)
	x.Undetermined = &n
	return x
}

// Pin compares the statistics with stats/<circuit>.json, or rewrites that file under -update.
func Pin(t *testing.T, got Stats) {
	t.Helper()
	if got.Commitments != 0 {
		t.Errorf("%d hidden commitments, which our verifiers do not accept", got.Commitments)
	}
	path := filepath.Join(ModuleRoot(t), "stats", got.Circuit+".json")
	if Updating() {
		writeJSON(t, path, got)
		return
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no pinned statistics (run the test with -update once): %v", err)
	}
	var want Stats
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the circuit changed\n got  %s\n want %s", show(got), show(want))
	}
}

func show(x Stats) string {
	raw, _ := json.Marshal(x) // plain data: cannot fail
	return string(raw)
}

func writeJSON(t testing.TB, path string, v any) {
	t.Helper()
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(raw, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ModuleRoot is the directory of go.mod, searched upward from the tested package.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the tested package")
		}
		dir = up
	}
}
