package dkg

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
	"solidus.io/prover/suite"
)

// Authority is a member of a ceremony with its secrets.
type Authority struct {
	*Board
	secrets *Secrets
	index   int
}

// Join finds the member that the secrets belong to and holds the folder against the member's journal. It refuses a folder in
// which a round ended otherwise than in one that the member acted on before. It also refuses to continue where a closed round
// left out a message of this member, except in the rounds that are late.
func Join(b *Board, s *Secrets, late ...string) (*Authority, error) {
	if s.journal == nil {
		return nil, ceremony.Refuse(ceremony.JournalMissing, "the secrets are not in a file")
	}
	identity := s.identity()
	defer clear(identity)
	for _, m := range b.members {
		if !m.identity.Equal(identity.Public()) {
			continue
		}
		if err := s.journal.checkRecords(b); err != nil {
			return nil, err
		}
		if err := s.journal.checkMessages(b, m.index); err != nil {
			return nil, err
		}
		return &Authority{Board: b, secrets: s, index: m.index}, s.journal.checkListed(b, m.index, late)
	}
	return nil, ceremony.Refuse(ceremony.WrongMember, "these secrets belong to no member of this ceremony")
}

// post signs a message, stores it in the journal with the records that it follows, and writes it to the folder of the open
// round. A message that is in the journal goes out again as it was: a member signs one message in a round.
func (a *Authority) post(m message, opened ...int) error {
	round, j := a.Round(), a.secrets.journal
	e := j.of(round)
	if e == nil {
		*m.header() = Header{Ceremony: a.init.Ceremony, Round: round, Author: a.index, After: a.Digest(), Time: ceremony.Now()}
		identity := a.secrets.identity()
		defer clear(identity)
		raw, err := ceremony.Sign(identity, "committee/"+round, m)
		if err != nil {
			return err
		}
		e = &entry{Round: round, Records: a.records[len(j.records):], Opened: opened, Message: string(raw)}
		if err := j.write(e); err != nil {
			return err
		}
	}
	name := filepath.Join(a.roundDir(len(a.closed), round), messageName(a.index, ceremony.Digest([]byte(e.Message))))
	err := ceremony.WriteNew(name, []byte(e.Message), 0o644)
	if ceremony.CodeOf(err) == ceremony.Exists {
		return ceremony.Refuse(ceremony.Exists, "a message of authority %d in this round", a.index)
	}
	return err
}

// Index returns the authority's index.
func (a *Authority) Index() int { return a.index }

func (a *Authority) need(round string) error {
	if a.Round() != round {
		return ceremony.Refuse(ceremony.WrongPhase, "the open round is %q, not %s", a.Round(), round)
	}
	return nil
}

// polynomials returns the authority's polynomials, row by row, and their blindings.
func (a *Authority) polynomials() (values, blinds []polynomial) {
	for i, r := range a.rows {
		value, blind := make(polynomial, 2*a.f()+1), make(polynomial, 2*a.f()+1)
		for k := range value {
			value[k] = derive(a.secrets.Dealing, "solidus/dkg/value/"+a.heads[0], i, k)
			blind[k] = derive(a.secrets.Dealing, "solidus/dkg/blind/"+a.heads[0], i, k)
		}
		if r.root != anywhere {
			value.vanishAt(r.root)
			blind.vanishAt(r.root)
		}
		values, blinds = append(values, value), append(blinds, blind)
	}
	return values, blinds
}

// published returns the coefficients that are committed to and revealed.
func published(p polynomial, r row) polynomial {
	if r.root == anywhere {
		return p
	}
	return p[1:]
}

func wipeAll(lists ...[]polynomial) {
	for _, list := range lists {
		for _, p := range list {
			clear(p)
		}
	}
}

