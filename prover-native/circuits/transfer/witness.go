package transfer

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

// Compliance is the opening of a compliance coin without its owner, who is the sender.
type Compliance struct {
	Rho    fr.Element
	Period uint32
	Sent   uint64
	Count  uint32
	Held   uint64
	Com    fr.Element
}

// Input is a received coin of the sender, or a dummy of value 0.
type Input struct {
	Value  uint64
	Origin hash.Origin
	Rho    fr.Element
	Dummy  bool
}

// Witness holds all the secrets of a prover. It has no signature and no spend key, so a delegated prover cannot steal.
type Witness struct {
	Network hash.NetworkTag
	Public  Public

	Owner clause.Owner
	Cc    Compliance
	In    [2]Input

	Paid      uint64
	Escrow    bool
	Recipient fr.Element // the lock where Escrow is set
	Seed      fr.Element
	EntryR    fr.Element
	Blindings [2]clause.Blinding

	ShowCcBlind fr.Element    // o of the shown compliance signature
	ShowBlind   [2]fr.Element // o of the shown coin signatures; a dummy shows the compliance signature once more

	SenderPath, RecipientPath sanction.Path
}

// Wipe overwrites the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// message returns the hash of the coin.
func (c *Compliance) message(h *hash.Hasher, apk fr.Element) fr.Element {
	return h.Compliance(&hash.Compliance{
		Apk: apk, Rho: c.Rho, Period: c.Period, Sent: c.Sent, Count: c.Count, Held: c.Held, Com: c.Com,
	})
}

func (c *Compliance) assign() ComplianceVars {
	return ComplianceVars{Rho: c.Rho, Period: c.Period, Sent: c.Sent, Count: c.Count, Held: c.Held, Com: c.Com}
}

func (in *Input) assign(message *fr.Element) InputVars {
	return InputVars{Value: in.Value, Origin: uint64(in.Origin), Rho: in.Rho, Dummy: bit(in.Dummy), Message: *message}
}

// plan returns the part of the witness that determines the outputs.
func (w *Witness) plan() *Plan {
	p := &Plan{
		Network: w.Network, Nk: w.Owner.Nk, Cc: w.Cc, In: w.In, Recipient: w.Recipient, Escrow: w.Escrow,
		Paid: w.Paid, Withdrawn: w.Public.Withdrawn, Period: w.Public.Period, D: w.Public.D,
		Seed: w.Seed, EntryR: w.EntryR, Blindings: w.Blindings,
	}
	p.PkAuth = pkAuth(&w.Owner, &w.Public.Rk)
	return p
}

// pkAuth is rk - alpha B (T-01).
func pkAuth(owner *clause.Owner, rk *jubjub.Point) jubjub.Point {
	var beta jubjub.Scalar
	beta.Neg(&owner.Alpha)
	return jubjub.Add(*rk, jubjub.MulBase(&beta))
}

// Messages are the messages of the linked points, in their order. A dummy shows the compliance coin's signature once more.
func (w *Witness) Messages(h *hash.Hasher) ([LinkedPoints]fr.Element, error) {
	var all [LinkedPoints]fr.Element
	p := w.plan()
	next, err := p.next()
	if err != nil {
		return all, err
	}
	apk := h.Apk(w.Owner.Nk, &p.PkAuth)
	all[linkedCompliance] = w.Cc.message(h, apk)
	for i := range w.In {
		all[linkedInputs+i] = all[linkedCompliance]
		if in := &w.In[i]; !in.Dummy {
			all[linkedInputs+i] = h.Coin(in.Origin, in.Value, apk, in.Rho)
		}
	}
	outputs := p.messages(h, apk, next)
	copy(all[linkedOutputs:], outputs[:])
	return all, nil
}

// Bind links the points of the statement to their messages, with fresh nonces, for a core.
func (w *Witness) Bind(core [32]byte) (*clause.Link, error) {
	h := hash.New(w.Network)
	messages, err := w.Messages(h)
	if err != nil {
		return nil, err
	}
	var linked clause.Linked
	linked.Shown(&w.Public.ShowCc, &messages[linkedCompliance], &w.ShowCcBlind)
	for i := range w.In {
		linked.Shown(&w.Public.Show[i], &messages[linkedInputs+i], &w.ShowBlind[i])
	}
	for j := range w.Blindings {
		linked.Output(&w.Public.Out[j], &messages[linkedOutputs+j], &w.Blindings[j].B)
	}
	return linked.Bind(h, core, &w.Public.D, &w.Public.Rk)
}

// Assign turns the witness and a link into an assignment. It computes and does not check, except where no assignment exists:
// amounts that do not fit.
func (w *Witness) Assign(link *clause.Link) (*Circuit, error) {
	p := w.plan()
	next, err := p.next()
	if err != nil {
		return nil, err
	}
	h := hash.New(w.Network)
	messages, err := w.Messages(h)
	if err != nil {
		return nil, err
	}
	c := w.assignInputs(next)
	for i := range c.In {
		c.In[i] = w.In[i].assign(&messages[linkedInputs+i])
	}
	c.Link, c.LinkSecrets = link.Assign()
	apk := h.Apk(w.Owner.Nk, &p.PkAuth)
	c.SenderOut = gadgets.NewAbsence(&apk, &w.SenderPath)
	c.ReceiverOut = gadgets.NewAbsence(&w.Recipient, &w.RecipientPath)
	return c, nil
}

// assignInputs sets everything that is copied unchanged.
func (w *Witness) assignInputs(next *Compliance) *Circuit {
	c := w.Public.assign()
	c.Network = w.Network
	c.Owner = w.Owner.Assign()
	c.Paid, c.Escrow, c.Recipient, c.Seed, c.EntryR = w.Paid, bit(w.Escrow), w.Recipient, w.Seed, w.EntryR
	c.S = [2]frontend.Variable{w.Blindings[0].S, w.Blindings[1].S}
	c.Cc = w.Cc.assign()
	c.HeldSel = bit(next.Held <= w.Public.VHeld)
	return c
}

// assign sets the public part but for the link.
func (p *Public) assign() *Circuit {
	return &Circuit{
		SnCc: p.SnCc, Sn: [2]frontend.Variable{p.Sn[0], p.Sn[1]}, Cm: [2]frontend.Variable{p.Out[0].Cm, p.Out[1].Cm},
		Rk: gadgets.NewPoint(&p.Rk), D: p.D, Withdrawn: p.Withdrawn,
		VSent: p.VSent, VTotal: p.VTotal, VHeld: p.VHeld, VEscrow: p.VEscrow, VCount: p.VCount, Period: p.Period, Root: p.Root,
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
