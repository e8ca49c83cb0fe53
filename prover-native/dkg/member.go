package dkg

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

const (
	secretsFormat = "solidus/ceremony-secrets/v1"
	kindCard      = "committee/card"
	cardDomain    = "solidus/ceremony-card/v1"
)

// Secrets are what an authority keeps for one ceremony, and destroys afterwards. The polynomials come from the dealing seed,
// so that a step that was interrupted goes on as it began.
type Secrets struct {
	Format      string          `json:"format"`
	Identity    ceremony.Secret `json:"identitySeed"`
	Encryption  ceremony.Secret `json:"encryptionKey"`
	Dealing     ceremony.Secret `json:"dealingSeed"`
	NoteKeySeed ceremony.Secret `json:"noteKeySeed"`
}

// NewSecrets draws secrets. The note key's seed is the one given, or a new one when that is nil.
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

// Close clears the secrets.
func (s *Secrets) Close() {
	for _, b := range []ceremony.Secret{s.Identity, s.Encryption, s.Dealing, s.NoteKeySeed} {
		suite.Wipe(b)
	}
}

// Save stores the secrets for their owner only.
func (s *Secrets) Save(path string) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	defer suite.Wipe(raw)
	return ceremony.WriteNew(path, append(raw, '\n'), 0o600)
}

// LoadSecrets reads what Save stored.
func LoadSecrets(path string) (*Secrets, error) {
	raw, err := ceremony.ReadPrivate(path, 4096)
	if err != nil {
		return nil, err
	}
	defer suite.Wipe(raw)
	s := &Secrets{}
	if err := json.Unmarshal(raw, s); err != nil || s.Format != secretsFormat {
		return nil, ceremony.Refuse(ceremony.Malformed, "no ceremony's secrets")
	}
	for _, b := range []ceremony.Secret{s.Identity, s.Encryption, s.Dealing, s.NoteKeySeed} {
		if len(b) != 32 {
			s.Close()
			return nil, ceremony.Refuse(ceremony.Malformed, "no ceremony's secrets")
		}
	}
	return s, nil
}

func (s *Secrets) identity() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(s.Identity) }

func (s *Secrets) noteKey() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(s.NoteKeySeed) }

func (s *Secrets) encryption() (*ecdh.PrivateKey, error) {
	return ecdh.X25519().NewPrivateKey(s.Encryption)
}

// Card is how an authority takes part in one ceremony. It is signed with the identity key; the note key signs it, too, so
// that nobody takes another's note key for her own.
type Card struct {
	Name       string `json:"name"`
	Network    string `json:"network"`
	Encryption string `json:"encryptionKey"`
	NoteKey    string `json:"noteKey"`
	Possession string `json:"noteKeySignature"`
	Time       string `json:"time"`
}

// member is a card that was checked.
type member struct {
	index      int
	name       string
	identity   ed25519.PublicKey
	encryption *ecdh.PublicKey
	noteKey    [32]byte
}

// NewCard makes the card of whoever holds the secrets.
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
	c.Possession = hexOf(ed25519.Sign(note, c.possessed(identity.Public().(ed25519.PublicKey))))
	raw, err := ceremony.Sign(identity, kindCard, c)
	if err != nil {
		return nil, err
	}
	_, err = openCard(raw, network, 0)
	return raw, err
}

// possessed is what the note key signs: all that the card says and who says it.
func (c *Card) possessed(identity ed25519.PublicKey) []byte {
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
	if !ed25519.Verify(note, c.possessed(identity), possession) {
		return nil, ceremony.Refuse(ceremony.WrongProof, "%s does not show that the note key is hers", c.Name)
	}
	key, err := bytesOf(c.Encryption, encapsulatedBytes)
	if err != nil {
		return nil, err
	}
	if m.encryption, err = ecdh.X25519().NewPublicKey(key); err != nil {
		return nil, ceremony.Refuse(ceremony.Malformed, "the encryption key of %s", c.Name)
	}
	return m, nil
}
