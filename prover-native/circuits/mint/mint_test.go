package mint

import (
	"errors"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
)

// kinds are the two circuits of this package.
var kinds = map[Kind]struct {
	name    string
	tag     hash.Tag
	compile func(hash.NetworkTag) (constraint.ConstraintSystem, error)
}{
	Regulated:   {"mint", hash.TagCoin, Compile},
	Unregulated: {"mint-unregulated", hash.TagCoinUnregulated, CompileUnregulated},
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

func honest(t *testing.T, kind Kind, value uint64) (*Public, *Witness) {
	t.Helper()
	w := &Witness{Apk: st.Field(t), Blinding: clause.Blinding{S: st.Field(t), B: st.Scalar(t)}}
	d := st.Field(t)
	var p *Public
	st.Spendable(t, func() { w.Seed = st.Field(t) }, func() (err error) {
		p, err = Prepare(hasher(t), kind, value, &d, w)
		return err
	})
	return p, w
}

func assign(t *testing.T, kind Kind, p *Public, w *Witness) *Circuit {
	t.Helper()
	c, err := Assign(hasher(t), kind, p, w)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPinnedShape(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		s := circuit(t, kind)
		p, w := honest(t, kind, 5)
		free := s.Undetermined(t, assign(t, kind, p, w))
		if len(free) != 0 {
			t.Errorf("%d wires are not determined by the inputs", len(free))
		}
		circuittest.Pin(t, s.Measure(kinds[kind].name, st.NetworkID).WithUndetermined(free))
	})
}

func TestHonest(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		for _, value := range []uint64{0, 1, 12345, 1<<63 + 1, 1<<64 - 1} {
			p, w := honest(t, kind, value)
			if err := Check(hasher(t), kind, p, w); err != nil {
				t.Fatal(err)
			}
			c := assign(t, kind, p, w)
			circuit(t, kind).Accepts(t, c)
			st.SamePublic(t, c, p.Vector())
			st.SamePublic(t, AssignPublic(p), p.Vector())
		}
	})
}

// Each case breaks one clause on plain values: the plain check must name it and the circuit refuse it.
//
//spec:id C-02 C-03
func TestViolated(t *testing.T) {
	one := fr.One()
	for name, x := range map[string]struct {
		equation string
		change   func(t *testing.T, p *Public, w *Witness)
	}{
		"one more":         {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Value++ }},
		"one less":         {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Value-- }},
		"another owner":    {"C-02", func(t *testing.T, p *Public, w *Witness) { w.Apk = st.Field(t) }},
		"another seed":     {"C-02", func(t *testing.T, p *Public, w *Witness) { w.Seed = st.Field(t) }},
		"another D":        {"C-02", func(t *testing.T, p *Public, w *Witness) { p.D = st.Field(t) }},
		"another c_m":      {"C-02", func(t *testing.T, p *Public, w *Witness) { p.Coin.Cm.Add(&p.Coin.Cm, &one) }},
		"another s":        {"C-02", func(t *testing.T, p *Public, w *Witness) { w.Blinding.S.Add(&w.Blinding.S, &one) }},
		"another h":        {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Coin.H = st.Point(t) }},
		"another k":        {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Coin.K = st.Point(t) }},
		"k negated":        {"C-03", func(t *testing.T, p *Public, w *Witness) { p.Coin.K.Neg(&p.Coin.K) }},
		"another blinding": {"C-03", func(t *testing.T, p *Public, w *Witness) { w.Blinding.B = st.Scalar(t) }},
	} {
		t.Run(name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, kind Kind) {
				p, w := honest(t, kind, 700)
				x.change(t, p, w)
				st.Names(t, Check(hasher(t), kind, p, w), x.equation)
				if c, err := Assign(hasher(t), kind, p, w); err == nil {
					circuit(t, kind).Refuses(t, c)
				} else if !errors.Is(err, gadgets.ErrRetrySeed) {
					t.Fatal(err) // the changed message may lack an exponent
				}
			})
		})
	}
}

