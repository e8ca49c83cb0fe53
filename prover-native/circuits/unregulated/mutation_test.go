package unregulated

import (
	"fmt"
	"testing"

	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/jubjub"
)

// falsehoods are false in one place and consistent in all others.
func falsehoods(t *testing.T) (all []st.Falsehood) {
	add := func(name string, c *Circuit) { all = append(all, st.Falsehood{Name: name, Circuit: c}) }
	// before is what everything else follows from, after what nothing follows
	before := func(name string, draft, change func(f *forgery)) {
		f := honestForgery(t)
		draft(f)
		change(f)
		f.follow(t)
		add(name, f.linked(t))
	}
	no := func(*forgery) {}
	for i := range 3 * gadgets.WindowCount {
		before(fmt.Sprintf("C-01 digit %d is 2", i), no, func(f *forgery) { f.circuit.Owner.Beta[i] = 2 })
	}
	before("C-01 rk = alpha B, no spend key", no, func(f *forgery) {
		rk := jubjub.MulBase(&f.secret.Owner.Alpha)
		f.circuit.Rk = gadgets.NewPoint(&rk)
	})
	for name, change := range wrongAmounts {
		before("U-03 "+name, no, func(f *forgery) { change(f.circuit) })
	}
	before("U-04 money from nothing", no, func(f *forgery) { f.circuit.Change = 731 })
	before("U-05 dummy with a value", no, func(f *forgery) { f.circuit.Dummy = 1 })
	before("U-05 selector 2", func(f *forgery) { *f = *forge(t, worthless) }, func(f *forgery) { f.circuit.Dummy = 2 })
	before("U-06 recipient zero", no, func(f *forgery) { f.circuit.Recipient = 0 })

	f := honestForgery(t)
	f.show(1, st.Field(t))
	add("U-11 signature on another message", f.linked(t))
	for i := range 2 {
		c := honest(t).assign(t)
		c.Serials[i] = st.Field(t)
		add(fmt.Sprintf("U-02 serial number %d", i), c)
		c = honest(t).assign(t)
		c.Cm[i] = st.Field(t)
		add(fmt.Sprintf("C-02 c_m %d", i), c)
	}
	c := honest(t).assign(t)
	c.Link.A = st.Field(t)
	add("C-03 another a", c)
	for i := range LinkedPoints {
		c := honest(t).assign(t)
		c.Link.Responses[i] = st.Field(t)
		add(fmt.Sprintf("C-03 response %d", i), c)
	}
	return all
}

// Each assertion of the definition is left out once: without it one of the falsehoods is accepted.
//
//spec:id C-01 C-02 C-03 U-02 U-03 U-04 U-05 U-06 U-11
func TestMutationScore(t *testing.T) {
	define := func() frontend.Circuit {
		c := &Circuit{Network: st.Network(t)}
		c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
		return c
	}
	st.MutationScore(t, circuit(t), define, nil, falsehoods(t))
}
