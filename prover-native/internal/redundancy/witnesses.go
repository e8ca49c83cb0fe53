package redundancy

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bls12-381"
)

// Search finds wire vectors near a solution that violate one constraint and no other.
type Search struct {
	system      *cs.R1CS
	constraints []constraint.R1C
	rows        []Row
	users       [][]int // per wire, the constraints it occurs in
	squares     map[int]int
	wires       fr.Vector
}

// NewSearch starts from a solution.
func NewSearch(system *cs.R1CS, solution fr.Vector) *Search {
	s := &Search{
		system: system, constraints: system.GetR1Cs(), rows: Rows(system, solution),
		users: make([][]int, len(solution)), squares: map[int]int{}, wires: append(fr.Vector(nil), solution...),
	}
	for i, c := range s.constraints {
		seen := map[uint32]bool{}
		for _, e := range []constraint.LinearExpression{c.L, c.R, c.O} {
			for _, term := range e {
				if !seen[term.VID] && term.VID != 0 {
					seen[term.VID] = true
					s.users[term.VID] = append(s.users[term.VID], i)
				}
			}
		}
	}
	for _, c := range s.constraints {
		if len(c.L) == 1 && len(c.R) == 1 && len(c.O) == 1 && c.L[0] == c.R[0] && len(s.users[c.O[0].VID]) == 1 {
			s.squares[int(c.L[0].VID)] = int(c.O[0].VID)
		}
	}
	return s
}

// Alone reports whether it finds a vector that violates constraint i only. It sets one wire of the constraint to 0, 1, 2 or
// -1. Where the wire is not a bit, it also balances the change by flipping a bit in another linear constraint.
func (s *Search) Alone(i int) bool {
	for _, wire := range s.wiresOf(i) {
		for _, x := range []int64{0, 1, 2, -1} {
			var e fr.Element
			if s.violatesOnly(i, map[int]fr.Element{wire: *e.SetInt64(x)}) {
				return true
			}
		}
		for _, other := range s.users[wire] {
			if other != i && s.balances(i, other, wire) {
				return true
			}
		}
	}
	return false
}

func (s *Search) wiresOf(i int) (wires []int) {
	for wire, users := range s.users {
		for _, u := range users {
			if u == i {
				wires = append(wires, wire)
			}
		}
	}
	return wires
}

// balances flips another bit of a linear constraint and changes the wire so that the constraint still holds.
func (s *Search) balances(i, linear, wire int) bool {
	coefficient, ok := s.rows[linear][wire]
	if !ok {
		return false
	}
	for bit, x := range s.rows[linear] {
		if bit == wire || !s.wires[bit].IsZero() && !s.wires[bit].IsOne() {
			continue
		}
		flipped, change, balance := fr.One(), fr.Element{}, fr.Element{}
		flipped.Sub(&flipped, &s.wires[bit])
		change.Sub(&flipped, &s.wires[bit])
		balance.Mul(&change, &x)
		balance.Div(&balance, &coefficient)
		moved := s.wires[wire]
		moved.Sub(&moved, &balance)
		if s.violatesOnly(i, map[int]fr.Element{bit: flipped, wire: moved}) {
			return true
		}
	}
	return false
}

// violatesOnly reports whether a vector with these changes violates constraint i only. It restores the vector. A wire that is
// nothing but the square of a changed one follows it.
func (s *Search) violatesOnly(i int, changes map[int]fr.Element) bool {
	before := map[int]fr.Element{}
	for wire, x := range changes {
		before[wire], s.wires[wire] = s.wires[wire], x
		if square, ok := s.squares[wire]; ok {
			before[square] = s.wires[square]
			s.wires[square].Square(&x)
		}
	}
	defer func() {
		for wire, x := range before {
			s.wires[wire] = x
		}
	}()
	if s.holds(i) {
		return false
	}
	for wire := range changes {
		for _, u := range s.users[wire] {
			if u != i && !s.holds(u) {
				return false
			}
		}
	}
	return true
}

func (s *Search) holds(i int) bool {
	c := &s.constraints[i]
	left, right, out := value(s.system, c.L, s.wires), value(s.system, c.R, s.wires), value(s.system, c.O, s.wires)
	left.Mul(&left, &right)
	return left.Equal(&out)
}
