// Package notices lists the third-party parts of this platform and their licences. It makes THIRD-PARTY-NOTICES.md, and
// compares it with the declared dependencies.
package notices

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// File is the list, at the root of the repository.
const File = "THIRD-PARTY-NOTICES.md"

// Section is where a part is used. The rules differ by section.
type Section string

// The sections, in the list's order.
const (
	Images   Section = "In the images: Java"
	Beyond   Section = "In the sandbox, the wallet's folder and the load tests: Java"
	Native   Section = "In the native library and the key tools: Go"
	Platform Section = "Below the services in the images"
	Tools    Section = "Fetched and run, never part of what is built"
)

var sections = []Section{Images, Beyond, Native, Platform, Tools}

// Part is a third-party part.
type Part struct {
	Section Section
	// Name is group:artifact of a jar, a Go module's path, a package's name.
	Name, Version string
	// Licence is an SPDX expression.
	Licence string
	// Where is a list of modules, or a description.
	Where string
	// text is the text of the licence, for parts that are linked into distributed files.
	text string
}

func (p Part) key() string { return string(p.Section) + " " + p.Name + " " + p.Version }

// ordered sorts parts by section, name and version, and removes duplicates.
func ordered(parts []Part) []Part {
	all := map[string]Part{}
	for _, part := range parts {
		all[part.key()] = part
	}
	result := make([]Part, 0, len(all))
	for _, part := range all {
		result = append(result, part)
	}
	sort.Slice(result, func(i, j int) bool {
		a, b := result[i], result[j]
		if a.Section != b.Section {
			return slices.Index(sections, a.Section) < slices.Index(sections, b.Section)
		}
		return a.Name+" "+a.Version < b.Name+" "+b.Version
	})
	return result
}

// Refused returns a message for each part whose licence is not on the list of its section.
func Refused(parts []Part) []string {
	var words []string
	for _, part := range parts {
		if !Allowed(part) {
			words = append(words, fmt.Sprintf("%s %s: %s is not on the list of licences for %q", part.Name, part.Version,
				strings.TrimSpace(part.Licence+" "), part.Section))
		}
	}
	return words
}
