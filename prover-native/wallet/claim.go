package wallet

import (
	"encoding/json"
	"math/big"
	"slices"

	"solidus.io/prover/statement"
)

// From so many unclaimed coins on a transfer claims many, at most so many.
const (
	manyCoins  = 5
	mostClaims = 16
)

// What a gateway said of claims of many coins, in a command.
const (
	claimsUnknown = 0
	claimsTaken   = 1
	claimsRefused = 2
)

// provesClaims reports whether this wallet has the keys of claims of many coins and its host proves them.
func (r *run) provesClaims() bool { return r.net.claimCircuit != 0 && len(r.Profile.ProverKey) == 0 }

// claimsMany reports whether a transfer may claim many coins: by the owner's word, the keys, the host and the gateway. It asks the
// gateway once in a command, and then ends in a commit.
func (r *run) claimsMany() (bool, error) {
	if !r.Profile.OnlyDevice || !r.provesClaims() || len(r.Coins) < manyCoins {
		return false, nil
	}
	if r.Session.Claims != claimsUnknown {
		return r.Session.Claims == claimsTaken, nil
	}
	body, err := r.ask(get("/v1/capabilities"))
	if codeOf(err) == "" && err != nil || mayComeLater(err) {
		return false, err
	}
	r.Session.Claims = claimsRefused
	if err == nil && r.net.takesClaims(body) {
		r.Session.Claims = claimsTaken
	}
	return false, r.commit()
}

// takesClaims reads what a gateway says that its network takes.
func (n *network) takesClaims(body []byte) bool {
	var j struct {
		Families []struct {
			Code     int      `json:"code"`
			Circuits []uint32 `json:"circuitVersions"`
		} `json:"families"`
	}
	if json.Unmarshal(body, &j) != nil {
		return false
	}
	for i := range j.Families {
		if j.Families[i].Code == int(statement.FamilyClaim16) && slices.Contains(j.Families[i].Circuits, n.claimCircuit) {
			return true
		}
	}
	return false
}

// oldest are as many coins as possible, from the first that the wallet received on, with which the balance covers an amount and is
// within the limit on holding.
func oldest(a *account, l *statement.Limits, coins []ownedCoin, spent uint64) []ownedCoin {
	fitting := 0
	held := new(big.Int).Sub(new(big.Int).SetUint64(a.Held), new(big.Int).SetUint64(spent))
	for i := range coins[:min(len(coins), mostClaims)] {
		held.Add(held, new(big.Int).SetUint64(coins[i].Value))
		if mayHold(a, l, held) {
			fitting = i + 1
		} else if held.Sign() > 0 {
			break // above the limit, and more with each coin
		}
	}
	return coins[:fitting]
}
