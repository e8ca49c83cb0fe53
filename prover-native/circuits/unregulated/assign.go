package unregulated

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// Spend is the input of Prepare beside the witness.
type Spend struct {
	// PkAuth is the authorisation key a B of the sender.
	PkAuth jubjub.Point
	// D is the inputs digest over the serial numbers of Serials, the withdrawn amount and the context.
	D         fr.Element
	Period    uint32
	Withdrawn uint64
	// Bases are h' of the shown signatures: s1^t of each coin's signature with a fresh t. Where the second input is a dummy,
	// both are of the first coin's signature.
	Bases [2]bls.G1Affine
}

// Serials returns the serial numbers of the inputs. D is computed over them before Prepare is called.
func (w *Witness) Serials(h *hash.Hasher, pkAuth *jubjub.Point) [2]fr.Element {
	serialKey := h.SerialKey(w.Owner.Nk, pkAuth)
	return [2]fr.Element{
		h.Serial(serialKey, w.Inputs[0].Rho),
		h.Serial(serialKey, w.Inputs[1].Rho),
	}
}

// Prepare computes the public side from seeds. Amounts that do not add up are refused with codes of their own.
func Prepare(h *hash.Hasher, s *Spend, w *Witness) (*Public, error) {
	if w.Recipient.IsZero() {
		return nil, fault.New(fault.OwnerZero, "recipient")
	}
	if w.Dummy && w.Inputs[1].Value != 0 {
		return nil, fault.New(fault.WitnessInvalid, "a dummy has a value")
	}
	if !w.balanced(s.Withdrawn) {
		return nil, fault.New(fault.InsufficientFunds, "the coins do not cover what is paid, kept and withdrawn")
	}
	return prepare(h, s, w)
}

func prepare(h *hash.Hasher, s *Spend, w *Witness) (*Public, error) {
	rk, err := w.Owner.RandomisedKey(&s.PkAuth)
	if err != nil {
		return nil, err
	}
	p := &Public{Serials: w.Serials(h, &s.PkAuth), Rk: rk, D: s.D, Withdrawn: s.Withdrawn}
	apk := h.Apk(w.Owner.Nk, &s.PkAuth)
	created := w.created(h, &s.D, &apk)
	coins, err := clause.Blind(h, &s.D, s.Period, created[:], w.Blindings[:])
	if err != nil {
		return nil, err
	}
	copy(p.Outputs[:], coins)
	for i, hm := range w.spent(h, &apk) {
		p.Shown[i] = clause.Show(&s.Bases[i], &hm, &w.Inputs[i].Blind)
	}
	return p, nil
}

// Messages returns the hashes of the new coins that are signed: recipient, change.
func (w *Witness) Messages(h *hash.Hasher, p *Public) [2]fr.Element {
	apk := w.Owner.Apk(h, &p.Rk)
	return w.created(h, &p.D, &apk)
}

// Bind links the points of the statement to their messages, with fresh nonces, for a core.
func Bind(h *hash.Hasher, core [32]byte, p *Public, w *Witness) (*clause.Link, error) {
	apk := w.Owner.Apk(h, &p.Rk)
	var linked clause.Linked
	for i, hm := range w.spent(h, &apk) {
		linked.Shown(&p.Shown[i], &hm, &w.Inputs[i].Blind)
	}
	for j, hm := range w.created(h, &p.D, &apk) {
		linked.Output(&p.Outputs[j], &hm, &w.Blindings[j].B)
	}
	return linked.Bind(h, core, &p.D, &p.Rk)
}

// Assign returns the full assignment of the circuit. It checks nothing.
func Assign(h *hash.Hasher, p *Public, w *Witness, link *clause.Link) *Circuit {
	apk := w.Owner.Apk(h, &p.Rk)
	c := &Circuit{
		Serials: [2]frontend.Variable{p.Serials[0], p.Serials[1]}, Cm: [2]frontend.Variable{p.Outputs[0].Cm, p.Outputs[1].Cm},
		Rk: gadgets.NewPoint(&p.Rk), D: p.D, Withdrawn: p.Withdrawn,
		Owner: w.Owner.Assign(), Recipient: w.Recipient, Seed: w.Seed, Paid: w.Paid, Change: w.Change, Dummy: 0,
		Shown: w.spent(h, &apk)[1], S: [2]frontend.Variable{w.Blindings[0].S, w.Blindings[1].S},
	}
	if w.Dummy {
		c.Dummy = 1
	}
	for i := range w.Inputs {
		c.Inputs[i] = InputVars{Value: w.Inputs[i].Value, Rho: w.Inputs[i].Rho}
	}
	c.Link, c.LinkSecrets = link.Assign()
	return c
}
