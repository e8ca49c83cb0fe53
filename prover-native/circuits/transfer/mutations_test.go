package transfer

import (
	"math/big"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/gadgets"
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

var mutations = []mutation{
	{"T-01", "window digit 2", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Beta[7] = 2 }},
	{"T-01", "window digit -1", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Beta[254] = -1 }},
	{"T-01", "another alpha", "T-04", func(_ *testing.T, c *Circuit, _ *derived) {
		x := randomScalar()
		c.Beta = gadgets.RecodeWindows(&x)
	}},
	{"T-01", "rk = alpha g1, spend key O", "", func(_ *testing.T, c *Circuit, d *derived) {
		c.Rk = sw.NewG1Affine(timesBase(&d.alpha))
	}},
	{"T-01", "another rk", "T-04", func(_ *testing.T, c *Circuit, _ *derived) {
		x := randomScalar()
		c.Rk = sw.NewG1Affine(timesBase(&x))
	}},
	{"T-02", "another nk", "T-04", bumping(func(c *Circuit) *frontend.Variable { return &c.Nk })},
	{"T-03", "recipient 0", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Recipient = 0 }},
	{"T-04", "another rho of the compliance coin", "", bumping(func(c *Circuit) *frontend.Variable { return &c.Cc.Rho })},
	{"T-05", "another rho of coin 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.In[0].Rho })},
	{"T-06", "dummy set on a coin with a value", "", bumping(func(c *Circuit) *frontend.Variable { return &c.In[1].Dummy })},
	{"T-07", "value - 2^64", "", func(_ *testing.T, c *Circuit, _ *derived) { c.In[0].Value = less(num(700), power(64, 0)) }},
	{"T-08", "sent + 2^64", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Cc.Sent = power(64, 1000) }},
	{"T-09", "paid - 2^64", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Paid = less(num(450), power(64, 0)) }},
	{"T-10", "withdrawn + 2^64", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Withdrawn = power(64, 20) }},
	{"T-11", "period one earlier", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Period = 202605 }},
	{"T-12", "VTotal below what is sent", "", func(_ *testing.T, c *Circuit, _ *derived) { c.VTotal = 1449 }},
	{"T-13", "VCount below the count", "", func(_ *testing.T, c *Circuit, _ *derived) { c.VCount = 3 }},
	{"T-14", "held 0", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Cc.Held, c.In[0].Value, c.In[1].Value = 0, 0, 0 }},
	{"T-15", "selector flipped", "", func(_ *testing.T, c *Circuit, _ *derived) { c.HeldSel = 0 }},
	{"O-11", "another seed", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Seed })},
	{"O-11", "another D", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.D })},
	{"T-17", "another recipient", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Recipient })},
	{"O-12", "another history randomness", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.EntryR })},
	{"O-12", "another old history", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Cc.Com })},
	{"T-19", "one unit more withdrawn", "T-20", bumping(func(c *Circuit) *frontend.Variable { return &c.Withdrawn })},
	{"T-20", "another commitment randomness", "", bumping(func(c *Circuit) *frontend.Variable { return &c.S[1] })},
	{"T-20", "outputs exchanged", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Out[0], c.Out[1] = c.Out[1], c.Out[0] }},

	{"T-21", "exponent of the message + 1", "", otherExponent(0, bigOne)},
	{"T-21", "exponent of the next message + 1", "", otherExponent(1, bigOne)},
	{"T-21", "exponent of hash + p", "", func(t *testing.T, c *Circuit, d *derived) { wrapExponent(t, c, d) }},
	{"T-21", "quotient + 2^124", "", func(_ *testing.T, c *Circuit, _ *derived) {
		c.NewOpening[1].Quotient = sum(element(c.NewOpening[1].Quotient), power(124, 0))
	}},
	{"T-22", "exponent m + 2r, quotient - 2", "", func(_ *testing.T, c *Circuit, _ *derived) { shiftByOrder(&c.NewOpening[0], 2) }},
	{"T-22", "exponent m - r, quotient + 1", "T-21", func(_ *testing.T, c *Circuit, _ *derived) { shiftByOrder(&c.NewOpening[0], -1) }},
	{"T-22", "-k", "", func(_ *testing.T, c *Circuit, _ *derived) { c.Out[0].K.Y = negated(c.Out[0].K.Y) }},
	{"T-22", "k + g1", "", func(_ *testing.T, c *Circuit, d *derived) { c.Out[1].K = plusG1(d.witness.Public.Out[1].K) }},
	{"T-22", "another h", "", func(_ *testing.T, c *Circuit, d *derived) { c.Out[0].H = plusG1(d.witness.Public.Out[0].H) }},
	{"T-22", "another blinding", "", func(_ *testing.T, c *Circuit, _ *derived) {
		c.NewOpening[1].Blind[2] = flipped(c.NewOpening[1].Blind[2])
	}},

	{"T-23", "quotient + 1", "", bumping(func(c *Circuit) *frontend.Variable { return &c.CcOpening.Quotient })},
	{"T-23", "no dummy for the compliance coin: opening of coin 1", "", func(_ *testing.T, c *Circuit, _ *derived) {
		c.CcOpening, c.ShowCc = c.InOpening[0], c.Show[0]
	}},
	{"T-24", "-M'", "", func(_ *testing.T, c *Circuit, _ *derived) { c.ShowCc.M.Y = negated(c.ShowCc.M.Y) }},
	{"T-24", "M' = (0, 1), order 3", "points", func(_ *testing.T, c *Circuit, _ *derived) { c.ShowCc.M = sw.G1Affine{X: 0, Y: 1} }},
	{"T-24", "M' = (0, 0)", "points", func(_ *testing.T, c *Circuit, _ *derived) { c.ShowCc.M = sw.G1Affine{X: 0, Y: 0} }},
	{"T-24", "shown coins exchanged", "", func(_ *testing.T, c *Circuit, _ *derived) { c.ShowCc, c.Show[0] = c.Show[0], c.ShowCc }},
	{"T-25", "exponent + 1 with quotient unchanged", "T-25", bumping(func(c *Circuit) *frontend.Variable { return &c.InOpening[0].Low })},
	{"T-25", "a coin with a value shows the compliance signature", "", func(_ *testing.T, c *Circuit, _ *derived) {
		c.InOpening[1], c.Show[1] = c.CcOpening, c.ShowCc
	}},
	{"T-26", "M' + g1", "", func(_ *testing.T, c *Circuit, d *derived) { c.Show[1].M = plusG1(d.witness.Public.Show[1].M) }},
	{"T-26", "halves (low + lambda, high - 1) beyond the range", "", func(_ *testing.T, c *Circuit, _ *derived) {
		o := &c.InOpening[1]
		o.Low = new(big.Int).Add(integer(o.Low), new(big.Int).Mul(referenceLambda, big.NewInt(2)))
		o.High = new(big.Int).Sub(integer(o.High), big.NewInt(2))
	}},

	{"T-27", "another root", "", bumping(func(c *Circuit) *frontend.Variable { return &c.Root })},
	{"T-27", "position flag 2", "", func(_ *testing.T, c *Circuit, _ *derived) { c.SenderOut.Left[3] = 2 }},
	{"T-27", "left and right at once", "", func(_ *testing.T, c *Circuit, _ *derived) { c.SenderOut.Left[0], c.SenderOut.Right[0] = 1, 1 }},
	{"T-27", "key of apk + p", "", func(_ *testing.T, c *Circuit, d *derived) { wrapKey(c, d) }},
	{"T-28", "made-up leaf", "", func(_ *testing.T, c *Circuit, _ *derived) {
		key := integer(c.ReceiverOut.Key)
		c.ReceiverOut.LowKey = new(big.Int).Sub(key, big.NewInt(5))
		c.ReceiverOut.HighKey = new(big.Int).Add(key, big.NewInt(5))
	}},
	{"T-28", "a leaf that lies elsewhere", "", func(t *testing.T, c *Circuit, d *derived) { leafElsewhere(t, c, d) }},
	{"T-28", "the sender's path", "", func(_ *testing.T, c *Circuit, _ *derived) { c.ReceiverOut = c.SenderOut }},
}

