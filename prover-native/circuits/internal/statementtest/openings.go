package statementtest

import (
	"errors"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// lambda is the eigenvalue of the endomorphism of G1; the order is lambda^2 + lambda + 1.
var lambda, _ = new(big.Int).SetString("452217cc900000010a11800000000000", 16)

// Spendable repeats a draw until preparing with it succeeds, as a wallet does after gadgets.ErrRetrySeed.
func Spendable(t testing.TB, draw func(), prepare func() error) {
	t.Helper()
	for range 1000 {
		draw()
		err := prepare()
		if err == nil {
			return
		}
		if !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Fatal(err)
		}
	}
	t.Fatal("a thousand draws without an admissible exponent")
}

// HasExponent reports whether a message can be signed.
func HasExponent(hm *fr.Element) bool {
	_, err := gadgets.Exponent(hm)
	return err == nil
}

// WrongDivision opens a message by another quotient and remainder: the integer hm + add is split, with the quotient
// lowered by borrow and the remainder raised by as many times the order. The opening has exponent m, the value of the
// remainder modulo the order.
func WrongDivision(hm *fr.Element, blind *blsfr.Element, add *big.Int, borrow int64) (o gadgets.Opening, m blsfr.Element) {
	whole := new(big.Int).Add(hm.BigInt(new(big.Int)), add)
	q, rest := new(big.Int).DivMod(whole, blsfr.Modulus(), new(big.Int))
	m.SetBigInt(rest)
	q.Sub(q, big.NewInt(borrow))
	rest.Add(rest, new(big.Int).Mul(blsfr.Modulus(), big.NewInt(borrow)))
	high, low := new(big.Int).DivMod(rest, lambda, new(big.Int))
	return gadgets.Opening{Quotient: q, Low: low, High: high, Blind: gadgets.RecodeWindows(blind)}, m
}

// CommitTo is m base + b g1. It does not apply the rules for exponents.
func CommitTo(base *bls.G1Affine, m, b *blsfr.Element) sw.G1Affine {
	var p bls.G1Affine
	p.ScalarMultiplication(base, m.BigInt(new(big.Int)))
	return sw.NewG1Affine(PlusBase(&p, b))
}

// Reblind makes a correctly blinded coin of any message that has an exponent.
func Reblind(t testing.TB, h *hash.Hasher, d, hm *fr.Element) (clause.CoinVars, clause.BlindingVars) {
	t.Helper()
	b := clause.Blinding{S: Field(t), B: Scalar(t)}
	coin, err := b.Blind(h, d, hm)
	if err != nil {
		t.Fatal(err)
	}
	vars, err := b.Assign(hm)
	if err != nil {
		t.Fatal(err)
	}
	return coin.Assign(), vars
}
