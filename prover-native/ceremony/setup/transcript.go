package setup

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
)

// transcript is a folder whose records are read and whose chain is verified. The files of contributions are read later, one
// at a time.
type transcript struct {
	dir         string
	init        Init
	coordinator ed25519.PublicKey
	circuits    []keys.Compiled
	phases      [2]phase
	head        string // digest of the last record
}

type phase struct {
	contributions []Contribution
	signers       []signer
	beacon        *Beacon
}

// current returns the number of the open phase, or 3 when there is none.
func (t *transcript) current() int {
	for i := range t.phases {
		if t.phases[i].beacon == nil {
			return i + 1
		}
	}
	return 3
}

func (t *transcript) phase(n int) *phase { return &t.phases[n-1] }

// open reads the records of a folder: each record is signed and names the previous record, and a record names every file in
// the folder.
//
//spec:id K-02
func open(dir string, coordinator ed25519.PublicKey, circuits []keys.Compiled) (*transcript, error) {
	raw, err := ceremony.Read(filepath.Join(dir, initFile), ceremony.MaxRecord)
	if err != nil {
		return nil, err
	}
	t := &transcript{dir: dir, circuits: circuits, head: ceremony.Digest(raw)}
	if t.coordinator, err = ceremony.Open(raw, kindInit, &t.init); err != nil {
		return nil, err
	}
	if !bytes.Equal(coordinator, t.coordinator) {
		return nil, ceremony.Refuse(ceremony.WrongSigner, "the ceremony belongs to another coordinator")
	}
	if err := t.init.check(circuits); err != nil {
		return nil, err
	}
	for n := 1; n <= 2; n++ {
		if err := t.readPhase(n); err != nil {
			return nil, fmt.Errorf("phase %d: %w", n, err)
		}
	}
	return t, nil
}

func (t *transcript) readPhase(n int) error {
	left, err := ceremony.List(filepath.Join(t.dir, folder(n)))
	if err != nil {
		return err
	}
	if n == 2 && t.phase(1).beacon == nil {
		return nothingLeft(left)
	}
	if n == 2 {
		left = without(left, t.init.expected(2, 0))
	}
	for number := 1; slices.Contains(left, filepath.Base(recordName(n, number))); number++ {
		if number > maxContributions {
			return ceremony.Refuse(ceremony.Surplus, "more than %d contributions", maxContributions)
		}
		if err := t.readContribution(n, number); err != nil {
			return fmt.Errorf("contribution %d: %w", number, err)
		}
		left = without(left, append(t.init.expected(n, number), File{Name: filepath.Base(recordName(n, number))}))
	}
	if slices.Contains(left, beaconFile) {
		if err := t.readBeacon(n); err != nil {
			return fmt.Errorf("beacon: %w", err)
		}
		left = without(left, []File{{Name: beaconFile}})
	}
	return nothingLeft(left)
}

func without(names []string, files []File) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(files, func(f File) bool { return f.Name == name })
	})
}

func nothingLeft(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return ceremony.Refuse(ceremony.Surplus, "%s", strings.Join(names[:min(3, len(names))], ", "))
}

func (t *transcript) readContribution(n, number int) error {
	raw, err := ceremony.Read(filepath.Join(t.dir, recordName(n, number)), ceremony.MaxRecord)
	if err != nil {
		return err
	}
	var c Contribution
	key, err := ceremony.Open(raw, kindContribution, &c)
	if err != nil {
		return err
	}
	if err := c.check(t, n, number); err != nil {
		return err
	}
	p := t.phase(n)
	if err := p.admit(signer{c.Name, key}); err != nil {
		return err
	}
	p.contributions = append(p.contributions, c)
	t.head = ceremony.Digest(raw)
	return nil
}

// admit accepts each name and each key once in a phase.
func (p *phase) admit(s signer) error {
	for _, other := range p.signers {
		if other.name == s.name || bytes.Equal(other.key, s.key) {
			return ceremony.Refuse(ceremony.Repeated, "%s", s.name)
		}
	}
	p.signers = append(p.signers, s)
	return nil
}

func (t *transcript) readBeacon(n int) error {
	raw, err := ceremony.Read(filepath.Join(t.dir, folder(n), beaconFile), ceremony.MaxRecord)
	if err != nil {
		return err
	}
	var b Beacon
	key, err := ceremony.Open(raw, kindBeacon, &b)
	if err != nil {
		return err
	}
	if !bytes.Equal(key, t.coordinator) {
		return ceremony.Refuse(ceremony.WrongSigner, "only the coordinator signs a beacon")
	}
	if err := b.check(t, n); err != nil {
		return err
	}
	if got := len(t.phase(n).contributions); got < t.init.Minimum {
		return ceremony.Refuse(ceremony.TooFew, "%d contributions, want %d", got, t.init.Minimum)
	}
	if n == 2 && b.Value == t.phase(1).beacon.Value {
		return ceremony.Refuse(ceremony.WrongBeacon, "both phases have the same value")
	}
	t.phase(n).beacon = &b
	t.head = ceremony.Digest(raw)
	return nil
}

// read returns a file's bytes. It compares the size before it reads and the digest after.
func (t *transcript) read(n int, f *File) ([]byte, error) {
	b, err := ceremony.ReadExactly(filepath.Join(t.dir, folder(n), f.Name), f.Size)
	if err != nil {
		return nil, err
	}
	if ceremony.Digest(b) != f.SHA256 {
		return nil, ceremony.Refuse(ceremony.WrongDigest, "%s", f.Name)
	}
	return b, nil
}

// put writes files and then the record that names them.
func (t *transcript) put(n int, files []File, contents [][]byte, record string, sign func([]File) ([]byte, error)) error {
	for i := range files {
		files[i].SHA256 = ceremony.Digest(contents[i])
		if err := ceremony.WriteNew(filepath.Join(t.dir, folder(n), files[i].Name), contents[i], 0o644); err != nil {
			return err
		}
	}
	raw, err := sign(files)
	if err != nil {
		return err
	}
	if err := ceremony.WriteNew(filepath.Join(t.dir, record), raw, 0o644); err != nil {
		return err
	}
	t.head = ceremony.Digest(raw)
	return nil
}
