package dkg

import (
	"encoding/json"
	"fmt"
	"slices"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
	"solidus.io/prover/suite"
)

// view is what follows from the messages that count. Everybody who has them comes to the same.
type view struct {
	commitments map[int][][]g2 // of the dealers whose deal is well-formed, row by row, with the constant term where published
	sealed      map[int][]string
	excluded    map[int]string // dealers that do not count, and why
	accused     map[int][]int  // by dealer: who complained
	pieces      map[[2]int]piece
	qualified   []int

	reveals map[int]*revealed
	silent  []int          // qualified dealers without a valid reveal
	mistake map[int]string // what was wrong with it
}

// piece is a member's share of a dealer's polynomials.
type piece struct{ value, blind []scalar }

func (p piece) wipe() { clear(p.value); clear(p.blind) }

// follow computes as much of the view as the closed rounds allow.
func (b *Board) follow() *view {
	if b.view != nil {
		return b.view
	}
	v := &view{
		commitments: map[int][][]g2{}, sealed: map[int][]string{}, excluded: map[int]string{}, accused: map[int][]int{},
		pieces: map[[2]int]piece{}, reveals: map[int]*revealed{}, mistake: map[int]string{},
	}
	b.view = v
	b.readDeals(v)
	b.readComplaints(v)
	b.readJustifications(v)
	b.qualify(v)
	b.readReveals(v)
	return v
}

func (b *Board) ended(round string) bool { return b.said[round] != nil }

func (b *Board) readDeals(v *view) {
	if !b.ended(roundDeal) {
		return
	}
	for _, m := range b.members {
		d, ok := b.said[roundDeal][m.index].(*Deal)
		if !ok {
			v.excluded[m.index] = "no deal that counts"
			continue
		}
		commitments, err := b.checkDeal(d)
		if err != nil {
			v.excluded[m.index] = "deal: " + err.Error()
			continue
		}
		v.commitments[m.index], v.sealed[m.index] = commitments, d.Sealed
	}
}

