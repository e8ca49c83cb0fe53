package layer

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func text(t *testing.T, content string) *Tree {
	t.Helper()
	tree := NewTree()
	if err := tree.Text("etc/motd", content); err != nil {
		t.Fatal(err)
	}
	return tree
}

func add(t *testing.T, store *Store, tree *Tree) *Layer {
	t.Helper()
	made, err := store.Add(tree)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func open(t *testing.T, folder string) *Store {
	t.Helper()
	store, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestLayersAreVerifiedAndWrittenOnce(t *testing.T) {
	folder := t.TempDir()
	first := add(t, open(t, folder), text(t, "hello"))
	if first.Reused {
		t.Error("an empty store had the layer")
	}
	// recomputes digests and sizes from the bytes
	if err := validate.Layer(first); err != nil {
		t.Error(err)
	}
	again := add(t, open(t, folder), text(t, "hello"))
	if !again.Reused || again.record != first.record {
		t.Errorf("not found again: %+v", again)
	}
	if other := add(t, open(t, folder), text(t, "goodbye")); other.Reused || other.record.DiffID == first.record.DiffID {
		t.Error("other content was taken for the same")
	}
	elsewhere := add(t, open(t, t.TempDir()), text(t, "hello"))
	if elsewhere.record != first.record {
		t.Error("another store made other bytes")
	}
}

func TestDamagedOrRemovedLayersAreWrittenAgain(t *testing.T) {
	folder := t.TempDir()
	store := open(t, folder)
	first := add(t, store, text(t, "hello"))
	if err := os.Truncate(first.file, 3); err != nil {
		t.Fatal(err)
	}
	if add(t, store, text(t, "hello")).Reused {
		t.Error("a cut layer was used")
	}
	if err := store.Forget(first); err != nil {
		t.Fatal(err)
	}
	if add(t, store, text(t, "hello")).Reused {
		t.Error("a forgotten layer was used")
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "writing-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestUncompressedIsTheArchive(t *testing.T) {
	made := add(t, open(t, t.TempDir()), text(t, "hello"))
	plain, err := made.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if content, err := io.ReadAll(plain); err != nil || int64(len(content)) != made.FullSize() {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}
