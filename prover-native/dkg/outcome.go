package dkg

import (
	"maps"
	"slices"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

// Outcome is what a ceremony came to, as everybody who has its folder computes it.
type Outcome struct {
	Committee *suite.Committee
	Qualified []int          // dealers whose polynomials are in the key
	Excluded  map[int]string // dealers that do not count, and why
	Opened    map[int]string // dealers that count and were opened by the others, and why
	Confirmed []int          // members who showed that they have their share
	Wrong     map[int]string // confirmations that do not hold
	Twice     map[string][]int
	Digest    string // of the transcript; empty while the ceremony goes on
}

// Outcome replays everything that is closed. Before the polynomials are known there is no committee. At the end at
// least 2f+1 members have confirmed, or the ceremony is refused.
//
//spec:id D-13
func (b *Board) Outcome() (*Outcome, error) {
	v := b.follow()
	o := &Outcome{
		Qualified: slices.Clone(v.qualified), Excluded: maps.Clone(v.excluded), Opened: maps.Clone(v.mistake),
		Wrong: map[int]string{}, Twice: map[string][]int{},
	}
	for _, c := range b.closed {
		for _, e := range c.Equivocators {
			o.Twice[c.Round] = append(o.Twice[c.Round], e.Author)
		}
	}
	if b.ended(roundJustify) {
		if err := b.enough(v); err != nil {
			return o, err
		}
	}
	if !b.ended(roundOpen) {
		return o, nil
	}
	var err error
	if o.Committee, err = b.committee(v); err != nil {
		return o, err
	}
	if !b.ended(roundConfirm) {
		return o, nil
	}
	if err := b.readConfirmations(o); err != nil {
		return o, err
	}
	if len(o.Confirmed) < b.quorum() {
		return o, ceremony.Refuse(ceremony.TooFew, "%d members confirm, want %d", len(o.Confirmed), b.quorum())
	}
	o.Digest = b.Digest()
	return o, nil
}

func (b *Board) readConfirmations(o *Outcome) error {
	digest, err := committeeDigest(o.Committee)
	if err != nil {
		return err
	}
	for _, m := range b.members {
		c, ok := b.said[roundConfirm][m.index].(*Confirmation)
		if !ok {
			continue
		}
		if c.Committee != digest {
			o.Wrong[m.index] = "another committee"
			continue
		}
		if err := checkShareProof(b.confirmContext(m.index, digest), &o.Committee.Members[m.index-1], c); err != nil {
			o.Wrong[m.index] = err.Error()
			continue
		}
		o.Confirmed = append(o.Confirmed, m.index)
	}
	return nil
}
