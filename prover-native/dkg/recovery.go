package dkg

import (
	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

// Help sends the masked share to the member that lost its share.
//
//spec:id D-12
func (a *Authority) Help(old *suite.Share) error {
	if err := a.need(roundHelp); err != nil {
		return err
	}
	if a.index == a.init.Lost {
		return ceremony.Refuse(ceremony.WrongMember, "the share of this authority is the lost one")
	}
	v := a.currentView()
	c, err := a.committee(v)
	if err != nil {
		return err
	}
	share, err := a.newShare(c, old)
	if err != nil {
		return err
	}
	defer share.Close()
	total, err := a.sum(v)
	if err != nil {
		return err
	}
	defer clear(total)
	masked := total[2:]
	if err := addShare(masked, share); err != nil {
		return err
	}
	plaintext := append(suite.EncodeScalar(&masked[0]), suite.EncodeScalar(&masked[1])...)
	defer suite.Wipe(plaintext)
	sealed, err := seal(a.members[a.init.Lost-1].encryption, a.shareInfo(a.index, a.init.Lost), []byte(roundHelp), plaintext)
	if err != nil {
		return err
	}
	return a.post(&Help{Sealed: hexOf(sealed)})
}

// recovered computes the share from masked shares. It checks each one against the public keys of the helper and of the masks,
// and skips wrong ones.
func (a *Authority) recovered(v *view, c *suite.Committee) (*suite.Share, error) {
	key, err := a.secrets.encryption()
	if err != nil {
		return nil, err
	}
	var indices []int
	var xs, ys []scalar
	defer func() { clear(xs); clear(ys) }()
	for _, m := range a.members {
		h, ok := a.messages[roundHelp][m.index].(*Help)
		if !ok || len(indices) == a.quorum() {
			continue
		}
		sealed, err := bytesOf(h.Sealed, sealOverhead+2*suite.ScalarBytes)
		if err != nil {
			continue
		}
		plaintext, err := unseal(key, a.shareInfo(m.index, a.index), []byte(roundHelp), sealed)
		if err != nil {
			continue
		}
		x, errX := suite.DecodeScalar(plaintext[:suite.ScalarBytes])
		y, errY := suite.DecodeScalar(plaintext[suite.ScalarBytes:])
		suite.Wipe(plaintext)
		if errX != nil || errY != nil || !a.maskedFits(v, &c.Members[m.index-1], &x, &y) {
			continue
		}
		indices, xs, ys = append(indices, m.index), append(xs, x), append(ys, y)
	}
	if len(indices) < a.quorum() {
		return nil, ceremony.Refuse(ceremony.TooFew, "%d valid masked shares, want %d", len(indices), a.quorum())
	}
	by := weights(indices, a.index)
	return a.shareOf([]scalar{weighted(xs, by), weighted(ys, by)}, c)
}

func (b *Board) maskedFits(v *view, m *suite.Member, x, y *scalar) bool {
	maskX, maskY := b.maskAt(v, m.Index)
	wantX, wantY := add2(m.X, maskX), add2(m.Y, maskY)
	gotX, gotY := mul2(&base2, x), mul2(&base2, y)
	return gotX.Equal(&wantX) && gotY.Equal(&wantY)
}
