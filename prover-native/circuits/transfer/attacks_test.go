package transfer

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
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
	plan.D = random()
	second, err := Prepare(plan)
	if err != nil {
		t.Fatal(err)
	}
	if first.Out[0].Cm == second.Out[0].Cm || first.Out[0].H == second.Out[0].H || first.Out[0].K == second.Out[0].K {
		t.Fatal("two transfers share a blinded output")
	}
	c.D = plan.D
	assertRefused(t, c, "O-11", "T-20")
}

// Two transfers that share D and the recipient's commitment, but not the compliance coin or not the period, share no base: no
// partial signature on one is of use for the other.
//
//spec:id E-15
func TestAttackSharedBases(t *testing.T) {
	_, d := honest().build(t)
	first, err := Prepare(d.witness.plan())
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Plan){
		"another compliance coin": func(p *Plan) { p.EntryR = random() },
		"another period":          func(p *Plan) { p.Period++ },
	} {
		plan := d.witness.plan()
		change(plan)
		second, err := Prepare(plan)
		if err != nil {
			t.Fatal(err)
		}
		if first.Out[0].Cm != second.Out[0].Cm {
			t.Fatal("not the attack")
		}
		for j := range first.Out {
			if first.Out[j].H == second.Out[j].H || first.Out[j].K == second.Out[j].K {
				t.Errorf("%s: output %d has the same base", name, j)
			}
		}
	}
}

// A PRF of key + message has colliding pairs: (nk - 1, rho + 1) would give the same serial number, (s - 1, hm + 1) the same
// commitment to another message.
func TestAttackPrfOfASum(t *testing.T) {
	h := hasher()
	a, b := random(), random()
	if h.Serial(a, b) == h.Serial(minusOne(a), plusOne(b)) || h.Commit(a, b) == h.Commit(minusOne(a), plusOne(b)) {
		t.Fatal("the PRF depends on the sum of its inputs")
	}
	c, _ := honest().build(t)
	c.S[0] = minusOne(element(c.S[0]))
	assertRefused(t, c, "T-20", "")
	c, _ = honest().build(t)
	c.Owner.Nk, c.Cc.Rho = minusOne(element(c.Owner.Nk)), plusOne(element(c.Cc.Rho))
	assertRefused(t, c, "T-04", "")
}

