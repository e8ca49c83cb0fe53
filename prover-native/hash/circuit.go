package hash

import (
	"math/big"

	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/std/permutation/poseidon2"
)

// Circuit computes the same hashes inside a circuit. Each method repeats the equation of its native counterpart; the
// CALLER range-checks every integer that is packed.
type Circuit struct {
	api  frontend.API
	net  NetworkTag
	perm *poseidon2.Permutation
}

// ComplianceVars is the opening of a compliance coin in a circuit.
type ComplianceVars struct {
	Apk, Rho, Period, Sent, Count, Held, Com frontend.Variable
}

// EntryVars is one history entry in a circuit.
type EntryVars struct {
	Com, Paid, In1, In2, Withdraw, Period, Counterparty, R frontend.Variable
}

// NewCircuit returns the in-circuit hasher of a network; the network is a constant of the circuit.
func NewCircuit(api frontend.API, net NetworkTag) (*Circuit, error) {
	perm, err := poseidon2.NewPoseidon2FromParameters(api, Width, FullRounds, PartialRounds)
	if err != nil {
		return nil, err
	}
	return &Circuit{api: api, net: net, perm: perm}, nil
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

func (h *Circuit) permute(state []frontend.Variable) {
	if err := h.perm.Permutation(state); err != nil {
		panic(err) // the width is a constant
	}
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

// Coin is O-07 in the circuit; the value is range-checked to 64 bits by the caller.
func (h *Circuit) Coin(value, apk, rho frontend.Variable) frontend.Variable {
	return h.sum(TagCoin, value, apk, rho)
}

// CoinUnregulated is O-07 in the circuit; the value is range-checked to 64 bits by the caller.
func (h *Circuit) CoinUnregulated(value, apk, rho frontend.Variable) frontend.Variable {
	return h.sum(TagCoinUnregulated, value, apk, rho)
}

// Compliance is O-09 in the circuit; period, sent, count and held are range-checked by the caller to 32, 64, 32 and 64 bits.
func (h *Circuit) Compliance(c *ComplianceVars) frontend.Variable {
	packed := h.api.Add(c.Held, h.shift(c.Count, ComplianceCountShift),
		h.shift(c.Sent, ComplianceSentShift), h.shift(c.Period, CompliancePeriodShift))
	return h.sum(TagCompliance, packed, c.Apk, c.Rho, c.Com)
}

// Entry is O-12 in the circuit; the values are range-checked by the caller to 64 bits, the period to 32.
func (h *Circuit) Entry(e *EntryVars) frontend.Variable {
	packed := h.api.Add(e.Paid, h.shift(e.In1, EntryIn1Shift), h.shift(e.In2, EntryIn2Shift),
		h.shift(e.Withdraw, EntryWithdrawnShift), h.shift(e.Period, EntryPeriodShift))
	return h.sum(TagEntry, 0, e.Com, packed, e.Counterparty, e.R)
}

// Rhos is O-11 in the circuit.
func (h *Circuit) Rhos(seed, d frontend.Variable) (rho0, rho1 frontend.Variable) {
	return h.sponge(TagRho, 0, seed, d)
}

// Commit is S-02 in the circuit.
func (h *Circuit) Commit(s, hm frontend.Variable) frontend.Variable {
	return h.sum(TagCommit, 0, s, hm)
}

// Leaf is O-13 in the circuit.
func (h *Circuit) Leaf(low, high frontend.Variable) frontend.Variable {
	return h.sum(TagLeaf, 0, low, high)
}
