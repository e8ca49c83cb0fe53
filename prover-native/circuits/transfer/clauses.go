package transfer

import (
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// statement carries derived values from one part of the circuit to the next.
type statement struct {
	api frontend.API
	h   *hash.Circuit
	c   *Circuit

	apk, serialKey             frontend.Variable
	sentNew, countNew, heldNew frontend.Variable
	messageOut                 [2]frontend.Variable
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
	{"output exponents", (*statement).outputPoints},
	{"shown compliance signature", (*statement).showCompliance},
	{"shown coin signatures", (*statement).showInputs},
	{"sanctions", (*statement).sanctions},
}

func (s *statement) inRange(x frontend.Variable, bits int) { gadgets.AssertRange(s.api, x, bits) }

// atMost asserts x <= bound for values whose difference does not wrap.
func (s *statement) atMost(x, bound frontend.Variable, bits int) {
	gadgets.AssertRange(s.api, s.api.Sub(bound, x), bits)
}

//spec:id T-01 T-02 T-03
func (s *statement) owner() {
	pk := gadgets.AddFixedBase(s.api, s.c.Rk, &s.c.Beta) // T-01
	s.apk, s.serialKey = s.h.Address(s.c.Nk, pk.X, pk.Y) // T-02
	gadgets.AssertNotZero(s.api, s.apk)                  // T-02
	gadgets.AssertNotZero(s.api, s.c.Recipient)          // T-03
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
		s.api.AssertIsBoolean(in.Dummy)                       // T-06
		s.api.AssertIsEqual(s.api.Mul(in.Dummy, in.Value), 0) // T-06
		s.inRange(in.Value, 64)                               // T-07
	}
	s.inRange(s.c.Cc.Period, 32) // T-08
	s.inRange(s.c.Cc.Sent, 64)
	s.inRange(s.c.Cc.Count, 32)
	s.inRange(s.c.Cc.Held, 64)
}

//spec:id T-09 T-10 T-11 T-12 T-13
func (s *statement) limits() {
	s.inRange(s.c.Paid, 64)           // T-09
	s.atMost(s.c.Paid, s.c.VSent, 64) // T-09
	s.inRange(s.c.Withdrawn, 64)      // T-10
	s.inRange(s.c.Period, 32)         // T-11
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

//spec:id T-17 T-19 T-20
func (s *statement) outputs() {
	c := s.c
	rho, rhoCc := s.h.Rhos(c.Seed, c.D)                  // O-11
	s.messageOut[0] = s.h.Coin(c.Paid, c.Recipient, rho) // T-17
	com := s.h.Entry(&hash.EntryVars{                    // O-12
		Com: c.Cc.Com, Paid: c.Paid, In1: c.In[0].Value, In2: c.In[1].Value,
		Withdraw: c.Withdrawn, Period: c.Period, Counterparty: c.Recipient, R: c.EntryR,
	})
	s.messageOut[1] = s.h.Compliance(&hash.ComplianceVars{ // T-19
		Apk: s.apk, Rho: rhoCc, Period: c.Period, Sent: s.sentNew, Count: s.countNew, Held: s.heldNew, Com: com,
	})
	for j := range c.Out {
		s.api.AssertIsEqual(c.Out[j].Cm, s.h.Commit(c.S[j], s.messageOut[j])) // T-20
	}
}

//spec:id T-21 T-22
func (s *statement) outputPoints() {
	for j := range s.c.Out {
		s.c.NewOpening[j].AssertLink(s.api, s.messageOut[j])             // T-21
		s.c.NewOpening[j].AssertPoint(s.api, s.c.Out[j].H, s.c.Out[j].K) // T-22
	}
}

//spec:id T-23 T-24
func (s *statement) showCompliance() {
	cc := &s.c.Cc
	message := s.h.Compliance(&hash.ComplianceVars{ // T-23
		Apk: s.apk, Rho: cc.Rho, Period: cc.Period, Sent: cc.Sent, Count: cc.Count, Held: cc.Held, Com: cc.Com,
	})
	s.c.CcOpening.AssertLink(s.api, message)
	s.c.CcOpening.AssertPoint(s.api, s.c.ShowCc.H, s.c.ShowCc.M) // T-24
}

//spec:id T-25 T-26
func (s *statement) showInputs() {
	for i := range s.c.In {
		in := &s.c.In[i]
		message := s.h.Coin(in.Value, s.apk, in.Rho)
		s.c.InOpening[i].AssertLinkUnless(s.api, in.Dummy, message)       // T-25
		s.c.InOpening[i].AssertPoint(s.api, s.c.Show[i].H, s.c.Show[i].M) // T-26
	}
}

//spec:id T-27 T-28
func (s *statement) sanctions() {
	s.c.SenderOut.Assert(s.api, s.h, s.apk, s.c.Root)           // T-27
	s.c.ReceiverOut.Assert(s.api, s.h, s.c.Recipient, s.c.Root) // T-28
}
