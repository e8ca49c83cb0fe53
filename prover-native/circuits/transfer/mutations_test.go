package transfer

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

// mutation changes an honest assignment at one place without repairing the rest.
type mutation struct {
	clause, name, reported string
	change                 func(t *testing.T, c *Circuit, d *derived)
}

func bump(v *frontend.Variable) { *v = sum(element(*v), num(1)) }

func bumping(at func(c *Circuit) *frontend.Variable) func(*testing.T, *Circuit, *derived) {
	return func(_ *testing.T, c *Circuit, _ *derived) { bump(at(c)) }
}

// setting changes the assignment without the rest of the scenario.
func setting(change func(c *Circuit)) func(*testing.T, *Circuit, *derived) {
	return func(_ *testing.T, c *Circuit, _ *derived) { change(c) }
}

func swap(v []frontend.Variable, i, j int) { v[i], v[j] = v[j], v[i] }

var mutations = []mutation{
	{"T-01", "window digit 2", "", setting(func(c *Circuit) { c.Owner.Beta[7] = 2 })},
	{"T-01", "window digit -1", "", setting(func(c *Circuit) { c.Owner.Beta[251] = -1 })},
	{"T-01", "another alpha", "T-04", func(t *testing.T, c *Circuit, _ *derived) {
		x := st.KeyScalar(t)
		c.Owner.Beta = gadgets.RecodeWindows(&x)
	}},
	{"T-01", "rk = alpha B, no spend key", "", func(_ *testing.T, c *Circuit, d *derived) {
		p := jubjub.MulBase(&d.alpha)
		c.Rk = gadgets.NewPoint(&p)
	}},
	{"T-01", "another rk", "T-04", func(t *testing.T, c *Circuit, _ *derived) {
		p := st.KeyPoint(t)
		c.Rk = gadgets.NewPoint(&p)
	}},
	{"T-01", "rk of order two", "points", setting(func(c *Circuit) { c.Rk = gadgets.Point{X: 0, Y: -1} })},
	{"T-01", "rk is the identity", "points", setting(func(c *Circuit) { c.Rk = gadgets.Point{X: 0, Y: 1} })},
	{"T-01", "rk plus a point of order two", "points", func(_ *testing.T, c *Circuit, d *derived) {
		order2 := jubjub.Point{}
		order2.Y.SetInt64(-1)
		p := jubjub.Add(d.witness.Public.Rk, order2)
		c.Rk = gadgets.NewPoint(&p)
	}},
	{"T-01", "rk off the curve", "points", setting(func(c *Circuit) { c.Rk = gadgets.Point{X: 1, Y: 1} })},
	{"T-02", "another nk", "T-04", bumping(func(c *Circuit) *frontend.Variable { return &c.Owner.Nk })},
	{"T-03", "recipient 0", "", setting(func(c *Circuit) { c.Recipient = 0 })},
	{"T-04", "another rho of the compliance coin", "", bumping(func(c *Circuit) *frontend.Variable { return &c.Cc.Rho })},
	{"T-05", "another rho of coin 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.In[0].Rho })},
	{"T-06", "dummy set on a coin with a value", "", bumping(func(c *Circuit) *frontend.Variable { return &c.In[1].Dummy })},
	{"T-07", "value - 2^64", "", setting(func(c *Circuit) { c.In[0].Value = less(num(700), power(64, 0)) })},
	{"T-07", "origin + 4", "", setting(func(c *Circuit) { c.In[1].Origin = 5 })},
	{"T-08", "sent + 2^64", "", setting(func(c *Circuit) { c.Cc.Sent = power(64, 1000) })},
	{"T-09", "paid - 2^64", "", setting(func(c *Circuit) { c.Paid = less(num(450), power(64, 0)) })},
	{"T-09", "escrow 2", "", setting(func(c *Circuit) { c.Escrow = 2 })},
	{"T-10", "withdrawn + 2^64", "", setting(func(c *Circuit) { c.Withdrawn = power(64, 20) })},
	{"T-11", "period one earlier", "", setting(func(c *Circuit) { c.Period = 202605 })},
	{"T-12", "VTotal below what is sent", "", setting(func(c *Circuit) { c.VTotal = 1449 })},
	{"T-13", "VCount below the count", "", setting(func(c *Circuit) { c.VCount = 3 })},
	{"T-14", "held 0", "", setting(func(c *Circuit) { c.Cc.Held, c.In[0].Value, c.In[1].Value = 0, 0, 0 })},
	{"T-15", "selector flipped", "", setting(func(c *Circuit) { c.HeldSel = 0 })},
	{"O-11", "another seed", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Seed })},
	{"O-11", "another D", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.D })},
	{"T-17", "another recipient", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Recipient })},
	{"T-17", "escrow set on a coin", "T-20", setting(func(c *Circuit) { c.Escrow, c.VEscrow = 1, 450 })},
	{"T-31", "recipient is the sender", "T-20", func(_ *testing.T, c *Circuit, d *derived) {
		c.Recipient, c.ReceiverOut = d.apk, c.SenderOut
	}},
	{"O-12", "another history randomness", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.EntryR })},
	{"O-12", "another old history", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Cc.Com })},
	{"O-12", "another origin", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.In[0].Origin })},
	{"T-19", "one unit more withdrawn", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Withdrawn })},
	{"T-20", "another commitment randomness", "", bumping(func(c *Circuit) *frontend.Variable { return &c.S[1] })},
	{"T-20", "outputs exchanged", "", setting(func(c *Circuit) { c.Cm[0], c.Cm[1] = c.Cm[1], c.Cm[0] })},

	{"T-23", "no dummy for the compliance coin: the link of coin 1", "T-29", func(t *testing.T, c *Circuit, d *derived) {
		messages := d.messages
		messages[linkedCompliance] = messages[linkedInputs]
		c.Link, c.LinkSecrets = st.LinkTo(t, hasher(), messages[:]...)
	}},
	{"T-25", "message + 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.In[0].Message })},
	{"T-25", "a coin with a value shows the compliance signature", "", func(_ *testing.T, c *Circuit, d *derived) {
		c.In[1].Message = d.messages[linkedCompliance]
	}},
	{"T-25", "coins exchanged", "", setting(func(c *Circuit) { c.In[0].Message, c.In[1].Message = c.In[1].Message, c.In[0].Message })},

	{"T-27", "another root", "", bumping(func(c *Circuit) *frontend.Variable { return &c.Root })},
	{"T-27", "position flag 2", "", setting(func(c *Circuit) { c.SenderOut.Left[3] = 2 })},
	{"T-27", "left and right at once", "", setting(func(c *Circuit) { c.SenderOut.Left[0], c.SenderOut.Right[0] = 1, 1 })},
	{"T-27", "key of apk + r", "", func(_ *testing.T, c *Circuit, d *derived) { wrapKey(c, d) }},
	{"T-28", "made-up leaf", "", setting(func(c *Circuit) {
		key := integer(c.ReceiverOut.Key)
		c.ReceiverOut.LowKey = new(big.Int).Sub(key, big.NewInt(5))
		c.ReceiverOut.HighKey = new(big.Int).Add(key, big.NewInt(5))
	})},
	{"T-28", "a leaf above the key", "", func(t *testing.T, c *Circuit, d *derived) { leafElsewhere(t, d, &c.ReceiverOut, 1) }},
	{"T-28", "a leaf below the key", "", func(t *testing.T, c *Circuit, d *derived) { leafElsewhere(t, d, &c.ReceiverOut, -1) }},
	{"T-28", "the sender's path", "", setting(func(c *Circuit) { c.ReceiverOut = c.SenderOut })},

	{"T-29", "salt + 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.LinkSecrets.Salt })},
	{"T-29", "first nonce + 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.LinkSecrets.Nonces[0] })},
	{"T-29", "last nonce + 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.LinkSecrets.Nonces[4] })},
	{"T-29", "a + 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.Link.A })},
	{"T-29", "challenge 0", "", setting(func(c *Circuit) { c.Link.C = 0 })},
	{"T-29", "responses exchanged", "", setting(func(c *Circuit) { swap(c.Link.Responses, 1, 2) })},
	{"T-29", "nonces exchanged", "", setting(func(c *Circuit) { swap(c.LinkSecrets.Nonces, 3, 4) })},
	{"T-29", "outputs linked in the place of each other", "", func(t *testing.T, c *Circuit, d *derived) {
		messages := d.messages
		messages[3], messages[4] = messages[4], messages[3]
		c.Link, c.LinkSecrets = st.LinkTo(t, hasher(), messages[:]...)
	}},
	{"T-29", "nonce and response fit another message", "", func(_ *testing.T, c *Circuit, d *derived) {
		// z = kappa' + c m' for another m', with the old a
		challenge, other := element(c.Link.C), random()
		c.LinkSecrets.Nonces[0] = less(element(c.Link.Responses[0]), product(challenge, other))
	}},
}

//spec:id T-01 T-02 T-03 T-04 T-05 T-06 T-07 T-08 T-09 T-10 T-11 T-12 T-13 T-14 T-15 T-17 T-31 T-19 T-20 T-23 T-25 T-27 T-28 T-29
func TestMutatedWitnesses(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.clause+" "+m.name, func(t *testing.T) {
			c, d := honest().build(t)
			m.change(t, c, d)
			assertRefused(t, c, m.clause, m.reported)
		})
	}
}

// wrapKey splits apk + r instead of apk.
func wrapKey(c *Circuit, d *derived) {
	x := d.apk.BigInt(new(big.Int))
	x.Add(x, fr.Modulus())
	key := new(big.Int).Rsh(x, sanction.LowBits)
	c.SenderOut.Key = key
	c.SenderOut.Rest = x.Sub(x, new(big.Int).Lsh(key, sanction.LowBits))
}

// leafElsewhere replaces a path by that of the next leaf above (1) or below (-1) the key.
func leafElsewhere(t *testing.T, d *derived, a *gadgets.Absence, side int64) {
	t.Helper()
	border := a.HighKey
	if side < 0 {
		border = a.LowKey
	}
	next := new(big.Int).Add(integer(border), big.NewInt(side))
	var other fr.Element
	other.SetBigInt(next.Lsh(next, sanction.LowBits))
	path, err := d.tree.Path(&other)
	if err != nil {
		t.Fatal(err)
	}
	key, rest := a.Key, a.Rest
	*a = gadgets.NewAbsence(&other, path)
	a.Key, a.Rest = key, rest
}
