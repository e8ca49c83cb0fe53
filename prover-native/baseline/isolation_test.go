package baseline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"solidus.io/prover/internal/circuittest"
)

// The paper's circuit exists for measurements only. Code could load it by mistake only by importing this package, and only
// the benchmark command may.
func TestOnlyTheBenchmarkImportsBaseline(t *testing.T) {
	const self, allowed = "baseline", "cmd/solidus-bench"
	root := circuittest.ModuleRoot(t)
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		if dir := filepath.ToSlash(rel); dir == self || dir == allowed {
			return nil
		}
		for _, imported := range imports(t, path) {
			if imported == "solidus.io/prover/baseline" {
				t.Errorf("%s imports the benchmark-only circuit", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("only %d source files seen: the walk missed the module", files)
	}
}

// The registry of loadable circuits is a list of literals in package keys; none of them may name this circuit.
func TestRegistryDoesNotListBaseline(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(circuittest.ModuleRoot(t), "keys", "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sources of package keys: %v", err)
	}
	registered := false
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue // a test may name it to show that it is refused
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			registered = registered || literal.Value == `"transfer"`
			if strings.Contains(literal.Value, "baseline") {
				t.Errorf("%s names the benchmark-only circuit: %s", path, literal.Value)
			}
			return true
		})
	}
	if !registered {
		t.Error("the registry was not found: no circuit named transfer in package keys")
	}
}

func imports(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}
