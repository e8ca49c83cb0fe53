package mint

import (
	"errors"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
)

// kinds are the two circuits of this package.
var kinds = map[Kind]struct {
	name    string
	tag     hash.Tag
	origin  uint64
	compile func(hash.NetworkTag) (constraint.ConstraintSystem, error)
}{
	Regulated:   {"mint", hash.TagCoin, uint64(hash.OriginMint), Compile},
	Unregulated: {"mint-unregulated", hash.TagCoinUnregulated, 0, CompileUnregulated},
}

var systems = map[Kind]circuittest.System{}

func circuit(t *testing.T, kind Kind) circuittest.System {
	t.Helper()
	if s, ok := systems[kind]; ok {
		return s
	}
	ccs, err := kinds[kind].compile(st.Network(t))
	if err != nil {
		t.Fatal(err)
	}
	systems[kind] = circuittest.Wrap(t, ccs)
	return systems[kind]
}

// forEachKind runs a test for both circuits.
func forEachKind(t *testing.T, test func(t *testing.T, kind Kind)) {
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) { test(t, kind) })
	}
}

func hasher(t *testing.T) *hash.Hasher { return hash.New(st.Network(t)) }

// issue is an issue of money with what its receiver holds.
type issue struct {
	kind   Kind
	public *Public
	secret *Witness
	link   *clause.Link
}

func honest(t *testing.T, kind Kind, value uint64) *issue {
	t.Helper()
	x := &issue{kind: kind, secret: &Witness{
		Apk: st.Field(t), Seed: st.Field(t), Blinding: clause.Blinding{S: st.Field(t), B: st.Field(t)},
	}}
	d := st.Field(t)
	x.prepare(t, hasher(t), value, d)
	return x
}

func (x *issue) prepare(t *testing.T, h *hash.Hasher, value uint64, d fr.Element) {
	t.Helper()
	var err error
	if x.public, err = prepare(h, x.kind, value, &d, x.secret); err != nil {
		t.Fatal(err)
	}
	if x.link, err = Bind(h, x.kind, st.Core(t), x.public, x.secret); err != nil {
		t.Fatal(err)
	}
}

func (x *issue) check(h *hash.Hasher) error { return Check(h, x.kind, x.public, x.secret, x.link) }

func (x *issue) assign() *Circuit { return Assign(x.public, x.secret, x.link) }

func TestPinnedShape(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		s := circuit(t, kind)
		free := s.Undetermined(t, honest(t, kind, 5).assign())
		if len(free) != 0 {
			t.Errorf("%d wires are not determined by the inputs", len(free))
		}
		stats := s.Measure(kinds[kind].name, st.NetworkID).WithUndetermined(free)
		if stats.Public != PublicInputs {
			t.Errorf("%d public inputs, want %d", stats.Public, PublicInputs)
		}
		circuittest.Pin(t, stats)
	})
}

func TestHonest(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		for _, value := range []uint64{0, 1, 12345, 1<<63 + 1, 1<<64 - 1} {
			x := honest(t, kind, value)
			if err := x.check(hasher(t)); err != nil {
				t.Fatal(err)
			}
			again, err := Prepare(hasher(t), kind, value, &x.public.D, x.secret)
			if err != nil || *again != *x.public {
				t.Errorf("prepared another issue, error %v", err)
			}
			c := x.assign()
			circuit(t, kind).Accepts(t, c)
			st.SamePublic(t, c, x.public.Vector(x.link))
		}
	})
}

// The coin of a regulated network is marked as issued, so that nobody's own coins look like income.
//
//spec:id M-04
func TestOriginIsMint(t *testing.T) {
	x := honest(t, Regulated, 700)
	rho, _ := hasher(t).Rhos(x.secret.Seed, x.public.D)
	hm, err := x.secret.Message(hasher(t), Regulated, x.public)
	if err != nil {
		t.Fatal(err)
	}
	if hm != hasher(t).Coin(hash.OriginMint, 700, x.secret.Apk, rho) {
		t.Error("the issued coin has another message")
	}
}

