package groth

import (
	"math/big"
	"slices"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/multiexp"
)

// lambda is the eigenvalue of the endomorphism of G1.
var lambda = g1.Lambda()

type weight = multiexp.Weight[Field]

// Claim is a proof with its public inputs.
type Claim struct {
	Proof  *Proof
	Public []Field
	// InG1 says that the caller tested the subgroup of A and C, together with other points.
	InG1 bool
}

// VerifyEach gives every claim the verdict that Verify gives it, except with probability 2^-128. It checks
//
//	prod e(r_i A_i, B_i) = e(alpha, beta)^(sum r_i) e(sum r_i L_i, gamma) e(sum r_i C_i, delta)
//
// with r_i = u_i + lambda v_i for fresh 64-bit u_i, v_i, lambda > 2^64 being the eigenvalue of the curve's endomorphism: 2^128
// distinct weights below r at half the price. With fixed weights, two wrong proofs could cancel each other out.
//
// Where the equation fails, a search finds the wrong proofs (type search). VerifyEach starts no goroutine.
func (vk *VerifyingKey) VerifyEach(claims []Claim) []error {
	verdicts := make([]error, len(claims))
	alive := make([]int, 0, len(claims))
	for i := range claims {
		if verdicts[i] = vk.checkCount(claims[i].Public); verdicts[i] == nil {
			alive = append(alive, i)
		}
	}
	if len(alive) == 1 {
		only := &claims[alive[0]]
		verdicts[alive[0]] = vk.Verify(only.Proof, only.Public)
		return verdicts
	}
	alive = filter(alive, verdicts, g1Points(claims, alive), g1.InSubgroup)
	for len(alive) > 0 {
		s, err := vk.newSearch(claims, alive, verdicts)
		if err != nil {
			fill(verdicts, alive, err)
			break
		}
		value, inside, err := millerOf(s.a, s.b)
		if err != nil {
			fill(verdicts, alive, err)
			break
		}
		if inside {
			s.decide(alive, &value)
			break
		}
		left := filter(alive, verdicts, g2Points(claims, alive), g2InSubgroup)
		if len(left) == len(alive) { // the two tests are exact and agree
			fill(verdicts, alive, fault.New(fault.Internal, "subgroup of B"))
			break
		}
		alive = left
	}
	return verdicts
}

func (vk *VerifyingKey) checkCount(public []Field) error {
	if len(public) != vk.PublicInputs() {
		return fault.Newf(fault.KeysPublicInputs, "%d given, %d needed", len(public), vk.PublicInputs())
	}
	return nil
}

// g1Points returns A and C of each claim of a part, where they are not known to be in their subgroup.
func g1Points(claims []Claim, part []int) [][]*bls.G1Affine {
	all := make([][]*bls.G1Affine, len(part))
	for at, i := range part {
		if !claims[i].InG1 {
			all[at] = claims[i].Proof.PointsG1()
		}
	}
	return all
}

func g2Points(claims []Claim, part []int) [][]*bls.G2Affine {
	all := make([][]*bls.G2Affine, len(part))
	for at, i := range part {
		all[at] = []*bls.G2Affine{&claims[i].Proof.B}
	}
	return all
}

// filter returns the claims whose points are in the subgroup and rejects the others. It tests all points at once, and the
// claims one by one only where that fails.
func filter[P any](part []int, verdicts []error, points [][]*P, inSubgroup func([]*P) bool) []int {
	if inSubgroup(slices.Concat(points...)) {
		return part
	}
	var left []int
	for at, i := range part {
		if inSubgroup(points[at]) {
			left = append(left, i)
		} else {
			verdicts[i] = fault.New(fault.ProofInvalid, "")
		}
	}
	return left
}

func fill(verdicts []error, part []int, err error) {
	for _, i := range part {
		verdicts[i] = err
	}
}

