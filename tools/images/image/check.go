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

// mayRun are the only files that carry the executable bit and are programs; shared libraries carry it as well.
var mayRun = map[string]bool{
	"lib/x86_64-linux-gnu/ld-linux-x86-64.so.2": true,
	"opt/java/bin/java":                         true,
	"opt/java/lib/jspawnhelper":                 true,
}

// CheckConfig fails when a container of this image would run as root, through a shell, or as a name that nobody can check.
func CheckConfig(config v1.Config) error {
	if config.User != fmt.Sprintf("%d:%d", debian.User, debian.User) {
		return fmt.Errorf("it would run as %q", config.User)
	}
	if len(config.Entrypoint) == 0 || config.Entrypoint[0] != "/opt/java/bin/java" {
		return fmt.Errorf("its entry point is %v, not Java itself", config.Entrypoint)
	}
	if len(config.Volumes) > 0 {
		return fmt.Errorf("it declares volumes, which engines make writable unasked")
	}
	return nil
}

// CheckLayer reads a layer as it was written and fails on what no layer may hold.
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
		return fmt.Errorf("%s is neither a file nor a folder nor a link", name)
	case mode&0o6000 != 0:
		return fmt.Errorf("%s changes the user of whoever runs it", name)
	case header.Uid != 0 && name != "home/solidus":
		return fmt.Errorf("%s belongs to user %d", name, header.Uid)
	case mode&0o022 != 0 && header.Typeflag != tar.TypeSymlink && name != "tmp":
		return fmt.Errorf("%s can be written by others", name)
	case header.Typeflag == tar.TypeReg && mode&0o111 != 0 && !mayRun[name] && !strings.Contains(path.Base(name), ".so"):
		return fmt.Errorf("%s is a program that no image needs", name)
	}
	return nil
}
