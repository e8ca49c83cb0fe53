package java

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"solidus.io/images/layer"
)

// modules of the runtime: those that jdeps finds in our class paths (CheckModules compares), and those that are only used by
// name: elliptic curves and PKCS#11 for TLS and key custody, DNS for service discovery, socket options, file systems in
// archives.
var modules = []string{
	"java.base", "java.compiler", "java.desktop", "java.instrument", "java.logging", "java.management", "java.naming", "java.net.http",
	"java.prefs", "java.scripting", "java.security.jgss", "java.security.sasl", "java.sql", "java.sql.rowset", "java.xml",
	"jdk.crypto.cryptoki", "jdk.crypto.ec", "jdk.httpserver", "jdk.jfr", "jdk.management", "jdk.naming.dns", "jdk.net", "jdk.unsupported", "jdk.zipfs",
}

// linkOptions are the options of jlink. They keep class names and line numbers of our code, and remove debug information of
// the JDK.
var linkOptions = []string{"--strip-java-debug-attributes", "--no-header-files", "--no-man-pages"}

// dropped are programs that no service uses.
var dropped = []string{"bin/keytool", "bin/jrunscript", "bin/jfr", "bin/jwebserver", "lib/jexec"}

// Runtime is a Java runtime made by jlink.
type Runtime struct {
	// Folder is the runtime's folder.
	Folder string
	// Vendor and Version are as the JDK states them, e.g. "Eclipse Adoptium", "25.0.3+9-LTS".
	Vendor, Version string
	// Feature is the release, e.g. 25.
	Feature int
	jdk     string
}

// Link makes the runtime of a JDK, or returns it from the cache.
func Link(jdk, cache string) (*Runtime, error) {
	release, err := os.ReadFile(filepath.Join(jdk, "release"))
	if err != nil {
		return nil, fmt.Errorf("%s is not a JDK: %w", jdk, err)
	}
	words := properties(string(release))
	feature, err := strconv.Atoi(strings.SplitN(words["JAVA_VERSION"], ".", 2)[0])
	if err != nil {
		return nil, fmt.Errorf("%s: the release file has no JAVA_VERSION", jdk)
	}
	if words["LIBC"] != "" && words["LIBC"] != "gnu" {
		return nil, fmt.Errorf("%s is a JDK for the C library %q; images need one for glibc", jdk, words["LIBC"])
	}
	key := sha256.Sum256([]byte(fmt.Sprintf("%s\n%v\n%v\n%v", release, modules, linkOptions, dropped)))
	folder := filepath.Join(cache, fmt.Sprintf("runtime-%x", key[:12]))
	made := &Runtime{Folder: folder, Vendor: words["IMPLEMENTOR"], Version: words["JAVA_RUNTIME_VERSION"], Feature: feature, jdk: jdk}
	if _, err := os.Stat(folder); err == nil {
		return made, nil
	}
	return made, link(jdk, folder)
}

func link(jdk, folder string) error {
	parent, err := os.MkdirTemp(filepath.Dir(folder), "linking-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(parent)
	output := filepath.Join(parent, "runtime")
	arguments := append([]string{"--add-modules", strings.Join(modules, ","), "--output", output}, linkOptions...)
	if text, err := exec.Command(filepath.Join(jdk, "bin", "jlink"), arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("jlink: %s", strings.TrimSpace(string(text)))
	}
	for _, program := range dropped {
		if err := os.Remove(filepath.Join(output, program)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(output, folder)
}

// Tree is the runtime's layer.
func (r *Runtime) Tree() (*layer.Tree, error) {
	tree := layer.NewTree()
	return tree, tree.Copy("opt/java", r.Folder)
}

// CheckModules fails when one of these jars uses a module that the runtime lacks. Jars that pass are recorded in the cache
// and not checked again.
func (r *Runtime) CheckModules(jars []Jar, cache string) error {
	var paths, unknown, stamps []string
	for _, jar := range jars {
		paths = append(paths, jar.File)
		stamp := filepath.Join(cache, fmt.Sprintf("modules-%s-%s", filepath.Base(r.Folder), jar.SHA256))
		if _, err := os.Stat(stamp); err != nil {
			unknown, stamps = append(unknown, jar.File), append(stamps, stamp)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	needed, err := r.needs(paths, unknown)
	if err != nil {
		return err
	}
	present, err := r.list()
	if err != nil {
		return err
	}
	if missing := Missing(present, needed); len(missing) > 0 {
		return fmt.Errorf("the runtime lacks modules that our jars use: %s (tools/images/java/runtime.go lists its modules)",
			strings.Join(missing, ", "))
	}
	for _, stamp := range stamps {
		if err := os.WriteFile(stamp, nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// needs returns the modules that some jars use, by jdeps, given all jars.
func (r *Runtime) needs(all, some []string) ([]string, error) {
	arguments := append([]string{"--multi-release", strconv.Itoa(r.Feature), "--ignore-missing-deps", "--print-module-deps", "--class-path",
		strings.Join(all, ":")}, some...)
	output, err := exec.Command(filepath.Join(r.jdk, "bin", "jdeps"), arguments...).Output()
	if err != nil {
		return nil, fmt.Errorf("jdeps: %w: %s", err, output)
	}
	// warnings come before the answer
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.Split(lines[len(lines)-1], ","), nil
}

// Missing returns the needed modules that are not present.
func Missing(present map[string]bool, needed []string) []string {
	var missing []string
	for _, name := range needed {
		if !present[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// list returns the modules of the runtime.
func (r *Runtime) list() (map[string]bool, error) {
	output, err := exec.Command(filepath.Join(r.Folder, "bin", "java"), "--list-modules").Output()
	if err != nil {
		return nil, fmt.Errorf("the linked runtime does not run: %w", err)
	}
	present := map[string]bool{}
	for _, line := range strings.Fields(string(output)) {
		present[strings.SplitN(line, "@", 2)[0]] = true
	}
	return present, nil
}

// properties reads NAME="value" lines.
func properties(text string) map[string]string {
	words := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, value, found := strings.Cut(lines.Text(), "="); found {
			words[name] = strings.Trim(value, `"`)
		}
	}
	return words
}
