package cabi

import (
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const (
	// recoverItems are the requests below a recover and itself.
	recoverItems = statement.MaxBelow + 1
	// recoverBytes bounds a recover with all requests below it. A claim of 16 has 7.2 kB.
	recoverBytes = recoverItems * 8 * kib
)

// recover reads a recover as a list: what is below first, each request once, itself last. A recover names its requests by their
// positions, twice the same where it is about one core, so that reading needs no recursion and copies cost nothing.
func (r *reader) recover() *statement.Recover {
	n := int(r.u8())
	if r.err == nil && (n < 2 || n > recoverItems) {
		r.fail(fault.Newf(fault.MalformedRequest, "%d requests in a recover", n))
	}
	var items []statement.Request
	named := make([]bool, recoverItems)
	for r.err == nil && len(items) < n {
		switch family := statement.Family(r.u8()); family {
		case statement.FamilyTransfer, statement.FamilyClaim16, statement.FamilyPay8:
			item := &statement.Item{}
			item.Statement, item.Evidence = r.transfer()
			limits, root := r.limits(), r.field()
			item.Limits, item.Root = limits, &root
			items = append(items, statement.Request{Transfer: item})
		case statement.FamilyRecover:
			items = append(items, statement.Request{Recover: r.recoverOver(items, named)})
		default:
			r.fail(fault.Newf(fault.WrongFamily, "%d below a recover", family))
		}
	}
	if r.err != nil {
		return nil
	}
	for i := range items[:n-1] {
		if !named[i] {
			r.fail(fault.New(fault.MalformedRequest, "a request that nothing names"))
		}
	}
	if items[n-1].Recover == nil {
		r.fail(fault.New(fault.MalformedRequest, "the last request is no recover"))
	}
	return items[n-1].Recover
}

// recoverOver reads a recover over requests that were read before it.
func (r *reader) recoverOver(items []statement.Request, named []bool) *statement.Recover {
	x := &statement.Recover{}
	first, second := r.position(items, named), r.position(items, named)
	if r.err != nil {
		return x
	}
	if x.First = *first; second != first {
		x.Second = *second
	}
	for j := range x.Next {
		x.Next[j], x.Returned[j] = r.field(), r.field()
	}
	x.Credits = r.u8()
	for j := range x.Outputs {
		x.Outputs[j] = r.coin()
	}
	x.Context = r.array32()
	x.Evidence = &statement.OwnerEvidence{CircuitVersion: r.u32(), RK: r.uncheckedKey(), Proof: r.sized(), KeySignature: r.sized()}
	return x
}

func (r *reader) position(items []statement.Request, named []bool) *statement.Request {
	i := int(r.u8())
	if r.err != nil || i >= len(items) {
		r.fail(fault.New(fault.MalformedRequest, "no request at this position"))
		return nil
	}
	named[i] = true
	return &items[i]
}

// verifyRecover also compares the core, so that a caller that put the rows together itself cannot reserve others.
func verifyRecover(r *reader, w *writer) error {
	v, core := lookup[*statement.Verifier](r), r.array32()
	x := r.recover()
	if done, err := r.finish(w); done {
		return err
	}
	reservation, err := x.Reservation(v.Network())
	if err != nil {
		return w.verdict(err)
	}
	if reservation.Core != core {
		return fault.New(fault.MalformedRequest, "the caller has another core")
	}
	return w.verdict(v.VerifyRecover(x))
}

// recoverReservation is what an authority reserves: core, D, serial numbers, and the cores below.
func recoverReservation(r *reader, w *writer) error {
	n := r.network()
	if r.err != nil {
		return r.err
	}
	x := r.recover()
	if err := r.end(); err != nil {
		return err
	}
	reservation, err := x.Reservation(n)
	if err != nil {
		return err
	}
	w.bytes(reservation.Core[:])
	w.field(&reservation.D)
	w.u8(uint8(len(reservation.Serials)))
	for i := range reservation.Serials {
		w.field(&reservation.Serials[i])
	}
	w.u8(uint8(len(reservation.Below)))
	for i := range reservation.Below {
		w.bytes(reservation.Below[i].Core[:])
	}
	return nil
}

// recoverPlan is a wallet's plan of a recover.
type recoverPlan struct {
	pkAuth  jubjub.Point
	d       suite.Field
	bits    recovery.Bits
	witness recovery.Witness
}

func (r *reader) recoverPlan() *recoverPlan {
	p := &recoverPlan{}
	p.witness.Owner.Nk, p.pkAuth, p.d = r.field(), r.key(), r.field()
	for j := range p.witness.Core {
		p.bits.Recover[j] = r.flag()
		p.bits.Credit[j] = [2]bool{r.flag(), r.flag()}
		p.witness.Core[j] = recovery.Core{
			D: r.field(), Seed: r.field(), S: r.field(), Period: r.u32(), Sent: r.u64(), Count: r.u32(), Held: r.u64(),
			Com: r.field(), Counterparty: r.field(), Values: [3]uint64{r.u64(), r.u64(), r.u64()}, Withdrawn: r.u64(),
			Origins: [2]hash.Origin{r.entryOrigin(), r.entryOrigin()}, Escrow: r.flag(), R: r.field(),
		}
	}
	p.bits.Chain, p.bits.Covered = r.flag(), r.flag()
	p.witness.Held, p.witness.Seed, p.witness.R = r.u64(), r.field(), r.field()
	for j := range p.witness.Blindings {
		p.witness.Blindings[j] = r.blinding()
	}
	return p
}

func prepareRecover(r *reader, w *writer) error {
	n := r.network()
	p := r.recoverPlan()
	if err := r.end(); err != nil {
		return err
	}
	defer p.witness.Wipe()
	h := n.Hasher()
	public, err := recovery.Prepare(h, &p.pkAuth, &p.d, &p.bits, &p.witness)
	if err != nil {
		return err
	}
	issued, err := p.witness.Issue(h, h.Apk(p.witness.Owner.Nk, &p.pkAuth), &p.d, &p.bits)
	if err != nil {
		return err
	}
	next := issued.Next
	w.coin(hash.OriginOwn, issued.Returned, &next.Apk, &issued.Rho)
	w.field(&next.Apk)
	w.field(&next.Rho)
	w.u32(next.Period)
	w.u64(next.Sent)
	w.u32(next.Count)
	w.u64(next.Held)
	w.field(&next.Com)
	w.u64(issued.Outflow)
	w.u64(issued.Budget)
	for j := range issued.Messages {
		w.field(&issued.Messages[j])
	}
	for j := range public.Out {
		w.blinded(&public.Out[j].Cm, &public.Out[j].K)
	}
	return nil
}

func recoverJob(set *keys.Set, core [32]byte, r *reader) (*job, error) {
	p := r.recoverPlan()
	p.witness.Owner.Alpha = r.keyScalar()
	if err := r.end(); err != nil {
		return nil, err
	}
	defer p.witness.Wipe()
	h := set.Network.Hasher()
	public, err := recovery.Prepare(h, &p.pkAuth, &p.d, &p.bits, &p.witness)
	if err != nil {
		return nil, err
	}
	link, err := recovery.Bind(h, core, public, &p.witness)
	if err != nil {
		return nil, err
	}
	if err := recovery.Check(h, public, &p.witness, link); err != nil {
		link.Wipe()
		return nil, err
	}
	return &job{recovery.Assign(public, &p.witness, link), public.Vector(link), link}, nil
}