// Money for the owner zero is money for nobody, or for whoever finds keys with that address.
//
//spec:id M-02
func TestOwnerZero(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		p, w := honest(t, kind, 700)
		w.Apk = fr.Element{}
		d := p.D
		st.Spendable(t, func() { w.Seed = st.Field(t) }, func() (err error) {
			p, err = prepare(hasher(t), kind, 700, &d, w)
			return err
		})
		if _, err := Prepare(hasher(t), kind, 700, &d, w); fault.CodeOf(err) != fault.OwnerZero {
			t.Errorf("prepared with error %v", err)
		}
		st.Names(t, Check(hasher(t), kind, p, w), "M-02")
		circuit(t, kind).Refuses(t, assign(t, kind, p, w))
	})
}

// consistent makes an assignment whose coin is a correctly blinded one of the given value, owner and rho; each of them may be
// what no honest wallet can express.
func consistent(t *testing.T, tag hash.Tag, kind Kind, value frontend.Variable, packed func() fr.Element, second bool) *Circuit {
	t.Helper()
	for {
		p, w := honest(t, kind, 700)
		c := assign(t, kind, p, w)
		rho, other := hasher(t).Rhos(w.Seed, p.D)
		if second {
			rho = other
		}
		hm := hasher(t).Sum(tag, packed(), w.Apk, rho)
		if st.HasExponent(&hm) {
			c.Value = value
			c.Coin, c.Blinding = st.Reblind(t, hasher(t), &p.D, &hm)
			return c
		}
	}
}

// Values outside 64 bits, with a coin that really has that value.
//
//spec:id M-01
func TestValueRange(t *testing.T) {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	for name, value := range map[string]*big.Int{
		"minus one":         big.NewInt(-1),
		"2^64":              two64,
		"p minus 2^64 + 1":  new(big.Int).Sub(big.NewInt(1), two64),
		"a tag of the hash": new(big.Int).Lsh(big.NewInt(1), 192),
	} {
		t.Run(name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, kind Kind) {
				c := consistent(t, kinds[kind].tag, kind, value, func() (e fr.Element) {
					e.SetBigInt(value)
					return e
				}, false)
				circuit(t, kind).Refuses(t, c)
			})
		})
	}
}

// The other kind's coin, another object's hash, and the second lane as rho.
//
//spec:id M-04
func TestMessageIsTheCoinOfThisNetwork(t *testing.T) {
	value := func() fr.Element { return fr.NewElement(700) }
	forEachKind(t, func(t *testing.T, kind Kind) {
		circuit(t, kind).Accepts(t, consistent(t, kinds[kind].tag, kind, 700, value, false))
		for _, tag := range []hash.Tag{hash.TagCoin, hash.TagCoinUnregulated, hash.TagSerial, hash.TagCommit} {
			if tag != kinds[kind].tag {
				circuit(t, kind).Refuses(t, consistent(t, tag, kind, 700, value, false))
			}
		}
		circuit(t, kind).Refuses(t, consistent(t, kinds[kind].tag, kind, 700, value, true))
	})
}

// A message has one exponent, and one with a large quotient none.
//
//spec:id C-03
func TestExponent(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		p, w := honest(t, kind, 700)
		hm, err := w.Message(hasher(t), kind, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, add := range []*big.Int{fr.Modulus(), big.NewInt(1)} {
			c := assign(t, kind, p, w)
			reopen(c, p, w, &hm, add)
			circuit(t, kind).Refuses(t, c)
		}
		for st.HasExponent(&hm) {
			w.Seed = st.Field(t)
			if hm, err = w.Message(hasher(t), kind, p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Prepare(hasher(t), kind, 700, &p.D, w); !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Errorf("prepared with error %v", err)
		}
		if _, err := Assign(hasher(t), kind, p, w); !errors.Is(err, gadgets.ErrRetrySeed) {
			t.Errorf("assigned with error %v", err)
		}
		p.Coin.Cm = hasher(t).Commit(w.Blinding.S, hm)
		c := AssignPublic(p)
		c.Apk, c.Seed, c.Blinding.S = w.Apk, w.Seed, w.Blinding.S
		reopen(c, p, w, &hm, new(big.Int))
		circuit(t, kind).Refuses(t, c)
	})
}

