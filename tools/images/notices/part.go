// Package notices lists what other people wrote of what this platform is made of, and under which licences: it makes
// THIRD-PARTY-NOTICES.md, and holds it against what the build declares.
package notices

import (
	"fmt"
	"sort"
	"strings"
)

// File is the list, at the root of the repository.
const File = "THIRD-PARTY-NOTICES.md"

// Section says where a part is used; the rules differ.
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

// Part is something of somebody else's.
type Part struct {
	Section Section
	// Name is group:artifact of a jar, a Go module's path, a package's name.
	Name, Version string
	// Licence is an SPDX expression.
	Licence string
	// Where is a list of modules, or words.
	Where string
	// text is the licence's own text, of what is linked into a file of ours.
	text string
}

func (p Part) key() string { return string(p.Section) + " " + p.Name + " " + p.Version }

// ordered sorts parts by section, name and version, each once.
func ordered(parts []Part) []Part {
	rank := map[Section]int{}
	for i, section := range sections {
		rank[section] = i
	}
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
			return rank[a.Section] < rank[b.Section]
		}
		return a.Name+" "+a.Version < b.Name+" "+b.Version
	})
	return result
}

// Refused are the parts whose licence is not on the list of its section, in words.
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
