// Package versions refuses versions of libraries with known defects.
package versions

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
)

// rule refuses the versions of a module below the first one without the defect.
type rule struct {
	module string
	atLeast
	reason string
}

// atLeast is a release: major, minor, patch.
type atLeast [3]int

// rules come from the libraries' advisories. A new advisory adds a line here.
var rules = []rule{
	{"github.com/consensys/gnark", atLeast{0, 16, 2}, "under-constrained scalar multiplication and emulated arithmetic: false statements become provable"},
	{"github.com/consensys/gnark-crypto", atLeast{0, 19, 1}, "twelve bytes of input allocate 128 GB while decoding"},
}

// Check refuses a list of modules that lacks a library of the rules or has a refused version of it. A replaced module counts
// as its replacement. A replacement without a version, such as a local folder, is refused.
func Check(modules []*debug.Module) error {
	for _, r := range rules {
		m := find(modules, r.module)
		if m == nil {
			return fmt.Errorf("%s is not among the modules", r.module)
		}
		if m.Replace != nil {
			m = m.Replace
		}
		v, err := parse(m.Version)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		if less(v, r.atLeast) {
			return fmt.Errorf("%s %s is refused, at least v%d.%d.%d is needed: %s", m.Path, m.Version, r.atLeast[0], r.atLeast[1], r.atLeast[2], r.reason)
		}
	}
	return nil
}

// CheckThisProcess is Check for the modules of this binary. Binaries of go test have no list of modules and pass. The modules
// of a test are those of go.mod, which a test of this package checks.
func CheckThisProcess() error {
	info, ok := debug.ReadBuildInfo()
	if !ok || len(info.Deps) == 0 {
		return nil
	}
	return Check(info.Deps)
}

func find(modules []*debug.Module, path string) *debug.Module {
	for _, m := range modules {
		if m.Path == path {
			return m
		}
	}
	return nil
}

// parse accepts releases only: a pre-release may lack the fix.
func parse(version string) (v atLeast, err error) {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	if len(parts) != len(v) || !strings.HasPrefix(version, "v") {
		return v, fmt.Errorf("%q is not a release", version)
	}
	for i, part := range parts {
		if v[i], err = strconv.Atoi(part); err != nil || v[i] < 0 {
			return v, fmt.Errorf("%q is not a release", version)
		}
	}
	return v, nil
}

func less(a, b atLeast) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
