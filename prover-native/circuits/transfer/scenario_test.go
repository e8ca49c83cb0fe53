package transfer

import (
	"math/big"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	cs "github.com/consensys/gnark/constraint/bls12-381"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

var network = func() hash.NetworkTag {
	tag, err := hash.NetworkTagOf(st.NetworkID)
	if err != nil {
		panic(err)
	}
	return tag
}()

// system is compiled once for the whole test run.
var system = sync.OnceValue(func() circuittest.System {
	ccs, err := Compile(network)
	if err != nil {
		panic(err)
	}
	return circuittest.System{R1CS: ccs.(*cs.R1CS)}
})

// scenario is a transfer in field elements, so that it can hold what the plain types of Witness cannot: negative amounts,
// 2^64, selectors of 2. Its builder derives everything consistently and judges nothing; a derivation that is replaced by
// name is used by everything behind it, so a violated rule violates its own equation only.
type scenario struct {
	in, origin                          [2]fr.Element
	dummy                               [2]int
	paid, withdrawn                     fr.Element
	escrow                              fr.Element
	oldPeriod, period                   fr.Element
	sent, count, held                   fr.Element
	vSent, vTotal, vHeld, vEscrow, vCnt fr.Element
	heldSel                             int
	toSelf                              bool                          // the recipient is the sender
	digits                              map[int]int                   // of the windows of -alpha
	listed                              func(s *derived) []fr.Element // addresses put on the sanction list
	replace                             map[string]func(fr.Element) fr.Element
	key                                 func(alphaB jubjub.Point) jubjub.Point // rk, where it is another one
	adjust                              func(c *Circuit, d *derived)           // last change of the assignment
}

// derived is what the builder computed, for tests that change an assignment afterwards.
type derived struct {
	apk, recipient fr.Element
	serialKey      fr.Element
	alpha          jubjub.Scalar
	pk             jubjub.Point
	messages       [LinkedPoints]fr.Element
	tree           *sanction.Tree
	witness        *Witness // the same transfer in plain types; meaningful for values that fit
}

func num(x uint64) fr.Element { return fr.NewElement(x) }

func negative(x uint64) fr.Element {
	e := fr.NewElement(x)
	e.Neg(&e)
	return e
}

// power is 2^n + add.
func power(n uint, add int64) (e fr.Element) {
	v := new(big.Int).Lsh(big.NewInt(1), n)
	e.SetBigInt(v.Add(v, big.NewInt(add)))
	return e
}

func honest() *scenario {
	return &scenario{
		in: [2]fr.Element{num(700), num(500)}, origin: [2]fr.Element{num(0), num(1)}, paid: num(450), withdrawn: num(20),
		oldPeriod: num(202606), period: num(202606), sent: num(1000), count: num(3), held: num(2000),
		vSent: num(3000), vTotal: num(10000), vHeld: num(300000), vEscrow: num(400), vCnt: num(50), heldSel: 1,
		digits: map[int]int{}, replace: map[string]func(fr.Element) fr.Element{},
	}
}

func scenarioOf(change func(*scenario)) *scenario {
	s := honest()
	change(s)
	return s
}

func (s *scenario) derive(name string, x fr.Element) fr.Element {
	if f, ok := s.replace[name]; ok {
		return f(x)
	}
	return x
}

func sum(x fr.Element, more ...fr.Element) fr.Element {
	for i := range more {
		x.Add(&x, &more[i])
	}
	return x
}

func less(x, y fr.Element) fr.Element { x.Sub(&x, &y); return x }

func product(x, y fr.Element) fr.Element { x.Mul(&x, &y); return x }

func shifted(x fr.Element, n uint) fr.Element { return product(x, power(n, 0)) }

func random() fr.Element {
	var e fr.Element
	e.MustSetRandom()
	return e
}

func hasher() *hash.Hasher { return hash.New(network) }

// build returns the assignment.
func (s *scenario) build(t testing.TB) (*Circuit, *derived) {
	t.Helper()
	h := hash.New(network)
	d := &derived{alpha: st.KeyScalar(t)}
	c := &Circuit{Network: network}
	w := &Witness{Network: network, Seed: random(), EntryR: random()}
	s.owner(t, h, c, w, d)
	d.recipient = s.derive("recipient", random())
	if s.toSelf {
		d.recipient = d.apk
	}
	w.Recipient = d.recipient
	s.spentCoins(h, c, w, d)
	s.newCoins(h, w, d)
	s.commitments(h, w, d)
	s.sanctions(t, c, w, d)
	s.takeOver(t, h, c, w, d)
	d.witness = w
	if s.adjust != nil {
		s.adjust(c, d)
	}
	return c, d
}

// owner derives the spend key as the circuit does, with windows that need not be bits.
func (s *scenario) owner(t testing.TB, h *hash.Hasher, c *Circuit, w *Witness, d *derived) {
	t.Helper()
	shift := jubjub.MulBase(&d.alpha)
	w.Public.Rk = jubjub.Add(st.KeyPoint(t), shift)
	if s.key != nil {
		w.Public.Rk = s.key(shift)
	}
	w.Owner = clause.Owner{Nk: s.derive("nk", random()), Alpha: d.alpha}
	c.Owner = w.Owner.Assign()
	for i, digit := range s.digits {
		c.Owner.Beta[i] = digit
	}
	d.pk = st.AddWindows(t, w.Public.Rk, &c.Owner.Beta)
	apk, serialKey := h.Address(w.Owner.Nk, &d.pk)
	d.apk, d.serialKey = s.derive("apk", apk), s.derive("serialKey", serialKey)
}

// spentCoins derives serial numbers and messages of what is spent. A dummy shows the compliance signature once more.
func (s *scenario) spentCoins(h *hash.Hasher, c *Circuit, w *Witness, d *derived) {
	w.Cc.Rho, w.Cc.Com = random(), random()
	w.Public.SnCc = s.derive("snCc", h.Serial(d.serialKey, w.Cc.Rho))
	packed := sum(shifted(s.oldPeriod, 160), shifted(s.sent, 96), shifted(s.count, 64), s.held)
	d.messages[linkedCompliance] = s.derive("messageCc", h.Sum(hash.TagCompliance, fr.Element{},
		s.derive("ownerCc", d.apk), w.Cc.Rho, w.Cc.Com, s.derive("packedCc", packed)))
	for i, n := range []string{"1", "2"} {
		w.In[i].Rho = s.derive("rhoIn"+n, random())
		w.Public.Sn[i] = s.derive("sn"+n, h.Serial(d.serialKey, w.In[i].Rho))
		packed := s.derive("packed"+n, sum(s.in[i], shifted(s.origin[i], 64)))
		message := h.Sum(hash.TagCoin, packed, s.derive("owner"+n, d.apk), w.In[i].Rho)
		if s.dummy[i] == 1 {
			message = d.messages[linkedCompliance]
		}
		d.messages[linkedInputs+i] = s.derive("message"+n, message)
	}
	c.Cc = ComplianceVars{Rho: w.Cc.Rho, Period: s.oldPeriod, Sent: s.sent, Count: s.count, Held: s.held, Com: w.Cc.Com}
}

// account derives the numbers of the next compliance coin.
func (s *scenario) account() (sent, count, held fr.Element) {
	same := s.oldPeriod == s.period
	if _, ok := s.replace["same"]; ok {
		same = !same
	}
	sent, count = s.paid, num(1)
	if same {
		sent, count = sum(sent, s.sent), sum(count, s.count)
	}
	held = less(less(sum(s.held, s.in[0], s.in[1]), s.paid), s.withdrawn)
	return s.derive("sent'", sent), s.derive("count'", count), s.derive("held'", held)
}

// newCoins derives the outputs' messages. The escrow bit moves the tag of the payment from that of a coin to that of an escrow.
func (s *scenario) newCoins(h *hash.Hasher, w *Witness, d *derived) {
	one, origin := fr.One(), fr.Element{}
	own := d.recipient == d.apk
	if _, ok := s.replace["own"]; ok {
		own = !own
	}
	if own {
		origin = product(num(2), less(one, s.escrow))
	}
	w.Public.D = random()
	rho, rhoCc := h.Rhos(w.Seed, s.derive("rhoD", w.Public.D))
	tag := shifted(product(s.derive("tag", s.escrow), num(uint64(hash.TagEscrow-hash.TagCoin))), 112)
	packed := sum(s.derive("paidCoin", s.paid), shifted(s.derive("origin0", origin), 64), tag)
	d.messages[linkedOutputs] = s.derive("message0",
		h.Sum(hash.TagCoin, packed, s.derive("ownerR", d.recipient), s.derive("rho0", rho)))

	values := sum(s.derive("entryPaid", s.paid), shifted(s.derive("entryIn1", s.in[0]), 64), shifted(s.derive("entryIn2", s.in[1]), 128))
	rest := sum(s.derive("entryWithdrawn", s.withdrawn), shifted(s.derive("entryPeriod", s.period), 64),
		shifted(s.derive("entryOrigin1", s.origin[0]), 96), shifted(s.derive("entryOrigin2", s.origin[1]), 98),
		shifted(s.derive("entryEscrow", s.escrow), 100))
	com := h.Sum(hash.TagEntry, rest, s.derive("entryCom", w.Cc.Com), values, s.derive("entryCounterparty", d.recipient), w.EntryR)
	sent, count, held := s.account()
	account := sum(shifted(s.derive("period'", s.period), 160), shifted(sent, 96), shifted(count, 64), held)
	d.messages[linkedOutputs+1] = s.derive("messageNext", h.Sum(hash.TagCompliance, fr.Element{},
		s.derive("ownerNext", d.apk), s.derive("rho1", rhoCc), s.derive("com'", com), account))
}

func (s *scenario) commitments(h *hash.Hasher, w *Witness, d *derived) {
	for j, n := range []string{"0", "1"} {
		w.Blindings[j] = clause.Blinding{S: random(), B: random()}
		w.Public.Out[j].Cm = s.derive("cm"+n, h.Commit(w.Blindings[j].S, d.messages[linkedOutputs+j]))
	}
}

// takeOver fills the rest of the assignment, and of the plain witness as far as the values fit.
func (s *scenario) takeOver(t testing.TB, h *hash.Hasher, c *Circuit, w *Witness, d *derived) {
	p := w.Public.assign()
	p.Network, p.Owner, p.Cc, p.SenderOut, p.ReceiverOut = network, c.Owner, c.Cc, c.SenderOut, c.ReceiverOut
	*c = *p
	c.Withdrawn, c.Period = s.withdrawn, s.period
	c.VSent, c.VTotal, c.VHeld, c.VEscrow, c.VCount = s.vSent, s.vTotal, s.vHeld, s.vEscrow, s.vCnt
	c.Paid, c.Escrow, c.Recipient, c.Seed, c.EntryR, c.HeldSel = s.paid, s.escrow, d.recipient, w.Seed, w.EntryR, s.heldSel
	for i := range c.In {
		c.In[i] = InputVars{
			Value: s.in[i], Origin: s.origin[i], Rho: w.In[i].Rho, Dummy: s.dummy[i], Message: d.messages[linkedInputs+i],
		}
		c.S[i] = w.Blindings[i].S
		w.In[i].Value, w.In[i].Origin, w.In[i].Dummy = s.in[i].Uint64(), hash.Origin(s.origin[i].Uint64()), s.dummy[i] == 1
	}
	c.Link, c.LinkSecrets = st.LinkTo(t, h, d.messages[:]...)
	w.Public.Withdrawn, w.Public.Period, w.Paid = s.withdrawn.Uint64(), uint32(s.period.Uint64()), s.paid.Uint64()
	w.Escrow = s.escrow.IsOne()
	w.Public.VSent, w.Public.VTotal, w.Public.VHeld = s.vSent.Uint64(), s.vTotal.Uint64(), s.vHeld.Uint64()
	w.Public.VEscrow, w.Public.VCount = s.vEscrow.Uint64(), uint32(s.vCnt.Uint64())
	w.Cc.Period, w.Cc.Sent = uint32(s.oldPeriod.Uint64()), s.sent.Uint64()
	w.Cc.Count, w.Cc.Held = uint32(s.count.Uint64()), s.held.Uint64()
}

// bound completes the plain witness with points that hide its messages, and binds it. Signatures are outside the circuit, so h'
// may be any point of G1.
func (d *derived) bound(t testing.TB) *clause.Link {
	t.Helper()
	w := d.witness
	coins, err := clause.Blind(hash.New(network), &w.Public.D, w.Public.Period, d.messages[linkedOutputs:], w.Blindings[:])
	if err != nil {
		t.Fatal(err)
	}
	copy(w.Public.Out[:], coins)
	w.ShowCcBlind, w.ShowBlind = random(), [2]fr.Element{random(), random()}
	base := st.Point(t)
	w.Public.ShowCc = clause.Show(&base, &d.messages[linkedCompliance], &w.ShowCcBlind)
	for i := range w.ShowBlind {
		base := st.Point(t)
		w.Public.Show[i] = clause.Show(&base, &d.messages[linkedInputs+i], &w.ShowBlind[i])
	}
	link, err := w.Bind(st.Core(t))
	if err != nil {
		t.Fatal(err)
	}
	return link
}
