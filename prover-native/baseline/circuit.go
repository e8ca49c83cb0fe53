package baseline

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"
)

// Places of the three new coins in Circuit.New.
const (
	recipient = iota
	redeem
	compliance
)

// Blinded is a blinded coin (c_m, h, k).
type Blinded struct {
	Cm   frontend.Variable
	H, K sw.G1Affine
}

// Opening is the randomness of a blinded coin.
type Opening struct{ S, B frontend.Variable }

// Signature is a PS signature on a spent coin.
type Signature struct{ S1, S2 sw.G1Affine }

// Coin is a spent coin; its owner is the sender.
type Coin struct{ Value, Rho frontend.Variable }

// Circuit is the statement of Algorithm 10. Its public inputs come first and in this order.
type Circuit struct {
	X, Y bls.G2Affine `gnark:"-"`

	Serials      [2]frontend.Variable `gnark:",public"`
	SerialCc     frontend.Variable    `gnark:",public"`
	New          [3]Blinded           `gnark:",public"`
	Root         frontend.Variable    `gnark:",public"`
	VTotal       frontend.Variable    `gnark:",public"`
	VSent        frontend.Variable    `gnark:",public"`
	Ask          frontend.Variable
	Old          [2]Coin
	CcRho, CcV   frontend.Variable
	CcCom        frontend.Variable
	Sigs         [3]Signature // both coins, then the compliance coin
	Recipient    frontend.Variable
	Paid, Change frontend.Variable
	Seed, R      frontend.Variable
	Openings     [3]Opening
	Members      [2]Membership // sender, recipient
}

// New returns the circuit to compile: the committee key is one of its constants.
func New(key *PublicKey) *Circuit { return &Circuit{X: key.X, Y: key.Y} }

// Define states the relation.
func (c *Circuit) Define(api frontend.API) error {
	h, err := newHasher(api)
	if err != nil {
		return err
	}
	apk := h.prf(c.Ask, 0)
	c.serials(api, h)
	c.amounts(api)
	spent, created := c.messages(api, h, apk)
	for i, m := range spent {
		if err := c.verifySignature(api, c.Sigs[i], exponent(api, m)); err != nil {
			return err
		}
	}
	for j, m := range created {
		c.blind(api, h, j, m)
	}
	c.Members[0].assertAbsent(api, h, apk, c.Root)
	c.Members[1].assertAbsent(api, h, c.Recipient, c.Root)
	return nil
}

//spec:id B-01
func (c *Circuit) serials(api frontend.API, h *hasher) {
	for i := range c.Old {
		api.AssertIsEqual(c.Serials[i], h.prf(c.Ask, c.Old[i].Rho))
	}
	api.AssertIsEqual(c.SerialCc, h.prf(c.Ask, c.CcRho))
}

//spec:id B-06 B-09 B-10
func (c *Circuit) amounts(api frontend.API) {
	api.AssertIsEqual(api.Add(c.Old[0].Value, c.Old[1].Value), api.Add(c.Paid, c.Change))
	api.ToBinary(c.Paid, 64)
	api.ToBinary(c.Change, 64)
	api.ToBinary(api.Sub(c.VSent, c.Paid), 64)
	api.ToBinary(api.Sub(c.VTotal, c.CcV, c.Paid), 64)
}

// messages returns the hashes of the spent coins and of the new ones.
//
//spec:id B-02 B-05 B-07 B-08
func (c *Circuit) messages(api frontend.API, h *hasher, apk frontend.Variable) (spent, created [3]frontend.Variable) {
	for i := range c.Old {
		spent[i] = h.sum(c.Old[i].Value, apk, c.Old[i].Rho)
	}
	spent[2] = h.sum(apk, c.CcRho, c.CcV, c.CcCom)

	var rho [3]frontend.Variable
	for j := range rho {
		rho[j] = h.prf(c.Seed, c.Serials[0], c.Serials[1], j+1)
	}
	com := h.sum(c.CcCom, c.Recipient, c.Paid, c.R)
	created[recipient] = h.sum(c.Paid, c.Recipient, rho[recipient])
	created[redeem] = h.sum(c.Change, apk, rho[redeem])
	created[compliance] = h.sum(apk, rho[compliance], api.Add(c.CcV, c.Paid), com)
	return spent, created
}

// exponent maps a hash to a scalar of BLS12-377: the low 252 bits of the canonical integer.
func exponent(api frontend.API, hm frontend.Variable) frontend.Variable {
	return api.FromBinary(api.ToBinary(hm)[:exponentBits]...)
}

//spec:id B-03
func (c *Circuit) blind(api frontend.API, h *hasher, j int, hm frontend.Variable) {
	api.AssertIsEqual(c.New[j].Cm, h.prf(c.Openings[j].S, hm))
	var k, b sw.G1Affine
	k.ScalarMul(api, c.New[j].H, exponent(api, hm))
	b.ScalarMulBase(api, c.Openings[j].B)
	k.AddUnified(api, b)
	k.AssertIsEqual(api, c.New[j].K)
}

// verifySignature is VERIFY of Appendix B.1: e(s1, X Y^m) = e(s2, g2), with s1 and s2 finite
// points of the prime-order group.
//
//spec:id B-04
func (c *Circuit) verifySignature(api frontend.API, s Signature, m frontend.Variable) error {
	pairing := sw.NewPairing(api)
	for _, p := range []*sw.G1Affine{&s.S1, &s.S2} {
		assertFiniteOnCurve(api, p)
		pairing.AssertIsOnG1(p)
	}
	_, _, _, g2 := bls.Generators()
	x, xym := sw.NewG2Affine(c.X), sw.NewG2Affine(c.Y)
	xym.P.ScalarMul(api, xym.P, m)
	xym.P.AddUnified(api, x.P)
	var minus sw.G1Affine
	minus.Neg(api, s.S2)
	return sw.PairingCheck(api,
		[]sw.G1Affine{s.S1, minus},
		[]sw.G2Affine{{P: xym.P}, sw.NewG2AffineFixed(g2)})
}

// assertFiniteOnCurve asserts y^2 = x^3 + 1. The library's own check also admits (0, 0),
// its encoding of the identity.
func assertFiniteOnCurve(api frontend.API, p *sw.G1Affine) {
	api.AssertIsEqual(api.Mul(p.Y, p.Y), api.Add(api.Mul(p.X, p.X, p.X), 1))
}
