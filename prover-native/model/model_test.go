package model

import "testing"

// Worlds of a short run; the command solidus-model runs any number.
const (
	shortWorlds = 20_000
	enough      = 400_000

	livenessWorlds = 5_000
)

//spec:id X-05 X-06 X-07 X-08 X-09 X-20 X-21 X-22 X-23 X-24 X-25 X-26 X-27 V-23 W-03 W-09 W-10
func TestNoWorldShowsAViolation(t *testing.T) {
	for _, kind := range []Kind{Safety, LookUps, Halves} {
		for f := 1; f <= 2; f++ {
			config := Config{Kind: kind, F: f}
			for seed := range uint64(shortWorlds / f) {
				if r := Run(config, seed); r.Violation != "" {
					t.Fatalf("%s, f = %d, seed %d: %s", kind, f, seed, r.Violation)
				}
			}
		}
	}
}

// locked is how many wallets of the first worlds stay locked.
func locked(without Rule) (n int) {
	for seed := range uint64(livenessWorlds) {
		if r := Run(Config{Kind: Liveness, F: 1, Without: without}, seed); r.Violation != "" {
			n++
		}
	}
	return n
}

// Some worlds lock their wallet whatever it does: the disorder claims a coin twice in one chain, which no honest wallet does,
// or leaves more cores than a recover may have below it.
//
//spec:id W-10 X-27
func TestNearlyEveryWalletGetsFree(t *testing.T) {
	if n := locked(Everything); n > livenessWorlds/500 {
		t.Errorf("%d of %d wallets stay locked", n, livenessWorlds)
	}
}

// firstSeed is near a world that notices the rule's absence, where such worlds are rare.
var firstSeed = map[Rule]uint64{DistinctSuccessors: 1_800, InheritedNotReturned: 75_400}

//spec:id X-05 X-06 X-07 X-08 X-09 X-20 X-21 X-22 X-23 X-24 X-25 X-26 X-27 V-23 W-03 W-09 W-10
func TestEveryRuleIsNeeded(t *testing.T) {
	for _, rule := range Rules() {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			if rule.Kind() == Liveness {
				if n := locked(rule); n < livenessWorlds/100 {
					t.Errorf("only %d of %d wallets are locked without the rule", n, livenessWorlds)
				}
				return
			}
			config := Config{Kind: rule.Kind(), F: 1, Without: rule}
			for seed := firstSeed[rule]; seed < firstSeed[rule]+enough; seed++ {
				if r := Run(config, seed); r.Violation != "" {
					t.Logf("seed %d: %s", seed, r.Violation)
					return
				}
			}
			t.Error("no world notices that the rule is missing")
		})
	}
}

// A world follows from its seed.
func TestWorldsRepeat(t *testing.T) {
	for kind := Safety; kind <= Halves; kind++ {
		for seed := range uint64(200) {
			config := Config{Kind: kind, F: 1}
			if a, b := Run(config, seed), Run(config, seed); a != b {
				t.Fatalf("%s, seed %d: %+v, then %+v", kind, seed, a, b)
			}
		}
	}
}
