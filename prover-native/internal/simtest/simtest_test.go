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

// Requests of both kinds of network are made with accepting proofs, and changed ones can be proved again.
func TestRequests(t *testing.T) {
	for _, kind := range []statement.Kind{statement.Regulated, statement.Unregulated} {
		w := New(t, kind, 5)
		x := w.Transfer(t)
		x.Statement.Withdrawn++
		x.Statement.Outputs[0].K = w.Point(t)
		x.Evidence.Shows[1] = w.Shown(t)
		if w.Verify(x) == nil {
			t.Fatalf("%v: a changed transfer is accepted", kind)
		}
		w.Sign(t, x)
		w.Prove(t, x)
		if err := w.Verify(x); err != nil {
			t.Errorf("%v: %v", kind, err)
		}
		w.Mint(t)
		if kind == statement.Regulated {
			w.Registration(t)
		}
	}
}