// search finds the wrong proofs among proofs whose points are all in their subgroups. Where a batch fails, the Miller loop of
// every proof runs once by itself. After that, testing any part of the batch costs one final exponentiation and one
// combination of public inputs, whatever its size. Parts are halved. After half as many tests as there are proofs, the
// remaining proofs are tested one by one. So a batch never costs more than 1.5 times its proofs one by one, plus the first
// test of the whole batch.
type search struct {
	key      *VerifyingKey
	claims   []Claim
	weights  []weight
	a        []bls.G1Affine // weighted A
	b        []bls.G2Affine
	at       map[int]int
	verdicts []error
	singles  []bls.GT
	budget   int
}

func (vk *VerifyingKey) newSearch(claims []Claim, part []int, verdicts []error) (*search, error) {
	weights, err := multiexp.DrawWeights(len(part), &lambda)
	if err != nil {
		return nil, err
	}
	s := &search{key: vk, verdicts: verdicts, weights: weights, at: make(map[int]int, len(part)), budget: len(part) / 2}
	for at, i := range part {
		s.at[i] = at
		s.claims = append(s.claims, claims[i])
		s.b = append(s.b, claims[i].Proof.B)
	}
	s.a = weighA(s.claims, weights)
	return s, nil
}

// decide notes the verdicts of a part whose Miller loops have this product.
func (s *search) decide(part []int, value *bls.GT) {
	holds, err := s.holds(part, value)
	if err != nil {
		fill(s.verdicts, part, err)
	} else if !holds {
		s.bisect(part)
	}
}

// bisect notes the verdicts of a part that is known to fail. Where the first half holds, the second half must fail and is not
// tested.
func (s *search) bisect(part []int) {
	if len(part) == 1 {
		s.verdicts[part[0]] = fault.New(fault.ProofInvalid, "")
		return
	}
	if s.budget <= 0 {
		for i := range part {
			s.test(part[i : i+1])
		}
		return
	}
	first, second := part[:len(part)/2], part[len(part)/2:]
	s.test(first)
	for _, i := range first {
		if s.verdicts[i] != nil {
			s.test(second)
			return
		}
	}
	s.bisect(second)
}

// test notes the verdicts of a part of the batch. It spends one test of the budget.
func (s *search) test(part []int) {
	if s.singles == nil {
		if err := s.runSingles(); err != nil {
			fill(s.verdicts, part, err)
			return
		}
	}
	s.budget--
	value := s.singles[s.at[part[0]]]
	for _, i := range part[1:] {
		value.Mul(&value, &s.singles[s.at[i]])
	}
	s.decide(part, &value)
}

func (s *search) runSingles() error {
	s.singles = make([]bls.GT, len(s.a))
	for i := range s.a {
		value, err := bls.MillerLoop(s.a[i:i+1], s.b[i:i+1])
		if err != nil {
			return fault.New(fault.Internal, "Miller loop")
		}
		s.singles[i] = value
	}
	return nil
}

// holds tests the equation for a part of the batch.
func (s *search) holds(part []int, value *bls.GT) (bool, error) {
	claims, weights := make([]Claim, len(part)), make([]weight, len(part))
	for at, i := range part {
		claims[at], weights[at] = s.claims[s.at[i]], s.weights[s.at[i]]
	}
	return s.key.equationHolds(claims, weights, value)
}

// equationHolds tests the equation whose left side is the final exponentiation of the value.
func (vk *VerifyingKey) equationHolds(claims []Claim, weights []weight, value *bls.GT) (bool, error) {
	points, scalars := make([]bls.G1Affine, 0, 2*len(claims)), make([]multiexp.Half, 0, 2*len(claims))
	for i := range claims {
		c := &claims[i].Proof.C
		points = append(points, *c, g1.Image(c))
		scalars = weights[i].AppendHalves(scalars)
	}
	sumC := multiexp.Sums[bls.G1Jac](new(g1.Adder), [][]bls.G1Affine{points}, scalars)[0]
	combined, total := vk.combineInputs(claims, weights)
	fixed := g1.Normalise([]bls.G1Jac{combined, sumC, total})
	lines := append([]lineTable(nil), vk.lines...) // written to by the library's loop
	rest, err := bls.MillerLoopFixedQ(fixed, append(lines, vk.betaLines))
	if err != nil {
		return false, fault.New(fault.Internal, "Miller loop")
	}
	result := bls.FinalExponentiation(value, &rest)
	return result.IsOne(), nil
}

