package transfer

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
)

// manyHonest are true statements about each shape.
var manyHonest = []struct {
	name   string
	change func(*manyScenario)
}{
	{"full", func(*manyScenario) {}},
	{"one coin and one payee", func(s *manyScenario) {
		for i := range s.in[1:] {
			s.setDummy(i + 1)
		}
		for j := range s.paid[1:] {
			s.setNobody(j + 1)
		}
		s.count, s.vCnt = num(49), num(50)
	}},
	{"nothing claimed, nothing paid", func(s *manyScenario) {
		for i := range s.in {
			s.setDummy(i)
		}
		for j := range s.paid {
			s.setNobody(j)
		}
		s.withdrawn = num(0)
	}},
	{"dummies between coins, nobody between payees", func(s *manyScenario) {
		s.setDummy(0)
		s.setNobody(0)
		s.setNobody(len(s.paid) - 1)
	}},
	{"a payment of 0 to another, one to oneself", func(s *manyScenario) { s.paid[0] = num(0); s.toSelf[len(s.paid)-1] = true }},
	{"new period", func(s *manyScenario) { s.period, s.sent, s.count = num(202607), num(99_999), num(50) }},
	{"exactly at every limit", func(s *manyScenario) {
		sent, count, held := s.account()
		s.vSent, s.vTotal, s.vHeld, s.vCnt = s.paid[len(s.paid)-1], sent, held, count
	}},
	{"2^64-1 in each half, all of it withdrawn", func(s *manyScenario) {
		for i := range s.in {
			s.in[i] = num(0)
		}
		s.in[0], s.in[len(s.in)-1], s.withdrawn, s.held, s.heldSel = power(64, -1), num(1), power(64, -1), num(20_000), 1
	}},
}

//spec:id T-32 T-33 T-34 O-16
func TestHonestTransfersOfMany(t *testing.T) {
	for _, x := range append(manyShapes[:len(manyShapes):len(manyShapes)], struct {
		name  string
		shape Shape
	}{"small", small}) {
		for _, tc := range manyHonest {
			t.Run(x.name+" "+tc.name, func(t *testing.T) {
				c, d := manyScenarioOf(x.shape, tc.change).build(t)
				manySystem(x.shape).Accepts(t, c)
				if err := CheckMany(c); err != nil {
					t.Errorf("reference refuses: %v", err)
				}
				assigned, err := d.witness.Assign(d.bound(t))
				if err != nil {
					t.Fatal(err)
				}
				manySystem(x.shape).Accepts(t, assigned)
				o, err := PrepareMany(d.witness.plan())
				if err != nil {
					t.Fatal(err)
				}
				if o.Apk != d.apk || !slices.Equal(o.Messages, d.messages[1+x.shape.Inputs:]) || !slices.Equal(o.Out, d.witness.Public.Out) {
					t.Error("other outputs than the circuit's")
				}
			})
		}
	}
}

// A transfer of many with one payee may be an escrow, as one of two coins may.
func TestEscrowOfAClaim(t *testing.T) {
	c, d := manyScenarioOf(Claim16, func(s *manyScenario) { s.escrow, s.vSent = num(1), num(0) }).build(t)
	manySystem(Claim16).Accepts(t, c)
	assigned, err := d.witness.Assign(d.bound(t))
	if err != nil {
		t.Fatal(err)
	}
	manySystem(Claim16).Accepts(t, assigned)
}

type manyViolation struct {
	clause, name, reported string
	change                 func(*manyScenario)
}

// some are the ends of n places, and the two places around the middle.
func some(n int) []int {
	places := []int{0, n/2 - 1, n / 2, n - 1}
	slices.Sort(places)
	return slices.DeleteFunc(slices.Compact(places), func(i int) bool { return i < 0 })
}

