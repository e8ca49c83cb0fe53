package keys

import (
	"os"
	"slices"
	"strings"
)

// profile is the name of the profile under which nothing but keys of the ceremony class is made or opened.
const profile = "production"

// inProduction says whether the process was started under the production profile. It reads the environment that the process was
// started with and nothing that a configuration could say afterwards.
func inProduction() bool {
	names := append(strings.Split(os.Getenv("SPRING_PROFILES_ACTIVE"), ","), os.Getenv("SOLIDUS_PROFILE"))
	return slices.ContainsFunc(names, func(name string) bool {
		name = strings.TrimSpace(name)
		// a slip of the pen must not open a development key
		return strings.EqualFold(name, profile) || strings.EqualFold(name, "prod")
	})
}
