package unregulated

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// forgery rebuilds parts of an honest assignment around values that no honest wallet can express, so that exactly the rule
// under test is broken.
type forgery struct {
	*payment
	circuit        *Circuit
	apk, serialKey fr.Element
}

func forge(t *testing.T, change func(*Spend, *Witness)) *forgery {
	t.Helper()
	x := draft(t, change)
	f := &forgery{payment: x, circuit: x.assign(t)}
	f.apk, f.serialKey = x.secret.Owner.Address(hasher(t), &x.public.Rk)
	return f
}

func element(x *big.Int) (e fr.Element) {
	e.SetBigInt(x)
	return e
}

// output puts a coin of any hash into place j; it reports false where the hash has no exponent.
func (f *forgery) output(t *testing.T, j int, hm fr.Element) bool {
	t.Helper()
	if !st.HasExponent(&hm) {
		return false
	}
	f.circuit.Outputs[j], f.circuit.Blindings[j] = st.Reblind(t, hasher(t), &f.public.D, &hm)
	return true
}

// coin is the hash of a coin of any value.
func (f *forgery) coin(t *testing.T, value *big.Int, owner, rho fr.Element) fr.Element {
	t.Helper()
	return hasher(t).Sum(hash.TagCoinUnregulated, element(value), owner, rho)
}

// replaceInput replaces input i by a coin of any value, owner and tag under a fresh rho, correctly shown.
func (f *forgery) replaceInput(t *testing.T, i int, tag hash.Tag, value *big.Int, owner fr.Element) {
	t.Helper()
	h := hasher(t)
	for {
		rho := st.Field(t)
		hm := h.Sum(tag, element(value), owner, rho)
		if !st.HasExponent(&hm) {
			continue
		}
		f.circuit.Inputs[i].Value, f.circuit.Inputs[i].Rho = value, rho
		f.circuit.Serials[i] = h.Serial(f.serialKey, rho)
		f.show(t, i, hm)
		return
	}
}

// show shows a signature on any message in place i.
func (f *forgery) show(t *testing.T, i int, hm fr.Element) {
	t.Helper()
	o := st.Scalar(t)
	m, err := gadgets.Exponent(&hm)
	if err != nil {
		t.Fatal(err)
	}
	opening, err := gadgets.NewOpening(&hm, &o)
	if err != nil {
		t.Fatal(err)
	}
	f.circuit.Inputs[i].Message = opening
	f.circuit.Shown[i].M = st.CommitTo(&f.public.Shown[i].H, &m, &o)
}

// until repeats an attempt that fails where a hash has no exponent.
func until(t *testing.T, attempt func() *Circuit) *Circuit {
	t.Helper()
	for range 1000 {
		if c := attempt(); c != nil {
			return c
		}
	}
	t.Fatal("a thousand attempts without an admissible exponent")
	return nil
}

var two64 = new(big.Int).Lsh(big.NewInt(1), 64)
