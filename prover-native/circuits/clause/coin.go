package clause

import (
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

// Coin is a blinded coin (c_m, h, k), the public side of an output.
type Coin struct {
	Cm   fr.Element
	H, K bls.G1Affine
}

// Blinding is the randomness of a blinded coin.
type Blinding struct {
	// S hides the message in c_m.
	S fr.Element
	// B hides it in k.
	B fr.Element
}

// Blind makes the blinded coins of a statement's outputs, all together, because each base depends on every commitment. The
// statement is told by its inputs digest D and its period, 0 where it has none.
//
//spec:id S-02
func Blind(h *hash.Hasher, d *fr.Element, period uint32, messages []fr.Element, blindings []Blinding) ([]Coin, error) {
	outputs := &hash.Outputs{D: *d, Period: period}
	for j := range messages {
		outputs.Cms = append(outputs.Cms, h.Commit(blindings[j].S, messages[j]))
	}
	coins := make([]Coin, len(messages))
	for j := range coins {
		base, err := h.CoinBase(outputs, j)
		if err != nil {
			return nil, err
		}
		coins[j] = Coin{Cm: outputs.Cms[j], H: base, K: combine(&base, &messages[j], &blindings[j].B)}
		if coins[j].K.IsInfinity() { // chance 2^-254 for a blinding drawn at random; it has no encoding
			return nil, fault.New(fault.IdentityPoint, "blinded coin")
		}
	}
	return coins, nil
}

// Opens tells whether the coin hides the message under this randomness (S-02). That h is the base of the output is the
// validator's check and not repeated here.
func (b *Blinding) Opens(h *hash.Hasher, c *Coin, hm *fr.Element) bool {
	cm, k := h.Commit(b.S, *hm), combine(&c.H, hm, &b.B)
	return cm.Equal(&c.Cm) && k.Equal(&c.K)
}

// combine is m p + s g1.
func combine(p *bls.G1Affine, m, s *fr.Element) bls.G1Affine {
	var q, shift bls.G1Affine
	q.ScalarMultiplication(p, m.BigInt(new(big.Int)))
	shift.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	q.Add(&q, &shift)
	return q
}
