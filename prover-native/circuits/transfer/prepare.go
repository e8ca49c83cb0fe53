package transfer

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// Plan holds the wallet's decisions before there is a statement. D is the digest of the serial numbers, the withdrawal and
// the context. It does not depend on the seed.
type Plan struct {
	Network   hash.NetworkTag
	Nk        fr.Element
	PkAuth    jubjub.Point
	Cc        Compliance
	In        [2]Input
	Recipient fr.Element // the lock where Escrow is set
	Escrow    bool
	Paid      uint64
	Withdrawn uint64
	Period    uint32
	D         fr.Element
	Seed      fr.Element
	EntryR    fr.Element
	Blindings [2]clause.Blinding
}

// Wipe overwrites the secrets.
func (p *Plan) Wipe() { *p = Plan{} }

// Outputs are the results of a plan: the recipient's coin (index 0) and the next compliance coin (index 1).
type Outputs struct {
	Apk      fr.Element
	Rho      [2]fr.Element
	Next     Compliance
	Messages [2]fr.Element
	Out      [2]clause.Coin
}

// Prepare computes the outputs of a plan. It returns an error with a code where the amounts are not allowed.
func Prepare(p *Plan) (*Outputs, error) {
	many, err := PrepareMany(p.many())
	if err != nil {
		return nil, err
	}
	return &Outputs{
		Apk: many.Apk, Rho: [2]fr.Element(many.Rho), Next: many.Next, Messages: [2]fr.Element(many.Messages), Out: [2]clause.Coin(many.Out),
	}, nil
}

// many is the plan with the types of all shapes.
func (p *Plan) many() *ManyPlan {
	return &ManyPlan{
		Network: p.Network, Nk: p.Nk, PkAuth: p.PkAuth, Cc: p.Cc, In: p.In[:], Payments: []Payment{{p.Recipient, p.Paid}},
		Escrow: p.Escrow, Withdrawn: p.Withdrawn, Period: p.Period, D: p.D, Seed: p.Seed, EntryR: p.EntryR, Blindings: p.Blindings[:],
	}
}

// messages sets what the seed determines in the next compliance coin and returns the messages of both outputs.
func (p *Plan) messages(h *hash.Hasher, apk fr.Element, next *Compliance) [2]fr.Element {
	return [2]fr.Element(p.many().messages(h, apk, next))
}

// Origin is the origin of the coin that the plan pays: the payer's own where it goes to its payer (T-31). An escrow has none.
func (p *Plan) Origin(apk *fr.Element) hash.Origin {
	if p.Escrow {
		return hash.OriginPayment
	}
	return paymentOrigin(&p.Recipient, apk)
}

// next returns the account after the transfer, without randomness and history.
func (p *Plan) next() (*Compliance, error) { return p.many().next() }
