package notices

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

// linked are the packages of the native module that are linked into distributed files.
var linked = []string{"./cabi/...", "./cmd/solidus-keys", "./cmd/solidus-ceremony"}

// goModules returns the modules whose code is compiled into the native library and the key tools, with the texts of their
// licences.
func goModules(root, goCommand string) ([]Part, error) {
	arguments := append([]string{"list", "-tags", "jni", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}"}, linked...)
	command := exec.Command(goCommand, arguments...)
	command.Dir = filepath.Join(root, "prover-native")
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "CGO_ENABLED=1")
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	parts := []Part{}
	seen := map[string]bool{}
	for _, line := range strings.Split(string(output), "\n") {
		fields := strings.Fields(line)
		if len(fields) != 3 || seen[fields[0]] {
			continue // our own module has no version
		}
		seen[fields[0]] = true
		part, err := goModule(fields[0], fields[1], fields[2])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	standard, err := standardLibrary(goCommand)
	if err != nil {
		return nil, err
	}
	parts = append(parts, standard)
	sort.Slice(parts, func(i, j int) bool { return parts[i].Name < parts[j].Name })
	return parts, nil
}

func goModule(path, version, folder string) (Part, error) {
	text, err := os.ReadFile(filepath.Join(folder, "LICENSE"))
	if err != nil {
		return Part{}, fmt.Errorf("%s: %w", path, err)
	}
	return Part{Section: Native, Name: path, Version: version, Licence: ofText(string(text)), Where: "linked", text: string(text)}, nil
}

// standardLibrary is the standard library of the building Go.
func standardLibrary(goCommand string) (Part, error) {
	output, err := exec.Command(goCommand, "env", "GOROOT").Output()
	if err != nil {
		return Part{}, fmt.Errorf("go env (%s): %w", runtime.GOOS, err)
	}
	part, err := goModule("std", "of the Go that builds", strings.TrimSpace(string(output)))
	part.Where = "linked, the runtime included"
	return part, err
}
