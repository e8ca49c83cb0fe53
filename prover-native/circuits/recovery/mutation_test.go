package recovery

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// forgery is an assignment whose inputs need not be numbers in range, nor bits; everything that follows from them follows over the field.
type forgery struct {
	t *testing.T
	*Circuit
	// same replaces what the zero tests find.
	same [2]*fr.Element
}

func element(v frontend.Variable) fr.Element {
	var e fr.Element
	if _, err := e.SetInterface(v); err != nil {
		panic(err)
	}
	return e
}

func num(x int64) (e fr.Element) { e.SetInt64(x); return e }
func sum(xs ...fr.Element) (s fr.Element) {
	for i := range xs {
		s.Add(&s, &xs[i])
	}
	return s
}
func less(x, y fr.Element) fr.Element    { return *x.Sub(&x, &y) }
func product(x, y fr.Element) fr.Element { return *x.Mul(&x, &y) }
func shifted(x fr.Element, n uint) fr.Element {
	var f fr.Element
	f.SetBigInt(new(big.Int).Lsh(big.NewInt(1), n))
	return product(x, f)
}
func choose(bit, a, b fr.Element) fr.Element { return sum(b, product(bit, less(a, b))) }

// entry is O-12 or O-15 over the field.
func (f *forgery) entry(kind, com, a, b, c, withdrawn, period, origin1, origin2, escrow, counterparty, r fr.Element) fr.Element {
	packed := sum(withdrawn, shifted(period, 64), shifted(origin1, 96), shifted(origin2, 98), shifted(escrow, 100),
		shifted(product(kind, num(int64(hash.TagRecover-hash.TagEntry))), 112))
	return hasher(f.t).Sum(hash.TagEntry, packed, com, sum(a, shifted(b, 64), shifted(c, 128)), counterparty, r)
}

func (f *forgery) compliance(apk, rho, com, period, sent, count, held fr.Element) fr.Element {
	return hasher(f.t).Sum(hash.TagCompliance, fr.Element{}, apk, rho, com, sum(shifted(period, 160), shifted(sent, 96), shifted(count, 64), held))
}

// follow recomputes all that follows from the inputs.
func (f *forgery) follow() *Circuit {
	t, h := f.t, hasher(f.t)
	rk := jubjub.Point{X: element(f.Rk.X), Y: element(f.Rk.Y)}
	pkAuth := st.AddWindows(t, rk, &f.Owner.Beta)
	apk, serialKey := h.Address(element(f.Owner.Nk), &pkAuth)
	var com, left [2]fr.Element
	for j := range f.Core {
		x := &f.Core[j]
		kind := element(f.Kind[j])
		rho, rhoNext := h.Rhos(element(x.Seed), element(f.CoreD[j]))
		f.Next[j], f.Returned[j] = h.Serial(serialKey, rhoNext), product(kind, h.Serial(serialKey, rho))
		com[j] = f.entry(kind, element(x.Com), element(x.Values[0]), element(x.Values[1]), element(x.Values[2]), element(x.Withdrawn), element(x.Period),
			element(x.Origin1), element(x.Origin2), element(x.Escrow), element(x.Counterparty), element(x.R))
		hm := f.compliance(apk, rhoNext, com[j], element(x.Period), element(x.Sent), element(x.Count), element(x.Held))
		f.CoreCm[j] = h.Commit(element(x.S), hm)
		left[j] = choose(kind, element(x.Values[1]), sum(element(x.Values[0]), element(x.Withdrawn)))
	}
	x := &f.Core[0]
	credit := func(j int) fr.Element {
		v := f.Core[j].Values
		return sum(product(element(f.Credit[j][0]), element(v[1])), product(element(f.Credit[j][1]), element(v[2])))
	}
	before := less(less(sum(element(x.Held), element(x.Values[0]), element(x.Withdrawn)), element(x.Values[1])), element(x.Values[2]))
	budget := sum(choose(element(f.Kind[0]), element(x.Values[2]), sum(before, credit(0))), credit(1))
	largest := choose(element(f.LargerOutflow), left[0], left[1])
	outflow := choose(element(f.Covered), left[0], choose(element(f.Chain), sum(left[0], left[1]), largest))
	issued := product(element(f.Issues), less(budget, outflow))
	returned := less(issued, element(f.Held))

	period := choose(element(f.LargerPeriod), element(f.Core[0].Period), element(f.Core[1].Period))
	var sent, count [2]fr.Element
	for j := range f.Core {
		same := num(0)
		if element(f.Core[j].Period) == period {
			same = num(1)
		}
		if f.same[j] != nil {
			same = *f.same[j]
		}
		sent[j], count[j] = product(same, element(f.Core[j].Sent)), product(same, element(f.Core[j].Count))
	}
	newSent := choose(element(f.LargerSent), sent[0], sent[1])
	newCount := sum(num(1), choose(element(f.LargerCount), count[0], count[1]))

	rho, rhoNext := h.Rhos(element(f.Seed), element(f.D))
	var no fr.Element
	next := f.entry(num(1), com[0], returned, outflow, budget, no, period, no, no, no, com[1], element(f.R))
	messages := []fr.Element{
		h.Sum(hash.TagCoin, sum(returned, shifted(num(int64(hash.OriginOwn)), 64)), apk, rho),
		f.compliance(apk, rhoNext, next, period, newSent, newCount, element(f.Held)),
	}
	for j := range messages {
		f.Cm[j] = h.Commit(element(f.S[j]), messages[j])
	}
	f.Link, f.LinkSecrets = st.LinkTo(t, h, messages...)
	return f.Circuit
}

