package suite

import (
	"math/big"
	"strconv"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/measure"
	"solidus.io/prover/internal/multiexp"
	"solidus.io/prover/jubjub"
)

// equalWeights are the weights of a verifier without randomness.
func equalWeights(n int) []weight {
	all := make([]weight, n)
	for i := range all {
		all[i] = multiexp.NewWeight(1, 0, &lambda)
	}
	return all
}

// Two wrong presentations whose errors cancel when both weigh the same, which is why weights are drawn.
func TestShownErrorsThatCancelUnderEqualWeights(t *testing.T) {
	x := newFixture(t, 1)
	sig := x.signature(t)
	shown := make([]Shown, 12)
	for i := range shown {
		shown[i] = x.show(t, &sig)
	}
	must(t, x.ShownHold(x.committee, shown))
	e := randomG1(t)
	var minus G1
	minus.Neg(&e)
	shown[2].S, shown[9].S = add(shown[2].S, e), add(shown[9].S, minus)
	if !shownHold(x.committee, shown, equalWeights(len(shown))) {
		t.Fatal("the errors do not cancel: the test shows nothing")
	}
	for range 8 {
		refused(t, x.ShownHold(x.committee, shown), fault.ShownSignatureInvalid)
	}
}

func keyClaims(t testing.TB, n int) []*KeyClaim {
	t.Helper()
	all := make([]*KeyClaim, n)
	for i := range all {
		core := [32]byte{byte(i)}
		_, _, rk, sig := signed(t, core)
		var err error
		all[i], err = NewKeyClaim(&rk, core, sig)
		must(t, err)
	}
	return all
}

func TestKeyClaimsTogether(t *testing.T) {
	all := keyClaims(t, 20)
	for _, n := range []int{0, 1, 2, 3, 20} {
		must(t, VerifyKeyClaims(all[:n]))
		for i := range n {
			good := *all[i]
			for name, breaks := range map[string]func(*KeyClaim){
				"z":            func(k *KeyClaim) { k.z = keyScalar(t) },
				"c":            func(k *KeyClaim) { k.c = keyScalar(t) },
				"R":            func(k *KeyClaim) { k.commitment = randomKey(t) },
				"rk":           func(k *KeyClaim) { k.rk = randomKey(t) },
				"another's rk": func(k *KeyClaim) { k.rk = all[(i+1)%len(all)].rk },
			} {
				breaks(all[i])
				if fault.CodeOf(VerifyKeyClaims(all[:n])) != fault.KeySignatureInvalid {
					t.Fatalf("%s of claim %d of %d is accepted", name, i, n)
				}
				*all[i] = good
			}
		}
	}
}

func TestKeyErrorsThatCancelUnderEqualWeights(t *testing.T) {
	all := keyClaims(t, 10)
	e := keyScalar(t)
	all[1].z.Add(&all[1].z, &e)
	all[6].z.Add(&all[6].z, e.Neg(&e))
	equal := make([]*big.Int, len(all))
	for i := range equal {
		equal[i] = big.NewInt(1)
	}
	if !keyClaimsHold(all, equal) {
		t.Fatal("the errors do not cancel: the test shows nothing")
	}
	for range 8 {
		refused(t, VerifyKeyClaims(all), fault.KeySignatureInvalid)
	}
}

func BenchmarkKeyClaims(b *testing.B) {
	all := keyClaims(b, 64)
	b.Run("new", func(b *testing.B) {
		k := all[0]
		signature := append(jubjub.EncodePoint(&k.commitment), k.z.Bytes()...)
		measure.Loop(b, 1, func() {
			_, err := NewKeyClaim(&k.rk, [32]byte{}, signature)
			must(b, err)
		})
	})
	for _, n := range []int{1, 8, 64} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			measure.Loop(b, n, func() { must(b, VerifyKeyClaims(all[:n])) })
		})
	}
}
