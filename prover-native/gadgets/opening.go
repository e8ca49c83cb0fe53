package gadgets

import (
	"math/big"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/fault"
)

// quotientBits bounds q in hm = q r + m.
const quotientBits = 124

// ErrRetrySeed is returned for a message hash whose quotient by r is out of range: draw another seed.
var ErrRetrySeed error = fault.New(fault.RetrySeed, "")

// Opening ties a message hash to a point m Q + b g1.
type Opening struct {
	// Quotient is q in hm = q r + m.
	Quotient frontend.Variable
	// Low and High are the halves s1 and s2 of the exponent m = s1 + lambda s2.
	Low, High frontend.Variable
	// Blind is b.
	Blind Windows
}

// NewOpening assigns an opening for a message hash and a blinding scalar.
func NewOpening(hm *fr.Element, blind *blsfr.Element) (Opening, error) {
	q, m, err := SplitMessage(hm)
	if err != nil {
		return Opening{}, err
	}
	high, low := new(big.Int).DivMod(m, lambda, new(big.Int))
	return Opening{Quotient: q, Low: low, High: high, Blind: RecodeWindows(blind)}, nil
}

// SplitMessage is hm = q r + m with 0 <= m < r; ErrRetrySeed where q has more than 124 bits.
//
//spec:id E-10
func SplitMessage(hm *fr.Element) (q, m *big.Int, err error) {
	q, m = new(big.Int).DivMod(hm.BigInt(new(big.Int)), groupOrder, new(big.Int))
	if q.BitLen() > quotientBits {
		return nil, nil, ErrRetrySeed
	}
	return q, m, nil
}

// Exponent is the scalar of a message hash; ErrRetrySeed where the hash has none.
func Exponent(hm *fr.Element) (blsfr.Element, error) {
	var e blsfr.Element
	_, m, err := SplitMessage(hm)
	if err == nil {
		e.SetBigInt(m)
	}
	return e, err
}

// AssertLink asserts hm = q r + m over the integers. The halves are range-checked by AssertPoint.
//
//spec:id G-06
func (o *Opening) AssertLink(api frontend.API, hm frontend.Variable) {
	AssertRange(api, o.Quotient, quotientBits)
	api.AssertIsEqual(hm, o.reconstructed(api))
}

// AssertLinkUnless is AssertLink where skip, a boolean, is 0. The quotient's range is asserted in both cases.
func (o *Opening) AssertLinkUnless(api frontend.API, skip, hm frontend.Variable) {
	AssertRange(api, o.Quotient, quotientBits)
	api.AssertIsEqual(api.Mul(api.Sub(1, skip), api.Sub(hm, o.reconstructed(api))), 0)
}

func (o *Opening) reconstructed(api frontend.API) frontend.Variable {
	return api.Add(api.Mul(o.Quotient, groupOrder), o.Low, api.Mul(o.High, lambda))
}

// AssertPoint asserts point = m base + b g1. The base is in G1 \ {O}, which the validator checks.
//
//spec:id G-07
func (o *Opening) AssertPoint(api frontend.API, base, point sw.G1Affine) {
	AssertPointsEqual(api, Ladder(api, base, o.Low, o.High, &o.Blind), point)
}
