package unregulated

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/hash"
)

// The forgeries below must be refused for their own fault and not for a slip in the rebuilding: with honest values the
// same rebuilding is accepted.
func TestForgedFromHonestValuesIsHonest(t *testing.T) {
	circuit(t).Accepts(t, until(t, func() *Circuit {
		f := forge(t, func(*Spend, *Witness) {})
		rho0, rho1 := hasher(t).Rhos(f.secret.Seed, f.public.D)
		if !f.output(t, RecipientCoin, f.coin(t, big.NewInt(450), f.secret.Recipient, rho0)) ||
			!f.output(t, ChangeCoin, f.coin(t, big.NewInt(730), f.apk, rho1)) {
			return nil
		}
		f.replaceInput(t, 0, hash.TagCoinUnregulated, big.NewInt(700), f.apk)
		f.replaceInput(t, 1, hash.TagCoinUnregulated, big.NewInt(500), f.apk)
		return f.circuit
	}))
}

// A serial number belongs to both keys of its owner. An attacker with another owner's nullifier key uses it with its own
// spend key and gives a dummy the rho of that owner's coin, so that the coin's serial number is reserved for ever.
//
//spec:id U-02
func TestSerialNumbersOfAnotherOwner(t *testing.T) {
	h := hasher(t)
	nk, rho, pk := st.Field(t), st.Field(t), st.Point(t)
	target := h.Serial(h.SerialKey(nk, &pk), rho)
	x := draft(t, func(_ *Spend, w *Witness) {
		w.Owner.Nk, w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = nk, 1200, 0, true
	})
	x.secret.Inputs[1].Rho = rho
	var err error
	if x.public, err = Prepare(h, &x.spend, x.secret); err != nil {
		t.Fatal(err)
	}
	if err := Check(h, x.public, x.secret); err != nil {
		t.Fatal(err)
	}
	circuit(t).Accepts(t, x.assign(t)) // the dummy is harmless: what it reserves is a serial number of the attacker's own
	if x.public.Serials[1] == target {
		t.Fatal("two owners share a serial number")
	}
	for name, sn := range map[string]fr.Element{"of the other owner": target, "of the nullifier key alone": h.Serial(nk, rho)} {
		t.Run(name, func(t *testing.T) {
			x.public.Serials[1] = sn
			st.Names(t, Check(h, x.public, x.secret), "U-02")
			circuit(t).Refuses(t, x.assign(t))
		})
	}
}

