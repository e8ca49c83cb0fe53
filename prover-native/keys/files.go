package keys

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"solidus.io/prover/fault"
)

// readLimited reads a small file completely.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, missing(path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, missing(path, err)
	}
	if int64(len(b)) > limit {
		return nil, fault.New(fault.KeysOversized, filepath.Base(path))
	}
	return b, nil
}

// readPrivate reads a small file completely. It refuses a file that others can read.
func readPrivate(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, missing(path, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fault.Newf(fault.KeysPermissions, "%s has mode %04o, want 0600", filepath.Base(path), info.Mode().Perm())
	}
	return readLimited(path, limit)
}

// readHex reads a file with one hexadecimal line.
func readHex(path string, n int) ([]byte, error) {
	b, err := readLimited(path, 4096)
	if err != nil {
		return nil, err
	}
	value, err := hex.DecodeString(string(bytes.TrimSpace(b)))
	if err != nil || len(value) != n {
		return nil, fault.Newf(fault.KeysManifest, "%s is not %d bytes in hexadecimal", filepath.Base(path), n)
	}
	return value, nil
}

// read returns a file's bytes after comparing size and digest. It never reads more than the manifest says. The file's name is
// fixed by its circuit, so a manifest cannot name another file.
func (e *FileEntry) read(dir, name string, limit int64) ([]byte, error) {
	if e.Name != name {
		return nil, fault.Newf(fault.KeysManifest, "file %q, want %q", e.Name, name)
	}
	if e.Size <= 0 || e.Size > limit {
		return nil, fault.Newf(fault.KeysOversized, "%s of %d bytes", name, e.Size)
	}
	want, err := hex.DecodeString(e.SHA256)
	if err != nil || len(want) != sha256.Size {
		return nil, fault.Newf(fault.KeysManifest, "digest of %s", name)
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, missing(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, missing(name, err)
	}
	switch {
	case info.Size() < e.Size:
		return nil, fault.Newf(fault.KeysTruncated, "%s has %d of %d bytes", name, info.Size(), e.Size)
	case info.Size() > e.Size:
		return nil, fault.Newf(fault.KeysOversized, "%s has %d of %d bytes", name, info.Size(), e.Size)
	}
	b := make([]byte, e.Size)
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fault.New(fault.KeysTruncated, name)
	}
	if got := sha256.Sum256(b); subtle.ConstantTimeCompare(got[:], want) != 1 {
		return nil, fault.New(fault.KeysDigest, name)
	}
	return b, nil
}

// write stores content and returns its entry.
func write(dir, name string, content []byte, mode fs.FileMode) (FileEntry, error) {
	path := filepath.Join(dir, name)
	temporary := path + ".new"
	_ = os.Remove(temporary) // a file from an interrupted run could have another mode
	if err := os.WriteFile(temporary, content, mode); err != nil {
		return FileEntry{}, fault.Newf(fault.KeysMissing, "cannot write %s", name)
	}
	if err := os.Chmod(temporary, mode); err != nil {
		return FileEntry{}, fault.Newf(fault.KeysMissing, "cannot protect %s", name)
	}
	if err := os.Rename(temporary, path); err != nil {
		return FileEntry{}, fault.Newf(fault.KeysMissing, "cannot write %s", name)
	}
	digest := sha256.Sum256(content)
	return FileEntry{Name: name, Size: int64(len(content)), SHA256: hex.EncodeToString(digest[:])}, nil
}

func missing(path string, err error) error {
	what := "cannot be read"
	if errors.Is(err, fs.ErrNotExist) {
		what = "is missing"
	}
	return fault.Newf(fault.KeysMissing, "%s %s", filepath.Base(path), what)
}
