package transfer

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

// PayeeVars is a payment of a transfer.
type PayeeVars struct {
	Paid, Recipient frontend.Variable
	Out             gadgets.Absence
}

// ManyCircuit is the statement and the witness of a transfer of another shape than [Single]. It has the clauses of [Circuit].
type ManyCircuit struct {
	// Network and Shape are constants of the circuit.
	Network hash.NetworkTag `gnark:"-"`
	Shape   Shape           `gnark:"-"`

	// the statement, in the order of ManyPublic.Vector
	SnCc      frontend.Variable   `gnark:",public"`
	Sn        []frontend.Variable `gnark:",public"`
	Cm        []frontend.Variable `gnark:",public"`
	Rk        gadgets.Point       `gnark:",public"`
	D         frontend.Variable   `gnark:",public"`
	Withdrawn frontend.Variable   `gnark:",public"`
	VSent     frontend.Variable   `gnark:",public"`
	VTotal    frontend.Variable   `gnark:",public"`
	VHeld     frontend.Variable   `gnark:",public"`
	VEscrow   frontend.Variable   `gnark:",public"`
	VCount    frontend.Variable   `gnark:",public"`
	Period    frontend.Variable   `gnark:",public"`
	Root      frontend.Variable   `gnark:",public"`
	Link      gadgets.Link        `gnark:",public"`

	// the witness
	Owner     clause.OwnerVars
	Cc        ComplianceVars
	In        []InputVars
	Payees    []PayeeVars
	Escrow    frontend.Variable
	Seed      frontend.Variable
	EntryR    frontend.Variable
	HeldSel   frontend.Variable
	S         []frontend.Variable
	SenderOut gadgets.Absence

	LinkSecrets gadgets.LinkSecrets
}

// NewManyCircuit returns a circuit without values.
func NewManyCircuit(network hash.NetworkTag, shape Shape) *ManyCircuit {
	c := &ManyCircuit{
		Network: network, Shape: shape,
		Sn: make([]frontend.Variable, shape.Inputs), Cm: make([]frontend.Variable, shape.Outputs()),
		In: make([]InputVars, shape.Inputs), Payees: make([]PayeeVars, shape.Payees), S: make([]frontend.Variable, shape.Outputs()),
	}
	c.Link, c.LinkSecrets = gadgets.NewLink(shape.LinkedPoints())
	return c
}

// Define builds the constraints part by part.
func (c *ManyCircuit) Define(api frontend.API) error {
	define(api, c.view())
	return nil
}

// CompileMany returns the constraint system of a shape in a network.
func CompileMany(network hash.NetworkTag, shape Shape) (constraint.ConstraintSystem, error) {
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, NewManyCircuit(network, shape))
}

func (c *ManyCircuit) view() *view {
	v := &view{
		network: c.Network, shape: c.Shape,
		snCc: c.SnCc, d: c.D, withdrawn: c.Withdrawn, period: c.Period, root: c.Root,
		vSent: c.VSent, vTotal: c.VTotal, vHeld: c.VHeld, vEscrow: c.VEscrow, vCount: c.VCount,
		sn: c.Sn, cm: c.Cm, rk: c.Rk, link: &c.Link,
		owner: &c.Owner, cc: &c.Cc, in: c.In, escrow: c.Escrow, seed: c.Seed, entryR: c.EntryR, heldSel: c.HeldSel, s: c.S,
		secrets: &c.LinkSecrets, senderOut: &c.SenderOut,
	}
	for j := range c.Payees {
		v.payees = append(v.payees, &c.Payees[j])
	}
	return v
}

// ManyPublic is the statement of a transfer of another shape. Outputs are the first payment, the next compliance coin, and the
// other payments, in this order.
type ManyPublic struct {
	SnCc      fr.Element
	Sn        []fr.Element
	Out       []clause.Coin
	ShowCc    clause.Shown
	Show      []clause.Shown
	Rk        jubjub.Point
	D         fr.Element
	Withdrawn uint64
	VSent     uint64
	VTotal    uint64
	VHeld     uint64
	VEscrow   uint64
	VCount    uint32
	Period    uint32
	Root      fr.Element
}

// Vector returns the public inputs in the order of the verifying key.
func (p *ManyPublic) Vector(link *clause.Link) []fr.Element {
	v := append([]fr.Element{p.SnCc}, p.Sn...)
	for j := range p.Out {
		v = append(v, p.Out[j].Cm)
	}
	v = append(v, p.Rk.X, p.Rk.Y, p.D)
	for _, x := range []uint64{p.Withdrawn, p.VSent, p.VTotal, p.VHeld, p.VEscrow, uint64(p.VCount), uint64(p.Period)} {
		v = append(v, fr.NewElement(x))
	}
	return link.Append(append(v, p.Root))
}

