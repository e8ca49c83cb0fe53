package clause

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/gadgets"
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
	B blsfr.Element
}

// CoinVars is Coin in a circuit.
type CoinVars struct {
	Cm   frontend.Variable
	H, K sw.G1Affine
}

// BlindingVars is Blinding in a circuit, with the decomposition of the message.
type BlindingVars struct {
	S       frontend.Variable
	Message gadgets.Opening
}

// Blind makes the blinded coin of a message under the inputs digest D; gadgets.ErrRetrySeed where the message has no
// admissible exponent.
//
//spec:id S-02
func (b *Blinding) Blind(h *hash.Hasher, d, hm *fr.Element) (Coin, error) {
	m, err := gadgets.Exponent(hm)
	if err != nil {
		return Coin{}, err
	}
	c := Coin{Cm: h.Commit(b.S, *hm)}
	if c.H, err = h.CoinBase(&c.Cm, d); err != nil {
		return Coin{}, err
	}
	c.K = combine(&c.H, &m, &b.B)
	if c.K.IsInfinity() { // chance 2^-253; it has no encoding and no proof
		return Coin{}, gadgets.ErrRetrySeed
	}
	return c, nil
}

// Opens tells whether the coin hides the message under this randomness (C-02, C-03). That h is the hash of
// (c_m, D) is the validator's check and not repeated here.
func (b *Blinding) Opens(h *hash.Hasher, c *Coin, hm *fr.Element) bool {
	m, err := gadgets.Exponent(hm)
	if err != nil {
		return false
	}
	cm, k := h.Commit(b.S, *hm), combine(&c.H, &m, &b.B)
	return cm.Equal(&c.Cm) && k.Equal(&c.K)
}

// Assign gives the circuit's view of the coin.
func (c *Coin) Assign() CoinVars {
	return CoinVars{Cm: c.Cm, H: sw.NewG1Affine(c.H), K: sw.NewG1Affine(c.K)}
}

// Assign gives the circuit's view of the randomness for a message.
func (b *Blinding) Assign(hm *fr.Element) (BlindingVars, error) {
	opening, err := gadgets.NewOpening(hm, &b.B)
	return BlindingVars{S: b.S, Message: opening}, err
}

// AssertHides asserts that the coin hides the message.
//
//spec:id C-02 C-03
func (c *CoinVars) AssertHides(api frontend.API, h *hash.Circuit, hm frontend.Variable, b *BlindingVars) {
	api.AssertIsEqual(c.Cm, h.Commit(b.S, hm))
	b.Message.AssertLink(api, hm)
	b.Message.AssertPoint(api, c.H, c.K)
}
