package unregulated

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Spend is the input of Prepare beside the witness.
type Spend struct {
	// PkAuth is the authorisation key g1^a of the sender.
	PkAuth bls.G1Affine
	// D is the inputs digest over the serial numbers of Serials, the withdrawn amount and the context.
	D         fr.Element
	Withdrawn uint64
	// Bases are h' of the shown signatures: s1^t of each coin's signature with a fresh t. Where the second input is a dummy,
	// both are of the first coin's signature.
	Bases [2]bls.G1Affine
}

// Serials returns the serial numbers of the inputs. D is computed over them before Prepare is called.
func (w *Witness) Serials(h *hash.Hasher, pkAuth *bls.G1Affine) [2]fr.Element {
	serialKey := h.SerialKey(w.Owner.Nk, pkAuth)
	return [2]fr.Element{
		h.Serial(serialKey, w.Inputs[0].Rho),
		h.Serial(serialKey, w.Inputs[1].Rho),
	}
}

// Prepare computes the public side from seeds. It returns gadgets.ErrRetrySeed where the message of an output has no
// admissible exponent. The caller then draws another seed. Amounts that do not add up are refused with codes of their own.
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
	for j, hm := range w.created(h, &s.D, &apk) {
		if p.Outputs[j], err = w.Blindings[j].Blind(h, &s.D, &hm); err != nil {
			return nil, err
		}
	}
	for i, hm := range w.spent(h, &apk) {
		if p.Shown[i], err = clause.Show(&s.Bases[i], &hm, &w.Inputs[i].Blind); err != nil {
			return nil, clause.Spent(err)
		}
	}
	return p, nil
}

// Messages returns the hashes of the new coins that are signed: recipient, change.
func (w *Witness) Messages(h *hash.Hasher, p *Public) [2]fr.Element {
	apk := w.Owner.Apk(h, &p.Rk)
	return w.created(h, &p.D, &apk)
}

// Assign returns the full assignment of the circuit. It checks only that the messages have exponents.
func Assign(h *hash.Hasher, p *Public, w *Witness) (*Circuit, error) {
	apk := w.Owner.Apk(h, &p.Rk)
	c := AssignPublic(p)
	c.Owner, c.Recipient, c.Seed = w.Owner.Assign(), w.Recipient, w.Seed
	c.Paid, c.Change, c.Dummy = w.Paid, w.Change, 0
	if w.Dummy {
		c.Dummy = 1
	}
	var err error
	for j, hm := range w.created(h, &p.D, &apk) {
		if c.Blindings[j], err = w.Blindings[j].Assign(&hm); err != nil {
			return nil, err
		}
	}
	for i, hm := range w.spent(h, &apk) {
		in := &w.Inputs[i]
		opening, err := gadgets.NewOpening(&hm, &in.Blind)
		if err != nil {
			return nil, clause.Spent(err)
		}
		c.Inputs[i] = InputVars{Value: in.Value, Rho: in.Rho, Message: opening}
	}
	return c, nil
}

// AssignPublic returns the assignment of the public inputs alone, for a verifier.
func AssignPublic(p *Public) *Circuit {
	c := &Circuit{
		Serials: [2]frontend.Variable{p.Serials[0], p.Serials[1]},
		Rk:      sw.NewG1Affine(p.Rk), D: p.D, Withdrawn: p.Withdrawn,
	}
	for j := range p.Outputs {
		c.Outputs[j] = p.Outputs[j].Assign()
	}
	for i := range p.Shown {
		c.Shown[i] = p.Shown[i].Assign()
	}
	return c
}
