package wallet

import (
	"math/big"
	"slices"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/statement"
)

// What is checked before a proof, so that a refusal names the limit. The circuit enforces the same (T-09 to T-15).

// account is a compliance coin with its signature.
type account struct {
	Rho       [32]byte
	Period    uint32
	Sent      uint64
	Count     uint32
	Held      uint64
	Com       [32]byte
	Signature [signatureBytes]byte
}

func (a *account) coin() (c transfer.Compliance, err error) {
	c = transfer.Compliance{Period: a.Period, Sent: a.Sent, Count: a.Count, Held: a.Held}
	if c.Rho, err = field(a.Rho); err != nil {
		return c, err
	}
	c.Com, err = field(a.Com)
	return c, err
}

func accountOf(c *transfer.Compliance) account {
	return account{Rho: bytes32(&c.Rho), Period: c.Period, Sent: c.Sent, Count: c.Count, Held: c.Held, Com: bytes32(&c.Com)}
}

// ownedCoin is a coin that was received and is not claimed.
type ownedCoin struct {
	Origin    uint8
	Value     uint64
	Rho       [32]byte
	Signature [signatureBytes]byte
	Time      uint64
	Text      string
}

// total may be above 64 bits.
func total(coins []ownedCoin) *big.Int {
	sum := new(big.Int)
	for i := range coins {
		sum.Add(sum, new(big.Int).SetUint64(coins[i].Value))
	}
	return sum
}

// withinLimits refuses a payment that the policy does not allow.
func withinLimits(a *account, l *statement.Limits, period uint32, paid uint64) error {
	sent, count := new(big.Int), uint64(0)
	switch {
	case period < a.Period:
		return refuse("stale-period", "the period is before that of the last transfer")
	case period == a.Period:
		sent, count = sent.SetUint64(a.Sent), uint64(a.Count)
	}
	sent.Add(sent, new(big.Int).SetUint64(paid))
	switch {
	case paid > l.MaxPerTransfer:
		return refuse("over-limit-transfer", "the amount is above the limit of one transfer")
	case sent.Cmp(new(big.Int).SetUint64(l.MaxPerPeriod)) > 0:
		return refuse("over-limit-period", "the amount is above what is left of the period's limit")
	case count >= uint64(l.MaxTransfersPerPeriod):
		return refuse("over-limit-count", "no transfer is left in this period")
	}
	return nil
}

// mayHold reports whether a balance is within the limit on holding, or no higher than before.
func mayHold(a *account, l *statement.Limits, held *big.Int) bool {
	limit := new(big.Int).SetUint64(max(l.MaxHeld, a.Held))
	return held.Sign() >= 0 && held.Cmp(limit) <= 0
}

// considered is how many coins' pairs are tried: the largest, which cover an amount, and the smallest, which fit under the limit.
const considered = 64

// chooseCoins returns the coins that a transfer claims: at most two, as many and as much as the limit on holding allows, or the
// oldest ones where it may claim many. It reports false where none cover the amount.
//
// Claims of two devices that received the same coins are prefixes of one list, so a recover over both loses none.
func chooseCoins(a *account, l *statement.Limits, coins []ownedCoin, spent uint64, many bool) ([]ownedCoin, bool) {
	if many && len(coins) >= manyCoins {
		if all := oldest(a, l, coins, spent); len(all) > 2 {
			return slices.Clone(all), true
		}
	}
	all := slices.Clone(coins)
	slices.SortStableFunc(all, func(x, y ownedCoin) int {
		switch {
		case x.Value > y.Value:
			return -1
		case x.Value < y.Value:
			return 1
		default:
			return 0
		}
	})
	if len(all) > considered {
		all = slices.Concat(all[:considered/2], all[len(all)-considered/2:])
	}
	options := [][]ownedCoin{nil}
	for i := range all {
		options = append(options, []ownedCoin{all[i]})
		for j := range all[:i] {
			options = append(options, []ownedCoin{all[j], all[i]})
		}
	}
	var best []ownedCoin
	found := false
	for _, option := range options {
		held := new(big.Int).SetUint64(a.Held)
		held.Sub(held.Add(held, total(option)), new(big.Int).SetUint64(spent))
		if mayHold(a, l, held) && (!found || len(option) > len(best) || len(option) == len(best) && total(option).Cmp(total(best)) > 0) {
			best, found = option, true
		}
	}
	return best, found
}

// nextInputs are the coins of the next transfer on the way to a payment: its own where two coins and the balance cover it, or
// those of a claim that has to come first. The whole way is checked, so that no coin is claimed for a payment that is impossible.
//
// No limit on payments counts what is withdrawn.
func nextInputs(
	a *account, l *statement.Limits, period uint32, coins []ownedCoin, paid, withdrawn uint64, many bool,
) (inputs []ownedCoin, last bool, err error) {
	spent := paid + withdrawn // amounts are below 2^63
	if err := withinLimits(a, l, period, paid); err != nil {
		return nil, false, err
	}
	if have := total(coins); have.Add(have, new(big.Int).SetUint64(a.Held)).Cmp(new(big.Int).SetUint64(spent)) < 0 {
		return nil, false, refuse("insufficient-funds", "the wallet holds less than the amount")
	}
	now, left := *a, coins
	for step := 0; ; step++ {
		if err := withinLimits(&now, l, period, paid); err != nil {
			return nil, false, err
		}
		chosen, ok := chooseCoins(&now, l, left, spent, many)
		last := ok
		if !ok {
			if chosen, ok = chooseCoins(&now, l, left, 0, many); !ok || len(chosen) == 0 {
				return nil, false, refuse("over-limit-held", "no received coin fits under the limit on holding")
			}
		}
		if step == 0 {
			inputs = chosen
		}
		if last {
			return inputs, step == 0, nil
		}
		left = without(left, chosen)
		now.Held += total(chosen).Uint64() // mayHold bounded it
		if now.Period != period {
			now.Period, now.Sent, now.Count = period, 0, 0
		}
		now.Count++
	}
}

func without(coins, out []ownedCoin) (left []ownedCoin) {
	for i := range coins {
		if !slices.ContainsFunc(out, func(c ownedCoin) bool { return c.Rho == coins[i].Rho }) {
			left = append(left, coins[i])
		}
	}
	return left
}
