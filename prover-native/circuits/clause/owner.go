package clause

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Owner holds the owner's secrets without the spend key. A prover who learns them can build proofs, but cannot use one
// without the spend key.
type Owner struct {
	// Nk is the nullifier key.
	Nk fr.Element
	// Alpha randomises the authorisation key of one statement.
	Alpha jubjub.Scalar
}

// OwnerVars is Owner as variables of a circuit.
type OwnerVars struct {
	Nk frontend.Variable
	// Beta is -alpha, so that an addition leads to pk_auth.
	Beta gadgets.Windows
}

// RandomisedKey is rk = pk_auth + alpha B, for a complete key. It refuses a sum of zero, which only a chosen alpha reaches.
func (o *Owner) RandomisedKey(pkAuth *jubjub.Point) (jubjub.Point, error) {
	return suite.RandomisedKey(pkAuth, &o.Alpha)
}

// Apk is the address behind a randomised key; zero where no address can be.
func (o *Owner) Apk(h *hash.Hasher, rk *jubjub.Point) fr.Element {
	apk, _ := o.Address(h, rk)
	return apk
}

// Address is the address behind a randomised key with its serial key; zero where no address can be.
func (o *Owner) Address(h *hash.Hasher, rk *jubjub.Point) (apk, serialKey fr.Element) {
	pkAuth := o.pkAuth(rk)
	if pkAuth.IsZero() {
		return fr.Element{}, fr.Element{}
	}
	return h.Address(o.Nk, &pkAuth)
}

// pkAuth is rk - alpha B.
func (o *Owner) pkAuth(rk *jubjub.Point) jubjub.Point {
	var beta jubjub.Scalar
	beta.Neg(&o.Alpha)
	return jubjub.Add(*rk, jubjub.MulBase(&beta))
}

// Assign returns the owner's secrets as an assignment of circuit variables.
func (o *Owner) Assign() OwnerVars {
	var beta jubjub.Scalar
	beta.Neg(&o.Alpha)
	return OwnerVars{Nk: o.Nk, Beta: gadgets.RecodeWindows(&beta)}
}

// Address asserts that the owner has an address, and returns it with the serial key. pk_auth is not the identity, which has
// x = 0 on Jubjub as (0, -1) has, of order two; no other point has. That apk is not zero needs no assertion: keys with that
// address would be a preimage of zero under the hash.
//
//spec:id C-01
func (o *OwnerVars) Address(api frontend.API, h *hash.Circuit, rk gadgets.Point) (apk, serialKey frontend.Variable) {
	pkAuth := gadgets.AddFixedBase(api, rk, &o.Beta)
	gadgets.AssertNotZero(api, pkAuth.X)
	return h.Address(o.Nk, pkAuth.X, pkAuth.Y)
}
