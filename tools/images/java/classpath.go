// Package java finds the files that a service needs to run: its class path, the runtime, the native library.
package java

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"solidus.io/images/debian"
)

// Jar is one entry of a class path.
type Jar struct {
	// File is the path on this machine, Name the name in the image.
	File, Name string
	SHA256     string
	// Ours is set for jars of this repository, which change with our code.
	Ours bool
}

// ClassPath reads the list that Maven's dependency plugin wrote for a module, in Maven's order, with the module's own jar
// first.
func ClassPath(root, module, list string) ([]Jar, error) {
	own, err := ownJar(filepath.Join(root, module, "target"))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, module, "target", list))
	if err != nil {
		return nil, err
	}
	files := append([]string{own}, strings.Split(strings.TrimSpace(string(text)), ":")...)
	jars := make([]Jar, 0, len(files))
	seen := map[string]string{}
	for _, file := range files {
		jar := Jar{File: file, Name: filepath.Base(file), Ours: strings.HasPrefix(file, root+string(filepath.Separator))}
		if !strings.HasSuffix(file, ".jar") {
			return nil, fmt.Errorf("%s: the class path has %s, which is not a jar (package the modules first)", module, file)
		}
		if other, twice := seen[jar.Name]; twice {
			return nil, fmt.Errorf("%s: %s and %s have the same name", module, other, file)
		}
		seen[jar.Name] = file
		if jar.SHA256, err = debian.Digest(file); err != nil {
			return nil, err
		}
		jars = append(jars, jar)
	}
	return jars, nil
}

// ownJar finds the one jar that a module's build made.
func ownJar(target string) (string, error) {
	found, err := filepath.Glob(filepath.Join(target, "solidus-*.jar"))
	if err != nil {
		return "", err
	}
	var jars []string
	for _, file := range found {
		if !strings.HasSuffix(file, "-tests.jar") && !strings.HasSuffix(file, "-sources.jar") {
			jars = append(jars, file)
		}
	}
	if len(jars) != 1 {
		return "", fmt.Errorf("%s has %d jars, expected one", target, len(jars))
	}
	return jars[0], nil
}

// ThirdParty returns the jars that are not ours, sorted by name.
func ThirdParty(jars []Jar) []Jar {
	var others []Jar
	for _, jar := range jars {
		if !jar.Ours {
			others = append(others, jar)
		}
	}
	sort.Slice(others, func(i, j int) bool { return others[i].Name < others[j].Name })
	return others
}

// Without returns the jars of all that are not in some.
func Without(all, some []Jar) []Jar {
	skip := map[string]bool{}
	for _, jar := range some {
		skip[jar.SHA256] = true
	}
	var rest []Jar
	for _, jar := range all {
		if !skip[jar.SHA256] {
			rest = append(rest, jar)
		}
	}
	return rest
}
