package transfer

import (
	"math/big"

	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// statement passes derived values from one part of the circuit to the next.
type statement struct {
	api frontend.API
	h   *hash.Circuit
	*view

	apk, serialKey             frontend.Variable
	sentNew, countNew, heldNew frontend.Variable
	halves                     [2]frontend.Variable // the sums of the values of both halves of the inputs
	messages                   []frontend.Variable  // of the linked points
}

func newStatement(api frontend.API, v *view) *statement {
	return &statement{
		api: api, h: hash.NewCircuit(api, v.network), view: v, messages: make([]frontend.Variable, v.shape.LinkedPoints()),
	}
}

// parts are the clauses in the order of the equations.
var parts = []struct {
	name   string
	define func(*statement)
}{
	{"owner", (*statement).ownership},
	{"serial numbers", (*statement).serials},
	{"ranges of what is spent", (*statement).spent},
	{"limits", (*statement).limits},
	{"balance", (*statement).balance},
	{"outputs", (*statement).outputs},
	{"spent compliance coin", (*statement).spentCompliance},
	{"spent coins", (*statement).spentCoins},
	{"link", (*statement).linked},
	{"sanctions", (*statement).sanctions},
	{"public inputs", (*statement).separate},
}

func (s *statement) inRange(x frontend.Variable, bits int) { gadgets.AssertRange(s.api, x, bits) }

// atMost asserts x <= bound for values whose difference does not wrap.
func (s *statement) atMost(x, bound frontend.Variable, bits int) {
	gadgets.AssertRange(s.api, s.api.Sub(bound, x), bits)
}

// sum is the sum of one or more variables.
func (s *statement) sum(x ...frontend.Variable) frontend.Variable {
	total := x[0]
	for _, y := range x[1:] {
		total = s.api.Add(total, y)
	}
	return total
}

//spec:id T-01 T-02 T-03
func (s *statement) ownership() {
	s.apk, s.serialKey = s.owner.Address(s.api, s.h, s.rk) // T-01, T-02
	for _, payee := range s.payees {
		gadgets.AssertNotZero(s.api, payee.Recipient) // T-03
	}
}

//spec:id T-04 T-05
func (s *statement) serials() {
	s.api.AssertIsEqual(s.snCc, s.h.Serial(s.serialKey, s.cc.Rho)) // T-04
	for i := range s.in {
		s.api.AssertIsEqual(s.sn[i], s.h.Serial(s.serialKey, s.in[i].Rho)) // T-05
	}
}

//spec:id T-06 T-07 T-08
func (s *statement) spent() {
	for i := range s.in {
		in := &s.in[i]
		s.api.AssertIsBoolean(in.Dummy) // T-06
		content := s.api.Add(in.Value, s.api.Mul(in.Origin, new(big.Int).Lsh(big.NewInt(1), hash.CoinOriginShift)))
		s.api.AssertIsEqual(s.api.Mul(in.Dummy, content), 0) // T-06
		s.inRange(in.Value, 64)                              // T-07
		s.inRange(in.Origin, 2)                              // T-07
	}
	s.inRange(s.cc.Period, 32) // T-08
	s.inRange(s.cc.Sent, 64)
	s.inRange(s.cc.Count, 32)
	s.inRange(s.cc.Held, 64)
	s.halvesInRange()
}

// halvesInRange adds up both halves of the inputs.
//
//spec:id T-32
func (s *statement) halvesInRange() {
	half := s.shape.half()
	for k := range s.halves {
		var values []frontend.Variable
		for i := k * half; i < min(len(s.in), (k+1)*half); i++ {
			values = append(values, s.in[i].Value)
		}
		if s.halves[k] = s.sum(values...); len(values) > 1 {
			s.inRange(s.halves[k], 64)
		}
	}
}

//spec:id T-09 T-10 T-11 T-12
func (s *statement) limits() {
	for _, payee := range s.payees {
		s.inRange(payee.Paid, 64) // T-09
	}
	limit := s.limitOfOne()
	for _, payee := range s.payees {
		s.atMost(payee.Paid, limit, 64) // T-09
	}
	s.inRange(s.withdrawn, 64) // T-10
	s.inRange(s.period, 32)    // T-11
	s.atMost(s.cc.Period, s.period, 32)
	same := gadgets.IsZero(s.api, s.api.Sub(s.period, s.cc.Period))

	s.sentNew = s.api.Add(s.api.Mul(same, s.cc.Sent), s.sum(s.paid()...)) // T-12
	s.inRange(s.sentNew, 64)
	s.atMost(s.sentNew, s.vTotal, 64)
	s.counted(same)
}

// limitOfOne is what one payment may be. A transfer with several payees makes no escrow.
//
//spec:id T-33
func (s *statement) limitOfOne() frontend.Variable {
	if len(s.payees) > 1 {
		s.api.AssertIsEqual(s.escrow, 0)
		return s.vSent
	}
	s.api.AssertIsBoolean(s.escrow) // T-09
	return s.api.Select(s.escrow, s.vEscrow, s.vSent)
}

// counted counts the transfer, and each further payment that is not 0.
//
//spec:id T-13
func (s *statement) counted(same frontend.Variable) {
	s.countNew = s.api.Add(s.api.Mul(same, s.cc.Count), 1)
	for _, payee := range s.payees[1:] {
		s.countNew = s.api.Add(s.countNew, s.api.Sub(1, gadgets.IsZero(s.api, payee.Paid)))
	}
	s.inRange(s.countNew, 32)
	s.atMost(s.countNew, s.vCount, 32)
}

//spec:id T-14 T-15
func (s *statement) balance() {
	received := s.sum(s.halves[:]...)
	s.heldNew = s.api.Sub(s.api.Add(s.cc.Held, received), s.sum(s.paid()...), s.withdrawn) // T-14
	s.inRange(s.heldNew, 64)

	s.api.AssertIsBoolean(s.heldSel) // T-15
	s.atMost(s.heldNew, s.api.Select(s.heldSel, s.vHeld, s.cc.Held), 64)
}

//spec:id T-17 T-31 T-19 T-20
func (s *statement) outputs() {
	rhos := s.h.OutputRhos(s.shape.Outputs(), s.seed, s.d) // O-11
	messages := s.messages[s.shape.linkedOutputs():]
	for j, payee := range s.payees {
		own := gadgets.IsZero(s.api, s.api.Sub(payee.Recipient, s.apk))
		origin := s.api.Mul(int(hash.OriginOwn), s.api.Mul(own, s.api.Sub(1, s.escrow))) // T-31
		at := s.shape.output(j)
		messages[at] = s.h.Payment(s.escrow, origin, payee.Paid, payee.Recipient, rhos[at]) // T-17
	}
	messages[outputNext] = s.h.Compliance(&hash.ComplianceVars{ // T-19
		Apk: s.apk, Rho: rhos[outputNext], Period: s.period, Sent: s.sentNew, Count: s.countNew, Held: s.heldNew, Com: s.h.Entry(s.entry()),
	})
	for j, message := range messages {
		s.api.AssertIsEqual(s.cm[j], s.h.Commit(s.s[j], message)) // T-20
	}
}

// entry is the entry of the history (O-12). That of a transfer of many has the sums, and the details in the place of the payee.
//
//spec:id T-34
func (s *statement) entry() *hash.EntryVars {
	e := &hash.EntryVars{
		Com: s.cc.Com, Paid: s.sum(s.paid()...), In1: s.halves[0], In2: s.halves[1], Withdraw: s.withdrawn,
		Origin1: int(hash.OriginSeveral), Origin2: int(hash.OriginSeveral), Escrow: s.escrow, Period: s.period, R: s.entryR,
	}
	if len(s.in) == Single.Inputs {
		e.Origin1, e.Origin2 = s.in[0].Origin, s.in[1].Origin
	}
	if s.shape == Single {
		e.Counterparty = s.payees[0].Recipient
		return e
	}
	d := &hash.DetailsVars{Paid: s.paid()}
	for i := range s.in {
		d.Values, d.Origins = append(d.Values, s.in[i].Value), append(d.Origins, s.in[i].Origin)
	}
	for _, payee := range s.payees {
		d.Payees = append(d.Payees, payee.Recipient)
	}
	e.Counterparty = s.h.Details(d)
	return e
}

//spec:id T-23
func (s *statement) spentCompliance() {
	cc := s.cc
	s.messages[linkedCompliance] = s.h.Compliance(&hash.ComplianceVars{
		Apk: s.apk, Rho: cc.Rho, Period: cc.Period, Sent: cc.Sent, Count: cc.Count, Held: cc.Held, Com: cc.Com,
	})
}

//spec:id T-25
func (s *statement) spentCoins() {
	for i := range s.in {
		in := &s.in[i]
		message := s.h.Coin(in.Origin, in.Value, s.apk, in.Rho)
		s.api.AssertIsEqual(s.api.Mul(s.api.Sub(1, in.Dummy), s.api.Sub(message, in.Message)), 0)
		s.messages[linkedInputs+i] = in.Message
	}
}

//spec:id T-29
func (s *statement) linked() {
	s.link.Assert(s.api, s.h, s.secrets, s.messages...)
}

//spec:id T-27 T-28
func (s *statement) sanctions() {
	s.senderOut.Assert(s.api, s.h, s.apk, s.root) // T-27
	for _, payee := range s.payees {
		payee.Out.Assert(s.api, s.h, payee.Recipient, s.root) // T-28
	}
}

//spec:id T-30
func (s *statement) separate() { gadgets.AssertSeparate(s.api, s.public()...) }
