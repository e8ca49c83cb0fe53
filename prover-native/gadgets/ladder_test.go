package gadgets

import (
	"math/big"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/internal/circuittest"
)

type ladderCircuit struct {
	Q      sw.G1Affine
	S1, S2 frontend.Variable
	W      Windows
	R      sw.G1Affine `gnark:",public"`
}

func (c *ladderCircuit) Define(api frontend.API) error {
	AssertPointsEqual(api, Ladder(api, c.Q, c.S1, c.S2, &c.W), c.R)
	return nil
}

func randomScalar() (s blsfr.Element) {
	s.MustSetRandom()
	return s
}

func times(p *bls12377.G1Affine, s *big.Int) (q bls12377.G1Affine) {
	q.ScalarMultiplication(p, s)
	return q
}

func timesBase(s *blsfr.Element) (q bls12377.G1Affine) {
	q.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	return q
}

func randomPoint() bls12377.G1Affine {
	s := randomScalar()
	return timesBase(&s)
}

// ladderAssignment is (s1 + lambda s2) q + b g1, computed natively.
func ladderAssignment(q bls12377.G1Affine, s1, s2 *big.Int, b blsfr.Element) *ladderCircuit {
	m := new(big.Int).Mul(s2, lambda)
	r, shift := times(&q, m.Add(m, s1).Mod(m, groupOrder)), timesBase(&b)
	r.Add(&r, &shift)
	return &ladderCircuit{Q: sw.NewG1Affine(q), S1: s1, S2: s2, W: RecodeWindows(&b), R: sw.NewG1Affine(r)}
}

func halves(m *blsfr.Element) (s1, s2 *big.Int) {
	s2, s1 = new(big.Int).DivMod(m.BigInt(new(big.Int)), lambda, new(big.Int))
	return s1, s2
}

// scalars are the values at which ladders fail.
func scalars() []blsfr.Element {
	var out []blsfr.Element
	for _, x := range []int64{0, 1, 2, 3, 7, 8, -1, -2} {
		var e blsfr.Element
		out = append(out, *e.SetInt64(x))
	}
	for _, x := range []*big.Int{lambda, new(big.Int).Add(lambda, big.NewInt(1)), new(big.Int).Sub(lambda, big.NewInt(1)),
		new(big.Int).Lsh(big.NewInt(1), 126), new(big.Int).Rsh(groupOrder, 1)} {
		var e blsfr.Element
		out = append(out, *e.SetBigInt(x))
	}
	return append(out, randomScalar(), randomScalar())
}

//spec:id G-05
func TestLadder(t *testing.T) {
	s := circuittest.Compile(t, &ladderCircuit{})
	if got := s.GetNbConstraints(); got != 2093 {
		t.Errorf("%d constraints, want 2093", got)
	}
	for _, m := range scalars() {
		for _, b := range []blsfr.Element{{}, blsfr.One(), randomScalar()} {
			s1, s2 := halves(&m)
			c := ladderAssignment(randomPoint(), s1, s2, b)
			if m.IsZero() && b.IsZero() {
				s.Refuses(t, c) // the result would be O
				continue
			}
			s.Accepts(t, c)
			if free := s.Undetermined(t, c); len(free) != 0 {
				t.Errorf("m = %v, b = %v: undetermined wires %v", &m, &b, free)
			}
		}
	}
}

// The base g1 makes the variable and the fixed part meet: sums that cancel on the way and at the end.
func TestLadderOnItsOwnGenerator(t *testing.T) {
	s := circuittest.Compile(t, &ladderCircuit{})
	_, _, g1, _ := bls12377.Generators()
	for _, m := range scalars() {
		if m.IsZero() {
			continue
		}
		s1, s2 := halves(&m)
		same := ladderAssignment(g1, s1, s2, m)
		s.Accepts(t, same)
		if free := s.Undetermined(t, same); len(free) != 0 {
			t.Errorf("m = b = %v: undetermined wires %v", &m, free)
		}
		var opposite blsfr.Element
		opposite.Neg(&m)
		s.Refuses(t, ladderAssignment(g1, s1, s2, opposite)) // O
	}
}

