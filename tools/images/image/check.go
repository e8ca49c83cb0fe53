package image

import (
	"archive/tar"
	"fmt"
	"io"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"solidus.io/images/debian"
	"solidus.io/images/layer"
)

// mayRun are the only programs that may have the executable bit. Shared libraries have it as well.
var mayRun = map[string]bool{
	"lib/x86_64-linux-gnu/ld-linux-x86-64.so.2": true,
	"opt/java/bin/java":                         true,
	"opt/java/lib/jspawnhelper":                 true,
}

// CheckConfig fails when a container of this image would run as root, through a shell, or under a user name instead of a
// number.
func CheckConfig(config v1.Config) error {
	if config.User != fmt.Sprintf("%d:%d", debian.User, debian.User) {
		return fmt.Errorf("the image would run as user %q", config.User)
	}
	if len(config.Entrypoint) == 0 || config.Entrypoint[0] != "/opt/java/bin/java" {
		return fmt.Errorf("the entry point is %v, not Java itself", config.Entrypoint)
	}
	if len(config.Volumes) > 0 {
		return fmt.Errorf("the image declares volumes, which container engines make writable by default")
	}
	return nil
}

// CheckLayer reads a written layer and fails on files that no layer may contain.
func CheckLayer(written *layer.Layer) error {
	content, err := written.Uncompressed()
	if err != nil {
		return err
	}
	defer content.Close()
	archive := tar.NewReader(content)
	for before := ""; ; {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(header.Name, "/")
		if name <= before {
			return fmt.Errorf("%s comes after %s", name, before)
		}
		before = name
		if err := checkEntry(name, header); err != nil {
			return err
		}
	}
}

func checkEntry(name string, header *tar.Header) error {
	mode := header.Mode
	switch {
	case header.Typeflag != tar.TypeReg && header.Typeflag != tar.TypeDir && header.Typeflag != tar.TypeSymlink:
		return fmt.Errorf("%s is not a file, folder or link", name)
	case mode&0o6000 != 0:
		return fmt.Errorf("%s has the set-user or set-group bit", name)
	case header.Uid != 0 && name != "home/solidus":
		return fmt.Errorf("%s belongs to user %d", name, header.Uid)
	case mode&0o022 != 0 && header.Typeflag != tar.TypeSymlink && name != "tmp":
		return fmt.Errorf("%s is writable by others", name)
	case header.Typeflag == tar.TypeReg && mode&0o111 != 0 && !mayRun[name] && !strings.Contains(path.Base(name), ".so"):
		return fmt.Errorf("%s is a program that is not on the list of allowed ones", name)
	}
	return nil
}
