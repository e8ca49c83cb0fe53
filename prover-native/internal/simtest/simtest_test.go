package simtest

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"solidus.io/prover/statement"
)

func TestOneSeedOneWorld(t *testing.T) {
	first, second := New(t, statement.Regulated, 3), New(t, statement.Regulated, 3)
	a, b := first.Transfer(t), second.Transfer(t)
	if !bytes.Equal(a.Evidence.Proof, b.Evidence.Proof) {
		t.Error("one seed made two worlds")
	}
	if err := second.Verify(a); err != nil {
		t.Error(err)
	}
	if err := New(t, statement.Regulated, 4).Verify(a); err == nil {
		t.Error("another world accepts")
	}
}

// With these keys anything can be proved, so only tests may import this package.
func TestOnlyTestsImportThis(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if strings.HasSuffix(strings.Trim(i.Path.Value, `"`), "internal/simtest") {
				t.Errorf("%s imports the simulator", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
