package setup

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/consensys/gnark/backend/groth16/bls12-381/mpcsetup"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/internal/versions"
	"solidus.io/prover/keys"
)

// Ceremony is a ceremony's folder with the caller's own knowledge: the circuits and the expected coordinator.
type Ceremony struct {
	Dir      string
	Circuits []keys.Compiled
	// Coordinator is the key that the coordinator read out. A folder of another one is refused.
	Coordinator ed25519.PublicKey
	// Manifest is the SHA-256 of the network's key manifest, in hexadecimal, where the circuits are shapes. A folder that names
	// another one, or none, is refused.
	Manifest string
	// Say receives progress lines. It may be nil.
	Say func(format string, args ...any)
}

func (c *Ceremony) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(format, args...)
	}
}

func (c *Ceremony) open() (*transcript, error) {
	if err := versions.CheckThisProcess(); err != nil {
		return nil, err
	}
	t, err := open(c.Dir, c.Coordinator, c.Circuits)
	if err == nil && t.init.Manifest != c.Manifest {
		return nil, ceremony.Refuse(ceremony.OtherCeremony, "the ceremony is for another key manifest")
	}
	return t, err
}

// Init begins a ceremony in an empty folder. The beacon is the source of the public random values, announced before they can
// be known.
func (c *Ceremony) Init(network, kind string, minimum int, beacon string, coordinator ed25519.PrivateKey) error {
	in, err := newInit(network, kind, c.Manifest, minimum, beacon, c.Circuits)
	if err != nil {
		return err
	}
	left, err := ceremony.List(c.Dir)
	if err != nil {
		return err
	}
	if len(left) != 0 {
		return ceremony.Refuse(ceremony.Exists, "the folder is not empty")
	}
	raw, err := ceremony.Sign(coordinator, kindInit, in)
	if err != nil {
		return err
	}
	return ceremony.WriteNew(filepath.Join(c.Dir, initFile), raw, 0o644)
}

// openPhase opens the transcript and returns the number of its open phase.
func (c *Ceremony) openPhase() (*transcript, int, error) {
	t, err := c.open()
	if err != nil {
		return nil, 0, err
	}
	if t.current() > 2 {
		return nil, 0, ceremony.Refuse(ceremony.WrongPhase, "the ceremony is over")
	}
	return t, t.current(), nil
}

// ReadInit reads the first record of a folder, under the key that the folder names.
func ReadInit(dir string) (*Init, ed25519.PublicKey, error) {
	raw, err := ceremony.Read(filepath.Join(dir, initFile), ceremony.MaxRecord)
	if err != nil {
		return nil, nil, err
	}
	var in Init
	key, err := ceremony.Open(raw, kindInit, &in)
	return &in, key, err
}

// Contribute adds a contribution to the open phase. The secrets come from the system's generator and are never written. They
// are cleared before the call returns, except for copies that the libraries keep.
func (c *Ceremony) Contribute(name, note string, key ed25519.PrivateKey) error {
	t, n, err := c.openPhase()
	if err != nil {
		return err
	}
	p := t.phase(n)
	if err := errors.Join(ceremony.CheckName(name), ceremony.CheckText(note, maxNote)); err != nil {
		return err
	}
	if err := p.admit(signer{name, key.Public().(ed25519.PublicKey)}); err != nil {
		return err
	}
	contribution := &Contribution{
		Ceremony: t.init.Ceremony, Phase: n, Number: len(p.contributions) + 1, Name: name, Previous: t.head,
		Time: ceremony.Now(), Note: note,
	}
	var contents [][]byte
	if n == 1 {
		contents, err = t.addToPhase1()
	} else {
		contents, err = t.addToPhase2()
	}
	if err != nil {
		return err
	}
	contribution.Files = t.init.expected(n, contribution.Number)
	return t.put(n, contribution.Files, contents, recordName(n, contribution.Number), func(files []File) ([]byte, error) {
		contribution.Files = files
		if err := contribution.check(t, n, contribution.Number); err != nil {
			return nil, err
		}
		c.say("phase %d, contribution %d, %s", n, contribution.Number, files[0].SHA256)
		return ceremony.Sign(key, kindContribution, contribution)
	})
}

// addToPhase1 continues from the last contribution, whose points it checks. It does not verify the contributions before that.
// Verify does.
func (t *transcript) addToPhase1() ([][]byte, error) {
	p, err := newPowers(t.init.Domain)
	if err != nil {
		return nil, err
	}
	if all := t.phase(1).contributions; len(all) > 0 {
		if p, err = t.powersOf(&all[len(all)-1]); err != nil {
			return nil, err
		}
	}
	raw, err := p.contribute()
	return [][]byte{raw}, err
}

func (t *transcript) addToPhase2() ([][]byte, error) {
	all := t.phase(2).contributions
	files := t.phase(1).beacon.Next
	if len(all) > 0 {
		files = all[len(all)-1].Files
	}
	var contents [][]byte
	for i := range files {
		raw, err := t.read(2, &files[i])
		if err != nil {
			return nil, err
		}
		p, err := readPhase2(raw, t.init.Circuits[i].shape(), len(all) == 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Name, err)
		}
		if err := contributePhase2(p, digestOf(raw)); err != nil {
			return nil, err
		}
		out, err := encodePhase2(p)
		if err != nil {
			return nil, err
		}
		contents = append(contents, out)
	}
	return contents, nil
}

