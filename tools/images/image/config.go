package image

import (
	"fmt"
	"sort"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"solidus.io/images/debian"
	"solidus.io/images/java"
	"solidus.io/images/layer"
)

const (
	home        = "/opt/solidus"
	optionsFile = home + "/java.options"
	rolesFolder = home + "/run"
	libraryFile = home + "/native/libsolidus.so"
)

// javaOptions is the argument file of the Java launcher: options for a process in a container, and the class path in Maven's
// order.
func javaOptions(feature int, jars []java.Jar) string {
	options := []string{
		// the heap follows the container's limit; the rest is for the native library, threads and buffers
		"-XX:InitialRAMPercentage=10",
		"-XX:MaxRAMPercentage=50",
		"-XX:+ExitOnOutOfMemoryError",
		// nothing is written except to the volume on /tmp
		"-XX:-UsePerfData",
		"-XX:+ErrorFileToStderr",
		"-Djava.io.tmpdir=/tmp",
		"-Djava.awt.headless=true",
		"-Dsolidus.native.path=" + libraryFile,
	}
	if feature >= 22 {
		options = append(options, "--enable-native-access=ALL-UNNAMED")
	}
	if feature >= 24 {
		options = append(options, "--sun-misc-unsafe-memory-access=allow")
	}
	paths := make([]string, len(jars))
	for i, jar := range jars {
		paths[i] = home + "/" + place(jar)
	}
	return strings.Join(append(options, "-cp", strings.Join(paths, ":")), "\n") + "\n"
}

// place returns a jar's path below home.
func place(jar java.Jar) string {
	if jar.Ours {
		return "app/" + jar.Name
	}
	return "lib/" + jar.Name
}

// Sources identifies the commit that an image is made from.
type Sources struct {
	Version, Revision string
	Created           time.Time
}

// config returns the configuration of an image: user, entry point and labels.
func (s Service) config(sources Sources) v1.Config {
	config := v1.Config{
		User:       fmt.Sprintf("%d:%d", debian.User, debian.User),
		WorkingDir: rolesFolder,
		Entrypoint: []string{"/opt/java/bin/java", "@" + optionsFile},
		Env:        append([]string{"PATH=/opt/java/bin", "JAVA_HOME=/opt/java", "LANG=C.UTF-8"}, s.Environment...),
		StopSignal: "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title":       "solidus-" + s.Name,
			"org.opencontainers.image.description": s.Description,
			"org.opencontainers.image.vendor":      "Solidus",
			"org.opencontainers.image.version":     sources.Version,
			"org.opencontainers.image.revision":    sources.Revision,
			"org.opencontainers.image.created":     sources.Created.UTC().Format(time.RFC3339),
		},
	}
	if len(s.RoleOrder) > 0 {
		config.Cmd = []string{"@" + s.RoleOrder[0]}
	} else {
		config.Entrypoint = append(config.Entrypoint, s.Main)
	}
	for _, port := range s.Ports {
		if config.ExposedPorts == nil {
			config.ExposedPorts = map[string]struct{}{}
		}
		config.ExposedPorts[fmt.Sprintf("%d/tcp", port)] = struct{}{}
	}
	return config
}

// application is the layer that changes with our code: our jars without the native library, and the launcher's argument
// files.
func (s Service) application(feature int, jars []java.Jar) (*layer.Tree, error) {
	tree := layer.NewTree()
	if err := tree.Folder(rolesFolder, 0o755, 0); err != nil {
		return nil, err
	}
	if err := tree.Text(optionsFile, javaOptions(feature, jars)); err != nil {
		return nil, err
	}
	roles := append([]string(nil), s.RoleOrder...)
	sort.Strings(roles)
	for _, role := range roles {
		if err := tree.Text(rolesFolder+"/"+role, s.Roles[role]+"\n"); err != nil {
			return nil, err
		}
	}
	for _, jar := range jars {
		if !jar.Ours {
			continue
		}
		if err := addOurs(tree, jar); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

func addOurs(tree *layer.Tree, jar java.Jar) error {
	slim, err := java.WithoutNative(jar.File)
	if err != nil {
		return err
	}
	if slim == nil {
		return tree.File(home+"/"+place(jar), jar.File)
	}
	return tree.Bytes(home+"/"+place(jar), slim, 0o644)
}

// libraries is a layer of third-party jars.
func libraries(jars []java.Jar) (*layer.Tree, error) {
	tree := layer.NewTree()
	for _, jar := range jars {
		if err := tree.File(home+"/"+place(jar), jar.File); err != nil {
			return nil, err
		}
	}
	return tree, nil
}
