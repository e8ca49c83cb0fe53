package unregulated

import (
	"sync"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
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
	link   *clause.Link
}

// draft is an ordinary payment; change edits it before the spent coins and the outputs are made.
func draft(t *testing.T, change func(*Spend, *Witness)) *payment {
	t.Helper()
	x := &payment{
		spend: Spend{
			PkAuth: st.KeyPoint(t), D: st.Field(t), Period: 202606, Withdrawn: 20, Bases: [2]bls.G1Affine{st.Point(t), st.Point(t)},
		},
		secret: &Witness{
			Owner: clause.Owner{Nk: st.Field(t), Alpha: st.KeyScalar(t)},
			Paid:  450, Change: 730, Recipient: st.Field(t), Seed: st.Field(t),
		},
	}
	x.secret.Inputs[0] = Input{Value: 700, Rho: st.Field(t), Blind: st.Field(t)}
	x.secret.Inputs[1] = Input{Value: 500, Rho: st.Field(t), Blind: st.Field(t)}
	for j := range x.secret.Blindings {
		x.secret.Blindings[j] = clause.Blinding{S: st.Field(t), B: st.Field(t)}
	}
	change(&x.spend, x.secret)
	x.make(t, hasher(t), prepare)
	return x
}

// make prepares and links the statement.
func (x *payment) make(t *testing.T, h *hash.Hasher, prepare func(*hash.Hasher, *Spend, *Witness) (*Public, error)) {
	t.Helper()
	var err error
	if x.public, err = prepare(h, &x.spend, x.secret); err != nil {
		t.Fatal(err)
	}
	if x.link, err = Bind(h, st.Core(t), x.public, x.secret); err != nil {
		t.Fatal(err)
	}
}

func (x *payment) check(h *hash.Hasher) error { return Check(h, x.public, x.secret, x.link) }

func (x *payment) assign(t *testing.T) *Circuit {
	t.Helper()
	return Assign(hasher(t), x.public, x.secret, x.link)
}

func honest(t *testing.T) *payment { return draft(t, func(*Spend, *Witness) {}) }

func TestPinnedShape(t *testing.T) {
	s := circuit(t)
	free := s.Undetermined(t, honest(t).assign(t))
	if len(free) != 0 {
		t.Errorf("%d wires are not determined by the inputs", len(free))
	}
	stats := s.Measure("transfer-unregulated", st.NetworkID).WithUndetermined(free)
	if stats.Public != PublicInputs {
		t.Errorf("%d public inputs, want %d", stats.Public, PublicInputs)
	}
	circuittest.Pin(t, stats)
}

const largest = 1<<64 - 1

var honestCases = map[string]func(s *Spend, w *Witness){
	"ordinary":             func(*Spend, *Witness) {},
	"nothing withdrawn":    func(s *Spend, w *Witness) { s.Withdrawn, w.Change = 0, 750 },
	"everything withdrawn": func(s *Spend, w *Witness) { s.Withdrawn, w.Paid, w.Change = 1200, 0, 0 },
	"everything paid":      func(s *Spend, w *Witness) { s.Withdrawn, w.Paid, w.Change = 0, 1200, 0 },
	"everything kept":      func(s *Spend, w *Witness) { s.Withdrawn, w.Paid, w.Change = 0, 0, 1200 },
	"one coin and a dummy": func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = 1200, 0, true },
	"a real coin of zero":  func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value = 1200, 0 },
	"worth nothing at all": func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, 0, 0, 0, 0), 0 },
	"largest coins":        func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, largest, largest, largest, largest), 0 },
	"sum in three parts":   func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, largest, largest, largest, largest-5), 5 },
	"largest withdrawal":   func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, largest, 0, 0, 0), largest },
	"alpha and blinds zero": func(_ *Spend, w *Witness) {
		w.Owner.Alpha.SetZero()
		w.Inputs[0].Blind.SetZero()
		w.Blindings[1].B.SetZero()
	},
	"base as key": func(s *Spend, _ *Witness) { s.PkAuth = jubjub.Base() },
}

