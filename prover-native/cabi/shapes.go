package cabi

import (
	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/keys"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// shapes are the families of transfers of other shapes whose witnesses this library reads.
var shapes = map[statement.Family]transfer.Shape{
	statement.FamilyClaim16: transfer.Claim16,
	statement.FamilyPay8:    transfer.Pay8,
}

// shapePlan reads a plan as transferPlan does, for any numbers of inputs and payments.
func (r *reader) shapePlan(n *statement.Network, shape transfer.Shape) *transfer.ManyPlan {
	p := &transfer.ManyPlan{Nk: r.field(), PkAuth: r.key()}
	owner := r.field()
	p.Cc = r.compliance()
	for range shape.Inputs {
		p.In = append(p.In, transfer.Input{Value: r.u64(), Origin: r.origin(), Rho: r.field(), Dummy: r.flag()})
	}
	p.Escrow = r.flag()
	for range shape.Payees {
		p.Payments = append(p.Payments, transfer.Payment{Recipient: r.field(), Paid: r.u64()})
	}
	p.Withdrawn, p.Period = r.u64(), r.u32()
	p.D, p.Seed, p.EntryR = r.field(), r.field(), r.field()
	for range shape.Outputs() {
		p.Blindings = append(p.Blindings, r.blinding())
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

// prepareShape is prepareTransfer for a family of another shape, which comes first. The coins of further payees are behind the next
// compliance coin, as their outputs are; the messages and the blinded coins are in the order of the outputs. The last three values
// are what a recover over the transfer opens: both halves, and the hash of the details.
func prepareShape(r *reader, w *writer) error {
	n, family := r.network(), statement.Family(r.u8())
	shape, known := shapes[family]
	if r.err == nil && !known {
		r.fail(fault.Newf(fault.WrongFamily, "%d", family))
	}
	if r.err != nil {
		return r.err
	}
	p := r.shapePlan(n, shape)
	defer p.Wipe()
	if err := r.end(); err != nil {
		return err
	}
	o, err := transfer.PrepareMany(p)
	if err != nil {
		return err
	}
	paid := func(j, output int) {
		x := &p.Payments[j]
		origin := hash.OriginPayment
		if !p.Escrow && x.Recipient.Equal(&o.Apk) {
			origin = hash.OriginOwn
		}
		w.coin(origin, x.Paid, &x.Recipient, &o.Rho[output])
	}
	paid(0, 0)
	w.compliance(&o.Apk, &o.Next)
	for j := 1; j < len(p.Payments); j++ {
		paid(j, j+1)
	}
	for j := range o.Messages {
		w.field(&o.Messages[j])
	}
	for j := range o.Out {
		w.blinded(&o.Out[j].Cm, &o.Out[j].K)
	}
	entry := p.Entry(n.Hasher())
	w.u64(entry.In1)
	w.u64(entry.In2)
	w.field(&entry.Counterparty)
	return nil
}

// shapeJob is transferJob for a family of another shape.
func shapeJob(set *keys.Set, family statement.Family, core [32]byte, r *reader) (*job, error) {
	shape := shapes[family]
	plan, alpha := r.shapePlan(set.Network, shape), r.keyScalar()
	defer plan.Wipe()
	shows := make([]presentation, 1+shape.Inputs)
	for i := range shows {
		shows[i] = r.presentation()
	}
	limits, root := r.limits(), r.field()
	sender := r.path()
	recipients := make([]sanction.Path, shape.Payees)
	for j := range recipients {
		recipients[j] = r.path()
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	out, err := transfer.PrepareMany(plan)
	if err != nil {
		return nil, err
	}
	rk, err := suite.RandomisedKey(&plan.PkAuth, &alpha)
	if err != nil {
		return nil, err
	}
	if err := checkShownMessages(set, out.Apk, &plan.Cc, plan.In, shows); err != nil {
		return nil, err
	}
	if err := checkOpenings(shows); err != nil {
		return nil, err
	}
	h := set.Network.Hasher()
	serialKey := h.SerialKey(plan.Nk, &plan.PkAuth)
	w := &transfer.ManyWitness{
		Network: plan.Network, Owner: clause.Owner{Nk: plan.Nk, Alpha: alpha}, Cc: plan.Cc, In: plan.In, Payments: plan.Payments,
		Escrow: plan.Escrow, Seed: plan.Seed, EntryR: plan.EntryR, Blindings: plan.Blindings, ShowCcBlind: shows[0].opening,
		SenderPath: sender, RecipientPaths: recipients,
		Public: transfer.ManyPublic{
			SnCc: h.Serial(serialKey, plan.Cc.Rho), Out: out.Out, ShowCc: clause.Shown{H: shows[0].shown.H, M: shows[0].shown.M},
			Rk: rk, D: plan.D, Withdrawn: plan.Withdrawn, Period: plan.Period, Root: root,
			VSent: limits.MaxPerTransfer, VTotal: limits.MaxPerPeriod, VHeld: limits.MaxHeld, VEscrow: limits.MaxEscrow,
			VCount: limits.MaxTransfersPerPeriod,
		},
	}
	defer w.Wipe()
	for i := range plan.In {
		s := &shows[1+i]
		w.Public.Sn = append(w.Public.Sn, h.Serial(serialKey, plan.In[i].Rho))
		w.Public.Show = append(w.Public.Show, clause.Shown{H: s.shown.H, M: s.shown.M})
		w.ShowBlind = append(w.ShowBlind, s.opening)
	}
	link, err := w.Bind(core)
	if err != nil {
		return nil, err
	}
	assignment, err := w.Assign(link)
	if err == nil {
		err = transfer.CheckMany(assignment)
	}
	if err != nil {
		link.Wipe()
		return nil, err
	}
	return &job{assignment, w.Public.Vector(link), link}, nil
}
