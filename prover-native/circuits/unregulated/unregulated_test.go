package unregulated

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
	"solidus.io/prover/fault"
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

// payment is a transfer with what its sender holds.
type payment struct {
	spend  Spend
	public *Public
	secret *Witness
}

// draft is an ordinary payment; change edits it before the spent coins and the outputs are made.
func draft(t *testing.T, change func(*Spend, *Witness)) *payment {
	t.Helper()
	x := &payment{
		spend: Spend{PkAuth: st.Point(t), D: st.Field(t), Withdrawn: 20, Bases: [2]bls.G1Affine{st.Point(t), st.Point(t)}},
		secret: &Witness{
			Owner: clause.Owner{Nk: st.Field(t), Alpha: st.Scalar(t)},
			Paid:  450, Change: 730, Recipient: st.Field(t),
		},
	}
	x.secret.Inputs[0] = Input{Value: 700, Blind: st.Scalar(t)}
	x.secret.Inputs[1] = Input{Value: 500, Blind: st.Scalar(t)}
	for j := range x.secret.Blindings {
		x.secret.Blindings[j] = clause.Blinding{S: st.Field(t), B: st.Scalar(t)}
	}
	change(&x.spend, x.secret)
	x.make(t, prepare)
	return x
}

// make draws coins and seeds until all messages have exponents.
func (x *payment) make(t *testing.T, prepare func(*hash.Hasher, *Spend, *Witness) (*Public, error)) {
	t.Helper()
	h := hasher(t)
	apk := h.Apk(x.secret.Owner.Nk, &x.spend.PkAuth)
	for i := range x.secret.Inputs {
		in := &x.secret.Inputs[i]
		for {
			in.Rho = st.Field(t)
			if hm := h.CoinUnregulated(in.Value, apk, in.Rho); st.HasExponent(&hm) {
				break
			}
		}
	}
	st.Spendable(t, func() { x.secret.Seed = st.Field(t) }, func() (err error) {
		x.public, err = prepare(h, &x.spend, x.secret)
		return err
	})
}