// manyViolations are false statements about a shape, each built consistently.
func manyViolations(shape Shape) (all []manyViolation) {
	add := func(clause, name, reported string, change func(*manyScenario)) {
		all = append(all, manyViolation{clause, name, reported, change})
	}
	replace := func(clause, name, what string, f func(fr.Element) fr.Element, reported string) {
		add(clause, name, reported, func(s *manyScenario) { s.replace[what] = f })
	}
	at := func(what string, i int) string { return fmt.Sprintf("%s%d", what, i) }

	add("T-01", "rk = alpha B, no spend key", "", func(s *manyScenario) {
		s.key = func(alphaB jubjub.Point) jubjub.Point { return alphaB }
	})
	add("T-01", "a window digit of 2", "", func(s *manyScenario) { s.digits[0] = 2 })
	replace("T-02", "address of other keys", "apk", another, "T-20")
	replace("T-04", "another serial number of the compliance coin", "snCc", another, "")
	for _, i := range some(shape.Inputs) {
		replace("T-05", at("another serial number of coin ", i), at("sn", i), another, "")
		add("T-06", at("a dummy with the value of coin ", i), "", func(s *manyScenario) { s.origin[i], s.dummy[i] = num(0), 1 })
		add("T-06", at("a dummy with an origin in the place of coin ", i), "", func(s *manyScenario) {
			s.in[i], s.origin[i], s.dummy[i] = num(0), num(2), 1
		})
		add("T-06", at("a dummy selector of 2 for coin ", i), "", func(s *manyScenario) { s.in[i], s.origin[i], s.dummy[i] = num(0), num(0), 2 })
		add("T-07", at("-1 as the value of coin ", i), "", func(s *manyScenario) { s.in[i] = negative(1) })
		add("T-07", at("4 as the origin of coin ", i), "", func(s *manyScenario) { s.origin[i] = num(4) })
		replace("T-25", at("a signature on another message for coin ", i), at("message", i), another, "")
		replace("T-25", at("somebody else's coin ", i), at("owner", i), another, "")
		replace("T-25", at("a signature on one unit less than coin ", i), at("packed", i), minusOne, "")
		replace("O-16", at("another value in the details of coin ", i), at("detailValue", i), plusOne, "T-20")
		replace("O-16", at("another origin in the details of coin ", i), at("detailOrigin", i), plusOne, "T-20")
	}
	for _, j := range some(shape.Payees) {
		replace("T-03", at("no owner of payment ", j), at("recipient", j), zero, "")
		add("T-09", at("-5 as payment ", j), "", func(s *manyScenario) { s.paid[j] = negative(5) })
		add("T-09", at("more than VSent as payment ", j), "", func(s *manyScenario) { s.paid[j] = num(3001) })
		replace("T-17", at("one unit more in the coin of payment ", j), at("paidCoin", j), plusOne, "T-20")
		replace("T-17", at("another owner of the coin of payment ", j), at("ownerR", j), another, "T-20")
		replace("T-31", at("another's coin as one's own, payment ", j), at("paidOrigin", j), constantly(2), "T-20")
		add("T-31", at("one's own coin as income, payment ", j), "T-20", func(s *manyScenario) {
			s.toSelf[j], s.replace[at("paidOrigin", j)] = true, zero
		})
		replace("O-16", at("another amount in the details of payment ", j), at("detailPaid", j), minusOne, "T-20")
		replace("O-16", at("another payee in the details of payment ", j), at("detailPayee", j), another, "T-20")
		add("T-28", at("a listed payee of payment ", j), "", func(s *manyScenario) {
			s.listed = func(d *manyDerived) []fr.Element { return []fr.Element{d.recipients[j]} }
		})
		if j > 0 {
			add("T-13", at("a number that leaves out payment ", j), "T-20", func(s *manyScenario) { s.replace["count'"] = minusOne })
		}
	}
	for j := range shape.Outputs() {
		replace("O-11", at("a chosen rho of output ", j), at("rho", j), another, "T-20")
		replace("T-20", at("a commitment to nothing as output ", j), at("cm", j), another, "")
	}
	replace("O-11", "rho bound to another D", "rhoD", another, "T-20")

	add("T-08", "old period -1", "", func(s *manyScenario) { s.oldPeriod, s.period = negative(1), num(0) })
	add("T-08", "sent -1", "", func(s *manyScenario) { s.sent = negative(1) })
	add("T-08", "count -1", "", func(s *manyScenario) { s.count = negative(1) })
	add("T-08", "held 2^64", "", func(s *manyScenario) { s.held, s.withdrawn = power(64, 0), power(64, -1) })
	add("T-10", "withdrawn -5", "", func(s *manyScenario) { s.withdrawn = negative(5) })
	add("T-10", "withdrawn 2^64", "", func(s *manyScenario) { s.withdrawn, s.held = power(64, 0), power(64, -1) })
	add("T-11", "a period that runs backwards", "", func(s *manyScenario) { s.period = num(202605) })
	add("T-11", "a period of 2^32", "", func(s *manyScenario) { s.oldPeriod, s.period = power(32, -1), power(32, 0) })
	replace("T-11", "a reset without a new period", "same", nil, "T-20")
	add("T-11", "no reset in a new period", "T-20", func(s *manyScenario) { s.period, s.replace["same"] = num(202607), nil })
	add("T-12", "more sent than VTotal by the sum of all payments", "", func(s *manyScenario) {
		sent, _, _ := s.account()
		s.vTotal = minusOne(sent)
	})
	add("T-12", "sent' 2^64 under a limit out of range", "", func(s *manyScenario) { s.sent, s.vTotal = power(64, -1), power(64, 10_000) })
	replace("T-12", "the last payment left out of sent'", "sent'", func(x fr.Element) fr.Element {
		return less(x, num(60+uint64(shape.Payees)-1))
	}, "T-20")
	add("T-13", "more payments than VCount", "", func(s *manyScenario) {
		_, count, _ := s.account()
		s.vCnt = minusOne(count)
	})
	add("T-13", "count' 2^32 under a limit out of range", "", func(s *manyScenario) { s.count, s.vCnt = power(32, -1), power(32, 100) })
	replace("T-13", "the transfer itself not counted", "count'", minusOne, "T-20")
	replace("T-14", "held' one unit too high", "held'", plusOne, "T-20")
	add("T-14", "more paid than held", "", func(s *manyScenario) { s.held, s.paid[0] = num(0), num(3000); s.withdrawn = num(20_000) })
	add("T-15", "held' above VHeld", "", func(s *manyScenario) {
		_, _, held := s.account()
		s.vHeld = minusOne(held)
	})
	add("T-15", "selector 2", "", func(s *manyScenario) { s.vHeld, s.heldSel = num(30_000), 2 })
	add("T-15", "held' grows under selector 0", "", func(s *manyScenario) { s.heldSel = 0 })
	replace("T-19", "the next compliance coin for another address", "ownerNext", another, "T-20")
	replace("T-19", "the next compliance coin of another period", "period'", minusOne, "T-20")
	replace("T-19", "no entry", "com'", zero, "T-20")
	for _, what := range []string{"entryPaid", "entryIn1", "entryIn2", "entryWithdrawn", "entryCom", "entryPeriod"} {
		replace("O-12", what+" is 0", what, zero, "T-20")
	}
	replace("T-34", "an entry with a payee in the place of the details", "entryCounterparty", another, "T-20")
	replace("T-34", "an entry with another origin of the first half", "entryOrigin1", plusOne, "T-20")
	replace("T-34", "an entry with another origin of the second half", "entryOrigin2", plusOne, "T-20")
	replace("T-34", "an entry that says escrow", "entryEscrow", constantly(1), "T-20")
	replace("O-16", "details of another number of coins", "detailNumbers", plusOne, "T-20")
	replace("T-23", "a signature on another compliance coin", "messageCc", another, "T-29")
	replace("T-23", "somebody else's compliance coin", "ownerCc", another, "T-29")
	replace("T-23", "a compliance coin with one unit less", "packedCc", minusOne, "T-29")
	add("T-27", "a listed sender", "", func(s *manyScenario) { s.listed = func(d *manyDerived) []fr.Element { return []fr.Element{d.apk} } })
	for _, i := range some(shape.LinkedPoints()) {
		add("T-29", at("another response ", i), "", func(s *manyScenario) {
			s.adjust = func(c *ManyCircuit, _ *manyDerived) { c.Link.Responses[i] = random() }
		})
	}
	add("T-29", "another a", "", func(s *manyScenario) { s.adjust = func(c *ManyCircuit, _ *manyDerived) { c.Link.A = random() } })

	for k, first := range []int{0, shape.half()} {
		if last := first + 1; last < shape.Inputs && (k == 0) == (last < shape.half()) {
			add("T-32", at("2^64 in half ", k), "", func(s *manyScenario) {
				s.in[first], s.in[last], s.withdrawn = power(64, -1), num(1), power(64, 0)
				s.withdrawn = power(64, -1)
			})
		}
	}
	if shape.Payees > 1 {
		for _, escrow := range []fr.Element{num(1), num(2), negative(1)} {
			add("T-33", "several payees and escrow "+escrow.String(), "", func(s *manyScenario) { s.escrow, s.vEscrow = escrow, num(3000) })
		}
	} else {
		add("T-09", "an escrow above VEscrow", "", func(s *manyScenario) { s.escrow, s.vEscrow = num(1), num(59) })
		add("T-09", "an escrow selector of 2", "", func(s *manyScenario) { s.escrow, s.vEscrow = num(2), num(3000) })
	}
	return all
}

