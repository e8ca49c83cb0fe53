package transfer

import (
	"math/big"
	"math/bits"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// ErrRetrySeed asks for another seed: one of the outputs' messages has no admissible exponent. Two draws are needed on average.
var ErrRetrySeed = gadgets.ErrRetrySeed

// Plan is what a wallet decides before there is a statement. D is the digest of the serial numbers, the withdrawal and the
// context; it does not depend on the seed.
type Plan struct {
	Network   hash.NetworkTag
	Nk        fr.Element
	PkAuth    bls12377.G1Affine
	Cc        Compliance
	In        [2]Input
	Recipient fr.Element
	Paid      uint64
	Withdrawn uint64
	Period    uint32
	D         fr.Element
	Seed      fr.Element
	EntryR    fr.Element
	S         [2]fr.Element
	B         [2]blsfr.Element
}

// Wipe overwrites the secrets.
func (p *Plan) Wipe() { *p = Plan{} }

// Outputs is what follows from a plan: the recipient's coin (index 0) and the next compliance coin (index 1).
type Outputs struct {
	Apk      fr.Element
	Rho      [2]fr.Element
	Next     Compliance
	Messages [2]fr.Element
	Out      [2]Blinded
}

// Prepare computes the outputs of a plan. It returns [ErrRetrySeed] where the seed does not do, and a coded error where the
// amounts do not.
func Prepare(p *Plan) (*Outputs, error) {
	if p.Recipient.IsZero() {
		return nil, fault.New(fault.OwnerZero, "recipient")
	}
	if p.PkAuth.IsInfinity() {
		return nil, fault.New(fault.IdentityPoint, "spend key")
	}
	if !p.PkAuth.IsInSubGroup() {
		return nil, fault.New(fault.PointNotInSubgroup, "spend key")
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
	for j := range o.Out {
		if o.Out[j], err = blind(h, &p.D, &o.Messages[j], &p.S[j], &p.B[j]); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// messages fills what the seed determines in the next compliance coin and returns both outputs' messages.
func (p *Plan) messages(h *hash.Hasher, apk fr.Element, next *Compliance) [2]fr.Element {
	rho, rhoCc := h.Rhos(p.Seed, p.D) // O-11
	next.Rho = rhoCc
	next.Com = h.Entry(&hash.Entry{ // O-12
		Com: p.Cc.Com, Paid: p.Paid, In1: p.In[0].Value, In2: p.In[1].Value,
		Withdraw: p.Withdrawn, Period: p.Period, Counterparty: p.Recipient, R: p.EntryR,
	})
	return [2]fr.Element{h.Coin(p.Paid, p.Recipient, rho), next.message(h, apk)} // T-17, T-19
}

// next is the account after the transfer, without randomness and history.
func (p *Plan) next() (*Compliance, error) {
	for i := range p.In {
		if p.In[i].Dummy && p.In[i].Value != 0 { // T-06
			return nil, fault.New(fault.WitnessInvalid, "a dummy has a value")
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

// blind is T-20 to T-22 for one output.
func blind(h *hash.Hasher, d, message, s *fr.Element, b *blsfr.Element) (Blinded, error) {
	_, m, err := gadgets.SplitMessage(message)
	if err != nil {
		return Blinded{}, err
	}
	out := Blinded{Cm: h.Commit(*s, *message)}
	if out.H, err = h.CoinBase(&out.Cm, d); err != nil {
		return Blinded{}, err
	}
	var shift bls12377.G1Affine
	out.K.ScalarMultiplication(&out.H, m)
	shift.ScalarMultiplicationBase(b.BigInt(new(big.Int)))
	out.K.Add(&out.K, &shift)
	if out.K.IsInfinity() { // chance 2^-253; no encoding and no proof exists for it
		return Blinded{}, ErrRetrySeed
	}
	return out, nil
}