// combineInputs returns sum r_i L_i and -sum r_i alpha.
func (vk *VerifyingKey) combineInputs(claims []Claim, weights []weight) (combined, alpha bls.G1Jac) {
	scalars := make([]Field, len(vk.inputs))
	var term Field
	for i := range claims {
		scalars[0].Add(&scalars[0], &weights[i].Value)
		for j := range claims[i].Public {
			term.Mul(&weights[i].Value, &claims[i].Public[j])
			scalars[j+1].Add(&scalars[j+1], &term)
		}
	}
	table := vk.table()
	return table[:len(scalars)].combine(scalars), table[len(scalars):].combine(scalars[:1])
}

// Batch sizes from which affine coordinates, with one inversion for each step of all points, are cheaper than projective
// coordinates.
const (
	millerInStepFrom = 6
	weighInStepFrom  = 32
)

// millerOf returns the product of the Miller loops and whether every b is in G2.
func millerOf(a []bls.G1Affine, b []bls.G2Affine) (value bls.GT, inside bool, err error) {
	if len(a) >= millerInStepFrom {
		value, inside = millerAll(a, b)
		return value, inside, nil
	}
	return millerEach(a, b)
}

// millerEach is millerOf by the library.
func millerEach(a []bls.G1Affine, b []bls.G2Affine) (value bls.GT, inside bool, err error) {
	for i := range b {
		if !b[i].IsInSubGroup() {
			return value, false, nil
		}
	}
	if value, err = bls.MillerLoop(a, b); err != nil {
		return value, false, fault.New(fault.Internal, "Miller loop")
	}
	return value, true, nil
}

// weighA multiplies every A by its weight.
func weighA(claims []Claim, weights []weight) []bls.G1Affine {
	if len(claims) >= weighInStepFrom {
		return weighInStep(claims, weights)
	}
	all := make([]bls.G1Jac, len(claims))
	for i := range claims {
		a := &claims[i].Proof.A
		turned := g1.Image(a)
		u, v := new(big.Int).SetUint64(weights[i].U), new(big.Int).SetUint64(weights[i].V)
		all[i].JointScalarMultiplication(a, &turned, u, v)
	}
	return g1.Normalise(all)
}

// weighInStep multiplies all A in step, two bits of u and of v at a time.
func weighInStep(claims []Claim, weights []weight) []bls.G1Affine {
	var s g1.Adder
	n := len(claims)
	tables := make([][16]bls.G1Affine, n) // a A + b phi(A) at a + 4b
	for i := range claims {
		t := &tables[i]
		t[1] = claims[i].Proof.A
		s.Double(&t[2], &t[1])
	}
	s.Flush()
	for i := range tables {
		s.Add(&tables[i][3], &tables[i][2], &tables[i][1])
	}
	s.Flush()
	for i := range tables {
		t := &tables[i]
		for b := 1; b < 4; b++ {
			t[4*b] = g1.Image(&t[b])
			for a := 1; a < 4; a++ {
				s.Add(&t[a+4*b], &t[a], &t[4*b])
			}
		}
	}
	s.Flush()
	sums := make([]bls.G1Affine, n)
	for bit := 62; bit >= 0; bit -= 2 {
		for range 2 {
			s.DoubleAll(sums)
		}
		for i := range sums {
			w := &weights[i]
			s.Add(&sums[i], &sums[i], &tables[i][w.U>>bit&3|w.V>>bit&3<<2])
		}
		s.Flush()
	}
	return sums
}
