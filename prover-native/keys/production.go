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
	if strings.TrimSpace(os.Getenv("SOLIDUS_PROFILE")) == profile {
		return true
	}
	active := strings.Split(os.Getenv("SPRING_PROFILES_ACTIVE"), ",")
	return slices.ContainsFunc(active, func(name string) bool { return strings.TrimSpace(name) == profile })
}