// EndPhase ends the open phase with a public random value. It verifies phase 1 before it ends it, and writes the initial
// files of phase 2. It does not verify phase 2. Verify does.
func (c *Ceremony) EndPhase(value, source string, coordinator ed25519.PrivateKey) error {
	t, n, err := c.openPhase()
	if err != nil {
		return err
	}
	if !t.coordinator.Equal(coordinator.Public()) {
		return ceremony.Refuse(ceremony.WrongSigner, "only the coordinator signs a beacon")
	}
	if got := len(t.phase(n).contributions); got < t.init.Minimum {
		return ceremony.Refuse(ceremony.TooFew, "%d contributions, want %d", got, t.init.Minimum)
	}
	if n == 2 && value == t.phase(1).beacon.Value {
		return ceremony.Refuse(ceremony.WrongBeacon, "both phases have the same value")
	}
	b := &Beacon{Ceremony: t.init.Ceremony, Phase: n, Previous: t.head, Value: value, Source: source, Time: ceremony.Now()}
	if _, err := b.value(); err != nil {
		return err
	}
	if err := ceremony.CheckName(source); err != nil {
		return err
	}
	var contents [][]byte
	if n == 1 {
		b.Next = t.init.expected(2, 0)
		if contents, err = t.starts(b, c.say); err != nil {
			return err
		}
	}
	return t.put(2, b.Next, contents, filepath.Join(folder(n), beaconFile), func(files []File) ([]byte, error) {
		b.Next = files
		if err := b.check(t, n); err != nil {
			return nil, err
		}
		return ceremony.Sign(coordinator, kindBeacon, b)
	})
}

// starts replays phase 1 and computes the initial state of phase 2 for each circuit.
func (t *transcript) starts(b *Beacon, say func(string, ...any)) ([][]byte, error) {
	commons, err := t.sealPhase1(b, say)
	if err != nil {
		return nil, err
	}
	var contents [][]byte
	for i := range t.circuits {
		s, err := begin(commons, &t.circuits[i], &t.init.Circuits[i])
		if err != nil {
			return nil, err
		}
		say("phase 2 of %s starts", t.circuits[i].Name)
		contents = append(contents, s.encoded)
	}
	return contents, nil
}

func (t *transcript) sealPhase1(b *Beacon, say func(string, ...any)) (*mpcsetup.SrsCommons, error) {
	value, err := b.value()
	if err != nil {
		return nil, err
	}
	last, err := t.replayPhase1(say)
	if err != nil {
		return nil, err
	}
	return last.seal(value), nil
}

// Result is the result of a transcript.
type Result struct {
	Init         Init
	Coordinator  string
	Contributors [2][]string // by phase: name and key
	Beacons      [2]Beacon
	Digest       string // of a finished transcript
	EndedAt      string
	Circuits     []keys.SealedCircuit
}

// Verify replays a transcript from its first record: signatures, digests, every contribution against the one before it,
// beacons, and the circuits that are compiled here. It returns the keys, which are the same bit for bit for every reader. Of an
// unfinished ceremony it verifies the existing records and returns no keys.
func (c *Ceremony) Verify() (*Result, error) {
	t, err := c.open()
	if err != nil {
		return nil, err
	}
	r := &Result{Init: t.init, Coordinator: hex.EncodeToString(t.coordinator)}
	for i := range t.phases {
		for _, s := range t.phases[i].signers {
			r.Contributors[i] = append(r.Contributors[i], fmt.Sprintf("%s (%x)", s.name, s.key))
		}
		if b := t.phases[i].beacon; b != nil {
			r.Beacons[i] = *b
		}
	}
	if t.phase(1).beacon == nil {
		_, err := t.replayPhase1(c.say)
		return r, err
	}
	commons, err := t.sealPhase1(t.phase(1).beacon, c.say)
	if err != nil {
		return nil, err
	}
	if t.phase(2).beacon == nil {
		return r, t.verifyOpenPhase2(commons, c.say)
	}
	for i := range t.circuits {
		sealed, err := t.replayPhase2(commons, i, c.say)
		if err != nil {
			return nil, err
		}
		r.Circuits = append(r.Circuits, *sealed)
	}
	r.Digest, r.EndedAt = t.head, t.phase(2).beacon.Time
	return r, nil
}

// verifyOpenPhase2 replays an unfinished phase 2, with a dummy value in place of the beacon.
func (t *transcript) verifyOpenPhase2(commons *mpcsetup.SrsCommons, say func(string, ...any)) error {
	t.phase(2).beacon = &Beacon{Value: hex.EncodeToString(make([]byte, minBeacon))}
	defer func() { t.phase(2).beacon = nil }()
	for i := range t.circuits {
		if _, err := t.replayPhase2(commons, i, say); err != nil {
			return err
		}
	}
	return nil
}