func TestHonest(t *testing.T) {
	cases := map[string]func(s *Spend, w *Witness){
		"payment to oneself": func(s *Spend, w *Witness) { w.Recipient = hasher(t).Apk(w.Owner.Nk, &s.PkAuth) },
	}
	for name, change := range honestCases {
		cases[name] = change
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			x := draft(t, change)
			x.make(t, hasher(t), Prepare)
			if err := x.check(hasher(t)); err != nil {
				t.Fatal(err)
			}
			c := x.assign(t)
			circuit(t).Accepts(t, c)
			st.SamePublic(t, c, x.public.Vector(x.link))
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
	for name, x := range map[string]struct {
		equation string
		code     fault.Code
		change   func(s *Spend, w *Witness)
	}{
		"one too much kept":      {"U-04", fault.InsufficientFunds, func(_ *Spend, w *Witness) { w.Change++ }},
		"one too little kept":    {"U-04", fault.InsufficientFunds, func(_ *Spend, w *Witness) { w.Change-- }},
		"one too much paid":      {"U-04", fault.InsufficientFunds, func(_ *Spend, w *Witness) { w.Paid++ }},
		"one too much withdrawn": {"U-04", fault.InsufficientFunds, func(s *Spend, _ *Witness) { s.Withdrawn++ }},
		"sum wraps at 2^64": {"U-04", fault.InsufficientFunds, func(s *Spend, w *Witness) {
			*w, s.Withdrawn = amounts(w, 700, 500, largest, 1201), 0
		}},
		"dummy with a value": {"U-05", fault.WitnessInvalid, func(_ *Spend, w *Witness) { w.Dummy = true }},
		"recipient zero":     {"U-06", fault.OwnerZero, func(_ *Spend, w *Witness) { w.Recipient = fr.Element{} }},
	} {
		t.Run(name, func(t *testing.T) {
			y := draft(t, x.change)
			if _, err := Prepare(hasher(t), &y.spend, y.secret); fault.CodeOf(err) != x.code {
				t.Errorf("prepared with error %v", err)
			}
			st.Names(t, y.check(hasher(t)), x.equation)
			circuit(t).Refuses(t, y.assign(t))
		})
	}
}

// Statements altered after they were made. The plain check must name the equation, and the circuit refuse it unless it is about
// points of G1, which the circuit does not see.
//
//spec:id U-02 U-11 C-02 C-03
func TestViolated(t *testing.T) {
	one := fr.One()
	const points = true
	for name, x := range map[string]struct {
		equation string
		points   bool
		change   func(t *testing.T, x *payment)
	}{
		"serial of another coin": {"U-02", !points, func(_ *testing.T, x *payment) { x.public.Serials[0].Add(&x.public.Serials[0], &one) }},
		"serials exchanged": {"U-02", !points, func(_ *testing.T, x *payment) {
			s := &x.public.Serials
			s[0], s[1] = s[1], s[0]
		}},
		"serial of another key": {"U-02", !points, func(t *testing.T, x *payment) {
			x.public.Serials[1] = hasher(t).Serial(one, x.secret.Inputs[1].Rho)
		}},
		"c_m of the recipient coin": {"C-02", !points, func(_ *testing.T, x *payment) {
			x.public.Outputs[0].Cm.Add(&x.public.Outputs[0].Cm, &one)
		}},
		"c_m of the change coin": {"C-02", !points, func(_ *testing.T, x *payment) {
			x.public.Outputs[1].Cm.Add(&x.public.Outputs[1].Cm, &one)
		}},
		"outputs exchanged": {"C-02", !points, func(_ *testing.T, x *payment) {
			o := &x.public.Outputs
			o[0], o[1] = o[1], o[0]
		}},
		"k of the recipient coin": {"C-02", points, func(t *testing.T, x *payment) { x.public.Outputs[0].K = st.Point(t) }},
		"k of the change coin":    {"C-02", points, func(_ *testing.T, x *payment) { x.public.Outputs[1].K.Neg(&x.public.Outputs[1].K) }},
		"h of an output":          {"C-02", points, func(_ *testing.T, x *payment) { x.public.Outputs[1].H = x.public.Outputs[0].H }},
		"M' of the first input":   {"U-11", points, func(t *testing.T, x *payment) { x.public.Shown[0].M = st.Point(t) }},
		"M' of the second input":  {"U-11", points, func(_ *testing.T, x *payment) { x.public.Shown[1].M.Neg(&x.public.Shown[1].M) }},
		"h' of an input":          {"U-11", points, func(t *testing.T, x *payment) { x.public.Shown[0].H = st.Point(t) }},
		"shown blinding":          {"U-11", points, func(t *testing.T, x *payment) { x.secret.Inputs[1].Blind = st.Field(t) }},
		"another a":               {"C-03", !points, func(t *testing.T, x *payment) { x.link.Shown.A = st.Field(t) }},
		"another challenge":       {"C-03", !points, func(t *testing.T, x *payment) { x.link.C = st.Field(t) }},
		"another first response":  {"C-03", !points, func(t *testing.T, x *payment) { x.link.Shown.Z[0] = st.Field(t) }},
		"another last response":   {"C-03", !points, func(t *testing.T, x *payment) { x.link.Shown.Z[3] = st.Field(t) }},
		"another nonce":           {"C-03", !points, func(t *testing.T, x *payment) { x.link.Secrets.Kappa[2] = st.Field(t) }},
		"another salt":            {"C-03", !points, func(t *testing.T, x *payment) { x.link.Secrets.Salt = st.Field(t) }},
		"somebody else's link":    {"C-03", !points, func(t *testing.T, x *payment) { x.link = honest(t).link }},
	} {
		t.Run(name, func(t *testing.T) {
			y := honest(t)
			x.change(t, y)
			st.Names(t, y.check(hasher(t)), x.equation)
			if x.points {
				circuit(t).Accepts(t, y.assign(t))
			} else {
				circuit(t).Refuses(t, y.assign(t))
			}
		})
	}
}

// A prover without the keys behind rk or without the nullifier key cannot spend. The change of keys changes every
// message, so the honest assignment is kept and only the keys in it are replaced.
//
//spec:id C-01
func TestForeignKeys(t *testing.T) {
	point := func(p jubjub.Point) func(*testing.T, *Circuit) {
		return func(_ *testing.T, c *Circuit) { c.Rk = gadgets.NewPoint(&p) }
	}
	coordinates := func(x, y int) func(*testing.T, *Circuit) {
		return func(_ *testing.T, c *Circuit) { c.Rk = gadgets.Point{X: x, Y: y} }
	}
	for name, mutate := range map[string]func(t *testing.T, c *Circuit){
		"another rk":            point(st.KeyPoint(t)),
		"rk negated":            func(t *testing.T, c *Circuit) { c.Rk.X = negated(c.Rk.X) },
		"another alpha":         func(t *testing.T, c *Circuit) { b := st.KeyScalar(t); c.Owner.Beta = gadgets.RecodeWindows(&b) },
		"another nullifier key": func(t *testing.T, c *Circuit) { c.Owner.Nk = st.Field(t) },
		"rk as (0, 0)":          coordinates(0, 0),
		"rk is the identity":    coordinates(0, 1),
		"rk of order two":       coordinates(0, -1),
		"rk off the curve":      coordinates(1, 1),
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign(t)
			mutate(t, c)
			circuit(t).Refuses(t, c)
		})
	}
}

