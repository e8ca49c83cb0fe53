package redundancy

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bls12-381"
)

// Override replaces the product of constraint i by 0 or 1, so that a solver reads the constraint as O = 0 or O = 1: the
// choices of a prover without this constraint. It returns a function that restores the constraint.
func Override(system *cs.R1CS, i int, one bool) (restore func()) {
	data := callData(system, i)
	before := append([]uint32(nil), data...)
	// layout: length, terms of L, of R, of O, then (coefficient, wire) for each
	left, right := data[4:4+2*data[1]], data[4+2*data[1]:4+2*(data[1]+data[2])]
	constant(left, one)
	constant(right, true)
	return func() { copy(data, before) }
}

func callData(system *cs.R1CS, i int) []uint32 {
	for _, instruction := range system.Instructions {
		_, isR1C := system.Blueprints[instruction.BlueprintID].(*constraint.BlueprintGenericR1C)
		if isR1C && int(instruction.ConstraintOffset) == i {
			data := system.CallData[instruction.StartCallData:]
			return data[:data[0]]
		}
	}
	panic("redundancy: no such constraint")
}

func constant(terms []uint32, one bool) {
	for k := 0; k < len(terms); k += 2 {
		terms[k] = constraint.CoeffIdZero
	}
	if one {
		terms[0], terms[1] = constraint.CoeffIdOne, 0 // wire 0 is the constant 1
	}
}

// Violated lists the constraints that a wire vector does not satisfy.
func Violated(system *cs.R1CS, wires fr.Vector) (violated []int) {
	for i, c := range system.GetR1Cs() {
		left, right, out := value(system, c.L, wires), value(system, c.R, wires), value(system, c.O, wires)
		if left.Mul(&left, &right); !left.Equal(&out) {
			violated = append(violated, i)
		}
	}
	return violated
}