//spec:id T-01 T-02 T-03 T-04 T-05 T-06 T-07 T-08 T-09 T-10 T-11 T-12 T-13 T-14 T-15 T-17 T-19 T-20 T-21 T-22 T-23 T-24 T-25 T-26 T-27 T-28
func TestMutatedWitnesses(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.clause+" "+m.name, func(t *testing.T) {
			c, d := honest().build(t)
			m.change(t, c, d)
			assertRefused(t, c, m.clause, m.reported)
		})
	}
}

var bigOne = big.NewInt(1)

func negated(v frontend.Variable) frontend.Variable {
	e := element(v)
	e.Neg(&e)
	return e
}

func flipped(v frontend.Variable) frontend.Variable { return 1 - int(integer(v).Int64()) }

func plusG1(p bls12377.G1Affine) sw.G1Affine {
	_, _, g1, _ := bls12377.Generators()
	p.Add(&p, &g1)
	return sw.NewG1Affine(p)
}

// setExponent writes an integer exponent into an opening and a point that opens to it.
func setExponent(c *Circuit, d *derived, j int, m *big.Int) {
	high, low := new(big.Int).DivMod(m, referenceLambda, new(big.Int))
	c.NewOpening[j].Low, c.NewOpening[j].High = low, high
	var scalar blsfr.Element
	scalar.SetBigInt(m)
	point, shift := times(&d.witness.Public.Out[j].H, &scalar), timesBase(&d.blinds[j])
	point.Add(&point, &shift)
	c.Out[j].K = sw.NewG1Affine(point)
}

