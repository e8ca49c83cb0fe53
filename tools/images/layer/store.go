package layer

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// generation is increased when existing layers in stores must not be used any more.
const generation = "2"

// Store keeps written layers by the digest of their content, so that an unchanged layer is not compressed again.
type Store struct {
	folder string
}

// Open opens a folder as a store. The folder may be new.
func Open(folder string) (*Store, error) {
	return &Store{folder: folder}, os.MkdirAll(folder, 0o755)
}

// Layer is a layer in the store.
type Layer struct {
	file   string
	record record
	// Reused reports that the layer was already in the store.
	Reused bool
}

// record describes a stored layer.
type record struct {
	Digest v1.Hash `json:"digest"`
	DiffID v1.Hash `json:"diffId"`
	Size   int64   `json:"size"`
	Full   int64   `json:"uncompressed"`
}

// Add returns the layer of a tree. It writes the layer unless the store has it.
func (s *Store) Add(tree *Tree) (*Layer, error) {
	content, err := tree.Digest()
	if err != nil {
		return nil, err
	}
	// another release of Go may compress differently
	key := fmt.Sprintf("%x", sha256.Sum256([]byte(generation+" "+content+" "+runtime.Version())))
	blob, note := filepath.Join(s.folder, key+".tar.gz"), filepath.Join(s.folder, key+".json")
	if known, ok := readRecord(blob, note); ok {
		return &Layer{file: blob, record: known, Reused: true}, nil
	}
	written, err := s.write(tree, blob)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(written)
	if err != nil {
		return nil, err
	}
	return &Layer{file: blob, record: written}, replace(note, text)
}

// Forget removes a layer from the store.
func (s *Store) Forget(made *Layer) error { return os.Remove(made.file) }

func readRecord(blob, note string) (record, bool) {
	var known record
	text, err := os.ReadFile(note)
	if err != nil || json.Unmarshal(text, &known) != nil {
		return known, false
	}
	info, err := os.Stat(blob)
	return known, err == nil && info.Size() == known.Size
}

func (s *Store) write(tree *Tree, blob string) (record, error) {
	file, err := os.CreateTemp(s.folder, "writing-")
	if err != nil {
		return record{}, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	packed, full := &counter{sum: sha256.New()}, &counter{sum: sha256.New()}
	// the header has no name and no time
	zipped := gzip.NewWriter(io.MultiWriter(file, packed))
	if err := tree.WriteTar(io.MultiWriter(zipped, full)); err != nil {
		return record{}, err
	}
	if err := zipped.Close(); err != nil {
		return record{}, err
	}
	if err := file.Close(); err != nil {
		return record{}, err
	}
	written := record{Digest: packed.hash(), DiffID: full.hash(), Size: packed.count, Full: full.count}
	return written, os.Rename(file.Name(), blob)
}

func replace(name string, content []byte) error {
	temporary := fmt.Sprintf("%s.%d", name, os.Getpid())
	if err := os.WriteFile(temporary, content, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

type counter struct {
	sum   hash.Hash
	count int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.count += int64(len(p))
	return c.sum.Write(p)
}

func (c *counter) hash() v1.Hash {
	return v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(c.sum.Sum(nil))}
}

// Digest is the digest of the compressed layer.
func (l *Layer) Digest() (v1.Hash, error) { return l.record.Digest, nil }

// DiffID is the digest of the tar archive.
func (l *Layer) DiffID() (v1.Hash, error) { return l.record.DiffID, nil }

// Size is the compressed size in bytes.
func (l *Layer) Size() (int64, error) { return l.record.Size, nil }

// FullSize is the size of the tar archive in bytes.
func (l *Layer) FullSize() int64 { return l.record.Full }

// MediaType is that of OCI.
func (l *Layer) MediaType() (types.MediaType, error) { return types.OCILayer, nil }

// Compressed opens the layer as it is stored.
func (l *Layer) Compressed() (io.ReadCloser, error) { return os.Open(l.file) }

// Uncompressed opens the tar archive.
func (l *Layer) Uncompressed() (io.ReadCloser, error) {
	file, err := os.Open(l.file)
	if err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{plain, file}, nil
}