func (x *payment) assign(t *testing.T) *Circuit {
	t.Helper()
	c, err := Assign(hasher(t), x.public, x.secret)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func honest(t *testing.T) *payment { return draft(t, func(*Spend, *Witness) {}) }

func TestPinnedShape(t *testing.T) {
	s := circuit(t)
	free := s.Undetermined(t, honest(t).assign(t))
	if len(free) != 0 {
		t.Errorf("%d wires are not determined by the inputs", len(free))
	}
	circuittest.Pin(t, s.Measure("transfer-unregulated", st.NetworkID).WithUndetermined(free))
}

func TestHonest(t *testing.T) {
	const largest = 1<<64 - 1
	for name, change := range map[string]func(s *Spend, w *Witness){
		"ordinary":             func(*Spend, *Witness) {},
		"nothing withdrawn":    func(s *Spend, w *Witness) { s.Withdrawn, w.Change = 0, 750 },
		"everything withdrawn": func(s *Spend, w *Witness) { s.Withdrawn, w.Paid, w.Change = 1200, 0, 0 },
		"everything paid":      func(s *Spend, w *Witness) { s.Withdrawn, w.Paid, w.Change = 0, 1200, 0 },
		"everything kept":      func(s *Spend, w *Witness) { s.Withdrawn, w.Paid, w.Change = 0, 0, 1200 },
		"one coin and a dummy": func(s *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = 1200, 0, true },
		"a real coin of zero":  func(s *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value = 1200, 0 },
		"worth nothing at all": func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, 0, 0, 0, 0), 0 },
		"largest coins":        func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, largest, largest, largest, largest), 0 },
		"sum in three parts":   func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, largest, largest, largest, largest-5), 5 },
		"largest withdrawal":   func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, largest, 0, 0, 0), largest },
		"payment to oneself":   func(s *Spend, w *Witness) { w.Recipient = hasher(t).Apk(w.Owner.Nk, &s.PkAuth) },
		"alpha and blinds zero": func(s *Spend, w *Witness) {
			w.Owner.Alpha.SetZero()
			w.Inputs[0].Blind.SetZero()
			w.Blindings[1].B.SetZero()
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := draft(t, change)
			x.make(t, Prepare)
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

func amounts(w *Witness, v1, v2, paid, change uint64) Witness {
	out := *w
	out.Inputs[0].Value, out.Inputs[1].Value, out.Paid, out.Change = v1, v2, paid, change
	return out
}

// Plans that break one rule and are consistent in all the rest: Prepare refuses them with a code, the plain check names the
// equation, the circuit refuses the assignment.
//
//spec:id U-04 U-05 U-06
func TestViolatedPlans(t *testing.T) {
	const largest = 1<<64 - 1
	for name, x := range map[string]struct {
		equation string
		code     fault.Code
		change   func(s *Spend, w *Witness)
	}{
		"one too much kept":      {"U-04", fault.InsufficientFunds, func(s *Spend, w *Witness) { w.Change++ }},
		"one too little kept":    {"U-04", fault.InsufficientFunds, func(s *Spend, w *Witness) { w.Change-- }},
		"one too much paid":      {"U-04", fault.InsufficientFunds, func(s *Spend, w *Witness) { w.Paid++ }},
		"one too much withdrawn": {"U-04", fault.InsufficientFunds, func(s *Spend, w *Witness) { s.Withdrawn++ }},
		"sum wraps at 2^64": {"U-04", fault.InsufficientFunds, func(s *Spend, w *Witness) {
			*w, s.Withdrawn = amounts(w, 700, 500, largest, 1201), 0
		}},
		"dummy with a value": {"U-05", fault.WitnessInvalid, func(s *Spend, w *Witness) { w.Dummy = true }},
		"recipient zero":     {"U-06", fault.OwnerZero, func(s *Spend, w *Witness) { w.Recipient = fr.Element{} }},
	} {
		t.Run(name, func(t *testing.T) {
			y := draft(t, x.change)
			if _, err := Prepare(hasher(t), &y.spend, y.secret); fault.CodeOf(err) != x.code {
				t.Errorf("prepared with error %v", err)
			}
			st.Names(t, Check(hasher(t), y.public, y.secret), x.equation)
			circuit(t).Refuses(t, y.assign(t))
		})
	}
}

// Statements altered after they were made.
//
//spec:id U-02 U-10 C-02 C-03
func TestViolated(t *testing.T) {
	one := fr.One()
	for name, x := range map[string]struct {
		equation string
		change   func(t *testing.T, p *Public, w *Witness)
	}{
		"serial of another coin":    {"U-02", func(t *testing.T, p *Public, w *Witness) { p.Serials[0].Add(&p.Serials[0], &one) }},
		"serials exchanged":         {"U-02", func(t *testing.T, p *Public, w *Witness) { p.Serials[0], p.Serials[1] = p.Serials[1], p.Serials[0] }},
		"serial of another key":     {"U-02", func(t *testing.T, p *Public, w *Witness) { p.Serials[1] = hasher(t).Serial(one, w.Inputs[1].Rho) }},
		"c_m of the recipient coin": {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Outputs[0].Cm.Add(&p.Outputs[0].Cm, &one) }},
		"c_m of the change coin":    {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Outputs[1].Cm.Add(&p.Outputs[1].Cm, &one) }},
		"outputs exchanged":         {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Outputs[0], p.Outputs[1] = p.Outputs[1], p.Outputs[0] }},
		"k of the recipient coin":   {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Outputs[0].K = st.Point(t) }},
		"k of the change coin":      {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Outputs[1].K.Neg(&p.Outputs[1].K) }},
		"h of an output":            {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Outputs[1].H = p.Outputs[0].H }},
		"M' of the first input":     {"U-10", func(t *testing.T, p *Public, w *Witness) { p.Shown[0].M = st.Point(t) }},
		"M' of the second input":    {"U-10", func(t *testing.T, p *Public, w *Witness) { p.Shown[1].M.Neg(&p.Shown[1].M) }},
		"h' of an input":            {"U-10", func(t *testing.T, p *Public, w *Witness) { p.Shown[0].H = st.Point(t) }},
		"shown blinding":            {"U-10", func(t *testing.T, p *Public, w *Witness) { w.Inputs[1].Blind = st.Scalar(t) }},
	} {
		t.Run(name, func(t *testing.T) {
			y := honest(t)
			x.change(t, y.public, y.secret)
			st.Names(t, Check(hasher(t), y.public, y.secret), x.equation)
			circuit(t).Refuses(t, y.assign(t))
		})
	}
}

