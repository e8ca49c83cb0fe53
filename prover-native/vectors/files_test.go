package vectors

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/circuittest"
)

// vector is one known answer.
type vector struct {
	Name  string         `json:"name"`
	Op    string         `json:"op"`
	In    map[string]any `json:"in"`
	Out   string         `json:"out,omitempty"`
	Error string         `json:"error,omitempty"`
}

// file is one file of vectors.
type file struct {
	Name  string   `json:"name"`
	About string   `json:"about"`
	Cases []vector `json:"cases"`
}

type in = map[string]any

func (f *file) good(op, name string, args in, out []byte) {
	f.Cases = append(f.Cases, vector{Name: name, Op: op, In: args, Out: hex.EncodeToString(out)})
}

func (f *file) bad(op, name string, args in, code fault.Code) {
	f.Cases = append(f.Cases, vector{Name: name, Op: op, In: args, Error: code.String()})
}

// sort gives the cases a fixed order: by operation, accepted ones first, then by name.
func (f *file) sort() {
	slices.SortFunc(f.Cases, func(a, b vector) int {
		return cmp.Or(cmp.Compare(a.Op, b.Op), cmp.Compare(a.Error, b.Error), cmp.Compare(a.Name, b.Name))
	})
}

// operation computes one operation by the packages under test.
type operation func(a args) ([]byte, error)

// check compares the file with the committed one and the packages under test with the file. It works on what was read back
// from disk, so that what other languages read is what was tested.
func check(t *testing.T, f *file, operations map[string]operation) {
	t.Helper()
	path := f.Name + ".json"
	want, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if circuittest.Updating() {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, want) {
		t.Errorf("%s is not what the reference computes", path)
	}
	var read file
	if err := json.Unmarshal(committed, &read); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range read.Cases {
		if seen[v.Op+" "+v.Name] {
			t.Errorf("two cases are named %s %s", v.Op, v.Name)
		}
		seen[v.Op+" "+v.Name] = true
		t.Run(v.Op+" "+v.Name, func(t *testing.T) { v.check(t, operations) })
	}
}

func (v *vector) check(t *testing.T, operations map[string]operation) {
	op, ok := operations[v.Op]
	if !ok {
		t.Fatalf("no operation %q", v.Op)
	}
	if (v.Out == "") == (v.Error == "") {
		t.Fatal("a case has either an output or an error")
	}
	out, err := op(args{t, v.In})
	if v.Error != "" {
		if got := fault.CodeOf(err); err == nil || got.String() != v.Error {
			t.Errorf("refused with %v, want %s", err, v.Error)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(out); got != v.Out {
		t.Errorf("got %s, want %s", got, v.Out)
	}
}

// args reads the inputs of a case.
type args struct {
	t *testing.T
	m map[string]any
}

func (a args) text(name string) string {
	a.t.Helper()
	s, ok := a.m[name].(string)
	if !ok {
		a.t.Fatalf("no input %q", name)
	}
	return s
}

func (a args) bytes(name string) []byte {
	a.t.Helper()
	b, err := hex.DecodeString(a.text(name))
	if err != nil {
		a.t.Fatal(err)
	}
	return b
}

func (a args) list(name string) [][]byte {
	a.t.Helper()
	items, ok := a.m[name].([]any)
	if !ok {
		a.t.Fatalf("no list %q", name)
	}
	var out [][]byte
	for _, item := range items {
		b, err := hex.DecodeString(item.(string))
		if err != nil {
			a.t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}
