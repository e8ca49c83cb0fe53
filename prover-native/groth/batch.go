package groth

import (
	"math/big"
	"slices"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/multiexp"
)

// Claim is a proof with its public inputs.
type Claim struct {
	Proof  *Proof
	Public []Field
}

// VerifyEach gives every claim the verdict that Verify gives it, except with probability 2^-128. It checks
//
//	prod e(r_i A_i, B_i) = e(alpha, beta)^(sum r_i) e(sum r_i L_i, gamma) e(sum r_i C_i, delta)
//
// with r_i = u_i + lambda v_i for fresh 64-bit u_i, v_i, lambda being the eigenvalue of the curve's endomorphism: 2^128
// distinct weights at half the price. With fixed weights, two wrong proofs could cancel each other out.
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
	alive = filter(alive, verdicts, g1Points(claims, alive), g1InSubgroup)
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

// g1Points returns A and C of each claim of a part.
func g1Points(claims []Claim, part []int) [][]affine {
	all := make([][]affine, len(part))
	for at, i := range part {
		all[at] = []affine{claims[i].Proof.A, claims[i].Proof.C}
	}
	return all
}

func g2Points(claims []Claim, part []int) [][]affine {
	all := make([][]affine, len(part))
	for at, i := range part {
		all[at] = []affine{affine(claims[i].Proof.B)}
	}
	return all
}

// filter returns the claims whose points are in the subgroup and rejects the others. It tests all points at once, and the
// claims one by one only where that fails.
func filter(part []int, verdicts []error, points [][]affine, inSubgroup func([]affine) bool) []int {
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
	a, b     []affine // weighted A, and B
	at       map[int]int
	verdicts []error
	singles  []bw6.GT
	budget   int
}

func (vk *VerifyingKey) newSearch(claims []Claim, part []int, verdicts []error) (*search, error) {
	weights, err := multiexp.DrawWeights(len(part), &endomorphism.lambda)
	if err != nil {
		return nil, err
	}
	s := &search{key: vk, verdicts: verdicts, weights: weights, at: make(map[int]int, len(part)), budget: len(part) / 2}
	for at, i := range part {
		s.at[i] = at
		s.claims = append(s.claims, claims[i])
		s.b = append(s.b, affine(claims[i].Proof.B))
	}
	s.a = weighA(s.claims, weights)
	return s, nil
}

// decide notes the verdicts of a part whose Miller loops have this product.
func (s *search) decide(part []int, value *bw6.GT) {
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
	s.singles = make([]bw6.GT, len(s.a))
	for i := range s.a {
		value, err := bw6.MillerLoop([]bw6.G1Affine{s.a[i]}, []bw6.G2Affine{bw6.G2Affine(s.b[i])})
		if err != nil {
			return fault.New(fault.Internal, "Miller loop")
		}
		s.singles[i] = value
	}
	return nil
}

// holds tests the equation for a part of the batch.
func (s *search) holds(part []int, value *bw6.GT) (bool, error) {
	claims, weights := make([]Claim, len(part)), make([]weight, len(part))
	for at, i := range part {
		claims[at], weights[at] = s.claims[s.at[i]], s.weights[s.at[i]]
	}
	return s.key.equationHolds(claims, weights, value)
}

// equationHolds tests the equation whose left side is the final exponentiation of the value.
func (vk *VerifyingKey) equationHolds(claims []Claim, weights []weight, value *bw6.GT) (bool, error) {
	points, scalars := make([]affine, 0, 2*len(claims)), make([]multiexp.Half, 0, 2*len(claims))
	for i := range claims {
		c := &claims[i].Proof.C
		points = append(points, *c, image(c, &endomorphism.omega))
		scalars = weights[i].AppendHalves(scalars)
	}
	sumC := multiexp.Sums[bw6.G1Jac](new(adder), [][]affine{points}, scalars)[0]
	combined, total := vk.combineInputs(claims, weights)
	fixed := normalise([]bw6.G1Jac{combined, sumC, total})
	lines := append([]lineTable(nil), vk.lines...) // written to by the library's loop
	rest, err := bw6.MillerLoopFixedQ(fixed, append(lines, vk.betaLines))
	if err != nil {
		return false, fault.New(fault.Internal, "Miller loop")
	}
	result := bw6.FinalExponentiation(value, &rest)
	return result.IsOne(), nil
}

// combineInputs returns sum r_i L_i and -sum r_i alpha.
func (vk *VerifyingKey) combineInputs(claims []Claim, weights []weight) (combined, alpha bw6.G1Jac) {
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

// inStepFrom is the batch size from which affine coordinates, with one inversion for each step of all points, are cheaper
// than projective coordinates.
const inStepFrom = 18

// millerOf returns the product of the Miller loops and whether every b is in G2.
func millerOf(a, b []affine) (value bw6.GT, inside bool, err error) {
	if len(a) >= inStepFrom {
		value, inside = millerAll(a, b)
		return value, inside, nil
	}
	if !g2InSubgroup(b) {
		return value, false, nil
	}
	q := make([]bw6.G2Affine, len(b))
	for i := range b {
		q[i] = bw6.G2Affine(b[i])
	}
	if value, err = bw6.MillerLoop(a, q); err != nil {
		return value, false, fault.New(fault.Internal, "Miller loop")
	}
	return value, true, nil
}

// weighA multiplies every A by its weight.
func weighA(claims []Claim, weights []weight) []affine {
	if len(claims) >= inStepFrom {
		return weighInStep(claims, weights)
	}
	all := make([]bw6.G1Jac, len(claims))
	for i := range claims {
		a := &claims[i].Proof.A
		turned := image(a, &endomorphism.omega)
		u, v := new(big.Int).SetUint64(weights[i].U), new(big.Int).SetUint64(weights[i].V)
		all[i].JointScalarMultiplication(a, &turned, u, v)
	}
	return normalise(all)
}

// weighInStep multiplies all A in step, two bits of u and of v at a time.
func weighInStep(claims []Claim, weights []weight) []affine {
	var s adder
	n := len(claims)
	tables := make([][16]affine, n) // a A + b phi(A) at a + 4b
	for i := range claims {
		t := &tables[i]
		t[1] = claims[i].Proof.A
		s.double(&t[2], &t[1])
	}
	s.Flush()
	for i := range tables {
		s.Add(&tables[i][3], &tables[i][2], &tables[i][1])
	}
	s.Flush()
	for i := range tables {
		t := &tables[i]
		for b := 1; b < 4; b++ {
			t[4*b] = image(&t[b], &endomorphism.omega)
			for a := 1; a < 4; a++ {
				s.Add(&t[a+4*b], &t[a], &t[4*b])
			}
		}
	}
	s.Flush()
	sums := make([]affine, n)
	for bit := 62; bit >= 0; bit -= 2 {
		for range 2 {
			s.doubleAll(sums)
		}
		for i := range sums {
			w := &weights[i]
			s.Add(&sums[i], &sums[i], &tables[i][w.U>>bit&3|w.V>>bit&3<<2])
		}
		s.Flush()
	}
	return sums
}
