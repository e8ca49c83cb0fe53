package layer

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sample builds the same tree from files that differ in everything that must not matter.
func sample(t *testing.T, order []string, mode os.FileMode, when time.Time) *Tree {
	t.Helper()
	folder := t.TempDir()
	tree := NewTree()
	for _, name := range order {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte("content of "+name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
		if err := tree.File("opt/"+name, file); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.Link("opt/link", "a"); err != nil {
		t.Fatal(err)
	}
	return tree
}

func archive(t *testing.T, tree *Tree) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := tree.WriteTar(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSameContentGivesTheSameBytes(t *testing.T) {
	one := sample(t, []string{"a", "b", "c"}, 0o600, time.Unix(1, 0))
	other := sample(t, []string{"c", "a", "b"}, 0o664, time.Unix(2_000_000_000, 7))
	if !bytes.Equal(archive(t, one), archive(t, other)) {
		t.Error("order, time or umask went into the archive")
	}
	digest, _ := one.Digest()
	if again, _ := other.Digest(); digest != again {
		t.Error("order, time or umask went into the digest")
	}
}

func TestOtherContentModeOwnerOrLinkGivesAnotherDigest(t *testing.T) {
	base := func(change func(*Tree)) string {
		tree := NewTree()
		change(tree)
		digest, err := tree.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	seen := map[string]int{}
	for i, change := range []func(*Tree){
		func(tree *Tree) { _ = tree.Bytes("a", []byte("x"), 0o644) },
		func(tree *Tree) { _ = tree.Bytes("a", []byte("y"), 0o644) },
		func(tree *Tree) { _ = tree.Bytes("a", []byte("x"), 0o755) },
		func(tree *Tree) { _ = tree.Bytes("b", []byte("x"), 0o644) },
		func(tree *Tree) { _ = tree.Link("a", "x") },
		func(tree *Tree) { _ = tree.Link("a", "y") },
		func(tree *Tree) { _ = tree.Folder("a", 0o755, 0) },
		func(tree *Tree) { _ = tree.Folder("a", 0o755, 1) },
	} {
		digest := base(change)
		if before, there := seen[digest]; there {
			t.Errorf("trees %d and %d have the same digest", before, i)
		}
		seen[digest] = i
	}
}

func TestArchiveIsSortedWithParentsFirstAndOwnedByRoot(t *testing.T) {
	tree := sample(t, []string{"b", "a"}, 0o700, time.Unix(1, 0))
	reader := tar.NewReader(bytes.NewReader(archive(t, tree)))
	var names []string
	for {
		header, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" || !header.ModTime.Equal(fileTime) {
			t.Errorf("%s: owner %d:%d %q, time %s", header.Name, header.Uid, header.Gid, header.Uname, header.ModTime)
		}
		if header.Typeflag == tar.TypeReg && header.Mode != 0o755 {
			t.Errorf("%s: mode %o", header.Name, header.Mode)
		}
	}
	if got := strings.Join(names, " "); got != "opt/ opt/a opt/b opt/link" {
		t.Errorf("entries: %s", got)
	}
}

func TestPathsOutsideAndTwiceAreRefused(t *testing.T) {
	tree := NewTree()
	for _, name := range []string{"../etc/passwd", "/", ".", "a/../../b"} {
		if tree.Text(name, "x") == nil {
			t.Errorf("%q was taken", name)
		}
	}
	if err := tree.Text("a/b", "x"); err != nil {
		t.Fatal(err)
	}
	if tree.Text("/a/b", "y") == nil {
		t.Error("a second file at the same place was taken")
	}
	if tree.Text("a/b/c", "y") == nil {
		t.Error("a file below a file was taken")
	}
}
