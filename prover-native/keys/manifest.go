package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"io"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

const (
	manifestFormat = "solidus/keys/v1"
	manifestFile   = "manifest.json"
	signatureFile  = "manifest.sig"
	publicKeyFile  = "manifest.pub"

	// Limits that are checked before anything is parsed or allocated.
	maxManifest     = 1 << 20
	maxProvingKey   = 1 << 30
	maxVerifyingKey = 1 << 20
)

// Manifest describes a key directory. Its JSON is signed byte by byte.
type Manifest struct {
	Format     string         `json:"format"`
	Network    string         `json:"networkId"`
	Kind       string         `json:"kind"`
	Class      string         `json:"class"`
	Provenance string         `json:"provenance"`
	CreatedAt  string         `json:"createdAt"`
	Circuits   []CircuitEntry `json:"circuits"`
	Committee  CommitteeEntry `json:"committee"`
	// Former are the committees of the epochs before, the newest first.
	Former []FormerEntry `json:"former,omitempty"`
	// Transcripts name the ceremonies that made keys of the ceremony class. Other classes have none.
	Transcripts []TranscriptEntry `json:"transcripts,omitempty"`
}

// CircuitEntry binds key files to a circuit.
type CircuitEntry struct {
	Name         string    `json:"name"`
	Version      uint32    `json:"version"`
	Digest       string    `json:"r1csSha256"`
	Constraints  int       `json:"constraints"`
	PublicInputs int       `json:"publicInputs"`
	ProvingKey   FileEntry `json:"provingKey,omitzero"` // load-test keys have none
	VerifyingKey FileEntry `json:"verifyingKey"`
}

// FileEntry fixes a file's content.
type FileEntry struct {
	Name   string `json:"file"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// CommitteeEntry holds a committee's public keys in hexadecimal.
type CommitteeEntry struct {
	Epoch   uint32        `json:"epoch"`
	F       int           `json:"f"`
	X       string        `json:"x"`
	Y       string        `json:"y"`
	Y1      string        `json:"y1"`
	Members []MemberEntry `json:"members"`
}

// FormerEntry is the committee of a former epoch of the same key, with times of RFC 3339.
type FormerEntry struct {
	// ManifestSHA256 is the digest of the manifest in which it was the committee. Envelopes of its shares are bound to that.
	ManifestSHA256 string `json:"manifestSha256"`
	// SharesUntil ends the time in which authorities sign with the shares of this epoch too.
	SharesUntil string `json:"sharesUntil"`
	// NoteKeysUntil ends the time in which a member's note key counts that is not its key any more.
	NoteKeysUntil string         `json:"noteKeysUntil"`
	Committee     CommitteeEntry `json:"committee"`
}

// MemberEntry holds one authority's public keys in hexadecimal.
type MemberEntry struct {
	Index   int    `json:"index"`
	X       string `json:"x"`
	Y       string `json:"y"`
	Gamma   string `json:"gamma"`
	NoteKey string `json:"noteKey"`
}

// parseManifest verifies the signature first, so that only bytes of the signer are ever parsed.
//
//spec:id F-29
func parseManifest(raw, signature []byte, key ed25519.PublicKey) (*Manifest, error) {
	if len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, raw, signature) {
		return nil, fault.New(fault.KeysSignature, "")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var m Manifest
	if err := d.Decode(&m); err != nil {
		return nil, fault.New(fault.KeysManifest, "not the expected JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fault.New(fault.KeysManifest, "trailing data")
	}
	if m.Format != manifestFormat {
		return nil, fault.Newf(fault.KeysManifest, "format %q", m.Format)
	}
	return &m, nil
}

func (m *Manifest) circuit(name string) (*CircuitEntry, error) {
	var found *CircuitEntry
	for i := range m.Circuits {
		if m.Circuits[i].Name != name {
			continue
		}
		if found != nil {
			return nil, fault.Newf(fault.KeysManifest, "%s occurs twice", name)
		}
		found = &m.Circuits[i]
	}
	if found == nil {
		return nil, fault.New(fault.KeysNoCircuit, name)
	}
	return found, nil
}

func encodeCommittee(c *suite.Committee) (CommitteeEntry, error) {
	e := CommitteeEntry{Epoch: c.Epoch, F: c.F}
	enc := &hexEncoder{}
	e.X, e.Y, e.Y1 = enc.g2(&c.X), enc.g2(&c.Y), enc.g1(&c.Y1)
	for i := range c.Members {
		m := &c.Members[i]
		e.Members = append(e.Members, MemberEntry{
			Index: m.Index, X: enc.g2(&m.X), Y: enc.g2(&m.Y), Gamma: enc.g1(&m.Gamma), NoteKey: hex.EncodeToString(m.NoteKey[:]),
		})
	}
	return e, enc.err
}

// decode reads and checks a committee.
func (e *CommitteeEntry) decode() (*suite.Committee, error) {
	if len(e.Members) > suite.MaxAuthorities {
		return nil, fault.New(fault.CommitteeInvalid, "too many members")
	}
	dec := &hexDecoder{}
	c := &suite.Committee{Epoch: e.Epoch, F: e.F, X: dec.g2(e.X), Y: dec.g2(e.Y), Y1: dec.g1(e.Y1)}
	for i := range e.Members {
		m := &e.Members[i]
		member := suite.Member{Index: m.Index, X: dec.g2(m.X), Y: dec.g2(m.Y), Gamma: dec.g1(m.Gamma)}
		copy(member.NoteKey[:], dec.bytes(m.NoteKey, len(member.NoteKey)))
		c.Members = append(c.Members, member)
	}
	if dec.err != nil {
		return nil, dec.err
	}
	return c, c.Check()
}

// hexEncoder and hexDecoder keep the first error of a series.
type hexEncoder struct{ err error }

func (e *hexEncoder) g1(p *suite.G1) string { return e.keep(suite.EncodeG1(p)) }

func (e *hexEncoder) g2(p *suite.G2) string { return e.keep(suite.EncodeG2(p)) }

func (e *hexEncoder) keep(b []byte, err error) string {
	if e.err == nil {
		e.err = err
	}
	return hex.EncodeToString(b)
}

type hexDecoder struct{ err error }

func (d *hexDecoder) g1(s string) suite.G1 {
	p, err := suite.DecodeG1(d.bytes(s, suite.G1Bytes))
	d.keep(err)
	return p
}

func (d *hexDecoder) g2(s string) suite.G2 {
	p, err := suite.DecodeG2(d.bytes(s, suite.G2Bytes))
	d.keep(err)
	return p
}

func (d *hexDecoder) bytes(s string, n int) []byte {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != n {
		d.keep(fault.New(fault.KeysManifest, "hexadecimal"))
		return nil
	}
	return b
}

func (d *hexDecoder) keep(err error) {
	if d.err == nil {
		d.err = err
	}
}
