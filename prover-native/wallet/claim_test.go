package wallet

import (
	"crypto/sha512"
	"slices"
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
	var s state
	var w wallet
	if decode(h.disk, &s) != nil || decode(s.Wallet, &w) != nil {
		h.t.Fatal("the state")
	}
	n, k := h.world.net, h.world.secrets(testPhrase)
	m := &memo{Time: h.clock, Payee: bytes32(&k.apk), PayeeKey: [32]byte(k.receiving.PublicKey().Bytes())}
	for i := range w.Coins {
		m.Claimed = append(m.Claimed, claimed{w.Coins[i].Origin, w.Coins[i].Value, w.Coins[i].Rho})
	}
	coin := must(w.Account.coin())
	p := must(n.planTransfer(k, &coin, statement.FamilyClaim16, testPeriod, m, make([]byte, payoutBytes)))
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
