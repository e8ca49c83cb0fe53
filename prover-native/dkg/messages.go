package dkg

import (
	"slices"

	"solidus.io/prover/ceremony"
)

// The rounds.
const (
	roundDeal     = "deal"
	roundComplain = "complain"
	roundJustify  = "justify"
	roundReveal   = "reveal"
	roundOpen     = "open"
	roundHelp     = "help"
	roundConfirm  = "confirm"
)

// Header is the part that all messages have. After is the digest of the record that closed the round before.
type Header struct {
	Ceremony string `json:"ceremony"`
	Round    string `json:"round"`
	Author   int    `json:"author"`
	After    string `json:"after"`
	Time     string `json:"time"`
}

func (h *Header) header() *Header { return h }

// message is the body of a message of any round.
type message interface{ header() *Header }

// Deal holds a dealer's commitments, row by row, and the shares, each sealed to its member.
type Deal struct {
	Header
	Rows   [][]string `json:"rows"`
	Sealed []string   `json:"sealed"`
}

// Complaint names the dealers whose shares do not match their commitments.
type Complaint struct {
	Header
	Against []int `json:"against"`
}

// Piece is one member's share of one dealer's polynomials with the blinding, row by row.
type Piece struct {
	Member int      `json:"member"` // index of the share's owner
	Dealer int      `json:"dealer"` // index of the polynomials' dealer
	Value  []string `json:"value"`
	Blind  []string `json:"blind"`
}

// Justification publishes the shares that complaints are about.
type Justification struct {
	Header
	Pieces []Piece `json:"pieces"`
}

// Reveal holds a dealer's coefficients as exponents, and the proof that they are those of the commitments.
type Reveal struct {
	Header
	Rows  [][]string  `json:"rows"`
	First []string    `json:"first"` // in the first group, of the row that is revealed in both
	Proof RevealProof `json:"proof"`
}

// RevealProof is a proof of knowledge of all coefficients and blindings.
type RevealProof struct {
	Challenge string     `json:"challenge"`
	Value     [][]string `json:"value"`
	Blind     [][]string `json:"blind"`
}

// Opening publishes an author's shares of the dealers that did not reveal.
type Opening struct {
	Header
	Pieces []Piece `json:"pieces"`
}

// Help is a masked share, sealed to the member that lost its share.
type Help struct {
	Header
	Sealed string `json:"sealed"`
}

// Confirmation is a member's proof of possession of its new share.
type Confirmation struct {
	Header
	Committee string   `json:"committee"` // SHA-256 of the new committee
	Challenge string   `json:"challenge"`
	Response  []string `json:"response"` // for x and y
}

func newMessage(round string) message {
	switch round {
	case roundDeal:
		return &Deal{}
	case roundComplain:
		return &Complaint{}
	case roundJustify:
		return &Justification{}
	case roundReveal:
		return &Reveal{}
	case roundOpen:
		return &Opening{}
	case roundHelp:
		return &Help{}
	default:
		return &Confirmation{}
	}
}

// openMessage verifies that a message is its author's, of this ceremony, and of this place in it.
//
//spec:id D-04
func (b *Board) openMessage(raw []byte, round string, author int, after string) (message, error) {
	if author < 1 || author > len(b.members) {
		return nil, ceremony.Refuse(ceremony.WrongMember, "author %d", author)
	}
	m := newMessage(round)
	key, err := ceremony.Open(raw, "committee/"+round, m)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(key, b.members[author-1].identity) {
		return nil, ceremony.Refuse(ceremony.WrongSigner, "not %s", b.members[author-1].name)
	}
	h := m.header()
	if h.Ceremony != b.init.Ceremony {
		return nil, ceremony.Refuse(ceremony.OtherCeremony, "of %s", b.members[author-1].name)
	}
	if h.Round != round || h.Author != author {
		return nil, ceremony.Refuse(ceremony.WrongPhase, "a message of %s of another round or place", b.members[author-1].name)
	}
	if h.After != after {
		return nil, ceremony.Refuse(ceremony.ChainBroken, "the message of %s follows another record", b.members[author-1].name)
	}
	return m, ceremony.CheckTime(h.Time)
}
