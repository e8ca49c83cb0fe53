package transfer

import (
	"math/big"
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
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
	if p.Recipient.IsZero() {
		return nil, fault.New(fault.OwnerZero, "recipient")
	}
	if err := jubjub.Check(&p.PkAuth); err != nil {
		return nil, err
	}
	next, err := p.next()
	if err != nil {
		return nil, err
	}
	h := hash.New(p.Network)
	o := &Outputs{Apk: h.Apk(p.Nk, &p.PkAuth)}
	o.Messages = p.messages(h, o.Apk, next)
	o.Rho[0], o.Rho[1] = h.Rhos(p.Seed, p.D)
	o.Next = *next
	coins, err := clause.Blind(h, &p.D, p.Period, o.Messages[:], p.Blindings[:])
	if err != nil {
		return nil, err
	}
	copy(o.Out[:], coins)
	return o, nil
}

// messages sets what the seed determines in the next compliance coin and returns the messages of both outputs.
func (p *Plan) messages(h *hash.Hasher, apk fr.Element, next *Compliance) [2]fr.Element {
	rho, rhoCc := h.Rhos(p.Seed, p.D) // O-11
	next.Rho = rhoCc
	next.Com = h.Entry(&hash.Entry{ // O-12
		Com: p.Cc.Com, Paid: p.Paid, In1: p.In[0].Value, In2: p.In[1].Value,
		Origin1: p.In[0].Origin, Origin2: p.In[1].Origin, Escrow: p.Escrow,
		Withdraw: p.Withdrawn, Period: p.Period, Counterparty: p.Recipient, R: p.EntryR,
	})
	return [2]fr.Element{p.payment(h, apk, rho), next.message(h, apk)} // T-17, T-19
}

// payment is the message of what is paid.
func (p *Plan) payment(h *hash.Hasher, apk, rho fr.Element) fr.Element {
	if p.Escrow {
		return h.Escrow(p.Paid, p.Recipient, rho)
	}
	return h.Coin(p.Origin(&apk), p.Paid, p.Recipient, rho)
}

// Origin is the origin of the coin that the plan pays: the payer's own where it goes to its payer (T-31). An escrow has none.
func (p *Plan) Origin(apk *fr.Element) hash.Origin {
	if !p.Escrow && p.Recipient.Equal(apk) {
		return hash.OriginOwn
	}
	return hash.OriginPayment
}

// next returns the account after the transfer, without randomness and history.
func (p *Plan) next() (*Compliance, error) {
	for i := range p.In {
		if p.In[i].Dummy && (p.In[i].Value != 0 || p.In[i].Origin != 0) { // T-06
			return nil, fault.New(fault.WitnessInvalid, "a dummy has a value or an origin")
		}
	}
	if p.Period < p.Cc.Period { // T-11
		return nil, fault.New(fault.PeriodBackwards, "")
	}
	n := &Compliance{Period: p.Period, Sent: p.Paid, Count: 1}
	if p.Period == p.Cc.Period {
		var carry uint64
		if n.Sent, carry = bits.Add64(p.Cc.Sent, p.Paid, 0); carry != 0 { // T-12
			return nil, fault.New(fault.OverLimitPeriod, "")
		}
		if n.Count = p.Cc.Count + 1; n.Count == 0 { // T-13
			return nil, fault.New(fault.OverLimitCount, "")
		}
	}
	var err error
	n.Held, err = p.heldAfter()
	return n, err
}

// heldAfter is T-14. The sum of the inputs may exceed 64 bits on the way.
func (p *Plan) heldAfter() (uint64, error) {
	held := new(big.Int)
	for _, v := range []uint64{p.Cc.Held, p.In[0].Value, p.In[1].Value} {
		held.Add(held, new(big.Int).SetUint64(v))
	}
	for _, v := range []uint64{p.Paid, p.Withdrawn} {
		held.Sub(held, new(big.Int).SetUint64(v))
	}
	switch {
	case held.Sign() < 0:
		return 0, fault.New(fault.InsufficientFunds, "")
	case !held.IsUint64():
		return 0, fault.New(fault.OverLimitHeld, "")
	}
	return held.Uint64(), nil
}
