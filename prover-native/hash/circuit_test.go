package hash

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
)

// everyUse asserts that the circuit computes what the native hasher computed.
type everyUse struct {
	Network NetworkTag `gnark:"-"`
	In      [3]frontend.Variable
	Small   [5]frontend.Variable
	Out     [15]frontend.Variable `gnark:",public"`
}

func (c *everyUse) Define(api frontend.API) error {
	h := NewCircuit(api, c.Network)
	x, n := c.In, c.Small
	rho0, rho1 := h.Rhos(x[0], x[1])
	apk, serialKey := h.Address(x[0], x[1], x[2])
	for i, got := range []frontend.Variable{
		apk, serialKey, h.Serial(x[0], x[1]), h.Coin(2, n[0], x[0], x[1]), h.CoinUnregulated(n[0], x[0], x[1]),
		h.Payment(0, 2, n[0], x[0], x[1]), h.Payment(1, 0, n[0], x[0], x[1]), h.Link(x[0], x[1:2], x[2:3]),
		h.Compliance(&ComplianceVars{x[0], x[1], n[0], n[1], n[2], n[3], x[2]}),
		h.Entry(&EntryVars{x[0], n[0], n[1], n[2], n[3], 2, 1, 1, n[4], x[1], x[2]}),
		rho0, rho1, h.Commit(x[0], x[1]), h.Leaf(x[0], x[1]), h.Node3(x[0], x[1], x[2]),
	} {
		api.AssertIsEqual(got, c.Out[i])
	}
	return nil
}

func everyUseAssignment(net NetworkTag) *everyUse {
	h := New(net)
	var x [3]fr.Element
	for i := range x {
		x[i].MustSetRandom()
	}
	pk := jubjub.Base()
	x[1], x[2] = pk.X, pk.Y
	n := [5]uint64{1<<32 - 1, 1<<64 - 1, 77, 1<<64 - 2, 1<<32 - 3}
	rho0, rho1 := h.Rhos(x[0], x[1])
	out := []fr.Element{
		h.Apk(x[0], &pk), h.SerialKey(x[0], &pk), h.Serial(x[0], x[1]), h.Coin(OriginOwn, n[0], x[0], x[1]), h.CoinUnregulated(n[0], x[0], x[1]),
		h.Coin(OriginOwn, n[0], x[0], x[1]), h.Escrow(n[0], x[0], x[1]), h.Link(x[0], x[1:2], x[2:3]),
		h.Compliance(&Compliance{x[0], x[1], uint32(n[0]), n[1], uint32(n[2]), n[3], x[2]}),
		h.Entry(&Entry{x[0], n[0], n[1], n[2], n[3], OriginOwn, OriginMint, true, uint32(n[4]), x[1], x[2]}),
		rho0, rho1, h.Commit(x[0], x[1]), h.Leaf(x[0], x[1]), Node3(x[0], x[1], x[2]),
	}
	c := &everyUse{Network: net}
	for i := range c.In {
		c.In[i] = x[i]
	}
	for i := range c.Small {
		c.Small[i] = n[i]
	}
	for i := range c.Out {
		c.Out[i] = out[i]
	}
	return c
}

// The sponge in the circuit is the native one, for every use, and leaves no wire undetermined.
func TestCircuitAgreesWithNative(t *testing.T) {
	net := testNetwork(t)
	s := circuittest.Compile(t, &everyUse{Network: net})
	for range 5 {
		c := everyUseAssignment(net)
		s.Accepts(t, c)
		if free := s.Undetermined(t, c); len(free) != 0 {
			t.Fatalf("undetermined wires: %v", free)
		}
		for i := range c.Out {
			before := c.Out[i]
			c.Out[i] = 1
			s.Refuses(t, c)
			c.Out[i] = before
		}
	}
	s.Refuses(t, everyUseAssignment(NetworkTag{9}))
}

type oneNode struct {
	A, B, C frontend.Variable
	Out     frontend.Variable `gnark:",public"`
}

func (c *oneNode) Define(api frontend.API) error {
	h := NewCircuit(api, NetworkTag{})
	api.AssertIsEqual(h.Node3(c.A, c.B, c.C), c.Out)
	return nil
}

// A permutation costs 3 constraints per S-box: 3 (3 RF + RP) = 240, and the assertion one.
func TestPermutationCost(t *testing.T) {
	s := circuittest.Compile(t, &oneNode{})
	if got, want := s.GetNbConstraints(), 3*(3*FullRounds+PartialRounds)+1; got != want {
		t.Errorf("%d constraints, want %d", got, want)
	}
}
