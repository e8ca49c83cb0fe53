package register

import (
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

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

// person is a registration together with the authorisation key behind it.
type person struct {
	pkAuth jubjub.Point
	public *Public
	secret *Witness
	link   *clause.Link
}

func honest(t *testing.T) *person {
	t.Helper()
	x := &person{pkAuth: st.KeyPoint(t), secret: &Witness{
		Owner:    clause.Owner{Nk: st.Field(t), Alpha: st.KeyScalar(t)},
		Seed:     st.Field(t),
		Blinding: clause.Blinding{S: st.Field(t), B: st.Field(t)},
	}}
	x.prepare(t, hasher(t), st.Field(t))
	return x
}

func (x *person) prepare(t *testing.T, h *hash.Hasher, d fr.Element) {
	t.Helper()
	var err error
	if x.public, err = Prepare(h, &x.pkAuth, &d, x.secret); err != nil {
		t.Fatal(err)
	}
	if x.link, err = Bind(h, st.Core(t), x.public, x.secret); err != nil {
		t.Fatal(err)
	}
}

func (x *person) assign() *Circuit { return Assign(x.public, x.secret, x.link) }

func TestPinnedShape(t *testing.T) {
	s := circuit(t)
	free := s.Undetermined(t, honest(t).assign())
	if len(free) != 0 {
		t.Errorf("%d wires are not determined by the inputs", len(free))
	}
	stats := s.Measure("register", st.NetworkID).WithUndetermined(free)
	if stats.Public != PublicInputs {
		t.Errorf("%d public inputs, want %d", stats.Public, PublicInputs)
	}
	circuittest.Pin(t, stats)
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
		"base as key":      func(x *person) { x.pkAuth = jubjub.Base() },
	} {
		t.Run(name, func(t *testing.T) {
			x := honest(t)
			change(x)
			x.prepare(t, hasher(t), st.Field(t))
			if err := Check(hasher(t), x.public, x.secret, x.link); err != nil {
				t.Fatal(err)
			}
			c := x.assign()
			circuit(t).Accepts(t, c)
			st.SamePublic(t, c, x.public.Vector(x.link))
		})
	}
}

// minus is the opposite point.
func minus(p jubjub.Point) jubjub.Point {
	p.Neg(&p)
	return p
}

// Each case breaks one clause on plain values: the plain check must name it, and the circuit refuse it unless it is about points
// of G1, which the circuit does not see.
//
//spec:id R-02 C-02 C-03
func TestViolated(t *testing.T) {
	one := fr.One()
	const points = true
	for name, x := range map[string]struct {
		equation string
		points   bool
		change   func(t *testing.T, x *person)
	}{
		"another rk":            {"R-02", !points, func(t *testing.T, x *person) { x.public.Rk = st.KeyPoint(t) }},
		"rk of another alpha":   {"R-02", !points, func(t *testing.T, x *person) { x.secret.Owner.Alpha = st.KeyScalar(t) }},
		"rk negated":            {"R-02", !points, func(_ *testing.T, x *person) { x.public.Rk = minus(x.public.Rk) }},
		"rk = alpha B":          {"R-02", !points, func(_ *testing.T, x *person) { x.public.Rk = jubjub.MulBase(&x.secret.Owner.Alpha) }},
		"another nullifier key": {"R-02", !points, func(_ *testing.T, x *person) { x.secret.Owner.Nk.Add(&x.secret.Owner.Nk, &one) }},
		"another address":       {"R-02", !points, func(_ *testing.T, x *person) { x.public.Apk.Add(&x.public.Apk, &one) }},
		"address zero":          {"R-02", !points, func(_ *testing.T, x *person) { x.public.Apk.SetZero() }},
		"another c_m":           {"C-02", !points, func(_ *testing.T, x *person) { x.public.Coin.Cm.Add(&x.public.Coin.Cm, &one) }},
		"another s":             {"C-02", !points, func(_ *testing.T, x *person) { x.secret.Blinding.S.Add(&x.secret.Blinding.S, &one) }},
		"another seed":          {"C-02", !points, func(t *testing.T, x *person) { x.secret.Seed = st.Field(t) }},
		"another D":             {"C-02", !points, func(t *testing.T, x *person) { x.public.D = st.Field(t) }},
		"another h":             {"C-02", points, func(t *testing.T, x *person) { x.public.Coin.H = st.Point(t) }},
		"another k":             {"C-02", points, func(t *testing.T, x *person) { x.public.Coin.K = st.Point(t) }},
		"another blinding":      {"C-02", points, func(t *testing.T, x *person) { x.secret.Blinding.B = st.Field(t) }},
		"another a":             {"C-03", !points, func(t *testing.T, x *person) { x.link.Shown.A = st.Field(t) }},
		"another challenge":     {"C-03", !points, func(t *testing.T, x *person) { x.link.C = st.Field(t) }},
		"another response":      {"C-03", !points, func(t *testing.T, x *person) { x.link.Shown.Z[0] = st.Field(t) }},
		"another nonce":         {"C-03", !points, func(t *testing.T, x *person) { x.link.Secrets.Kappa[0] = st.Field(t) }},
		"another salt":          {"C-03", !points, func(t *testing.T, x *person) { x.link.Secrets.Salt = st.Field(t) }},
		"somebody else's link":  {"C-03", !points, func(t *testing.T, x *person) { x.link = honest(t).link }},
	} {
		t.Run(name, func(t *testing.T) {
			y := honest(t)
			x.change(t, y)
			st.Names(t, Check(hasher(t), y.public, y.secret, y.link), x.equation)
			if x.points {
				circuit(t).Accepts(t, y.assign())
			} else {
				circuit(t).Refuses(t, y.assign())
			}
		})
	}
}

