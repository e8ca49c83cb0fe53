package cabi

import (
	"bytes"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const unknownOrigin = uint8(hash.OriginOwn) + 1

func TestCoinMessagesHaveAnOrigin(t *testing.T) {
	owner, rho := field(t), field(t)
	message := func(kind statement.Kind, origin uint8) *request {
		return forNetwork().u8(uint8(kind)).u8(origin).u64(5).raw(owner).raw(rho)
	}
	n, err := statement.NewNetwork(network)
	must(t, err)
	apk, err := suite.DecodeField(owner)
	must(t, err)
	r, err := suite.DecodeField(rho)
	must(t, err)
	seen := map[string]bool{}
	for _, origin := range []hash.Origin{hash.OriginPayment, hash.OriginMint, hash.OriginOwn} {
		want := n.Hasher().Coin(origin, 5, apk, r)
		got := ok(t, "COIN_MESSAGE", message(statement.Regulated, uint8(origin)))
		if !bytes.Equal(got, suite.EncodeField(&want)) || seen[string(got)] {
			t.Errorf("the message of origin %d", origin)
		}
		seen[string(got)] = true
	}
	want := n.Hasher().CoinUnregulated(5, apk, r)
	if got := ok(t, "COIN_MESSAGE", message(statement.Unregulated, 0)); !bytes.Equal(got, suite.EncodeField(&want)) {
		t.Error("the message of a coin of an unregulated network")
	}
	refused(t, fault.MalformedRequest, "COIN_MESSAGE", message(statement.Regulated, unknownOrigin))
	refused(t, fault.MalformedRequest, "COIN_MESSAGE", message(statement.Regulated, 255))
	for origin := uint8(1); origin <= unknownOrigin; origin++ {
		refused(t, fault.MalformedRequest, "COIN_MESSAGE", message(statement.Unregulated, origin))
	}
}

// Every field of a history entry counts, and its enumerations are checked.
func TestHistory(t *testing.T) {
	com, counterparty, r := field(t), field(t), field(t)
	entry := func(amounts [4]uint64, origin1, origin2, escrow uint8, period uint32) *request {
		q := forNetwork().raw(com)
		for _, v := range amounts {
			q.u64(v)
		}
		return q.u8(origin1).u8(origin2).u8(escrow).u32(period).raw(counterparty).raw(r)
	}
	amounts := [4]uint64{1, 2, 3, 4}
	seen := map[string]bool{}
	for _, q := range []*request{
		entry(amounts, 0, 0, 0, 5), entry(amounts, 1, 0, 0, 5), entry(amounts, 2, 0, 0, 5), entry(amounts, 0, 1, 0, 5),
		entry(amounts, 0, 2, 0, 5), entry(amounts, 0, 0, 1, 5), entry(amounts, 0, 0, 0, 6), entry([4]uint64{2, 1, 3, 4}, 0, 0, 0, 5),
		entry([4]uint64{1, 2, 4, 3}, 0, 0, 0, 5), entry([4]uint64{1, 3, 2, 4}, 0, 0, 0, 5),
	} {
		got := string(ok(t, "HISTORY", q))
		if seen[got] {
			t.Error("two entries have one history")
		}
		seen[got] = true
	}
	refused(t, fault.MalformedRequest, "HISTORY", entry(amounts, unknownOrigin, 0, 0, 5))
	refused(t, fault.MalformedRequest, "HISTORY", entry(amounts, 0, unknownOrigin, 0, 5))
	refused(t, fault.MalformedRequest, "HISTORY", entry(amounts, 0, 0, 2, 5))
}

func TestOriginsOfInputs(t *testing.T) {
	h := hostileOnce()
	p := transferPlan(h.regulated)
	ok(t, "PREPARE_TRANSFER", p.prepare())
	p.in[1].Origin = hash.OriginOwn + 1
	refused(t, fault.MalformedRequest, "PREPARE_TRANSFER", p.prepare())
	p.in[1] = p.in[0]
	p.in[1].Value, p.in[1].Dummy = 0, true
	refused(t, fault.WitnessInvalid, "PREPARE_TRANSFER", p.prepare()) // a dummy with an origin

	x := exchangeOf(h.regulated)
	net := func() *request { return new(request).sized([]byte(h.regulated.Network.ID())) }
	ok(t, "PREPARE_UNREGULATED", net().raw(x.body()))
	origin := bytes.Index(x.body(), new(request).u64(exchangeValues[1]).u8(0).b) + 8
	for value, want := range map[uint8]fault.Code{1: fault.WitnessInvalid, 2: fault.WitnessInvalid, 3: fault.MalformedRequest} {
		b := x.body()
		b[origin] = value
		refused(t, want, "PREPARE_UNREGULATED", net().raw(b))
	}
}

// preparedPayment is the first coin in the reply of PREPARE_TRANSFER, and its message.
type preparedPayment struct {
	origin  hash.Origin
	value   uint64
	owner   suite.Field
	rho     suite.Field
	message suite.Field
}

func (p *plan) payment(t testing.TB) *preparedPayment {
	t.Helper()
	r := &reader{in: ok(t, "PREPARE_TRANSFER", p.prepare())}
	x := &preparedPayment{origin: r.origin(), value: r.u64(), owner: r.field(), rho: r.field()}
	r.field()
	r.compliance()
	x.message = r.field()
	must(t, r.err)
	return x
}

// A payment to oneself is the payer's own, any other is a payment. An escrow hides another kind of message.
func TestOriginsOfPayments(t *testing.T) {
	w := hostileOnce().regulated
	h, p := w.Network.Hasher(), transferPlan(w)
	for name, c := range map[string]struct {
		recipient suite.Field
		escrow    bool
		origin    hash.Origin
	}{
		"to another": {p.recipient, false, hash.OriginPayment},
		"to oneself": {p.owner.apk, false, hash.OriginOwn},
		"an escrow":  {p.recipient, true, hash.OriginPayment},
		"own lock":   {p.owner.apk, true, hash.OriginPayment},
	} {
		p.recipient, p.escrow = c.recipient, c.escrow
		got := p.payment(t)
		want := h.Coin(c.origin, p.paid, c.recipient, got.rho)
		if c.escrow {
			want = h.Escrow(p.paid, c.recipient, got.rho)
		}
		if got.origin != c.origin || got.value != p.paid || got.owner != c.recipient || got.message != want {
			t.Errorf("%s: another coin", name)
		}
	}
	b := p.body()
	escrow := bytes.Index(b, new(request).flag(p.escrow).field(p.recipient).b)
	b[escrow] = 2
	refused(t, fault.MalformedRequest, "PREPARE_TRANSFER", new(request).sized([]byte(w.Network.ID())).raw(b))
}

// A mint makes coins of that origin, and of none in an unregulated network.
func TestOriginsOfMints(t *testing.T) {
	w := hostileOnce().regulated
	h, body := w.Network.Hasher(), issue(w, 700, w.Field())
	for kind, want := range map[statement.Kind]hash.Origin{
		statement.Regulated: hash.OriginMint, statement.Unregulated: hash.OriginPayment,
	} {
		q := new(request).sized([]byte(w.Network.ID())).u8(uint8(kind)).raw(body)
		r := &reader{in: ok(t, "PREPARE_MINT", q)}
		origin, value, owner, rho, hm := r.origin(), r.u64(), r.field(), r.field(), r.field()
		must(t, r.err)
		message := h.Coin(want, value, owner, rho)
		if kind == statement.Unregulated {
			message = h.CoinUnregulated(value, owner, rho)
		}
		if origin != want || hm != message {
			t.Errorf("kind %d: origin %d", kind, origin)
		}
	}
}
