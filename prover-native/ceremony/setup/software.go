package setup

import (
	"runtime/debug"
	"strings"
)

// software lists the modules and versions of this build, for a replay of the transcript with the same software.
func software() []string {
	list := []string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return list
	}
	list = append(list, info.GoVersion)
	for _, m := range info.Deps {
		if strings.HasPrefix(m.Path, "github.com/consensys/") {
			list = append(list, m.Path+" "+m.Version)
		}
	}
	return list
}
