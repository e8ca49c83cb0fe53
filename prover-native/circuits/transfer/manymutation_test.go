package transfer

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
)

// falsehoodsOfMany are the violated statements about a shape, and what a zero test and a payee of nobody's address add.
func falsehoodsOfMany(t *testing.T, shape Shape) (all []st.Falsehood) {
	t.Helper()
	add := func(name string, s *manyScenario, lies ...solver.Option) {
		c, _ := s.build(t)
		all = append(all, st.Falsehood{Name: name, Circuit: c, Lies: lies})
	}
	for _, v := range manyViolations(shape) {
		add(v.clause+" "+v.name, manyScenarioOf(shape, v.change))
	}
	last := shape.Payees - 1
	paid := num(60 + uint64(last))
	isPaid := inverseLie(0, func(x *big.Int) bool { return element(x) == paid })
	add("T-13 the last payment said to be 0", manyScenarioOf(shape, func(s *manyScenario) { s.replace["count'"] = minusOne }), isPaid)
	add("T-13 the inverse of a payment of 0 is 1", manyScenarioOf(shape, func(s *manyScenario) {
		s.period, s.paid[last] = num(202607), num(0)
	}), inverseLie(1, isZero))
	add("T-11 the inverse of zero is 1", honestMany(shape), inverseLie(1, isZero))
	add("T-31 the inverse of zero is 1", manyScenarioOf(shape, func(s *manyScenario) {
		s.period, s.toSelf[last] = num(202607), true
	}), inverseLie(1, isZero))
	add("T-11 no reset in a new period", manyScenarioOf(shape, func(s *manyScenario) {
		s.period, s.replace["same"] = num(202607), nil
	}), inverseLie(0, isOne))
	add("T-31 another's coin as one's own", manyScenarioOf(shape, func(s *manyScenario) {
		for j := range last {
			s.toSelf[j] = true
		}
		s.replace[fmt.Sprintf("paidOrigin%d", last)] = constantly(2)
	}), inverseLie(0, func(x *big.Int) bool { return x.BitLen() > 64 })) // of a difference of addresses, and of no amount
	// refused by the list as well, because the low sentinel is 0, but not under a root with a leaf below it
	add("T-03 nobody's address under a made-up root", manyScenarioOf(shape, func(s *manyScenario) {
		s.replace[fmt.Sprintf("recipient%d", last)] = zero
		for j := range last {
			s.toSelf[j] = true
		}
		s.adjust = func(c *ManyCircuit, _ *manyDerived) {
			var root Circuit
			out := &c.Payees[last].Out
			out.LowKey, out.HighKey, out.Key, out.Rest = -1, 1, 0, 0
			meet(&root, out, &c.SenderOut, everywhere(0, 0))
			for j := range last {
				c.Payees[j].Out = c.SenderOut
			}
			c.Root = root.Root
		}
	}))
	return all
}

// The last assertion of each place of the definition is left out once: without it one of the falsehoods is accepted. So no loop
// stops before the last coin or payee. The gadgets of the key and the list are those of the transfer of two coins, whose mutation
// score has each of their assertions.
//
//spec:id T-03 T-05 T-06 T-07 T-09 T-13 T-25 T-32 T-33
func TestLastAssertionsOfMany(t *testing.T) {
	st.LastOfEachPlace(t, manySystem(small), func() frontend.Circuit { return NewManyCircuit(network, small) }, falsehoodsOfMany(t, small),
		"windows.go", "owner.go", "absence.go")
}
