package keys

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/statement"
)

// Every circuit in the registry has pinned statistics.
func TestEveryLoadableCircuitIsPinned(t *testing.T) {
	for kind, circuits := range registry {
		for _, c := range circuits {
			name := c.name
			if kind == statement.Unregulated && c.family == statement.FamilyMint {
				name += "-unregulated"
			}
			raw, err := os.ReadFile(filepath.Join("..", "stats", name+".json"))
			must(t, err)
			var want circuittest.Stats
			must(t, json.Unmarshal(raw, &want))
			tag, err := hash.NetworkTagOf(want.Network)
			must(t, err)
			sys, err := c.build(tag)
			must(t, err)
			if hex.EncodeToString(sys.digest[:]) != want.Digest || sys.GetNbConstraints() != want.Constraints || c.publicInputs != want.Public {
				t.Errorf("%s is not what stats/%s.json pins", c.name, name)
			}
		}
	}
}