// Amounts outside 64 bits that balance over the field.
//
//spec:id U-03
func TestRanges(t *testing.T) {
	huge := new(big.Int).Add(two64, big.NewInt(1200-450-20))
	for name, attempt := range map[string]func(f *forgery, rho0, rho1 fr.Element) bool{
		"negative payment": func(f *forgery, rho0, rho1 fr.Element) bool {
			f.circuit.Paid, f.circuit.Change = -5, 1185
			return f.output(t, RecipientCoin, f.coin(t, big.NewInt(-5), f.secret.Recipient, rho0)) &&
				f.output(t, ChangeCoin, f.coin(t, big.NewInt(1185), f.apk, rho1))
		},
		"negative change": func(f *forgery, rho0, rho1 fr.Element) bool {
			f.circuit.Paid, f.circuit.Change = 1185, -5
			return f.output(t, RecipientCoin, f.coin(t, big.NewInt(1185), f.secret.Recipient, rho0)) &&
				f.output(t, ChangeCoin, f.coin(t, big.NewInt(-5), f.apk, rho1))
		},
		"negative withdrawal": func(f *forgery, rho0, rho1 fr.Element) bool {
			f.circuit.Withdrawn, f.circuit.Change = -5, 755
			return f.output(t, ChangeCoin, f.coin(t, big.NewInt(755), f.apk, rho1))
		},
		"change of 2^64 and more": func(f *forgery, rho0, rho1 fr.Element) bool {
			value := new(big.Int).Add(two64, big.NewInt(700))
			f.replaceInput(t, 0, hash.TagCoinUnregulated, value, f.apk)
			f.circuit.Change = huge
			return f.output(t, ChangeCoin, f.coin(t, huge, f.apk, rho1))
		},
		"spent coin of negative value": func(f *forgery, rho0, rho1 fr.Element) bool {
			f.replaceInput(t, 1, hash.TagCoinUnregulated, big.NewInt(-500), f.apk)
			f.circuit.Paid, f.circuit.Change = 0, 180
			return f.output(t, RecipientCoin, f.coin(t, new(big.Int), f.secret.Recipient, rho0)) &&
				f.output(t, ChangeCoin, f.coin(t, big.NewInt(180), f.apk, rho1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			circuit(t).Refuses(t, until(t, func() *Circuit {
				f := forge(t, func(*Spend, *Witness) {})
				rho0, rho1 := hasher(t).Rhos(f.secret.Seed, f.public.D)
				if !attempt(f, rho0, rho1) {
					return nil
				}
				return f.circuit
			}))
		})
	}
}

// A coin of another tag passes as one of ours if its value may make up for the difference of the tags.
//
//spec:id U-03
func TestTagCannotBeTradedForValue(t *testing.T) {
	gap := new(big.Int).Lsh(big.NewInt(int64(hash.TagCoin)-int64(hash.TagCoinUnregulated)), 192)
	paid := new(big.Int).Add(gap, big.NewInt(450))
	circuit(t).Refuses(t, until(t, func() *Circuit {
		f := forge(t, func(*Spend, *Witness) {})
		f.replaceInput(t, 0, hash.TagCoin, big.NewInt(700), f.apk)
		f.circuit.Inputs[0].Value = new(big.Int).Add(gap, big.NewInt(700))
		f.circuit.Paid = paid
		rho0, _ := hasher(t).Rhos(f.secret.Seed, f.public.D)
		if !f.output(t, RecipientCoin, f.coin(t, paid, f.secret.Recipient, rho0)) {
			return nil
		}
		return f.circuit
	}))
}

// Coins of another owner or of a regulated network.
//
//spec:id U-11
func TestInputsBelongToTheSender(t *testing.T) {
	for name, replace := range map[string]func(f *forgery, i int){
		"coin of another owner":       func(f *forgery, i int) { f.replaceInput(t, i, hash.TagCoinUnregulated, value(i), st.Field(t)) },
		"coin of a regulated network": func(f *forgery, i int) { f.replaceInput(t, i, hash.TagCoin, value(i), f.apk) },
		"signature of another coin": func(f *forgery, i int) {
			f.replaceInput(t, i, hash.TagCoinUnregulated, value(i), f.apk)
			rho := f.circuit.Inputs[i].Rho
			serial := f.circuit.Serials[i]
			f.replaceInput(t, i, hash.TagCoinUnregulated, value(i), f.apk)
			f.circuit.Inputs[i].Rho, f.circuit.Serials[i] = rho, serial
		},
		"signature on more money": func(f *forgery, i int) {
			f.replaceInput(t, i, hash.TagCoinUnregulated, big.NewInt(1), f.apk)
			f.circuit.Inputs[i].Value = value(i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range 2 {
				f := forge(t, func(*Spend, *Witness) {})
				replace(f, i)
				circuit(t).Refuses(t, f.circuit)
			}
		})
	}
}

func value(i int) *big.Int { return big.NewInt([]int64{700, 500}[i]) }

// Outputs of another rho, owner, tag or place.
//
//spec:id U-08
func TestOutputsAreBoundToTheStatement(t *testing.T) {
	for name, hm := range map[string]func(f *forgery, rho0, rho1 fr.Element) (int, fr.Element){
		"free rho of the recipient coin": func(f *forgery, _, _ fr.Element) (int, fr.Element) {
			return RecipientCoin, hasher(t).CoinUnregulated(450, f.secret.Recipient, st.Field(t))
		},
		"free rho of the change coin": func(f *forgery, _, _ fr.Element) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(730, f.apk, st.Field(t))
		},
		"rhos exchanged": func(f *forgery, rho0, _ fr.Element) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(730, f.apk, rho0)
		},
		"rho of another D": func(f *forgery, _, _ fr.Element) (int, fr.Element) {
			_, rho1 := hasher(t).Rhos(f.secret.Seed, fr.One())
			return ChangeCoin, hasher(t).CoinUnregulated(730, f.apk, rho1)
		},
		"change for somebody else": func(f *forgery, _, rho1 fr.Element) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(730, st.Field(t), rho1)
		},
		"regulated coin as change": func(f *forgery, _, rho1 fr.Element) (int, fr.Element) {
			return ChangeCoin, hasher(t).Coin(730, f.apk, rho1)
		},
		"regulated coin for the recipient": func(f *forgery, rho0, _ fr.Element) (int, fr.Element) {
			return RecipientCoin, hasher(t).Coin(450, f.secret.Recipient, rho0)
		},
		"more money for the recipient": func(f *forgery, rho0, _ fr.Element) (int, fr.Element) {
			return RecipientCoin, hasher(t).CoinUnregulated(451, f.secret.Recipient, rho0)
		},
		"more change": func(f *forgery, _, rho1 fr.Element) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(731, f.apk, rho1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			circuit(t).Refuses(t, until(t, func() *Circuit {
				f := forge(t, func(*Spend, *Witness) {})
				rho0, rho1 := hasher(t).Rhos(f.secret.Seed, f.public.D)
				if j, m := hm(f, rho0, rho1); !f.output(t, j, m) {
					return nil
				}
				return f.circuit
			}))
		})
	}
}