// ManyWitness holds all the secrets of a prover of a transfer of another shape. It has no signature and no spend key. Recipients'
// paths are in the order of the payments.
type ManyWitness struct {
	Network hash.NetworkTag
	Public  ManyPublic

	Owner    clause.Owner
	Cc       Compliance
	In       []Input
	Payments []Payment
	Escrow   bool // of one payment only

	Seed      fr.Element
	EntryR    fr.Element
	Blindings []clause.Blinding

	ShowCcBlind fr.Element
	ShowBlind   []fr.Element

	SenderPath     sanction.Path
	RecipientPaths []sanction.Path
}

// Wipe overwrites the secrets.
func (w *ManyWitness) Wipe() {
	clear(w.In)
	clear(w.Payments)
	clear(w.Blindings)
	clear(w.ShowBlind)
	*w = ManyWitness{}
}

// plan returns the part of the witness that determines the outputs.
func (w *ManyWitness) plan() *ManyPlan {
	return &ManyPlan{
		Network: w.Network, Nk: w.Owner.Nk, PkAuth: pkAuth(&w.Owner, &w.Public.Rk), Cc: w.Cc, In: w.In, Payments: w.Payments,
		Escrow: w.Escrow, Withdrawn: w.Public.Withdrawn, Period: w.Public.Period, D: w.Public.D, Seed: w.Seed, EntryR: w.EntryR, Blindings: w.Blindings,
	}
}

// Messages are the messages of the linked points, in their order. A dummy shows the compliance coin's signature once more.
func (w *ManyWitness) Messages(h *hash.Hasher) ([]fr.Element, error) {
	p := w.plan()
	next, err := p.next()
	if err != nil {
		return nil, err
	}
	apk := h.Apk(w.Owner.Nk, &p.PkAuth)
	all := []fr.Element{w.Cc.message(h, apk)}
	for i := range w.In {
		message := all[linkedCompliance]
		if in := &w.In[i]; !in.Dummy {
			message = h.Coin(in.Origin, in.Value, apk, in.Rho)
		}
		all = append(all, message)
	}
	return append(all, p.messages(h, apk, next)...), nil
}

// Bind links the points of the statement to their messages, with fresh nonces, for a core.
func (w *ManyWitness) Bind(core [32]byte) (*clause.Link, error) {
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
	outputs := messages[linkedInputs+len(w.In):]
	for j := range w.Blindings {
		linked.Output(&w.Public.Out[j], &outputs[j], &w.Blindings[j].B)
	}
	return linked.Bind(h, core, &w.Public.D, &w.Public.Rk)
}

// Assign turns the witness and a link into an assignment. It computes and does not check, except where no assignment exists:
// amounts that do not fit.
func (w *ManyWitness) Assign(link *clause.Link) (*ManyCircuit, error) {
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
	c := w.Public.assign(w.Network, p.Shape())
	c.Owner, c.Cc, c.Seed, c.EntryR, c.Escrow = w.Owner.Assign(), w.Cc.assign(), w.Seed, w.EntryR, bit(w.Escrow)
	c.HeldSel = bit(next.Held <= w.Public.VHeld)
	for i, in := range w.In {
		c.In[i] = in.assign(&messages[linkedInputs+i])
	}
	for j := range w.Payments {
		x := &w.Payments[j]
		c.Payees[j] = PayeeVars{Paid: x.Paid, Recipient: x.Recipient, Out: gadgets.NewAbsence(&x.Recipient, &w.RecipientPaths[j])}
	}
	for j := range w.Blindings {
		c.S[j] = w.Blindings[j].S
	}
	c.Link, c.LinkSecrets = link.Assign()
	apk := h.Apk(w.Owner.Nk, &p.PkAuth)
	c.SenderOut = gadgets.NewAbsence(&apk, &w.SenderPath)
	return c, nil
}

// assign sets the public part but for the link.
func (p *ManyPublic) assign(network hash.NetworkTag, shape Shape) *ManyCircuit {
	c := NewManyCircuit(network, shape)
	c.SnCc, c.Rk, c.D, c.Withdrawn, c.Period, c.Root = p.SnCc, gadgets.NewPoint(&p.Rk), p.D, p.Withdrawn, p.Period, p.Root
	c.VSent, c.VTotal, c.VHeld, c.VEscrow, c.VCount = p.VSent, p.VTotal, p.VHeld, p.VEscrow, p.VCount
	for i := range p.Sn {
		c.Sn[i] = p.Sn[i]
	}
	for j := range p.Out {
		c.Cm[j] = p.Out[j].Cm
	}
	return c
}

// CheckMany is [Check] for a transfer of another shape.
func CheckMany(c *ManyCircuit) error { return checkView(c.view()) }