// Points that the validator refuses: whatever wires they leave loose, no address but their own comes out.
//
//spec:id C-01
func TestKeysOutsideTheSubgroup(t *testing.T) {
	for name, rk := range map[string]gadgets.Point{
		"(0, 0)": {X: 0, Y: 0}, "identity": {X: 0, Y: 1}, "order two": {X: 0, Y: -1}, "off the curve": {X: 1, Y: 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign()
			c.Rk = rk
			circuit(t).Refuses(t, c)
		})
	}
}

// replaceCoin gives the assignment a correctly committed and linked coin of another message.
func replaceCoin(t *testing.T, c *Circuit, hm fr.Element) {
	t.Helper()
	s := st.Field(t)
	c.S, c.Cm = s, hasher(t).Commit(s, hm)
	c.Link, c.LinkSecrets = st.LinkTo(t, hasher(t), hm)
}

// wrongRhos are rhos chosen freely or derived from something else, everything after them consistent.
var wrongRhos = map[string]func(t *testing.T, h *hash.Hasher, p *Public, w *Witness) fr.Element{
	"free": func(t *testing.T, _ *hash.Hasher, _ *Public, _ *Witness) fr.Element { return st.Field(t) },
	"second lane": func(_ *testing.T, h *hash.Hasher, p *Public, w *Witness) fr.Element {
		_, r := h.Rhos(w.Seed, p.D)
		return r
	},
	"another D": func(_ *testing.T, h *hash.Hasher, _ *Public, w *Witness) fr.Element {
		r, _ := h.Rhos(w.Seed, fr.One())
		return r
	},
	"another seed": func(_ *testing.T, h *hash.Hasher, p *Public, _ *Witness) fr.Element {
		r, _ := h.Rhos(fr.One(), p.D)
		return r
	},
}

//spec:id O-11
func TestRhoIsBoundToTheStatement(t *testing.T) {
	for name, derive := range wrongRhos {
		t.Run(name, func(t *testing.T) {
			x := honest(t)
			c := x.assign()
			rho := derive(t, hasher(t), x.public, x.secret)
			replaceCoin(t, c, hasher(t).Compliance(&hash.Compliance{Apk: x.public.Apk, Rho: rho}))
			circuit(t).Refuses(t, c)
		})
	}
}

// The refusals of replaced coins are not for a slip in the replacement: the honest message is accepted.
func TestReplacedByTheHonestCoin(t *testing.T) {
	x := honest(t)
	c := x.assign()
	replaceCoin(t, c, x.secret.Message(hasher(t), x.public))
	circuit(t).Accepts(t, c)
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
			x := honest(t)
			c := x.assign()
			rho, _ := hasher(t).Rhos(x.secret.Seed, x.public.D)
			coin := &hash.Compliance{Apk: x.public.Apk, Rho: rho}
			change(coin)
			replaceCoin(t, c, hasher(t).Compliance(coin))
			circuit(t).Refuses(t, c)
		})
	}
}

// Values that only an assignment can hold.
//
//spec:id C-01 C-03
func TestMutatedAssignments(t *testing.T) {
	for name, mutate := range map[string]func(c *Circuit){
		"C-01 window bit two":             func(c *Circuit) { c.Owner.Beta[0] = 2 },
		"C-01 window sign minus one":      func(c *Circuit) { c.Owner.Beta[2] = -1 },
		"C-01 last window sign minus one": func(c *Circuit) { c.Owner.Beta[251] = -1 },
		"R-02 address zero":               func(c *Circuit) { c.Apk = 0 },
		"O-11 D changed after blinding":   func(c *Circuit) { c.D = 1 },
		"O-11 seed changed":               func(c *Circuit) { c.Seed = 1 },
		"C-02 s changed":                  func(c *Circuit) { c.S = 1 },
		"C-03 nonce zero":                 func(c *Circuit) { c.LinkSecrets.Nonces[0] = 0 },
		"C-03 salt zero":                  func(c *Circuit) { c.LinkSecrets.Salt = 0 },
		"C-03 response and nonce exchanged": func(c *Circuit) {
			c.LinkSecrets.Nonces[0], c.Link.Responses[0] = c.Link.Responses[0], c.LinkSecrets.Nonces[0]
		},
		"C-03 a and c exchanged": func(c *Circuit) { c.Link.A, c.Link.C = c.Link.C, c.Link.A },
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign()
			mutate(c)
			circuit(t).Refuses(t, c)
		})
	}
}

func TestPrepareRefuses(t *testing.T) {
	x := honest(t)
	identity := jubjub.Point{}
	identity.Y.SetOne()
	if _, err := Prepare(hasher(t), &identity, &x.public.D, x.secret); fault.CodeOf(err) != fault.IdentityPoint {
		t.Errorf("prepared for the identity with error %v", err)
	}
}

func TestProof(t *testing.T) {
	circuit(t).RoundTrip(t, honest(t).assign())
}

func TestWipe(t *testing.T) {
	w := honest(t).secret
	w.Wipe()
	if *w != (Witness{}) {
		t.Error("secrets are left")
	}
}

func TestEveryInputAlteredAlone(t *testing.T) {
	st.EveryInputAlteredAlone(t, circuit(t), honest(t).assign())
}

// A statement of one network proves nothing in another.
func TestAnotherNetwork(t *testing.T) {
	h := hash.New(st.OtherNetwork(t))
	x := honest(t)
	x.prepare(t, h, x.public.D)
	if err := Check(h, x.public, x.secret, x.link); err != nil {
		t.Fatal(err)
	}
	circuit(t).Refuses(t, x.assign())
}