// Deal publishes commitments and sealed shares.
func (a *Authority) Deal() error {
	if err := a.need(roundDeal); err != nil {
		return err
	}
	values, blinds := a.polynomials()
	defer wipeAll(values, blinds)
	d := &Deal{}
	for i, r := range a.rows {
		var points []g2
		value, blind := published(values[i], r), published(blinds[i], r)
		for k := range value {
			points = append(points, add2(mul2(&base2, &value[k]), mul2(&pedersenBase, &blind[k])))
		}
		row, err := encode2(points)
		if err != nil {
			return err
		}
		d.Rows = append(d.Rows, row)
	}
	for _, m := range a.members {
		sealed, err := a.sealPiece(m, pieceAt(values, blinds, m.index), d.Rows)
		if err != nil {
			return err
		}
		d.Sealed = append(d.Sealed, sealed)
	}
	return a.post(d)
}

func pieceAt(values, blinds []polynomial, x int) (p piece) {
	for i := range values {
		p.value, p.blind = append(p.value, values[i].at(x)), append(p.blind, blinds[i].at(x))
	}
	return p
}

func (a *Authority) sealPiece(to *member, p piece, rows [][]string) (string, error) {
	defer p.wipe()
	var plaintext []byte
	for i := range p.value {
		plaintext = append(append(plaintext, suite.EncodeScalar(&p.value[i])...), suite.EncodeScalar(&p.blind[i])...)
	}
	defer suite.Wipe(plaintext)
	sealed, err := seal(to.encryption, a.shareInfo(a.index, to.index), commitmentDigest(rows), plaintext)
	return hexOf(sealed), err
}

// shareInfo binds a sealed share to its ceremony, dealer and recipient. It opens nowhere else.
func (b *Board) shareInfo(dealer, recipient int) []byte {
	return fmt.Appendf(nil, "solidus/dkg/share/v1|%s|%d|%d", b.heads[0], dealer, recipient)
}

func commitmentDigest(rows [][]string) []byte {
	var all []string
	for _, r := range rows {
		all = append(all, r...)
	}
	return []byte(ceremony.Digest([]byte(strings.Join(all, ""))))
}

// received returns the authority's share of a dealer's polynomials: the published one after a complaint, else the sealed one.
func (a *Authority) received(dealer int) (piece, error) {
	v := a.currentView()
	if p, ok := v.pieces[[2]int{dealer, a.index}]; ok {
		return piece{slices.Clone(p.value), slices.Clone(p.blind)}, nil
	}
	var p piece
	if v.commitments[dealer] == nil {
		return p, ceremony.Refuse(ceremony.WrongMember, "dealer %d does not count", dealer)
	}
	sealed, err := bytesOf(v.sealed[dealer][a.index-1], sealOverhead+a.pieceBytes())
	if err != nil {
		return p, err
	}
	key, err := a.secrets.encryption()
	if err != nil {
		return p, err
	}
	plaintext, err := unseal(key, a.shareInfo(dealer, a.index), commitmentDigest(a.messages[roundDeal][dealer].(*Deal).Rows), sealed)
	if err != nil {
		return p, err
	}
	defer suite.Wipe(plaintext)
	for i := range a.rows {
		at := plaintext[2*i*suite.ScalarBytes:]
		value, err := suite.DecodeScalar(at[:suite.ScalarBytes])
		if err != nil {
			return p, ceremony.Refuse(ceremony.WrongShare, "not canonical")
		}
		blind, err := suite.DecodeScalar(at[suite.ScalarBytes : 2*suite.ScalarBytes])
		if err != nil {
			return p, ceremony.Refuse(ceremony.WrongShare, "not canonical")
		}
		p.value, p.blind = append(p.value, value), append(p.blind, blind)
	}
	return p, a.fits(v, dealer, a.index, p)
}

// Complain publishes the dealers whose shares do not match their commitments, or an empty list, and returns them.
func (a *Authority) Complain() ([]int, error) {
	if err := a.need(roundComplain); err != nil {
		return nil, err
	}
	c := &Complaint{Against: []int{}}
	for _, m := range a.members {
		if a.currentView().commitments[m.index] == nil || m.index == a.index {
			continue
		}
		p, err := a.received(m.index)
		if err != nil {
			c.Against = append(c.Against, m.index)
		}
		p.wipe()
	}
	return c.Against, a.post(c)
}

