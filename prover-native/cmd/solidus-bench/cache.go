package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/consensys/gnark/backend/groth16"

	identify "solidus.io/prover/internal/r1cs"
)

// keyClass marks cached keys. One party made them in one process, so the user of the benchmark can forge under them. Only
// this command reads their format.
const keyClass = "benchmark"

// keyPair is a Groth16 key pair and the duration of its setup.
type keyPair struct {
	proving     groth16.ProvingKey
	verifying   groth16.VerifyingKey
	setupMillis int64
	fromCache   bool
}

// keyNote describes a cached key pair. It is written last, so that its presence means that the files beside it are complete.
type keyNote struct {
	Class           string `json:"class"`
	Circuit         string `json:"circuit"`
	R1csSha256      string `json:"r1csSha256"`
	SetupMillis     int64  `json:"setupMillis"`
	ProvingSha256   string `json:"provingKeySha256"`
	VerifyingSha256 string `json:"verifyingKeySha256"`
}

const (
	noteFile      = "key.json"
	provingFile   = "proving.dump"
	verifyingFile = "verifying.raw"
)

// place returns the folder of the keys of exactly this constraint system, and the system's digest.
func (s subject) place(system identify.System, cache string) (dir, id string) {
	digest := identify.Digest(system)
	id = hex.EncodeToString(digest[:])
	return filepath.Join(cache, s.name+"-"+id[:16]), id
}

// obtainKeys reads the keys of exactly this constraint system from the cache, or makes and stores them. A damaged or foreign
// cache entry is never used. It is replaced.
func obtainKeys(s subject, system identify.System, cache string, progress io.Writer) (*keyPair, error) {
	dir, id := s.place(system, cache)
	keys, err := s.readKeys(dir, id)
	if err == nil {
		fmt.Fprintf(progress, "%s: keys read from the cache\n", s.name)
		return keys, nil
	}
	if !os.IsNotExist(err) {
		fmt.Fprintf(progress, "%s: cached keys are unusable and will be made again: %v\n", s.name, err)
	}
	if keys, err = setup(s.name, system, progress); err != nil {
		return nil, err
	}
	if err := writeKeys(dir, keys, keyNote{Class: keyClass, Circuit: s.name, R1csSha256: id}); err != nil {
		return nil, fmt.Errorf("store keys of %s: %w", s.name, err)
	}
	return keys, nil
}

// setup runs the single-party setup. The library reports no progress, so the elapsed time is printed.
func setup(name string, system identify.System, progress io.Writer) (*keyPair, error) {
	done := make(chan struct{})
	finished := make(chan struct{})
	start := time.Now()
	go func() {
		defer close(finished)
		tick := time.NewTicker(5 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				fmt.Fprintf(progress, "%s: setup running, %.0f s\n", name, time.Since(start).Seconds())
			}
		}
	}()
	keys := &keyPair{}
	var err error
	keys.proving, keys.verifying, err = groth16.Setup(system)
	keys.setupMillis = time.Since(start).Milliseconds()
	close(done)
	<-finished
	if err != nil {
		return nil, fmt.Errorf("setup of %s: %w", name, err)
	}
	fmt.Fprintf(progress, "%s: setup took %.1f s\n", name, float64(keys.setupMillis)/1000)
	return keys, nil
}

func writeKeys(dir string, keys *keyPair, note keyNote) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var err error
	if note.ProvingSha256, err = writeHashed(filepath.Join(dir, provingFile), keys.proving.WriteDump); err != nil {
		return err
	}
	raw := func(w io.Writer) error { _, err := keys.verifying.WriteRawTo(w); return err }
	if note.VerifyingSha256, err = writeHashed(filepath.Join(dir, verifyingFile), raw); err != nil {
		return err
	}
	note.SetupMillis = keys.setupMillis
	text, err := json.MarshalIndent(note, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, noteFile), append(text, '\n'))
}

func (s subject) readKeys(dir, id string) (*keyPair, error) {
	text, err := os.ReadFile(filepath.Join(dir, noteFile))
	if err != nil {
		return nil, err
	}
	var note keyNote
	if err := json.Unmarshal(text, &note); err != nil {
		return nil, err
	}
	if note.Class != keyClass || note.Circuit != s.name || note.R1csSha256 != id {
		return nil, fmt.Errorf("%s describes other keys", noteFile)
	}
	keys := &keyPair{
		proving: groth16.NewProvingKey(s.curve), verifying: groth16.NewVerifyingKey(s.curve),
		setupMillis: note.SetupMillis, fromCache: true,
	}
	if err := readHashed(filepath.Join(dir, provingFile), note.ProvingSha256, keys.proving.ReadDump); err != nil {
		return nil, err
	}
	raw := func(r io.Reader) error { _, err := keys.verifying.ReadFrom(r); return err }
	if err := readHashed(filepath.Join(dir, verifyingFile), note.VerifyingSha256, raw); err != nil {
		return nil, err
	}
	return keys, nil
}

// writeHashed writes a file and returns its SHA-256.
func writeHashed(path string, write func(io.Writer) error) (string, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	err = write(io.MultiWriter(f, h))
	if closing := f.Close(); err == nil {
		err = closing
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// readHashed calls read only after it compared the file's SHA-256, because the fast formats allocate by lengths in the file.
func readHashed(path, want string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("incomplete cache entry: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != want {
		return fmt.Errorf("%s does not have the recorded digest", filepath.Base(path))
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return read(f)
}

// replaceFile writes a file atomically: readers see the old or the new content.
func replaceFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
