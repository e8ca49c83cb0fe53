package transfer

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// setDummy makes an input a dummy.
func (s *scenario) setDummy(i int) { s.in[i], s.origin[i], s.dummy[i] = num(0), num(0), 1 }

// setEscrow makes the payment an escrow.
func (s *scenario) setEscrow() { s.escrow, s.vEscrow = num(1), num(450) }

// honestCases are true statements. Each is accepted by the circuit and by the reference, leaves no wire undetermined, and
// equals what Witness.Assign and Prepare make of the same transfer in plain types.
var honestCases = []struct {
	name   string
	change func(*scenario)
}{
	{"payment with two claims and a withdrawal", func(*scenario) {}},
	{"payment, both inputs dummies", func(s *scenario) {
		s.setDummy(0)
		s.setDummy(1)
		s.withdrawn = num(0)
	}},
	{"first input a dummy", func(s *scenario) { s.setDummy(0) }},
	{"second input a dummy", func(s *scenario) { s.setDummy(1) }},
	{"claim only, recipient coin of value 0", func(s *scenario) { s.paid, s.withdrawn = num(0), num(0) }},
	{"claimed coin of value 0", func(s *scenario) { s.in[0] = num(0) }},
	{"claimed coin of value 0 with an origin", func(s *scenario) { s.in[1] = num(0) }},
	{"coins of all origins", func(s *scenario) { s.origin = [2]fr.Element{num(2), num(3)} }},
	{"amounts of 1", func(s *scenario) { s.in, s.paid, s.withdrawn = [2]fr.Element{num(1), num(1)}, num(1), num(1) }},
	{"payment to oneself", func(s *scenario) { s.toSelf = true }},
	{"escrow above the limit of a coin", func(s *scenario) {
		s.setEscrow()
		s.vSent = num(449)
	}},
	{"escrow whose lock is the sender's address", func(s *scenario) {
		s.setEscrow()
		s.toSelf = true
	}},
	{"escrow of value 0 under a limit of 0", func(s *scenario) { s.paid, s.escrow, s.vEscrow = num(0), num(1), num(0) }},
	{"coin above the limit of an escrow", func(s *scenario) { s.vEscrow = num(0) }},
	{"withdrawal of everything", func(s *scenario) {
		s.setDummy(0)
		s.setDummy(1)
		s.paid, s.withdrawn = num(0), num(2000)
	}},
	{"new period resets sent and count", func(s *scenario) {
		s.period, s.sent, s.count = num(202607), num(9999), num(50)
	}},
	{"a period gap", func(s *scenario) { s.oldPeriod, s.period = num(0), power(32, -1) }},
	{"above the holding limit and shrinking", func(s *scenario) {
		s.held, s.vHeld, s.heldSel, s.paid = num(900_000), num(300_000), 0, num(1300)
	}},
	{"exactly at every limit", func(s *scenario) {
		s.vSent, s.vTotal, s.vCnt, s.vHeld = num(450), num(1450), num(4), num(2730)
	}},
	{"2^64-1 claimed into an empty account", func(s *scenario) {
		s.setDummy(1)
		s.in[0] = power(64, -1)
		s.held, s.paid, s.withdrawn, s.vHeld = num(0), num(0), num(0), power(64, -1)
	}},
	{"2^64-1 paid", func(s *scenario) {
		s.held, s.in, s.paid, s.sent = power(64, -1), [2]fr.Element{num(20), num(0)}, power(64, -1), num(0)
		s.vSent, s.vTotal = power(64, -1), power(64, -1)
	}},
	{"2^64-1 in escrow", func(s *scenario) {
		s.setEscrow()
		s.held, s.in, s.paid, s.sent = power(64, -1), [2]fr.Element{num(20), num(0)}, power(64, -1), num(0)
		s.vEscrow, s.vTotal = power(64, -1), power(64, -1)
	}},
	{"2^64-1 withdrawn", func(s *scenario) {
		s.held, s.in, s.withdrawn, s.paid = power(64, -1), [2]fr.Element{}, power(64, -1), num(0)
	}},
	{"sum of inputs above 2^64, balance below", func(s *scenario) {
		s.held, s.in = power(64, -1), [2]fr.Element{power(64, -1), num(7)}
		s.paid, s.withdrawn, s.sent = power(64, -1), num(7), num(0)
		s.vSent, s.vTotal, s.vHeld = power(64, -1), power(64, -1), power(64, -1)
	}},
	{"largest old period, sent and count", func(s *scenario) {
		s.oldPeriod, s.period = power(32, -1), power(32, -1)
		s.sent, s.vTotal, s.paid = power(64, -451), power(64, -1), num(450)
		s.count, s.vCnt = power(32, -2), power(32, -1)
	}},
}

func TestHonestStatements(t *testing.T) {
	for _, tc := range honestCases {
		t.Run(tc.name, func(t *testing.T) {
			c, d := scenarioOf(tc.change).build(t)
			system().Accepts(t, c)
			if err := Check(c); err != nil {
				t.Errorf("reference refuses: %v", err)
			}
			if free := system().Undetermined(t, c); len(free) != 0 {
				t.Errorf("undetermined wires: %v", free)
			}
			assigned, err := d.witness.Assign(d.bound(t))
			if err != nil {
				t.Fatal(err)
			}
			system().Accepts(t, assigned)
			if err := Check(assigned); err != nil {
				t.Errorf("reference refuses the assigned witness: %v", err)
			}
		})
	}
}

// The outputs that Prepare computes are the ones the circuit proves.
func TestPrepareAgreesWithTheCircuit(t *testing.T) {
	for _, tc := range honestCases {
		t.Run(tc.name, func(t *testing.T) {
			_, d := scenarioOf(tc.change).build(t)
			d.bound(t)
			o, err := Prepare(d.witness.plan())
			if err != nil {
				t.Fatal(err)
			}
			if o.Apk != d.apk {
				t.Error("another address")
			}
			if o.Messages != [2]fr.Element(d.messages[linkedOutputs:]) {
				t.Error("other messages")
			}
			if o.Out != d.witness.Public.Out {
				t.Error("other blinded coins")
			}
		})
	}
}
