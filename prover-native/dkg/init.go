package dkg

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"path/filepath"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Purpose is the result that a ceremony is for.
type Purpose string

// The purposes.
const (
	MakeKey Purpose = "key"
	Refresh Purpose = "refresh"
	Recover Purpose = "recover"
)

const (
	kindInit = "committee/init"
	initFile = "ceremony.json"
)

// Init is the body of a ceremony's first record.
type Init struct {
	Ceremony string               `json:"ceremony"` // 16 random bytes
	Purpose  Purpose              `json:"purpose"`
	Network  string               `json:"network"`
	F        int                  `json:"f"`
	Epoch    uint32               `json:"epoch"`          // of the new shares
	Lost     int                  `json:"lost,omitempty"` // index of the member whose share is restored
	Previous *keys.CommitteeEntry `json:"previous,omitempty"`
	Cards    []string             `json:"cards"` // of the members, by index
	Time     string               `json:"time"`
}

// Plan holds the coordinator's choices for a ceremony.
type Plan struct {
	Purpose  Purpose
	Network  string
	Cards    [][]byte         // by index
	Previous *suite.Committee // of a refresh or a recovery
	Lost     int
}

// Begin writes the first record into an empty folder.
func Begin(dir string, p *Plan, coordinator ed25519.PrivateKey) error {
	left, err := ceremony.List(dir)
	if err != nil {
		return err
	}
	if len(left) != 0 {
		return ceremony.Refuse(ceremony.Exists, "the folder is not empty")
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	in := &Init{
		Ceremony: hexOf(id[:]), Purpose: p.Purpose, Network: p.Network, F: (len(p.Cards) - 1) / 3, Lost: p.Lost, Time: ceremony.Now(),
	}
	for _, c := range p.Cards {
		in.Cards = append(in.Cards, string(c))
	}
	if p.Previous != nil {
		entry, err := keys.EncodeCommittee(p.Previous)
		if err != nil {
			return err
		}
		in.Previous, in.Epoch = &entry, p.Previous.Epoch+1
	}
	if _, err := in.check(); err != nil {
		return err
	}
	raw, err := ceremony.Sign(coordinator, kindInit, in)
	if err != nil {
		return err
	}
	return ceremony.WriteNew(filepath.Join(dir, initFile), raw, 0o644)
}

// roster is the checked content of an Init.
type roster struct {
	members  []*member
	previous *suite.Committee
	rows     []row
}

// check holds an Init against its own rules.
//
//spec:id D-03
func (in *Init) check() (*roster, error) {
	if err := ceremony.CheckHex(in.Ceremony, 16); err != nil {
		return nil, err
	}
	if err := ceremony.CheckTime(in.Time); err != nil {
		return nil, err
	}
	if _, err := statement.NewNetwork(in.Network); err != nil {
		return nil, ceremony.Refuse(ceremony.Malformed, "invalid network id")
	}
	n := 3*in.F + 1
	if in.F < 1 || n > suite.MaxAuthorities || len(in.Cards) != n {
		return nil, ceremony.Refuse(ceremony.WrongMember, "%d members, want 3f+1 with f of at least 1", len(in.Cards))
	}
	r := &roster{}
	for i, raw := range in.Cards {
		m, err := openCard([]byte(raw), in.Network, i+1)
		if err != nil {
			return nil, err
		}
		if err := r.admit(m); err != nil {
			return nil, err
		}
	}
	if err := in.checkPurpose(r); err != nil {
		return nil, err
	}
	r.rows = in.rows()
	return r, nil
}

func (r *roster) admit(m *member) error {
	for _, other := range r.members {
		if other.name == m.name || bytes.Equal(other.identity, m.identity) || other.noteKey == m.noteKey ||
			other.encryption.Equal(m.encryption) {
			return ceremony.Refuse(ceremony.Repeated, "%s and %s share a name or a key", other.name, m.name)
		}
	}
	r.members = append(r.members, m)
	return nil
}

func (in *Init) checkPurpose(r *roster) error {
	if in.Purpose == MakeKey {
		if in.Previous != nil || in.Epoch != 0 || in.Lost != 0 {
			return ceremony.Refuse(ceremony.WrongPrevious, "a new key has no previous committee")
		}
		return nil
	}
	if in.Purpose != Refresh && in.Purpose != Recover {
		return ceremony.Refuse(ceremony.Malformed, "unknown purpose")
	}
	if in.Previous == nil {
		return ceremony.Refuse(ceremony.WrongPrevious, "the previous committee is missing")
	}
	var err error
	if r.previous, err = in.Previous.Decode(); err != nil {
		return ceremony.Refuse(ceremony.WrongPrevious, "%v", err)
	}
	if r.previous.F != in.F || in.Epoch != r.previous.Epoch+1 || in.Epoch == 0 {
		return ceremony.Refuse(ceremony.WrongPrevious, "not the next epoch of the same committee")
	}
	if in.Purpose == Recover && (in.Lost < 1 || in.Lost > len(r.members)) || in.Purpose == Refresh && in.Lost != 0 {
		return ceremony.Refuse(ceremony.WrongMember, "the index of the lost share")
	}
	for i, m := range r.members {
		// the note key is in the share's file, so a member that lost its share may have a new note key
		if m.noteKey != r.previous.Members[i].NoteKey && m.index != in.Lost {
			return ceremony.Refuse(ceremony.WrongMember, "%s is not authority %d of the committee", m.name, m.index)
		}
	}
	return nil
}

// row is one polynomial that every dealer deals.
type row struct {
	root  int  // where the polynomial is zero, or anywhere when it is random
	both  bool // revealed in both groups
	adds  int  // to which secret it is added: 0 for x, 1 for y
	masks bool // not added to a share, but to the shares that helpers send
}

const anywhere = -1

func (in *Init) rows() []row {
	root := anywhere
	if in.Purpose != MakeKey {
		root = 0
	}
	rows := []row{{root: root, adds: 0}, {root: root, adds: 1, both: true}}
	if in.Purpose == Recover {
		rows = append(rows, row{root: in.Lost, adds: 0, masks: true}, row{root: in.Lost, adds: 1, masks: true})
	}
	return rows
}

// coefficients is how many coefficients a dealer publishes of a row. Where there is a root, it determines the constant term.
func (r row) coefficients(f int) int {
	if r.root == anywhere {
		return 2*f + 1
	}
	return 2 * f
}

// rounds of a ceremony in their order.
func (in *Init) rounds() []string {
	all := []string{roundDeal, roundComplain, roundJustify, roundReveal, roundOpen}
	if in.Purpose == Recover {
		all = append(all, roundHelp)
	}
	return append(all, roundConfirm)
}
