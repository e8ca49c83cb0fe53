package mint

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
)

// falsehoods are false in one place and consistent in all others.
func falsehoods(t *testing.T, kind Kind) (all []st.Falsehood) {
	add := func(name string, c *Circuit) { all = append(all, st.Falsehood{Name: name, Circuit: c}) }
	for _, value := range []*big.Int{big.NewInt(-1), new(big.Int).Lsh(big.NewInt(1), 64)} {
		k := kinds[kind]
		add("M-01 value "+value.String(), consistent(t, kind, k.tag, value, packed(value, k.origin), false))
	}
	add("M-02 owner zero", ownerZero(t, kind).assign())
	for name, change := range map[string]func(c *Circuit){
		"C-02 another c_m":      func(c *Circuit) { c.Cm = st.Field(t) },
		"C-03 another a":        func(c *Circuit) { c.Link.A = st.Field(t) },
		"C-03 another response": func(c *Circuit) { c.Link.Responses[0] = st.Field(t) },
	} {
		c := honest(t, kind, 700).assign()
		change(c)
		add(name, c)
	}
	return all
}

// Each assertion of the definition is left out once: without it one of the falsehoods is accepted.
//
//spec:id M-01 M-02 C-02 C-03
func TestMutationScore(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind Kind) {
		define := func() frontend.Circuit {
			c := &Circuit{Network: st.Network(t), Kind: kind}
			c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
			return c
		}
		st.MutationScore(t, circuit(t, kind), define, nil, falsehoods(t, kind))
	})
}
