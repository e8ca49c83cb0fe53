package cabi

import (
	"errors"
	"math/big"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/mint"
	"solidus.io/prover/circuits/register"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/circuits/unregulated"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// compliance reads a compliance coin without its owner.
func (r *reader) compliance() transfer.Compliance {
	return transfer.Compliance{
		Rho: r.field(), Period: r.u32(), Sent: r.u64(), Count: r.u32(), Held: r.u64(), Com: r.field(),
	}
}

func (w *writer) compliance(owner *suite.Field, c *transfer.Compliance) {
	w.field(owner)
	w.field(&c.Rho)
	w.u32(c.Period)
	w.u64(c.Sent)
	w.u32(c.Count)
	w.u64(c.Held)
	w.field(&c.Com)
}

func (w *writer) coin(origin hash.Origin, value uint64, owner, rho *suite.Field) {
	w.u8(uint8(origin))
	w.u64(value)
	w.field(owner)
	w.field(rho)
}

func (w *writer) blinded(cm *suite.Field, k *suite.G1) {
	w.field(cm)
	w.point(k)
}

// transferPlan reads a plan and checks that the compliance coin belongs to the keys.
func (r *reader) transferPlan(n *statement.Network) *transfer.Plan {
	p := &transfer.Plan{Nk: r.field(), PkAuth: r.key()}
	owner := r.field()
	p.Cc = r.compliance()
	for i := range p.In {
		p.In[i] = transfer.Input{Value: r.u64(), Origin: r.origin(), Rho: r.field(), Dummy: r.flag()}
	}
	p.Escrow, p.Recipient, p.Paid, p.Withdrawn, p.Period = r.flag(), r.field(), r.u64(), r.u64(), r.u32()
	p.D, p.Seed, p.EntryR = r.field(), r.field(), r.field()
	for j := range p.Blindings {
		p.Blindings[j] = r.blinding()
	}
	if r.err != nil {
		return p
	}
	p.Network = n.Tag()
	if apk := n.Hasher().Apk(p.Nk, &p.PkAuth); !apk.Equal(&owner) {
		r.fail(fault.New(fault.WitnessInvalid, "the compliance coin has another owner"))
	}
	return p
}

func prepareTransfer(r *reader, w *writer) error {
	n := r.network()
	if r.err != nil {
		return r.err
	}
	p := r.transferPlan(n)
	if err := r.end(); err != nil {
		return err
	}
	defer func() { *p = transfer.Plan{} }()
	o, err := transfer.Prepare(p)
	if err != nil {
		return err
	}
	w.coin(p.Origin(&o.Apk), p.Paid, &p.Recipient, &o.Rho[0])
	w.compliance(&o.Apk, &o.Next)
	for j := range o.Messages {
		w.field(&o.Messages[j])
	}
	for j := range o.Out {
		w.blinded(&o.Out[j].Cm, &o.Out[j].K)
	}
	return nil
}

// blinding reads the randomness of an output.
func (r *reader) blinding() clause.Blinding {
	return clause.Blinding{S: r.field(), B: r.scalar()}
}

// registrationPlan is a wallet's plan of a registration.
type registrationPlan struct {
	pkAuth  jubjub.Point
	d       suite.Field
	witness register.Witness
}

func (r *reader) registrationPlan() *registrationPlan {
	p := &registrationPlan{}
	p.witness.Owner.Nk, p.pkAuth = r.field(), r.key()
	p.d, p.witness.Seed = r.field(), r.field()
	p.witness.Blinding = r.blinding()
	return p
}

func prepareRegister(r *reader, w *writer) error {
	n, p := r.network(), r.registrationPlan()
	if err := r.end(); err != nil {
		return err
	}
	defer p.witness.Wipe()
	h := n.Hasher()
	public, err := register.Prepare(h, &p.pkAuth, &p.d, &p.witness)
	if err != nil {
		return err
	}
	rho, _ := h.Rhos(p.witness.Seed, p.d)
	hm := p.witness.Message(h, public)
	w.compliance(&public.Apk, &transfer.Compliance{Rho: rho})
	w.field(&hm)
	w.blinded(&public.Coin.Cm, &public.Coin.K)
	return nil
}

// mintPlan is a plan of a mint.
type mintPlan struct {
	value   uint64
	d       suite.Field
	witness mint.Witness
}

func (r *reader) mintPlan() *mintPlan {
	p := &mintPlan{}
	p.witness.Apk, p.value = r.field(), r.u64()
	p.d, p.witness.Seed = r.field(), r.field()
	p.witness.Blinding = r.blinding()
	return p
}

// mintKind is the circuit package's name for a kind of network.
func mintKind(k statement.Kind) mint.Kind {
	if k == statement.Unregulated {
		return mint.Unregulated
	}
	return mint.Regulated
}

// mintOrigin is the origin of a new coin. Coins of unregulated networks have none.
func mintOrigin(k statement.Kind) hash.Origin {
	if k == statement.Unregulated {
		return hash.OriginPayment
	}
	return hash.OriginMint
}

func prepareMint(r *reader, w *writer) error {
	n, kind, p := r.network(), r.kind(), r.mintPlan()
	if err := r.end(); err != nil {
		return err
	}
	defer p.witness.Wipe()
	if p.witness.Apk.IsZero() {
		return fault.New(fault.OwnerZero, "")
	}
	h := n.Hasher()
	public, err := mint.Prepare(h, mintKind(kind), p.value, &p.d, &p.witness)
	if err != nil {
		return err
	}
	hm, err := p.witness.Message(h, mintKind(kind), public)
	if err != nil {
		return err
	}
	rho, _ := h.Rhos(p.witness.Seed, p.d)
	w.coin(mintOrigin(kind), p.value, &p.witness.Apk, &rho)
	w.field(&hm)
	w.blinded(&public.Coin.Cm, &public.Coin.K)
	return nil
}

// unregulatedPlan is a wallet's plan of an unregulated transfer.
type unregulatedPlan struct {
	pkAuth    jubjub.Point
	d         suite.Field
	withdrawn uint64
	period    uint32
	witness   unregulated.Witness
}

func (r *reader) unregulatedPlan() *unregulatedPlan {
	p := &unregulatedPlan{}
	wt := &p.witness
	wt.Owner.Nk, p.pkAuth = r.field(), r.key()
	var dummies [2]bool
	for i := range wt.Inputs {
		value, origin := r.u64(), r.origin()
		if origin != hash.OriginPayment {
			r.fail(fault.New(fault.WitnessInvalid, "coins of unregulated networks have no origin"))
		}
		wt.Inputs[i].Value, wt.Inputs[i].Rho, dummies[i] = value, r.field(), r.flag()
	}
	if wt.Dummy = dummies[1]; dummies[0] {
		r.fail(fault.New(fault.WitnessInvalid, "the first input is a coin"))
	}
	wt.Recipient, wt.Paid, wt.Change, p.withdrawn, p.period = r.field(), r.u64(), r.u64(), r.u64(), r.u32()
	p.d, wt.Seed = r.field(), r.field()
	for j := range wt.Blindings {
		wt.Blindings[j] = r.blinding()
	}
	return p
}

// created are the outputs of a plan: recipient, change.
type created struct {
	apk      suite.Field
	rhos     [2]suite.Field
	messages [2]suite.Field
	coins    [2]clause.Coin
}

func (p *unregulatedPlan) outputs(n *statement.Network) (*created, error) {
	w, h := &p.witness, n.Hasher()
	if w.Recipient.IsZero() {
		return nil, fault.New(fault.OwnerZero, "recipient")
	}
	if w.Dummy && w.Inputs[1].Value != 0 {
		return nil, fault.New(fault.WitnessInvalid, "a dummy has a value")
	}
	if !balanced([]uint64{w.Inputs[0].Value, w.Inputs[1].Value}, []uint64{w.Paid, w.Change, p.withdrawn}) {
		return nil, fault.New(fault.InsufficientFunds, "the amounts do not balance")
	}
	o := &created{apk: h.Apk(w.Owner.Nk, &p.pkAuth)}
	o.rhos[0], o.rhos[1] = h.Rhos(w.Seed, p.d)
	o.messages[0] = h.CoinUnregulated(w.Paid, w.Recipient, o.rhos[0])
	o.messages[1] = h.CoinUnregulated(w.Change, o.apk, o.rhos[1])
	coins, err := clause.Blind(h, &p.d, p.period, o.messages[:], w.Blindings[:])
	if err != nil {
		return nil, err
	}
	copy(o.coins[:], coins)
	return o, nil
}

// balanced compares two sums, which may exceed 64 bits.
func balanced(in, out []uint64) bool {
	total := new(big.Int)
	for _, v := range in {
		total.Add(total, new(big.Int).SetUint64(v))
	}
	for _, v := range out {
		total.Sub(total, new(big.Int).SetUint64(v))
	}
	return total.Sign() == 0
}

func prepareUnregulated(r *reader, w *writer) error {
	n, p := r.network(), r.unregulatedPlan()
	if err := r.end(); err != nil {
		return err
	}
	defer p.witness.Wipe()
	o, err := p.outputs(n)
	if err != nil {
		return err
	}
	w.coin(hash.OriginPayment, p.witness.Paid, &p.witness.Recipient, &o.rhos[0])
	w.coin(hash.OriginPayment, p.witness.Change, &o.apk, &o.rhos[1])
	for j := range o.messages {
		w.field(&o.messages[j])
	}
	for j := range o.coins {
		w.blinded(&o.coins[j].Cm, &o.coins[j].K)
	}
	return nil
}

// invalid turns the violation of an equation into WITNESS_INVALID. The equation's number is no secret.
func invalid(err error) error {
	var v *clause.Violation
	if errors.As(err, &v) {
		return fault.New(fault.WitnessInvalid, "equation "+v.Equation)
	}
	return err
}
