// Package layer writes layers of images. The same files give the same bytes on every machine and at every time.
package layer

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// fileTime is the time of every file in every layer: the one that Maven writes into our jars. It is not the commit's time,
// because each commit would then change layers that it did not touch.
var fileTime = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

const directoryMode = 0o755

// entry is one file, folder or symbolic link.
type entry struct {
	mode    int64
	owner   int
	folder  bool
	link    string
	source  string
	content []byte
}

// Tree is the content of a layer. Paths are relative to the root of the file system. All files belong to root, so that the
// user of a service can change nothing, unless Folder says otherwise.
type Tree struct {
	entries map[string]*entry
}

// NewTree returns an empty tree.
func NewTree() *Tree { return &Tree{entries: map[string]*entry{}} }

// Folder adds a folder with this mode and owner. Its parents are added as ordinary folders of root.
func (t *Tree) Folder(name string, mode int64, owner int) error {
	return t.add(name, &entry{folder: true, mode: mode, owner: owner})
}

// Text adds a file that every user may read.
func (t *Tree) Text(name, content string) error {
	return t.add(name, &entry{mode: 0o644, content: []byte(content)})
}

// Bytes adds a file with that content and mode.
func (t *Tree) Bytes(name string, content []byte, mode int64) error {
	return t.add(name, &entry{mode: mode, content: content})
}

// File adds a copy of a file. Of its mode only the executable bit is kept, because the rest depends on the builder's umask.
func (t *Tree) File(name, source string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", source)
	}
	mode := int64(0o644)
	if info.Mode().Perm()&0o100 != 0 {
		mode = 0o755
	}
	return t.add(name, &entry{mode: mode, source: source})
}

// Link adds a symbolic link.
func (t *Tree) Link(name, target string) error {
	return t.add(name, &entry{mode: 0o777, link: target})
}

// Copy adds the files and links under source below name.
func (t *Tree) Copy(name, source string) error {
	return filepath.WalkDir(source, func(file string, item fs.DirEntry, err error) error {
		if err != nil || item.IsDir() {
			return err
		}
		relative, err := filepath.Rel(source, file)
		if err != nil {
			return err
		}
		if item.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(file)
			if err != nil {
				return err
			}
			return t.Link(path.Join(name, relative), target)
		}
		return t.File(path.Join(name, relative), file)
	})
}

// Names lists the files, links and folders of the tree, sorted.
func (t *Tree) Names() []string {
	names := make([]string, 0, len(t.entries))
	for name := range t.entries {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (t *Tree) add(name string, item *entry) error {
	clean := path.Clean(strings.TrimPrefix(name, "/"))
	if clean == "." || strings.HasPrefix(clean, "..") {
		return fmt.Errorf("%q is not a path inside an image", name)
	}
	if before, there := t.entries[clean]; there && (!before.folder || !item.folder) {
		return fmt.Errorf("%s exists twice", clean)
	}
	t.entries[clean] = item
	for parent := path.Dir(clean); parent != "."; parent = path.Dir(parent) {
		before, there := t.entries[parent]
		if there && !before.folder {
			return fmt.Errorf("%s lies below %s, which is not a folder", clean, parent)
		}
		if !there {
			t.entries[parent] = &entry{folder: true, mode: directoryMode}
		}
	}
	return nil
}

// Digest identifies the content of a layer without writing it.
func (t *Tree) Digest() (string, error) {
	sum := sha256.New()
	for _, name := range t.Names() {
		item := t.entries[name]
		content := ""
		if !item.folder && item.link == "" {
			digest, err := item.digest()
			if err != nil {
				return "", err
			}
			content = digest
		}
		fmt.Fprintf(sum, "%q %o %d %t %q %s\n", name, item.mode, item.owner, item.folder, item.link, content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (e *entry) open() (io.ReadCloser, int64, error) {
	if e.source == "" {
		return io.NopCloser(bytes.NewReader(e.content)), int64(len(e.content)), nil
	}
	file, err := os.Open(e.source)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func (e *entry) digest() (string, error) {
	content, _, err := e.open()
	if err != nil {
		return "", err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// WriteTar writes the tree as a tar archive: sorted, with one time for all files and numbers for owners.
func (t *Tree) WriteTar(out io.Writer) error {
	archive := tar.NewWriter(out)
	for _, name := range t.Names() {
		if err := t.entries[name].write(archive, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return archive.Close()
}

func (e *entry) write(archive *tar.Writer, name string) error {
	header := &tar.Header{Name: name, Mode: e.mode, Uid: e.owner, Gid: e.owner, ModTime: fileTime, Format: tar.FormatPAX}
	switch {
	case e.folder:
		header.Typeflag, header.Name = tar.TypeDir, name+"/"
	case e.link != "":
		header.Typeflag, header.Linkname = tar.TypeSymlink, e.link
	default:
		header.Typeflag = tar.TypeReg
		content, size, err := e.open()
		if err != nil {
			return err
		}
		defer content.Close()
		header.Size = size
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err = io.Copy(archive, content)
		return err
	}
	return archive.WriteHeader(header)
}
