package transfer

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
)

// The circuit's size and constraints are pinned in stats/transfer.json: a change needs a new circuit version and a new setup.
// Rewrite with go test ./circuits/transfer -run Pinned -update.
func TestPinnedStatistics(t *testing.T) {
	c, _ := honest().build(t)
	stats := system().Measure("transfer", st.NetworkID).WithUndetermined(system().Undetermined(t, c))
	circuittest.Pin(t, stats)
	if stats.Constraints >= 1<<14 {
		t.Errorf("%d constraints do not fit a domain of 2^14", stats.Constraints)
	}
	if *stats.Undetermined != 0 {
		t.Errorf("%d undetermined wires", *stats.Undetermined)
	}
	if stats.Public != PublicInputs {
		t.Errorf("%d public inputs, want %d", stats.Public, PublicInputs)
	}
}

// upTo is the circuit cut off after its first parts.
type upTo struct {
	Circuit
	Parts int `gnark:"-"`
}

func (c *upTo) Define(api frontend.API) error {
	s := newStatement(api, c.view())
	for _, part := range parts[:c.Parts] {
		part.define(s)
	}
	return nil
}

// The constraints of each part are pinned in stats/transfer-parts.json.
func TestPinnedParts(t *testing.T) {
	type entry struct {
		Part        string `json:"part"`
		Constraints int    `json:"constraints"`
	}
	var got []entry
	before := 0
	for n := range parts {
		c := &upTo{Circuit: *empty(), Parts: n + 1}
		ccs, err := frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c, frontend.IgnoreUnconstrainedInputs())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, entry{parts[n].name, ccs.GetNbConstraints() - before})
		before = ccs.GetNbConstraints()
	}
	if before != system().GetNbConstraints() {
		t.Errorf("the parts have %d constraints, the circuit %d", before, system().GetNbConstraints())
	}
	raw, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	raw = append(raw, '\n')
	path := filepath.Join(circuittest.ModuleRoot(t), "stats", "transfer-parts.json")
	if circuittest.Updating() {
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(raw, want) {
		t.Errorf("the parts changed:\n%s", raw)
	}
}

// empty is the circuit that is compiled.
func empty() *Circuit {
	c := &Circuit{Network: network}
	c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
	return c
}

// Public.Vector is the order of the circuit's public inputs.
func TestPublicVectorIsTheCircuitsOrder(t *testing.T) {
	_, d := honest().build(t)
	link := d.bound(t)
	c, err := d.witness.Assign(link)
	if err != nil {
		t.Fatal(err)
	}
	vector := d.witness.Public.Vector(link)
	if len(vector) != PublicInputs {
		t.Fatalf("%d public inputs, want %d", len(vector), PublicInputs)
	}
	st.SamePublic(t, c, vector)
}

// A second network has another constraint system, and the first one's witness does not satisfy it.
func TestNetworksAreSeparated(t *testing.T) {
	other, err := hash.NetworkTagOf("other-network")
	if err != nil {
		t.Fatal(err)
	}
	ccs, err := Compile(other)
	if err != nil {
		t.Fatal(err)
	}
	foreign := circuittest.Wrap(t, ccs)
	if foreign.Measure("transfer", st.NetworkID).Digest == system().Measure("transfer", st.NetworkID).Digest {
		t.Error("two networks share a constraint system")
	}
	c, _ := honest().build(t)
	foreign.Refuses(t, c)
}
