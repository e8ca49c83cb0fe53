package keys

import (
	"os"
	"slices"
	"strings"
)

// profile is the name of the profile under which only keys of the ceremony class are made or opened.
const profile = "production"

// inProduction reports whether the process was started under the production profile. It reads only the environment at the
// start of the process. No configuration can change it afterwards.
func inProduction() bool {
	names := append(strings.Split(os.Getenv("SPRING_PROFILES_ACTIVE"), ","), os.Getenv("SOLIDUS_PROFILE"))
	return slices.ContainsFunc(names, func(name string) bool {
		name = strings.TrimSpace(name)
		// an inexact name must not open a development key
		return strings.EqualFold(name, profile) || strings.EqualFold(name, "prod")
	})
}