func negated(v frontend.Variable) fr.Element {
	var e fr.Element
	if _, err := e.SetInterface(v); err != nil {
		panic(err)
	}
	e.Neg(&e)
	return e
}

func TestDishonestHints(t *testing.T) {
	x := honest(t)
	falsehoods := map[string]frontend.Circuit{}
	for name, change := range map[string]func(c *Circuit){
		"serial":    func(c *Circuit) { c.Serials[1] = 1 },
		"withdrawn": func(c *Circuit) { c.Withdrawn = 19 },
		"c_m":       func(c *Circuit) { c.Cm[1] = 1 },
		"z":         func(c *Circuit) { c.Link.Responses[0] = 1 },
	} {
		c := x.assign(t)
		change(c)
		falsehoods[name] = c
	}
	circuit(t).DishonestHints(t, x.assign(t), falsehoods)
}

func TestPrepareRefusesTheIdentityAsKey(t *testing.T) {
	x := honest(t)
	x.spend.PkAuth = jubjub.Point{}
	x.spend.PkAuth.Y.SetOne()
	if _, err := Prepare(hasher(t), &x.spend, x.secret); fault.CodeOf(err) != fault.IdentityPoint {
		t.Errorf("prepared with error %v", err)
	}
}

// The bases of the outputs depend on the period, so two requests of different periods share no partial signature.
func TestOutputsBelongToAPeriod(t *testing.T) {
	x := honest(t)
	before := x.public.Outputs
	x.spend.Period++
	x.make(t, hasher(t), Prepare)
	for j, after := range x.public.Outputs {
		if after.Cm != before[j].Cm || after.H == before[j].H || after.K == before[j].K {
			t.Errorf("output %d shares its base with another period, or has another commitment", j)
		}
	}
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
	x.make(t, h, Prepare)
	if err := x.check(h); err != nil {
		t.Fatal(err)
	}
	circuit(t).Refuses(t, Assign(h, x.public, x.secret, x.link))
}
