package suite

import "crypto/rand"

// Membership in the subgroup of order r of E(Fp), for points that are on the curve.
//
// One point: P is in the subgroup exactly when P + x^2 phi(P) = O, phi being the endomorphism. The map 1 + x^2 phi has degree
// 1 - x^2 + x^4 = r, so its kernel has r points, and the subgroup lies in it.
//
// Many points: E(Fp) is the direct sum of the subgroup and a group of order h, h = (x-1)^2 / 3 being divisible by 2, 3, 7, 13
// and 499 only. Each round adds up a fresh random half of the points and tests the sum. Let some point have a component other
// than zero in the second summand. For any choice of the other points, at most one of the two sums (with and without this
// point) has no such component. So a round misses the point with probability at most 1/2, and all rounds with at most
// 2^-128. Random multiples instead of random halves would not be better: a multiple by a factor of h loses components too.
const (
	subgroupRounds = 128
	// subgroupBatchFrom is the number of points from which the rounds are cheaper than one test for each point.
	subgroupBatchFrom = 192
	// subsetOf is how many points share a table of all their sums. A round takes one of these sums.
	subsetOf = 6
	// subsetTables is how many tables are computed at a time: enough to share inversions, few enough for the processor's
	// cache.
	subsetTables = 32
)

// InSubgroup reports whether all points, which are on the curve, are in the subgroup. It errs with probability 2^-128.
func InSubgroup(points []*G1) bool {
	if len(points) < subgroupBatchFrom {
		return eachInSubgroup(points)
	}
	sums, err := randomSums(points)
	if err != nil {
		return false
	}
	return eachInSubgroup(sums)
}

func eachInSubgroup(points []*G1) bool {
	for _, p := range points {
		if !p.IsInSubGroup() {
			return false
		}
	}
	return true
}

// randomSums returns the sums of as many random subsets as there are rounds.
func randomSums(points []*G1) ([]*G1, error) {
	sums := make([]G1, subgroupRounds)
	groups := (len(points) + subsetOf - 1) / subsetOf
	choices := make([]byte, groups*subgroupRounds)
	if _, err := rand.Read(choices); err != nil {
		return nil, err
	}
	var s adder
	tables := make([][1 << subsetOf]G1, min(groups, subsetTables))
	for start := 0; start < groups; start += subsetTables {
		n := min(subsetTables, groups-start)
		s.subsetSums(tables[:n], points[start*subsetOf:])
		for g := range n {
			for r := range sums {
				s.Add(&sums[r], &sums[r], &tables[g][choices[(start+g)*subgroupRounds+r]&(1<<subsetOf-1)])
			}
			s.Flush()
		}
	}
	all := make([]*G1, len(sums))
	for r := range sums {
		all[r] = &sums[r]
	}
	return all, nil
}

// subsetSums fills each table with the sums of all subsets of its points. Missing points count as the identity.
func (s *adder) subsetSums(tables [][1 << subsetOf]G1, points []*G1) {
	for j := range subsetOf {
		for g := range tables {
			var p G1
			if at := g*subsetOf + j; at < len(points) {
				p = *points[at]
			}
			tables[g][0] = G1{}
			tables[g][1<<j] = p
			for m := 1; m < 1<<j; m++ {
				s.Add(&tables[g][1<<j+m], &tables[g][m], &tables[g][1<<j])
			}
		}
		s.Flush()
	}
}
