package redundancy

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// elimination orders the system. Each pivot row determines one wire from wires determined before, each parameter is a free
// input, and the remaining rows are checks on the parameters.
type elimination struct {
	pivots     []pivot // in the order of determination
	parameters []int
	checks     []int
}

type pivot struct{ row, wire int }

// eliminate runs unit propagation. Where no row determines a wire, it frees the first undetermined input and continues. In
// the end every wire is determined, if the circuit determines every wire.
func eliminate(rows []Row, inputs, wires int) *elimination {
	e := &elimination{}
	open := make([]int, len(rows)) // number of undetermined wires
	users := make([][]int, wires)
	known := make([]bool, wires)
	used := make([]bool, len(rows))
	var ready []int
	for i, row := range rows {
		open[i] = len(row)
		for wire := range row {
			users[wire] = append(users[wire], i)
		}
		if open[i] == 1 {
			ready = append(ready, i)
		}
	}
	determine := func(wire int) {
		known[wire] = true
		for _, i := range users[wire] {
			if open[i]--; open[i] == 1 {
				ready = append(ready, i)
			}
		}
	}
	for next := 1; ; {
		for len(ready) > 0 {
			i := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			for wire := range rows[i] {
				if !known[wire] {
					used[i] = true
					e.pivots = append(e.pivots, pivot{i, wire})
					determine(wire)
				}
			}
		}
		for next < inputs && known[next] {
			next++
		}
		if next == inputs {
			break
		}
		e.parameters = append(e.parameters, next)
		determine(next)
	}
	for i := range rows {
		if !used[i] {
			e.checks = append(e.checks, i)
		}
	}
	return e
}

// relations returns a basis of the linear relations between the rows: row -> coefficient.
func (e *elimination) relations(rows []Row) []map[int]fr.Element {
	derivatives := e.derivatives(rows)
	var basis []map[int]fr.Element
	var echelon []checkRow
	for _, i := range e.checks {
		reduced := checkRow{combine(rows[i], derivatives), Row{i: fr.One()}}
		for _, above := range echelon {
			reduced.eliminate(&above)
		}
		if len(reduced.onParameters) > 0 {
			echelon = append(echelon, reduced)
			continue
		}
		basis = append(basis, e.complete(rows, reduced.combination))
	}
	return basis
}

// derivatives expresses each wire in the parameters.
func (e *elimination) derivatives(rows []Row) map[int]Row {
	d := map[int]Row{}
	for _, wire := range e.parameters {
		d[wire] = Row{wire: fr.One()}
	}
	for _, p := range e.pivots {
		rest := Row{}
		for wire, x := range rows[p.row] {
			if wire != p.wire {
				rest[wire] = x
			}
		}
		coefficient := rows[p.row][p.wire]
		coefficient.Inverse(&coefficient).Neg(&coefficient)
		out := Row{}
		for wire, x := range combine(rest, d) {
			x.Mul(&x, &coefficient)
			out[wire] = x
		}
		d[p.wire] = out
	}
	return d
}

func combine(row Row, derivatives map[int]Row) Row {
	out := Row{}
	for wire, factor := range row {
		for parameter, x := range derivatives[wire] {
			x.Mul(&x, &factor)
			out.add(parameter, &x)
		}
	}
	return out
}

// checkRow is a combination of checks, written in the parameters.
type checkRow struct {
	onParameters, combination Row
}

// eliminate subtracts the multiple of an earlier row that cancels that row's first parameter.
func (c *checkRow) eliminate(above *checkRow) {
	lead := 0
	for parameter := range above.onParameters {
		if lead == 0 || parameter < lead {
			lead = parameter
		}
	}
	x, ok := c.onParameters[lead]
	if !ok {
		return
	}
	y := above.onParameters[lead]
	var factor fr.Element
	factor.Div(&x, &y)
	c.onParameters.subtract(above.onParameters, &factor)
	c.combination.subtract(above.combination, &factor)
}

// complete adds pivot rows to a combination of checks that vanishes on the parameters, so that the whole combination
// vanishes.
func (e *elimination) complete(rows []Row, checks Row) map[int]fr.Element {
	relation, rest := map[int]fr.Element{}, Row{}
	minusOne := fr.One()
	minusOne.Neg(&minusOne)
	for i, x := range checks {
		relation[i] = x
		var negative fr.Element
		negative.Mul(&x, &minusOne)
		rest.subtract(rows[i], &negative)
	}
	for k := len(e.pivots) - 1; k >= 0; k-- {
		p := e.pivots[k]
		x, ok := rest[p.wire]
		if !ok {
			continue
		}
		coefficient := rows[p.row][p.wire]
		var factor fr.Element
		factor.Div(&x, &coefficient)
		rest.subtract(rows[p.row], &factor)
		factor.Neg(&factor)
		relation[p.row] = factor
	}
	if len(rest) > 0 {
		panic("redundancy: the relation does not vanish")
	}
	return relation
}