func reopen(c *Circuit, p *Public, w *Witness, hm *fr.Element, add *big.Int) {
	opening, m := st.WrongDivision(hm, &w.Blinding.B, add, 0)
	c.Blinding.Message = opening
	c.Coin.K = st.CommitTo(&p.Coin.H, &m, &w.Blinding.B)
}

// Values that only an assignment can hold.
func TestMutatedAssignments(t *testing.T) {
	for name, mutate := range map[string]func(c *Circuit){
		"C-03 window bit two":             func(c *Circuit) { c.Blinding.Message.Blind[0] = 2 },
		"C-03 last window sign minus one": func(c *Circuit) { c.Blinding.Message.Blind[254] = -1 },
		"C-03 quotient zero":              func(c *Circuit) { c.Blinding.Message.Quotient = 0 },
		"C-03 low half minus one":         func(c *Circuit) { c.Blinding.Message.Low = -1 },
		"C-03 k as (0, 0)":                func(c *Circuit) { c.Coin.K = sw.G1Affine{X: 0, Y: 0} },
		"C-03 k of order three":           func(c *Circuit) { c.Coin.K = sw.G1Affine{X: 0, Y: 1} },
		"C-03 h and k are exchanged":      func(c *Circuit) { c.Coin.H, c.Coin.K = c.Coin.K, c.Coin.H },
	} {
		t.Run(name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, kind Kind) {
				p, w := honest(t, kind, 700)
				c := assign(t, kind, p, w)
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
	p, w := honest(t, Regulated, 1)
	if _, err := Prepare(hasher(t), 3, 1, &p.D, w); !errors.Is(err, errKind) {
		t.Errorf("prepared with error %v", err)
	}
	if err := Check(hasher(t), 3, p, w); !errors.Is(err, errKind) {
		t.Errorf("checked with error %v", err)
	}
}

func TestDishonestHints(t *testing.T) {
	p, w := honest(t, Regulated, 700)
	falsehoods := map[string]frontend.Circuit{}
	for name, change := range map[string]func(c *Circuit){
		"value": func(c *Circuit) { c.Value = 701 },
		"D":     func(c *Circuit) { c.D = 1 },
		"c_m":   func(c *Circuit) { c.Coin.Cm = 1 },
		"k":     func(c *Circuit) { c.Coin.K = sw.NewG1Affine(st.Point(t)) },
	} {
		c := assign(t, Regulated, p, w)
		change(c)
		falsehoods[name] = c
	}
	circuit(t, Regulated).DishonestHints(t, assign(t, Regulated, p, w), falsehoods)
}

func TestProof(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		p, w := honest(t, kind, 700)
		circuit(t, kind).RoundTrip(t, assign(t, kind, p, w))
	})
}

func TestWipe(t *testing.T) {
	_, w := honest(t, Regulated, 1)
	w.Wipe()
	if *w != (Witness{}) {
		t.Error("secrets are left")
	}
}

func TestEveryInputAlteredAlone(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		p, w := honest(t, kind, 700)
		st.EveryInputAlteredAlone(t, circuit(t, kind), assign(t, kind, p, w))
	})
}

// A statement of one network proves nothing in another, nor one kind's in the other kind's circuit.
func TestAnotherNetworkOrKind(t *testing.T) {
	h := hash.New(st.OtherNetwork(t))
	forEachKind(t, func(t *testing.T, kind Kind) {
		p, w := honest(t, kind, 700)
		circuit(t, Regulated+Unregulated-kind).Refuses(t, assign(t, kind, p, w))
		d := p.D
		st.Spendable(t, func() { w.Seed = st.Field(t) }, func() (err error) {
			p, err = Prepare(h, kind, 700, &d, w)
			return err
		})
		c, err := Assign(h, kind, p, w)
		if err != nil {
			t.Fatal(err)
		}
		circuit(t, kind).Refuses(t, c)
	})
}
