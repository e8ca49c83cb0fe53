// Package provenance describes how an image was made, as an in-toto statement with an SLSA predicate. It does not sign the
// statement.
package provenance

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"solidus.io/images/debian"
	"solidus.io/images/image"
	"solidus.io/images/java"
)

const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	// meaning of externalParameters and description of the build: docs/how-to/build-images.md
	buildType = "urn:solidus:images:v1"
	builder   = "urn:solidus:images:on-a-machine-of-its-caller"
)

type statement struct {
	Type          string       `json:"_type"`
	Subject       []descriptor `json:"subject"`
	PredicateType string       `json:"predicateType"`
	Predicate     predicate    `json:"predicate"`
}

type descriptor struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

type predicate struct {
	BuildDefinition buildDefinition `json:"buildDefinition"`
	RunDetails      runDetails      `json:"runDetails"`
}

type buildDefinition struct {
	BuildType            string            `json:"buildType"`
	ExternalParameters   map[string]string `json:"externalParameters"`
	InternalParameters   map[string]string `json:"internalParameters"`
	ResolvedDependencies []descriptor      `json:"resolvedDependencies"`
}

type runDetails struct {
	Builder    map[string]string `json:"builder"`
	Byproducts []descriptor      `json:"byproducts,omitempty"`
}

// Of describes how an image was made. The statement has no time and no machine name: the same sources and tools give the same
// statement.
func Of(made *image.Image, base []debian.Package, jdk *java.Runtime, sources image.Sources, digest string, bom []byte) ([]byte, error) {
	compiler, err := exec.Command("cc", "-dumpfullversion").Output()
	if err != nil {
		compiler = []byte("unknown")
	}
	build := buildDefinition{
		BuildType: buildType,
		ExternalParameters: map[string]string{
			"service": made.Service.Name, "version": sources.Version, "sourceDateEpoch": fmt.Sprint(sources.Created.Unix()),
		},
		InternalParameters: map[string]string{
			"jdk": jdk.Vendor + " " + jdk.Version, "go": runtime.Version(), "cc": strings.TrimSpace(string(compiler)),
		},
		ResolvedDependencies: dependencies(made, base, sources),
	}
	out, err := json.MarshalIndent(statement{
		Type: statementType, PredicateType: predicateType,
		Subject: []descriptor{{Name: "solidus-" + made.Service.Name, Digest: sha256Of(digest)}},
		Predicate: predicate{
			BuildDefinition: build,
			RunDetails: runDetails{
				Builder:    map[string]string{"id": builder},
				Byproducts: []descriptor{{Name: made.Service.Name + ".cdx.json", Digest: sum(bom)}},
			},
		},
	}, "", "  ")
	return append(out, '\n'), err
}

// dependencies returns the sources by commit and everything else by digest. It marks a tree with uncommitted changes.
func dependencies(made *image.Image, base []debian.Package, sources image.Sources) []descriptor {
	commit, _, _ := strings.Cut(sources.Revision, "-")
	source := descriptor{URI: "git+solidus", Digest: map[string]string{"gitCommit": commit}}
	if commit != sources.Revision {
		source = descriptor{URI: "git+solidus", Name: "commit " + commit + " with changes that are in no commit"}
	}
	all := []descriptor{source}
	for _, p := range base {
		all = append(all, descriptor{
			URI:    "pkg:deb/debian/" + p.Name + "@" + p.Version + "?arch=" + p.Architecture,
			Digest: map[string]string{"sha256": p.SHA256},
		})
	}
	for _, jar := range java.ThirdParty(made.Jars) {
		all = append(all, descriptor{Name: jar.Name, Digest: map[string]string{"sha256": jar.SHA256}})
	}
	return all
}

func sha256Of(digest string) map[string]string {
	return map[string]string{"sha256": strings.TrimPrefix(digest, "sha256:")}
}

func sum(content []byte) map[string]string {
	return map[string]string{"sha256": fmt.Sprintf("%x", sha256.Sum256(content))}
}
