package transfer

import (
	"fmt"
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

// positions are the flags of a path, one pair (left, right) on each level; they need not be bits.
type positions [sanction.Depth][2]int64

// everywhere is the same position on every level.
func everywhere(left, right int64) (p positions) {
	for level := range p {
		p[level] = [2]int64{left, right}
	}
	return p
}

// children are the three children that flags select from a node and its siblings, as in gadgets.Absence.
func children(flags [2]int64, node, s0, s1 fr.Element) [3]fr.Element {
	var left, right fr.Element
	left.SetInt64(flags[0])
	right.SetInt64(flags[1])
	first := sum(s0, product(left, less(node, s0)))
	last := sum(s1, product(right, less(node, s1)))
	return [3]fr.Element{first, less(less(sum(s0, s1, node), first), last), last}
}

// climb puts an absence under random siblings with these flags and returns the node below the top.
func climb(a *gadgets.Absence, flags *positions) fr.Element {
	node := hasher().Leaf(element(a.LowKey), element(a.HighKey))
	for level := range sanction.Depth {
		a.Left[level], a.Right[level] = flags[level][0], flags[level][1]
		if level == sanction.Depth-1 {
			break
		}
		siblings := [2]fr.Element{random(), random()}
		a.Siblings[level] = [2]frontend.Variable{siblings[0], siblings[1]}
		c := children(flags[level], node, siblings[0], siblings[1])
		node = hash.Node3(c[0], c[1], c[2])
	}
	return node
}

// meet gives both absences paths with any flags to one root, which no list has. On the top level the second node is the place
// of the first where the flags of the first leave one: beside its sibling on the left, on the right, or in the middle.
func meet(c *Circuit, a, b *gadgets.Absence, flags positions) {
	const top = sanction.Depth - 1
	other := everywhere(1, 0)
	odd := flags[top]
	switch {
	case odd[0] != 1:
	case odd[1] != 1:
		other = everywhere(0, 1)
	default:
		other = everywhere(0, 0)
	}
	node, second := climb(a, &flags), climb(b, &other)
	s0, s1 := random(), random()
	switch other[top] {
	case [2]int64{1, 0}: // first = s0 + left (node - s0) = second
		s0 = standing(odd[0], node, second)
	case [2]int64{0, 1}:
		s1 = standing(odd[1], node, second)
	default: // first = last = node, so the middle is s0 + s1 - node
		s1 = less(sum(node, second), s0)
	}
	triple := children(odd, node, s0, s1)
	a.Siblings[top] = [2]frontend.Variable{s0, s1}
	switch other[top] {
	case [2]int64{1, 0}:
		b.Siblings[top] = [2]frontend.Variable{triple[1], triple[2]}
	case [2]int64{0, 1}:
		b.Siblings[top] = [2]frontend.Variable{triple[0], triple[1]}
	default:
		b.Siblings[top] = [2]frontend.Variable{triple[0], triple[2]}
	}
	c.Root = hash.Node3(triple[0], triple[1], triple[2])
}

// standing is the sibling s with s + flag (node - s) = want.
func standing(flag int64, node, want fr.Element) fr.Element {
	var f, rest fr.Element
	f.SetInt64(flag)
	rest.SetInt64(1 - flag)
	want = less(want, product(f, node))
	return *want.Div(&want, &rest)
}

// absences are the two absences of a circuit, the one that is looked at first.
func absences(c *Circuit, who int) (a, b *gadgets.Absence) {
	if who == 0 {
		return &c.SenderOut, &c.ReceiverOut
	}
	return &c.ReceiverOut, &c.SenderOut
}

var owners = []string{"T-27 sender", "T-28 recipient"}

// table collects falsehoods.
type table struct {
	t   *testing.T
	all []st.Falsehood
}

func (x *table) add(name string, change func(*scenario), adjust func(c *Circuit, d *derived), lies ...solver.Option) {
	s := scenarioOf(change)
	c, d := s.build(x.t)
	if adjust != nil {
		adjust(c, d)
	}
	x.all = append(x.all, st.Falsehood{Name: name, Circuit: c, Lies: lies})
}

func unchanged(*scenario) {}

// keys are falsehoods about the spend key: every digit of the windows.
func (x *table) keys() {
	for i := range 3 * gadgets.WindowCount {
		x.add(fmt.Sprintf("T-01 digit %d is 2", i), func(s *scenario) { s.digits[i] = 2 }, nil)
	}
}

// recipientZero is refused by the list as well, because the low sentinel is 0. Under a root with a leaf below it, it is not.
func (x *table) recipientZero() {
	x.add("T-03 recipient 0 under a made-up root", replacing("recipient", zero), func(c *Circuit, _ *derived) {
		c.ReceiverOut.LowKey, c.ReceiverOut.HighKey, c.ReceiverOut.Key, c.ReceiverOut.Rest = -1, 1, 0, 0
		meet(c, &c.ReceiverOut, &c.SenderOut, everywhere(0, 0))
	})
}

// zeroTests are falsehoods that need a wrong answer to a zero test, and true statements with an inverse of zero of the
// prover's choice: a loose wire.
func (x *table) zeroTests() {
	noReset := func(s *scenario) { s.period, s.replace["same"] = num(202607), nil }
	x.add("T-11 no reset in a new period", noReset, nil, inverseLie(0, isOne))
	x.add("T-31 payment to another as own", replacing("own", nil), nil, inverseLie(0, notZero))
	x.add("T-11 the inverse of zero is 1", unchanged, nil, inverseLie(1, isZero))
	x.add("T-31 the inverse of zero is 1", func(s *scenario) { s.period, s.toSelf = num(202607), true }, nil, inverseLie(1, isZero))
}

func (x *table) links() {
	x.add("T-29 another a", unchanged, func(c *Circuit, _ *derived) { c.Link.A = random() })
	for i := range LinkedPoints {
		x.add(fmt.Sprintf("T-29 response %d", i), unchanged, func(c *Circuit, _ *derived) { c.Link.Responses[i] = random() })
	}
}

// lists are falsehoods about each path alone.
func (x *table) lists() {
	for who, name := range owners {
		add := func(what string, change func(c *Circuit, d *derived, a *gadgets.Absence)) {
			x.add(name+" "+what, unchanged, func(c *Circuit, d *derived) {
				a, _ := absences(c, who)
				change(c, d, a)
			})
		}
		add("shows another address", func(_ *Circuit, d *derived, a *gadgets.Absence) {
			other := random()
			path, err := d.tree.Path(&other)
			if err != nil {
				x.t.Fatal(err)
			}
			*a = gadgets.NewAbsence(&other, path)
		})
		add("has a low part of 2^95 and more", func(_ *Circuit, _ *derived, a *gadgets.Absence) {
			a.Key = new(big.Int).Sub(integer(a.Key), bigOne)
			a.Rest = new(big.Int).Add(integer(a.Rest), new(big.Int).Lsh(bigOne, sanction.LowBits))
		})
		add("lies below the leaf", func(_ *Circuit, d *derived, a *gadgets.Absence) { leafElsewhere(x.t, d, a, 1) })
		add("lies above the leaf", func(_ *Circuit, d *derived, a *gadgets.Absence) { leafElsewhere(x.t, d, a, -1) })
		add("has another sibling", func(_ *Circuit, _ *derived, a *gadgets.Absence) { bump(&a.Siblings[5][0]) })
		for level := range sanction.Depth {
			for _, flags := range [][2]int64{{-1, 1}, {1, -1}, {1, 1}} {
				add(fmt.Sprintf("has flags %v on level %d", flags, level), func(c *Circuit, _ *derived, _ *gadgets.Absence) {
					odd := everywhere(1, 0)
					odd[level] = flags
					a, b := absences(c, who)
					meet(c, a, b, odd)
				})
			}
		}
	}
}

// manyFalsehoods are the violated statements, which are false in one place and consistent in all others, and what the zero
// tests, the link and the paths add.
func manyFalsehoods(t *testing.T) []st.Falsehood {
	x := &table{t: t}
	for _, v := range violations {
		x.add(v.clause+" "+v.name, v.change, nil)
	}
	x.keys()
	x.recipientZero()
	x.zeroTests()
	x.links()
	x.lists()
	return x.all
}

// Paths that meet in a made-up root are accepted, in every position: so the falsehoods with odd flags are false for their flags.
func honestPositions(t *testing.T) (all []frontend.Circuit) {
	for who := range owners {
		for _, flags := range [][2]int64{{1, 0}, {0, 0}, {0, 1}} {
			c, _ := honest().build(t)
			a, b := absences(c, who)
			meet(c, a, b, everywhere(flags[0], flags[1]))
			system().Accepts(t, c)
			all = append(all, c)
		}
	}
	return all
}

// Each assertion of the definition is left out once: without it one of the falsehoods is accepted. Each selection is fixed to
// each of its arms.
//
//spec:id T-01 T-03 T-04 T-05 T-06 T-07 T-08 T-09 T-10 T-11 T-12 T-13 T-14 T-15 T-20 T-25 T-27 T-28 T-29 T-31
func TestMutationScore(t *testing.T) {
	cases := honestPositions(t)
	for _, tc := range honestCases {
		c, _ := scenarioOf(tc.change).build(t)
		cases = append(cases, c)
	}
	st.MutationScore(t, system(), func() frontend.Circuit { return empty() }, cases, manyFalsehoods(t))
}
