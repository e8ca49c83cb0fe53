package recovery

import (
	"sync"
	"testing"

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

const largest = 1<<64 - 1

// stuck is a recover with what its owner holds.
type stuck struct {
	pkAuth jubjub.Point
	d      fr.Element
	bits   Bits
	public *Public
	secret *Witness
	link   *clause.Link
}

// draft is a recover over two transfers of one compliance coin, of which the first paid 450 of 2000 and claimed 700 and 500;
// change edits it before the outputs are made.
func draft(t *testing.T, change func(*Bits, *Witness)) *stuck {
	t.Helper()
	x := &stuck{
		pkAuth: st.KeyPoint(t), d: st.Field(t), bits: Bits{Credit: [2][2]bool{{true, true}, {true, false}}},
		secret: &Witness{Owner: clause.Owner{Nk: st.Field(t), Alpha: st.KeyScalar(t)}, Held: 1800, Seed: st.Field(t), R: st.Field(t)},
	}
	w := x.secret
	for j := range w.Core {
		w.Core[j] = Core{
			D: st.Field(t), Seed: st.Field(t), S: st.Field(t), Period: 202606, Com: st.Field(t), Counterparty: st.Field(t), R: st.Field(t),
			Origins: [2]hash.Origin{hash.OriginMint, hash.OriginOwn},
		}
		w.Blindings[j] = clause.Blinding{S: st.Field(t), B: st.Field(t)}
	}
	first, second := &w.Core[0], &w.Core[1]
	first.Sent, first.Count, first.Held, first.Values, first.Withdrawn = 1450, 4, 2730, [3]uint64{450, 700, 500}, 20
	second.Sent, second.Count, second.Held, second.Values, second.Withdrawn = 1300, 5, 1800, [3]uint64{300, 90, 10}, 0
	change(&x.bits, w)
	x.prepare(t)
	return x
}

func (x *stuck) prepare(t *testing.T) {
	t.Helper()
	var err error
	if x.public, err = Prepare(hasher(t), &x.pkAuth, &x.d, &x.bits, x.secret); err != nil {
		t.Fatal(err)
	}
	if x.link, err = Bind(hasher(t), st.Core(t), x.public, x.secret); err != nil {
		t.Fatal(err)
	}
}

func (x *stuck) assign() *Circuit { return Assign(x.public, x.secret, x.link) }

func honest(t *testing.T) *stuck { return draft(t, func(*Bits, *Witness) {}) }

// asRecover makes a core a recover that returned, burnt and had a budget.
func asRecover(x *Core, returned, outflow, budget uint64) {
	x.Values, x.Withdrawn, x.Origins, x.Held = [3]uint64{returned, outflow, budget}, 0, [2]hash.Origin{}, budget-outflow-returned
}

// honestCases are true statements. issued is what leaves them, coin and balance.
var honestCases = map[string]struct {
	change func(*Bits, *Witness)
	issued uint64
}{
	"two branches":         {func(*Bits, *Witness) {}, 2000 + 700 + 500 + 90 - 470},
	"the second is larger": {func(_ *Bits, w *Witness) { w.Core[1].Values[0] = 500 }, 2000 + 700 + 500 + 90 - 500},
	"nothing credited": {func(b *Bits, w *Witness) {
		b.Credit = [2][2]bool{}
		w.Held = 1530
	}, 1530},
	"one core twice": {func(b *Bits, w *Witness) {
		b.Covered, b.Credit[1], w.Core[1] = true, [2]bool{}, w.Core[0]
	}, 3200 - 470},
	"a core and its successor's": {func(b *Bits, w *Witness) {
		b.Chain = true
		w.Core[1].Sent, w.Core[1].Count = 1750, 5
	}, 3290 - 470 - 300},
	"a recover with a transfer": {func(b *Bits, w *Witness) {
		b.Recover[0], b.Credit[0] = true, [2]bool{}
		asRecover(&w.Core[0], 100, 470, 3200)
	}, 3200 + 90 - 470},
	"a transfer with a recover": {func(b *Bits, w *Witness) {
		b.Recover[1], b.Credit[1] = true, [2]bool{}
		asRecover(&w.Core[1], 100, 600, 3200)
	}, 3200 - 600},
	"two recovers of the same transfers": {func(b *Bits, w *Witness) {
		*b = Bits{Recover: [2]bool{true, true}, Covered: true}
		asRecover(&w.Core[0], 0, 300, 2500)
		asRecover(&w.Core[1], 100, 600, 3200)
	}, 2200},
	"a newer second period": {func(_ *Bits, w *Witness) { w.Core[1].Period, w.Core[1].Sent = 202607, 300 }, 2820},
	"a newer first period":  {func(_ *Bits, w *Witness) { w.Core[0].Period, w.Core[0].Sent = 202607, 300 }, 2820},
	"more burnt than there is": {func(b *Bits, w *Witness) {
		b.Credit, w.Held = [2][2]bool{}, 0
		w.Core[0].Values, w.Core[0].Withdrawn, w.Core[0].Held = [3]uint64{450, 700, 500}, 0, 750
	}, 0},
	"everything returns as a coin": {func(_ *Bits, w *Witness) { w.Held = 0 }, 2820},
	"an escrow":                    {func(_ *Bits, w *Witness) { w.Core[0].Escrow = true }, 2820},
	"largest values": {func(b *Bits, w *Witness) {
		b.Covered, w.Held = true, largest
		w.Core[0].Held, w.Core[0].Values, w.Core[0].Withdrawn = largest, [3]uint64{}, 0
		b.Credit = [2][2]bool{}
		w.Core[0].Sent, w.Core[0].Period, w.Core[0].Count = largest, 1<<32-1, 1<<32-2
	}, largest},
	"largest outflow": {func(b *Bits, w *Witness) {
		b.Covered, w.Held, b.Credit = true, 0, [2][2]bool{}
		w.Core[0].Held, w.Core[0].Values, w.Core[0].Withdrawn = 0, [3]uint64{largest, 0, 0}, 0
	}, 0},
}

//spec:id O-15 X-05 X-06 X-07 X-08 X-09 X-10
func TestHonest(t *testing.T) {
	for name, x := range honestCases {
		t.Run(name, func(t *testing.T) {
			y := draft(t, x.change)
			if err := Check(hasher(t), y.public, y.secret, y.link); err != nil {
				t.Fatal(err)
			}
			account, err := y.secret.Account(&y.bits)
			if err != nil {
				t.Fatal(err)
			}
			if got := account.Held + account.Returned; got != x.issued {
				t.Errorf("issues %d, want %d", got, x.issued)
			}
			c := y.assign()
			circuit(t).Accepts(t, c)
			if free := circuit(t).Undetermined(t, c); len(free) != 0 {
				t.Errorf("undetermined wires %v", free)
			}
			st.SamePublic(t, c, y.public.Vector(y.link))
		})
	}
}

func TestPinnedShape(t *testing.T) {
	s := circuit(t)
	free := s.Undetermined(t, honest(t).assign())
	if len(free) != 0 {
		t.Errorf("%d wires are not determined by the inputs", len(free))
	}
	stats := s.Measure("recover", st.NetworkID).WithUndetermined(free)
	if stats.Public != PublicInputs {
		t.Errorf("%d public inputs, want %d", stats.Public, PublicInputs)
	}
	circuittest.Pin(t, stats)
}

// What the owner may not decide: Prepare refuses it with a code.
//
//spec:id X-05 X-06 X-08 X-09
func TestAccountRefuses(t *testing.T) {
	for name, x := range map[string]struct {
		code   fault.Code
		change func(*Bits, *Witness)
	}{
		"more held than issued": {fault.InsufficientFunds, func(_ *Bits, w *Witness) { w.Core[0].Values[1], w.Core[0].Values[2], w.Held = 0, 0, 2831 }},
		"more held than before": {fault.OverLimitHeld, func(_ *Bits, w *Witness) { w.Held = 2001 }},
		"more held than a recover": {fault.OverLimitHeld, func(b *Bits, w *Witness) {
			b.Recover[0], b.Credit[0] = true, [2]bool{}
			asRecover(&w.Core[0], 1800, 470, 3200)
			w.Held = 931
		}},
		"a budget above 64 bits":     {fault.WitnessInvalid, func(_ *Bits, w *Witness) { w.Core[0].Held = largest }},
		"a negative account":         {fault.WitnessInvalid, func(b *Bits, w *Witness) { *b = Bits{}; w.Core[0].Held, w.Core[0].Values[1] = 0, 10_000 }},
		"an outflow above 64 bits":   {fault.WitnessInvalid, func(b *Bits, w *Witness) { b.Chain = true; w.Core[1].Values[0] = largest }},
		"the last count of a period": {fault.OverLimitCount, func(_ *Bits, w *Witness) { w.Core[0].Count = 1<<32 - 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			y := honest(t)
			x.change(&y.bits, y.secret)
			if _, err := Prepare(hasher(t), &y.pkAuth, &y.d, &y.bits, y.secret); fault.CodeOf(err) != x.code {
				t.Errorf("prepared with error %v", err)
			}
		})
	}
}

// Statements altered after they were made: the plain check names the equation, and the circuit refuses.
//
//spec:id X-01 X-02 X-04 X-05 X-06 X-10
func TestViolated(t *testing.T) {
	one := fr.One()
	bump := func(e *fr.Element) { e.Add(e, &one) }
	for name, x := range map[string]struct {
		equation string
		change   func(x *stuck)
	}{
		"another successor of the first":  {"X-01", func(x *stuck) { bump(&x.public.Next[0]) }},
		"another successor of the second": {"X-01", func(x *stuck) { bump(&x.public.Next[1]) }},
		"successors exchanged":            {"X-01", func(x *stuck) { x.public.Next[0], x.public.Next[1] = x.public.Next[1], x.public.Next[0] }},
		"another nullifier key":           {"X-01", func(x *stuck) { bump(&x.secret.Owner.Nk) }},
		"another rk":                      {"X-01", func(x *stuck) { x.public.Rk = st.KeyPoint(t) }},
		"another D of a core":             {"X-04", func(x *stuck) { bump(&x.public.CoreD[0]) }},
		"a coin returned by a transfer":   {"X-02", func(x *stuck) { bump(&x.public.Returned[0]) }},
		"another c_m of the first":        {"X-04", func(x *stuck) { bump(&x.public.CoreCm[0]) }},
		"another c_m of the second":       {"X-04", func(x *stuck) { bump(&x.public.CoreCm[1]) }},
		"more sent by the first":          {"X-04", func(x *stuck) { x.secret.Core[0].Sent++ }},
		"less paid by the second":         {"X-04", func(x *stuck) { x.secret.Core[1].Values[0]-- }},
		"a transfer as a recover":         {"X-02", func(x *stuck) { x.public.Recover[0] = true }},
		"more credited":                   {"X-10", func(x *stuck) { x.public.Credit[1][1] = true }},
		"less credited":                   {"X-10", func(x *stuck) { x.public.Credit[0][1] = false }},
		"said to be a chain":              {"X-10", func(x *stuck) { x.public.Chain = true }},
		"another D":                       {"X-10", func(x *stuck) { bump(&x.public.D) }},
		"another returned coin":           {"X-10", func(x *stuck) { bump(&x.public.Out[0].Cm) }},
		"another compliance coin":         {"X-10", func(x *stuck) { bump(&x.public.Out[1].Cm) }},
		"another balance":                 {"X-10", func(x *stuck) { x.secret.Held-- }},
		"another history entry":           {"X-10", func(x *stuck) { bump(&x.secret.R) }},
		"somebody else's link":            {"C-03", func(x *stuck) { x.link = honest(t).link }},
	} {
		t.Run(name, func(t *testing.T) {
			y := honest(t)
			x.change(y)
			st.Names(t, Check(hasher(t), y.public, y.secret, y.link), x.equation)
			circuit(t).Refuses(t, y.assign())
		})
	}
}

// Points that the validator refuses: whatever wires they leave loose, nothing but the owner's own comes out.
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

func TestProof(t *testing.T) { circuit(t).RoundTrip(t, honest(t).assign()) }

func TestWipe(t *testing.T) {
	w := honest(t).secret
	w.Wipe()
	if *w != (Witness{}) {
		t.Error("secrets are left")
	}
}

// Each value and each bit matters where the second outflow is the larger and the first period the newer.
func TestEveryInputAlteredAlone(t *testing.T) {
	x := draft(t, func(_ *Bits, w *Witness) {
		w.Core[0].Period, w.Core[0].Sent, w.Core[1].Values[0] = 202607, 300, 500
	})
	st.EveryInputAlteredAlone(t, circuit(t), x.assign())
}

// A statement of one network proves nothing in another.
func TestAnotherNetwork(t *testing.T) {
	h := hash.New(st.OtherNetwork(t))
	x := honest(t)
	var err error
	if x.public, err = Prepare(h, &x.pkAuth, &x.d, &x.bits, x.secret); err != nil {
		t.Fatal(err)
	}
	if x.link, err = Bind(h, st.Core(t), x.public, x.secret); err != nil {
		t.Fatal(err)
	}
	if err := Check(h, x.public, x.secret, x.link); err != nil {
		t.Fatal(err)
	}
	circuit(t).Refuses(t, x.assign())
}

//spec:id C-06
func TestPublicInputsAreSeparate(t *testing.T) { st.PublicInputsAreSeparate(t, Compile) }

func TestDishonestHintAtEachCall(t *testing.T) {
	for _, name := range []string{"two branches", "a newer second period"} {
		if calls := circuit(t).DishonestHintAtEachCall(t, draft(t, honestCases[name].change).assign()); calls == 0 {
			t.Error("the circuit calls no hints: the test shows nothing")
		}
	}
}

func assignments(t *testing.T) (all []frontend.Circuit) {
	t.Helper()
	for _, x := range honestCases {
		all = append(all, draft(t, x.change).assign())
	}
	return all
}
