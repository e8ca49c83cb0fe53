package provenance

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"solidus.io/images/debian"
	"solidus.io/images/image"
	"solidus.io/images/java"
)

func state(t *testing.T, revision string) statement {
	t.Helper()
	made := &image.Image{
		Service: image.Service{Name: "a"},
		Jars:    []java.Jar{{Name: "ours.jar", SHA256: "aa", Ours: true}, {Name: "theirs.jar", SHA256: "bb"}},
	}
	base := []debian.Package{{Name: "libc6", Version: "1", Architecture: "amd64", SHA256: "cc"}}
	sources := image.Sources{Version: "1", Revision: revision, Created: time.Unix(7, 0)}
	text, err := Of(made, base, &java.Runtime{Vendor: "V", Version: "25"}, sources, "sha256:dd", []byte("parts"))
	if err != nil {
		t.Fatal(err)
	}
	var read statement
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestAStatementNamesImageSourcesAndParts(t *testing.T) {
	read := state(t, "0123abc")
	if read.Type != statementType || read.PredicateType != predicateType || read.Subject[0].Digest["sha256"] != "dd" {
		t.Errorf("about: %+v", read)
	}
	digests := map[string]bool{}
	for _, dependency := range read.Predicate.BuildDefinition.ResolvedDependencies {
		for _, digest := range dependency.Digest {
			digests[digest] = true
		}
	}
	if !digests["0123abc"] || !digests["bb"] || !digests["cc"] || digests["aa"] {
		t.Errorf("made from %v", digests)
	}
	if got := read.Predicate.RunDetails.Byproducts[0].Digest["sha256"]; got != fmt.Sprintf("%x", sha256.Sum256([]byte("parts"))) {
		t.Errorf("list of parts: %s", got)
	}
	if read.Predicate.BuildDefinition.ExternalParameters["sourceDateEpoch"] != "7" {
		t.Error("no time of the source")
	}
}

func TestUncommittedChangesAreStated(t *testing.T) {
	source := state(t, "0123abc-modified").Predicate.BuildDefinition.ResolvedDependencies[0]
	if len(source.Digest) != 0 || !strings.Contains(source.Name, "no commit") {
		t.Errorf("source: %+v", source)
	}
}
