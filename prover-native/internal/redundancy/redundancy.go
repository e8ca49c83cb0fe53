// Package redundancy tests for every constraint of a circuit whether a test would detect its absence. Only tests import it.
//
// The constraints are linearised at a solution, with inputs and internal wires alike as unknowns. A constraint whose row is
// linearly independent of all others is needed: without it the solutions around this one gain a dimension. [Dependent]
// returns the other constraints. Among them are all that depend on values being discrete, such as the range check of a sum
// of range-checked values. For those [Search] finds a wire vector that violates this constraint and no other.
package redundancy

import (
	"sort"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bls12-381"
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

// subtract subtracts factor times another row.
func (r Row) subtract(other Row, factor *fr.Element) {
	for wire, x := range other {
		x.Mul(&x, factor).Neg(&x)
		r.add(wire, &x)
	}
}

// Dependent returns the constraints, in order, whose deletion does not change the rank of the linearised system.
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