func forge(t *testing.T, name string, change func(f *forgery)) *Circuit {
	t.Helper()
	f := &forgery{t: t, Circuit: draft(t, honestCases[name].change).assign()}
	change(f)
	return f.follow()
}

// inverses answers the zero tests wrongly where when holds.
func inverses(x int64, when func(*big.Int) bool) []solver.Option {
	return []solver.Option{solver.OverrideHint(solver.GetHintID(solver.InvZeroHint), func(_ *big.Int, in, out []*big.Int) error {
		switch {
		case when(in[0]):
			out[0].SetInt64(x)
		case in[0].Sign() == 0:
			out[0].SetInt64(0)
		default:
			out[0].ModInverse(in[0], fr.Modulus())
		}
		return nil
	})}
}

func isZero(x *big.Int) bool  { return x.Sign() == 0 }
func notZero(x *big.Int) bool { return x.Sign() != 0 }

const base = "two branches"

// coreFalsehoods break a range of what a core's compliance coin holds.
func coreFalsehoods(t *testing.T) (all []st.Falsehood) {
	for j := range 2 {
		for _, x := range []struct {
			name string
			at   func(*CoreVars) *frontend.Variable
			to   any
		}{
			{"period -1", func(x *CoreVars) *frontend.Variable { return &x.Period }, -1},
			{"sent -1", func(x *CoreVars) *frontend.Variable { return &x.Sent }, -1},
			{"count -1", func(x *CoreVars) *frontend.Variable { return &x.Count }, -1},
			{"held -1", func(x *CoreVars) *frontend.Variable { return &x.Held }, -1},
			{"paid -1", func(x *CoreVars) *frontend.Variable { return &x.Values[0] }, -1},
			{"coin 1 of -1", func(x *CoreVars) *frontend.Variable { return &x.Values[1] }, -1},
			{"coin 2 of -1", func(x *CoreVars) *frontend.Variable { return &x.Values[2] }, -1},
			{"withdrawn -1", func(x *CoreVars) *frontend.Variable { return &x.Withdrawn }, -1},
			{"origin 4 of coin 1", func(x *CoreVars) *frontend.Variable { return &x.Origin1 }, 4},
			{"origin 4 of coin 2", func(x *CoreVars) *frontend.Variable { return &x.Origin2 }, 4},
			{"escrow 2", func(x *CoreVars) *frontend.Variable { return &x.Escrow }, 2},
		} {
			c := forge(t, base, func(f *forgery) {
				*x.at(&f.Core[j]) = x.to
				// A negative value is the smaller one of its pair, and the balance fits.
				switch f.Held = 1000; x.name {
				case "period -1":
					f.LargerPeriod, f.LargerSent, f.LargerCount = j, j, j
				case "sent -1":
					f.LargerSent = j
				case "count -1":
					f.LargerCount = j
				case "paid -1":
					f.LargerOutflow = j
				case "held -1":
					if j == 0 {
						f.Core[j].Values[0], f.Held = 2000, 0
					}
				}
			})
			all = append(all, st.Falsehood{Name: fmt.Sprintf("X-03 core %d: %s", j, x.name), Circuit: c})
		}
	}
	return all
}