// Justify publishes the shares that members complained about and returns their number. With no complaint it publishes
// nothing.
func (a *Authority) Justify() (int, error) {
	if err := a.need(roundJustify); err != nil {
		return 0, err
	}
	accusers := slices.Sorted(slices.Values(a.currentView().complaints[a.index]))
	if len(accusers) == 0 {
		return 0, nil
	}
	if len(accusers) > a.f() {
		return 0, ceremony.Refuse(ceremony.WrongMember, "%d complaints exclude this deal, and no answer can change that", len(accusers))
	}
	values, blinds := a.polynomials()
	defer wipeAll(values, blinds)
	j := &Justification{}
	for _, member := range accusers {
		j.Pieces = append(j.Pieces, encodePiece(a.index, member, pieceAt(values, blinds, member)))
	}
	return len(accusers), a.post(j)
}

func encodePiece(dealer, member int, p piece) Piece {
	defer p.wipe()
	return Piece{Member: member, Dealer: dealer, Value: encodeScalars(p.value), Blind: encodeScalars(p.blind)}
}

// Reveal publishes the coefficients as exponents. A dealer that does not count has nothing to reveal.
func (a *Authority) Reveal() error {
	if err := a.need(roundReveal); err != nil {
		return err
	}
	v := a.currentView()
	if err := a.requireQuorum(v); err != nil {
		return err
	}
	if !slices.Contains(v.qualified, a.index) {
		return ceremony.Refuse(ceremony.WrongMember, "this authority's deal does not count (%s); continue with open", v.excluded[a.index])
	}
	r, err := a.reveal()
	if err != nil {
		return err
	}
	return a.post(r)
}

func (a *Authority) reveal() (*Reveal, error) {
	allValues, allBlinds := a.polynomials()
	defer wipeAll(allValues, allBlinds)
	var values, blinds []polynomial
	r := &Reveal{}
	for i := range a.rows {
		value := published(allValues[i], a.rows[i])
		values, blinds = append(values, value), append(blinds, published(allBlinds[i], a.rows[i]))
		var second []g2
		var first []g1
		for k := range value {
			second, first = append(second, mul2(&base2, &value[k])), append(first, mul1(&base1, &value[k]))
		}
		encoded, err := encode2(second)
		if err != nil {
			return nil, err
		}
		r.Rows = append(r.Rows, encoded)
		if a.rows[i].both { // x is revealed in the second group only
			if r.First, err = encode1(first); err != nil {
				return nil, err
			}
		}
	}
	return r, prove(a.context(roundReveal, a.index), values, blinds, a.rows, r)
}

// Open publishes this authority's shares of the dealers that did not reveal and returns their number. Where all revealed, the
// message has no shares. An authority opens one set of dealers in its ceremony.
func (a *Authority) Open() (int, error) {
	if err := a.need(roundOpen); err != nil {
		return 0, err
	}
	v := a.currentView()
	if err := a.requireQuorum(v); err != nil {
		return 0, err
	}
	if err := a.requireOpenable(v); err != nil {
		return 0, err
	}
	if e := a.secrets.journal.of(roundOpen); e != nil && !slices.Equal(e.Opened, v.unrevealed) {
		return 0, ceremony.Refuse(ceremony.OtherEnding,
			"this authority published shares of the dealers %v, and will not of %v", e.Opened, v.unrevealed)
	}
	o := &Opening{Pieces: []Piece{}}
	for _, dealer := range v.unrevealed {
		p, err := a.received(dealer)
		if err != nil {
			return 0, err
		}
		o.Pieces = append(o.Pieces, encodePiece(dealer, a.index, p))
	}
	return len(o.Pieces), a.post(o, v.unrevealed...)
}

