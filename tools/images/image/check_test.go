package image

import (
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"solidus.io/images/layer"
)

func written(t *testing.T, fill func(*layer.Tree) error) *layer.Layer {
	t.Helper()
	tree := layer.NewTree()
	if err := fill(tree); err != nil {
		t.Fatal(err)
	}
	store, err := layer.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	made, err := store.Add(tree)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestForbiddenFilesInLayersAreRefused(t *testing.T) {
	for expected, fill := range map[string]func(*layer.Tree) error{
		"set-user or set-group": func(tree *layer.Tree) error { return tree.Bytes("opt/java/bin/java", nil, 0o4755) },
		"is a program":          func(tree *layer.Tree) error { return tree.Bytes("bin/sh", nil, 0o755) },
		"writable by others":    func(tree *layer.Tree) error { return tree.Bytes("etc/passwd", nil, 0o666) },
		"belongs to user":       func(tree *layer.Tree) error { return tree.Folder("opt/solidus", 0o755, 65532) },
	} {
		err := CheckLayer(written(t, fill))
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("expected %q, got %v", expected, err)
		}
	}
}

func TestAnOrdinaryLayerPasses(t *testing.T) {
	made := written(t, func(tree *layer.Tree) error {
		if err := tree.Folder("tmp", 0o1777, 0); err != nil {
			return err
		}
		if err := tree.Folder("home/solidus", 0o700, 65532); err != nil {
			return err
		}
		if err := tree.Bytes("opt/solidus/native/libsolidus.so", nil, 0o755); err != nil {
			return err
		}
		return tree.Bytes("opt/java/bin/java", nil, 0o755)
	})
	if err := CheckLayer(made); err != nil {
		t.Error(err)
	}
}

func TestEveryServiceRunsAsAUserWithoutAShell(t *testing.T) {
	for _, service := range Services {
		config := service.config(Sources{})
		if err := CheckConfig(config); err != nil {
			t.Errorf("%s: %v", service.Name, err)
		}
		if (service.Main == "") == (len(service.RoleOrder) == 0) {
			t.Errorf("%s: either a class or roles", service.Name)
		}
		for _, role := range service.RoleOrder {
			if service.Roles[role] == "" {
				t.Errorf("%s: role %s starts nothing", service.Name, role)
			}
		}
	}
	good := Services[0].config(Sources{})
	for what, change := range map[string]func(*v1.Config){
		"root":    func(c *v1.Config) { c.User = "0" },
		"no user": func(c *v1.Config) { c.User = "" },
		"shell":   func(c *v1.Config) { c.Entrypoint = []string{"/bin/sh", "-c", "java"} },
		"nothing": func(c *v1.Config) { c.Entrypoint = nil },
		"volumes": func(c *v1.Config) { c.Volumes = map[string]struct{}{"/tmp": {}} },
	} {
		bad := good
		change(&bad)
		if CheckConfig(bad) == nil {
			t.Errorf("%s passed", what)
		}
	}
}
