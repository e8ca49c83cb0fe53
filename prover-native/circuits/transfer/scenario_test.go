package transfer

import (
	"math/big"
	"sync"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	cs "github.com/consensys/gnark/constraint/bw6-761"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/sanction"
)

const networkID = "solidus-test"

var network = func() hash.NetworkTag {
	tag, err := hash.NetworkTagOf(networkID)
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
	in                         [2]fr.Element
	dummy                      [2]int
	paid, withdrawn            fr.Element
	oldPeriod, period          fr.Element
	sent, count, held          fr.Element
	vSent, vTotal, vHeld, vCnt fr.Element
	heldSel                    int
	listed                     func(s *derived) []fr.Element // addresses put on the sanction list
	replace                    map[string]func(fr.Element) fr.Element
	adjust                     func(c *Circuit, d *derived) // last change of the assignment
}

// derived is what the builder computed, for tests that change an assignment afterwards.
type derived struct {
	apk, recipient fr.Element
	serialKey      fr.Element
	alpha          blsfr.Element
	messages       [5]fr.Element // recipient, next compliance, compliance, coin 1, coin 2
	blinds         [5]blsfr.Element
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
		in: [2]fr.Element{num(700), num(500)}, paid: num(450), withdrawn: num(20),
		oldPeriod: num(202606), period: num(202606), sent: num(1000), count: num(3), held: num(2000),
		vSent: num(3000), vTotal: num(10000), vHeld: num(300000), vCnt: num(50), heldSel: 1,
		replace: map[string]func(fr.Element) fr.Element{},
	}
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

func shifted(x fr.Element, n uint) fr.Element {
	f := power(n, 0)
	x.Mul(&x, &f)
	return x
}

func random() fr.Element {
	var e fr.Element
	e.MustSetRandom()
	return e
}

func randomScalar() blsfr.Element {
	var e blsfr.Element
	e.MustSetRandom()
	return e
}

func times(p *bls12377.G1Affine, s *blsfr.Element) (q bls12377.G1Affine) {
	q.ScalarMultiplication(p, s.BigInt(new(big.Int)))
	return q
}

func timesBase(s *blsfr.Element) (q bls12377.G1Affine) {
	q.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	return q
}

// build returns the assignment; it draws again until all five messages have an exponent.
func (s *scenario) build(t testing.TB) (*Circuit, *derived) {
	t.Helper()
	for range 10_000 {
		if c, d, ok := s.try(t); ok {
			if s.adjust != nil {
				s.adjust(c, d)
			}
			return c, d
		}
	}
	t.Fatal("no admissible messages in 10,000 draws")
	return nil, nil
}

func hasExponents(messages []fr.Element) bool {
	for i := range messages {
		if _, _, err := gadgets.SplitMessage(&messages[i]); err != nil {
			return false
		}
	}
	return true
}

func (s *scenario) try(t testing.TB) (*Circuit, *derived, bool) {
	h := hash.New(network)
	d := &derived{alpha: randomScalar()}
	spend := randomScalar()
	nk, pk := s.derive("nk", random()), timesBase(&spend)
	apk, serialKey := h.Address(nk, &pk)
	d.apk, d.serialKey = s.derive("apk", apk), s.derive("serialKey", serialKey)
	d.recipient = s.derive("recipient", random())

	c := &Circuit{Network: network}
	w := &Witness{Network: network, Nk: nk, Alpha: d.alpha, Recipient: d.recipient, Seed: random(), EntryR: random()}
	s.spentCoins(h, c, w, d)
	s.newCoins(h, w, d)
	if !hasExponents(d.messages[:]) {
		return nil, nil, false
	}
	shift := timesBase(&d.alpha)
	w.Public.Rk.Add(&pk, &shift)
	s.points(t, h, c, w, d)
	s.sanctions(t, c, w, d)
	s.takeOver(c, w, d)
	d.witness = w
	return c, d, true
}

