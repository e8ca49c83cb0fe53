package register

import (
	"errors"
	"math/big"
	"sync"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
)

var (
	once   sync.Once
	system circuittest.System
)

func circuit(t *testing.T) circuittest.System {
	t.Helper()
	once.Do(func() {
		ccs, err := Compile(st.Network(t))
		if err != nil {
			t.Fatal(err)
		}
		system = circuittest.Wrap(t, ccs)
	})
	return system
}

func hasher(t *testing.T) *hash.Hasher { return hash.New(st.Network(t)) }

// person is a registration together with the authorisation key behind it.
type person struct {
	pkAuth bls.G1Affine
	public *Public
	secret *Witness
}

func honest(t *testing.T) *person {
	t.Helper()
	x := &person{pkAuth: st.Point(t), secret: &Witness{
		Owner:    clause.Owner{Nk: st.Field(t), Alpha: st.Scalar(t)},
		Blinding: clause.Blinding{S: st.Field(t), B: st.Scalar(t)},
	}}
	x.prepare(t, st.Field(t))
	return x
}

// prepare draws seeds until the coin has an exponent, as a wallet does.
func (x *person) prepare(t *testing.T, d fr.Element) {
	t.Helper()
	st.Spendable(t, func() { x.secret.Seed = st.Field(t) }, func() (err error) {
		x.public, err = Prepare(hasher(t), &x.pkAuth, &d, x.secret)
		return err
	})
}

func (x *person) assign(t *testing.T) *Circuit {
	t.Helper()
	c, err := Assign(hasher(t), x.public, x.secret)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPinnedShape(t *testing.T) {
	s := circuit(t)
	free := s.Undetermined(t, honest(t).assign(t))
	if len(free) != 0 {
		t.Errorf("%d wires are not determined by the inputs", len(free))
	}
	circuittest.Pin(t, s.Measure("register", st.NetworkID).WithUndetermined(free))
}

func TestHonest(t *testing.T) {
	one := fr.One()
	var zero fr.Element
	for name, change := range map[string]func(x *person){
		"random values":    func(*person) {},
		"alpha zero":       func(x *person) { x.secret.Owner.Alpha.SetZero() },
		"nullifier key 0":  func(x *person) { x.secret.Owner.Nk = zero },
		"nullifier key -1": func(x *person) { x.secret.Owner.Nk.Neg(&one) },
		"blinding zero":    func(x *person) { x.secret.Blinding.B.SetZero() },
		"commitment key 0": func(x *person) { x.secret.Blinding.S = zero },
		"generator as key": func(x *person) { _, _, x.pkAuth, _ = bls.Generators() },
	} {
		t.Run(name, func(t *testing.T) {
			x := honest(t)
			change(x)
			x.prepare(t, st.Field(t))
			if err := Check(hasher(t), x.public, x.secret); err != nil {
				t.Fatal(err)
			}
			c := x.assign(t)
			circuit(t).Accepts(t, c)
			st.SamePublic(t, c, x.public.Vector())
			st.SamePublic(t, AssignPublic(x.public), x.public.Vector())
		})
	}
}

// Each case breaks one clause on plain values: the plain check must name it and the circuit refuse it.
//
//spec:id R-02 C-02 C-03
func TestViolated(t *testing.T) {
	one := fr.One()
	for name, x := range map[string]struct {
		equation string
		change   func(t *testing.T, p *Public, w *Witness)
	}{
		"another rk":            {"R-02", func(t *testing.T, p *Public, w *Witness) { p.Rk = st.Point(t) }},
		"rk of another alpha":   {"R-02", func(t *testing.T, p *Public, w *Witness) { w.Owner.Alpha = st.Scalar(t) }},
		"rk negated":            {"R-02", func(t *testing.T, p *Public, w *Witness) { p.Rk.Neg(&p.Rk) }},
		"another nullifier key": {"R-02", func(t *testing.T, p *Public, w *Witness) { w.Owner.Nk.Add(&w.Owner.Nk, &one) }},
		"another address":       {"R-02", func(t *testing.T, p *Public, w *Witness) { p.Apk.Add(&p.Apk, &one) }},
		"another c_m":           {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Coin.Cm.Add(&p.Coin.Cm, &one) }},
		"another s":             {"C-02", func(t *testing.T, p *Public, w *Witness) { w.Blinding.S.Add(&w.Blinding.S, &one) }},
		"another h":             {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Coin.H = st.Point(t) }},
		"another k":             {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Coin.K = st.Point(t) }},
		"k negated":             {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Coin.K.Neg(&p.Coin.K) }},
		"another blinding":      {"C-03", func(t *testing.T, p *Public, w *Witness) { w.Blinding.B = st.Scalar(t) }},
	} {
		t.Run(name, func(t *testing.T) {
			y := honest(t)
			x.change(t, y.public, y.secret)
			st.Names(t, Check(hasher(t), y.public, y.secret), x.equation)
			if c, err := Assign(hasher(t), y.public, y.secret); err == nil {
				circuit(t).Refuses(t, c)
			} else if !errors.Is(err, gadgets.ErrRetrySeed) {
				t.Fatal(err) // a changed address changes the message, which may then lack an exponent
			}
		})
	}
}

