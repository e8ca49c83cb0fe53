package unregulated

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// forgery rebuilds parts of an honest assignment around values that no honest wallet can express, so that exactly the rule
// under test is broken.
type forgery struct {
	*payment
	circuit        *Circuit
	apk, serialKey fr.Element
	rho            [2]fr.Element
	messages       [LinkedPoints]fr.Element // shown coins, outputs
}

func forge(t *testing.T, change func(*Spend, *Witness)) *forgery {
	t.Helper()
	x := draft(t, change)
	f := &forgery{payment: x, circuit: x.assign(t)}
	f.follow(t)
	return f
}

func honestForgery(t *testing.T) *forgery { return forge(t, func(*Spend, *Witness) {}) }

// follow derives from the circuit's own values all that follows from them: address, serial numbers, messages, commitments. A
// dummy shows what it showed.
func (f *forgery) follow(t *testing.T) {
	t.Helper()
	h, c := hasher(t), f.circuit
	pkAuth := st.AddWindows(t, jubjub.Point{X: element(c.Rk.X), Y: element(c.Rk.Y)}, &c.Owner.Beta)
	f.apk, f.serialKey = h.Address(element(c.Owner.Nk), &pkAuth)
	for i := range c.Inputs {
		in := &c.Inputs[i]
		c.Serials[i] = h.Serial(f.serialKey, element(in.Rho))
		f.messages[i] = f.coin(t, in.Value, f.apk, element(in.Rho))
	}
	if element(c.Dummy) == fr.One() {
		f.messages[1] = element(c.Shown)
	}
	c.Shown = f.messages[1]
	f.rho[0], f.rho[1] = h.Rhos(element(c.Seed), element(c.D))
	f.output(t, RecipientCoin, f.coin(t, c.Paid, element(c.Recipient), f.rho[0]))
	f.output(t, ChangeCoin, f.coin(t, c.Change, f.apk, f.rho[1]))
}

// element reads a number or an assigned variable.
func element(v frontend.Variable) (e fr.Element) {
	if _, err := e.SetInterface(v); err != nil {
		panic(err)
	}
	return e
}

// output puts a coin of any hash into place j.
func (f *forgery) output(t *testing.T, j int, hm fr.Element) {
	t.Helper()
	s := st.Field(t)
	f.circuit.S[j], f.circuit.Cm[j] = s, hasher(t).Commit(s, hm)
	f.messages[2+j] = hm
}

// coin is the hash of a coin of any value.
func (f *forgery) coin(t *testing.T, value frontend.Variable, owner, rho fr.Element) fr.Element {
	t.Helper()
	return hasher(t).Sum(hash.TagCoinUnregulated, element(value), owner, rho)
}

// replaceInput replaces input i by a coin of any value, owner and tag under a fresh rho, correctly shown.
func (f *forgery) replaceInput(t *testing.T, i int, tag hash.Tag, value *big.Int, owner fr.Element) {
	t.Helper()
	h, rho := hasher(t), st.Field(t)
	f.circuit.Inputs[i] = InputVars{Value: value, Rho: rho}
	f.circuit.Serials[i] = h.Serial(f.serialKey, rho)
	f.show(i, h.Sum(tag, element(value), owner, rho))
}

// show shows a signature on any message in place i.
func (f *forgery) show(i int, hm fr.Element) {
	f.messages[i] = hm
	if i == 1 {
		f.circuit.Shown = hm
	}
}

// linked links the messages and returns the assignment.
func (f *forgery) linked(t *testing.T) *Circuit {
	t.Helper()
	f.circuit.Link, f.circuit.LinkSecrets = st.LinkTo(t, hasher(t), f.messages[:]...)
	return f.circuit
}

var two64 = new(big.Int).Lsh(big.NewInt(1), 64)
