package ceremony

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"solidus.io/prover/suite"
)

// Read returns the bytes of a regular file, at most limit.
func Read(path string, limit int64) ([]byte, error) {
	name := filepath.Base(path)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, Refuse(Malformed, "%s is not a regular file", name)
	}
	if info.Size() > limit {
		return nil, Refuse(WrongSize, "%s has %d bytes, at most %d", name, info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if int64(len(b)) > limit {
		return nil, Refuse(WrongSize, "%s grew while it was read", name)
	}
	return b, nil
}

// ReadExactly is Read for a file of known size. It compares the size before it reads.
func ReadExactly(path string, size int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, unreadable(filepath.Base(path), err)
	}
	if info.Size() != size {
		return nil, Refuse(WrongSize, "%s has %d bytes, want %d", filepath.Base(path), info.Size(), size)
	}
	b, err := Read(path, size)
	if err == nil && int64(len(b)) != size {
		return nil, Refuse(WrongSize, "%s shrank while it was read", filepath.Base(path))
	}
	return b, err
}

// ReadPrivate is Read for a file that only its owner may read.
func ReadPrivate(path string, limit int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, unreadable(filepath.Base(path), err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, Refuse(Permissions, "%s has mode %04o, want 0600", filepath.Base(path), info.Mode().Perm())
	}
	return Read(path, limit)
}

func unreadable(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return Refuse(Missing, "%s", name)
	}
	return Refuse(Missing, "%s cannot be read", name)
}

// WriteNew stores a new file completely or not at all. The content is on disk when it returns.
func WriteNew(path string, content []byte, mode fs.FileMode) error {
	name := filepath.Base(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return Refuse(Missing, "the folder of %s cannot be made", name)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+name+".*")
	if err != nil {
		return Refuse(Missing, "%s cannot be written", name)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return Refuse(Missing, "%s cannot be written", name)
	}
	if err := os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return Refuse(Exists, "%s", name)
	} else if err != nil {
		return Refuse(Missing, "%s cannot be written", name)
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err == nil {
		err = errors.Join(d.Sync(), d.Close())
	}
	if err != nil {
		return Refuse(Missing, "%s cannot be written", filepath.Base(dir))
	}
	return nil
}

// List returns the names in a folder, which may be missing. It skips names that begin with a dot.
func List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(filepath.Base(dir), err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// signingKey is the file form of a participant's Ed25519 key.
type signingKey struct {
	Format string `json:"format"`
	Seed   Secret `json:"seed"`
}

const signingKeyFormat = "solidus/ceremony-key/v1"

// MakeKey draws a signing key, stores it readable by its owner only, and returns its public half.
func MakeKey(path string) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	defer clear(private)
	raw, err := json.Marshal(&signingKey{Format: signingKeyFormat, Seed: private.Seed()})
	if err != nil {
		return nil, err
	}
	defer suite.Wipe(raw)
	return public, WriteNew(path, append(raw, '\n'), 0o600)
}

// ReadKey reads a signing key. Callers clear it.
func ReadKey(path string) (ed25519.PrivateKey, error) {
	raw, err := ReadPrivate(path, 4096)
	if err != nil {
		return nil, err
	}
	defer suite.Wipe(raw)
	var k signingKey
	if err := strict(raw, &k); err != nil {
		return nil, err
	}
	defer suite.Wipe(k.Seed)
	if k.Format != signingKeyFormat || len(k.Seed) != ed25519.SeedSize {
		return nil, Refuse(Malformed, "%s is not a signing key", filepath.Base(path))
	}
	return ed25519.NewKeyFromSeed(k.Seed), nil
}

// Secret is a byte string in hexadecimal that can be cleared.
type Secret []byte

// MarshalJSON writes a hexadecimal string.
func (s Secret) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 2*len(s)+2)
	return append(hex.AppendEncode(append(out, '"'), s), '"'), nil
}

// UnmarshalJSON reads a hexadecimal string.
func (s *Secret) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return Refuse(Malformed, "not a string")
	}
	value := make([]byte, hex.DecodedLen(len(b)-2))
	if _, err := hex.Decode(value, b[1:len(b)-1]); err != nil {
		return Refuse(Malformed, "not hexadecimal")
	}
	*s = value
	return nil
}
