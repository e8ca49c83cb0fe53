package versions

import (
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

func modules(gnark, crypto string) []*debug.Module {
	return []*debug.Module{
		{Path: "github.com/consensys/gnark", Version: gnark}, {Path: "github.com/consensys/gnark-crypto", Version: crypto},
	}
}

func TestRefusedVersions(t *testing.T) {
	for _, v := range [][2]string{{"v0.16.2", "v0.19.1"}, {"v0.16.3", "v0.21.0"}, {"v1.0.0", "v1.0.0"}} {
		if err := Check(modules(v[0], v[1])); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
	for _, v := range [][2]string{
		{"v0.16.1", "v0.21.0"}, {"v0.15.9", "v0.21.0"}, {"v0.9.0", "v0.21.0"}, {"v0.16.3", "v0.19.0"}, {"v0.16.3", "v0.9.9"},
		{"v0.16.2-rc1", "v0.21.0"}, {"v0.16.4-0.20260101000000-abcdefabcdef", "v0.21.0"}, {"", "v0.21.0"}, {"0.16.3", "v0.21.0"}, {"v0.16", "v0.21.0"},
	} {
		if Check(modules(v[0], v[1])) == nil {
			t.Errorf("%v is accepted", v)
		}
	}
	if Check(modules("v0.16.3", "v0.21.0")[:1]) == nil {
		t.Error("a missing library is accepted")
	}
	replaced := modules("v0.16.3", "v0.21.0")
	replaced[0].Replace = &debug.Module{Path: "../gnark"}
	if Check(replaced) == nil {
		t.Error("a local folder in a library's place is accepted")
	}
	replaced[0].Replace = &debug.Module{Path: "github.com/consensys/gnark", Version: "v0.16.1"}
	if Check(replaced) == nil {
		t.Error("an old version in a library's place is accepted")
	}
}

func TestThisProcess(t *testing.T) {
	if err := CheckThisProcess(); err != nil {
		t.Error(err)
	}
}

var requirement = regexp.MustCompile(`(?m)^\s*(?:require\s+)?(\S+)\s+(v\S+)`)

// go.mod determines the modules of every binary of this module: nothing is replaced, and every version is allowed.
func TestRequiredVersions(t *testing.T) {
	raw, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "replace") {
		t.Error("go.mod replaces a module")
	}
	var all []*debug.Module
	for _, m := range requirement.FindAllStringSubmatch(string(raw), -1) {
		all = append(all, &debug.Module{Path: m[1], Version: m[2]})
	}
	if err := Check(all); err != nil {
		t.Error(err)
	}
}
