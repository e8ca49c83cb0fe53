package notices

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Declared returns, line by line, the declarations that determine the parts: those of poms, go.mod and the lock file of the
// base. While the lines are the same, the parts are too.
func Declared(root string) ([]string, error) {
	lines, err := declaredJars(root)
	if err != nil {
		return nil, err
	}
	for _, file := range []string{"prover-native/go.mod", "tools/images/base.lock"} {
		more, err := linesOf(root, file, func(line string) bool { return !strings.HasPrefix(line, "#") })
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	sort.Strings(lines)
	return lines, nil
}

// declaredJars returns the dependencies and versions of all poms, without those of tests, which are not distributed.
func declaredJars(root string) ([]string, error) {
	top, err := readPom(filepath.Join(root, "pom.xml"))
	if err != nil {
		return nil, err
	}
	lines := pomLines(".", top)
	for _, module := range top.Modules {
		pom, err := readPom(filepath.Join(root, module, "pom.xml"))
		if err != nil {
			return nil, err
		}
		lines = append(lines, pomLines(module, pom)...)
	}
	return lines, nil
}

func pomLines(module string, pom project) []string {
	lines := []string{}
	if pom.Parent.GroupID != own {
		lines = append(lines, fmt.Sprintf("%s parent %s:%s %s", module, pom.Parent.GroupID, pom.Parent.ArtifactID, pom.Parent.Version))
	}
	for _, property := range pom.Properties {
		if strings.Contains(strings.SplitN(property, "=", 2)[0], "version") {
			lines = append(lines, module+" "+property)
		}
	}
	for _, d := range append(pom.Dependencies, pom.Managed...) {
		if d.Scope != "test" && d.Scope != "provided" && d.GroupID != own {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s:%s %s %s", module, d.GroupID, d.ArtifactID, d.Version, d.Classifier)))
		}
	}
	return lines
}

func linesOf(root, file string, wanted func(string) bool) ([]string, error) {
	in, err := os.Open(filepath.Join(root, file))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var lines []string
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		line := strings.Join(strings.Fields(scanner.Text()), " ")
		if line != "" && wanted(line) {
			lines = append(lines, file+" "+line)
		}
	}
	return lines, scanner.Err()
}

func digest(lines []string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}
