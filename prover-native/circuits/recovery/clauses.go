package recovery

import (
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// statement passes derived values from one part of the circuit to the next.
type statement struct {
	api frontend.API
	h   *hash.Circuit
	c   *Circuit

	apk, serialKey          frontend.Variable
	rhoNext                 [2]frontend.Variable
	com                     [2]frontend.Variable
	budget, outflow, issued frontend.Variable
	period, sent, count     frontend.Variable
}

func (s *statement) inRange(x frontend.Variable, bits int) { gadgets.AssertRange(s.api, x, bits) }

// larger is the larger of two values below 2^bits, of which first says the place.
func (s *statement) larger(a, b, first frontend.Variable, bits int) frontend.Variable {
	m := s.api.Select(first, a, b)
	s.inRange(s.api.Sub(m, a), bits)
	s.inRange(s.api.Sub(m, b), bits)
	return m
}

// choose is a where bit is 1 and b where it is 0; the verifier sees to it that a public bit is one.
func (s *statement) choose(bit, a, b frontend.Variable) frontend.Variable {
	return s.api.Add(b, s.api.Mul(bit, s.api.Sub(a, b)))
}

//spec:id X-01 X-02
func (s *statement) rho(j int) {
	var returned frontend.Variable
	returned, s.rhoNext[j] = s.h.Rhos(s.c.Core[j].Seed, s.c.CoreD[j])
	s.api.AssertIsEqual(s.c.Next[j], s.h.Serial(s.serialKey, s.rhoNext[j]))
	s.api.AssertIsEqual(s.c.Returned[j], s.api.Mul(s.c.Kind[j], s.h.Serial(s.serialKey, returned)))
}

//spec:id X-03
func (s *statement) ranges(j int) {
	x := &s.c.Core[j]
	s.inRange(x.Period, 32)
	s.inRange(x.Sent, 64)
	s.inRange(x.Count, 32)
	s.inRange(x.Held, 64)
	for _, v := range x.Values {
		s.inRange(v, 64)
	}
	s.inRange(x.Withdrawn, 64)
	s.inRange(x.Origin1, 2)
	s.inRange(x.Origin2, 2)
	s.api.AssertIsBoolean(x.Escrow)
}

//spec:id X-04
func (s *statement) opening(j int) {
	x := &s.c.Core[j]
	s.com[j] = s.h.EitherEntry(s.c.Kind[j], &hash.EntryVars{
		Com: x.Com, Paid: x.Values[0], In1: x.Values[1], In2: x.Values[2], Withdraw: x.Withdrawn, Origin1: x.Origin1, Origin2: x.Origin2,
		Escrow: x.Escrow, Period: x.Period, Counterparty: x.Counterparty, R: x.R,
	})
	hm := s.h.Compliance(&hash.ComplianceVars{
		Apk: s.apk, Rho: s.rhoNext[j], Period: x.Period, Sent: x.Sent, Count: x.Count, Held: x.Held, Com: s.com[j],
	})
	s.api.AssertIsEqual(s.c.CoreCm[j], s.h.Commit(x.S, hm))
}

//spec:id X-05 X-06 X-07 X-08
func (s *statement) amounts() {
	c, x := s.c, &s.c.Core
	var left [2]frontend.Variable // what leaves the account for good
	for j := range x {
		left[j] = s.choose(c.Kind[j], x[j].Values[1], s.api.Add(x[j].Values[0], x[j].Withdrawn))
	}
	claimed := s.api.Add(x[0].Values[1], x[0].Values[2])
	before := s.api.Sub(s.api.Add(x[0].Held, x[0].Values[0], x[0].Withdrawn), claimed)
	kept := s.choose(c.Kind[0], x[0].Held, before)

	credit := func(j int) frontend.Variable {
		return s.api.Add(s.api.Mul(c.Credit[j][0], x[j].Values[1]), s.api.Mul(c.Credit[j][1], x[j].Values[2]))
	}
	own := s.choose(c.Kind[0], x[0].Values[2], s.api.Add(before, credit(0)))
	s.budget = s.api.Add(own, credit(1))
	s.inRange(s.budget, 64)

	largest := s.larger(left[0], left[1], c.LargerOutflow, 65)
	s.outflow = s.choose(c.Covered, left[0], s.choose(c.Chain, s.api.Add(left[0], left[1]), largest))
	s.inRange(s.outflow, 64)

	s.issued = s.api.Select(c.Issues, s.api.Sub(s.budget, s.outflow), 0)

	s.inRange(c.Held, 64)
	s.inRange(s.api.Sub(s.issued, c.Held), 64)
	s.inRange(s.api.Sub(kept, c.Held), 64)
}

//spec:id X-09
func (s *statement) periods() {
	c, x := s.c, &s.c.Core
	s.period = s.larger(x[0].Period, x[1].Period, c.LargerPeriod, 32)
	var sent, count [2]frontend.Variable
	for j := range x {
		same := gadgets.IsZero(s.api, s.api.Sub(s.period, x[j].Period))
		sent[j], count[j] = s.api.Mul(same, x[j].Sent), s.api.Mul(same, x[j].Count)
	}
	s.sent = s.larger(sent[0], sent[1], c.LargerSent, 64)
	s.count = s.api.Add(s.larger(count[0], count[1], c.LargerCount, 32), 1)
	s.inRange(s.count, 32)
}

//spec:id X-10
func (s *statement) outputs() {
	c := s.c
	returned := s.api.Sub(s.issued, c.Held)
	rho, rhoNext := s.h.Rhos(c.Seed, c.D)
	com := s.h.EitherEntry(1, &hash.EntryVars{
		Com: s.com[0], Paid: returned, In1: s.outflow, In2: s.budget, Withdraw: 0, Origin1: 0, Origin2: 0, Escrow: 0, Period: s.period,
		Counterparty: s.com[1], R: c.R,
	})
	messages := []frontend.Variable{
		s.h.Coin(int(hash.OriginOwn), returned, s.apk, rho),
		s.h.Compliance(&hash.ComplianceVars{
			Apk: s.apk, Rho: rhoNext, Period: s.period, Sent: s.sent, Count: s.count, Held: c.Held, Com: com,
		}),
	}
	for j, message := range messages {
		s.api.AssertIsEqual(c.Cm[j], s.h.Commit(c.S[j], message)) // C-02
	}
	c.Link.Assert(s.api, s.h, &c.LinkSecrets, messages...) // C-03
}