// Each case breaks one clause on plain values: the plain check must name it, and the circuit refuse it unless it is about points
// of G1, which the circuit does not see.
//
//spec:id C-02 C-03
func TestViolated(t *testing.T) {
	one := fr.One()
	const points = true
	for name, x := range map[string]struct {
		equation string
		points   bool
		change   func(t *testing.T, x *issue)
	}{
		"one more":             {"C-02", !points, func(_ *testing.T, x *issue) { x.public.Value++ }},
		"one less":             {"C-02", !points, func(_ *testing.T, x *issue) { x.public.Value-- }},
		"another owner":        {"C-02", !points, func(t *testing.T, x *issue) { x.secret.Apk = st.Field(t) }},
		"another seed":         {"C-02", !points, func(t *testing.T, x *issue) { x.secret.Seed = st.Field(t) }},
		"another D":            {"C-02", !points, func(t *testing.T, x *issue) { x.public.D = st.Field(t) }},
		"another c_m":          {"C-02", !points, func(_ *testing.T, x *issue) { x.public.Coin.Cm.Add(&x.public.Coin.Cm, &one) }},
		"another s":            {"C-02", !points, func(_ *testing.T, x *issue) { x.secret.Blinding.S.Add(&x.secret.Blinding.S, &one) }},
		"another h":            {"C-02", points, func(t *testing.T, x *issue) { x.public.Coin.H = st.Point(t) }},
		"another k":            {"C-02", points, func(t *testing.T, x *issue) { x.public.Coin.K = st.Point(t) }},
		"k negated":            {"C-02", points, func(_ *testing.T, x *issue) { x.public.Coin.K.Neg(&x.public.Coin.K) }},
		"another blinding":     {"C-02", points, func(t *testing.T, x *issue) { x.secret.Blinding.B = st.Field(t) }},
		"another a":            {"C-03", !points, func(t *testing.T, x *issue) { x.link.Shown.A = st.Field(t) }},
		"another challenge":    {"C-03", !points, func(t *testing.T, x *issue) { x.link.C = st.Field(t) }},
		"another response":     {"C-03", !points, func(t *testing.T, x *issue) { x.link.Shown.Z[0] = st.Field(t) }},
		"another nonce":        {"C-03", !points, func(t *testing.T, x *issue) { x.link.Secrets.Kappa[0] = st.Field(t) }},
		"another salt":         {"C-03", !points, func(t *testing.T, x *issue) { x.link.Secrets.Salt = st.Field(t) }},
		"somebody else's link": {"C-03", !points, func(t *testing.T, x *issue) { x.link = honest(t, x.kind, 700).link }},
	} {
		t.Run(name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, kind Kind) {
				y := honest(t, kind, 700)
				x.change(t, y)
				st.Names(t, y.check(hasher(t)), x.equation)
				if x.points {
					circuit(t, kind).Accepts(t, y.assign())
				} else {
					circuit(t, kind).Refuses(t, y.assign())
				}
			})
		})
	}
}

// Money for the owner zero belongs to no owner.
//
//spec:id M-02
func TestOwnerZero(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		x := ownerZero(t, kind)
		if _, err := Prepare(hasher(t), kind, 700, &x.public.D, x.secret); fault.CodeOf(err) != fault.OwnerZero {
			t.Errorf("prepared with error %v", err)
		}
		st.Names(t, x.check(hasher(t)), "M-02")
		circuit(t, kind).Refuses(t, x.assign())
	})
}

func ownerZero(t *testing.T, kind Kind) *issue {
	t.Helper()
	x := honest(t, kind, 700)
	x.secret.Apk = fr.Element{}
	x.prepare(t, hasher(t), 700, x.public.D)
	return x
}

// consistent makes an assignment of any value whose coin, committed and linked, has the given tag and packed integers.
func consistent(t *testing.T, kind Kind, tag hash.Tag, value *big.Int, packed fr.Element, second bool) *Circuit {
	t.Helper()
	x := honest(t, kind, 700)
	rho, other := hasher(t).Rhos(x.secret.Seed, x.public.D)
	if second {
		rho = other
	}
	hm := hasher(t).Sum(tag, packed, x.secret.Apk, rho)
	c, s := x.assign(), st.Field(t)
	c.Value, c.S, c.Cm = value, s, hasher(t).Commit(s, hm)
	c.Link, c.LinkSecrets = st.LinkTo(t, hasher(t), hm)
	return c
}

// packed is value + origin 2^64.
func packed(value *big.Int, origin uint64) (e fr.Element) {
	x := new(big.Int).SetUint64(origin)
	x.Lsh(x, hash.CoinOriginShift)
	e.SetBigInt(x.Add(x, value))
	return e
}

// Values outside 64 bits, with a coin that really has that value. A value of 2^64 is a coin's origin, and one of 2^112 its tag.
//
//spec:id M-01
func TestValueRange(t *testing.T) {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	for name, value := range map[string]*big.Int{
		"minus one":         big.NewInt(-1),
		"2^64":              two64,
		"-2^64, no origin":  new(big.Int).Neg(two64),
		"r minus 2^64 + 1":  new(big.Int).Sub(big.NewInt(1), two64),
		"a tag of the hash": new(big.Int).Lsh(big.NewInt(1), 112),
		"that of an escrow": new(big.Int).Lsh(big.NewInt(int64(hash.TagEscrow)-int64(hash.TagCoin)), 112),
	} {
		t.Run(name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, kind Kind) {
				k := kinds[kind]
				circuit(t, kind).Refuses(t, consistent(t, kind, k.tag, value, packed(value, k.origin), false))
			})
		})
	}
}

