package java

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMissingModulesAreNamed(t *testing.T) {
	missing := Missing(map[string]bool{"java.base": true}, []string{"java.base", "java.sql"})
	if strings.Join(missing, " ") != "java.sql" {
		t.Errorf("missing: %v", missing)
	}
}

func TestVersionsOfTheCLibraryAreNumbers(t *testing.T) {
	for _, c := range []struct {
		needed, present string
		newer           bool
	}{
		{"2.34", "2.36", false}, {"2.36", "2.36", false}, {"2.38", "2.36", true}, {"2.4", "2.36", false},
		{"2.2.5", "2.36", false}, {"2.36.1", "2.36", true}, {"3.0", "2.36", true}, {"PRIVATE", "2.36", true},
	} {
		if newer(c.needed, c.present) != c.newer {
			t.Errorf("%s against %s", c.needed, c.present)
		}
	}
	if GlibcVersion("2.36-9+deb12u14") != "2.36" {
		t.Error("Debian's version")
	}
}

// The test's own program is linked against this machine's C library, or against none.
func TestSymbolsOfAnOlderLibraryAreRefused(t *testing.T) {
	var library []byte
	for _, place := range []string{"/lib/x86_64-linux-gnu", "/lib64", "/usr/lib"} {
		if found, err := os.ReadFile(place + "/libm.so.6"); err == nil {
			library = found
			break
		}
	}
	if library == nil {
		t.Fatal("no libm where images are made")
	}
	// libm asks for private symbols of its own C library: never right for a library of ours
	if CheckSymbols(library, "2.36") == nil {
		t.Error("private symbols passed")
	}
}

func writeJar(t *testing.T, file string, names ...string) {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range names {
		entry, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte("content of " + name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTheNativeLibraryIsRemovedFromItsJar(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jar")
	writeJar(t, file, "A.class", "native/linux-x86_64/libsolidus.so", "B.class")
	library, err := NativeLibrary(file, "linux-x86_64")
	if err != nil || string(library) != "content of native/linux-x86_64/libsolidus.so" {
		t.Errorf("%q %v", library, err)
	}
	slim, err := WithoutNative(file)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(slim), int64(len(slim)))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.File) != 2 || archive.File[0].Name != "A.class" || archive.File[1].Name != "B.class" {
		t.Errorf("left: %v", archive.File)
	}
	plain := filepath.Join(t.TempDir(), "b.jar")
	writeJar(t, plain, "A.class")
	if rest, err := WithoutNative(plain); rest != nil || err != nil {
		t.Error("a jar without the library was changed")
	}
}

// repository makes a module with its jar and the list that Maven leaves.
func repository(t *testing.T, list ...string) string {
	t.Helper()
	root := t.TempDir()
	writeJar(t, filepath.Join(root, "services/a/target/solidus-a-1.jar"), "A.class")
	for _, file := range list {
		writeJar(t, strings.ReplaceAll(file, "ROOT", root), filepath.Base(file))
	}
	text := strings.ReplaceAll(strings.Join(list, ":"), "ROOT", root)
	if err := os.WriteFile(filepath.Join(root, "services/a/target/list"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestClassPathKeepsMavensOrderAndTellsOursFromTheirs(t *testing.T) {
	outside := t.TempDir()
	root := repository(t, "ROOT/services/b/target/solidus-b-1.jar", outside+"/z.jar", outside+"/y.jar")
	jars, err := ClassPath(root, "services/a", "list")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, jar := range jars {
		names = append(names, jar.Name)
	}
	if got := strings.Join(names, " "); got != "solidus-a-1.jar solidus-b-1.jar z.jar y.jar" {
		t.Errorf("order: %s", got)
	}
	others := ThirdParty(jars)
	if len(others) != 2 || others[0].Name != "y.jar" {
		t.Errorf("theirs: %v", others)
	}
	if rest := Without(others, others[:1]); len(rest) != 1 || rest[0].Name != "z.jar" {
		t.Errorf("without: %v", rest)
	}
}

func TestTwoJarsOfOneNameAreRefused(t *testing.T) {
	root := repository(t, t.TempDir()+"/y.jar", t.TempDir()+"/y.jar")
	if _, err := ClassPath(root, "services/a", "list"); err == nil || !strings.Contains(err.Error(), "same name") {
		t.Errorf("got %v", err)
	}
}

func TestAClassFolderInsteadOfAJarIsRefused(t *testing.T) {
	root := repository(t)
	list := filepath.Join(root, "services/a/target/list")
	if err := os.WriteFile(list, []byte(root+"/services/b/target/classes"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ClassPath(root, "services/a", "list"); err == nil || !strings.Contains(err.Error(), "package the modules") {
		t.Errorf("got %v", err)
	}
}