func (b *Board) checkDeal(d *Deal) ([][]g2, error) {
	if len(d.Rows) != len(b.rows) || len(d.Sealed) != len(b.members) {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d rows for %d members", len(d.Rows), len(d.Sealed))
	}
	var all [][]g2
	for i, r := range b.rows {
		points, err := decode2(d.Rows[i], r.coefficients(b.f()))
		if err != nil {
			return nil, err
		}
		all = append(all, points)
	}
	for _, s := range d.Sealed {
		if err := ceremony.CheckHex(s, sealOverhead+b.pieceBytes()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// pieceBytes is the length of what is sealed: a value and a blinding for each row.
func (b *Board) pieceBytes() int { return 2 * len(b.rows) * suite.ScalarBytes }

func (b *Board) readComplaints(v *view) {
	for author, m := range b.said[roundComplain] {
		for _, dealer := range m.(*Complaint).Against {
			if dealer != author && v.commitments[dealer] != nil && !slices.Contains(v.accused[dealer], author) {
				v.accused[dealer] = append(v.accused[dealer], author)
			}
		}
	}
}

func (b *Board) readJustifications(v *view) {
	for dealer, m := range b.said[roundJustify] {
		for i := range m.(*Justification).Pieces {
			p := &m.(*Justification).Pieces[i]
			if p.Dealer != dealer || !slices.Contains(v.accused[dealer], p.Member) {
				continue
			}
			if got, err := b.checkPiece(v, p); err == nil {
				v.pieces[[2]int{dealer, p.Member}] = got
			}
		}
	}
}

// checkPiece decodes a published share and holds it against the dealer's commitments.
func (b *Board) checkPiece(v *view, p *Piece) (piece, error) {
	var got piece
	var err error
	if got.value, err = decodeScalars(p.Value, len(b.rows)); err != nil {
		return got, err
	}
	if got.blind, err = decodeScalars(p.Blind, len(b.rows)); err != nil {
		return got, err
	}
	if p.Member < 1 || p.Member > len(b.members) {
		return got, ceremony.Refuse(ceremony.WrongMember, "member %d", p.Member)
	}
	return got, b.fits(v, p.Dealer, p.Member, got)
}

// fits holds a share against Pedersen commitments: g2^s h^t = product of C_k^{i^k}.
//
//spec:id D-08
func (b *Board) fits(v *view, dealer, member int, p piece) error {
	commitments := v.commitments[dealer]
	if commitments == nil {
		return ceremony.Refuse(ceremony.WrongMember, "dealer %d does not count", dealer)
	}
	for i, r := range b.rows {
		want := evaluateRow2(commitments[i], r.root, member)
		got := add2(mul2(&base2, &p.value[i]), mul2(&pedersenBase, &p.blind[i]))
		if !got.Equal(&want) {
			return ceremony.Refuse(ceremony.WrongShare, "of dealer %d for authority %d", dealer, member)
		}
	}
	return nil
}

// evaluateRow2 is the value of a row at x. Where the row has a root, the constant term is what makes it vanish there.
func evaluateRow2(coefficients []g2, root, x int) g2 {
	if root == anywhere {
		return evaluate2(coefficients, x)
	}
	return sub2(evaluate2(withZero2(coefficients), x), evaluate2(withZero2(coefficients), root))
}

func withZero2(c []g2) []g2 { return append([]g2{{}}, c...) }

func evaluateRow1(coefficients []g1, root, x int) g1 {
	if root == anywhere {
		return evaluate1(coefficients, x)
	}
	at, off := evaluate1(append([]g1{{}}, coefficients...), x), evaluate1(append([]g1{{}}, coefficients...), root)
	at.Sub(&at, &off)
	return at
}

// qualify fixes the dealers that count: their deal is well-formed, at most f members complain, and each complaint is
// answered by the share in question.
//
//spec:id D-09
func (b *Board) qualify(v *view) {
	if !b.ended(roundJustify) {
		return
	}
	for _, m := range b.members {
		dealer := m.index
		if v.commitments[dealer] == nil {
			continue
		}
		if n := len(v.accused[dealer]); n > b.f() {
			v.excluded[dealer] = fmt.Sprintf("%d complaints", n)
			continue
		}
		unanswered := slices.DeleteFunc(slices.Clone(v.accused[dealer]), func(member int) bool {
			_, ok := v.pieces[[2]int{dealer, member}]
			return ok
		})
		if len(unanswered) > 0 {
			slices.Sort(unanswered)
			v.excluded[dealer] = fmt.Sprintf("no answer to the complaint of authority %d", unanswered[0])
			continue
		}
		v.qualified = append(v.qualified, dealer)
	}
}

// enough refuses a ceremony in which so many dealers are out that those left could all be dishonest.
func (b *Board) enough(v *view) error {
	if len(v.qualified) < b.quorum() {
		return ceremony.Refuse(ceremony.TooFew, "%d dealers count, want %d: %v", len(v.qualified), b.quorum(), v.excluded)
	}
	return nil
}

// context names the ceremony, the round and the author of a proof.
func (b *Board) context(round string, author int) string {
	i := slices.Index(b.init.rounds(), round)
	return fmt.Sprintf("solidus/dkg/%s/v1|%s|%s|%s|%d", round, b.init.Network, b.init.Ceremony, b.heads[i], author)
}

func (b *Board) readReveals(v *view) {
	if !b.ended(roundReveal) {
		return
	}
	for _, dealer := range v.qualified {
		r, ok := b.said[roundReveal][dealer].(*Reveal)
		if !ok {
			v.silent, v.mistake[dealer] = append(v.silent, dealer), "nothing revealed"
			continue
		}
		got, err := checkReveal(b.context(roundReveal, dealer), r, v.commitments[dealer], b.rows)
		if err != nil {
			v.silent, v.mistake[dealer] = append(v.silent, dealer), err.Error()
			continue
		}
		v.reveals[dealer] = got
	}
}

// openable refuses to open more than f dealers: among those left some are honest, whatever a coordinator leaves out, and what
// they dealt stays unknown. Without this bound a coordinator that lists no reveal would have the whole key opened.
func (b *Board) openable(v *view) error {
	if n := len(v.silent); n > b.f() {
		return ceremony.Refuse(ceremony.TooFew, "%d dealers did not reveal, at most %d may be opened", n, b.f())
	}
	return nil
}

// openSilent computes the polynomials of dealers who did not reveal from the shares that the others publish.
//
//spec:id D-10
func (b *Board) openSilent(v *view) error {
	if err := b.openable(v); err != nil {
		return err
	}
	for _, dealer := range v.silent {
		if v.reveals[dealer] != nil {
			continue
		}
		var indices []int
		var pieces []piece
		for _, m := range b.members {
			if p, ok := b.opening(v, dealer, m.index); ok && len(indices) < b.quorum() {
				indices, pieces = append(indices, m.index), append(pieces, p)
			}
		}
		if len(indices) < b.quorum() {
			return ceremony.Refuse(ceremony.TooFew, "%d shares of dealer %d, who did not reveal, want %d", len(indices), dealer, b.quorum())
		}
		got, err := b.reconstruct(v, dealer, indices, pieces)
		if err != nil {
			return err
		}
		v.reveals[dealer] = got
	}
	return nil
}

func (b *Board) opening(v *view, dealer, member int) (piece, bool) {
	if p, ok := v.pieces[[2]int{dealer, member}]; ok {
		return p, true // it was published before, in answer to a complaint
	}
	o, ok := b.said[roundOpen][member].(*Opening)
	if !ok {
		return piece{}, false
	}
	for i := range o.Pieces {
		if p := &o.Pieces[i]; p.Dealer == dealer && p.Member == member {
			got, err := b.checkPiece(v, p)
			return got, err == nil
		}
	}
	return piece{}, false
}

func (b *Board) reconstruct(v *view, dealer int, indices []int, pieces []piece) (*revealed, error) {
	out := &revealed{}
	for i, r := range b.rows {
		values := make([]scalar, len(indices))
		for j := range pieces {
			values[j] = pieces[j].value[i]
		}
		coefficients := interpolate(indices, values)
		if r.root != anywhere {
			if at := coefficients.at(r.root); !at.IsZero() {
				return nil, ceremony.Refuse(ceremony.WrongShare, "of dealer %d: not zero where it has to be", dealer)
			}
			coefficients = coefficients[1:]
		}
		var row2 []g2
		var row1 []g1
		for k := range coefficients {
			row2 = append(row2, mul2(&base2, &coefficients[k]))
			row1 = append(row1, mul1(&base1, &coefficients[k]))
		}
		out.rows = append(out.rows, row2)
		if r.both {
			out.first = row1
		}
	}
	return out, nil
}

// committee is what comes out: for each member the sum of the dealers' polynomials at her index, added to what she had.
//
//spec:id D-11
func (b *Board) committee(v *view) (*suite.Committee, error) {
	if !b.ended(roundOpen) {
		return nil, ceremony.Refuse(ceremony.WrongPhase, "the dealers' polynomials are not known yet")
	}
	if err := b.enough(v); err != nil {
		return nil, err
	}
	if err := b.openSilent(v); err != nil {
		return nil, err
	}
	c := &suite.Committee{Epoch: b.init.Epoch, F: b.f()}
	c.X, c.Y, c.Y1 = b.sumAt(v, 0)
	if b.previous != nil {
		c.X, c.Y, c.Y1 = b.previous.X, b.previous.Y, b.previous.Y1
	}
	for _, m := range b.members {
		member := suite.Member{Index: m.index, NoteKey: m.noteKey}
		member.X, member.Y, member.Gamma = b.sumAt(v, m.index)
		if b.previous != nil {
			was := &b.previous.Members[m.index-1]
			member.X, member.Y = add2(member.X, was.X), add2(member.Y, was.Y)
			member.Gamma.Add(&member.Gamma, &was.Gamma)
		}
		c.Members = append(c.Members, member)
	}
	if err := c.Check(); err != nil {
		return nil, ceremony.Refuse(ceremony.WrongResult, "%v", err)
	}
	return c, nil
}

func (b *Board) sumAt(v *view, at int) (x, y g2, gamma g1) {
	for _, dealer := range v.qualified {
		r := v.reveals[dealer]
		x = add2(x, evaluateRow2(r.rows[0], b.rows[0].root, at))
		y = add2(y, evaluateRow2(r.rows[1], b.rows[1].root, at))
		p := evaluateRow1(r.first, b.rows[1].root, at)
		gamma.Add(&gamma, &p)
	}
	return x, y, gamma
}

// maskAt is the sum of the masks at an index, as exponents.
func (b *Board) maskAt(v *view, at int) (x, y g2) {
	for _, dealer := range v.qualified {
		r := v.reveals[dealer]
		x = add2(x, evaluateRow2(r.rows[2], b.init.Lost, at))
		y = add2(y, evaluateRow2(r.rows[3], b.init.Lost, at))
	}
	return x, y
}

// committeeDigest is the SHA-256 of a committee as manifests write it.
func committeeDigest(c *suite.Committee) (string, error) {
	entry, err := keys.EncodeCommittee(c)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(&entry)
	if err != nil {
		return "", err
	}
	return ceremony.Digest(raw), nil
}
