package unregulated

import (
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// Public are the public inputs but for the link, and the points, which the circuit does not see.
type Public struct {
	Serials   [2]fr.Element
	Outputs   [2]clause.Coin // recipient, change
	Shown     [2]clause.Shown
	Rk        jubjub.Point
	D         fr.Element
	Withdrawn uint64
}

const (
	// LinkedPoints is the number of linked points: two shown coins and two outputs.
	LinkedPoints = 4
	// PublicInputs is the number of public inputs.
	PublicInputs = 10 + LinkedPoints
)

// Vector returns the public inputs in the order of the verifying key.
func (p *Public) Vector(link *clause.Link) []fr.Element {
	v := append(make([]fr.Element, 0, PublicInputs), p.Serials[:]...)
	v = append(v, p.Outputs[0].Cm, p.Outputs[1].Cm, p.Rk.X, p.Rk.Y, p.D, fr.NewElement(p.Withdrawn))
	return link.Append(v)
}

// Input is a spent coin of the sender.
type Input struct {
	Value uint64
	Rho   fr.Element
	// Blind is o of the shown signature.
	Blind fr.Element
}

// Witness holds the secrets of the sender.
type Witness struct {
	Owner  clause.Owner
	Inputs [2]Input
	// Dummy means that there is no second coin: the second input has value zero and shows the first coin's signature again.
	Dummy        bool
	Paid, Change uint64
	Recipient    fr.Element
	Seed         fr.Element
	Blindings    [2]clause.Blinding
}

// Wipe clears the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// Check evaluates the statement on plain values and names the first clause that does not hold. U-03 and the first half of
// U-05 hold by the types. It is stricter than the circuit in one place: a dummy has to show the first coin's signature,
// while the circuit does not care which one it shows.
func Check(h *hash.Hasher, p *Public, w *Witness, link *clause.Link) error {
	apk, serialKey := w.Owner.Address(h, &p.Rk)
	created := w.created(h, &p.D, &apk)
	spent := w.spent(h, &apk)
	return clause.First(
		clause.Require(!apk.IsZero(), "C-01", fault.WitnessInvalid),
		w.checkSerials(h, p, serialKey),
		clause.Require(w.balanced(p.Withdrawn), "U-04", fault.InsufficientFunds),
		clause.Require(!w.Dummy || w.Inputs[1].Value == 0, "U-05", fault.WitnessInvalid),
		clause.Require(!w.Recipient.IsZero(), "U-06", fault.OwnerZero),
		clause.Require(w.Blindings[RecipientCoin].Opens(h, &p.Outputs[RecipientCoin], &created[RecipientCoin]), "C-02", fault.WitnessInvalid),
		clause.Require(w.Blindings[ChangeCoin].Opens(h, &p.Outputs[ChangeCoin], &created[ChangeCoin]), "C-02", fault.WitnessInvalid),
		clause.Require(p.Shown[0].Hides(&spent[0], &w.Inputs[0].Blind), "U-11", fault.WitnessInvalid),
		clause.Require(p.Shown[1].Hides(&spent[1], &w.Inputs[1].Blind), "U-11", fault.WitnessInvalid),
		clause.Require(link.Holds(h, append(spent[:], created[:]...)...), "C-03", fault.WitnessInvalid),
	)
}

func (w *Witness) checkSerials(h *hash.Hasher, p *Public, serialKey fr.Element) error {
	for i := range w.Inputs {
		sn := h.Serial(serialKey, w.Inputs[i].Rho)
		if err := clause.Require(sn.Equal(&p.Serials[i]), "U-02", fault.WitnessInvalid); err != nil {
			return err
		}
	}
	return nil
}

// balanced is U-04 over the integers: three 64-bit numbers on one side and two on the other, carries included.
func (w *Witness) balanced(withdrawn uint64) bool {
	in, carryIn := bits.Add64(w.Inputs[0].Value, w.Inputs[1].Value, 0)
	out, carry1 := bits.Add64(w.Paid, w.Change, 0)
	out, carry2 := bits.Add64(out, withdrawn, 0)
	return in == out && carryIn == carry1+carry2
}

// created returns the hashes of the new coins.
func (w *Witness) created(h *hash.Hasher, d, apk *fr.Element) [2]fr.Element {
	rho0, rho1 := h.Rhos(w.Seed, *d)
	return [2]fr.Element{
		RecipientCoin: h.CoinUnregulated(w.Paid, w.Recipient, rho0),
		ChangeCoin:    h.CoinUnregulated(w.Change, *apk, rho1),
	}
}

// spent returns the hashes of the messages behind the shown signatures. A dummy shows the first coin's.
func (w *Witness) spent(h *hash.Hasher, apk *fr.Element) [2]fr.Element {
	var hm [2]fr.Element
	for i := range hm {
		hm[i] = h.CoinUnregulated(w.Inputs[i].Value, *apk, w.Inputs[i].Rho)
	}
	if w.Dummy {
		hm[1] = hm[0]
	}
	return hm
}
