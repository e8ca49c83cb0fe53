package hash

import (
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"
)

// detailsPerElement is how many coins, or how many amounts, one element of the details has.
const detailsPerElement = 3

// Bits of a coin in the details, its value and its origin, and of an amount that is paid (O-16).
const (
	detailsCoinBits = 66
	detailsPaidBits = 64
)

// detailsPayeesShift is the offset of the number of payments in the capacity lane, above that of coins.
const detailsPayeesShift = 8

// maxDetails bounds the elements that details have: a third of 255 coins, a third of 255 amounts, 255 payees.
const maxDetails = 85 + 85 + 255

// Details are the coins that a transfer of many claims, and its payments. Origins has a place for each value, and Payees for each
// amount that is paid.
type Details struct {
	Values  []uint64
	Origins []Origin
	Paid    []uint64
	Payees  []fr.Element
}

// Details is what the history entry of a transfer of many has in the place of the payee.
//
//spec:id O-16
func (h *Hasher) Details(d *Details) fr.Element {
	coins, paid := make([]fr.Element, thirds(len(d.Values))), make([]fr.Element, thirds(len(d.Paid)))
	for i := range d.Values {
		at, shift := place(i, detailsCoinBits)
		addShifted(&coins[at], d.Values[i], shift)
		addShifted(&coins[at], uint64(d.Origins[i]), shift+CoinOriginShift)
	}
	for j := range d.Paid {
		at, shift := place(j, detailsPaidBits)
		addShifted(&paid[at], d.Paid[j], shift)
	}
	return h.Sum(TagDetails, fr.NewElement(detailsShape(len(d.Values), len(d.Paid))), slices.Concat(coins, paid, d.Payees)...)
}

// DetailsVars are Details in a circuit.
type DetailsVars struct{ Values, Origins, Paid, Payees []frontend.Variable }

// Details is O-16 in the circuit; the caller range-checks the values and amounts to 64 bits and the origins to two.
func (h *Circuit) Details(d *DetailsVars) frontend.Variable {
	in := make([]frontend.Variable, thirds(len(d.Values))+thirds(len(d.Paid)))
	for i := range in {
		in[i] = 0
	}
	coins, paid := in[:thirds(len(d.Values))], in[thirds(len(d.Values)):]
	for i := range d.Values {
		at, shift := place(i, detailsCoinBits)
		coin := h.api.Add(d.Values[i], h.shift(d.Origins[i], CoinOriginShift))
		coins[at] = h.api.Add(coins[at], h.shift(coin, uint(shift)))
	}
	for j := range d.Paid {
		at, shift := place(j, detailsPaidBits)
		paid[at] = h.api.Add(paid[at], h.shift(d.Paid[j], uint(shift)))
	}
	return h.sum(TagDetails, detailsShape(len(d.Values), len(d.Paid)), slices.Concat(in, d.Payees)...)
}

func thirds(n int) int { return (n + detailsPerElement - 1) / detailsPerElement }

// place is where the i-th of many numbers is: the element, and the shift in it.
func place(i, bits int) (at, shift int) { return i / detailsPerElement, bits * (i % detailsPerElement) }

func detailsShape(coins, payees int) uint64 {
	return uint64(coins) + uint64(payees)<<detailsPayeesShift
}
