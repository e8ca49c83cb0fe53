package transfer

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	st "solidus.io/prover/circuits/internal/statementtest"
)

func isWindowBit(path string) bool { return strings.HasPrefix(path, ".Owner.Beta[") }

// looseLimits are the public bounds that may be raised without making a true statement false.
var looseLimits = map[string]bool{".VSent": true, ".VTotal": true, ".VHeld": true, ".VEscrow": true, ".VCount": true}

// Every input of an honest assignment is increased by one, alone (of the 252 window bits every eleventh): the
// statement becomes false, except for a raised limit, and circuit and reference agree on it.
func TestEveryInputAlteredAlone(t *testing.T) {
	c, _ := honest().build(t)
	all := st.Variables(c)
	if want := system().GetNbPublicVariables() - 1 + system().GetNbSecretVariables(); len(all) != want {
		t.Errorf("walked %d variables, the circuit has %d inputs", len(all), want)
	}
	for i, v := range all {
		if isWindowBit(v.Path) && i%11 != 0 {
			continue
		}
		before := *v.At
		bump(v.At)
		accepted := agree(t, c, v.Path+" + 1")
		if accepted != looseLimits[v.Path] {
			t.Errorf("%s + 1: accepted %v", v.Path, accepted)
		}
		*v.At = before
	}
}

// agree reports whether the circuit accepts, and fails the test if the reference has another verdict.
func agree(t *testing.T, c *Circuit, what string) bool {
	t.Helper()
	_, err := system().Solve(t, c)
	judged := Check(c)
	if (err == nil) != (judged == nil) {
		t.Errorf("%s: circuit says %v, reference says %v", what, err, judged)
	}
	return err == nil
}

// Random changes of random inputs of random honest statements: the circuit and the independent reference give one answer.
func TestCircuitAgreesWithTheReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 26))
	for round := range 25 {
		tc := honestCases[rng.IntN(len(honestCases))]
		c, _ := scenarioOf(tc.change).build(t)
		all := st.Variables(c)
		for range 8 {
			v, w := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
			if isWindowBit(v.Path) && rng.IntN(4) != 0 {
				continue // most inputs are window bits
			}
			before := *v.At
			name, value := strange(rng, element(before), element(*w.At))
			*v.At = value
			agree(t, c, fmt.Sprintf("round %d, %s, %s = %s", round, tc.name, v.Path, name))
			*v.At = before
		}
	}
}

// strange is a value that circuits get wrong.
func strange(rng *rand.Rand, x, other fr.Element) (string, fr.Element) {
	switch rng.IntN(9) {
	case 0:
		return "0", fr.Element{}
	case 1:
		return "1", num(1)
	case 2:
		return "-1", negative(1)
	case 3:
		x.Neg(&x)
		return "its negative", x
	case 4:
		return "itself + 2^64", sum(x, power(64, 0))
	case 5:
		return "itself + 2^32", sum(x, power(32, 0))
	case 6:
		var r fr.Element
		r.SetBigInt(new(big.Int).SetUint64(rng.Uint64()))
		return "a random number", r
	case 7:
		return "itself - 1", less(x, num(1))
	default:
		return "another input", other
	}
}