// A coin has one serial number: neither another nullifier key nor another rho opens it.
//
//spec:id O-10
func TestAttackSecondSerialNumber(t *testing.T) {
	h := hasher()
	c, d := honest().build(t) // another rho with the serial number that fits it: the coin's message is another one
	rho := random()
	c.In[0].Rho, c.Sn[0] = rho, h.Serial(d.serialKey, rho)
	assertRefused(t, c, "T-25", "")

	c, d = honest().build(t)
	c.Cc.Rho, c.SnCc = rho, h.Serial(d.serialKey, rho)
	assertRefused(t, c, "T-23", "T-29")

	c, d = honest().build(t) // another nullifier key with all serial numbers that fit: another address
	nk := random()
	key := h.SerialKey(nk, &d.witness.plan().PkAuth)
	c.Owner.Nk, c.SnCc = nk, h.Serial(key, d.witness.Cc.Rho)
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
	h := hasher()
	nk, rho, pk := random(), random(), st.KeyPoint(t)
	apk, key := h.Address(nk, &pk)
	target := h.Serial(key, rho)

	attack := func() (*Circuit, *derived) {
		s := scenarioOf(func(s *scenario) { s.setDummy(1) })
		s.replace["nk"] = func(fr.Element) fr.Element { return nk }
		s.replace["rhoIn2"] = func(fr.Element) fr.Element { return rho }
		return s.build(t)
	}
	c, d := attack()
	if element(c.Owner.Nk) != nk || element(c.In[1].Rho) != rho || d.apk == apk {
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

// The cofactor of Jubjub is 8. An rk with a component of order 8 would give one spend key eight addresses, hence eight serial
// numbers to each coin. The circuit takes such a key; the validator does not, and so does not the reference.
//
//spec:id T-01
func TestAttackKeyOfSmallOrder(t *testing.T) {
	order2 := jubjub.Point{}
	order2.Y.SetInt64(-1)
	pk := st.KeyPoint(t)
	c, d := scenarioOf(func(s *scenario) {
		s.key = func(alphaB jubjub.Point) jubjub.Point { return jubjub.Add(jubjub.Add(pk, order2), alphaB) }
	}).build(t)
	if hasher().Apk(d.witness.Owner.Nk, &pk) == d.apk {
		t.Fatal("not another address")
	}
	system().Accepts(t, c)
	if err := Check(c); err == nil {
		t.Error("the reference accepts a key outside the subgroup")
	}
}

// The compliance coin has no dummy: a made-up compliance coin cannot stand on a coin's signature, although two coins are at hand.
//
//spec:id T-23
func TestAttackDummyComplianceCoin(t *testing.T) {
	s := scenarioOf(func(s *scenario) { s.held, s.sent, s.count = num(200_000), num(0), num(0) })
	s.adjust = func(c *Circuit, d *derived) {
		messages := d.messages
		messages[linkedCompliance] = messages[linkedInputs]
		c.Link, c.LinkSecrets = st.LinkTo(t, hasher(), messages[:]...)
	}
	c, _ := s.build(t)
	assertRefused(t, c, "T-23", "T-29")
}

// A dummy skips the tie between its coin and the message that is shown, and nothing else: value and origin stay 0, its serial
// number and its range checks stay, and the message that it shows is linked. Which one it is is free.
//
//spec:id T-06 T-25
func TestAttackThroughTheDummy(t *testing.T) {
	dummy := func(change func(s *scenario), adjust func(c *Circuit)) *Circuit {
		s := scenarioOf(func(s *scenario) { s.setDummy(1); change(s) })
		s.adjust = func(c *Circuit, _ *derived) { adjust(c) }
		c, _ := s.build(t)
		return c
	}
	asBuilt := func(*scenario) {}
	free := dummy(replacing("message2", another), func(*Circuit) {})
	system().Accepts(t, free)
	if err := Check(free); err != nil {
		t.Errorf("the reference refuses a dummy's free message: %v", err)
	}
	assertRefused(t, dummy(asBuilt, func(c *Circuit) { c.In[1].Value = 5 }), "T-06", "")
	assertRefused(t, dummy(asBuilt, func(c *Circuit) { c.In[1].Origin = 1 }), "T-06", "")
	assertRefused(t, dummy(asBuilt, func(c *Circuit) { c.Sn[1] = random() }), "T-05", "")
	assertRefused(t, dummy(asBuilt, func(c *Circuit) { c.In[1].Message = random() }), "T-29", "")
	// value and origin that cancel in the packed integer
	for value, origin := range map[fr.Element]fr.Element{shifted(negative(2), 64): num(2), power(64, 0): negative(1)} {
		c := dummy(func(s *scenario) { s.in[1], s.origin[1] = value, origin }, func(*Circuit) {})
		assertRefused(t, c, "T-06", "")
	}
}

// A coin's signature is no compliance coin's and the other way round: the domain tag is part of every message.
func TestAttackCoinAsComplianceCoin(t *testing.T) {
	h := hasher()
	apk, rho := random(), random()
	coin := h.Coin(hash.OriginPayment, 5, apk, rho)
	cc := h.Compliance(&hash.Compliance{Apk: apk, Rho: rho, Held: 5})
	if coin == cc || coin == h.CoinUnregulated(5, apk, rho) || coin == h.Escrow(5, apk, rho) {
		t.Fatal("two kinds of coin share a message")
	}
}

// The circuit takes neither the message of an unregulated coin nor that of an escrow for the message of a coin. An escrow is
// claimed by its own statement, which opens the lock.
//
//spec:id T-25
func TestAttackCoinOfAnotherKind(t *testing.T) {
	h := hasher()
	for name, message := range map[string]func(d *derived) fr.Element{
		"unregulated": func(d *derived) fr.Element { return h.CoinUnregulated(700, d.apk, d.witness.In[0].Rho) },
		"escrow":      func(d *derived) fr.Element { return h.Escrow(700, d.apk, d.witness.In[0].Rho) },
	} {
		t.Run(name, func(t *testing.T) {
			s := honest()
			s.adjust = func(c *Circuit, d *derived) {
				messages := d.messages
				messages[linkedInputs] = message(d)
				c.In[0].Message = messages[linkedInputs]
				c.Link, c.LinkSecrets = st.LinkTo(t, h, messages[:]...)
			}
			c, _ := s.build(t)
			assertRefused(t, c, "T-25", "")
		})
	}
}

// Values that differ by multiples of the packing's strides share a packed element; the range checks keep them apart.
//
//spec:id T-07 T-08 T-09
func TestAttackPackingAlias(t *testing.T) {
	compliance := func(period, sent, count, held fr.Element) fr.Element {
		return sum(shifted(period, 160), shifted(sent, 96), shifted(count, 64), held)
	}
	values := func(paid, in1, in2 fr.Element) fr.Element { return sum(paid, shifted(in1, 64), shifted(in2, 128)) }
	entry := func(withdrawn, period, origin1, origin2, escrow fr.Element) fr.Element {
		return sum(withdrawn, shifted(period, 64), shifted(origin1, 96), shifted(origin2, 98), shifted(escrow, 100))
	}
	payment := func(value, origin, escrow fr.Element) fr.Element {
		return sum(value, shifted(origin, 64), product(escrow, tagGap()))
	}
	h, one, owner, rho := hasher(), num(1), random(), random()
	for name, equal := range map[string]bool{
		"count for held":       compliance(one, num(1000), num(3), num(2000)) == compliance(one, num(1000), num(2), power(64, 2000)),
		"in1 for paid":         values(num(450), num(700), one) == values(power(64, 450), num(699), one),
		"in2 for in1":          values(num(450), num(700), one) == values(num(450), power(64, 700), num(0)),
		"period for withdrawn": entry(num(20), num(6), one, one, one) == entry(power(64, 20), num(5), one, one, one),
		"origin for period":    entry(num(20), num(6), one, one, one) == entry(num(20), power(32, 6), num(0), one, one),
		"origin for origin":    entry(num(20), num(6), one, one, one) == entry(num(20), num(6), num(5), num(0), one),
		"escrow for origin":    entry(num(20), num(6), one, one, one) == entry(num(20), num(6), one, num(5), num(0)),
		"origin for value":     payment(num(450), num(2), num(0)) == payment(power(64, 450), one, num(0)),
		"escrow for value":     payment(num(450), num(0), one) == payment(sum(num(450), tagGap()), num(0), num(0)),
		"escrow for a coin's value": h.Escrow(450, owner, rho) ==
			h.Sum(hash.TagCoin, sum(num(450), tagGap()), owner, rho),
	} {
		if !equal {
			t.Errorf("%s: not an alias", name)
		}
	}
	for _, v := range violations {
		switch v.clause {
		case "T-07", "T-08", "T-09", "T-10", "T-11":
			c, _ := scenarioOf(v.change).build(t)
			assertRefused(t, c, v.clause, v.reported)
		}
	}
}
