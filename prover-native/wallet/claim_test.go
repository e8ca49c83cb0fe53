package wallet

import (
	"crypto/sha256"
	"crypto/sha512"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/statement"
)

// rich is a host with seven coins, which a claim of many takes together.
func rich(t *testing.T) (h *host, total uint64) {
	t.Helper()
	h = funded(t)
	total = first + other
	for i := range uint64(5) {
		h.world.fund(100+i, 100+i)
		total += 100 + i
	}
	if code := h.command(&command{ID: "read", Kind: commandReceive}); code != "" || h.view().total() != total {
		t.Fatalf("%q", code)
	}
	return h, total
}

// claimOfMany is a request of family 7 over all coins of a host, as another wallet of its phrase makes it.
func claimOfMany(h *host) []byte {
	k := h.world.secrets(testPhrase)
	m := &memo{Time: h.clock, Payee: bytes32(&k.apk), PayeeKey: [32]byte(k.receiving.PublicKey().Bytes())}
	return byAnother(h, statement.FamilyClaim16, m)
}

// byAnother is a request over all coins of a host, as another wallet of its phrase makes it with a memo.
func byAnother(h *host, family statement.Family, m *memo) []byte {
	var s state
	var w wallet
	if decode(h.disk, &s) != nil || decode(s.Wallet, &w) != nil {
		h.t.Fatal("the state")
	}
	n, k := h.world.net, h.world.secrets(testPhrase)
	for i := range w.Coins {
		m.Claimed = append(m.Claimed, claimed{w.Coins[i].Origin, w.Coins[i].Value, w.Coins[i].Rho})
	}
	coin := must(w.Account.coin())
	p := must(n.planTransfer(k, &coin, family, testPeriod, m, make([]byte, payoutBytes)))
	draw := draws(func(label string, size int, parts ...[]byte) []byte {
		sum := sha512.Sum512(append([]byte(label), slices.Concat(parts...)...))
		return sum[:size]
	})
	all := &rules{policy: 1, checkpoint: 1}
	e := must(n.present(k, p, all, w.Account, w.Coins, draw))
	return must(writeRequest(p, must(n.evidence(k, p, all, e, make([]byte, 704), draw))))
}

