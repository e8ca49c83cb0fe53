package hash

import (
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Details that differ in one number, or in nothing but how many coins and payments there are, are different.
//
//spec:id O-16
func TestEveryPartOfTheDetailsCounts(t *testing.T) {
	h := New(testNetwork(t))
	payees := []fr.Element{fr.NewElement(8), fr.NewElement(9)}
	seen := map[fr.Element]string{}
	for name, change := range map[string]func(*Details){
		"as it is":           func(*Details) {},
		"the last value":     func(d *Details) { d.Values[3]++ },
		"a value of 64 bits": func(d *Details) { d.Values[2] = 1<<64 - 1 },
		"the last origin":    func(d *Details) { d.Origins[3] = OriginOwn },
		"the last amount":    func(d *Details) { d.Paid[1]++ },
		"payees exchanged":   func(d *Details) { d.Payees[0], d.Payees[1] = d.Payees[1], d.Payees[0] },
		"coins exchanged":    func(d *Details) { d.Values[0], d.Values[1] = d.Values[1], d.Values[0] },
		"a coin of 0 more":   func(d *Details) { d.Values, d.Origins = append(d.Values, 0), append(d.Origins, 0) },
		"a coin less":        func(d *Details) { d.Values, d.Origins = d.Values[:3], d.Origins[:3] },
		"a payment less":     func(d *Details) { d.Paid, d.Payees = d.Paid[:1], d.Payees[:1] },
	} {
		d := &Details{[]uint64{1, 2, 3, 4}, []Origin{0, 1, 2, 0}, []uint64{5, 6}, slices.Clone(payees)}
		change(d)
		out := h.Details(d)
		if other, dup := seen[out]; dup {
			t.Errorf("%s and %s agree", name, other)
		}
		seen[out] = name
	}
}

// The first two outputs have the randomness that statements of two outputs have, and no two outputs have the same.
//
//spec:id O-11
func TestOutputRhos(t *testing.T) {
	h := New(testNetwork(t))
	seed, d := fr.NewElement(1), fr.NewElement(2)
	all := h.OutputRhos(9, seed, d)
	if rho0, rho1 := h.Rhos(seed, d); all[0] != rho0 || all[1] != rho1 {
		t.Error("the first two outputs differ")
	}
	for i := range all {
		if slices.Contains(all[:i], all[i]) {
			t.Errorf("output %d repeats another", i)
		}
	}
}
