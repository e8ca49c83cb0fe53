package groth

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

func edgeScalars(t testing.TB) []Field {
	t.Helper()
	minusOne := new(big.Int).Sub(fr.Modulus(), big.NewInt(1))
	var all []Field
	for _, n := range []*big.Int{
		big.NewInt(0), big.NewInt(1), big.NewInt(16), big.NewInt(17), big.NewInt(31), big.NewInt(32), big.NewInt(33),
		big.NewInt(63), big.NewInt(64), minusOne,
		new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 64), big.NewInt(1)), new(big.Int).Rsh(minusOne, 1),
		new(big.Int).Lsh(big.NewInt(1), 254),
	} {
		var e Field
		e.SetBigInt(n)
		all = append(all, e)
	}
	for range 20 {
		var e Field
		_, err := e.SetRandom()
		must(t, err)
		all = append(all, e)
	}
	return all
}

func TestRecodedScalarsKeepTheirValue(t *testing.T) {
	for _, e := range edgeScalars(t) {
		sum := new(big.Int)
		digits := recodeField(&e)
		for w := len(digits) - 1; w >= 0; w-- {
			sum.Lsh(sum, windowBits).Add(sum, big.NewInt(int64(digits[w])))
			if digits[w] > windowSize || digits[w] <= -windowSize {
				t.Fatalf("digit %d", digits[w])
			}
		}
		if sum.Cmp(e.BigInt(new(big.Int))) != 0 {
			t.Fatalf("%v became %v", e.String(), sum)
		}
	}
}

func TestTableAgreesWithTheLibrary(t *testing.T) {
	scalars := edgeScalars(t)
	_, _, g, _ := bls.Generators()
	points := bls.BatchScalarMultiplicationG1(&g, scalars[1:])
	points = append(points, g)
	table := newInputTable(points)
	combined := table.combine(scalars)
	var got, want bls.G1Affine
	got.FromJacobian(&combined)
	_, err := want.MultiExp(points, scalars, ecc.MultiExpConfig{})
	must(t, err)
	if !got.Equal(&want) {
		t.Fatal("the table gives another sum")
	}
	for i := range scalars { // each alone, equal and opposite points included
		combined := table[i : i+1].combine(scalars[i : i+1])
		got.FromJacobian(&combined)
		want.ScalarMultiplication(&points[i], scalars[i].BigInt(new(big.Int)))
		if !got.Equal(&want) {
			t.Fatalf("scalar %v", scalars[i].String())
		}
	}
}
