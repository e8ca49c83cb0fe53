package transfer

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Two transfers with the same blinded outputs would let half-quorums of both add up to money. The outputs' randomness is
// bound to D, hence to all serial numbers: with the same seed and another D they differ, and the old ones are refused.
//
//spec:id O-11
func TestAttackSharedOutputs(t *testing.T) {
	c, d := honest().build(t)
	plan := d.witness.plan()
	first, err := Prepare(plan)
	if err != nil {
		t.Fatal(err)
	}
	for {
		plan.D = random()
		second, err := Prepare(plan)
		if err != nil {
			continue
		}
		if first.Out[0].Cm == second.Out[0].Cm || first.Out[0].H == second.Out[0].H || first.Out[0].K == second.Out[0].K {
			t.Fatal("two transfers share a blinded output")
		}
		break
	}
	c.D = plan.D
	assertRefused(t, c, "O-11", "T-20")
}

// A PRF of key + message has colliding pairs: (nk - 1, rho + 1) would give the same serial number, (s - 1, hm + 1) the same
// commitment to another message.
func TestAttackPrfOfASum(t *testing.T) {
	h := hash.New(network)
	a, b := random(), random()
	if h.Serial(a, b) == h.Serial(minusOne(a), plusOne(b)) || h.Commit(a, b) == h.Commit(minusOne(a), plusOne(b)) {
		t.Fatal("the PRF depends on the sum of its inputs")
	}
	c, _ := honest().build(t)
	c.S[0] = minusOne(element(c.S[0]))
	assertRefused(t, c, "T-20", "")
	c, _ = honest().build(t)
	c.Nk, c.Cc.Rho = minusOne(element(c.Nk)), plusOne(element(c.Cc.Rho))
	assertRefused(t, c, "T-04", "")
}

// A coin has one serial number: neither another nullifier key nor another rho opens it.
//
//spec:id O-10
func TestAttackSecondSerialNumber(t *testing.T) {
	h := hash.New(network)
	honestWitness := func() (*Circuit, *derived) { return honest().build(t) }

	c, d := honestWitness() // another rho with the serial number that fits it: the coin's message no longer opens
	rho := random()
	c.In[0].Rho, c.Sn[0] = rho, h.Serial(d.serialKey, rho)
	assertRefused(t, c, "T-25", "")

	c, d = honestWitness()
	c.Cc.Rho, c.SnCc = rho, h.Serial(d.serialKey, rho)
	assertRefused(t, c, "T-23", "")

	c, d = honestWitness() // another nullifier key with all serial numbers that fit: another address
	nk := random()
	key := h.SerialKey(nk, &d.witness.plan().PkAuth)
	c.Nk, c.SnCc = nk, h.Serial(key, d.witness.Cc.Rho)
	for i := range c.Sn {
		c.Sn[i] = h.Serial(key, d.witness.In[i].Rho)
	}
	assertRefused(t, c, "T-02", "T-20")
}

// A serial number belongs to both keys of its owner. An attacker with another owner's nullifier key, for example a delegated
// prover, registers it with its own spend key and spends a dummy under the rho of that owner's next compliance coin: if the
// transfer were valid, the owner's serial number would be reserved for ever and the whole balance lost.
//
//spec:id T-05
func TestAttackSerialNumbersOfAnotherOwner(t *testing.T) {
	h := hash.New(network)
	nk, rho, spend := random(), random(), randomScalar()
	pk := timesBase(&spend)
	apk, key := h.Address(nk, &pk)
	target := h.Serial(key, rho)

	attack := func() (*Circuit, *derived) {
		s := scenarioOf(func(s *scenario) { s.in[1], s.dummy[1] = num(0), 1 })
		s.replace["nk"] = func(fr.Element) fr.Element { return nk }
		s.replace["rhoIn2"] = func(fr.Element) fr.Element { return rho }
		return s.build(t)
	}
	c, d := attack()
	if element(c.Nk) != nk || element(c.In[1].Rho) != rho || d.apk == apk {
		t.Fatal("not the attack")
	}
	system().Accepts(t, c) // the dummy is harmless: what it reserves is a serial number of the attacker's own
	if element(c.Sn[1]) == target || d.serialKey == key {
		t.Fatal("two owners share a serial number")
	}
	c.Sn[1] = target
	assertRefused(t, c, "T-05", "")

	c, _ = attack() // no owner has a serial number of the nullifier key alone
	c.Sn[1] = h.Serial(nk, rho)
	assertRefused(t, c, "T-05", "")
	c, d = attack()
	c.SnCc = h.Serial(nk, d.witness.Cc.Rho)
	assertRefused(t, c, "T-04", "")
}

