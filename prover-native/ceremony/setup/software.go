package setup

import (
	"runtime/debug"
	"strings"
)

// software lists what this process was built from, as far as it knows: for whoever wants to replay a transcript with the same.
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
