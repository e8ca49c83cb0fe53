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

// Header says where a message belongs. After is the digest of the record that closed the round before.
type Header struct {
	Ceremony string `json:"ceremony"`
	Round    string `json:"round"`
	Author   int    `json:"author"`
	After    string `json:"after"`
	Time     string `json:"time"`
}

func (h *Header) header() *Header { return h }

// message is the body of some round.
type message interface{ header() *Header }

// Deal carries a dealer's commitments, row by row, and the shares sealed to each member.
type Deal struct {
	Header
	Rows   [][]string `json:"rows"`
	Sealed []string   `json:"sealed"`
}

// Complaint names the dealers whose share does not fit.
type Complaint struct {
	Header
	Against []int `json:"against"`
}

// Piece is one member's share of one dealer's polynomials with the blinding, row by row.
type Piece struct {
	Member int      `json:"member"` // whose share
	Dealer int      `json:"dealer"` // of whose polynomials
	Value  []string `json:"value"`
	Blind  []string `json:"blind"`
}

// Justification publishes the shares that were complained about.
type Justification struct {
	Header
	Pieces []Piece `json:"pieces"`
}

// Reveal carries a dealer's coefficients as exponents, and the proof that they are those of the commitments.
type Reveal struct {
	Header
	Rows  [][]string `json:"rows"`
	First []string   `json:"first"` // the row that is revealed in both groups, in the first
	Proof RevealWord `json:"proof"`
}

// RevealWord is a proof of knowledge of all coefficients and blindings.
type RevealWord struct {
	Challenge string     `json:"challenge"`
	Value     [][]string `json:"value"`
	Blind     [][]string `json:"blind"`
}

// Opening publishes an author's shares of dealers that did not reveal.
type Opening struct {
	Header
	Pieces []Piece `json:"pieces"`
}

// Help is a masked share, sealed to the one who lost hers.
type Help struct {
	Header
	Sealed string `json:"sealed"`
}

// Confirmation is a member's proof that she has the share that follows.
type Confirmation struct {
	Header
	Committee string   `json:"committee"` // SHA-256 of the committee that comes out
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
		return nil, ceremony.Refuse(ceremony.ChainBroken, "%s has seen other messages", b.members[author-1].name)
	}
	return m, ceremony.CheckTime(h.Time)
}