// The compliance coin has no dummy: a made-up compliance coin cannot stand on a coin's signature, although two coins are at hand.
//
//spec:id T-23
func TestAttackDummyComplianceCoin(t *testing.T) {
	s := scenarioOf(func(s *scenario) { s.held, s.sent, s.count = num(200_000), num(0), num(0) })
	s.adjust = func(c *Circuit, _ *derived) { c.CcOpening, c.ShowCc = c.InOpening[0], c.Show[0] }
	c, _ := s.build(t)
	assertRefused(t, c, "T-23", "")
}

// A dummy skips the link between message and exponent and nothing else: its value stays 0, its serial number and its range
// checks stay.
//
//spec:id T-06 T-25 T-26
func TestAttackThroughTheDummy(t *testing.T) {
	dummy := func(change func(c *Circuit)) *Circuit {
		s := scenarioOf(func(s *scenario) { s.in[1], s.dummy[1] = num(0), 1 })
		s.adjust = func(c *Circuit, _ *derived) { change(c) }
		c, _ := s.build(t)
		return c
	}
	assertRefused(t, dummy(func(c *Circuit) { c.In[1].Value = 5 }), "T-06", "")
	assertRefused(t, dummy(func(c *Circuit) { c.Sn[1] = random() }), "T-05", "")
	assertRefused(t, dummy(func(c *Circuit) { c.InOpening[1].Quotient = power(124, 0) }), "T-25", "")
	assertRefused(t, dummy(func(c *Circuit) { c.Show[1].M = c.Show[0].M }), "T-26", "")
	assertRefused(t, dummy(func(c *Circuit) { c.InOpening[1].Low = sum(element(c.InOpening[1].Low), power(127, 0)) }), "T-26", "")
}

// A coin's signature is no compliance coin's and the other way round: the domain tag is part of every message.
func TestAttackCoinAsComplianceCoin(t *testing.T) {
	h := hash.New(network)
	apk, rho := random(), random()
	coin := h.Coin(5, apk, rho)
	cc := h.Compliance(&hash.Compliance{Apk: apk, Rho: rho, Held: 5})
	if coin == cc || coin == h.CoinUnregulated(5, apk, rho) {
		t.Fatal("two kinds of coin share a message")
	}
}

// A signature on the message of an unregulated coin does not open here.
func TestAttackUnregulatedCoin(t *testing.T) {
	h := hash.New(network)
	for {
		c, d := honest().build(t)
		foreign := h.CoinUnregulated(700, d.apk, d.witness.In[0].Rho)
		o, err := gadgets.NewOpening(&foreign, &d.blinds[3])
		if err != nil {
			continue // no exponent in this draw
		}
		c.InOpening[0] = o
		assertRefused(t, c, "T-25", "")
		return
	}
}

// Values that differ by multiples of the packing's strides share a packed element; the range checks keep them apart.
//
//spec:id T-08
func TestAttackPackingAlias(t *testing.T) {
	packed := func(period, sent, count, held fr.Element) fr.Element {
		return sum(shifted(period, 160), shifted(sent, 96), shifted(count, 64), held)
	}
	if packed(num(1), num(1000), num(3), num(2000)) != packed(num(1), num(1000), num(2), power(64, 2000)) {
		t.Fatal("not an alias")
	}
	for _, v := range violations {
		if v.clause == "T-08" {
			c, _ := scenarioOf(v.change).build(t)
			assertRefused(t, c, v.clause, v.reported)
		}
	}
}
