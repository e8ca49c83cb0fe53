package circuittest

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
)

// Undetermined solves the assignment and returns the internal wires that its constraints do not fix once all inputs are
// fixed.
//
// Every constraint L*R = O is linearised at the solution. A wire is determined when some constraint has it as its only
// unknown with a non-zero coefficient. The search is sound in one direction: a wire that it reports as determined is
// determined to first order. Any other wire is either free or needs several constraints at once, and must be examined.
func (s System) Undetermined(t testing.TB, a frontend.Circuit) []int {
	t.Helper()
	w, err := s.Solve(t, a)
	if err != nil {
		t.Fatalf("honest assignment refused: %v", err)
	}
	inputs := s.GetNbPublicVariables() + s.GetNbSecretVariables()
	p := newPropagation(inputs, inputs+s.GetNbInternalVariables())
	for _, c := range s.GetR1Cs() {
		p.add(s.linearise(c, w, p))
	}
	p.run()
	var free []int
	for v := inputs; v < len(p.known); v++ {
		if !p.known[v] {
			free = append(free, v)
		}
	}
	return free
}

// linearise returns the coefficients of the unknown wires in the differential of L*R - O.
func (s System) linearise(c constraint.R1C, w fr.Vector, p *propagation) map[int]fr.Element {
	l, r := s.evaluate(c.L, w), s.evaluate(c.R, w)
	minusOne := fr.One()
	minusOne.Neg(&minusOne)
	out := make(map[int]fr.Element)
	accumulate := func(e constraint.LinearExpression, by *fr.Element) {
		for _, term := range e {
			v := int(term.VID)
			if v >= len(p.known) || p.known[v] {
				continue
			}
			k := s.Coefficients[term.CID]
			k.Mul(&k, by)
			sum := out[v]
			sum.Add(&sum, &k)
			out[v] = sum
		}
	}
	accumulate(c.L, &r)
	accumulate(c.R, &l)
	accumulate(c.O, &minusOne)
	for v, k := range out {
		if k.IsZero() {
			delete(out, v)
		}
	}
	return out
}

func (s System) evaluate(e constraint.LinearExpression, w fr.Vector) (sum fr.Element) {
	for _, term := range e {
		k := s.Coefficients[term.CID]
		if int(term.VID) < len(w) {
			k.Mul(&k, &w[term.VID])
		}
		sum.Add(&sum, &k)
	}
	return sum
}

// propagation is unit propagation over the unknowns of linear equations.
type propagation struct {
	known       []bool
	occurrences [][]int
	equations   []map[int]fr.Element
}

func newPropagation(inputs, wires int) *propagation {
	p := &propagation{known: make([]bool, wires), occurrences: make([][]int, wires)}
	for i := 0; i < inputs; i++ {
		p.known[i] = true
	}
	return p
}

func (p *propagation) add(unknowns map[int]fr.Element) {
	for v := range unknowns {
		p.occurrences[v] = append(p.occurrences[v], len(p.equations))
	}
	p.equations = append(p.equations, unknowns)
}

func (p *propagation) run() {
	var queue []int
	for i := range p.equations {
		if len(p.equations[i]) == 1 {
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		if len(p.equations[i]) != 1 {
			continue
		}
		for v := range p.equations[i] {
			p.known[v] = true
			for _, j := range p.occurrences[v] {
				delete(p.equations[j], v)
				if len(p.equations[j]) == 1 {
					queue = append(queue, j)
				}
			}
		}
	}
}
