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

// Payment is what a transfer pays to one payee. A place that pays nobody has the amount 0 and the payer's own address.
type Payment struct {
	Recipient fr.Element
	Paid      uint64
}

// ManyPlan holds the decisions of a wallet about a transfer of any shape, as [Plan] does for [Single]. The numbers of inputs and
// payments are its shape. Escrow is for one payment only.
type ManyPlan struct {
	Network   hash.NetworkTag
	Nk        fr.Element
	PkAuth    jubjub.Point
	Cc        Compliance
	In        []Input
	Payments  []Payment
	Escrow    bool
	Withdrawn uint64
	Period    uint32
	D         fr.Element
	Seed      fr.Element
	EntryR    fr.Element
	Blindings []clause.Blinding
}

// ManyOutputs are the results of a plan: the first payment, the next compliance coin, the other payments.
type ManyOutputs struct {
	Apk      fr.Element
	Rho      []fr.Element
	Next     Compliance
	Messages []fr.Element
	Out      []clause.Coin
}

// Shape is the shape of the plan.
func (p *ManyPlan) Shape() Shape { return Shape{Inputs: len(p.In), Payees: len(p.Payments)} }

// Wipe overwrites the secrets.
func (p *ManyPlan) Wipe() {
	clear(p.In)
	clear(p.Payments)
	clear(p.Blindings)
	*p = ManyPlan{}
}

// PrepareMany computes the outputs of a plan. It returns an error with a code where the amounts are not allowed.
func PrepareMany(p *ManyPlan) (*ManyOutputs, error) {
	for j := range p.Payments {
		if p.Payments[j].Recipient.IsZero() {
			return nil, fault.New(fault.OwnerZero, "recipient")
		}
	}
	if err := jubjub.Check(&p.PkAuth); err != nil {
		return nil, err
	}
	next, err := p.next()
	if err != nil {
		return nil, err
	}
	h := hash.New(p.Network)
	o := &ManyOutputs{Apk: h.Apk(p.Nk, &p.PkAuth)}
	o.Messages = p.messages(h, o.Apk, next)
	o.Rho = h.OutputRhos(p.Shape().Outputs(), p.Seed, p.D)
	o.Next = *next
	o.Out, err = clause.Blind(h, &p.D, p.Period, o.Messages, p.Blindings)
	return o, err
}

// messages sets what the seed determines in the next compliance coin and returns the messages of the outputs.
func (p *ManyPlan) messages(h *hash.Hasher, apk fr.Element, next *Compliance) []fr.Element {
	shape := p.Shape()
	rhos := h.OutputRhos(shape.Outputs(), p.Seed, p.D) // O-11
	next.Rho = rhos[outputNext]
	next.Com = h.Entry(p.Entry(h)) // O-12
	all := make([]fr.Element, shape.Outputs())
	all[outputNext] = next.message(h, apk) // T-19
	for j := range p.Payments {
		at, x := shape.output(j), &p.Payments[j]
		if p.Escrow {
			all[at] = h.Escrow(x.Paid, x.Recipient, rhos[at])
		} else {
			all[at] = h.Coin(paymentOrigin(&x.Recipient, &apk), x.Paid, x.Recipient, rhos[at]) // T-17
		}
	}
	return all
}

// paymentOrigin is the origin of a coin that is paid: the payer's own where it goes to its payer (T-31).
func paymentOrigin(recipient, apk *fr.Element) hash.Origin {
	if recipient.Equal(apk) {
		return hash.OriginOwn
	}
	return hash.OriginPayment
}

// Entry is the entry of the history, which a recover opens. Its sums have 64 bits where [PrepareMany] returns no error.
func (p *ManyPlan) Entry(h *hash.Hasher) *hash.Entry {
	shape := p.Shape()
	e := &hash.Entry{
		Com: p.Cc.Com, Origin1: hash.OriginSeveral, Origin2: hash.OriginSeveral, Escrow: p.Escrow,
		Withdraw: p.Withdrawn, Period: p.Period, R: p.EntryR,
	}
	d := &hash.Details{}
	for i := range p.In {
		if i < shape.half() {
			e.In1 += p.In[i].Value
		} else {
			e.In2 += p.In[i].Value
		}
		d.Values, d.Origins = append(d.Values, p.In[i].Value), append(d.Origins, p.In[i].Origin)
	}
	for j := range p.Payments {
		e.Paid += p.Payments[j].Paid
		d.Paid, d.Payees = append(d.Paid, p.Payments[j].Paid), append(d.Payees, p.Payments[j].Recipient)
	}
	if shape.Inputs == Single.Inputs {
		e.Origin1, e.Origin2 = p.In[0].Origin, p.In[1].Origin
	}
	if e.Counterparty = p.Payments[0].Recipient; shape != Single {
		e.Counterparty = h.Details(d)
	}
	return e
}

// next returns the account after the transfer, without randomness and history.
func (p *ManyPlan) next() (*Compliance, error) {
	for i := range p.In {
		if p.In[i].Dummy && (p.In[i].Value != 0 || p.In[i].Origin != 0) { // T-06
			return nil, fault.New(fault.WitnessInvalid, "a dummy has a value or an origin")
		}
	}
	if p.Escrow && len(p.Payments) > 1 { // T-33
		return nil, fault.New(fault.WitnessInvalid, "an escrow beside other payments")
	}
	if p.Period < p.Cc.Period { // T-11
		return nil, fault.New(fault.PeriodBackwards, "")
	}
	n := &Compliance{Period: p.Period}
	sent, counted := []uint64{0}, uint64(0)
	if p.Period == p.Cc.Period {
		sent[0], counted = p.Cc.Sent, uint64(p.Cc.Count)
	}
	for j := range p.Payments {
		sent = append(sent, p.Payments[j].Paid)
		if j == 0 || p.Payments[j].Paid != 0 {
			counted++
		}
	}
	var fits bool
	if n.Sent, fits = sum64(sent...); !fits { // T-12
		return nil, fault.New(fault.OverLimitPeriod, "")
	}
	if n.Count = uint32(counted); uint64(n.Count) != counted { // T-13
		return nil, fault.New(fault.OverLimitCount, "")
	}
	var err error
	n.Held, err = p.heldAfter()
	return n, err
}

// heldAfter is T-14. The sum of the inputs of a transfer of two may exceed 64 bits on the way, that of half of many may not (T-32).
func (p *ManyPlan) heldAfter() (uint64, error) {
	held, half := new(big.Int).SetUint64(p.Cc.Held), p.Shape().half()
	for k := range 2 {
		values := make([]uint64, 1, half+1)
		for i := k * half; i < min(len(p.In), (k+1)*half); i++ {
			values = append(values, p.In[i].Value)
		}
		total, fits := sum64(values...)
		if !fits {
			return 0, fault.New(fault.OverLimitHeld, "")
		}
		held.Add(held, new(big.Int).SetUint64(total))
	}
	for j := range p.Payments {
		held.Sub(held, new(big.Int).SetUint64(p.Payments[j].Paid))
	}
	held.Sub(held, new(big.Int).SetUint64(p.Withdrawn))
	switch {
	case held.Sign() < 0:
		return 0, fault.New(fault.InsufficientFunds, "")
	case !held.IsUint64():
		return 0, fault.New(fault.OverLimitHeld, "")
	}
	return held.Uint64(), nil
}

// sum64 adds up, and reports whether the sum has 64 bits.
func sum64(values ...uint64) (total uint64, fits bool) {
	for _, v := range values {
		var carry uint64
		if total, carry = bits.Add64(total, v, 0); carry != 0 {
			return 0, false
		}
	}
	return total, true
}
