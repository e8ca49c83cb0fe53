package transfer

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/sanction"
)

// twinTree puts both addresses into the one leaf of an empty list, under a root in which on every level the node stands
// beside its own copy. There a second position flag moves nothing, so that only the flags' own constraints can refuse it.
func twinTree(c *Circuit, d *derived, left bool) {
	low, high := sanction.Key{}, sanction.HighSentinel()
	node := hasher().Leaf(low.Element(), high.Element())
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

// falseWithout are false statements, each with a lie of a zero test's hint where it needs one, that some single constraint
// refuses.
func falseWithout(t *testing.T) (all []st.Falsehood) {
	lie := func(when func(*big.Int) bool) []solver.Option { return []solver.Option{inverseLie(0, when)} }
	for _, f := range []struct {
		name   string
		change func(*scenario)
		lies   []solver.Option
	}{
		{"reset without a new period", replacing("same", nil), nil},
		{"no reset in a new period", func(s *scenario) { s.period, s.replace["same"] = num(202607), nil }, lie(isOne)},
		{"what was sent before left out", replacing("sent'", func(fr.Element) fr.Element { return num(450) }), nil},
		{"count started again", replacing("count'", func(fr.Element) fr.Element { return num(1) }), nil},
		{"payment to another as own", replacing("own", nil), lie(notZero)},
		{"payment to oneself as income", func(s *scenario) { s.toSelf = true; s.replace["origin0"] = zero }, nil},
	} {
		c, _ := scenarioOf(f.change).build(t)
		all = append(all, st.Falsehood{Name: f.name, Circuit: c, Lies: f.lies})
	}
	return all
}

// No constraint can be left out without being noticed. Most are linearly independent of all others at a solution; for each
// of the rest there is a false wire vector, near a solution or for a false statement, that it alone refuses.
func TestEveryConstraintMatters(t *testing.T) {
	// with both zero tests at zero, where their inverses are chosen and not computed
	left, d := scenarioOf(func(s *scenario) { s.toSelf = true }).build(t)
	twinTree(left, d, true)
	right, d := honest().build(t)
	twinTree(right, d, false)
	worthless, _ := scenarioOf(func(s *scenario) { s.in, s.origin = [2]fr.Element{}, [2]fr.Element{} }).build(t)
	st.EveryConstraintMatters(t, system(), []frontend.Circuit{left, right, worthless}, falseWithout(t))
}