// sum adds up the shares that the authority received: rows 0 and 1 for its own share, 2 and 3 for the masks.
func (a *Authority) sum(v *view) ([]scalar, error) {
	total := make([]scalar, len(a.rows))
	for _, dealer := range v.qualified {
		p, err := a.received(dealer)
		if err != nil {
			return nil, err
		}
		for i := range total {
			total[i].Add(&total[i], &p.value[i])
		}
		p.wipe()
	}
	return total, nil
}

// newShare computes the authority's new share from the received shares and its old share. A member that lost its share
// computes it from the helpers' messages.
func (a *Authority) newShare(c *suite.Committee, old *suite.Share) (*suite.Share, error) {
	v := a.currentView()
	if a.init.Purpose == Recover && a.index == a.init.Lost {
		return a.recovered(v, c)
	}
	total, err := a.sum(v)
	if err != nil {
		return nil, err
	}
	defer clear(total)
	if a.previous != nil {
		if old == nil {
			return nil, ceremony.Refuse(ceremony.WrongShare, "a refresh needs the current share")
		}
		if err := old.Matches(&a.previous.Members[a.index-1]); err != nil {
			return nil, ceremony.Refuse(ceremony.WrongShare, "%v", err)
		}
		if err := addShare(total, old); err != nil {
			return nil, err
		}
	}
	return a.shareOf(total, c)
}

func addShare(total []scalar, old *suite.Share) error {
	x, y := old.Encode()
	defer suite.Wipe(x)
	defer suite.Wipe(y)
	for i, b := range [][]byte{x, y} {
		s, err := suite.DecodeScalar(b)
		if err != nil {
			return err
		}
		total[i].Add(&total[i], &s)
		s.SetZero()
	}
	return nil
}

func (a *Authority) shareOf(values []scalar, c *suite.Committee) (*suite.Share, error) {
	share, err := suite.NewShare(a.index, suite.EncodeScalar(&values[0]), suite.EncodeScalar(&values[1]))
	if err != nil {
		return nil, ceremony.Refuse(ceremony.WrongShare, "%v", err)
	}
	if err := share.Matches(&c.Members[a.index-1]); err != nil {
		share.Close()
		return nil, ceremony.Refuse(ceremony.WrongShare, "%v", err)
	}
	return share, nil
}

// Share computes the authority's share once all rounds that it needs are closed. old is the share that a refresh adds to.
func (a *Authority) Share(old *suite.Share) (*suite.Share, *suite.Committee, error) {
	if a.init.Purpose == Recover && !a.ended(roundHelp) {
		return nil, nil, ceremony.Refuse(ceremony.WrongPhase, "the helpers' round is not closed")
	}
	c, err := a.committee(a.currentView())
	if err != nil {
		return nil, nil, err
	}
	share, err := a.newShare(c, old)
	return share, c, err
}

// Finish returns the authority's share in the form of share files. Callers store it, wipe it, and then call Confirm.
func (a *Authority) Finish(old *suite.Share) ([]byte, error) {
	share, _, err := a.Share(old)
	if err != nil {
		return nil, err
	}
	defer share.Close()
	return keys.EncodeShare(share, a.secrets.NoteKeySeed)
}

// Confirm publishes the proof that the authority has the given share.
func (a *Authority) Confirm(share *suite.Share) error {
	if err := a.need(roundConfirm); err != nil {
		return err
	}
	c, err := a.committee(a.currentView())
	if err != nil {
		return err
	}
	if err := share.Matches(&c.Members[a.index-1]); err != nil {
		return ceremony.Refuse(ceremony.WrongShare, "%v", err)
	}
	m := &Confirmation{}
	if m.Committee, err = committeeDigest(c); err != nil {
		return err
	}
	values := make([]scalar, 2)
	defer clear(values)
	if err := addShare(values, share); err != nil {
		return err
	}
	if err := proveShare(a.confirmContext(a.index, m.Committee), &values[0], &values[1], m); err != nil {
		return err
	}
	return a.post(m)
}

func (b *Board) confirmContext(author int, committee string) string {
	return b.context(roundConfirm, author) + "|" + committee
}