//spec:id T-32 T-33 T-34 O-16
func TestViolatedTransfersOfMany(t *testing.T) {
	for _, x := range manyShapes {
		for _, v := range manyViolations(x.shape) {
			t.Run(x.name+" "+v.clause+" "+v.name, func(t *testing.T) {
				c, _ := manyScenarioOf(x.shape, v.change).build(t)
				assertManyRefused(t, c, v.clause, v.reported)
			})
		}
	}
}

// assertManyRefused checks that the circuit refuses and that the reference names the equation.
func assertManyRefused(t *testing.T, c *ManyCircuit, clause, reported string) {
	t.Helper()
	manySystem(c.Shape).Refuses(t, c)
	if reported == "" {
		reported = clause
	}
	var v *Violation
	if err := CheckMany(c); !errors.As(err, &v) {
		t.Fatalf("reference: %v, want a violation of %s", err, reported)
	}
	if v.Clause != reported {
		t.Errorf("reference reports %s, want %s", v.Clause, reported)
	}
}

// Inputs of an honest assignment are increased by one, alone: all of them but for window bits and paths, of which some. The
// statement becomes false, except for a raised limit, and circuit and reference agree on it.
//
//spec:id T-01 T-02 T-03 T-04 T-05 T-06 T-07 T-08 T-09 T-10 T-11 T-12 T-13 T-14 T-15 T-17 T-31 T-19 T-20 T-23 T-25 T-27 T-28 T-29 T-32 T-33 T-34 O-16
func TestInputsOfManyAlteredAlone(t *testing.T) {
	for _, x := range manyShapes {
		c, _ := honestMany(x.shape).build(t)
		all := st.Variables(c)
		if want := manySystem(x.shape).GetNbPublicVariables() - 1 + manySystem(x.shape).GetNbSecretVariables(); len(all) != want {
			t.Errorf("%s: walked %d variables, the circuit has %d inputs", x.name, len(all), want)
		}
		for i, v := range all {
			if isWindowBit(v.Path) && i%127 != 0 || strings.Contains(v.Path, "Out.") && i%47 != 0 {
				continue
			}
			before := *v.At
			bump(v.At)
			_, err := manySystem(x.shape).Solve(t, c)
			judged := CheckMany(c)
			if (err == nil) != (judged == nil) {
				t.Errorf("%s%s + 1: circuit says %v, reference says %v", x.name, v.Path, err, judged)
			}
			if (err == nil) != (looseLimits[v.Path] || x.shape.Payees > 1 && v.Path == ".VEscrow") {
				t.Errorf("%s%s + 1: %v", x.name, v.Path, err)
			}
			*v.At = before
		}
	}
}

