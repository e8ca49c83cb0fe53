package statementtest

import (
	"math/big"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/jubjub"
)

// multiples are B, 3 B, 5 B and 7 B times 8^i.
var multiples = sync.OnceValue(func() (table [gadgets.WindowCount][4]jubjub.Point) {
	step, base := big.NewInt(1), jubjub.Base()
	for i := range table {
		for j := range table[i] {
			table[i][j].ScalarMultiplication(&base, new(big.Int).Mul(step, big.NewInt(int64(2*j+1))))
		}
		step.Lsh(step, 3)
	}
	return table
})

// AddWindows is what gadgets.AddFixedBase computes from windows whose digits need not be bits (G-04): with digits that are
// none the result is on no curve.
func AddWindows(t testing.TB, p jubjub.Point, w *gadgets.Windows) jubjub.Point {
	t.Helper()
	table := multiples()
	for i, entry := range table {
		b0, b1, sign := element(t, w[3*i]), element(t, w[3*i+1]), element(t, w[3*i+2])
		var x [4]fr.Element
		var y [4]fr.Element
		for j := range entry {
			x[j], y[j] = entry[j].X, entry[j].Y
		}
		factor := fr.One()
		factor.Sub(&factor, sign.Double(&sign))
		q := jubjub.Point{X: selected(x, b0, b1), Y: selected(y, b0, b1)}
		q.X.Mul(&q.X, &factor)
		p = jubjub.Add(p, q)
	}
	return p
}

// selected is v_0 (1-b0)(1-b1) + v_1 b0 (1-b1) + v_2 (1-b0) b1 + v_3 b0 b1.
func selected(v [4]fr.Element, b0, b1 fr.Element) (sum fr.Element) {
	one := fr.One()
	var not0, not1 fr.Element
	not0.Sub(&one, &b0)
	not1.Sub(&one, &b1)
	for j, factors := range [][2]fr.Element{{not0, not1}, {b0, not1}, {not0, b1}, {b0, b1}} {
		v[j].Mul(&v[j], &factors[0]).Mul(&v[j], &factors[1])
		sum.Add(&sum, &v[j])
	}
	return sum
}
