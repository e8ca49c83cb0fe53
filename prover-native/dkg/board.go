package dkg

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"solidus.io/prover/ceremony"
)

const kindClose = "committee/close"

// Close is the end of a round. It lists the messages that count.
type Close struct {
	Ceremony     string         `json:"ceremony"`
	Round        string         `json:"round"`
	Previous     string         `json:"previous"`
	Messages     []Listed       `json:"messages"`
	Equivocators []Equivocation `json:"equivocators"`
	Time         string         `json:"time"`
}

// Listed is a message that counts.
type Listed struct {
	Author int    `json:"author"`
	SHA256 string `json:"sha256"`
}

// Equivocation is an author with two messages in one round. Neither of them counts.
type Equivocation struct {
	Author int       `json:"author"`
	SHA256 [2]string `json:"sha256"`
}

// Board is a bulletin folder, read up to its last closed round.
type Board struct {
	dir         string
	init        Init
	coordinator ed25519.PublicKey
	*roster
	closed   []Close
	records  []string // the init and each close, as in their files
	heads    []string // their digests
	messages map[string]map[int]message

	view *view // derived from the messages, on first use
}

// OpenBoard reads a folder: everything that is closed has to be there, signed by the given coordinator, and in its place.
func OpenBoard(dir string, coordinator ed25519.PublicKey) (*Board, error) {
	raw, err := ceremony.Read(filepath.Join(dir, initFile), ceremony.MaxRecord)
	if err != nil {
		return nil, err
	}
	b := &Board{dir: dir, messages: map[string]map[int]message{}}
	b.append(raw)
	if b.coordinator, err = ceremony.Open(raw, kindInit, &b.init); err != nil {
		return nil, err
	}
	if !bytes.Equal(coordinator, b.coordinator) {
		return nil, ceremony.Refuse(ceremony.WrongSigner, "the ceremony belongs to another coordinator")
	}
	if b.roster, err = b.init.check(); err != nil {
		return nil, err
	}
	for i, round := range b.init.rounds() {
		ended, err := b.readRound(i, round)
		if err != nil {
			return nil, fmt.Errorf("round %s: %w", round, err)
		}
		if !ended {
			break
		}
	}
	return b, nil
}

func (b *Board) append(record []byte) {
	b.records, b.heads = append(b.records, string(record)), append(b.heads, ceremony.Digest(record))
}

// recordName names a record in messages to operators.
func (b *Board) recordName(i int) string {
	if i == 0 {
		return "a first record"
	}
	return "an end of round " + b.init.rounds()[i-1]
}

// FirstRecord returns the digest of the first record. It pins coordinator, purpose, and all cards.
func (b *Board) FirstRecord() string { return b.heads[0] }

// Name returns the name of a member.
func (b *Board) Name(index int) string { return b.members[index-1].name }

// Init returns the first record of the ceremony.
func (b *Board) Init() *Init { return &b.init }

// Coordinator returns the key of the ceremony's coordinator.
func (b *Board) Coordinator() ed25519.PublicKey { return b.coordinator }

// Round returns the name of the open round. It is empty at the end.
func (b *Board) Round() string {
	rounds := b.init.rounds()
	if len(b.closed) == len(rounds) {
		return ""
	}
	return rounds[len(b.closed)]
}

// Digest returns the digest of the last record. At the end it is the digest of the whole transcript.
func (b *Board) Digest() string { return b.heads[len(b.heads)-1] }

// EndedAt returns the time in the last record.
func (b *Board) EndedAt() string {
	if len(b.closed) == 0 {
		return b.init.Time
	}
	return b.closed[len(b.closed)-1].Time
}

func (b *Board) f() int { return b.init.F }

func (b *Board) quorum() int { return 2*b.init.F + 1 }

func closeName(i int, round string) string { return fmt.Sprintf("%d-%s-closed.json", i+1, round) }

func (b *Board) roundDir(i int, round string) string {
	return filepath.Join(b.dir, fmt.Sprintf("%d-%s", i+1, round))
}

func messageName(author int, digest string) string {
	return fmt.Sprintf("%03d-%s.json", author, digest[:16])
}

