package wallet

import (
	"encoding/binary"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// plan is a transfer with everything that follows from the seed.
type plan struct {
	transfer.ManyPlan
	*transfer.ManyOutputs
	memo        *memo
	statement   *statement.Transfer
	core        [32]byte
	payout      []byte
	memoBlock   []byte
	complianceM suite.Field // the message of the compliance coin that is spent
}

func (p *plan) recipient() *suite.Field { return &p.Payments[0].Recipient }

// origin is that of a coin that is paid: the payer's own where it goes to its payer (T-31).
func (p *plan) origin(payment int) hash.Origin {
	if p.Payments[payment].Recipient.Equal(&p.Apk) {
		return hash.OriginOwn
	}
	return hash.OriginPayment
}

// planShapes are the families of transfers that a wallet of this core reads. It makes those of family 3 only.
var planShapes = map[statement.Family]transfer.Shape{
	statement.FamilyTransfer: transfer.Single,
	statement.FamilyClaim16:  transfer.Claim16,
	statement.FamilyPay8:     transfer.Pay8,
}

// planTransfer computes a transfer out of a compliance coin.
func (n *network) planTransfer(
	k *secrets, cc *transfer.Compliance, family statement.Family, period uint32, m *memo, payout []byte,
) (*plan, error) {
	shape, ok := planShapes[family]
	if !ok || len(m.Claimed) > shape.Inputs || (len(m.More) > 0) != (shape.Payees > 1) {
		return nil, fault.New(fault.WrongFamily, "a transfer that claims so many coins, or pays so many")
	}
	h := n.Hasher()
	snCc := h.Serial(k.snk, cc.Rho)
	p := &plan{memo: m, payout: payout, memoBlock: k.sealMemo(&snCc, m)}
	context, err := n.Context(payout, p.memoBlock)
	if err != nil {
		return nil, err
	}
	parts := [][]byte{suite.EncodeField(&snCc), u32(uint32(m.Counter)), u32(period), context[:]}
	of := func(j uint32) [][]byte { return append(parts[:len(parts):len(parts)], u32(j)) }

	payments, err := m.payees(&k.apk, shape.Payees)
	if err != nil {
		return nil, err
	}
	p.ManyPlan = transfer.ManyPlan{
		Network: n.Tag(), Nk: k.nk, PkAuth: k.pkAuth, Cc: *cc, Payments: payments,
		Withdrawn: m.Withdrawn, Period: period, Seed: k.element("transfer/seed", parts...), EntryR: k.element("transfer/history", parts...),
		In: make([]transfer.Input, shape.Inputs),
	}
	for j := range uint32(shape.Outputs()) {
		p.Blindings = append(p.Blindings, clause.Blinding{S: k.element("transfer/s", of(j)...), B: k.scalar("transfer/b", of(j)...)})
	}
	serials := []suite.Field{snCc}
	for j := range p.In {
		in := &p.In[j]
		if j < len(m.Claimed) {
			*in = transfer.Input{Value: m.Claimed[j].Value, Origin: hash.Origin(m.Claimed[j].Origin)}
			if in.Rho, err = suite.DecodeField(m.Claimed[j].Rho[:]); err != nil {
				return nil, err
			}
		} else {
			*in = transfer.Input{Rho: k.element("transfer/dummy", of(uint32(j))...), Dummy: true}
		}
		serials = append(serials, h.Serial(k.snk, in.Rho))
	}
	p.statement = &statement.Transfer{Family: family, Serials: serials, Period: period, Withdrawn: m.Withdrawn, Context: context}
	p.D = p.statement.InputDigest(n.Network)
	if p.ManyOutputs, err = transfer.PrepareMany(&p.ManyPlan); err != nil {
		return nil, err
	}
	for j := range p.Out {
		p.statement.Outputs = append(p.statement.Outputs, statement.BlindedCoin{Cm: p.Out[j].Cm, K: p.Out[j].K})
	}
	if err := p.statement.CheckShape(); err != nil {
		return nil, err
	}
	p.complianceM = h.Compliance(&hash.Compliance{
		Apk: k.apk, Rho: cc.Rho, Period: cc.Period, Sent: cc.Sent, Count: cc.Count, Held: cc.Held, Com: cc.Com,
	})
	p.core, err = p.statement.Core(n.Network)
	return p, err
}

// reopen is the plan of a stored request that this wallet made out of a compliance coin, or nil where it did not.
func (n *network) reopen(k *secrets, cc *transfer.Compliance, request *transferRequest) (*plan, error) {
	s := request.statement
	snCc := n.Hasher().Serial(k.snk, cc.Rho)
	if !s.Serials[0].Equal(&snCc) {
		return nil, nil
	}
	content, err := k.openTransferMemo(&snCc, request.Attachments.Memo)
	if err != nil {
		return nil, nil //nolint:nilerr // it is another party's, and counts for nothing
	}
	// A memo that opens and is refused is of a newer wallet, and stops this one.
	m, err := decodeMemo(content)
	if err != nil {
		return nil, refuse("unknown-version", "a newer wallet of this phrase made a transfer")
	}
	// A liar may show this memo in a statement of another family: that cannot be computed, and counts for nothing.
	p, err := n.planTransfer(k, cc, s.Family, s.Period, m, request.Attachments.Payout)
	if err != nil || p.core != request.core {
		return nil, nil //nolint:nilerr // likewise
	}
	return p, nil
}

// firstCoin is the compliance coin that a registration makes.
func (n *network) firstCoin(k *secrets) (cc transfer.Compliance, message suite.Field, err error) {
	p, err := n.planRegister(k)
	if err != nil {
		return cc, message, err
	}
	defer p.secret.Wipe()
	return p.first, p.messages[0], nil
}

// coinMessage is what the committee signed of a coin of this wallet.
func (n *network) coinMessage(k *secrets, c *ownedCoin) (suite.Field, error) {
	rho, err := field(c.Rho)
	return n.Hasher().Coin(hash.Origin(c.Origin), c.Value, k.apk, rho), err
}

// witness writes what a proof needs beside the statement. The spend key is not in it.
func (p *plan) witness(e *evidenceSecrets, r *rules) ([]byte, error) {
	sender, err := r.absence(&p.Apk)
	if err != nil {
		return nil, err
	}
	recipient, err := r.absence(p.recipient())
	if err != nil {
		return nil, err
	}
	w := &witnessWriter{b: []byte{witnessVersion, byte(p.statement.Family)}}
	w.b = append(w.b, p.core[:]...)
	w.fields(&p.Nk)
	w.b = append(w.b, e.pkAuth...)
	w.fields(&p.Apk, &p.Cc.Rho)
	w.u32(p.Cc.Period)
	w.u64(p.Cc.Sent)
	w.u32(p.Cc.Count)
	w.u64(p.Cc.Held)
	w.fields(&p.Cc.Com)
	for i := range p.In {
		w.u64(p.In[i].Value)
		w.b = append(w.b, byte(p.In[i].Origin))
		w.fields(&p.In[i].Rho)
		w.flag(p.In[i].Dummy)
	}
	w.flag(p.Escrow)
	w.fields(p.recipient())
	w.u64(p.memo.Paid)
	w.u64(p.Withdrawn)
	w.u32(p.Period)
	w.fields(&p.D, &p.Seed, &p.EntryR)
	for j := range p.Blindings {
		w.fields(&p.Blindings[j].S, &p.Blindings[j].B)
	}
	w.b = append(w.b, e.alpha.Bytes()...)
	for i := range e.shows {
		s := &e.shows[i]
		w.point(&s.shown.H)
		w.point(&s.shown.M)
		w.point(&s.shown.S)
		w.fields(&s.opening, &s.message)
	}
	for _, v := range []uint64{r.limits.MaxPerTransfer, r.limits.MaxPerPeriod, r.limits.MaxHeld, r.limits.MaxEscrow} {
		w.u64(v)
	}
	w.u32(r.limits.MaxTransfersPerPeriod)
	w.fields(&r.root)
	for _, path := range []*sanction.Path{sender, recipient} {
		w.b = append(append(w.b, path.Low[:]...), path.High[:]...)
		w.u32(path.Index)
		for level := range path.Siblings {
			w.fields(&path.Siblings[level][0], &path.Siblings[level][1])
		}
	}
	return w.b, w.err
}

const witnessVersion = 2

type witnessWriter struct {
	b   []byte
	err error
}

func (w *witnessWriter) u32(v uint32) { w.b = binary.BigEndian.AppendUint32(w.b, v) }

func (w *witnessWriter) u64(v uint64) { w.b = binary.BigEndian.AppendUint64(w.b, v) }

func (w *witnessWriter) flag(v bool) {
	if v {
		w.b = append(w.b, 1)
		return
	}
	w.b = append(w.b, 0)
}

func (w *witnessWriter) fields(all ...*suite.Field) {
	for _, e := range all {
		w.b = append(w.b, suite.EncodeField(e)...)
	}
}

func (w *witnessWriter) point(p *suite.G1) {
	b, err := suite.EncodeG1(p)
	if err != nil {
		w.err = fault.New(fault.IdentityPoint, "a shown signature")
	}
	w.b = append(w.b, b...)
}