func falsehoods(t *testing.T) []st.Falsehood {
	all := coreFalsehoods(t)
	add := func(name, from string, change func(f *forgery), lies ...solver.Option) {
		all = append(all, st.Falsehood{Name: name, Circuit: forge(t, from, change), Lies: lies})
	}
	after := func(name string, change func(c *Circuit)) {
		c := honest(t).assign()
		change(c)
		all = append(all, st.Falsehood{Name: name, Circuit: c})
	}
	for i := range 3 * gadgets.WindowCount {
		add(fmt.Sprintf("C-01 digit %d is 2", i), base, func(f *forgery) { f.Owner.Beta[i] = 2 })
	}
	x := honest(t)
	rk := jubjub.MulBase(&x.secret.Owner.Alpha)
	f := &forgery{t: t, Circuit: x.assign()}
	f.Rk = gadgets.NewPoint(&rk)
	all = append(all, st.Falsehood{Name: "C-01 rk = alpha B, no spend key", Circuit: f.follow()})

	for j := range 2 {
		after(fmt.Sprintf("X-01 successor %d", j), func(c *Circuit) { c.Next[j] = st.Field(t) })
		after(fmt.Sprintf("X-02 returned coin %d", j), func(c *Circuit) { c.Returned[j] = st.Field(t) })
		after(fmt.Sprintf("X-04 c_m of core %d", j), func(c *Circuit) { c.CoreCm[j] = st.Field(t) })
		after(fmt.Sprintf("C-02 c_m %d", j), func(c *Circuit) { c.Cm[j] = st.Field(t) })
		after(fmt.Sprintf("C-03 response %d", j), func(c *Circuit) { c.Link.Responses[j] = st.Field(t) })
	}
	after("C-03 another a", func(c *Circuit) { c.Link.A = st.Field(t) })

	add("X-05 a budget of 2^64 and more", "largest outflow", func(f *forgery) {
		f.Core[0].Held, f.Core[0].Values[1], f.Credit[0][0] = uint64(largest), uint64(largest), 1
		f.Issues = 1
	})
	add("X-06 the smaller outflow, the first", "the second is larger", func(f *forgery) { f.LargerOutflow = 1 })
	add("X-06 the smaller outflow, the second", base, func(f *forgery) { f.LargerOutflow = 0 })
	add("X-06 twice the larger", base, func(f *forgery) { f.LargerOutflow = 2 })
	add("X-06 an outflow of 2^64 and more", "largest outflow", func(f *forgery) {
		f.Covered, f.Chain, f.Core[1].Values[0], f.Core[1].Withdrawn = 0, 1, 50, 0
	})
	add("X-07 issued twice", base, func(f *forgery) { f.Issues = 2 })
	add("X-08 a negative balance", base, func(f *forgery) { f.Held = -1 })
	add("X-08 a negative coin", base, func(f *forgery) {
		f.Core[0].Values[1], f.Core[0].Values[2], f.Held = 0, 0, 2900
	})
	add("X-08 more than before", base, func(f *forgery) { f.Held = 2001 })
	add("X-08 something issued out of nothing", "more burnt than there is", func(f *forgery) { f.Issues = 1 })

	add("X-09 the older period, the first", "a newer second period", func(f *forgery) { f.LargerPeriod, f.LargerSent, f.LargerCount = 1, 1, 1 })
	add("X-09 the older period, the second", "a newer first period", func(f *forgery) { f.LargerPeriod, f.LargerSent, f.LargerCount = 0, 0, 0 })
	add("X-09 a selector of 2 for the period", base, func(f *forgery) { f.LargerPeriod = 2 })
	add("X-09 less sent, by the first", base, func(f *forgery) { f.Core[0].Sent, f.LargerSent = 1200, 1 })
	add("X-09 less sent, by the second", base, func(f *forgery) { f.LargerSent = 0 })
	add("X-09 a selector of 2 for sent", base, func(f *forgery) { f.LargerSent = 2 })
	add("X-09 a smaller count, the first", base, func(f *forgery) { f.LargerCount = 1 })
	add("X-09 a smaller count, the second", base, func(f *forgery) { f.Core[0].Count, f.LargerCount = 6, 0 })
	add("X-09 a selector of 2 for the count", base, func(f *forgery) { f.Core[0].Count, f.LargerCount = 6, 2 })
	add("X-09 a count of 2^32", base, func(f *forgery) { f.Core[1].Count = uint64(1<<32 - 1) })
	yes := num(1)
	add("X-09 an older period counts, the first", "a newer second period", func(f *forgery) { f.same[0], f.LargerSent = &yes, 1 }, inverses(0, notZero)...)
	add("X-09 an older period counts, the second", "a newer first period", func(f *forgery) { f.same[1], f.LargerSent, f.LargerCount = &yes, 0, 0 }, inverses(0, notZero)...)
	add("X-09 the inverse of zero is 1, the first", "a newer first period", func(*forgery) {}, inverses(1, isZero)...)
	add("X-09 the inverse of zero is 1, the second", "a newer second period", func(*forgery) {}, inverses(1, isZero)...)
	return all
}

// What the forgeries are rebuilt from is honest: they are refused for their own fault.
func TestForgedFromHonestValuesIsHonest(t *testing.T) {
	for name := range honestCases {
		circuit(t).Accepts(t, forge(t, name, func(*forgery) {}))
	}
}

// Each assertion of the definition is left out once: without it one of the falsehoods is accepted. Each selection is fixed to
// each of its arms.
//
//spec:id C-01 C-02 C-03 X-01 X-02 X-03 X-04 X-05 X-06 X-07 X-08 X-09
func TestMutationScore(t *testing.T) {
	define := func() frontend.Circuit {
		c := &Circuit{Network: st.Network(t)}
		c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
		return c
	}
	st.MutationScore(t, circuit(t), define, assignments(t), falsehoods(t))
}

func TestEveryConstraintMatters(t *testing.T) {
	bases := []frontend.Circuit{
		honest(t).assign(), draft(t, honestCases["a newer first period"].change).assign(),
		draft(t, honestCases["a newer second period"].change).assign(), draft(t, honestCases["two recovers of the same transfers"].change).assign(),
	}
	st.EveryConstraintMatters(t, circuit(t), bases, falsehoods(t))
}
