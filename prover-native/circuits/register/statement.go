package register

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// Public are the public inputs but for the link, and the points of the coin, which the circuit does not see.
type Public struct {
	Apk, D fr.Element
	Coin   clause.Coin
	Rk     jubjub.Point
}

const (
	// LinkedPoints is the number of linked points: the compliance coin.
	LinkedPoints = 1
	// PublicInputs is the number of public inputs.
	PublicInputs = 7 + LinkedPoints
)

// Vector returns the public inputs in the order of the verifying key.
func (p *Public) Vector(link *clause.Link) []fr.Element {
	v := append(make([]fr.Element, 0, PublicInputs), p.Apk, p.D, p.Coin.Cm, p.Rk.X, p.Rk.Y)
	return link.Append(v)
}

// Witness holds the secrets of the person who registers.
type Witness struct {
	Owner    clause.Owner
	Seed     fr.Element
	Blinding clause.Blinding
}

// Wipe clears the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// Prepare computes the public side. pkAuth is the authorisation key a B, d the inputs digest of the address.
func Prepare(h *hash.Hasher, pkAuth *jubjub.Point, d *fr.Element, w *Witness) (*Public, error) {
	rk, err := w.Owner.RandomisedKey(pkAuth)
	if err != nil {
		return nil, err
	}
	p := &Public{Apk: h.Apk(w.Owner.Nk, pkAuth), D: *d, Rk: rk}
	coins, err := clause.Blind(h, d, 0, []fr.Element{message(h, p, w)}, []clause.Blinding{w.Blinding})
	if err != nil {
		return nil, err
	}
	p.Coin = coins[0]
	return p, nil
}

// Bind links the coin to its message, with fresh nonces, for a core.
func Bind(h *hash.Hasher, core [32]byte, p *Public, w *Witness) (*clause.Link, error) {
	hm := message(h, p, w)
	var linked clause.Linked
	linked.Output(&p.Coin, &hm, &w.Blinding.B)
	return linked.Bind(h, core, &p.D, &p.Rk)
}

// Message returns the hash of the compliance coin that is signed.
func (w *Witness) Message(h *hash.Hasher, p *Public) fr.Element { return message(h, p, w) }

func message(h *hash.Hasher, p *Public, w *Witness) fr.Element {
	rho, _ := h.Rhos(w.Seed, p.D)
	return h.Compliance(&hash.Compliance{Apk: p.Apk, Rho: rho})
}

// Check evaluates the statement on plain values and names the first clause that does not hold.
func Check(h *hash.Hasher, p *Public, w *Witness, link *clause.Link) error {
	apk := w.Owner.Apk(h, &p.Rk)
	hm := message(h, p, w)
	return clause.First(
		clause.Require(!p.Apk.IsZero() && apk.Equal(&p.Apk), "R-02", fault.WitnessInvalid),
		clause.Require(w.Blinding.Opens(h, &p.Coin, &hm), "C-02", fault.WitnessInvalid),
		clause.Require(link.Holds(h, hm), "C-03", fault.WitnessInvalid),
	)
}

// Assign returns the full assignment of the circuit. It checks nothing.
func Assign(p *Public, w *Witness, link *clause.Link) *Circuit {
	c := &Circuit{Apk: p.Apk, D: p.D, Cm: p.Coin.Cm, Rk: gadgets.NewPoint(&p.Rk)}
	c.Owner, c.Seed, c.S = w.Owner.Assign(), w.Seed, w.Blinding.S
	c.Link, c.LinkSecrets = link.Assign()
	return c
}
