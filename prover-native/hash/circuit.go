package hash

import (
	"math/big"

	"github.com/consensys/gnark/frontend"
)

// Circuit computes the same hashes inside a circuit. Each method repeats the equation of its native counterpart. The CALLER
// range-checks every integer that is packed.
type Circuit struct {
	api  frontend.API
	net  NetworkTag
	keys [FullRounds + PartialRounds][]*big.Int
}

// ComplianceVars is the opening of a compliance coin in a circuit.
type ComplianceVars struct {
	Apk, Rho, Period, Sent, Count, Held, Com frontend.Variable
}

// EntryVars is one history entry in a circuit.
type EntryVars struct {
	Com, Paid, In1, In2, Withdraw, Origin1, Origin2, Escrow, Period, Counterparty, R frontend.Variable
}

// NewCircuit returns the in-circuit hasher of a network. The network is a constant of the circuit.
func NewCircuit(api frontend.API, net NetworkTag) *Circuit {
	h := &Circuit{api: api, net: net}
	for round := range roundKeys {
		for lane := range roundKeys[round] {
			h.keys[round] = append(h.keys[round], roundKeys[round][lane].BigInt(new(big.Int)))
		}
	}
	return h
}

func (h *Circuit) sponge(tag Tag, packed frontend.Variable, in ...frontend.Variable) (out, second frontend.Variable) {
	mustArity(tag, len(in))
	state := []frontend.Variable{h.api.Add(packed, capacity(h.net, tag)), 0, 0}
	for i := 0; i < len(in); i += 2 {
		state[1] = h.api.Add(state[1], in[i])
		if i+1 < len(in) {
			state[2] = h.api.Add(state[2], in[i+1])
		}
		h.permute(state)
	}
	return state[1], state[2]
}

func (h *Circuit) sum(tag Tag, packed frontend.Variable, in ...frontend.Variable) frontend.Variable {
	out, _ := h.sponge(tag, packed, in...)
	return out
}

// permute is the permutation: three constraints for each S-box, the matrices are free.
func (h *Circuit) permute(s []frontend.Variable) {
	h.outer(s)
	for _, keys := range h.keys {
		for lane, key := range keys {
			x := h.api.Add(s[lane], key)
			square := h.api.Mul(x, x)
			s[lane] = h.api.Mul(h.api.Mul(square, square), x)
		}
		if len(keys) == Width {
			h.outer(s)
		} else {
			h.inner(s)
		}
	}
}

func (h *Circuit) outer(s []frontend.Variable) {
	sum := h.api.Add(s[0], s[1], s[2])
	for lane := range s {
		s[lane] = h.api.Add(s[lane], sum)
	}
}

func (h *Circuit) inner(s []frontend.Variable) {
	last := s[2]
	h.outer(s)
	s[2] = h.api.Add(s[2], last)
}

func (h *Circuit) shift(v frontend.Variable, n uint) frontend.Variable {
	return h.api.Mul(v, new(big.Int).Lsh(big.NewInt(1), n))
}

// Node3 is E-09 in the circuit.
func (h *Circuit) Node3(a, b, c frontend.Variable) frontend.Variable {
	state := []frontend.Variable{a, b, c}
	h.permute(state)
	return h.api.Add(state[0], a)
}

// Address is O-03 in the circuit. The second lane is a sum of wires that the first needs as well, so it costs no constraint.
func (h *Circuit) Address(nk, pkX, pkY frontend.Variable) (apk, serialKey frontend.Variable) {
	return h.sponge(TagApk, 0, nk, pkX, pkY)
}

// Serial is O-10 in the circuit.
func (h *Circuit) Serial(serialKey, rho frontend.Variable) frontend.Variable {
	return h.sum(TagSerial, 0, serialKey, rho)
}

// Coin is O-07 in the circuit; the caller range-checks the value to 64 bits and the origin to two.
func (h *Circuit) Coin(origin, value, apk, rho frontend.Variable) frontend.Variable {
	return h.sum(TagCoin, h.api.Add(value, h.shift(origin, CoinOriginShift)), apk, rho)
}

