package transfer

import (
	"math/big"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
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
	Value uint64
	Rho   fr.Element
	Dummy bool
}

// Witness is everything a prover knows. It holds no signature and no spend key: a delegated prover cannot steal.
type Witness struct {
	Network hash.NetworkTag
	Public  Public

	Nk    fr.Element
	Alpha blsfr.Element // rk = pk + Alpha g1
	Cc    Compliance
	In    [2]Input

	Paid      uint64
	Recipient fr.Element
	Seed      fr.Element
	EntryR    fr.Element
	S         [2]fr.Element    // commitment randomness of the outputs
	B         [2]blsfr.Element // blinding exponents of the outputs

	ShowCcBlind blsfr.Element    // o of the shown compliance signature
	ShowBlind   [2]blsfr.Element // o of the shown coin signatures; a dummy shows the compliance signature once more

	SenderPath, RecipientPath sanction.Path
}

// Wipe overwrites the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// compliance is the hash package's view of the coin.
func (c *Compliance) message(h *hash.Hasher, apk fr.Element) fr.Element {
	return h.Compliance(&hash.Compliance{
		Apk: apk, Rho: c.Rho, Period: c.Period, Sent: c.Sent, Count: c.Count, Held: c.Held, Com: c.Com,
	})
}

// plan is the part of the witness that determines the outputs.
func (w *Witness) plan() *Plan {
	p := &Plan{
		Network: w.Network, Nk: w.Nk, Cc: w.Cc, In: w.In, Recipient: w.Recipient,
		Paid: w.Paid, Withdrawn: w.Public.Withdrawn, Period: w.Public.Period, D: w.Public.D,
		Seed: w.Seed, EntryR: w.EntryR, S: w.S, B: w.B,
	}
	var shift bls12377.G1Affine
	shift.ScalarMultiplicationBase(w.Alpha.BigInt(new(big.Int)))
	p.PkAuth.Sub(&w.Public.Rk, &shift) // T-01
	return p
}

// Assign turns the witness into an assignment. It derives and does not judge, except where no assignment exists: an input
// whose message has no exponent, amounts that do not fit, outputs that need another seed ([ErrRetrySeed]).
func (w *Witness) Assign() (*Circuit, error) {
	p := w.plan()
	next, err := p.next()
	if err != nil {
		return nil, err
	}
	c := w.assignInputs(next)
	h := hash.New(w.Network)
	apk := h.Apk(w.Nk, &p.PkAuth)
	for j, message := range p.messages(h, apk, next) {
		if c.NewOpening[j], err = gadgets.NewOpening(&message, &w.B[j]); err != nil {
			return nil, err
		}
	}
	if err := w.assignShown(c, h, apk); err != nil {
		return nil, err
	}
	c.SenderOut = gadgets.NewAbsence(&apk, &w.SenderPath)
	c.ReceiverOut = gadgets.NewAbsence(&w.Recipient, &w.RecipientPath)
	return c, nil
}

// assignInputs fills everything that is taken over as it is.
func (w *Witness) assignInputs(next *Compliance) *Circuit {
	c := w.Public.assign()
	c.Network = w.Network
	c.Nk, c.Paid, c.Recipient, c.Seed, c.EntryR = w.Nk, w.Paid, w.Recipient, w.Seed, w.EntryR
	c.S = [2]frontend.Variable{w.S[0], w.S[1]}
	beta := w.Alpha
	beta.Neg(&beta)
	c.Beta = gadgets.RecodeWindows(&beta)
	c.Cc = ComplianceVars{
		Rho: w.Cc.Rho, Period: w.Cc.Period, Sent: w.Cc.Sent, Count: w.Cc.Count, Held: w.Cc.Held, Com: w.Cc.Com,
	}
	for i := range w.In {
		c.In[i] = InputVars{Value: w.In[i].Value, Rho: w.In[i].Rho, Dummy: bit(w.In[i].Dummy)}
	}
	c.HeldSel = bit(next.Held <= w.Public.VHeld)
	return c
}

// assignShown fills the openings of the shown signatures; a dummy opens the compliance coin's message.
func (w *Witness) assignShown(c *Circuit, h *hash.Hasher, apk fr.Element) (err error) {
	messageCc := w.Cc.message(h, apk)
	if c.CcOpening, err = spentOpening(&messageCc, &w.ShowCcBlind); err != nil {
		return err
	}
	for i := range w.In {
		message := messageCc
		if !w.In[i].Dummy {
			message = h.Coin(w.In[i].Value, apk, w.In[i].Rho)
		}
		if c.InOpening[i], err = spentOpening(&message, &w.ShowBlind[i]); err != nil {
			return err
		}
	}
	return nil
}

// spentOpening is an opening of a coin that exists already: another seed is no remedy.
func spentOpening(message *fr.Element, blind *blsfr.Element) (gadgets.Opening, error) {
	o, err := gadgets.NewOpening(message, blind)
	if err != nil {
		return o, fault.New(fault.WitnessInvalid, "an input's message has no admissible exponent")
	}
	return o, nil
}

// assign fills the public part.
func (p *Public) assign() *Circuit {
	c := &Circuit{
		SnCc: p.SnCc, Sn: [2]frontend.Variable{p.Sn[0], p.Sn[1]},
		ShowCc: assignShown(&p.ShowCc), Show: [2]ShownVars{assignShown(&p.Show[0]), assignShown(&p.Show[1])},
		Rk: sw.NewG1Affine(p.Rk), D: p.D, Withdrawn: p.Withdrawn,
		VSent: p.VSent, VTotal: p.VTotal, VHeld: p.VHeld, VCount: p.VCount, Period: p.Period, Root: p.Root,
	}
	for j := range p.Out {
		c.Out[j] = BlindedVars{Cm: p.Out[j].Cm, H: sw.NewG1Affine(p.Out[j].H), K: sw.NewG1Affine(p.Out[j].K)}
	}
	return c
}

func assignShown(s *Shown) ShownVars {
	return ShownVars{H: sw.NewG1Affine(s.H), M: sw.NewG1Affine(s.M)}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