// Halves over the whole range, also those no honest scalar has.
//
//spec:id G-05
func TestLadderHalves(t *testing.T) {
	s := circuittest.Compile(t, &ladderCircuit{})
	top := new(big.Int).Lsh(big.NewInt(1), halfBits)
	last := new(big.Int).Sub(top, big.NewInt(1))
	zero, b := new(big.Int), randomScalar()
	for _, h := range [][2]*big.Int{{zero, last}, {last, zero}, {last, last}, {zero, big.NewInt(1)}, {big.NewInt(1), zero}} {
		s.Accepts(t, ladderAssignment(randomPoint(), h[0], h[1], b))
	}
	for _, h := range [][2]*big.Int{{top, zero}, {zero, top}, {big.NewInt(-1), zero}, {zero, big.NewInt(-1)}} {
		s.Refuses(t, ladderAssignment(randomPoint(), h[0], h[1], b))
	}
}

func TestLadderRefusesWrongResults(t *testing.T) {
	s := circuittest.Compile(t, &ladderCircuit{})
	m := randomScalar()
	s1, s2 := halves(&m)
	honest := ladderAssignment(randomPoint(), s1, s2, randomScalar())
	wrong := map[string]frontend.Circuit{}
	for name, r := range map[string]sw.G1Affine{
		"another point": sw.NewG1Affine(randomPoint()), "T": {X: 0, Y: 1}, "-T": {X: 0, Y: -1}, "(0, 0)": {X: 0, Y: 0},
	} {
		c := *honest
		c.R = r
		wrong[name] = &c
		s.Refuses(t, &c)
	}
	other := *honest
	other.W[1] = 2
	wrong["digit 2"] = &other
	s.Refuses(t, &other)
	s.DishonestHints(t, honest, wrong)
}

// Base points outside G1 leave wires loose or make the ladder unsatisfiable. That is why the validator checks them; this
// test records what would happen, so that the documentation stays true.
func TestLadderNeedsBasesInTheGroup(t *testing.T) {
	s := circuittest.Compile(t, &ladderCircuit{})
	m, b := randomScalar(), randomScalar()
	s1, s2 := halves(&m)
	c := ladderAssignment(randomPoint(), s1, s2, b)
	for name, q := range map[string]sw.G1Affine{"T": {X: 0, Y: 1}, "(0, 0)": {X: 0, Y: 0}, "(-1, 0) of order 2": {X: -1, Y: 0}} {
		c.Q = q
		if _, err := s.Solve(t, c); err == nil {
			t.Errorf("%s as base gives the honest result", name)
		}
	}
}

type fixedBaseCircuit struct {
	P sw.G1Affine
	W Windows
	R sw.G1Affine `gnark:",public"`
}

func (c *fixedBaseCircuit) Define(api frontend.API) error {
	AssertPointsEqual(api, AddFixedBase(api, c.P, &c.W), c.R)
	return nil
}

//spec:id G-04
func TestAddFixedBase(t *testing.T) {
	s := circuittest.Compile(t, &fixedBaseCircuit{})
	_, _, g1, _ := bls12377.Generators()
	for _, b := range scalars() {
		for _, p := range []bls12377.G1Affine{g1, randomPoint()} {
			r, shift := p, timesBase(&b)
			r.Add(&r, &shift)
			c := &fixedBaseCircuit{P: sw.NewG1Affine(p), W: RecodeWindows(&b), R: sw.NewG1Affine(r)}
			if r.IsInfinity() {
				s.Refuses(t, c)
				continue
			}
			s.Accepts(t, c)
			if free := s.Undetermined(t, c); len(free) != 0 {
				t.Errorf("undetermined wires %v", free)
			}
			c.R = sw.NewG1Affine(randomPoint())
			s.Refuses(t, c)
		}
	}
}

// A scalar and its windows are the same number modulo r, and the windows are bits.
//
//spec:id G-03
func TestRecodeWindows(t *testing.T) {
	for range 50 {
		for _, s := range scalars() {
			w := RecodeWindows(&s)
			sum, power := new(big.Int), big.NewInt(1)
			for i := 0; i < len(w); i += 3 {
				digit := int64(1 + 2*w[i].(int) + 4*w[i+1].(int))
				for _, bit := range w[i : i+3] {
					if b := bit.(int); b != 0 && b != 1 {
						t.Fatalf("digit %d is no bit", b)
					}
				}
				if w[i+2].(int) == 1 {
					digit = -digit
				}
				sum.Add(sum, new(big.Int).Mul(big.NewInt(digit), power))
				power.Lsh(power, 3)
			}
			if sum.Mod(sum, groupOrder).Cmp(s.BigInt(new(big.Int))) != 0 {
				t.Fatalf("windows of %v are another scalar", &s)
			}
		}
	}
}