// replaceCoin gives the assignment a correctly blinded coin of another message; it reports false where the message has
// no exponent.
func replaceCoin(t *testing.T, c *Circuit, d fr.Element, hm fr.Element) bool {
	t.Helper()
	if !st.HasExponent(&hm) {
		return false
	}
	c.Coin, c.Blinding = st.Reblind(t, hasher(t), &d, &hm)
	return true
}

// Rho chosen freely or from something else, everything after it consistent.
//
//spec:id O-11
func TestRhoIsBoundToTheStatement(t *testing.T) {
	for name, derive := range map[string]func(h *hash.Hasher, p *Public, w *Witness) fr.Element{
		"free": func(*hash.Hasher, *Public, *Witness) fr.Element { return st.Field(t) },
		"second lane": func(h *hash.Hasher, p *Public, w *Witness) fr.Element {
			_, r := h.Rhos(w.Seed, p.D)
			return r
		},
		"another D": func(h *hash.Hasher, p *Public, w *Witness) fr.Element {
			r, _ := h.Rhos(w.Seed, fr.One())
			return r
		},
		"another seed": func(h *hash.Hasher, p *Public, w *Witness) fr.Element {
			r, _ := h.Rhos(fr.One(), p.D)
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			for {
				x := honest(t)
				c := x.assign(t)
				rho := derive(hasher(t), x.public, x.secret)
				hm := hasher(t).Compliance(&hash.Compliance{Apk: x.public.Apk, Rho: rho})
				if replaceCoin(t, c, x.public.D, hm) {
					circuit(t).Refuses(t, c)
					return
				}
			}
		})
	}
}

// A first compliance coin that is not empty, or another owner's.
//
//spec:id R-04
func TestFirstCoinIsEmpty(t *testing.T) {
	for name, change := range map[string]func(*hash.Compliance){
		"balance": func(x *hash.Compliance) { x.Held = 1 },
		"sent":    func(x *hash.Compliance) { x.Sent = 1 },
		"count":   func(x *hash.Compliance) { x.Count = 1 },
		"period":  func(x *hash.Compliance) { x.Period = 1 },
		"history": func(x *hash.Compliance) { x.Com = fr.One() },
		"owner":   func(x *hash.Compliance) { x.Apk = fr.One() },
	} {
		t.Run(name, func(t *testing.T) {
			for {
				x := honest(t)
				c := x.assign(t)
				rho, _ := hasher(t).Rhos(x.secret.Seed, x.public.D)
				coin := &hash.Compliance{Apk: x.public.Apk, Rho: rho}
				change(coin)
				if replaceCoin(t, c, x.public.D, hasher(t).Compliance(coin)) {
					circuit(t).Refuses(t, c)
					return
				}
			}
		})
	}
}

// A message has one exponent. Other divisions by the order, with k made to fit, are refused.
//
//spec:id C-03
func TestMessageHasOneExponent(t *testing.T) {
	for name, add := range map[string]*big.Int{
		"message plus p":   fr.Modulus(),
		"message plus one": big.NewInt(1),
	} {
		t.Run(name, func(t *testing.T) {
			x := honest(t)
			c := x.assign(t)
			hm := x.secret.Message(hasher(t), x.public)
			x.reopen(c, &hm, add)
			circuit(t).Refuses(t, c)
		})
	}
}

// reopen replaces the opening by that of hm + add, with k to match.
func (x *person) reopen(c *Circuit, hm *fr.Element, add *big.Int) {
	opening, m := st.WrongDivision(hm, &x.secret.Blinding.B, add, 0)
	c.Blinding.Message = opening
	c.Coin.K = st.CommitTo(&x.public.Coin.H, &m, &x.secret.Blinding.B)
}

