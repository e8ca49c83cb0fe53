package cabi

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"solidus.io/prover/fault"
)

// The Java sources in the tree are those that this package generates.
func TestGeneratedJavaIsCurrent(t *testing.T) {
	for name, want := range JavaFiles() {
		got, err := os.ReadFile(filepath.Join("..", "java", "src", "main", "java", "io", "solidus", "prover", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go run ./cmd/solidus-javagen java/src/main/java/io/solidus/prover", name)
		}
	}
}

func TestCatalogueIsSortedAndUnique(t *testing.T) {
	names := map[string]bool{}
	last := -1
	for _, e := range fault.Catalogue() {
		if int(e.Code) <= last || names[e.Name] || e.Meaning == "" || e.Name != e.Code.String() {
			t.Errorf("%d %s", e.Code, e.Name)
		}
		last, names[e.Name] = int(e.Code), true
	}
	if fault.Code(9999).String() != "CODE_9999" {
		t.Error("an unknown code has no name")
	}
}