// The other kind's coin, another object's hash, another origin, and the second lane as rho.
//
//spec:id M-04
func TestMessageIsTheCoinOfThisNetwork(t *testing.T) {
	value := big.NewInt(700)
	forEachKind(t, func(t *testing.T, kind Kind) {
		k := kinds[kind]
		circuit(t, kind).Accepts(t, consistent(t, kind, k.tag, value, packed(value, k.origin), false))
		for _, tag := range []hash.Tag{hash.TagCoin, hash.TagCoinUnregulated, hash.TagEscrow, hash.TagSerial, hash.TagCommit} {
			if tag != k.tag {
				circuit(t, kind).Refuses(t, consistent(t, kind, tag, value, packed(value, k.origin), false))
			}
		}
		for origin := range uint64(4) {
			if origin != k.origin {
				circuit(t, kind).Refuses(t, consistent(t, kind, k.tag, value, packed(value, origin), false))
			}
		}
		circuit(t, kind).Refuses(t, consistent(t, kind, k.tag, value, packed(value, k.origin), true))
	})
}

// Values that only an assignment can hold.
//
//spec:id C-03
func TestMutatedAssignments(t *testing.T) {
	for name, mutate := range map[string]func(c *Circuit){
		"M-02 owner zero":        func(c *Circuit) { c.Apk = 0 },
		"O-11 D changed":         func(c *Circuit) { c.D = 1 },
		"O-11 seed changed":      func(c *Circuit) { c.Seed = 1 },
		"C-02 s changed":         func(c *Circuit) { c.S = 1 },
		"C-03 nonce zero":        func(c *Circuit) { c.LinkSecrets.Nonces[0] = 0 },
		"C-03 salt zero":         func(c *Circuit) { c.LinkSecrets.Salt = 0 },
		"C-03 a and c exchanged": func(c *Circuit) { c.Link.A, c.Link.C = c.Link.C, c.Link.A },
		"C-03 response and nonce exchanged": func(c *Circuit) {
			c.LinkSecrets.Nonces[0], c.Link.Responses[0] = c.Link.Responses[0], c.LinkSecrets.Nonces[0]
		},
	} {
		t.Run(name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, kind Kind) {
				c := honest(t, kind, 700).assign()
				mutate(c)
				circuit(t, kind).Refuses(t, c)
			})
		})
	}
}

func TestUnknownKind(t *testing.T) {
	if _, err := compile(st.Network(t), 0); !errors.Is(err, errKind) {
		t.Errorf("compiled with error %v", err)
	}
	x := honest(t, Regulated, 1)
	if _, err := Prepare(hasher(t), 3, 1, &x.public.D, x.secret); !errors.Is(err, errKind) {
		t.Errorf("prepared with error %v", err)
	}
	if _, err := Bind(hasher(t), 3, st.Core(t), x.public, x.secret); !errors.Is(err, errKind) {
		t.Errorf("bound with error %v", err)
	}
	if err := Check(hasher(t), 3, x.public, x.secret, x.link); !errors.Is(err, errKind) {
		t.Errorf("checked with error %v", err)
	}
}

func TestDishonestHints(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		x := honest(t, kind, 700)
		falsehoods := map[string]frontend.Circuit{}
		for name, change := range map[string]func(c *Circuit){
			"value": func(c *Circuit) { c.Value = 701 },
			"D":     func(c *Circuit) { c.D = 1 },
			"c_m":   func(c *Circuit) { c.Cm = 1 },
			"a":     func(c *Circuit) { c.Link.A = 1 },
			"z":     func(c *Circuit) { c.Link.Responses[0] = 1 },
		} {
			c := x.assign()
			change(c)
			falsehoods[name] = c
		}
		circuit(t, kind).DishonestHints(t, x.assign(), falsehoods)
	})
}

func TestProof(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		circuit(t, kind).RoundTrip(t, honest(t, kind, 700).assign())
	})
}

func TestWipe(t *testing.T) {
	w := honest(t, Regulated, 1).secret
	w.Wipe()
	if *w != (Witness{}) {
		t.Error("secrets are left")
	}
}

func TestEveryInputAlteredAlone(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		st.EveryInputAlteredAlone(t, circuit(t, kind), honest(t, kind, 700).assign())
	})
}

// A statement of one network proves nothing in another, nor one kind's in the other kind's circuit.
func TestAnotherNetworkOrKind(t *testing.T) {
	h := hash.New(st.OtherNetwork(t))
	forEachKind(t, func(t *testing.T, kind Kind) {
		x := honest(t, kind, 700)
		circuit(t, Regulated+Unregulated-kind).Refuses(t, x.assign())
		x.prepare(t, h, 700, x.public.D)
		if err := x.check(h); err != nil {
			t.Fatal(err)
		}
		circuit(t, kind).Refuses(t, x.assign())
	})
}
