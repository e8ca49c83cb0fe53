package register

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

// Public are the public inputs.
type Public struct {
	Apk, D fr.Element
	Coin   clause.Coin
	Rk     bls.G1Affine
}

// PublicInputs is the number of public inputs.
const PublicInputs = 9

// Vector is the public inputs in the order of the verifying key.
func (p *Public) Vector() []fr.Element {
	v := append(make([]fr.Element, 0, PublicInputs), p.Apk, p.D)
	return clause.AppendPoints(p.Coin.Append(v), &p.Rk)
}

// Witness is what only the registering person knows.
type Witness struct {
	Owner    clause.Owner
	Seed     fr.Element
	Blinding clause.Blinding
}

// Wipe clears the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// Prepare computes the public side: pkAuth is the authorisation key g1^a, d the inputs digest of the address. It returns
// gadgets.ErrRetrySeed where the coin's message has no admissible exponent; the caller then draws another seed.
func Prepare(h *hash.Hasher, pkAuth *bls.G1Affine, d *fr.Element, w *Witness) (*Public, error) {
	rk, err := w.Owner.RandomisedKey(pkAuth)
	if err != nil {
		return nil, err
	}
	p := &Public{Apk: h.Apk(w.Owner.Nk, pkAuth), D: *d, Rk: rk}
	hm := message(h, p, w)
	if p.Coin, err = w.Blinding.Blind(h, d, &hm); err != nil {
		return nil, err
	}
	return p, nil
}

// Message is the hash of the compliance coin that gets signed.
func (w *Witness) Message(h *hash.Hasher, p *Public) fr.Element { return message(h, p, w) }

func message(h *hash.Hasher, p *Public, w *Witness) fr.Element {
	rho, _ := h.Rhos(w.Seed, p.D)
	return h.Compliance(&hash.Compliance{Apk: p.Apk, Rho: rho})
}

// Check evaluates the statement on plain values and names the first clause that does not hold.
func Check(h *hash.Hasher, p *Public, w *Witness) error {
	apk := w.Owner.Apk(h, &p.Rk)
	hm := message(h, p, w)
	return clause.First(
		clause.Require(!p.Apk.IsZero() && apk.Equal(&p.Apk), "R-02", fault.WitnessInvalid),
		clause.Require(w.Blinding.Opens(h, &p.Coin, &hm), "C-02, C-03", fault.WitnessInvalid),
	)
}

// Assign gives the full assignment of the circuit. It judges nothing but that the message has an exponent.
func Assign(h *hash.Hasher, p *Public, w *Witness) (*Circuit, error) {
	hm := message(h, p, w)
	blinding, err := w.Blinding.Assign(&hm)
	if err != nil {
		return nil, err
	}
	c := AssignPublic(p)
	c.Owner, c.Seed, c.Blinding = w.Owner.Assign(), w.Seed, blinding
	return c, nil
}

// AssignPublic gives the assignment of the public inputs alone, for a verifier.
func AssignPublic(p *Public) *Circuit {
	return &Circuit{Apk: p.Apk, D: p.D, Coin: p.Coin.Assign(), Rk: sw.NewG1Affine(p.Rk)}
}
