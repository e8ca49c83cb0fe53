package unregulated

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/hash"
)

// The forgeries below must be refused for their own fault and not for a slip in the rebuilding: with honest values the
// same rebuilding is accepted.
func TestForgedFromHonestValuesIsHonest(t *testing.T) {
	f := honestForgery(t)
	circuit(t).Accepts(t, f.linked(t))
	f.output(t, RecipientCoin, f.coin(t, 450, f.secret.Recipient, f.rho[0]))
	f.output(t, ChangeCoin, f.coin(t, 730, f.apk, f.rho[1]))
	f.replaceInput(t, 0, hash.TagCoinUnregulated, big.NewInt(700), f.apk)
	f.replaceInput(t, 1, hash.TagCoinUnregulated, big.NewInt(500), f.apk)
	circuit(t).Accepts(t, f.linked(t))
}

// A serial number belongs to both keys of its owner. An attacker with another owner's nullifier key uses it with its own
// spend key and gives a dummy the rho of that owner's coin, so that the coin's serial number is reserved for ever.
//
//spec:id U-02
func TestSerialNumbersOfAnotherOwner(t *testing.T) {
	h := hasher(t)
	nk, rho, pk := st.Field(t), st.Field(t), st.KeyPoint(t)
	target := h.Serial(h.SerialKey(nk, &pk), rho)
	x := draft(t, func(_ *Spend, w *Witness) {
		w.Owner.Nk, w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = nk, 1200, 0, true
		w.Inputs[1].Rho = rho
	})
	if err := x.check(h); err != nil {
		t.Fatal(err)
	}
	circuit(t).Accepts(t, x.assign(t)) // the dummy is harmless: what it reserves is a serial number of the attacker's own
	if x.public.Serials[1] == target {
		t.Fatal("two owners share a serial number")
	}
	for name, sn := range map[string]fr.Element{"of the other owner": target, "of the nullifier key alone": h.Serial(nk, rho)} {
		t.Run(name, func(t *testing.T) {
			x.public.Serials[1] = sn
			st.Names(t, x.check(h), "U-02")
			circuit(t).Refuses(t, x.assign(t))
		})
	}
}

// wrongAmounts are amounts outside 64 bits that balance over the field.
var wrongAmounts = map[string]func(c *Circuit){
	"negative first coin":  func(c *Circuit) { c.Inputs[0].Value, c.Change = -5, 25 },
	"negative second coin": func(c *Circuit) { c.Inputs[1].Value, c.Change = -5, 225 },
	"negative payment":     func(c *Circuit) { c.Paid, c.Change = -5, 1185 },
	"negative change":      func(c *Circuit) { c.Paid, c.Change = 1185, -5 },
	"negative withdrawal":  func(c *Circuit) { c.Withdrawn, c.Change = -5, 755 },
	"change of 2^64 and more": func(c *Circuit) {
		c.Inputs[0].Value = new(big.Int).Add(two64, big.NewInt(700))
		c.Change = new(big.Int).Add(two64, big.NewInt(1200-450-20))
	},
	"payment of 2^64": func(c *Circuit) {
		c.Inputs[0].Value, c.Inputs[1].Value = new(big.Int).Sub(two64, big.NewInt(1)), 1
		c.Paid, c.Change, c.Withdrawn = two64, 0, 0
	},
	"value for a tag": func(c *Circuit) {
		gap := new(big.Int).Lsh(big.NewInt(int64(hash.TagEscrow)-int64(hash.TagCoinUnregulated)), 112)
		c.Paid, c.Change = new(big.Int).Add(gap, big.NewInt(450)), new(big.Int).Sub(big.NewInt(730), gap)
	},
}

//spec:id U-03
func TestRanges(t *testing.T) {
	for name, change := range wrongAmounts {
		t.Run(name, func(t *testing.T) {
			f := honestForgery(t)
			change(f.circuit)
			f.follow(t)
			circuit(t).Refuses(t, f.linked(t))
		})
	}
}

