package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Plan describes the keys to make.
type Plan struct {
	Network    string
	Kind       statement.Kind
	Class      Class
	Validators int // 3f+1
	// Progress receives one line per step. It may be nil.
	Progress func(line string)
}

// Make fills a directory with single-party keys, or finds that it already holds keys of the same plan and of the circuits
// compiled here. It returns the manifest's public key. A lock serialises processes that use the same directory.
func Make(dir string, p Plan) (ed25519.PublicKey, error) {
	if p.Class == LoadTest {
		return nil, fault.New(fault.KeysClass, "keys of this class come from the proof simulator, not from a set-up")
	}
	return p.make(dir, maker{
		provenance: "single-party set-up on one machine: whoever ran it can forge proofs and signatures",
		circuit:    p.setUp,
	})
}

// maker holds the steps in which the classes of keys differ.
type maker struct {
	provenance string
	// circuit makes the keys of one circuit and writes them to the directory.
	circuit func(dir string, network *statement.Network, c *circuit) (*CircuitEntry, error)
	// dealt receives the dealer's secrets before they are dropped. It may be nil.
	dealt func(dir string, d *suite.Dealt) error
}

func (p *Plan) make(dir string, m maker) (ed25519.PublicKey, error) {
	network, err := p.check()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fault.New(fault.KeysMissing, "the directory cannot be made")
	}
	unlock, err := lock(dir, p.say)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(dir, manifestFile)); err == nil {
		return p.reuse(dir)
	}
	return p.fill(dir, network, &m)
}

// ManifestKey reads the key that a development directory names itself. It proves nothing: anyone who can change the directory
// can change the key too.
func ManifestKey(dir string) (ed25519.PublicKey, error) {
	return readHex(filepath.Join(dir, publicKeyFile), ed25519.PublicKeySize)
}

func (p *Plan) check() (*statement.Network, error) {
	if inProduction() {
		return nil, fault.New(fault.KeysClass, "under the production profile keys come from ceremonies only")
	}
	if p.Class != Development && p.Class != LoadTest {
		return nil, fault.New(fault.KeysClass, "keys of this class cannot be made by one party")
	}
	if registry[p.Kind] == nil {
		return nil, fault.New(fault.KeysKind, "unknown kind")
	}
	if p.Validators < 4 || p.Validators%3 != 1 {
		return nil, fault.Newf(fault.CommitteeInvalid, "%d validators are not 3f+1 with f of at least 1", p.Validators)
	}
	return statement.NewNetwork(p.Network)
}

func (p *Plan) say(line string) {
	if p.Progress != nil {
		p.Progress(line)
	}
}

// reuse accepts a directory only if it holds what Make would make now.
func (p *Plan) reuse(dir string) (ed25519.PublicKey, error) {
	key, err := ManifestKey(dir)
	if err != nil {
		return nil, err
	}
	s, err := Open(dir, Expectation{Network: p.Network, Kind: p.Kind, Allowed: Classes(p.Class), ManifestKey: key})
	if err != nil {
		return nil, fault.Newf(fault.KeysMismatch, "%s holds other keys (%v); remove it or choose another directory", dir, err)
	}
	if s.Committee.N() != p.Validators {
		return nil, fault.Newf(fault.KeysMismatch, "%s holds keys of %d validators, want %d", dir, s.Committee.N(), p.Validators)
	}
	p.say("keys already exist: " + dir)
	return key, nil
}

// fill writes the manifest last, so that an interrupted run leaves no directory that looks complete.
func (p *Plan) fill(dir string, network *statement.Network, how *maker) (ed25519.PublicKey, error) {
	m := &Manifest{
		Format: manifestFormat, Network: p.Network, Kind: p.Kind.String(), Class: p.Class.String(),
		Provenance: how.provenance, CreatedAt: time.Now().UTC().Format(time.RFC3339),
	}
	for _, c := range registry[p.Kind] {
		entry, err := how.circuit(dir, network, &c)
		if err != nil {
			return nil, err
		}
		m.Circuits = append(m.Circuits, *entry)
	}
	var err error
	if m.Committee, err = dealCommittee(dir, network, p, how.dealt); err != nil {
		return nil, err
	}
	p.say("committee dealt")
	return sign(dir, m)
}

// setUp makes the keys of one circuit. The secrets of the set-up are dropped when the call returns.
func (p *Plan) setUp(dir string, network *statement.Network, c *circuit) (*CircuitEntry, error) {
	sys, err := c.build(network.Tag())
	if err != nil {
		return nil, err
	}
	return p.setUpOf(dir, c, sys)
}

// setUpOf is setUp for a compiled circuit.
func (p *Plan) setUpOf(dir string, c *circuit, sys *system) (*CircuitEntry, error) {
	start := time.Now()
	p.say(c.name + ": set-up begins")
	var pk groth16.ProvingKey
	var vk groth16.VerifyingKey
	if err := groth16.Setup(sys.R1CS, &pk, &vk); err != nil {
		return nil, fault.Newf(fault.Internal, "set-up of %s", c.name)
	}
	if _, err := groth.NewVerifyingKey(&vk, c.publicInputs); err != nil {
		return nil, err
	}
	e := c.entry(sys)
	var out bytes.Buffer
	if _, err := pk.WriteRawTo(&out); err != nil {
		return nil, fault.New(fault.Internal, "encoding")
	}
	var err error
	if e.ProvingKey, err = write(dir, c.name+".pk", out.Bytes(), 0o644); err != nil {
		return nil, err
	}
	if e.VerifyingKey, err = writeVerifyingKey(dir, c, &vk); err != nil {
		return nil, err
	}
	p.say(c.name + ": done in " + time.Since(start).Round(100*time.Millisecond).String())
	return e, nil
}

// entry describes the circuit. The caller adds the files.
func (c *circuit) entry(sys *system) *CircuitEntry {
	return &CircuitEntry{
		Name: c.name, Version: c.version, Digest: hex.EncodeToString(sys.digest[:]),
		Constraints: sys.GetNbConstraints(), PublicInputs: c.publicInputs,
	}
}

func writeVerifyingKey(dir string, c *circuit, vk *groth16.VerifyingKey) (FileEntry, error) {
	var out bytes.Buffer
	if _, err := vk.WriteRawTo(&out); err != nil {
		return FileEntry{}, fault.New(fault.Internal, "encoding")
	}
	return write(dir, c.name+".vk", out.Bytes(), 0o644)
}

// sign draws a key for this one signature.
func sign(dir string, m *Manifest) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	defer clear(private)
	return public, signWith(dir, m, private)
}

func signWith(dir string, m *Manifest, private ed25519.PrivateKey) error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fault.New(fault.Internal, "encoding")
	}
	raw = append(raw, '\n')
	signature := ed25519.Sign(private, raw)
	public := private.Public().(ed25519.PublicKey)
	for _, f := range []struct {
		name    string
		content []byte
	}{
		{publicKeyFile, []byte(hex.EncodeToString(public) + "\n")},
		{signatureFile, []byte(hex.EncodeToString(signature) + "\n")},
		{manifestFile, raw},
	} {
		if _, err := write(dir, f.name, f.content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
