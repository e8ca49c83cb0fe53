package transfer

import (
	"math/big"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/redundancy"
	"solidus.io/prover/sanction"
)

// twinTree puts both addresses into the one leaf of an empty list, under a root in which on every level the node stands
// beside its own copy. There a second position flag moves nothing, so that only the flags' own constraints can refuse it.
func twinTree(c *Circuit, d *derived, left bool) {
	low, high := sanction.Key{}, sanction.HighSentinel()
	node := hash.New(network).Leaf(low.Element(), high.Element())
	absences := [2]gadgets.Absence{}
	for level := range sanction.Depth {
		other := random()
		for i := range absences {
			a := &absences[i]
			if left {
				a.Left[level], a.Right[level] = 1, 0
				a.Siblings[level] = [2]frontend.Variable{other, node}
			} else {
				a.Left[level], a.Right[level] = 0, 1
				a.Siblings[level] = [2]frontend.Variable{node, other}
			}
		}
		node = hash.Node3(node, other, node)
	}
	for i, apk := range []fr.Element{d.apk, d.recipient} {
		a := &absences[i]
		full := apk.BigInt(new(big.Int))
		key := new(big.Int).Rsh(full, sanction.LowBits)
		a.LowKey, a.HighKey, a.Key = low.Element(), high.Element(), key
		a.Rest = full.Sub(full, new(big.Int).Lsh(key, sanction.LowBits))
	}
	c.SenderOut, c.ReceiverOut, c.Root = absences[0], absences[1], node
}

// falseWithout are false statements, each with a lie of the zero test's hint where it needs one, that some single constraint
// refuses.
var falseWithout = []struct {
	name   string
	change func(*scenario)
	lie    bool
}{
	{"reset without a new period", replacing("same", nil), false},
	{"no reset in a new period", func(s *scenario) { s.period, s.replace["same"] = num(202607), nil }, true},
	{"what was sent before left out", replacing("sent'", func(fr.Element) fr.Element { return num(450) }), false},
	{"count started again", replacing("count'", func(fr.Element) fr.Element { return num(1) }), false},
}

// refusesAlone reports whether one of the false statements satisfies everything but constraint i.
func refusesAlone(t *testing.T, i int) bool {
	for _, f := range falseWithout {
		c, _ := scenarioOf(f.change).build(t)
		var options []solver.Option
		if f.lie {
			options = append(options, solver.OverrideHint(solver.GetHintID(solver.InvZeroHint),
				func(_ *big.Int, _, out []*big.Int) error { out[0].SetUint64(0); return nil }))
		}
		for _, one := range []bool{false, true} {
			restore := redundancy.Override(system().R1CS, i, one)
			wires, err := system().Solve(t, c, options...)
			restore()
			if err == nil && slices.Equal(redundancy.Violated(system().R1CS, wires), []int{i}) {
				return true
			}
		}
	}
	return false
}

// No constraint can be left out without being noticed. Most are linearly independent of all others at a solution; for each
// of the rest there is a false wire vector, near a solution or for a false statement, that it alone refuses.
func TestEveryConstraintMatters(t *testing.T) {
	bases := []func() (*Circuit, *derived){
		func() (*Circuit, *derived) { c, d := honest().build(t); twinTree(c, d, true); return c, d },
		func() (*Circuit, *derived) { c, d := honest().build(t); twinTree(c, d, false); return c, d },
		func() (*Circuit, *derived) { s := honest(); s.in = [2]fr.Element{}; return s.build(t) },
	}
	var remaining []int
	for i, base := range bases {
		c, _ := base()
		wires, err := system().Solve(t, c)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			remaining = redundancy.Dependent(system().R1CS, wires)
			t.Logf("%d of %d constraints are linearly dependent", len(remaining), system().GetNbConstraints())
		}
		search := redundancy.NewSearch(system().R1CS, wires)
		remaining = slices.DeleteFunc(remaining, search.Alone)
	}
	t.Logf("%d of them need a false statement", len(remaining))
	remaining = slices.DeleteFunc(remaining, func(i int) bool { return refusesAlone(t, i) })
	all := system().GetNbConstraints()
	t.Logf("%d constraints deleted one by one, %d unnoticed: %.2f %% noticed", all, len(remaining), 100*float64(all-len(remaining))/float64(all))
	if len(remaining) != 0 {
		t.Errorf("constraints whose absence nothing detects: %v", remaining)
	}
}