// Whoever does not know the keys behind rk or the nullifier key spends nothing. The change of keys changes every
// message, so the honest assignment is kept and only the keys in it are replaced.
//
//spec:id C-01
func TestForeignKeys(t *testing.T) {
	for name, mutate := range map[string]func(t *testing.T, c *Circuit){
		"another rk":            func(t *testing.T, c *Circuit) { c.Rk = sw.NewG1Affine(st.Point(t)) },
		"rk negated":            func(t *testing.T, c *Circuit) { c.Rk.Y = negated(c.Rk.Y) },
		"another alpha":         func(t *testing.T, c *Circuit) { b := st.Scalar(t); c.Owner.Beta = gadgets.RecodeWindows(&b) },
		"another nullifier key": func(t *testing.T, c *Circuit) { c.Owner.Nk = st.Field(t) },
		"rk as (0, 0)":          func(t *testing.T, c *Circuit) { c.Rk = sw.G1Affine{X: 0, Y: 0} },
		"rk of order three":     func(t *testing.T, c *Circuit) { c.Rk = sw.G1Affine{X: 0, Y: 1} },
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign(t)
			mutate(t, c)
			circuit(t).Refuses(t, c)
		})
	}
}

func negated(y frontend.Variable) *big.Int {
	var e fr.Element
	if _, err := e.SetInterface(y); err != nil {
		panic(err)
	}
	e.Neg(&e)
	return e.BigInt(new(big.Int))
}

func TestDishonestHints(t *testing.T) {
	x := honest(t)
	falsehoods := map[string]frontend.Circuit{}
	for name, change := range map[string]func(c *Circuit){
		"serial":    func(c *Circuit) { c.Serials[1] = 1 },
		"withdrawn": func(c *Circuit) { c.Withdrawn = 19 },
		"k":         func(c *Circuit) { c.Outputs[1].K = sw.NewG1Affine(st.Point(t)) },
		"M'":        func(c *Circuit) { c.Shown[0].M = sw.NewG1Affine(st.Point(t)) },
	} {
		c := x.assign(t)
		change(c)
		falsehoods[name] = c
	}
	circuit(t).DishonestHints(t, x.assign(t), falsehoods)
}

func TestSpentCoinWithoutExponent(t *testing.T) {
	x := honest(t)
	apk := hasher(t).Apk(x.secret.Owner.Nk, &x.spend.PkAuth)
	for {
		x.secret.Inputs[0].Rho = st.Field(t)
		if hm := hasher(t).CoinUnregulated(700, apk, x.secret.Inputs[0].Rho); !st.HasExponent(&hm) {
			break
		}
	}
	if _, err := Prepare(hasher(t), &x.spend, x.secret); fault.CodeOf(err) != fault.WitnessInvalid {
		t.Errorf("prepared with error %v", err)
	}
	if _, err := Assign(hasher(t), x.public, x.secret); fault.CodeOf(err) != fault.WitnessInvalid {
		t.Errorf("assigned with error %v", err)
	}
	st.Names(t, Check(hasher(t), x.public, x.secret), "U-02")
}

func TestOutputWithoutExponent(t *testing.T) {
	x := honest(t)
	for range 1000 {
		x.secret.Seed = st.Field(t)
		if _, err := Prepare(hasher(t), &x.spend, x.secret); err == nil {
			continue
		} else if !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Fatal(err)
		}
		if _, err := Assign(hasher(t), x.public, x.secret); !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Errorf("assigned with error %v", err)
		}
		return
	}
	t.Fatal("no seed without exponent in a thousand")
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
	apk := h.Apk(x.secret.Owner.Nk, &x.spend.PkAuth)
	for i := range x.secret.Inputs {
		in := &x.secret.Inputs[i]
		for hm := h.CoinUnregulated(in.Value, apk, in.Rho); !st.HasExponent(&hm); hm = h.CoinUnregulated(in.Value, apk, in.Rho) {
			in.Rho = st.Field(t)
		}
	}
	st.Spendable(t, func() { x.secret.Seed = st.Field(t) }, func() (err error) {
		x.public, err = Prepare(h, &x.spend, x.secret)
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
