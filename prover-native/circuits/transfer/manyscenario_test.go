package transfer

import (
	"fmt"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	cs "github.com/consensys/gnark/constraint/bls12-381"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

// small is a shape that no network has: an odd number of coins, and several coins beside several payees.
var small = Shape{Inputs: 3, Payees: 2}

// manyShapes are the shapes whose circuits have keys, by the names of their circuits.
var manyShapes = []struct {
	name  string
	shape Shape
}{{"claim-16", Claim16}, {"pay-8", Pay8}}

var manySystems sync.Map // of func() circuittest.System, by shape

// manySystem is compiled once for each shape.
func manySystem(shape Shape) circuittest.System {
	build, _ := manySystems.LoadOrStore(shape, sync.OnceValue(func() circuittest.System {
		ccs, err := CompileMany(network, shape)
		if err != nil {
			panic(err)
		}
		return circuittest.System{R1CS: ccs.(*cs.R1CS)}
	}))
	return build.(func() circuittest.System)()
}

// manyScenario is scenario for a transfer of any shape. Replacements of one of several values end in its number, from 0.
type manyScenario struct {
	shape                               Shape
	in, origin                          []fr.Element
	dummy                               []int
	paid                                []fr.Element
	toSelf                              []bool
	withdrawn, escrow                   fr.Element
	oldPeriod, period                   fr.Element
	sent, count, held                   fr.Element
	vSent, vTotal, vHeld, vEscrow, vCnt fr.Element
	heldSel                             int
	digits                              map[int]int
	listed                              func(d *manyDerived) []fr.Element
	replace                             map[string]func(fr.Element) fr.Element
	key                                 func(alphaB jubjub.Point) jubjub.Point
	adjust                              func(c *ManyCircuit, d *manyDerived)
}

type manyDerived struct {
	apk, serialKey fr.Element
	recipients     []fr.Element
	messages       []fr.Element
	witness        *ManyWitness
}

// honestMany is full: every input is a coin, and every payee another one is paid.
func honestMany(shape Shape) *manyScenario {
	s := &manyScenario{
		shape: shape, in: make([]fr.Element, shape.Inputs), origin: make([]fr.Element, shape.Inputs), dummy: make([]int, shape.Inputs),
		paid: make([]fr.Element, shape.Payees), toSelf: make([]bool, shape.Payees),
		withdrawn: num(20), oldPeriod: num(202606), period: num(202606), sent: num(1000), count: num(3), held: num(20_000),
		vSent: num(3000), vTotal: num(100_000), vHeld: num(300_000), vEscrow: num(400), vCnt: num(50), heldSel: 1,
		digits: map[int]int{}, replace: map[string]func(fr.Element) fr.Element{},
	}
	for i := range s.in {
		s.in[i], s.origin[i] = num(500+uint64(i)), num(uint64(i)%3)
	}
	for j := range s.paid {
		s.paid[j] = num(60 + uint64(j))
	}
	return s
}

func manyScenarioOf(shape Shape, change func(*manyScenario)) *manyScenario {
	s := honestMany(shape)
	change(s)
	return s
}

func (s *manyScenario) setDummy(i int) { s.in[i], s.origin[i], s.dummy[i] = num(0), num(0), 1 }

// setNobody makes a payment one of 0 to oneself.
func (s *manyScenario) setNobody(j int) { s.paid[j], s.toSelf[j] = num(0), true }

func (s *manyScenario) derive(name string, x fr.Element) fr.Element {
	if f, ok := s.replace[name]; ok {
		return f(x)
	}
	return x
}

func (s *manyScenario) deriveAt(name string, i int, x fr.Element) fr.Element {
	return s.derive(fmt.Sprintf("%s%d", name, i), x)
}

func (s *manyScenario) build(t testing.TB) (*ManyCircuit, *manyDerived) {
	t.Helper()
	n, m := s.shape.Inputs, s.shape.Payees
	c := NewManyCircuit(network, s.shape)
	w := &ManyWitness{
		Network: network, Seed: random(), EntryR: random(), In: make([]Input, n), Payments: make([]Payment, m),
		Blindings: make([]clause.Blinding, m+1), ShowBlind: make([]fr.Element, n), RecipientPaths: make([]sanction.Path, m),
	}
	w.Public.Sn, w.Public.Show, w.Public.Out = make([]fr.Element, n), make([]clause.Shown, n), make([]clause.Coin, m+1)
	d := &manyDerived{recipients: make([]fr.Element, m), messages: make([]fr.Element, s.shape.LinkedPoints()), witness: w}
	s.owner(t, c, d)
	s.spentCoins(d)
	s.newCoins(d)
	s.takeOver(t, c, d)
	s.sanctions(t, c, d)
	if s.adjust != nil {
		s.adjust(c, d)
	}
	return c, d
}

func (s *manyScenario) owner(t testing.TB, c *ManyCircuit, d *manyDerived) {
	t.Helper()
	w, alpha := d.witness, st.KeyScalar(t)
	shift := jubjub.MulBase(&alpha)
	w.Public.Rk = jubjub.Add(st.KeyPoint(t), shift)
	if s.key != nil {
		w.Public.Rk = s.key(shift)
	}
	w.Owner = clause.Owner{Nk: random(), Alpha: alpha}
	c.Owner = w.Owner.Assign()
	for i, digit := range s.digits {
		c.Owner.Beta[i] = digit
	}
	pk := st.AddWindows(t, w.Public.Rk, &c.Owner.Beta)
	apk, serialKey := hasher().Address(w.Owner.Nk, &pk)
	d.apk, d.serialKey = s.derive("apk", apk), serialKey
	for j := range d.recipients {
		d.recipients[j] = s.deriveAt("recipient", j, random())
		if s.toSelf[j] {
			d.recipients[j] = d.apk
		}
	}
}

func (s *manyScenario) spentCoins(d *manyDerived) {
	h, w := hasher(), d.witness
	w.Cc.Rho, w.Cc.Com = random(), random()
	w.Public.SnCc = s.derive("snCc", h.Serial(d.serialKey, w.Cc.Rho))
	packed := sum(shifted(s.oldPeriod, 160), shifted(s.sent, 96), shifted(s.count, 64), s.held)
	d.messages[linkedCompliance] = s.derive("messageCc", h.Sum(hash.TagCompliance, fr.Element{},
		s.derive("ownerCc", d.apk), w.Cc.Rho, w.Cc.Com, s.derive("packedCc", packed)))
	for i := range s.in {
		w.In[i].Rho = random()
		w.Public.Sn[i] = s.deriveAt("sn", i, h.Serial(d.serialKey, w.In[i].Rho))
		packed := s.deriveAt("packed", i, sum(s.in[i], shifted(s.origin[i], 64)))
		message := h.Sum(hash.TagCoin, packed, s.deriveAt("owner", i, d.apk), w.In[i].Rho)
		if s.dummy[i] == 1 {
			message = d.messages[linkedCompliance]
		}
		d.messages[linkedInputs+i] = s.deriveAt("message", i, message)
	}
}

// halves are the sums of both halves of the inputs, the first of which is the larger one.
func (s *manyScenario) halves() (halves [2]fr.Element) {
	for i := range s.in {
		k := 0
		if i >= len(s.in)-len(s.in)/2 {
			k = 1
		}
		halves[k] = sum(halves[k], s.in[i])
	}
	return halves
}

func (s *manyScenario) account() (sent, count, held fr.Element) {
	same := s.oldPeriod == s.period
	if _, ok := s.replace["same"]; ok {
		same = !same
	}
	halves := s.halves()
	held = less(sum(s.held, halves[0], halves[1]), s.withdrawn)
	for j := range s.paid {
		sent, held = sum(sent, s.paid[j]), less(held, s.paid[j])
		if j == 0 || !s.paid[j].IsZero() {
			count = sum(count, num(1))
		}
	}
	if same {
		sent, count = sum(sent, s.sent), sum(count, s.count)
	}
	return s.derive("sent'", sent), s.derive("count'", count), s.derive("held'", held)
}

// details is the hash of all coins and all payments.
func (s *manyScenario) details(d *manyDerived) fr.Element {
	var elements []fr.Element
	for i := range s.in {
		if i%3 == 0 {
			elements = append(elements, fr.Element{})
		}
		coin := sum(s.deriveAt("detailValue", i, s.in[i]), shifted(s.deriveAt("detailOrigin", i, s.origin[i]), 64))
		at := &elements[len(elements)-1]
		*at = sum(*at, shifted(coin, uint(66*(i%3))))
	}
	for j := range s.paid {
		if j%3 == 0 {
			elements = append(elements, fr.Element{})
		}
		at := &elements[len(elements)-1]
		*at = sum(*at, shifted(s.deriveAt("detailPaid", j, s.paid[j]), uint(64*(j%3))))
	}
	for j := range d.recipients {
		elements = append(elements, s.deriveAt("detailPayee", j, d.recipients[j]))
	}
	numbers := s.derive("detailNumbers", num(uint64(s.shape.Inputs+256*s.shape.Payees)))
	return hasher().Sum(hash.TagDetails, numbers, elements...)
}

func (s *manyScenario) entry(d *manyDerived) fr.Element {
	var paid fr.Element
	for j := range s.paid {
		paid = sum(paid, s.paid[j])
	}
	halves, origins := s.halves(), [2]fr.Element{num(3), num(3)}
	if s.shape.Inputs == 2 {
		origins = [2]fr.Element(s.origin)
	}
	values := sum(s.derive("entryPaid", paid), shifted(s.derive("entryIn1", halves[0]), 64), shifted(s.derive("entryIn2", halves[1]), 128))
	rest := sum(s.derive("entryWithdrawn", s.withdrawn), shifted(s.derive("entryPeriod", s.period), 64),
		shifted(s.derive("entryOrigin1", origins[0]), 96), shifted(s.derive("entryOrigin2", origins[1]), 98),
		shifted(s.derive("entryEscrow", s.escrow), 100))
	return hasher().Sum(hash.TagEntry, rest, s.derive("entryCom", d.witness.Cc.Com), values,
		s.derive("entryCounterparty", s.details(d)), d.witness.EntryR)
}

func (s *manyScenario) newCoins(d *manyDerived) {
	h, w := hasher(), d.witness
	w.Public.D = random()
	outputs := d.messages[1+s.shape.Inputs:]
	rho := func(output int) fr.Element {
		first, second := h.RhosOf(output/2, w.Seed, s.derive("rhoD", w.Public.D))
		return s.deriveAt("rho", output, []fr.Element{first, second}[output%2])
	}
	for j := range s.paid {
		origin, one := fr.Element{}, fr.One()
		if d.recipients[j] == d.apk {
			origin = product(num(2), less(one, s.escrow))
		}
		output := j
		if j > 0 {
			output++
		}
		tag := shifted(product(s.escrow, num(uint64(hash.TagEscrow-hash.TagCoin))), 112)
		packed := sum(s.deriveAt("paidCoin", j, s.paid[j]), shifted(s.deriveAt("paidOrigin", j, origin), 64), tag)
		outputs[output] = h.Sum(hash.TagCoin, packed, s.deriveAt("ownerR", j, d.recipients[j]), rho(output))
	}
	sent, count, held := s.account()
	account := sum(shifted(s.derive("period'", s.period), 160), shifted(sent, 96), shifted(count, 64), held)
	outputs[1] = h.Sum(hash.TagCompliance, fr.Element{}, s.derive("ownerNext", d.apk), rho(1), s.derive("com'", s.entry(d)), account)
	for j := range outputs {
		w.Blindings[j] = clause.Blinding{S: random(), B: random()}
		w.Public.Out[j].Cm = s.deriveAt("cm", j, h.Commit(w.Blindings[j].S, outputs[j]))
	}
}

func (s *manyScenario) takeOver(t testing.TB, c *ManyCircuit, d *manyDerived) {
	t.Helper()
	w, owner := d.witness, c.Owner
	*c = *w.Public.assign(network, s.shape)
	c.Owner, c.Withdrawn, c.Period = owner, s.withdrawn, s.period
	c.VSent, c.VTotal, c.VHeld, c.VEscrow, c.VCount = s.vSent, s.vTotal, s.vHeld, s.vEscrow, s.vCnt
	c.Cc = ComplianceVars{Rho: w.Cc.Rho, Period: s.oldPeriod, Sent: s.sent, Count: s.count, Held: s.held, Com: w.Cc.Com}
	c.Escrow, c.Seed, c.EntryR, c.HeldSel = s.escrow, w.Seed, w.EntryR, s.heldSel
	for i := range c.In {
		c.In[i] = InputVars{
			Value: s.in[i], Origin: s.origin[i], Rho: w.In[i].Rho, Dummy: s.dummy[i], Message: d.messages[linkedInputs+i],
		}
		w.In[i].Value, w.In[i].Origin, w.In[i].Dummy = s.in[i].Uint64(), hash.Origin(s.origin[i].Uint64()), s.dummy[i] == 1
	}
	for j := range c.Payees {
		c.Payees[j].Paid, c.Payees[j].Recipient = s.paid[j], d.recipients[j]
		w.Payments[j] = Payment{d.recipients[j], s.paid[j].Uint64()}
	}
	for j := range c.S {
		c.S[j] = w.Blindings[j].S
	}
	c.Link, c.LinkSecrets = st.LinkTo(t, hasher(), d.messages...)
	w.Escrow, w.Public.Withdrawn, w.Public.Period = s.escrow.IsOne(), s.withdrawn.Uint64(), uint32(s.period.Uint64())
	w.Public.VSent, w.Public.VTotal, w.Public.VHeld = s.vSent.Uint64(), s.vTotal.Uint64(), s.vHeld.Uint64()
	w.Public.VEscrow, w.Public.VCount = s.vEscrow.Uint64(), uint32(s.vCnt.Uint64())
	w.Cc.Period, w.Cc.Sent = uint32(s.oldPeriod.Uint64()), s.sent.Uint64()
	w.Cc.Count, w.Cc.Held = uint32(s.count.Uint64()), s.held.Uint64()
}

func (s *manyScenario) sanctions(t testing.TB, c *ManyCircuit, d *manyDerived) {
	t.Helper()
	w, tree := d.witness, commonTree()
	if s.listed != nil {
		keys := blockedKeys()
		for _, apk := range s.listed(d) {
			keys = append(keys[:len(keys):len(keys)], sanction.KeyOf(&apk))
		}
		tree = treeOf(keys)
	}
	w.Public.Root = tree.Root()
	c.Root = w.Public.Root
	path := func(apk fr.Element) *sanction.Path {
		p, err := tree.Path(&apk)
		if err != nil {
			near := sum(apk, power(sanction.LowBits, 0))
			if p, err = tree.Path(&near); err != nil {
				t.Fatal(err)
			}
		}
		return p
	}
	w.SenderPath = *path(d.apk)
	c.SenderOut = gadgets.NewAbsence(&d.apk, &w.SenderPath)
	for j, apk := range d.recipients {
		w.RecipientPaths[j] = *path(apk)
		c.Payees[j].Out = gadgets.NewAbsence(&apk, &w.RecipientPaths[j])
	}
}

// bound completes the plain witness with points that hide its messages, and binds it.
func (d *manyDerived) bound(t testing.TB) *clause.Link {
	t.Helper()
	w := d.witness
	outputs := d.messages[1+len(w.In):]
	coins, err := clause.Blind(hasher(), &w.Public.D, w.Public.Period, outputs, w.Blindings)
	if err != nil {
		t.Fatal(err)
	}
	w.Public.Out, w.ShowCcBlind = coins, random()
	base := st.Point(t)
	w.Public.ShowCc = clause.Show(&base, &d.messages[linkedCompliance], &w.ShowCcBlind)
	for i := range w.ShowBlind {
		base := st.Point(t)
		w.ShowBlind[i] = random()
		w.Public.Show[i] = clause.Show(&base, &d.messages[linkedInputs+i], &w.ShowBlind[i])
	}
	link, err := w.Bind(st.Core(t))
	if err != nil {
		t.Fatal(err)
	}
	return link
}
