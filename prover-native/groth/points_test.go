package groth

import (
	"testing"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
)

func TestManyPoints(t *testing.T) {
	const n = pointsAtATime + 3
	g1, g2 := make([]bw6.G1Affine, n), make([]bw6.G2Affine, n)
	first, second := randomPoints(t, "G1", 40), randomPoints(t, "G2", 2)
	for i := range n {
		g1[i], g2[i] = first[i%40], bw6.G2Affine(second[i%2])
	}
	g1[5], g2[5] = bw6.G1Affine{}, bw6.G2Affine{}
	if !InSubgroupG1(g1) || !InSubgroupG2(g2[:300]) || !InSubgroupG1(nil) || !InSubgroupG2(nil) {
		t.Fatal("points of the subgroups are refused")
	}
	for order, p := range cofactorPoints(t, "G1") {
		g1[n-1] = p
		if InSubgroupG1(g1) {
			t.Errorf("a G1 point of order %s is accepted", order)
		}
	}
	for order, p := range cofactorPoints(t, "G2") {
		g2[n-1] = bw6.G2Affine(p)
		if InSubgroupG2(g2) {
			t.Errorf("a G2 point of order %s is accepted", order)
		}
	}
}