// What another wallet of the phrase claimed with one proof is followed, by a restored wallet and by one that does not know it yet.
//
//spec:id W-48
func TestAClaimOfManyIsFollowed(t *testing.T) {
	h, total := rich(t)
	if status, _ := h.world.transfer(claimOfMany(h)); status != 200 {
		t.Fatal(status)
	}
	restored := newHost(t, h.world, testPhrase)
	restored.clock = h.clock
	everyCut(t, restored, func(*world) *command { return &command{ID: "restore", Kind: commandRestore} }, 60, func(again *host, where string) {
		v := again.view()
		if v.Held != total || len(v.Coins) != 0 || len(v.History) != 1 || v.History[0].Claimed != total || again.world.reserved != 1 {
			t.Errorf("%s: %+v", where, v)
		}
	})
	for name, one := range map[string]*host{"restored": copied(restored), "old": copied(h)} {
		for _, c := range []*command{{ID: "restore", Kind: commandRestore}, payment(one.world)} {
			if code := one.command(c); code != "" {
				t.Fatalf("%s: %q", name, code)
			}
		}
		if v := one.view(); v.total() != total-paid || len(v.History) != 2 || one.world.reserved != 2 || payee(t, one.world).view().total() != paid {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// A claim of many whose rules ran out before any authority had it is given up: this core has no proof of it.
func TestAClaimOfManyIsGivenUp(t *testing.T) {
	h, total := rich(t)
	raw := claimOfMany(h)
	changed(h, func(w *wallet) { w.InFlight = &inFlight{Request: raw, Policy: 1, Checkpoint: 1} })
	h.world.policy = 2
	if code := h.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Fatalf("%q", code)
	}
	if v := h.view(); v.InFlight || v.total() != total || len(v.Coins) != 7 || h.world.reserved != 0 || h.proofs != 0 {
		t.Errorf("%+v", v)
	}
	if code := h.command(payment(h.world)); code != "" || h.view().total() != total-paid {
		t.Errorf("%q", code)
	}
}

// A liar shows the memo of a claim in a statement of another family: it counts for nothing.
func TestAMemoInAnotherFamilyCountsForNothing(t *testing.T) {
	h, _ := rich(t)
	request := must(h.world.net.readRequest(claimOfMany(h)))
	k := h.world.secrets(testPhrase)
	var s state
	var w wallet
	if decode(h.disk, &s) != nil || decode(s.Wallet, &w) != nil {
		t.Fatal("the state")
	}
	coin := must(w.Account.coin())
	for _, family := range []statement.Family{statement.FamilyTransfer, statement.FamilyPay8, statement.FamilyTransferUnregulated, statement.FamilyClaim16} {
		shown := *request
		of := *request.statement
		of.Family = family
		shown.statement = &of
		shown.core = [32]byte{byte(family)}
		if p, err := h.world.net.reopen(k, &coin, &shown); p != nil || err != nil {
			t.Errorf("%d: %v", family, err)
		}
	}
	if p, err := h.world.net.reopen(k, &coin, request); err != nil || p == nil || len(p.In) != 16 || len(p.Out) != 2 {
		t.Errorf("its own: %v", err)
	}
}

// onlyDevice gives the wallets of a test the keys of claims of many coins and their owner's word that they are on one device.
func onlyDevice(t *testing.T) {
	t.Helper()
	a := committee()
	before := a.profile
	set := func(p *profile, circuit uint32) {
		a.profile, a.net.claimCircuit = *p, circuit
		verified.profile = sha256.Sum256(encode(p))
	}
	t.Cleanup(func() { set(&before, 0) })
	after := before
	after.OnlyDevice = true
	set(&after, 10)
}

const takesClaims = `{"families":[{"name":"transfer","code":3,"circuitVersions":[7]},{"name":"claim-16","code":7,"circuitVersions":[9,10]}]}`

// claims counts the transfers of many coins that authorities have.
func (w *world) claims() (n int) {
	for _, raw := range w.requests {
		if r := must(w.net.readRequest(raw)); r.statement.Family == statement.FamilyClaim16 && r.Evidence.Circuit == 10 {
			n++
		}
	}
	return n
}

// Many coins are claimed in one transfer, whatever happens to the process, and the phrase alone goes on behind it.
//
//spec:id W-48
func TestEveryCutOfAClaimOfMany(t *testing.T) {
	onlyDevice(t)
	h, total := rich(t)
	h.world.families = takesClaims
	everyCut(t, h, payment, 80, func(h *host, where string) {
		v := h.view()
		if v.total() != total-paid || len(v.Coins) != 0 || len(v.History) != 1 || v.History[0].Claimed != total || h.world.reserved != 1 || h.world.claims() != 1 {
			t.Errorf("%s: %+v, %d transfers", where, v, h.world.reserved)
		}
	})
	if code := h.command(payment(h.world)); code != "" {
		t.Fatal(code)
	}
	again := newHost(t, h.world, testPhrase)
	again.clock = h.clock
	more := payment(h.world)
	more.ID, more.Amount = "more", 7
	for _, c := range []*command{{ID: "restore", Kind: commandRestore}, more} {
		if code := again.command(c); code != "" {
			t.Fatalf("%s: %q", c.ID, code)
		}
	}
	if v := again.view(); v.total() != total-paid-7 || len(v.History) != 2 || h.world.claims() != 1 || payee(t, h.world).view().total() != paid+7 {
		t.Errorf("%+v", v)
	}
}

// The policy moves on when a claim of many is on its way: it is proved again.
func TestAClaimOfManyUnderNewerRules(t *testing.T) {
	onlyDevice(t)
	h, total := rich(t)
	h.world.families = takesClaims
	h.before = func(x *exchange) {
		if x.Path == "/v1/transfers" {
			h.world.policy = 2
		}
	}
	if code := h.command(payment(h.world)); code != "" || h.view().total() != total-paid || h.world.claims() != 1 || h.proofs != 2 {
		t.Errorf("%q, %d proofs, %+v", code, h.proofs, h.view())
	}
}

// Without the owner's word, the keys, the gateway or five coins, two coins are claimed.
//
//spec:id W-49
func TestWhoClaimsTwoCoins(t *testing.T) {
	onlyDevice(t)
	for name, change := range map[string]func(h *host){
		"no word of the owner": func(h *host) { changed(h, func(w *wallet) { w.Profile.OnlyDevice = false }) },
		"a prover":             func(h *host) { changed(h, func(w *wallet) { w.Profile.ProverKey = prover.PublicKey().Bytes() }) },
		"no capabilities":      func(h *host) { h.world.families = "" },
		"another circuit":      func(h *host) { h.world.families = strings.ReplaceAll(takesClaims, "10", "11") },
		"no such family":       func(h *host) { h.world.families = `{"families":[{"code":3,"circuitVersions":[10]}]}` },
		"no list":              func(h *host) { h.world.families = `[]` },
		"four coins":           func(h *host) { changed(h, func(w *wallet) { w.Coins = w.Coins[:4] }) },
	} {
		h, _ := rich(t)
		h.world.families = takesClaims
		change(h)
		var s state
		var w wallet
		if decode(h.disk, &s) != nil || decode(s.Wallet, &w) != nil {
			t.Fatal("the state")
		}
		before := verified.profile
		verified.profile = sha256.Sum256(encode(&w.Profile))
		if code := h.command(payment(h.world)); code != "" || h.world.claims() != 0 || h.world.reserved == 0 {
			t.Errorf("%s: %q, %d claims of many", name, code, h.world.claims())
		}
		verified.profile = before
	}
}

func coinsOf(values ...uint64) (all []ownedCoin) {
	for i, v := range values {
		all = append(all, ownedCoin{Value: v, Rho: [32]byte{byte(i)}})
	}
	return all
}

func TestTheOldestCoinsAreClaimed(t *testing.T) {
	limits := &statement.Limits{MaxHeld: 100}
	for _, c := range []struct {
		name  string
		held  uint64
		spent uint64
		coins []ownedCoin
		want  int
	}{
		{"all", 0, 0, coinsOf(1, 2, 3, 4, 5), 5},
		{"sixteen", 0, 0, coinsOf(slices.Repeat([]uint64{1}, 20)...), 16},
		{"up to the limit", 40, 0, coinsOf(20, 20, 20, 1, 1), 3},
		{"with what is spent", 40, 10, coinsOf(20, 20, 30, 1, 1), 3},
		{"four as two", 0, 0, coinsOf(1, 2, 3, 4), 2},
		{"two fit", 0, 0, coinsOf(50, 50, 1, 1, 1), 2},
		{"dust in front of a coin that pays", 0, 50, coinsOf(append(slices.Repeat([]uint64{1}, 16), 90)...), 2},
	} {
		chosen, ok := chooseCoins(&account{Held: c.held}, limits, c.coins, c.spent, true)
		if !ok || len(chosen) != c.want {
			t.Errorf("%s: %d coins", c.name, len(chosen))
		}
		for i := range chosen {
			if len(chosen) > 2 && chosen[i].Rho != c.coins[i].Rho {
				t.Errorf("%s: not the oldest", c.name)
			}
		}
	}
}