// otherExponent blinds another exponent than the message's, with a point that fits.
func otherExponent(j int, by *big.Int) func(*testing.T, *Circuit, *derived) {
	return func(t *testing.T, c *Circuit, d *derived) {
		m, ok := exponentOf(&c.NewOpening[j])
		if !ok {
			t.Fatal("honest exponent out of range")
		}
		setExponent(c, d, j, m.Add(m, by))
	}
}

// wrapExponent uses hash + p = q r + m, which holds in F and names another exponent.
func wrapExponent(t *testing.T, c *Circuit, d *derived) {
	x := d.messages[0].BigInt(new(big.Int))
	q, m := x.DivMod(x.Add(x, fr.Modulus()), blsfr.Modulus(), new(big.Int))
	if q.BitLen() <= 124 {
		t.Fatal("the quotient of hash + p is in range")
	}
	c.NewOpening[0].Quotient = q
	setExponent(c, d, 0, m)
}

// shiftByOrder replaces (q, m) by (q - k, m + k r); m r is the same group element.
func shiftByOrder(o *gadgets.Opening, k int64) {
	m, _ := exponentOf(o)
	m.Add(m, new(big.Int).Mul(blsfr.Modulus(), big.NewInt(k)))
	o.Quotient = new(big.Int).Sub(integer(o.Quotient), big.NewInt(k))
	high, low := new(big.Int).DivMod(m, referenceLambda, new(big.Int))
	o.Low, o.High = low, high
}

// wrapKey splits apk + p instead of apk.
func wrapKey(c *Circuit, d *derived) {
	x := d.apk.BigInt(new(big.Int))
	x.Add(x, fr.Modulus())
	key := new(big.Int).Rsh(x, sanction.LowBits)
	c.SenderOut.Key = key
	c.SenderOut.Rest = x.Sub(x, new(big.Int).Lsh(key, sanction.LowBits))
}

// leafElsewhere takes an honest path whose neighbours do not surround the key.
func leafElsewhere(t *testing.T, c *Circuit, d *derived) {
	for {
		other := random()
		path, err := d.tree.Path(&other)
		if err != nil {
			t.Fatal(err)
		}
		if path.Low.Element() == element(c.ReceiverOut.LowKey) {
			continue
		}
		a := gadgets.NewAbsence(&other, path)
		a.Key, a.Rest = c.ReceiverOut.Key, c.ReceiverOut.Rest
		c.ReceiverOut = a
		return
	}
}

// m + r with q - 1 is another witness for the same coin and signature: harmless, and accepted by both.
func TestExponentAliasIsTheSameCoin(t *testing.T) {
	for range 200 {
		c, _ := honest().build(t)
		shiftByOrder(&c.InOpening[0], 1)
		if _, inRange := exponentOf(&c.InOpening[0]); !inRange {
			continue // m + r fits the ladder for m < 0.85 r only
		}
		system().Accepts(t, c)
		if err := Check(c); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("no exponent below 0.85 r in 200 draws")
}
