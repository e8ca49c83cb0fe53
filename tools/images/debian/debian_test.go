package debian

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"solidus.io/images/layer"
)

func TestTheLockFileNamesEveryPackageOfTheBase(t *testing.T) {
	packages, err := ReadLock("../base.lock")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range packages {
		names = append(names, p.Name)
	}
	if strings.Join(names, " ") != strings.Join(Names(), " ") {
		t.Errorf("locked %v, wanted %v", names, Names())
	}
}

func TestALockFileIsReadAsItWasWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	sum := strings.Repeat("ab", 32)
	in := []Package{{Name: "b", Version: "1:2", Architecture: "amd64", SHA256: sum}, {Name: "a", Version: "3", Architecture: "amd64", SHA256: sum}}
	if err := WriteLock(file, "one\ntwo", in); err != nil {
		t.Fatal(err)
	}
	out, err := ReadLock(file)
	if err != nil || len(out) != 2 || out[0].Name != "a" || out[1].Version != "1:2" {
		t.Errorf("%v %v", out, err)
	}
	for _, bad := range []string{"a 1 amd64", "a 1 amd64 abcd", "a 1 amd64 " + sum + " more"} {
		if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadLock(file); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestAPackageOfAnotherDigestIsNotUsed(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "libc6_1_amd64.deb"), []byte("not it"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	wanted := []Package{{Name: "libc6", Version: "1", Architecture: "amd64", SHA256: strings.Repeat("ab", 32)}}
	_, err := Source{Folder: folder, Cache: t.TempDir()}.Fetch(wanted)
	if err == nil || !strings.Contains(err.Error(), "no apt-get") {
		t.Errorf("got %v", err)
	}
	wanted[0].SHA256, _ = Digest(filepath.Join(folder, "libc6_1_amd64.deb"))
	found, err := Source{Folder: folder, Cache: t.TempDir()}.Fetch(wanted)
	if err != nil || found[0].File != filepath.Join(folder, "libc6_1_amd64.deb") {
		t.Errorf("%v %v", found, err)
	}
}

func TestOnlyTheChosenFilesOfAPackageAreTaken(t *testing.T) {
	var content bytes.Buffer
	out := tar.NewWriter(&content)
	for _, name := range []string{
		"./usr/bin/ldd", "./sbin/ldconfig", "./usr/lib/locale/C.utf8/LC_CTYPE", "./usr/share/doc/libc-bin/copyright", "./etc/ld.so.conf",
	} {
		if err := out.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	tree := layer.NewTree()
	if err := addWanted(tree, "libc-bin", tar.NewReader(&content)); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range tree.Names() {
		if strings.Contains(filepath.Base(name), "LC_") || filepath.Base(name) == "copyright" {
			files = append(files, name)
		} else if strings.Contains(name, "bin/") && !strings.Contains(name, "doc/") {
			t.Errorf("took %s", name)
		}
	}
	if strings.Join(files, " ") != "usr/lib/locale/C.utf8/LC_CTYPE usr/share/doc/libc-bin/copyright" {
		t.Errorf("took %v", tree.Names())
	}
}

func TestABaseWithoutAPackageIsRefused(t *testing.T) {
	if _, err := Base(nil); err == nil || !strings.Contains(err.Error(), "lacks") {
		t.Errorf("got %v", err)
	}
	if _, err := Base([]Package{{Name: "bash"}}); err == nil || !strings.Contains(err.Error(), "bash") {
		t.Errorf("got %v", err)
	}
}