// The dummy's selector is a bit, carries no value and does not exist for the first coin.
//
//spec:id U-05
func TestDummy(t *testing.T) {
	dummy := func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = 1200, 0, true }
	t.Run("any signature may stand behind a dummy", func(t *testing.T) {
		f := forge(t, dummy)
		for hm := st.Field(t); ; hm = st.Field(t) {
			if st.HasExponent(&hm) {
				f.show(t, 1, hm)
				break
			}
		}
		circuit(t).Accepts(t, f.circuit)
	})
	t.Run("a dummy's M' is nevertheless an opening of h'", func(t *testing.T) {
		f := forge(t, dummy)
		f.circuit.Shown[1].M = sw.NewG1Affine(st.Point(t))
		circuit(t).Refuses(t, f.circuit)
	})
	t.Run("a dummy's quotient is in range", func(t *testing.T) {
		f := forge(t, dummy)
		f.circuit.Inputs[1].Message.Quotient = -1
		circuit(t).Refuses(t, f.circuit)
	})
	t.Run("selector undeclared", func(t *testing.T) {
		f := forge(t, dummy)
		f.circuit.Dummy = 0
		circuit(t).Refuses(t, f.circuit)
	})
	for name, selector := range map[string]frontend.Variable{"two": 2, "minus one": -1, "half": half()} {
		t.Run("selector "+name, func(t *testing.T) {
			f := forge(t, func(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value = 1200, 0 })
			f.circuit.Dummy = selector
			circuit(t).Refuses(t, f.circuit)
		})
	}
	t.Run("the first coin is never a dummy", func(t *testing.T) {
		f := forge(t, func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, 0, 1200, 450, 730), 20 })
		for hm := st.Field(t); ; hm = st.Field(t) {
			if st.HasExponent(&hm) {
				f.show(t, 0, hm)
				break
			}
		}
		f.circuit.Dummy = 1
		circuit(t).Refuses(t, f.circuit)
		f.circuit.Dummy = 0
		circuit(t).Refuses(t, f.circuit)
	})
}

func half() *big.Int { return new(big.Int).ModInverse(big.NewInt(2), fr.Modulus()) }

// Other divisions of a message by the order, with the points made to fit.
//
//spec:id C-03 U-11
func TestMessagesHaveOneExponent(t *testing.T) {
	for name, add := range map[string]*big.Int{"message plus p": fr.Modulus(), "message plus one": big.NewInt(1)} {
		t.Run(name, func(t *testing.T) {
			x := honest(t)
			created := x.secret.Messages(hasher(t), x.public)
			for j := range created {
				c := x.assign(t)
				b := &x.secret.Blindings[j].B
				opening, m := st.WrongDivision(&created[j], b, add, 0)
				c.Blindings[j].Message = opening
				c.Outputs[j].K = st.CommitTo(&x.public.Outputs[j].H, &m, b)
				circuit(t).Refuses(t, c)
			}
			apk := x.secret.Owner.Apk(hasher(t), &x.public.Rk)
			for i, hm := range x.secret.spent(hasher(t), &apk) {
				c := x.assign(t)
				o := &x.secret.Inputs[i].Blind
				opening, m := st.WrongDivision(&hm, o, add, 0)
				c.Inputs[i].Message = opening
				c.Shown[i].M = st.CommitTo(&x.public.Shown[i].H, &m, o)
				circuit(t).Refuses(t, c)
			}
		})
	}
}

// Values that only an assignment can hold.
func TestMutatedAssignments(t *testing.T) {
	for name, mutate := range map[string]func(c *Circuit){
		"C-01 window bit two":           func(c *Circuit) { c.Owner.Beta[1] = 2 },
		"C-01 window sign minus one":    func(c *Circuit) { c.Owner.Beta[254] = -1 },
		"O-11 D changed":                func(c *Circuit) { c.D = 1 },
		"O-11 seed changed":             func(c *Circuit) { c.Seed = 1 },
		"U-08 recipient changed":        func(c *Circuit) { c.Recipient = 1 },
		"U-04 withdrawn changed":        func(c *Circuit) { c.Withdrawn = 21 },
		"C-03 window bit two":           func(c *Circuit) { c.Blindings[0].Message.Blind[0] = 2 },
		"C-03 k as (0, 0)":              func(c *Circuit) { c.Outputs[0].K = sw.G1Affine{X: 0, Y: 0} },
		"C-03 k of order three":         func(c *Circuit) { c.Outputs[1].K = sw.G1Affine{X: 0, Y: 1} },
		"U-10 window bit two":           func(c *Circuit) { c.Inputs[1].Message.Blind[0] = 2 },
		"U-10 M' as (0, 0)":             func(c *Circuit) { c.Shown[0].M = sw.G1Affine{X: 0, Y: 0} },
		"U-10 M' of order three":        func(c *Circuit) { c.Shown[1].M = sw.G1Affine{X: 0, Y: 1} },
		"U-11 quotient zero":            func(c *Circuit) { c.Inputs[0].Message.Quotient = 0 },
		"U-11 low half minus one":       func(c *Circuit) { c.Inputs[0].Message.Low = -1 },
		"U-11 openings exchanged":       func(c *Circuit) { c.Inputs[0].Message, c.Inputs[1].Message = c.Inputs[1].Message, c.Inputs[0].Message },
		"U-10 shown points exchanged":   func(c *Circuit) { c.Shown[0], c.Shown[1] = c.Shown[1], c.Shown[0] },
		"C-02 commitment key exchanged": func(c *Circuit) { c.Blindings[0].S, c.Blindings[1].S = c.Blindings[1].S, c.Blindings[0].S },
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign(t)
			mutate(c)
			circuit(t).Refuses(t, c)
		})
	}
}