func (b *Board) readRound(i int, round string) (ended bool, err error) {
	raw, err := ceremony.Read(filepath.Join(b.dir, closeName(i, round)), ceremony.MaxRecord)
	if ceremony.CodeOf(err) == ceremony.Missing {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var c Close
	key, err := ceremony.Open(raw, kindClose, &c)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(key, b.coordinator) {
		return false, ceremony.Refuse(ceremony.WrongSigner, "only the coordinator closes a round")
	}
	if err := b.readClose(i, round, &c); err != nil {
		return false, err
	}
	b.closed = append(b.closed, c)
	b.append(raw)
	return true, nil
}

//spec:id D-05
func (b *Board) readClose(i int, round string, c *Close) error {
	after := b.Digest()
	if c.Ceremony != b.init.Ceremony {
		return ceremony.Refuse(ceremony.OtherCeremony, "the end of a round")
	}
	if c.Round != round || c.Previous != after {
		return ceremony.Refuse(ceremony.ChainBroken, "the end of the round does not follow the record before it")
	}
	if err := ceremony.CheckTime(c.Time); err != nil {
		return err
	}
	if everyMemberPosts(round) && len(c.Messages) < b.quorum() {
		return ceremony.Refuse(ceremony.TooFew, "%d messages, want %d", len(c.Messages), b.quorum())
	}
	seen := map[int]bool{}
	b.messages[round] = map[int]message{}
	for _, listed := range c.Messages {
		m, err := b.readListed(i, round, listed, after)
		if err != nil {
			return err
		}
		if seen[listed.Author] {
			return ceremony.Refuse(ceremony.Repeated, "author %d", listed.Author)
		}
		seen[listed.Author] = true
		b.messages[round][listed.Author] = m
	}
	for _, e := range c.Equivocators {
		if seen[e.Author] || e.SHA256[0] == e.SHA256[1] {
			return ceremony.Refuse(ceremony.Repeated, "author %d", e.Author)
		}
		seen[e.Author] = true
		for _, digest := range e.SHA256 {
			if _, err := b.readListed(i, round, Listed{e.Author, digest}, after); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Board) readListed(i int, round string, l Listed, after string) (message, error) {
	if err := ceremony.CheckHex(l.SHA256, 32); err != nil {
		return nil, err
	}
	raw, err := ceremony.Read(filepath.Join(b.roundDir(i, round), messageName(l.Author, l.SHA256)), ceremony.MaxRecord)
	if err != nil {
		return nil, err
	}
	if ceremony.Digest(raw) != l.SHA256 {
		return nil, ceremony.Refuse(ceremony.WrongDigest, "a message of author %d", l.Author)
	}
	return b.openMessage(raw, round, l.Author, after)
}

// Pending is a file in the folder of the open round.
type Pending struct {
	File   string
	Author int
	SHA256 string
	Err    error // why it does not count
}

// Pending lists the files of the open round.
func (b *Board) Pending() ([]Pending, error) {
	round := b.Round()
	if round == "" {
		return nil, nil
	}
	dir := b.roundDir(len(b.closed), round)
	names, err := ceremony.List(dir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var all []Pending
	for _, name := range names {
		p := Pending{File: name}
		raw, err := ceremony.Read(filepath.Join(dir, name), ceremony.MaxRecord)
		if err == nil {
			p.SHA256 = ceremony.Digest(raw)
			_, scan := fmt.Sscanf(name, "%03d-", &p.Author)
			if scan != nil || p.Author < 1 || p.Author > len(b.members) || name != messageName(p.Author, p.SHA256) {
				err = ceremony.Refuse(ceremony.Surplus, "not the name of a message")
			} else {
				_, err = b.openMessage(raw, round, p.Author, b.Digest())
			}
		}
		p.Err = err
		all = append(all, p)
	}
	return all, nil
}

// Close ends the open round with the messages in the folder. It skips files that are not messages of this round. Pending
// returns errors for them. It refuses fewer than 2f+1 messages in a round in which every member posts.
func (b *Board) Close(coordinator ed25519.PrivateKey) error {
	round := b.Round()
	if round == "" {
		return ceremony.Refuse(ceremony.WrongPhase, "the ceremony is over")
	}
	if !b.coordinator.Equal(coordinator.Public()) {
		return ceremony.Refuse(ceremony.WrongSigner, "only the coordinator closes a round")
	}
	pending, err := b.Pending()
	if err != nil {
		return err
	}
	c := &Close{Ceremony: b.init.Ceremony, Round: round, Previous: b.Digest(), Messages: []Listed{}, Equivocators: []Equivocation{}, Time: ceremony.Now()}
	for i := 0; i < len(pending); {
		var of []Pending
		author := pending[i].Author
		for ; i < len(pending) && pending[i].Author == author; i++ {
			if pending[i].Err == nil {
				of = append(of, pending[i])
			}
		}
		switch len(of) {
		case 0:
		case 1:
			c.Messages = append(c.Messages, Listed{author, of[0].SHA256})
		default:
			c.Equivocators = append(c.Equivocators, Equivocation{author, [2]string{of[0].SHA256, of[1].SHA256}})
		}
	}
	if everyMemberPosts(round) && len(c.Messages) < b.quorum() {
		return ceremony.Refuse(ceremony.TooFew, "%d messages, want %d", len(c.Messages), b.quorum())
	}
	raw, err := ceremony.Sign(coordinator, kindClose, c)
	if err != nil {
		return err
	}
	return ceremony.WriteNew(filepath.Join(b.dir, closeName(len(b.closed), round)), raw, 0o644)
}

// everyMemberPosts reports whether each member posts a message in the round. In the other rounds only members with something
// to publish do. The messages of 2f+1 members also show that the record that they follow is the only one: two such sets share an
// honest member. The open round is among them because helpers act after it.
func everyMemberPosts(round string) bool {
	return slices.Contains([]string{roundDeal, roundComplain, roundReveal, roundOpen, roundConfirm}, round)
}

// own returns the messages of an author for a round that lie in the folder. A file under the author's number that another party
// wrote does not count.
func (b *Board) own(i int, round string, author int) ([][]byte, error) {
	dir := b.roundDir(i, round)
	names, err := ceremony.List(dir)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for _, name := range names {
		if !strings.HasPrefix(name, fmt.Sprintf("%03d-", author)) {
			continue
		}
		raw, err := ceremony.Read(filepath.Join(dir, name), ceremony.MaxRecord)
		if err != nil {
			continue
		}
		if _, err := b.openMessage(raw, round, author, b.heads[i]); err == nil {
			all = append(all, raw)
		}
	}
	return all, nil
}
