package setup

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math/bits"
	"path/filepath"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
)

// Kinds of records.
const (
	kindInit         = "setup/init"
	kindContribution = "setup/contribution"
	kindBeacon       = "setup/beacon"
)

const (
	initFile   = "ceremony.json"
	beaconFile = "beacon.json"

	maxContributions = 999
	minBeacon        = 16
	maxBeacon        = 256
	maxNote          = 400
)

// Init is the body of a ceremony's first record.
type Init struct {
	Ceremony string        `json:"ceremony"` // 16 random bytes
	Network  string        `json:"network"`
	Kind     string        `json:"kind"`
	Minimum  int           `json:"minimum"` // number of contributions that each phase needs
	Beacon   string        `json:"beacon"`  // source of the public random values
	Domain   int           `json:"domain"`  // of phase 1
	Circuits []CircuitPlan `json:"circuits"`
	Software []string      `json:"software"`
	Time     string        `json:"time"`
	// Manifest is the SHA-256 of the network's key manifest in a ceremony for shapes, whose circuits come beside the manifest's. It
	// is empty in the ceremony that makes the keys of the manifest.
	Manifest string `json:"manifestSha256,omitempty"`
}

// Names returns the names of the circuits.
func (in *Init) Names() []string {
	var all []string
	for i := range in.Circuits {
		all = append(all, in.Circuits[i].Name)
	}
	return all
}

// CircuitPlan pins a circuit and its sizes.
type CircuitPlan struct {
	Name         string `json:"name"`
	Version      uint32 `json:"version"`
	Digest       string `json:"r1csSha256"`
	Constraints  int    `json:"constraints"`
	PublicInputs int    `json:"publicInputs"`
	PrivateWires int    `json:"privateWires"`
	Domain       int    `json:"domain"`
}

func (c *CircuitPlan) shape() shape { return shape{c.PrivateWires, c.Domain - 1} }