// A coin of another tag passes as one of ours if its value may make up for the difference of the tags.
//
//spec:id U-03
func TestTagCannotBeTradedForValue(t *testing.T) {
	for _, tag := range []hash.Tag{hash.TagCoin, hash.TagEscrow} {
		gap := new(big.Int).Lsh(big.NewInt(int64(tag)-int64(hash.TagCoinUnregulated)), 112)
		f := honestForgery(t)
		rho := f.circuit.Inputs[0].Rho
		f.circuit.Inputs[0].Value = new(big.Int).Add(gap, big.NewInt(700))
		f.circuit.Paid = new(big.Int).Add(gap, big.NewInt(450))
		f.follow(t)
		if f.messages[0] != hasher(t).Sum(tag, fr.NewElement(700), f.apk, element(rho)) {
			t.Fatal("not the message of the other coin")
		}
		circuit(t).Refuses(t, f.linked(t))
	}
}

// Coins of another owner or of a regulated network.
//
//spec:id U-11
func TestInputsBelongToTheSender(t *testing.T) {
	for name, replace := range map[string]func(f *forgery, i int){
		"coin of another owner":       func(f *forgery, i int) { f.replaceInput(t, i, hash.TagCoinUnregulated, value(i), st.Field(t)) },
		"coin of a regulated network": func(f *forgery, i int) { f.replaceInput(t, i, hash.TagCoin, value(i), f.apk) },
		"escrow":                      func(f *forgery, i int) { f.replaceInput(t, i, hash.TagEscrow, value(i), f.apk) },
		"signature of another coin": func(f *forgery, i int) {
			f.show(i, f.coin(t, value(i), f.apk, st.Field(t)))
		},
		"signature on more money": func(f *forgery, i int) {
			f.replaceInput(t, i, hash.TagCoinUnregulated, big.NewInt(1), f.apk)
			f.circuit.Inputs[i].Value = value(i)
		},
		"signature of the other input": func(f *forgery, i int) { f.show(i, f.messages[1-i]) },
	} {
		t.Run(name, func(t *testing.T) {
			for i := range 2 {
				f := honestForgery(t)
				replace(f, i)
				circuit(t).Refuses(t, f.linked(t))
			}
		})
	}
}

func value(i int) *big.Int { return big.NewInt([]int64{700, 500}[i]) }

// Outputs of another rho, owner, tag or place.
//
//spec:id U-08
func TestOutputsAreBoundToTheStatement(t *testing.T) {
	for name, hm := range map[string]func(f *forgery) (int, fr.Element){
		"free rho of the recipient coin": func(f *forgery) (int, fr.Element) {
			return RecipientCoin, hasher(t).CoinUnregulated(450, f.secret.Recipient, st.Field(t))
		},
		"free rho of the change coin": func(f *forgery) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(730, f.apk, st.Field(t))
		},
		"rhos exchanged": func(f *forgery) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(730, f.apk, f.rho[0])
		},
		"rho of another D": func(f *forgery) (int, fr.Element) {
			_, rho1 := hasher(t).Rhos(f.secret.Seed, fr.One())
			return ChangeCoin, hasher(t).CoinUnregulated(730, f.apk, rho1)
		},
		"change for somebody else": func(f *forgery) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(730, st.Field(t), f.rho[1])
		},
		"regulated coin as change": func(f *forgery) (int, fr.Element) {
			return ChangeCoin, hasher(t).Coin(hash.OriginPayment, 730, f.apk, f.rho[1])
		},
		"regulated coin for the recipient": func(f *forgery) (int, fr.Element) {
			return RecipientCoin, hasher(t).Coin(hash.OriginPayment, 450, f.secret.Recipient, f.rho[0])
		},
		"escrow for the recipient": func(f *forgery) (int, fr.Element) {
			return RecipientCoin, hasher(t).Escrow(450, f.secret.Recipient, f.rho[0])
		},
		"more money for the recipient": func(f *forgery) (int, fr.Element) {
			return RecipientCoin, hasher(t).CoinUnregulated(451, f.secret.Recipient, f.rho[0])
		},
		"more change": func(f *forgery) (int, fr.Element) {
			return ChangeCoin, hasher(t).CoinUnregulated(731, f.apk, f.rho[1])
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := honestForgery(t)
			j, m := hm(f)
			f.output(t, j, m)
			circuit(t).Refuses(t, f.linked(t))
		})
	}
}

