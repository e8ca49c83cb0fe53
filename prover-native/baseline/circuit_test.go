package baseline

import (
	"reflect"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	builder "github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/internal/r1cs"
)

var (
	key     = NewSigningKey()
	once    sync.Once
	circuit system
)

// system is the compiled circuit. Package circuittest is for circuits over BLS12-381.
type system struct{ r1cs.System }

func compiled(t *testing.T) system {
	t.Helper()
	once.Do(func() {
		logger.Disable()
		ccs, err := frontend.Compile(ecc.BW6_761.ScalarField(), builder.NewBuilder, New(&key.Public))
		if err != nil {
			t.Fatal(err)
		}
		circuit = system{ccs.(r1cs.System)}
	})
	return circuit
}

func (s system) solve(t *testing.T, c *Circuit) error {
	t.Helper()
	w, err := frontend.NewWitness(c, ecc.BW6_761.ScalarField())
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Solve(w)
	return err
}

func (s system) accepts(t *testing.T, c *Circuit) {
	t.Helper()
	if err := s.solve(t, c); err != nil {
		t.Fatalf("honest assignment refused: %v", err)
	}
}

func (s system) refuses(t *testing.T, c *Circuit) {
	t.Helper()
	if s.solve(t, c) == nil {
		t.Fatal("violated statement accepted")
	}
}

func plan(t *testing.T, change func(*Plan)) *Plan {
	t.Helper()
	p, err := SamplePlan()
	if err != nil {
		t.Fatal(err)
	}
	change(p)
	return p
}

