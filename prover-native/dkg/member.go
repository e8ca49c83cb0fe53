package dkg

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

const (
	secretsFormat = "solidus/ceremony-secrets/v2"
	kindCard      = "committee/card"
	cardDomain    = "solidus/ceremony-card/v1"
)

// Secrets are an authority's secrets for one ceremony. It destroys them afterwards. The polynomials are derived from the
// dealing seed, so that an interrupted step continues with the same ones.
type Secrets struct {
	Format      string          `json:"format"`
	Identity    ceremony.Secret `json:"identitySeed"`
	Encryption  ceremony.Secret `json:"encryptionKey"`
	Dealing     ceremony.Secret `json:"dealingSeed"`
	NoteKeySeed ceremony.Secret `json:"noteKeySeed"`
	Newest      string          `json:"newestLine"` // digest of the newest line of the journal that lies beside the file

	journal *journal
}

// NewSecrets draws secrets. The note key's seed is the given one, or a new one where that is nil.
func NewSecrets(noteKeySeed []byte) (*Secrets, error) {
	s := &Secrets{Format: secretsFormat}
	for _, field := range []*ceremony.Secret{&s.Identity, &s.Encryption, &s.Dealing, &s.NoteKeySeed} {
		*field = make([]byte, 32)
		if _, err := rand.Read(*field); err != nil {
			return nil, err
		}
	}
	if noteKeySeed != nil {
		copy(s.NoteKeySeed, noteKeySeed)
	}
	return s, nil
}

// Close clears the secrets and closes their journal.
func (s *Secrets) Close() {
	if s.journal != nil {
		_ = s.journal.close() // each line is on the disk already
	}
	for _, b := range []ceremony.Secret{s.Identity, s.Encryption, s.Dealing, s.NoteKeySeed} {
		suite.Wipe(b)
	}
}

// Save stores the secrets in a file that only the owner can read, and their empty journal beside it. LoadSecrets reads both.
func (s *Secrets) Save(path string) error {
	var err error
	if s.Newest, err = beginJournal(journalPath(path), s.public()); err != nil {
		return err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	defer suite.Wipe(raw)
	return ceremony.WriteNew(path, append(raw, '\n'), 0o600)
}

// LoadSecrets reads the files that Save wrote. No other process can use them until Close.
func LoadSecrets(path string) (*Secrets, error) {
	raw, err := ceremony.ReadPrivate(path, 4096)
	if err != nil {
		return nil, err
	}
	defer suite.Wipe(raw)
	s := &Secrets{}
	if err := json.Unmarshal(raw, s); err != nil || s.Format != secretsFormat {
		return nil, ceremony.Refuse(ceremony.Malformed, "not a file with the secrets of a ceremony")
	}
	for _, b := range []ceremony.Secret{s.Identity, s.Encryption, s.Dealing, s.NoteKeySeed} {
		if len(b) != 32 {
			s.Close()
			return nil, ceremony.Refuse(ceremony.Malformed, "not a file with the secrets of a ceremony")
		}
	}
	if err := ceremony.CheckHex(s.Newest, 32); err != nil {
		s.Close()
		return nil, ceremony.Refuse(ceremony.JournalDamaged, "the secrets do not name a line of their journal. %s", takeNoPart)
	}
	if s.journal, err = openJournal(path, s.public(), s.Newest, int64(bytes.LastIndex(raw, []byte(s.Newest)))); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// public returns the public identity key in hexadecimal.
func (s *Secrets) public() string {
	identity := s.identity()
	defer clear(identity)
	return hexOf(identity.Public().(ed25519.PublicKey))
}

func (s *Secrets) identity() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(s.Identity) }

func (s *Secrets) noteKey() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(s.NoteKeySeed) }

func (s *Secrets) encryption() (*ecdh.PrivateKey, error) {
	return ecdh.X25519().NewPrivateKey(s.Encryption)
}

// Card is an authority's registration for one ceremony. The identity key signs it. The note key signs it too, so that a
// member cannot present the note key of another one.
type Card struct {
	Name       string `json:"name"`
	Network    string `json:"network"`
	Encryption string `json:"encryptionKey"`
	NoteKey    string `json:"noteKey"`
	Possession string `json:"noteKeySignature"`
	Time       string `json:"time"`
}

// member is a checked card.
type member struct {
	index      int
	name       string
	identity   ed25519.PublicKey
	encryption *ecdh.PublicKey
	noteKey    [32]byte
}

// NewCard makes the card of the holder of the secrets.
//
//spec:id D-02
func NewCard(s *Secrets, name, network string) ([]byte, error) {
	encryption, err := s.encryption()
	if err != nil {
		return nil, err
	}
	identity, note := s.identity(), s.noteKey()
	defer clear(identity)
	defer clear(note)
	c := &Card{
		Name: name, Network: network, Encryption: hexOf(encryption.PublicKey().Bytes()),
		NoteKey: hexOf(note.Public().(ed25519.PublicKey)), Time: ceremony.Now(),
	}
	c.Possession = hexOf(ed25519.Sign(note, c.possessionText(identity.Public().(ed25519.PublicKey))))
	raw, err := ceremony.Sign(identity, kindCard, c)
	if err != nil {
		return nil, err
	}
	_, err = openCard(raw, network, 0)
	return raw, err
}

// possessionText is the text that the note key signs: the card's content and its identity key.
func (c *Card) possessionText(identity ed25519.PublicKey) []byte {
	text, _ := json.Marshal([]string{cardDomain, c.Network, c.Name, hexOf(identity), c.Encryption, c.NoteKey, c.Time})
	return text
}

func openCard(raw []byte, network string, index int) (*member, error) {
	var c Card
	identity, err := ceremony.Open(raw, kindCard, &c)
	if err != nil {
		return nil, err
	}
	if err := ceremony.CheckName(c.Name); err != nil {
		return nil, err
	}
	if err := ceremony.CheckTime(c.Time); err != nil {
		return nil, err
	}
	if c.Network != network {
		return nil, ceremony.Refuse(ceremony.OtherCeremony, "the card of %s is for another network", c.Name)
	}
	m := &member{index: index, name: c.Name, identity: identity}
	note, err := bytesOf(c.NoteKey, ed25519.PublicKeySize)
	if err != nil {
		return nil, err
	}
	copy(m.noteKey[:], note)
	possession, err := bytesOf(c.Possession, ed25519.SignatureSize)
	if err != nil {
		return nil, err
	}
	if !ed25519.Verify(note, c.possessionText(identity), possession) {
		return nil, ceremony.Refuse(ceremony.WrongProof, "%s does not prove possession of the note key", c.Name)
	}
	key, err := bytesOf(c.Encryption, encapsulatedBytes)
	if err != nil {
		return nil, err
	}
	if m.encryption, err = ecdh.X25519().NewPublicKey(key); err != nil {
		return nil, ceremony.Refuse(ceremony.Malformed, "invalid encryption key of %s", c.Name)
	}
	return m, nil
}