// Payment is a coin (O-07) where escrow is 0, and an escrow (O-14) with the owner as its lock where it is 1. The caller
// range-checks the value to 64 bits, the origin to two and escrow to one, and sees to it that an escrow has the origin 0.
func (h *Circuit) Payment(escrow, origin, value, owner, rho frontend.Variable) frontend.Variable {
	apart := h.api.Mul(escrow, new(big.Int).Sub(capacity(h.net, TagEscrow), capacity(h.net, TagCoin)))
	return h.Coin(origin, h.api.Add(value, apart), owner, rho)
}

// CoinUnregulated is O-07 in the circuit; the value is range-checked to 64 bits by the caller.
func (h *Circuit) CoinUnregulated(value, apk, rho frontend.Variable) frontend.Variable {
	return h.sum(TagCoinUnregulated, value, apk, rho)
}

// Compliance is O-09 in the circuit; period, sent, count and held are range-checked by the caller to 32, 64, 32 and 64 bits.
func (h *Circuit) Compliance(c *ComplianceVars) frontend.Variable {
	packed := h.api.Add(c.Held, h.shift(c.Count, ComplianceCountShift),
		h.shift(c.Sent, ComplianceSentShift), h.shift(c.Period, CompliancePeriodShift))
	return h.sum(TagCompliance, 0, c.Apk, c.Rho, c.Com, packed)
}

// Entry is O-12 in the circuit; the caller range-checks the values to 64 bits, the period to 32, each origin to two and escrow
// to one.
func (h *Circuit) Entry(e *EntryVars) frontend.Variable { return h.EitherEntry(0, e) }

// EitherEntry is O-12 where kind is 0 and O-15 where it is 1, with the histories as Com and Counterparty and the three values as
// Paid, In1 and In2; a recover's entry has no other values. The caller range-checks as for Entry, and kind to one bit.
func (h *Circuit) EitherEntry(kind frontend.Variable, e *EntryVars) frontend.Variable {
	apart := h.api.Mul(kind, new(big.Int).Sub(capacity(h.net, TagRecover), capacity(h.net, TagEntry)))
	values := h.api.Add(e.Paid, h.shift(e.In1, EntryIn1Shift), h.shift(e.In2, EntryIn2Shift))
	packed := h.api.Add(e.Withdraw, h.shift(e.Period, EntryPeriodShift), h.shift(e.Origin1, EntryOrigin1Shift),
		h.shift(e.Origin2, EntryOrigin2Shift), h.shift(e.Escrow, EntryEscrowShift), apart)
	return h.sum(TagEntry, packed, e.Com, values, e.Counterparty, e.R)
}

// Rhos is O-11 in the circuit.
func (h *Circuit) Rhos(seed, d frontend.Variable) (rho0, rho1 frontend.Variable) {
	return h.sponge(TagRho, 0, seed, d)
}

// OutputRhos is O-11 for n outputs in the circuit.
func (h *Circuit) OutputRhos(n int, seed, d frontend.Variable) []frontend.Variable {
	var all []frontend.Variable
	for pair := 0; len(all) < n; pair++ {
		first, second := h.sponge(TagRho, pair, seed, d)
		all = append(all, first, second)
	}
	return all[:n]
}

// Commit is S-02 in the circuit.
func (h *Circuit) Commit(s, hm frontend.Variable) frontend.Variable {
	return h.sum(TagCommit, 0, s, hm)
}

// Leaf is O-13 in the circuit.
func (h *Circuit) Leaf(low, high frontend.Variable) frontend.Variable {
	return h.sum(TagLeaf, 0, low, high)
}

// Link is L-01 in the circuit.
func (h *Circuit) Link(salt frontend.Variable, nonces, messages []frontend.Variable) frontend.Variable {
	in := append([]frontend.Variable{salt}, nonces...)
	return h.sum(TagLink, len(nonces), append(in, messages...)...)
}