func assign(t *testing.T, p *Plan) *Circuit {
	t.Helper()
	c, err := Assign(key, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPinnedShape(t *testing.T) {
	// No count of undetermined wires: the witnesses of the pairing check are free by design.
	circuittest.Pin(t, circuittest.Measure(compiled(t), "baseline", ""))
}

func TestHonestTransfers(t *testing.T) {
	for name, change := range map[string]func(*Plan){
		"ordinary":         func(*Plan) {},
		"at both limits":   func(p *Plan) { p.VSent, p.VTotal = p.Paid, p.NewSent },
		"everything paid":  func(p *Plan) { p.Paid, p.Change, p.NewSent = 1200, 0, 2200 },
		"nothing paid":     func(p *Plan) { p.Paid, p.Change, p.NewSent = 0, 1200, 1000 },
		"empty list":       func(p *Plan) { p.Sanctioned = nil },
		"largest value":    func(p *Plan) { p.Old, p.Paid, p.Change, p.NewSent, p.Sent = [2]uint64{1<<64 - 1, 0}, 0, 1<<64-1, 0, 0 },
		"payment to self":  func(p *Plan) { p.AskRecipient = p.Ask },
		"one coin is zero": func(p *Plan) { p.Old = [2]uint64{1200, 0} },
	} {
		t.Run(name, func(t *testing.T) { compiled(t).accepts(t, assign(t, plan(t, change))) })
	}
}

// A plan that breaks a rule leads to an assignment that is consistent in all the rest.
//
//spec:id B-06 B-07 B-09 B-10 B-11
func TestViolatedPlans(t *testing.T) {
	for name, change := range map[string]func(*Plan){
		"B-06 new coins worth one more":  func(p *Plan) { p.Change++ },
		"B-06 new coins worth one less":  func(p *Plan) { p.Change-- },
		"B-06 paid more than owned":      func(p *Plan) { p.Paid, p.NewSent = 1201, 2201; p.Change = 0 },
		"B-07 sent grows by too little":  func(p *Plan) { p.NewSent-- },
		"B-07 sent is reset":             func(p *Plan) { p.NewSent = p.Paid },
		"B-09 above the single limit":    func(p *Plan) { p.VSent = p.Paid - 1 },
		"B-10 above the total limit":     func(p *Plan) { p.VTotal = p.NewSent - 1 },
		"B-11 sender on the list":        func(p *Plan) { p.Sanctioned = append(p.Sanctioned, Address(p.Ask)) },
		"B-11 recipient on the list":     func(p *Plan) { p.Sanctioned = append(p.Sanctioned, Address(p.AskRecipient)) },
		"B-11 list of the sender alone":  func(p *Plan) { p.Sanctioned = []fr.Element{Address(p.Ask)} },
		"B-11 listed twice (duplicates)": func(p *Plan) { a := Address(p.AskRecipient); p.Sanctioned = []fr.Element{a, a} },
	} {
		t.Run(name, func(t *testing.T) { compiled(t).refuses(t, assign(t, plan(t, change))) })
	}
}

// An assignment altered after it was built honestly.
//
//spec:id B-01 B-02 B-03 B-04 B-05 B-08 B-11
func TestAlteredAssignments(t *testing.T) {
	other := func(t *testing.T) *Circuit { return assign(t, plan(t, func(*Plan) {})) }
	for name, alter := range map[string]func(t *testing.T, c *Circuit){
		"B-01 serial of another coin":        func(t *testing.T, c *Circuit) { c.Serials[1] = other(t).Serials[1] },
		"B-01 serial of the compliance coin": func(t *testing.T, c *Circuit) { c.SerialCc = other(t).SerialCc },
		"B-01 serials exchanged":             func(t *testing.T, c *Circuit) { c.Serials[0], c.Serials[1] = c.Serials[1], c.Serials[0] },
		"B-02 another seed":                  func(t *testing.T, c *Circuit) { c.Seed = other(t).Seed },
		"B-03 c_m of another randomness":     func(t *testing.T, c *Circuit) { c.Openings[redeem].S = other(t).Openings[redeem].S },
		"B-03 k of another blinding":         func(t *testing.T, c *Circuit) { c.New[recipient].K = other(t).New[recipient].K },
		"B-03 h of another coin":             func(t *testing.T, c *Circuit) { c.New[compliance].H = c.New[redeem].H },
		"B-04 signature of another coin":     func(t *testing.T, c *Circuit) { c.Sigs[0] = c.Sigs[1] },
		"B-04 second half of another":        func(t *testing.T, c *Circuit) { c.Sigs[2].S2 = c.Sigs[1].S2 },
		"B-04 identity encoded as (0,0)": func(t *testing.T, c *Circuit) {
			zero := sw.G1Affine{X: 0, Y: 0}
			c.Sigs[0] = Signature{S1: zero, S2: zero}
		},
		"B-04 points of order three": func(t *testing.T, c *Circuit) {
			order3 := sw.G1Affine{X: 0, Y: 1}
			c.Sigs[0] = Signature{S1: order3, S2: order3}
		},
		"B-05 spender does not know ask": func(t *testing.T, c *Circuit) { c.Ask = other(t).Ask },
		"B-08 another recipient entered": func(t *testing.T, c *Circuit) { c.Recipient = other(t).Recipient },
		"B-08 another randomness":        func(t *testing.T, c *Circuit) { c.R = other(t).R },
		"B-11 another root":              func(t *testing.T, c *Circuit) { c.Root = other(t).Root },
		"B-11 neighbours of the sender": func(t *testing.T, c *Circuit) {
			for reflect.DeepEqual(c.Members[0], c.Members[1]) { // both between the same two, by chance
				*c = *other(t)
			}
			c.Members[1] = c.Members[0]
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := other(t)
			alter(t, c)
			compiled(t).refuses(t, c)
		})
	}
}

// The redeem coin and the compliance coin cannot be given to somebody else.
//
//spec:id B-05
func TestNewCoinsOfAnotherOwner(t *testing.T) {
	p := plan(t, func(*Plan) {})
	thief := Address(p.AskRecipient)
	for place, name := range map[int]string{redeem: "redeem", compliance: "compliance"} {
		t.Run(name, func(t *testing.T) {
			c := assign(t, p)
			seed, s := c.Seed.(fr.Element), c.Openings[place].S.(fr.Element)
			rho := prfOf(seed, c.Serials[0].(fr.Element), c.Serials[1].(fr.Element), num(uint64(place+1)))
			hm := hashOf(num(p.Change), thief, rho)
			if place == compliance {
				com := hashOf(c.CcCom.(fr.Element), c.Recipient.(fr.Element), num(p.Paid), c.R.(fr.Element))
				hm = hashOf(thief, rho, num(p.NewSent), com)
			}
			if err := c.assignBlinded(place, hm, s); err != nil {
				t.Fatal(err)
			}
			compiled(t).refuses(t, c)
		})
	}
}

// A value below zero balances the sum over the field; the range check refuses it.
//
//spec:id B-06
func TestNegativeChange(t *testing.T) {
	c := assign(t, plan(t, func(p *Plan) { p.Paid, p.NewSent, p.Change = 1201, 2201, 0 }))
	c.Change = -1
	rho := prfOf(c.Seed.(fr.Element), c.Serials[0].(fr.Element), c.Serials[1].(fr.Element), num(redeem+1))
	minusOne := num(1)
	minusOne.Neg(&minusOne)
	apk := prfOf(c.Ask.(fr.Element), fr.Element{})
	if err := c.assignBlinded(redeem, hashOf(minusOne, apk, rho), c.Openings[redeem].S.(fr.Element)); err != nil {
		t.Fatal(err)
	}
	compiled(t).refuses(t, c)
}

// The last leaf of the tree is p-1 like every unused one. With comparisons that wrap
// around, two of them would surround a listed address.
//
//spec:id B-11
func TestUnusedLeavesSurroundNothing(t *testing.T) {
	p := plan(t, func(p *Plan) { p.Sanctioned = append(p.Sanctioned, Address(p.AskRecipient)) })
	c := assign(t, p)
	tree := newSanctionTree(p.Sanctioned)
	i := len(tree.keys) + 3
	c.Members[1] = Membership{Lo: tree.at(0, i), Hi: tree.at(0, i+1), Index: i, PathLo: tree.path(i), PathHi: tree.path(i + 1)}
	compiled(t).refuses(t, c)
}

// The signature check of the circuit and the pairing outside agree on what is a signature.
func TestSignatureOutside(t *testing.T) {
	m := exponentOf(num(12345))
	s1, s2, err := key.sign(m)
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, g2 := bls.Generators()
	var ym, xym bls.G2Affine
	ym.ScalarMultiplication(&key.Public.Y, m)
	xym.Add(&key.Public.X, &ym)
	var minus bls.G1Affine
	minus.Neg(&s2)
	ok, err := bls.PairingCheck([]bls.G1Affine{s1, minus}, []bls.G2Affine{xym, g2})
	if err != nil || !ok {
		t.Fatalf("signature does not verify: %v %v", ok, err)
	}
}
