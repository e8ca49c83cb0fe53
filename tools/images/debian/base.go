package debian

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"regexp"
	"sort"
	"strings"

	"solidus.io/images/layer"
)

// User is the user id of the services. It is a number, because an orchestrator that forbids root cannot check a name.
const User = 65532

// wanted selects the files of each package that go into an image: the C library and the libraries that the Java runtime
// loads, the neutral UTF-8 locale, and the licences. There is no shell and no program but the dynamic loader.
var wanted = map[string]*regexp.Regexp{
	"base-files":  regexp.MustCompile(`^(usr/lib/os-release|etc/debian_version|usr/share/common-licenses/(GPL-[23]|LGPL-(2\.1|2|3)))$`),
	"gcc-12-base": nil,
	"libc-bin":    regexp.MustCompile(`^usr/lib/locale/C\.utf8/`),
	"libc6": regexp.MustCompile(`^(lib64/ld-linux-x86-64\.so\.2|lib/x86_64-linux-gnu/` +
		`(ld-linux-x86-64\.so\.2|lib(c|m)\.so\.6|lib(dl|resolv|nss_dns|nss_files)\.so\.2|libpthread\.so\.0|librt\.so\.1))$`),
	"libgcc-s1": regexp.MustCompile(`^lib/x86_64-linux-gnu/libgcc_s\.so\.1$`),
}

// Names lists the packages of the base.
func Names() []string {
	names := make([]string, 0, len(wanted))
	for name := range wanted {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Base makes the lowest layer: the selected files of each package, the packages' control files where scanners look for them,
// and the files that define the user.
func Base(packages []Package) (*layer.Tree, error) {
	tree := layer.NewTree()
	found := map[string]bool{}
	for _, p := range packages {
		if _, known := wanted[p.Name]; !known {
			return nil, fmt.Errorf("base.lock names %s, but no file of it is selected", p.Name)
		}
		if err := unpack(tree, p); err != nil {
			return nil, err
		}
		found[p.Name] = true
	}
	for name := range wanted {
		if !found[name] {
			return nil, fmt.Errorf("base.lock lacks %s", name)
		}
	}
	return tree, addUser(tree)
}

// addUser adds the user's entries, and the two folders that volumes are mounted on.
func addUser(tree *layer.Tree) error {
	for name, content := range map[string]string{
		"etc/passwd":        fmt.Sprintf("root:x:0:0:root:/:/nonexistent\nsolidus:x:%d:%d:Solidus:/home/solidus:/nonexistent\n", User, User),
		"etc/group":         fmt.Sprintf("root:x:0:\nsolidus:x:%d:\n", User),
		"etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
	} {
		if err := tree.Text(name, content); err != nil {
			return err
		}
	}
	if err := tree.Link("etc/os-release", "../usr/lib/os-release"); err != nil {
		return err
	}
	if err := tree.Folder("home/solidus", 0o700, User); err != nil {
		return err
	}
	return tree.Folder("tmp", 0o1777, 0)
}

func unpack(tree *layer.Tree, p Package) error {
	control, err := exec.Command("dpkg-deb", "--field", p.File).Output()
	if err != nil {
		return fmt.Errorf("dpkg-deb cannot read %s: %w", p.File, err)
	}
	if err := tree.Bytes("var/lib/dpkg/status.d/"+p.Name, control, 0o644); err != nil {
		return err
	}
	archive, err := exec.Command("dpkg-deb", "--fsys-tarfile", p.File).Output()
	if err != nil {
		return fmt.Errorf("dpkg-deb cannot unpack %s: %w", p.File, err)
	}
	return addWanted(tree, p.Name, tar.NewReader(bytes.NewReader(archive)))
}

// addWanted adds the selected files of a package. A copyright file that is a link to another package's folder stays a link.
func addWanted(tree *layer.Tree, name string, archive *tar.Reader) error {
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		file := path.Clean(strings.TrimPrefix(header.Name, "./"))
		isNotice := file == "usr/share/doc/"+name+"/copyright" || file == "usr/share/doc/"+name
		if pattern := wanted[name]; !isNotice && (pattern == nil || !pattern.MatchString(file)) {
			continue
		}
		switch header.Typeflag {
		case tar.TypeSymlink:
			err = tree.Link(file, header.Linkname)
		case tar.TypeReg:
			var content []byte
			if content, err = io.ReadAll(archive); err == nil {
				err = tree.Bytes(file, content, header.Mode&0o755)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}
