package mint

import (
	"errors"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

var errKind = errors.New("mint: unknown kind of network")

// Public are the public inputs.
type Public struct {
	Value uint64
	D     fr.Element
	Coin  clause.Coin
}

// PublicInputs is the number of public inputs.
const PublicInputs = 7

// Vector is the public inputs in the order of the verifying key.
func (p *Public) Vector() []fr.Element {
	return p.Coin.Append(append(make([]fr.Element, 0, PublicInputs), fr.NewElement(p.Value), p.D))
}

// Witness is what the receiver of the issue knows.
type Witness struct {
	Apk      fr.Element
	Seed     fr.Element
	Blinding clause.Blinding
}

// Wipe clears the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// Prepare computes the public side for a value and the inputs digest of the mint. It returns gadgets.ErrRetrySeed where
// the coin's message has no admissible exponent; the caller then draws another seed.
func Prepare(h *hash.Hasher, kind Kind, value uint64, d *fr.Element, w *Witness) (*Public, error) {
	if w.Apk.IsZero() {
		return nil, fault.New(fault.OwnerZero, "receiver of the issue")
	}
	return prepare(h, kind, value, d, w)
}

func prepare(h *hash.Hasher, kind Kind, value uint64, d *fr.Element, w *Witness) (*Public, error) {
	p := &Public{Value: value, D: *d}
	hm, err := w.Message(h, kind, p)
	if err != nil {
		return nil, err
	}
	if p.Coin, err = w.Blinding.Blind(h, d, &hm); err != nil {
		return nil, err
	}
	return p, nil
}

// Message is the hash of the coin that gets signed.
func (w *Witness) Message(h *hash.Hasher, kind Kind, p *Public) (fr.Element, error) {
	rho, _ := h.Rhos(w.Seed, p.D)
	switch kind {
	case Regulated:
		return h.Coin(p.Value, w.Apk, rho), nil
	case Unregulated:
		return h.CoinUnregulated(p.Value, w.Apk, rho), nil
	default:
		return fr.Element{}, errKind
	}
}

// Check evaluates the statement on plain values and names the first clause that does not hold. M-01 holds by the type.
func Check(h *hash.Hasher, kind Kind, p *Public, w *Witness) error {
	hm, err := w.Message(h, kind, p)
	if err != nil {
		return err
	}
	return clause.First(
		clause.Require(!w.Apk.IsZero(), "M-02", fault.OwnerZero),
		clause.Require(w.Blinding.Opens(h, &p.Coin, &hm), "C-02, C-03", fault.WitnessInvalid),
	)
}

// Assign gives the full assignment of the circuit. It judges nothing but that the message has an exponent.
func Assign(h *hash.Hasher, kind Kind, p *Public, w *Witness) (*Circuit, error) {
	hm, err := w.Message(h, kind, p)
	if err != nil {
		return nil, err
	}
	blinding, err := w.Blinding.Assign(&hm)
	if err != nil {
		return nil, err
	}
	c := AssignPublic(p)
	c.Apk, c.Seed, c.Blinding = w.Apk, w.Seed, blinding
	return c, nil
}

// AssignPublic gives the assignment of the public inputs alone, for a verifier.
func AssignPublic(p *Public) *Circuit {
	return &Circuit{Value: p.Value, D: p.D, Coin: p.Coin.Assign()}
}