// The circuits' sizes and constraints are pinned in stats: a change needs a new circuit version and a new setup.
func TestPinnedStatisticsOfMany(t *testing.T) {
	domain := map[string]int{"claim-16": 1 << 15, "pay-8": 1 << 16}
	for _, x := range manyShapes {
		c, _ := honestMany(x.shape).build(t)
		stats := manySystem(x.shape).Measure(x.name, st.NetworkID).WithUndetermined(manySystem(x.shape).Undetermined(t, c))
		circuittest.Pin(t, stats)
		if stats.Constraints >= domain[x.name] {
			t.Errorf("%s: %d constraints do not fit a domain of %d", x.name, stats.Constraints, domain[x.name])
		}
		if *stats.Undetermined != 0 {
			t.Errorf("%s: %d undetermined wires", x.name, *stats.Undetermined)
		}
		if stats.Public != x.shape.PublicInputs() {
			t.Errorf("%s: %d public inputs, want %d", x.name, stats.Public, x.shape.PublicInputs())
		}
	}
}

//spec:id T-30
func TestPublicInputsOfManyAreSeparate(t *testing.T) {
	for _, x := range manyShapes {
		st.PublicInputsAreSeparate(t, func(tag hash.NetworkTag) (constraint.ConstraintSystem, error) { return CompileMany(tag, x.shape) })
	}
}

