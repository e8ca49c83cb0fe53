package mint

import (
	"errors"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

var errKind = errors.New("mint: unknown kind of network")

// Public are the public inputs but for the link, and the points of the coin, which the circuit does not see.
type Public struct {
	Value uint64
	D     fr.Element
	Coin  clause.Coin
}

const (
	// LinkedPoints is the number of linked points: the new coin.
	LinkedPoints = 1
	// PublicInputs is the number of public inputs.
	PublicInputs = 5 + LinkedPoints
)

// Vector returns the public inputs in the order of the verifying key.
func (p *Public) Vector(link *clause.Link) []fr.Element {
	return link.Append(append(make([]fr.Element, 0, PublicInputs), fr.NewElement(p.Value), p.D, p.Coin.Cm))
}

// Witness holds the secrets of the receiver of the mint.
type Witness struct {
	Apk      fr.Element
	Seed     fr.Element
	Blinding clause.Blinding
}

// Wipe clears the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// Prepare computes the public side for a value and the inputs digest of the mint.
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
	coins, err := clause.Blind(h, d, 0, []fr.Element{hm}, []clause.Blinding{w.Blinding})
	if err != nil {
		return nil, err
	}
	p.Coin = coins[0]
	return p, nil
}

// Bind links the coin to its message, with fresh nonces, for a core.
func Bind(h *hash.Hasher, kind Kind, core [32]byte, p *Public, w *Witness) (*clause.Link, error) {
	hm, err := w.Message(h, kind, p)
	if err != nil {
		return nil, err
	}
	var linked clause.Linked
	linked.Output(&p.Coin, &hm, &w.Blinding.B)
	return linked.Bind(h, core, &p.D, nil)
}

// Message returns the hash of the coin that is signed.
func (w *Witness) Message(h *hash.Hasher, kind Kind, p *Public) (fr.Element, error) {
	rho, _ := h.Rhos(w.Seed, p.D)
	switch kind {
	case Regulated:
		return h.Coin(hash.OriginMint, p.Value, w.Apk, rho), nil
	case Unregulated:
		return h.CoinUnregulated(p.Value, w.Apk, rho), nil
	default:
		return fr.Element{}, errKind
	}
}

// Check evaluates the statement on plain values and names the first clause that does not hold. M-01 holds by the type.
func Check(h *hash.Hasher, kind Kind, p *Public, w *Witness, link *clause.Link) error {
	hm, err := w.Message(h, kind, p)
	if err != nil {
		return err
	}
	return clause.First(
		clause.Require(!w.Apk.IsZero(), "M-02", fault.OwnerZero),
		clause.Require(w.Blinding.Opens(h, &p.Coin, &hm), "C-02", fault.WitnessInvalid),
		clause.Require(link.Holds(h, hm), "C-03", fault.WitnessInvalid),
	)
}

// Assign returns the full assignment of the circuit. It checks nothing.
func Assign(p *Public, w *Witness, link *clause.Link) *Circuit {
	c := &Circuit{Value: p.Value, D: p.D, Cm: p.Coin.Cm, Apk: w.Apk, Seed: w.Seed, S: w.Blinding.S}
	c.Link, c.LinkSecrets = link.Assign()
	return c
}
