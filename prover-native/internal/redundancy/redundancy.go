// Package redundancy asks of every constraint of a circuit: would anything notice if it were missing? It is imported by tests.
//
// The constraints are linearised at a solution, with inputs and internal wires alike as unknowns. A constraint whose row is
// linearly independent of all others matters: without it the solutions around this one have a dimension more. [Dependent]
// returns the other constraints. Among them are all that rest on values being discrete, such as the range check of a sum
// of range-checked values; for those [Search] exhibits a wire vector that violates this constraint and no other.
package redundancy

import (
	"sort"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bw6-761"
)

// Row is a linearised constraint: wire -> coefficient, none of them zero.
type Row map[int]fr.Element

// Rows returns R dL + L dR - dO of every constraint at a solution, over all wires but the constant one.
func Rows(system *cs.R1CS, wires fr.Vector) []Row {
	minusOne := fr.One()
	minusOne.Neg(&minusOne)
	var rows []Row
	for _, c := range system.GetR1Cs() {
		row := Row{}
		left, right := value(system, c.L, wires), value(system, c.R, wires)
		addScaled(system, row, c.L, &right)
		addScaled(system, row, c.R, &left)
		addScaled(system, row, c.O, &minusOne)
		rows = append(rows, row)
	}
	return rows
}

func value(system *cs.R1CS, e constraint.LinearExpression, wires fr.Vector) (sum fr.Element) {
	for _, term := range e {
		x := system.Coefficients[term.CID]
		x.Mul(&x, &wires[term.VID])
		sum.Add(&sum, &x)
	}
	return sum
}

func addScaled(system *cs.R1CS, row Row, e constraint.LinearExpression, factor *fr.Element) {
	for _, term := range e {
		if term.VID == 0 { // the constant
			continue
		}
		x := system.Coefficients[term.CID]
		x.Mul(&x, factor)
		row.add(int(term.VID), &x)
	}
}

func (r Row) add(wire int, x *fr.Element) {
	sum := r[wire]
	if sum.Add(&sum, x); sum.IsZero() {
		delete(r, wire)
	} else {
		r[wire] = sum
	}
}

// subtract takes factor times another row off.
func (r Row) subtract(other Row, factor *fr.Element) {
	for wire, x := range other {
		x.Mul(&x, factor).Neg(&x)
		r.add(wire, &x)
	}
}

// Dependent returns the constraints, in order, whose deletion leaves the rank of the linearised system as it is.
func Dependent(system *cs.R1CS, wires fr.Vector) []int {
	rows := Rows(system, wires)
	e := eliminate(rows, system.GetNbPublicVariables()+system.GetNbSecretVariables(), len(wires))
	union := map[int]bool{}
	for _, relation := range e.relations(rows) {
		for i := range relation {
			union[i] = true
		}
	}
	list := make([]int, 0, len(union))
	for i := range union {
		list = append(list, i)
	}
	sort.Ints(list)
	return list
}
