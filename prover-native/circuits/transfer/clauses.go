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
	c   *Circuit

	apk, serialKey             frontend.Variable
	sentNew, countNew, heldNew frontend.Variable
	messages                   [LinkedPoints]frontend.Variable
}

// parts are the clauses in the order of the equations.
var parts = []struct {
	name   string
	define func(*statement)
}{
	{"owner", (*statement).owner},
	{"serial numbers", (*statement).serials},
	{"ranges of what is spent", (*statement).spent},
	{"limits", (*statement).limits},
	{"balance", (*statement).balance},
	{"outputs", (*statement).outputs},
	{"spent compliance coin", (*statement).spentCompliance},
	{"spent coins", (*statement).spentCoins},
	{"link", (*statement).link},
	{"sanctions", (*statement).sanctions},
	{"public inputs", (*statement).separate},
}

func (s *statement) inRange(x frontend.Variable, bits int) { gadgets.AssertRange(s.api, x, bits) }

// atMost asserts x <= bound for values whose difference does not wrap.
func (s *statement) atMost(x, bound frontend.Variable, bits int) {
	gadgets.AssertRange(s.api, s.api.Sub(bound, x), bits)
}

//spec:id T-01 T-02 T-03
func (s *statement) owner() {
	s.apk, s.serialKey = s.c.Owner.Address(s.api, s.h, s.c.Rk) // T-01, T-02
	gadgets.AssertNotZero(s.api, s.c.Recipient)                // T-03
}

//spec:id T-04 T-05
func (s *statement) serials() {
	s.api.AssertIsEqual(s.c.SnCc, s.h.Serial(s.serialKey, s.c.Cc.Rho)) // T-04
	for i := range s.c.In {
		s.api.AssertIsEqual(s.c.Sn[i], s.h.Serial(s.serialKey, s.c.In[i].Rho)) // T-05
	}
}

//spec:id T-06 T-07 T-08
func (s *statement) spent() {
	for i := range s.c.In {
		in := &s.c.In[i]
		s.api.AssertIsBoolean(in.Dummy) // T-06
		content := s.api.Add(in.Value, s.api.Mul(in.Origin, new(big.Int).Lsh(big.NewInt(1), hash.CoinOriginShift)))
		s.api.AssertIsEqual(s.api.Mul(in.Dummy, content), 0) // T-06
		s.inRange(in.Value, 64)                              // T-07
		s.inRange(in.Origin, 2)                              // T-07
	}
	s.inRange(s.c.Cc.Period, 32) // T-08
	s.inRange(s.c.Cc.Sent, 64)
	s.inRange(s.c.Cc.Count, 32)
	s.inRange(s.c.Cc.Held, 64)
}

//spec:id T-09 T-10 T-11 T-12 T-13
func (s *statement) limits() {
	s.inRange(s.c.Paid, 64)           // T-09
	s.api.AssertIsBoolean(s.c.Escrow) // T-09
	limit := s.api.Select(s.c.Escrow, s.c.VEscrow, s.c.VSent)
	s.atMost(s.c.Paid, limit, 64) // T-09
	s.inRange(s.c.Withdrawn, 64)  // T-10
	s.inRange(s.c.Period, 32)     // T-11
	s.atMost(s.c.Cc.Period, s.c.Period, 32)
	same := gadgets.IsZero(s.api, s.api.Sub(s.c.Period, s.c.Cc.Period))

	s.sentNew = s.api.Add(s.api.Mul(same, s.c.Cc.Sent), s.c.Paid) // T-12
	s.inRange(s.sentNew, 64)
	s.atMost(s.sentNew, s.c.VTotal, 64)

	s.countNew = s.api.Add(s.api.Mul(same, s.c.Cc.Count), 1) // T-13
	s.inRange(s.countNew, 32)
	s.atMost(s.countNew, s.c.VCount, 32)
}

//spec:id T-14 T-15
func (s *statement) balance() {
	received := s.api.Add(s.c.In[0].Value, s.c.In[1].Value)
	s.heldNew = s.api.Sub(s.api.Add(s.c.Cc.Held, received), s.c.Paid, s.c.Withdrawn) // T-14
	s.inRange(s.heldNew, 64)

	s.api.AssertIsBoolean(s.c.HeldSel) // T-15
	s.atMost(s.heldNew, s.api.Select(s.c.HeldSel, s.c.VHeld, s.c.Cc.Held), 64)
}

//spec:id T-17 T-31 T-19 T-20
func (s *statement) outputs() {
	c := s.c
	rho, rhoCc := s.h.Rhos(c.Seed, c.D) // O-11
	own := gadgets.IsZero(s.api, s.api.Sub(c.Recipient, s.apk))
	origin := s.api.Mul(int(hash.OriginOwn), s.api.Mul(own, s.api.Sub(1, c.Escrow))) // T-31
	payment := s.h.Payment(c.Escrow, origin, c.Paid, c.Recipient, rho)               // T-17
	com := s.h.Entry(&hash.EntryVars{                                                // O-12
		Com: c.Cc.Com, Paid: c.Paid, In1: c.In[0].Value, In2: c.In[1].Value, Withdraw: c.Withdrawn,
		Origin1: c.In[0].Origin, Origin2: c.In[1].Origin, Escrow: c.Escrow, Period: c.Period, Counterparty: c.Recipient, R: c.EntryR,
	})
	next := s.h.Compliance(&hash.ComplianceVars{ // T-19
		Apk: s.apk, Rho: rhoCc, Period: c.Period, Sent: s.sentNew, Count: s.countNew, Held: s.heldNew, Com: com,
	})
	for j, message := range []frontend.Variable{payment, next} {
		s.messages[linkedOutputs+j] = message
		s.api.AssertIsEqual(c.Cm[j], s.h.Commit(c.S[j], message)) // T-20
	}
}

//spec:id T-23
func (s *statement) spentCompliance() {
	cc := &s.c.Cc
	s.messages[linkedCompliance] = s.h.Compliance(&hash.ComplianceVars{
		Apk: s.apk, Rho: cc.Rho, Period: cc.Period, Sent: cc.Sent, Count: cc.Count, Held: cc.Held, Com: cc.Com,
	})
}

//spec:id T-25
func (s *statement) spentCoins() {
	for i := range s.c.In {
		in := &s.c.In[i]
		message := s.h.Coin(in.Origin, in.Value, s.apk, in.Rho)
		s.api.AssertIsEqual(s.api.Mul(s.api.Sub(1, in.Dummy), s.api.Sub(message, in.Message)), 0)
		s.messages[linkedInputs+i] = in.Message
	}
}

//spec:id T-29
func (s *statement) link() {
	s.c.Link.Assert(s.api, s.h, &s.c.LinkSecrets, s.messages[:]...)
}

//spec:id T-27 T-28
func (s *statement) sanctions() {
	s.c.SenderOut.Assert(s.api, s.h, s.apk, s.c.Root)           // T-27
	s.c.ReceiverOut.Assert(s.api, s.h, s.c.Recipient, s.c.Root) // T-28
}

//spec:id T-30
func (s *statement) separate() { gadgets.AssertSeparate(s.api, s.c.public()...) }
