package image

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"solidus.io/images/java"
)

func jarWith(t *testing.T, names ...string) java.Jar {
	t.Helper()
	file := filepath.Join(t.TempDir(), "solidus-prover-native-1.jar")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	archive := zip.NewWriter(out)
	for _, name := range names {
		if _, err := archive.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return java.Jar{File: file, Name: filepath.Base(file), Ours: true}
}

func TestOurLayerHoldsOurJarsRolesAndOptionsOnly(t *testing.T) {
	ours := jarWith(t, "io/solidus/A.class", "native/linux-x86_64/libsolidus.so")
	theirs := java.Jar{File: "/nowhere/guava-1.jar", Name: "guava-1.jar"}
	service := Service{Name: "v", RoleOrder: []string{"shard", "signer"}, Roles: map[string]string{"shard": "a.Shard", "signer": "a.Signer"}}
	tree, err := service.application(25, []java.Jar{ours, theirs})
	if err != nil {
		t.Fatal(err)
	}
	expected := "opt opt/solidus opt/solidus/app opt/solidus/app/solidus-prover-native-1.jar opt/solidus/java.options opt/solidus/run" +
		" opt/solidus/run/shard opt/solidus/run/signer"
	if got := strings.Join(tree.Names(), " "); got != expected {
		t.Errorf("holds %s", got)
	}
}

func TestTheLauncherGetsTheClassPathInOrderAndKnownOptions(t *testing.T) {
	jars := []java.Jar{{Name: "z.jar", Ours: true}, {Name: "b.jar"}, {Name: "a.jar"}}
	text := javaOptions(21, jars)
	if !strings.HasSuffix(text, "\n-cp\n/opt/solidus/app/z.jar:/opt/solidus/lib/b.jar:/opt/solidus/lib/a.jar\n") {
		t.Errorf("class path: %s", text)
	}
	if strings.Contains(text, "unsafe") || strings.Contains(text, "native-access") {
		t.Error("Java 21 does not know these options")
	}
	if newer := javaOptions(24, jars); !strings.Contains(newer, "--enable-native-access=ALL-UNNAMED\n--sun-misc-unsafe-memory-access=allow\n") {
		t.Errorf("options of Java 24: %s", newer)
	}
}

func TestLabelsSayVersionCommitAndTime(t *testing.T) {
	labels := Services[0].config(Sources{Version: "1.2", Revision: "abc", Created: time.Unix(0, 0)}).Labels
	for key, value := range map[string]string{"version": "1.2", "revision": "abc", "created": "1970-01-01T00:00:00Z"} {
		if labels["org.opencontainers.image."+key] != value {
			t.Errorf("%s: %v", key, labels)
		}
	}
}
