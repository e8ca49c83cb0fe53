package register

import (
	"fmt"
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// follow recomputes what follows from the owner of an assignment: the address, and its coin, committed and linked.
func follow(t *testing.T, x *person, c *Circuit) *Circuit {
	t.Helper()
	rk := x.public.Rk
	pkAuth := st.AddWindows(t, rk, &c.Owner.Beta)
	apk := hasher(t).Apk(x.secret.Owner.Nk, &pkAuth)
	rho, _ := hasher(t).Rhos(x.secret.Seed, x.public.D)
	c.Apk, c.Rk = apk, gadgets.NewPoint(&rk)
	replaceCoin(t, c, hasher(t).Compliance(&hash.Compliance{Apk: apk, Rho: rho}))
	return c
}

// falsehoods are false in one place and consistent in all others.
func falsehoods(t *testing.T) (all []st.Falsehood) {
	add := func(name string, c *Circuit) { all = append(all, st.Falsehood{Name: name, Circuit: c}) }
	for i := range 3 * gadgets.WindowCount {
		x := honest(t)
		c := x.assign()
		c.Owner.Beta[i] = 2
		add(fmt.Sprintf("C-01 digit %d is 2", i), follow(t, x, c))
	}
	x := honest(t)
	x.public.Rk = jubjub.MulBase(&x.secret.Owner.Alpha)
	add("C-01 rk = alpha B, no spend key", follow(t, x, x.assign()))
	order2 := jubjub.Point{}
	order2.Y.SetInt64(-1)
	x.public.Rk = jubjub.Add(x.public.Rk, order2)
	add("C-01 spend key of order 2", follow(t, x, x.assign()))

	for name, change := range map[string]func(c *Circuit){
		"C-02 another c_m":      func(c *Circuit) { c.Cm = st.Field(t) },
		"C-03 another a":        func(c *Circuit) { c.Link.A = st.Field(t) },
		"C-03 another response": func(c *Circuit) { c.Link.Responses[0] = st.Field(t) },
	} {
		c := honest(t).assign()
		change(c)
		add(name, c)
	}
	x = honest(t)
	c := follow(t, x, x.assign())
	other := st.Field(t)
	rho, _ := hasher(t).Rhos(x.secret.Seed, x.public.D)
	c.Apk = other
	replaceCoin(t, c, hasher(t).Compliance(&hash.Compliance{Apk: other, Rho: rho}))
	add("R-02 somebody else's address", c)
	return all
}

// Each assertion of the definition is left out once: without it one of the falsehoods is accepted.
//
//spec:id R-02 C-01 C-02 C-03
func TestMutationScore(t *testing.T) {
	define := func() frontend.Circuit {
		c := &Circuit{Network: st.Network(t)}
		c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
		return c
	}
	x := honest(t)
	circuit(t).Accepts(t, follow(t, x, x.assign()))
	st.MutationScore(t, circuit(t), define, []frontend.Circuit{honest(t).assign()}, falsehoods(t))
}
