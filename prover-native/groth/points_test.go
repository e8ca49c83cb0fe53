package groth

import (
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

func TestManyPoints(t *testing.T) {
	const n = pointsAtATime + 3
	first, second := make([]bls.G1Affine, n), make([]bls.G2Affine, n)
	some, others := randomG1(t, 40), randomG2(t, 2)
	for i := range n {
		first[i], second[i] = some[i%40], others[i%2]
	}
	first[5], second[5] = bls.G1Affine{}, bls.G2Affine{}
	if !InSubgroupG1(first) || !InSubgroupG2(second[:300]) || !InSubgroupG1(nil) || !InSubgroupG2(nil) {
		t.Fatal("points of the subgroups are refused")
	}
	for _, at := range []int{0, n - 1} {
		good := first[at]
		if first[at] = outsideSubgroup(t); InSubgroupG1(first) {
			t.Errorf("a G1 point outside the subgroup is accepted at %d", at)
		}
		first[at] = good
	}
	for order, q := range cofactorPoints(t) {
		second[n-1] = q
		if InSubgroupG2(second) {
			t.Errorf("a G2 point of order %s is accepted", order)
		}
	}
}