// File pins a file's content.
type File struct {
	Name   string `json:"file"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Contribution is a participant's record of its files.
type Contribution struct {
	Ceremony string `json:"ceremony"`
	Phase    int    `json:"phase"`
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Previous string `json:"previous"` // SHA-256 of the record before
	Files    []File `json:"files"`
	Time     string `json:"time"`
	Note     string `json:"note,omitempty"`
}

// Beacon is the end of a phase: a public random value.
type Beacon struct {
	Ceremony string `json:"ceremony"`
	Phase    int    `json:"phase"`
	Previous string `json:"previous"`
	Value    string `json:"value"`
	Source   string `json:"source"`
	Next     []File `json:"next,omitempty"` // the initial files of phase 2
	Time     string `json:"time"`
}

func planOf(c *keys.Compiled) CircuitPlan {
	return CircuitPlan{
		Name: c.Name, Version: c.Version, Digest: hex.EncodeToString(c.Digest[:]), Constraints: c.System.GetNbConstraints(),
		PublicInputs: c.PublicInputs, PrivateWires: c.System.GetNbSecretVariables() + c.System.GetNbInternalVariables(),
		Domain: nextPower(c.System.GetNbConstraints()),
	}
}

// nextPower returns the size of the domain for n constraints.
func nextPower(n int) int { return max(2, 1<<bits.Len(uint(n-1))) }

func newInit(network, kind, manifest string, minimum int, beacon string, circuits []keys.Compiled) (*Init, error) {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	in := &Init{
		Ceremony: hex.EncodeToString(id[:]), Network: network, Kind: kind, Minimum: minimum, Beacon: beacon,
		Software: software(), Time: ceremony.Now(), Manifest: manifest,
	}
	for i := range circuits {
		c := planOf(&circuits[i])
		in.Circuits = append(in.Circuits, c)
		in.Domain = max(in.Domain, c.Domain)
	}
	return in, in.check(circuits)
}

// check compares an Init with the circuits that are compiled here.
func (in *Init) check(circuits []keys.Compiled) error {
	if err := ceremony.CheckHex(in.Ceremony, 16); err != nil {
		return err
	}
	if err := ceremony.CheckName(in.Beacon); err != nil {
		return err
	}
	if err := ceremony.CheckTime(in.Time); err != nil {
		return err
	}
	if in.Manifest != "" {
		if err := ceremony.CheckHex(in.Manifest, 32); err != nil {
			return err
		}
	}
	if in.Minimum < 1 || in.Minimum > maxContributions {
		return ceremony.Refuse(ceremony.TooFew, "a minimum of %d", in.Minimum)
	}
	if len(in.Circuits) != len(circuits) || len(circuits) == 0 {
		return ceremony.Refuse(ceremony.WrongCircuit, "%d circuits, want %d", len(in.Circuits), len(circuits))
	}
	largest := 0
	for i := range circuits {
		if want := planOf(&circuits[i]); in.Circuits[i] != want {
			return ceremony.Refuse(ceremony.WrongCircuit, "%s has other constraints than the circuit compiled here", want.Name)
		}
		largest = max(largest, in.Circuits[i].Domain)
	}
	if in.Domain != largest {
		return ceremony.Refuse(ceremony.WrongSize, "a domain of %d, want %d", in.Domain, largest)
	}
	return nil
}

// expected returns the files of a contribution with their sizes.
func (in *Init) expected(phase, number int) []File {
	if phase == 1 {
		return []File{{Name: fmt.Sprintf("%03d.bin", number), Size: powersSize(in.Domain)}}
	}
	var all []File
	for i := range in.Circuits {
		c := &in.Circuits[i]
		f := File{Name: fmt.Sprintf("%03d-%s.bin", number, c.Name), Size: c.shape().size()}
		if number == 0 {
			f.Size = c.shape().initialSize()
		}
		all = append(all, f)
	}
	return all
}

func checkFiles(got, want []File) error {
	if len(got) != len(want) {
		return ceremony.Refuse(ceremony.WrongSize, "%d files, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Name != want[i].Name || got[i].Size != want[i].Size {
			return ceremony.Refuse(ceremony.WrongSize, "%s, want %s with %d bytes", got[i].Name, want[i].Name, want[i].Size)
		}
		if err := ceremony.CheckHex(got[i].SHA256, 32); err != nil {
			return err
		}
	}
	return nil
}

func (c *Contribution) check(t *transcript, phase, number int) error {
	if c.Ceremony != t.init.Ceremony {
		return ceremony.Refuse(ceremony.OtherCeremony, "contribution %d of phase %d", number, phase)
	}
	if c.Phase != phase || c.Number != number || c.Previous != t.head {
		return ceremony.Refuse(ceremony.ChainBroken, "contribution %d of phase %d does not follow the record before it", number, phase)
	}
	if err := ceremony.CheckName(c.Name); err != nil {
		return err
	}
	if err := ceremony.CheckText(c.Note, maxNote); err != nil {
		return err
	}
	if err := ceremony.CheckTime(c.Time); err != nil {
		return err
	}
	return checkFiles(c.Files, t.init.expected(phase, number))
}

func (b *Beacon) check(t *transcript, phase int) error {
	if b.Ceremony != t.init.Ceremony {
		return ceremony.Refuse(ceremony.OtherCeremony, "the beacon of phase %d", phase)
	}
	if b.Phase != phase || b.Previous != t.head {
		return ceremony.Refuse(ceremony.ChainBroken, "the beacon of phase %d does not follow the record before it", phase)
	}
	if err := ceremony.CheckName(b.Source); err != nil {
		return err
	}
	if err := ceremony.CheckTime(b.Time); err != nil {
		return err
	}
	if _, err := b.value(); err != nil {
		return err
	}
	if phase == 2 {
		return checkFiles(b.Next, nil)
	}
	return checkFiles(b.Next, t.init.expected(2, 0))
}

// value returns the random value. It refuses one that is too short.
func (b *Beacon) value() ([]byte, error) {
	v, err := hex.DecodeString(b.Value)
	if err != nil || hex.EncodeToString(v) != b.Value || len(v) < minBeacon || len(v) > maxBeacon {
		return nil, ceremony.Refuse(ceremony.WrongBeacon, "not %d to %d bytes in hexadecimal", minBeacon, maxBeacon)
	}
	return v, nil
}

func folder(phase int) string { return fmt.Sprintf("phase%d", phase) }

func recordName(phase, number int) string {
	return filepath.Join(folder(phase), fmt.Sprintf("%03d.json", number))
}

// signer is a contributor as its record names it.
type signer struct {
	name string
	key  ed25519.PublicKey
}