// oneCoin is a payment from one coin, with a dummy beside it.
func oneCoin(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value, w.Dummy = 1200, 0, true }

// worthless is a payment from two real coins, the second of value 0.
func worthless(_ *Spend, w *Witness) { w.Inputs[0].Value, w.Inputs[1].Value = 1200, 0 }

// The dummy's selector is a bit, carries no value and does not exist for the first coin.
//
//spec:id U-05
func TestDummy(t *testing.T) {
	t.Run("any signature may stand behind a dummy", func(t *testing.T) {
		f := forge(t, oneCoin)
		f.show(1, st.Field(t))
		circuit(t).Accepts(t, f.linked(t))
	})
	t.Run("a dummy's message is nevertheless linked", func(t *testing.T) {
		f := forge(t, oneCoin)
		c := f.linked(t)
		c.Shown = st.Field(t)
		circuit(t).Refuses(t, c)
	})
	t.Run("selector undeclared", func(t *testing.T) {
		f := forge(t, oneCoin)
		f.circuit.Dummy = 0
		circuit(t).Refuses(t, f.linked(t))
	})
	t.Run("dummy with a value", func(t *testing.T) {
		f := honestForgery(t)
		f.circuit.Dummy = 1
		circuit(t).Refuses(t, f.linked(t))
	})
	for name, selector := range map[string]frontend.Variable{"two": 2, "minus one": -1, "half": half()} {
		t.Run("selector "+name, func(t *testing.T) {
			f := forge(t, worthless)
			f.circuit.Dummy = selector
			circuit(t).Refuses(t, f.linked(t))
		})
	}
	t.Run("the first coin is never a dummy", func(t *testing.T) {
		f := forge(t, func(s *Spend, w *Witness) { *w, s.Withdrawn = amounts(w, 0, 1200, 450, 730), 20 })
		f.show(0, st.Field(t))
		for _, selector := range []int{0, 1} {
			f.circuit.Dummy = selector
			circuit(t).Refuses(t, f.linked(t))
		}
	})
}

func half() *big.Int { return new(big.Int).ModInverse(big.NewInt(2), fr.Modulus()) }

// Values that only an assignment can hold.
func TestMutatedAssignments(t *testing.T) {
	for name, mutate := range map[string]func(c *Circuit){
		"C-01 window bit two":           func(c *Circuit) { c.Owner.Beta[1] = 2 },
		"C-01 window sign minus one":    func(c *Circuit) { c.Owner.Beta[251] = -1 },
		"O-11 D changed":                func(c *Circuit) { c.D = 1 },
		"O-11 seed changed":             func(c *Circuit) { c.Seed = 1 },
		"U-08 recipient changed":        func(c *Circuit) { c.Recipient = 1 },
		"U-04 withdrawn changed":        func(c *Circuit) { c.Withdrawn = 21 },
		"C-03 nonce zero":               func(c *Circuit) { c.LinkSecrets.Nonces[1] = 0 },
		"C-03 salt zero":                func(c *Circuit) { c.LinkSecrets.Salt = 0 },
		"C-03 challenge zero":           func(c *Circuit) { c.Link.C = 0 },
		"U-11 shown message zero":       func(c *Circuit) { c.Shown = 0 },
		"U-11 coins exchanged":          func(c *Circuit) { c.Inputs[0], c.Inputs[1] = c.Inputs[1], c.Inputs[0] },
		"C-03 responses exchanged":      func(c *Circuit) { swap(c.Link.Responses, 0, 1) },
		"C-03 nonces exchanged":         func(c *Circuit) { swap(c.LinkSecrets.Nonces, 2, 3) },
		"C-02 commitment key exchanged": func(c *Circuit) { c.S[0], c.S[1] = c.S[1], c.S[0] },
	} {
		t.Run(name, func(t *testing.T) {
			c := honest(t).assign(t)
			mutate(c)
			circuit(t).Refuses(t, c)
		})
	}
}

func swap(v []frontend.Variable, i, j int) { v[i], v[j] = v[j], v[i] }