// ManyPublic.Vector is the order of the circuit's public inputs. The benchmark of the shapes makes and verifies real proofs.
func TestPublicVectorOfMany(t *testing.T) {
	for _, x := range manyShapes {
		_, d := honestMany(x.shape).build(t)
		link := d.bound(t)
		c, err := d.witness.Assign(link)
		if err != nil {
			t.Fatal(err)
		}
		st.SamePublic(t, c, d.witness.Public.Vector(link))
	}
}

// What a wallet would run into is reported by its own code.
func TestPrepareManyRefuses(t *testing.T) {
	cases := []struct {
		name   string
		code   fault.Code
		shape  Shape
		change func(p *ManyPlan)
	}{
		{"payee 0", fault.OwnerZero, Pay8, func(p *ManyPlan) { p.Payments[7].Recipient = fr.Element{} }},
		{"spend key O", fault.IdentityPoint, Pay8, func(p *ManyPlan) { p.PkAuth = jubjub.Point{Y: fr.One()} }},
		{"dummy with a value", fault.WitnessInvalid, Claim16, func(p *ManyPlan) { p.In[15].Dummy = true }},
		{"escrow beside payments", fault.WitnessInvalid, Pay8, func(p *ManyPlan) { p.Escrow = true }},
		{"period before the coin's", fault.PeriodBackwards, Pay8, func(p *ManyPlan) { p.Period-- }},
		{"paying more than held", fault.InsufficientFunds, Pay8, func(p *ManyPlan) { p.Payments[7].Paid = 30_000 }},
		{"payments above 64 bits", fault.OverLimitPeriod, Pay8, func(p *ManyPlan) { p.Payments[6].Paid, p.Payments[7].Paid = 1<<63, 1<<63 }},
		{"count above 32 bits", fault.OverLimitCount, Pay8, func(p *ManyPlan) { p.Cc.Count = 1<<32 - 8 }},
		{"half above 64 bits", fault.OverLimitHeld, Claim16, func(p *ManyPlan) { p.In[8].Value, p.In[15].Value = 1<<63, 1<<63 }},
		{"held above 64 bits", fault.OverLimitHeld, Claim16, func(p *ManyPlan) { p.Cc.Held = 1<<64 - 1 }},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, d := honestMany(tc.shape).build(t)
			p := d.witness.plan()
			tc.change(p)
			if _, err := PrepareMany(p); fault.CodeOf(err) != tc.code {
				t.Errorf("got %v, want %v", err, tc.code)
			}
		})
	}
}

func TestWipeMany(t *testing.T) {
	_, d := honestMany(Pay8).build(t)
	p, in, blindings := d.witness.plan(), d.witness.In, d.witness.Blindings
	d.witness.Wipe()
	p.Wipe()
	if p.Payments != nil || d.witness.Payments != nil || in[0] != (Input{}) || !blindings[0].S.IsZero() {
		t.Error("something is left")
	}
}

// Wrong answers to hints make no other wires of a true statement, and cover no false one: no payment is left out of the number, and
// none counts that is 0.
//
//spec:id T-13 T-32
func TestDishonestHintsOfMany(t *testing.T) {
	nobody := func(s *manyScenario) { s.setNobody(1) }
	c, _ := manyScenarioOf(small, nobody).build(t)
	wrong := map[string]frontend.Circuit{}
	for name, change := range map[string]func(*manyScenario){
		"a payment is not counted":    func(s *manyScenario) { s.replace["count'"] = minusOne },
		"a payment of 0 is counted":   func(s *manyScenario) { nobody(s); s.replace["count'"] = plusOne },
		"another's coin as one's own": func(s *manyScenario) { s.replace["paidOrigin1"] = constantly(2) },
		"2^64 in a half":              func(s *manyScenario) { s.in[0], s.withdrawn = power(64, -1), power(64, -1) },
	} {
		wrong[name], _ = manyScenarioOf(small, change).build(t)
	}
	manySystem(small).DishonestHints(t, c, wrong)
	paid := num(61)
	lie := inverseLie(0, func(x *big.Int) bool { return x.Cmp(paid.BigInt(new(big.Int))) == 0 })
	if _, err := manySystem(small).Solve(t, wrong["a payment is not counted"], lie, solver.WithNbTasks(1)); err == nil {
		t.Error("accepted with the payment said to be 0")
	}
}