// A coin whose quotient is too large could be signed and never spent, so it must not come into being.
func TestUnspendableCoin(t *testing.T) {
	x := honest(t)
	for {
		x.secret.Seed = st.Field(t)
		hm := x.secret.Message(hasher(t), x.public)
		if st.HasExponent(&hm) {
			continue
		}
		if _, err := Prepare(hasher(t), &x.pkAuth, &x.public.D, x.secret); !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Errorf("prepared with error %v", err)
		}
		if _, err := Assign(hasher(t), x.public, x.secret); !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Errorf("assigned with error %v", err)
		}
		x.public.Coin.Cm = hasher(t).Commit(x.secret.Blinding.S, hm)
		c := AssignPublic(x.public)
		c.Owner, c.Seed, c.Blinding.S = x.secret.Owner.Assign(), x.secret.Seed, x.secret.Blinding.S
		x.reopen(c, &hm, new(big.Int))
		st.Names(t, Check(hasher(t), x.public, x.secret), "C-03")
		circuit(t).Refuses(t, c)
		return
	}
}

// Values that only an assignment can hold.
//
//spec:id C-01 C-03
func TestMutatedAssignments(t *testing.T) {
	for name, mutate := range map[string]func(c *Circuit){
		"C-01 rk as (0, 0)":               func(c *Circuit) { c.Rk = sw.G1Affine{X: 0, Y: 0} },
		"C-01 rk of order three":          func(c *Circuit) { c.Rk = sw.G1Affine{X: 0, Y: 1} },
		"C-01 window bit two":             func(c *Circuit) { c.Owner.Beta[0] = 2 },
		"C-01 window sign minus one":      func(c *Circuit) { c.Owner.Beta[2] = -1 },
		"R-02 address zero":               func(c *Circuit) { c.Apk = 0 },
		"O-11 D changed after blinding":   func(c *Circuit) { c.D = 1 },
		"O-11 seed changed":               func(c *Circuit) { c.Seed = 1 },
		"C-03 window bit two":             func(c *Circuit) { c.Blinding.Message.Blind[0] = 2 },
		"C-03 last window sign minus one": func(c *Circuit) { c.Blinding.Message.Blind[254] = -1 },
		"C-03 quotient zero":              func(c *Circuit) { c.Blinding.Message.Quotient = 0 },
		"C-03 halves exchanged": func(c *Circuit) {
			m := &c.Blinding.Message
			m.Low, m.High = m.High, m.Low
		},
		"C-03 low half minus one":    func(c *Circuit) { c.Blinding.Message.Low = -1 },
		"C-03 k as (0, 0)":           func(c *Circuit) { c.Coin.K = sw.G1Affine{X: 0, Y: 0} },
		"C-03 k of order three":      func(c *Circuit) { c.Coin.K = sw.G1Affine{X: 0, Y: 1} },
		"C-03 h and k are exchanged": func(c *Circuit) { c.Coin.H, c.Coin.K = c.Coin.K, c.Coin.H },
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign(t)
			mutate(c)
			circuit(t).Refuses(t, c)
		})
	}
}

func TestDishonestHints(t *testing.T) {
	x := honest(t)
	falsehoods := map[string]frontend.Circuit{}
	for name, change := range map[string]func(c *Circuit){
		"address": func(c *Circuit) { c.Apk = 1 },
		"D":       func(c *Circuit) { c.D = 1 },
		"c_m":     func(c *Circuit) { c.Coin.Cm = 1 },
		"k":       func(c *Circuit) { c.Coin.K = sw.NewG1Affine(st.Point(t)) },
		"rk":      func(c *Circuit) { c.Rk = sw.NewG1Affine(st.Point(t)) },
	} {
		c := x.assign(t)
		change(c)
		falsehoods[name] = c
	}
	circuit(t).DishonestHints(t, x.assign(t), falsehoods)
}

func TestProof(t *testing.T) {
	circuit(t).RoundTrip(t, honest(t).assign(t))
}

func TestWipe(t *testing.T) {
	w := honest(t).secret
	w.Wipe()
	if *w != (Witness{}) {
		t.Error("secrets are left")
	}
}

func TestEveryInputAlteredAlone(t *testing.T) {
	st.EveryInputAlteredAlone(t, circuit(t), honest(t).assign(t))
}

// A statement of one network proves nothing in another.
func TestAnotherNetwork(t *testing.T) {
	h := hash.New(st.OtherNetwork(t))
	x := honest(t)
	d := x.public.D
	st.Spendable(t, func() { x.secret.Seed = st.Field(t) }, func() (err error) {
		x.public, err = Prepare(h, &x.pkAuth, &d, x.secret)
		return err
	})
	if err := Check(h, x.public, x.secret); err != nil {
		t.Fatal(err)
	}
	c, err := Assign(h, x.public, x.secret)
	if err != nil {
		t.Fatal(err)
	}
	circuit(t).Refuses(t, c)
}