// spentCoins derives serial numbers and messages of what is spent.
func (s *scenario) spentCoins(h *hash.Hasher, c *Circuit, w *Witness, d *derived) {
	w.Cc.Rho, w.Cc.Com = random(), random()
	w.Public.SnCc = s.derive("snCc", h.Serial(d.serialKey, w.Cc.Rho))
	packed := sum(shifted(s.oldPeriod, 160), shifted(s.sent, 96), shifted(s.count, 64), s.held)
	d.messages[2] = s.derive("messageCc",
		h.Sum(hash.TagCompliance, s.derive("packedCc", packed), s.derive("ownerCc", d.apk), w.Cc.Rho, w.Cc.Com))
	for i, n := range []string{"1", "2"} {
		w.In[i].Rho = s.derive("rhoIn"+n, random())
		w.Public.Sn[i] = s.derive("sn"+n, h.Serial(d.serialKey, w.In[i].Rho))
		d.messages[3+i] = s.derive("message"+n, h.Sum(hash.TagCoin, s.in[i], s.derive("owner"+n, d.apk), w.In[i].Rho))
	}
	c.Cc = ComplianceVars{Rho: w.Cc.Rho, Period: s.oldPeriod, Sent: s.sent, Count: s.count, Held: s.held, Com: w.Cc.Com}
}

// newCoins derives the outputs' messages.
func (s *scenario) newCoins(h *hash.Hasher, w *Witness, d *derived) {
	same := s.oldPeriod == s.period
	if _, ok := s.replace["same"]; ok {
		same = !same
	}
	sent, count := s.paid, num(1)
	if same {
		sent, count = sum(sent, s.sent), sum(count, s.count)
	}
	sent, count = s.derive("sent'", sent), s.derive("count'", count)
	held := less(less(sum(s.held, s.in[0], s.in[1]), s.paid), s.withdrawn)
	held = s.derive("held'", held)

	w.Public.D = random()
	rho, rhoCc := h.Rhos(w.Seed, s.derive("rhoD", w.Public.D))
	d.messages[0] = s.derive("message0",
		h.Sum(hash.TagCoin, s.derive("paidCoin", s.paid), s.derive("ownerR", d.recipient), s.derive("rho0", rho)))
	entry := sum(s.derive("entryPaid", s.paid), shifted(s.derive("entryIn1", s.in[0]), 64),
		shifted(s.derive("entryIn2", s.in[1]), 128), shifted(s.derive("entryWithdrawn", s.withdrawn), 192),
		shifted(s.derive("entryPeriod", s.period), 256))
	com := h.Sum(hash.TagEntry, fr.Element{}, s.derive("entryCom", w.Cc.Com), entry,
		s.derive("entryCounterparty", d.recipient), w.EntryR)
	packed := sum(shifted(s.derive("period'", s.period), 160), shifted(sent, 96), shifted(count, 64), held)
	d.messages[1] = s.derive("messageNext", h.Sum(hash.TagCompliance, packed,
		s.derive("ownerNext", d.apk), s.derive("rho1", rhoCc), s.derive("com'", com)))
}

// takeOver fills the rest of the assignment, and of the plain witness as far as the values fit.
func (s *scenario) takeOver(c *Circuit, w *Witness, d *derived) {
	p := w.Public.assign()
	p.Network, p.Cc, p.NewOpening, p.CcOpening, p.InOpening = network, c.Cc, c.NewOpening, c.CcOpening, c.InOpening
	p.SenderOut, p.ReceiverOut = c.SenderOut, c.ReceiverOut
	*c = *p
	c.Withdrawn, c.Period = s.withdrawn, s.period
	c.VSent, c.VTotal, c.VHeld, c.VCount = s.vSent, s.vTotal, s.vHeld, s.vCnt
	c.Nk, c.Paid, c.Recipient, c.Seed, c.EntryR, c.HeldSel = w.Nk, s.paid, d.recipient, w.Seed, w.EntryR, s.heldSel
	beta := d.alpha
	beta.Neg(&beta)
	c.Beta = gadgets.RecodeWindows(&beta)
	for i := range c.In {
		c.In[i] = InputVars{Value: s.in[i], Rho: w.In[i].Rho, Dummy: s.dummy[i]}
		c.S[i] = w.S[i]
		w.In[i].Value, w.In[i].Dummy = s.in[i].Uint64(), s.dummy[i] == 1
	}
	w.Public.Withdrawn, w.Public.Period, w.Paid = s.withdrawn.Uint64(), uint32(s.period.Uint64()), s.paid.Uint64()
	w.Public.VSent, w.Public.VTotal, w.Public.VHeld = s.vSent.Uint64(), s.vTotal.Uint64(), s.vHeld.Uint64()
	w.Public.VCount = uint32(s.vCnt.Uint64())
	w.Cc.Period, w.Cc.Sent = uint32(s.oldPeriod.Uint64()), s.sent.Uint64()
	w.Cc.Count, w.Cc.Held = uint32(s.count.Uint64()), s.held.Uint64()
}
