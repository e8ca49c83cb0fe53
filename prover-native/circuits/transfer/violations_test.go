package transfer

import (
	"errors"
	"fmt"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// violation is a false statement built consistently: one derivation or one value is wrong, and everything behind it follows.
// reported is what the reference finds first; it differs from clause where the clause defines a wire that later equations use.
type violation struct {
	clause, name, reported string
	change                 func(*scenario)
}

func another(fr.Element) fr.Element    { return random() }
func zero(fr.Element) fr.Element       { return fr.Element{} }
func plusOne(x fr.Element) fr.Element  { return sum(x, num(1)) }
func minusOne(x fr.Element) fr.Element { return less(x, num(1)) }

// constantly is a replacement by a number.
func constantly(x uint64) func(fr.Element) fr.Element {
	return func(fr.Element) fr.Element { return num(x) }
}

func replacing(name string, f func(fr.Element) fr.Element) func(*scenario) {
	return func(s *scenario) { s.replace[name] = f }
}

// tagGap is what the tag of an escrow adds to the start state of a coin.
func tagGap() fr.Element { return shifted(num(uint64(hash.TagEscrow-hash.TagCoin)), 112) }

var violations = []violation{
	{"T-01", "rk = alpha B, no spend key", "", func(s *scenario) {
		s.key = func(alphaB jubjub.Point) jubjub.Point { return alphaB }
	}},
	{"T-01", "first window digit 2", "", func(s *scenario) { s.digits[0] = 2 }},
	{"T-01", "last window sign -1", "", func(s *scenario) { s.digits[251] = -1 }},
	{"T-02", "address of other keys", "T-20", replacing("apk", another)},
	{"T-03", "recipient 0", "", replacing("recipient", zero)},
	{"T-04", "another serial number of the compliance coin", "", replacing("snCc", another)},
	{"T-05", "another serial number of coin 1", "", replacing("sn1", another)},
	{"T-05", "another serial number of coin 2", "", replacing("sn2", another)},

	{"T-06", "dummy 1 with a value", "", func(s *scenario) { s.dummy[0] = 1 }},
	{"T-06", "dummy 2 with a value", "", func(s *scenario) { s.dummy[1], s.origin[1] = 1, num(0) }},
	{"T-06", "dummy 1 with an origin", "", func(s *scenario) { s.in[0], s.origin[0], s.dummy[0] = num(0), num(2), 1 }},
	{"T-06", "dummy 2 with an origin", "", func(s *scenario) { s.in[1], s.origin[1], s.dummy[1] = num(0), num(1), 1 }},
	{"T-06", "dummy with an origin that its value makes up for", "", func(s *scenario) {
		s.in[0], s.origin[0], s.dummy[0] = shifted(negative(1), 64), num(1), 1
	}},
	{"T-06", "dummy selector 2", "", func(s *scenario) { s.in[0], s.dummy[0] = num(0), 2 }},
	{"T-06", "dummy selector -1", "", func(s *scenario) { s.in[1], s.origin[1], s.dummy[1] = num(0), num(0), -1 }},
	{"T-07", "coin of 2^64", "", func(s *scenario) { s.in[0], s.withdrawn = power(64, 0), power(64, -1) }},
	{"T-07", "coin 1 of -1", "", func(s *scenario) { s.in[0] = negative(1) }},
	{"T-07", "coin 2 of -1", "", func(s *scenario) { s.in[1] = negative(1) }},
	{"T-07", "coins of 5 and -5", "", func(s *scenario) { s.in = [2]fr.Element{num(5), negative(5)} }},
	{"T-07", "origin 1 is 4", "", func(s *scenario) { s.origin[0] = num(4) }},
	{"T-07", "origin 2 is -1", "", func(s *scenario) { s.origin[1] = negative(1) }},
	// the next ones have the packed value of a coin with other numbers, of an escrow, or of another entry
	{"T-07", "packing alias: value + 2^64, origin - 1", "", func(s *scenario) {
		s.in[1], s.origin[1], s.withdrawn = power(64, 500), num(0), power(64, -1)
	}},
	{"T-07", "packing alias: value - 2^64, origin + 1", "", func(s *scenario) {
		s.in[0], s.origin[0] = less(num(700), power(64, 0)), num(1)
	}},
	{"T-07", "packing alias: origin 4 for the value of an entry", "", func(s *scenario) { s.origin = [2]fr.Element{num(4), num(0)} }},
	{"T-07", "packing alias: origin 2 is 5 for the escrow bit", "", func(s *scenario) { s.origin[1] = num(5) }},
	{"T-07", "packing alias: an escrow claimed as a coin", "", func(s *scenario) { s.in[0] = sum(num(700), tagGap()) }},

	{"T-08", "old period 2^32", "", func(s *scenario) { s.oldPeriod, s.period = power(32, 0), power(32, 0) }},
	{"T-08", "old period -1", "", func(s *scenario) { s.oldPeriod, s.period = negative(1), num(0) }},
	{"T-08", "sent 2^64", "", func(s *scenario) { s.sent, s.period = power(64, 0), num(202607) }},
	{"T-08", "sent -1", "", func(s *scenario) { s.sent = negative(1) }},
	{"T-08", "count 2^32", "", func(s *scenario) { s.count, s.period = power(32, 0), num(202607) }},
	{"T-08", "count -1", "", func(s *scenario) { s.count = negative(1) }},
	{"T-08", "held 2^64", "", func(s *scenario) { s.held, s.withdrawn = power(64, 0), power(64, -1) }},
	{"T-08", "held -1", "", func(s *scenario) { s.held = negative(1) }},
	// the next three have the packed value of a coin with other numbers
	{"T-08", "packing alias: count - 1, held + 2^64", "", func(s *scenario) {
		s.count, s.held, s.withdrawn = num(2), power(64, 2000), power(64, -1)
	}},
	{"T-08", "packing alias: sent - 1, count + 2^32", "", func(s *scenario) {
		s.sent, s.count, s.period = num(999), power(32, 3), num(202607)
	}},
	{"T-08", "packing alias: period - 1, sent + 2^64", "", func(s *scenario) { s.oldPeriod, s.sent = num(202605), power(64, 1000) }},

	{"T-09", "paid 2^64", "", func(s *scenario) {
		s.paid, s.sent, s.held = power(64, 0), num(0), power(64, -1)
		s.vSent, s.vTotal = power(64, 0), power(64, 0)
	}},
	{"T-09", "paid -5", "", func(s *scenario) { s.paid = negative(5) }},
	{"T-09", "paid above VSent", "", func(s *scenario) { s.vSent, s.vEscrow = num(449), num(450) }},
	{"T-09", "escrow above VEscrow", "", func(s *scenario) { s.escrow, s.vEscrow = num(1), num(449) }},
	{"T-09", "escrow selector 2", "", func(s *scenario) { s.escrow, s.vEscrow = num(2), num(2000) }},
	{"T-09", "escrow selector -1", "", func(s *scenario) { s.escrow = negative(1) }},
	{"T-09", "packing alias: a coin of a value that makes it an escrow", "", func(s *scenario) { s.paid = sum(num(450), tagGap()) }},
	{"T-10", "withdrawn -5 mints money", "", func(s *scenario) { s.withdrawn = negative(5) }},
	{"T-10", "withdrawn 2^64", "", func(s *scenario) { s.withdrawn, s.held = power(64, 0), power(64, -1) }},
	{"T-10", "packing alias: withdrawn + 2^64, period - 1", "", func(s *scenario) {
		s.withdrawn, s.oldPeriod, s.period, s.held = power(64, 20), num(202605), num(202605), power(64, -1)
	}},

	{"T-11", "period runs backwards", "", func(s *scenario) { s.period = num(202605) }},
	{"T-11", "period 2^32", "", func(s *scenario) { s.oldPeriod, s.period = power(32, -1), power(32, 0) }},
	{"T-11", "packing alias: period + 2^32, origin 1 - 1", "", func(s *scenario) { s.period = power(32, 202606) }},
	{"T-11", "reset without a new period", "T-20", replacing("same", nil)},
	{"T-11", "no reset in a new period", "T-20", func(s *scenario) {
		s.period = num(202607)
		s.replace["same"] = nil
	}},
	{"T-12", "sent' above VTotal", "", func(s *scenario) { s.vTotal = num(1449) }},
	{"T-12", "escrows count as sent", "", func(s *scenario) {
		s.setEscrow()
		s.vTotal = num(1449)
	}},
	{"T-12", "sent' 2^64 under a limit out of range", "", func(s *scenario) { s.sent, s.vTotal = power(64, -1), power(64, 1000) }},
	{"T-12", "sent' too low in the new coin", "T-20", replacing("sent'", minusOne)},
	{"T-13", "count' above VCount", "", func(s *scenario) { s.vCnt = num(3) }},
	{"T-13", "count' 2^32 under a limit out of range", "", func(s *scenario) { s.count, s.vCnt = power(32, -1), power(32, 0) }},
	{"T-13", "transfer not counted", "T-20", replacing("count'", minusOne)},

	{"T-14", "held' one unit too high", "T-20", replacing("held'", plusOne)},
	{"T-14", "spending more than held", "", func(s *scenario) { s.paid, s.vSent = num(9000), num(9000) }},
	{"T-14", "escrow of more than held", "", func(s *scenario) { s.escrow, s.paid, s.vEscrow = num(1), num(9000), num(9000) }},
	{"T-14", "withdrawing more than held", "", func(s *scenario) { s.withdrawn = num(2751) }},
	{"T-14", "held' -1", "", func(s *scenario) { s.paid, s.vSent, s.withdrawn = num(3000), num(9000), num(201) }},
	{"T-14", "held' 2^64", "", func(s *scenario) {
		s.held, s.in, s.paid, s.withdrawn = power(64, -1), [2]fr.Element{num(1), num(0)}, num(0), num(0)
		s.vHeld = power(64, 0)
	}},
	{"T-15", "held' above VHeld", "", func(s *scenario) { s.vHeld = num(2729) }},
	{"T-15", "held' grows under selector 0", "", func(s *scenario) { s.heldSel = 0 }},
	{"T-15", "selector 2", "", func(s *scenario) { s.vHeld, s.heldSel = num(2500), 2 }},
	{"T-15", "selector -1", "", func(s *scenario) { s.vHeld, s.heldSel = num(0), -1 }},

	{"O-11", "recipient's rho chosen", "T-20", replacing("rho0", another)},
	{"O-11", "next rho chosen", "T-20", replacing("rho1", another)},
	{"O-11", "rho bound to another D", "T-20", replacing("rhoD", another)},
	{"T-17", "recipient's coin of a higher value", "T-20", replacing("paidCoin", plusOne)},
	{"T-17", "recipient's coin for another address", "T-20", replacing("ownerR", another)},
	{"T-17", "a coin where an escrow is declared", "T-20", func(s *scenario) {
		s.setEscrow()
		s.replace["tag"] = zero
	}},
	{"T-17", "an escrow where a coin is declared", "T-20", replacing("tag", constantly(1))},
	{"T-17", "a coin of another tag", "T-20", replacing("tag", constantly(3))},
	{"T-31", "payment to oneself as income", "T-20", func(s *scenario) {
		s.toSelf = true
		s.replace["origin0"] = zero
	}},
	{"T-31", "payment to another as the recipient's own", "T-20", replacing("origin0", constantly(uint64(hash.OriginOwn)))},
	{"T-31", "payment to another as one's own", "T-20", replacing("own", nil)},
	{"T-31", "payment as issued money", "T-20", replacing("origin0", constantly(uint64(hash.OriginMint)))},
	{"T-31", "payment to oneself as issued money", "T-20", func(s *scenario) {
		s.toSelf = true
		s.replace["origin0"] = constantly(uint64(hash.OriginMint))
	}},
	{"T-31", "escrow with an origin", "T-20", func(s *scenario) {
		s.setEscrow()
		s.replace["origin0"] = constantly(uint64(hash.OriginOwn))
	}},
	{"T-31", "escrow to oneself with an origin", "T-20", func(s *scenario) {
		s.setEscrow()
		s.toSelf = true
		s.replace["origin0"] = constantly(uint64(hash.OriginOwn))
	}},
	{"O-12", "payment left out of the history", "T-20", replacing("entryPaid", zero)},
	{"O-12", "claim 1 left out of the history", "T-20", replacing("entryIn1", zero)},
	{"O-12", "claim 2 left out of the history", "T-20", replacing("entryIn2", zero)},
	{"O-12", "withdrawal left out of the history", "T-20", replacing("entryWithdrawn", zero)},
	{"O-12", "entry of another period", "T-20", replacing("entryPeriod", minusOne)},
	{"O-12", "history restarted", "T-20", replacing("entryCom", zero)},
	{"O-12", "entry with another counterparty", "T-20", replacing("entryCounterparty", another)},
	{"O-12", "issued money as income in the history", "T-20", replacing("entryOrigin2", zero)},
	{"O-12", "a coin of one's own as income in the history", "T-20", func(s *scenario) {
		s.origin[0] = num(2)
		s.replace["entryOrigin1"] = zero
	}},
	{"O-12", "income as issued money in the history", "T-20", replacing("entryOrigin1", constantly(1))},
	{"O-12", "escrow as a payment in the history", "T-20", func(s *scenario) {
		s.setEscrow()
		s.replace["entryEscrow"] = zero
	}},
	{"O-12", "payment as an escrow in the history", "T-20", replacing("entryEscrow", constantly(1))},
	{"T-19", "next compliance coin for another address", "T-20", replacing("ownerNext", another)},
	{"T-19", "next compliance coin of another period", "T-20", replacing("period'", minusOne)},
	{"T-19", "entry left out", "T-20", replacing("com'", zero)},
	{"T-20", "commitment to nothing (recipient)", "", replacing("cm0", another)},
	{"T-20", "commitment to nothing (compliance)", "", replacing("cm1", another)},

	{"T-23", "shown signature on another message", "T-29", replacing("messageCc", another)},
	{"T-23", "somebody else's compliance coin", "T-29", replacing("ownerCc", another)},
	{"T-23", "signature on the coin with one unit less", "T-29", replacing("packedCc", minusOne)},
	{"T-25", "shown signature 1 on another message", "", replacing("message1", another)},
	{"T-25", "shown signature 2 on another message", "", replacing("message2", another)},
	{"T-25", "somebody else's coin 1", "", replacing("owner1", another)},
	{"T-25", "somebody else's coin 2", "", replacing("owner2", another)},
	{"T-25", "income shown as issued money", "", replacing("packed1", func(x fr.Element) fr.Element { return sum(x, power(64, 0)) })},
	{"T-25", "issued money shown as income", "", replacing("packed2", func(x fr.Element) fr.Element { return less(x, power(64, 0)) })},
	{"T-25", "an escrow shown as a coin", "", replacing("packed1", func(x fr.Element) fr.Element { return sum(x, tagGap()) })},
	{"T-27", "sender listed", "", func(s *scenario) { s.listed = func(d *derived) []fr.Element { return []fr.Element{d.apk} } }},
	{"T-28", "recipient listed", "", func(s *scenario) {
		s.listed = func(d *derived) []fr.Element { return []fr.Element{d.recipient} }
	}},
	{"T-28", "lock of an escrow listed", "", func(s *scenario) {
		s.setEscrow()
		s.listed = func(d *derived) []fr.Element { return []fr.Element{d.recipient} }
	}},
	{"T-29", "another a", "", func(s *scenario) { s.adjust = func(c *Circuit, _ *derived) { c.Link.A = random() } }},
	{"T-29", "another challenge", "", func(s *scenario) { s.adjust = func(c *Circuit, _ *derived) { c.Link.C = random() } }},
	{"T-29", "first response", "", func(s *scenario) { s.adjust = func(c *Circuit, _ *derived) { c.Link.Responses[0] = random() } }},
	{"T-29", "last response", "", func(s *scenario) { s.adjust = func(c *Circuit, _ *derived) { c.Link.Responses[4] = random() } }},
}

//spec:id T-01 T-02 T-03 T-04 T-05 T-06 T-07 T-08 T-09 T-10 T-11 T-12 T-13 T-14 T-15 T-17 T-31 T-19 T-20 T-23 T-25 T-27 T-28 T-29
func TestViolatedStatements(t *testing.T) {
	for _, v := range violations {
		t.Run(v.clause+" "+v.name, func(t *testing.T) {
			c, _ := scenarioOf(v.change).build(t)
			assertRefused(t, c, v.clause, v.reported)
		})
	}
}

// assertRefused checks that the circuit refuses and that the reference names the equation.
func assertRefused(t *testing.T, c *Circuit, clause, reported string) {
	t.Helper()
	system().Refuses(t, c)
	if reported == "" {
		reported = clause
	}
	var v *Violation
	if err := Check(c); !errors.As(err, &v) {
		t.Fatalf("reference: %v, want a violation of %s", err, reported)
	}
	if v.Clause != reported {
		t.Errorf("reference reports %s, want %s", v.Clause, reported)
	}
}

// Every equation has at least one violated statement and one mutated witness.
func TestEveryClauseIsViolated(t *testing.T) {
	violated, mutated := map[string]bool{}, map[string]bool{}
	for _, v := range violations {
		violated[v.clause] = true
	}
	for _, m := range mutations {
		mutated[m.clause] = true
	}
	clauses := []string{"O-11", "O-12"} // two objects that the circuit derives and that assert nothing themselves
	for n := 1; n <= 31; n++ {
		switch n {
		case 16, 18, 21, 22, 24, 26: // rules of an earlier version
		case 30: // about the columns of the circuit, not about statements
		default:
			clauses = append(clauses, fmt.Sprintf("T-%02d", n))
		}
	}
	for _, clause := range clauses {
		if !violated[clause] {
			t.Errorf("no violated statement for %s", clause)
		}
		if !mutated[clause] {
			t.Errorf("no mutated witness for %s", clause)
		}
	}
}
