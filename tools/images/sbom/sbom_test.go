package sbom

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"solidus.io/images/debian"
	"solidus.io/images/image"
	"solidus.io/images/java"
)

// the list that Maven's plugin writes for a module with two dependencies, one of which is not a jar
const listed = `{"bomFormat":"CycloneDX","specVersion":"1.6","serialNumber":"urn:uuid:fc61abc2-44ab-343f-a4da-5253c4f6aa08","version":1,
"metadata":{"timestamp":"2020-01-01T00:00:00Z","component":{"bom-ref":"own","type":"library","name":"solidus-a","version":"1","purl":"pkg:maven/s/a@1"}},
"components":[
 {"bom-ref":"guava","type":"library","name":"guava","version":"33","purl":"pkg:maven/g/guava@33?type=jar"},
 {"bom-ref":"linux","type":"library","name":"epoll","version":"4","purl":"pkg:maven/n/epoll@4?classifier=linux-x86_64&type=jar"},
 {"bom-ref":"pom","type":"library","name":"bom","version":"1","purl":"pkg:maven/g/bom@1?type=pom"}],
"dependencies":[{"ref":"own","dependsOn":["guava","pom"]},{"ref":"guava","dependsOn":[]},{"ref":"pom","dependsOn":["guava"]}]}`

func listOf(t *testing.T, jars ...string) (string, error) {
	t.Helper()
	root := t.TempDir()
	target := filepath.Join(root, "services", "a", "target")
	if err := os.MkdirAll(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(target, modulesFile), []byte(listed), 0o644); err != nil {
		t.Fatal(err)
	}
	made := &image.Image{Service: image.Service{Name: "a", Module: "services/a"}}
	for _, jar := range jars {
		made.Jars = append(made.Jars, java.Jar{Name: jar})
	}
	base := []debian.Package{{Name: "libc6", Version: "2.36-9+deb12u14", Architecture: "amd64", SHA256: strings.Repeat("ab", 32)}}
	text, err := Of(root, made, base, &java.Runtime{Vendor: "V", Version: "25+1"}, image.Sources{Version: "1", Created: time.Unix(0, 0)}, "sha256:cd")
	return string(text), err
}

func TestTheSBOMListsExactlyTheParts(t *testing.T) {
	text, err := listOf(t, "solidus-a-1.jar", "guava-33.jar", "epoll-4-linux-x86_64.jar")
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		SerialNumber string `json:"serialNumber"`
		Metadata     struct {
			Timestamp string
			Component struct{ Type, Name string }
		}
		Components []struct {
			Ref string `json:"bom-ref"`
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	if err := json.Unmarshal([]byte(text), &bom); err != nil {
		t.Fatal(err)
	}
	var refs []string
	for _, component := range bom.Components {
		refs = append(refs, component.Ref)
	}
	expected := "guava linux pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12 pkg:generic/openjdk@25%2B1 own"
	if got := strings.Join(refs, " "); got != expected {
		t.Errorf("parts: %s", got)
	}
	if bom.SerialNumber != "" || bom.Metadata.Timestamp != "1970-01-01T00:00:00Z" || bom.Metadata.Component.Name != "solidus-a" ||
		bom.Metadata.Component.Type != "container" {
		t.Errorf("head: %+v %s", bom.Metadata, bom.SerialNumber)
	}
	for _, dependency := range bom.Dependencies {
		if strings.Contains(strings.Join(append(dependency.DependsOn, dependency.Ref), " "), "pom") {
			t.Errorf("a dependency names what is not inside: %+v", dependency)
		}
	}
	if len(bom.Dependencies) == 0 || len(bom.Dependencies[0].DependsOn) != len(refs) {
		t.Error("the image does not depend on each of its parts")
	}
}

func TestUnlistedJarsAreRefused(t *testing.T) {
	if _, err := listOf(t, "solidus-a-1.jar", "guava-33.jar", "unknown-1.jar"); err == nil {
		t.Error("a jar without an entry passed")
	}
}

func TestTheSameImageGivesTheSameList(t *testing.T) {
	one, _ := listOf(t, "solidus-a-1.jar", "guava-33.jar", "epoll-4-linux-x86_64.jar")
	two, _ := listOf(t, "solidus-a-1.jar", "guava-33.jar", "epoll-4-linux-x86_64.jar")
	if one != two || one == "" {
		t.Error("two lists of one image differ")
	}
}
