package gadgets

import (
	"fmt"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
)

type linkCircuit struct {
	Link     Link `gnark:",public"`
	Secrets  LinkSecrets
	Messages []frontend.Variable
}

func newLinkCircuit(n int) *linkCircuit {
	c := &linkCircuit{Messages: make([]frontend.Variable, n)}
	c.Link, c.Secrets = NewLink(n)
	return c
}

func (c *linkCircuit) Define(api frontend.API) error {
	c.Link.Assert(api, hash.NewCircuit(api, testNetwork), &c.Secrets, c.Messages...)
	return nil
}

// linkAssignment is a link of n points. power gives the factor of message i, counted from 1.
func linkAssignment(challenge fr.Element, n int, power func(c fr.Element, i int) fr.Element) *linkCircuit {
	a := newLinkCircuit(n)
	salt, nonces, messages := randomField(), make([]fr.Element, n), make([]fr.Element, n)
	for i := range n {
		nonces[i], messages[i] = randomField(), randomField()
		z := power(challenge, i+1)
		z.Mul(&z, &messages[i]).Add(&z, &nonces[i])
		a.Secrets.Nonces[i], a.Messages[i], a.Link.Responses[i] = nonces[i], messages[i], z
	}
	a.Link.A = hash.New(testNetwork).Link(salt, nonces, messages)
	a.Link.C, a.Secrets.Salt = challenge, salt
	return a
}

// raised is c^i.
func raised(c fr.Element, i int) fr.Element {
	power := c
	for range i - 1 {
		power.Mul(&power, &c)
	}
	return power
}

func linkSystem(t *testing.T, n int) circuittest.System {
	t.Helper()
	return circuittest.Compile(t, newLinkCircuit(n))
}

//spec:id G-09
func TestLink(t *testing.T) {
	one, minusOne := fr.One(), fr.One()
	minusOne.Neg(&minusOne)
	for _, n := range []int{1, 2, 3, 4, 5} {
		s := linkSystem(t, n)
		permutations := n + 1 // 1 + 2 n inputs, two at a time; beside them 1 + n equalities and 2 n - 1 products
		if got, want := s.GetNbConstraints(), 240*permutations+1+2*n-1+n; got != want {
			t.Errorf("n = %d: %d constraints, want %d", n, got, want)
		}
		for _, c := range []fr.Element{randomField(), {}, one, minusOne} {
			honest := linkAssignment(c, n, raised)
			s.Accepts(t, honest)
			if free := s.Undetermined(t, honest); len(free) != 0 {
				t.Errorf("n = %d: undetermined wires %v", n, free)
			}
		}
	}
}

// Every nonce, message and response, and a, c and the salt are bound.
//
//spec:id G-09
func TestLinkBindsEveryInput(t *testing.T) {
	for _, n := range []int{1, 4, 5} {
		s := linkSystem(t, n)
		a := linkAssignment(randomField(), n, raised)
		inputs := map[string]*frontend.Variable{"a": &a.Link.A, "c": &a.Link.C, "salt": &a.Secrets.Salt}
		for i := range n {
			inputs[fmt.Sprint("nonce ", i)] = &a.Secrets.Nonces[i]
			inputs[fmt.Sprint("message ", i)] = &a.Messages[i]
			inputs[fmt.Sprint("response ", i)] = &a.Link.Responses[i]
		}
		for name, at := range inputs {
			before := *at
			for _, x := range []frontend.Variable{randomField(), 0} {
				*at = x
				if _, err := s.Solve(t, a); err == nil {
					t.Errorf("n = %d: another %s is accepted", n, name)
				}
			}
			*at = before
		}
		s.Accepts(t, a)
	}
}

// Nonces, messages and responses of two points exchanged, and nonces that are made for the responses after the challenge.
//
//spec:id G-09
func TestLinkRefusesOtherSecrets(t *testing.T) {
	const n = 4
	s := linkSystem(t, n)
	for name, change := range map[string]func(a *linkCircuit){
		"nonces exchanged":    func(a *linkCircuit) { swap(a.Secrets.Nonces) },
		"messages exchanged":  func(a *linkCircuit) { swap(a.Messages) },
		"responses exchanged": func(a *linkCircuit) { swap(a.Link.Responses) },
		"points exchanged":    func(a *linkCircuit) { swap(a.Secrets.Nonces); swap(a.Messages); swap(a.Link.Responses) },
		"nonces and messages exchanged": func(a *linkCircuit) {
			a.Secrets.Nonces, a.Messages = a.Messages, a.Secrets.Nonces
		},
		"nonce for another message": func(a *linkCircuit) {
			// z_2 = kappa_2 + c^2 m_2 with another m_2 and the kappa_2 that fits
			c := field(toInt(a.Link.C))
			other, z, factor := randomField(), field(toInt(a.Link.Responses[1])), raised(c, 2)
			var product, nonce fr.Element
			product.Mul(&factor, &other)
			nonce.Sub(&z, &product)
			a.Messages[1], a.Secrets.Nonces[1] = other, nonce
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := linkAssignment(randomField(), n, raised)
			change(a)
			s.Refuses(t, a)
		})
	}
}

func swap(v []frontend.Variable) { v[0], v[1] = v[1], v[0] }

// The factor of message i is c^i, and no other one.
//
//spec:id G-09
func TestLinkPowers(t *testing.T) {
	for name, power := range map[string]func(c fr.Element, i int) fr.Element{
		"c for all points": func(c fr.Element, _ int) fr.Element { return c },
		"powers from 0":    func(c fr.Element, i int) fr.Element { return raised(c, max(i-1, 1)) },
		"powers from 2":    func(c fr.Element, i int) fr.Element { return raised(c, i+1) },
		"i c":              func(c fr.Element, i int) fr.Element { k := fr.NewElement(uint64(i)); k.Mul(&k, &c); return k },
		"none":             func(fr.Element, int) fr.Element { return fr.Element{} },
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{4, 5} {
				linkSystem(t, n).Refuses(t, linkAssignment(randomField(), n, power))
			}
		})
	}
	last := linkAssignment(randomField(), 5, func(c fr.Element, i int) fr.Element { return raised(c, min(i, 4)) })
	linkSystem(t, 5).Refuses(t, last)
}
