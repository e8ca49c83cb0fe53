package clause

import (
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Owner is what a spender knows of herself. A prover who learns it can build proofs; to use one takes the spend key as well.
type Owner struct {
	// Nk is the nullifier key.
	Nk fr.Element
	// Alpha randomises the authorisation key of one statement.
	Alpha blsfr.Element
}

// OwnerVars is Owner in a circuit.
type OwnerVars struct {
	Nk frontend.Variable
	// Beta is -alpha, so that pk_auth is reached by an addition.
	Beta gadgets.Windows
}

// RandomisedKey is rk = pk_auth + alpha g1, for a key that lies in G1. A sum of zero, which only a chosen alpha reaches, is refused.
func (o *Owner) RandomisedKey(pkAuth *bls.G1Affine) (bls.G1Affine, error) {
	if pkAuth.IsInfinity() {
		return bls.G1Affine{}, fault.New(fault.IdentityPoint, "authorisation key")
	}
	if !pkAuth.IsInSubGroup() {
		return bls.G1Affine{}, fault.New(fault.PointNotInSubgroup, "authorisation key")
	}
	rk := plusBase(pkAuth, &o.Alpha)
	if rk.IsInfinity() {
		return bls.G1Affine{}, fault.New(fault.IdentityPoint, "randomised key")
	}
	return rk, nil
}

// Apk is the address behind a randomised key; zero where no address can be.
func (o *Owner) Apk(h *hash.Hasher, rk *bls.G1Affine) fr.Element {
	apk, _ := o.Address(h, rk)
	return apk
}

// Address is the address behind a randomised key with its serial key; zero where no address can be.
func (o *Owner) Address(h *hash.Hasher, rk *bls.G1Affine) (apk, serialKey fr.Element) {
	var beta blsfr.Element
	beta.Neg(&o.Alpha)
	pkAuth := plusBase(rk, &beta)
	if pkAuth.IsInfinity() {
		return fr.Element{}, fr.Element{}
	}
	return h.Address(o.Nk, &pkAuth)
}

// Assign gives the circuit's view.
func (o *Owner) Assign() OwnerVars {
	var beta blsfr.Element
	beta.Neg(&o.Alpha)
	return OwnerVars{Nk: o.Nk, Beta: gadgets.RecodeWindows(&beta)}
}

// Address asserts that the owner has an address, and returns it with the serial key.
//
//spec:id C-01
func (o *OwnerVars) Address(api frontend.API, h *hash.Circuit, rk sw.G1Affine) (apk, serialKey frontend.Variable) {
	pkAuth := gadgets.AddFixedBase(api, rk, &o.Beta)
	apk, serialKey = h.Address(o.Nk, pkAuth.X, pkAuth.Y)
	gadgets.AssertNotZero(api, apk)
	return apk, serialKey
}

// plusBase is p + s g1.
func plusBase(p *bls.G1Affine, s *blsfr.Element) bls.G1Affine {
	var q bls.G1Affine
	q.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	q.Add(&q, p)
	return q
}

// combine is m p + s g1.
func combine(p *bls.G1Affine, m, s *blsfr.Element) bls.G1Affine {
	var q bls.G1Affine
	q.ScalarMultiplication(p, m.BigInt(new(big.Int)))
	return plusBase(&q, s)
}
