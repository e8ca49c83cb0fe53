package wallet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

const (
	paid  = 3_000
	first = 4_000
	other = 500
)

// funded is a host with a restored wallet of two coins.
func funded(t testing.TB) *host {
	t.Helper()
	w := newWorld()
	w.register(testPhrase)
	w.fund(first, 1)
	w.fund(other, 2)
	h := newHost(t, w, testPhrase)
	if code := h.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatalf("restore: %s", code)
	}
	return h
}

// payee is the host of the other wallet, after it has read the mailbox.
func payee(t *testing.T, w *world) *host {
	t.Helper()
	h := newHost(t, w, otherPhrase)
	if code := h.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatalf("payee: %s", code)
	}
	return h
}

func addressOf(w *world, phrase string) string {
	k := w.secrets(phrase)
	return w.net.writeAddress(&address{Apk: bytes32(&k.apk), Key: [32]byte(k.receiving.PublicKey().Bytes())})
}

func payment(w *world) *command {
	return &command{ID: "payment 1", Kind: commandPay, Payee: addressOf(w, otherPhrase), Amount: paid, Text: "invoice 17"}
}

//spec:id W-33
func TestRestoreReceivePay(t *testing.T) {
	h := funded(t)
	if v := h.view(); !v.Registered || v.Restoring || v.total() != first+other || v.Held != 0 || len(v.Coins) != 2 || v.Coins[0].Text != "for you" {
		t.Fatalf("restored: %+v", v)
	}
	c := payment(h.world)
	if code := h.command(c); code != "" {
		t.Fatalf("pay: %s", code)
	}
	v := h.view()
	if v.Held != first+other-paid || len(v.Coins) != 0 || v.InFlight || v.Undelivered != 0 || len(v.History) != 1 {
		t.Fatalf("paid: %+v", v)
	}
	if one := v.History[0]; one.Paid != paid || one.Payee != c.Payee || one.Text != c.Text || one.Claimed != first+other || one.Payment != c.ID {
		t.Errorf("history: %+v", one)
	}
	if p := payee(t, h.world).view(); p.total() != paid || p.Coins[0].Text != c.Text {
		t.Errorf("payee: %+v", p)
	}
	// the same payment again is the same payment
	if code := h.command(c); code != "" || h.world.reserved != 1 {
		t.Errorf("again: %q, %d transfers", code, h.world.reserved)
	}
	h.world.fund(7, 3)
	if code := h.command(&command{ID: "receive", Kind: commandReceive}); code != "" || h.view().total() != first+other-paid+7 {
		t.Errorf("receive: %q, %d", code, h.view().total())
	}
}

// A phrase alone finds balance and history again.
func TestRestoreFollowsTheChain(t *testing.T) {
	h := funded(t)
	for i := range 3 {
		c := payment(h.world)
		c.ID, c.Amount = fmt.Sprint(i), 100
		if code := h.command(c); code != "" {
			t.Fatal(code)
		}
	}
	again := newHost(t, h.world, testPhrase)
	if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatal(code)
	}
	v := again.view()
	if v.total() != first+other-300 || len(v.History) != 3 || h.world.reserved != 3 {
		t.Errorf("restored: %+v, %d transfers", v, h.world.reserved)
	}
	// and pays on, while the first file is a copy that does not know it
	c := payment(h.world)
	c.ID = "by the second"
	if code := again.command(c); code != "" {
		t.Fatal(code)
	}
	c.ID, c.Text = "by the first", "another invoice"
	if code := h.command(c); code != "insufficient-funds" {
		t.Errorf("the first copy: %q", code)
	}
	if v := h.view(); v.total() != first+other-300-paid || len(v.History) != 4 {
		t.Errorf("the first copy: %+v", v)
	}
}

// copied is another host with the same disk, in a world of its own.
func copied(h *host) *host {
	return &host{t: h.t, world: h.world.clone(), disk: h.disk, clock: h.clock, session: h.session, events: h.events, pages: maps.Clone(h.pages)}
}

// everyCut carries a command out as often as it has points, and at each of them the process dies, or an answer gets lost or comes
// twice. What is left to do is settled.
func everyCut(t *testing.T, start *host, build func(w *world) *command, least int, check func(h *host, where string)) {
	t.Helper()
	everyCutOf(t, start, build, least, everyMishap, check)
}

var everyMishap = []mishap{killBefore, killAfter, killDone, lose, twice}

func everyCutOf(t *testing.T, start *host, build func(w *world) *command, least int, kinds []mishap, check func(h *host, where string)) {
	t.Helper()
	atCuts(t, start, build, least, kinds, func(h *host, code, where string) {
		if code != "" {
			// a lost answer may end the command: the same one goes on
			code = h.command(build(h.world))
		}
		if code == "" {
			code = h.command(&command{ID: "settle", Kind: commandSettle})
		}
		if code != "" {
			t.Errorf("%s: %q", where, code)
		}
		check(h, where)
	})
}

// atEveryCut goes on with the code that the command ended with after its mishap.
func atEveryCut(t *testing.T, start *host, build func(w *world) *command, least int, then func(h *host, code, where string)) {
	t.Helper()
	atCuts(t, start, build, least, everyMishap, then)
}

func atCuts(
	t *testing.T, start *host, build func(w *world) *command, least int, kinds []mishap, then func(h *host, code, where string),
) {
	t.Helper()
	cuts := 0
	for _, kind := range kinds {
		for at := 1; ; at++ {
			h := copied(start)
			reached := false
			h.fault = func(point int) mishap {
				if point != at {
					return none
				}
				reached = true
				return kind
			}
			code := h.command(build(h.world))
			if !reached {
				break
			}
			cuts++
			h.fault = nil
			then(h, code, fmt.Sprintf("fault %d at %d", kind, at))
		}
	}
	t.Logf("%d cuts", cuts)
	if cuts < least {
		t.Errorf("%d cuts only", cuts)
	}
}

// Nothing is lost, and nothing paid twice.
//
//spec:id W-35
func TestEveryCutOfAPayment(t *testing.T) {
	everyCut(t, funded(t), payment, 80, func(h *host, where string) {
		v := h.view()
		if v.total() != first+other-paid || len(v.History) != 1 || h.world.reserved != 1 || v.InFlight || v.Undelivered != 0 {
			t.Errorf("%s: %+v, %d transfers", where, v, h.world.reserved)
		}
		if p := payee(t, h.world).view(); p.total() != paid {
			t.Errorf("%s: the payee has %d", where, p.total())
		}
	})
}

func withdrawal(*world) *command {
	account := &bankAccount{ //nolint:gosec // a creditor is no credential
		Key: [32]byte(issuer.PublicKey().Bytes()), Creditor: " Ada <Lovelace> ", IBAN: "de02 1203 0000 0000 2020 51", Reference: "rent",
	}
	return &command{ID: "withdrawal 1", Kind: commandWithdraw, Amount: paid, Details: encode(account)}
}

const instruction = `{"creditorName":"Ada <Lovelace>","iban":"DE02120300000000202051","reference":"rent"}`

// It is signed once, and paid out once.
//
//spec:id W-42
func TestEveryCutOfAWithdrawal(t *testing.T) {
	everyCut(t, funded(t), withdrawal, 70, func(h *host, where string) {
		v := h.view()
		if v.total() != first+other-paid || len(v.History) != 1 || v.History[0].Withdrawn != paid || h.world.reserved != 1 || v.InFlight || v.Unredeemed != 0 {
			t.Errorf("%s: %+v, %d transfers", where, v, h.world.reserved)
		}
		if len(h.world.paidOut) != 1 {
			t.Errorf("%s: paid out %d times", where, len(h.world.paidOut))
		}
		for _, order := range h.world.paidOut {
			if order != (payoutOrder{paid, instruction}) {
				t.Errorf("%s: paid out %+v", where, order)
			}
		}
	})
}

// The issuance service is away: the money waits with its evidence, also in a wallet that is restored from the phrase.
func TestAPayoutIsAskedForUntilItIsAccepted(t *testing.T) {
	h := funded(t)
	away := func(x *exchange) {
		if x.Role == roleIssuance {
			x.Path = "/v1/nowhere"
		}
	}
	h.before = away
	if code := h.command(withdrawal(h.world)); code != "" {
		t.Fatalf("%q", code)
	}
	if v := h.view(); v.Unredeemed != 1 || v.total() != first+other-paid || len(h.world.paidOut) != 0 {
		t.Fatalf("%+v", v)
	}
	again := newHost(t, h.world.clone(), testPhrase)
	if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatal(code)
	}
	for _, one := range []*host{h, again} {
		one.before = nil
		if code := one.command(&command{ID: "settle", Kind: commandSettle}); code != "" || one.view().Unredeemed != 0 || len(one.world.paidOut) != 1 {
			t.Errorf("%q, %+v, paid out %d times", code, one.view(), len(one.world.paidOut))
		}
	}
}

func TestWithdrawalsThatCannotBePaidOut(t *testing.T) {
	h := funded(t)
	for name, change := range map[string]func(*bankAccount){
		"check digits": func(a *bankAccount) { a.IBAN = "DE03120300000000202051" },
		"form":         func(a *bankAccount) { a.IBAN = "DE02" },
		"no name":      func(a *bankAccount) { a.Creditor = " " },
		"a line feed":  func(a *bankAccount) { a.Reference = "a\nb" },
		"too long":     func(a *bankAccount) { a.Creditor, a.Reference = strings.Repeat("ü", 140), strings.Repeat("ü", 140) },
		"no key":       func(a *bankAccount) { a.Key = [32]byte{} },
	} {
		c := withdrawal(h.world)
		var a bankAccount
		if err := decode(c.Details, &a); err != nil {
			t.Fatal(err)
		}
		change(&a)
		c.ID, c.Details = name, encode(&a)
		if code := h.command(c); code != "malformed-request" {
			t.Errorf("%s: %q", name, code)
		}
	}
	if h.world.reserved != 0 {
		t.Error("a refused withdrawal left")
	}
}

// Every state of a payment or a withdrawal that was ever on disk is restored as a backup, when it is done.
//
//spec:id W-34
func TestEveryOldStateGoesOn(t *testing.T) {
	start := funded(t)
	for _, build := range []func(*world) *command{payment, withdrawal} {
		h := copied(start)
		var states [][]byte
		h.fault = func(int) mishap {
			states = append(states, h.disk)
			return none
		}
		if code := h.command(build(h.world)); code != "" {
			t.Fatal(code)
		}
		for i, disk := range states {
			old := &host{t: t, world: h.world.clone(), disk: disk, clock: h.clock, session: 99, events: 1000}
			c := payment(old.world)
			c.ID = "after the backup"
			code := old.command(c)
			if code == "busy" {
				// the payment at work turns out to be made
				if code := old.command(build(old.world)); code != "" {
					t.Errorf("state %d: %q", i, code)
				}
				code = old.command(c)
			}
			if code != "insufficient-funds" {
				t.Errorf("state %d: %q", i, code)
			}
			if v := old.view(); v.total() != first+other-paid || old.world.reserved != 1 || len(old.world.paidOut) != len(h.world.paidOut) {
				t.Errorf("state %d: %+v, %d transfers", i, v, old.world.reserved)
			}
		}
	}
}

func mintOf(*world) *command {
	return &command{ID: "mint 1", Kind: commandMint, Amount: 700, Details: encode(&funding{ID: "funding-1", Token: "secret"})}
}

// collecting has another id each time: a command of an id that has ended does nothing.
func collecting(id string) *command { return &command{ID: "collect " + id, Kind: commandCollect} }

// A mint is asked for once, waits, and gives one coin, which the phrase alone finds again.
//
//spec:id W-43
func TestEveryCutOfAMint(t *testing.T) {
	start := funded(t)
	everyCut(t, start, mintOf, 40, func(h *host, where string) {
		if v := h.view(); len(v.Mints) != 1 || v.Mints[0].Value != 700 || len(h.world.mints) != 1 || v.total() != first+other {
			t.Errorf("%s: %+v, %d mints", where, v, len(h.world.mints))
		}
	})
	if code := start.command(mintOf(start.world)); code != "" {
		t.Fatal(code)
	}
	start.world.decided = "awaiting-approval"
	if code := start.command(collecting("early")); code != "" || len(start.view().Mints) != 1 {
		t.Fatalf("%q", code)
	}
	start.world.decided = "approved"
	everyCut(t, start, func(*world) *command { return collecting("") }, 40, func(h *host, where string) {
		if v := h.view(); len(v.Mints) != 0 || v.total() != first+other+700 || v.Undelivered != 0 {
			t.Errorf("%s: %+v", where, v)
		}
		again := newHost(t, h.world.clone(), testPhrase)
		if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" || again.view().total() != first+other+700 {
			t.Errorf("%s: restored %q, %d", where, code, again.view().total())
		}
		// and the same funding again is the same coin
		c := mintOf(h.world)
		c.ID = "mint 2"
		if code := h.command(c); code != "" || len(h.view().Mints) != 0 {
			t.Errorf("%s: again %q", where, code)
		}
	})
}

func TestRefusedMints(t *testing.T) {
	h := funded(t)
	c := mintOf(h.world)
	c.Details = encode(&funding{ID: "funding-1", Token: "wrong"})
	if code := h.command(c); code != "forbidden" || len(h.view().Mints) != 0 {
		t.Errorf("%q, %+v", code, h.view().Mints)
	}
	if code := h.command(mintOf(h.world)); code != "" {
		t.Fatalf("%q", code)
	}
	c = mintOf(h.world)
	c.ID, c.Amount = "another value", 701
	if code := h.command(c); code != "mint-pending" {
		t.Errorf("%q", code)
	}
	h.world.decided = "refused"
	if code := h.command(collecting("1")); code != "" || len(h.view().Mints) != 0 || h.view().total() != first+other {
		t.Errorf("%q, %+v", code, h.view())
	}
	stranger := newHost(t, newWorld(), testPhrase)
	if code := stranger.command(mintOf(stranger.world)); code != "not-registered" {
		t.Errorf("%q", code)
	}
}

// changed is a host whose wallet was altered on its disk.
func changed(h *host, change func(w *wallet)) *host {
	var s state
	var w wallet
	if err := decode(h.disk, &s); err != nil {
		h.t.Fatal(err)
	}
	if err := decode(s.Wallet, &w); err != nil {
		h.t.Fatal(err)
	}
	change(&w)
	s.Wallet = encode(&w)
	h.disk = encode(&s)
	return h
}

// The service takes a mint, and no answer comes back: collect asks for it all the same.
func TestAMintWhoseAnswerWasLost(t *testing.T) {
	h := funded(t)
	losing := false
	h.before = func(x *exchange) { losing = x.Role == roleIssuance }
	h.fault = func(int) mishap {
		if losing {
			return lose
		}
		return none
	}
	if code := h.command(mintOf(h.world)); code != "gateway-unreachable" || len(h.world.mints) != 1 {
		t.Fatalf("%q, %d mints", code, len(h.world.mints))
	}
	h.before, h.fault = nil, nil
	h.world.decided = "approved"
	if code := h.command(collecting("1")); code != "" || h.view().total() != first+other+700 || len(h.view().Mints) != 0 {
		t.Errorf("%q, %+v", code, h.view())
	}
	// and one that never came there waits
	h.before = func(x *exchange) {
		if x.Role == roleIssuance {
			x.Path = "/v1/nowhere"
		}
	}
	h.outage = func(x *exchange) bool { return x.Path == "/v1/nowhere" }
	c := mintOf(h.world)
	c.ID, c.Details = "mint 2", encode(&funding{ID: "funding-1", Token: "secret", Ordinal: 1})
	if code := h.command(c); code != "unavailable" || len(h.view().Mints) != 1 {
		t.Fatalf("%q, %+v", code, h.view().Mints)
	}
	h.before, h.outage = nil, nil
	if code := h.command(collecting("2")); code != "" || len(h.view().Mints) != 1 {
		t.Errorf("%q, %+v", code, h.view().Mints)
	}
}

func TestABadMintDoesNotStopTheNext(t *testing.T) {
	h := funded(t)
	for i := range uint32(3) {
		c := mintOf(h.world)
		c.ID, c.Details = fmt.Sprint("mint ", i), encode(&funding{ID: "funding-1", Token: "secret", Ordinal: i})
		if code := h.command(c); code != "" {
			t.Fatal(code)
		}
	}
	h.world.decided = "approved"
	waiting := h.view().Mints
	delete(h.world.mints, base64url.EncodeToString(waiting[0].ID[:]))     // the service lost it
	h.world.mints[base64url.EncodeToString(waiting[1].ID[:])] = 1_000_000 // the authorities refuse it
	if code := h.command(collecting("1")); code != "not-found" || h.view().total() != first+other+700 || len(h.view().Mints) != 2 {
		t.Errorf("%q, %+v", code, h.view())
	}
}

// A refused command still posts what waits, and asks for the payouts.
func TestARefusedCommandDeliversAndRedeems(t *testing.T) {
	h := funded(t)
	h.outage = func(x *exchange) bool { return x.Path == "/v1/mailbox" || x.Role == roleIssuance }
	c := payment(h.world)
	c.Amount = 10
	if code := h.command(c); code != "" {
		t.Fatal(code)
	}
	if code := h.command(withdrawal(h.world)); code != "" {
		t.Fatal(code)
	}
	if v := h.view(); v.Undelivered != 1 || v.Unredeemed != 1 {
		t.Fatalf("%+v", v)
	}
	h.outage = nil
	c.ID, c.Amount = "too much", 1_000_000
	if code := h.command(c); code != "over-limit-transfer" {
		t.Errorf("%q", code)
	}
	if v := h.view(); v.Undelivered != 0 || v.Unredeemed != 0 || len(h.world.paidOut) != 1 || v.Working != "" {
		t.Errorf("%+v, paid out %d times", v, len(h.world.paidOut))
	}
	// nothing goes to a gateway that serves another network
	changed(h, func(w *wallet) { w.Deliveries[0].Stage = stageWaiting })
	posts := 0
	h.before = func(x *exchange) {
		if len(x.Body) > 0 {
			posts++
		}
	}
	h.spoil = func(x *exchange, body []byte) []byte {
		if x.Path == "/v1/info" {
			return []byte(`{}`)
		}
		return body
	}
	if code := h.command(&command{ID: "settle", Kind: commandSettle}); code != "network-mismatch" || posts != 0 {
		t.Errorf("%q, %d posts", code, posts)
	}
}

// owing is a host with two messages that are not posted and a withdrawal and another that are not paid out.
func owing(t *testing.T) *host {
	t.Helper()
	h := funded(t)
	h.outage = func(x *exchange) bool { return x.Path == "/v1/mailbox" || x.Role == roleIssuance }
	for i := range 2 {
		c, out := payment(h.world), withdrawal(h.world)
		c.ID, c.Amount, out.ID, out.Amount = fmt.Sprint("payment ", i), 10, fmt.Sprint("withdrawal ", i), 20
		for _, one := range []*command{c, out} {
			if code := h.command(one); code != "" {
				t.Fatal(code)
			}
		}
	}
	if v := h.view(); v.Undelivered != 2 || v.Unredeemed != 2 {
		t.Fatalf("%+v", v)
	}
	h.outage = nil
	return h
}

// A gateway that does not answer is not asked once more for each message and each payout that waits.
//
//spec:id W-42
func TestACommandWithoutAnswersEndsSoon(t *testing.T) {
	start := owing(t)
	c := payment(start.world)
	c.ID = "no answer"
	for _, one := range []struct {
		name, code       string
		command          *command
		silent           func(x *exchange) bool
		posts, payouts   int
		delivers, orders bool
	}{
		{"rules", "gateway-unreachable", c, func(x *exchange) bool { return x.Path == "/v1/policy" }, 0, 0, false, false},
		{"signatures", "transfer-in-flight", c, func(x *exchange) bool { return x.Path == "/v1/transfers" }, 0, 0, false, false},
		{"the mailbox alone", "", &command{ID: "settle", Kind: commandSettle}, func(x *exchange) bool { return x.Path == "/v1/mailbox" }, 1, 2, false, true},
		{"the bank", "gateway-unreachable", mintOf(nil), func(x *exchange) bool { return x.Role == roleIssuance }, 2, 0, true, false},
		{"the bank alone", "", &command{ID: "settle", Kind: commandSettle}, func(x *exchange) bool { return x.Role == roleIssuance }, 2, 1, true, false},
	} {
		h := copied(start)
		losing, posts, payouts := false, 0, 0
		h.before = func(x *exchange) {
			losing = one.silent(x)
			if x.Path == "/v1/mailbox" {
				posts++
			}
			if x.Path == "/v1/redemptions" {
				payouts++
			}
		}
		h.fault = func(int) mishap {
			if losing {
				return lose
			}
			return none
		}
		code := h.command(one.command)
		v := h.view()
		if code != one.code || posts != one.posts || payouts != one.payouts || v.Undelivered == 0 != one.delivers || v.Unredeemed == 0 != one.orders {
			t.Errorf("%s: %q, %d posts, %d payouts, %+v", one.name, code, posts, payouts, v)
		}
		h.before, h.fault = nil, nil
		if code := h.command(&command{ID: "at last", Kind: commandSettle}); code != "" || h.view().Undelivered+h.view().Unredeemed != 0 || len(h.world.paidOut) != 2 {
			t.Errorf("%s, later: %q, %+v", one.name, code, h.view())
		}
	}
}

// A message that waits to be posted again is not dropped because the host's clock is wrong.
//
//spec:id W-47
func TestAWrongClockDropsNothingThatWaits(t *testing.T) {
	h := funded(t)
	if code := h.command(payment(h.world)); code != "" {
		t.Fatal(code)
	}
	// the mailbox has lost it
	h.world.mailbox = h.world.mailbox[:len(h.world.mailbox)-1]
	changed(h, func(w *wallet) { w.Deliveries[0].Stage = stageWaiting })
	h.clock += retention + day
	if code := h.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Fatal(code)
	}
	if p := payee(t, h.world).view(); p.total() != paid || h.view().Undelivered != 0 {
		t.Errorf("the payee has %d, %+v", p.total(), h.view())
	}
}

// One message and one payout at which a service always fails do not keep the others from being posted and paid.
func TestOneThatAlwaysFailsDoesNotStopTheOthers(t *testing.T) {
	for _, path := range []string{"/v1/mailbox", "/v1/redemptions"} {
		h := owing(t)
		var failing []byte
		h.outage = func(x *exchange) bool {
			if x.Path != path {
				return false
			}
			if failing == nil {
				failing = bytes.Clone(x.Body)
			}
			return bytes.Equal(x.Body, failing)
		}
		for i := range 3 {
			if code := h.command(&command{ID: fmt.Sprint("settle ", i), Kind: commandSettle}); code != "" {
				t.Fatalf("%s: %q", path, code)
			}
		}
		if v := h.view(); v.Undelivered+v.Unredeemed != 1 || failing == nil {
			t.Errorf("%s: %+v", path, v)
		}
	}
}

// A refused command that is killed while it posts and redeems does neither twice.
func TestEveryCutOfARefusedCommand(t *testing.T) {
	start := owing(t)
	settled := copied(start)
	if code := settled.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Fatal(code)
	}
	refused := func(w *world) *command {
		c := payment(w)
		c.ID, c.Amount = "too much", 1_000_000
		return c
	}
	atEveryCut(t, start, refused, 40, func(h *host, _, where string) {
		if code := h.command(refused(h.world)); code != "over-limit-transfer" {
			t.Errorf("%s: %q", where, code)
		}
		if code := h.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
			t.Errorf("%s: %q", where, code)
		}
		if v := h.view(); v.Undelivered+v.Unredeemed != 0 || len(h.world.mailbox) != len(settled.world.mailbox) || len(h.world.paidOut) != 2 || h.world.reserved != 4 {
			t.Errorf("%s: %+v, %d messages, %d payouts", where, v, len(h.world.mailbox), len(h.world.paidOut))
		}
	})
}

func TestACaseThatTheServiceNoLongerHas(t *testing.T) {
	h := newHost(t, newWorld(), testPhrase)
	if code := h.command(registering("Ada")); code != "" {
		t.Fatal(code)
	}
	clear(h.world.cases)
	if code := h.command(collecting("1")); code != "not-found" || h.view().Registering {
		t.Errorf("%q, %+v", code, h.view())
	}
	if code := h.command(registering("Ada Lovelace")); code != "" || !h.view().Registering {
		t.Fatalf("%q", code)
	}
	h.world.decided = "approved"
	if code := h.command(collecting("2")); code != "" || !h.view().Registered {
		t.Errorf("%q", code)
	}
}

func TestAnApplicantThatIsNull(t *testing.T) {
	h := newHost(t, newWorld(), testPhrase)
	c := registering("nobody")
	c.Details = []byte("null")
	if code := h.command(c); code != "malformed-request" || h.proofs != 0 {
		t.Errorf("%q, %d proofs", code, h.proofs)
	}
}

func registering(name string) *command {
	return &command{ID: "register " + name, Kind: commandRegister, Details: fmt.Appendf(nil, `{"person":{"name":%q}}`, name)}
}

// From new words to a first compliance coin, which the phrase alone finds again.
//
//spec:id W-44
func TestEveryCutOfARegistration(t *testing.T) {
	start := newHost(t, newWorld(), testPhrase)
	ada := func(*world) *command { return registering("Ada") }
	everyCut(t, start, ada, 50, func(h *host, where string) {
		if v := h.view(); !v.Registering || v.Registered || len(h.world.cases) != 1 {
			t.Errorf("%s: %+v, %d cases", where, v, len(h.world.cases))
		}
	})
	if code := start.command(ada(start.world)); code != "" {
		t.Fatal(code)
	}
	// a phone that was lost while the case waits
	lost := newHost(t, start.world.clone(), testPhrase)
	if code := lost.command(&command{ID: "restore", Kind: commandRestore}); code != "" || !lost.view().Registering {
		t.Fatalf("%q, %+v", code, lost.view())
	}
	for _, one := range []*host{start, lost} {
		one.world.decided = "approved"
		everyCut(t, one, func(*world) *command { return collecting("") }, 30, func(h *host, where string) {
			if v := h.view(); !v.Registered || v.Registering {
				t.Errorf("%s: %+v", where, v)
			}
			h.world.fund(first, 1)
			if code := h.command(&command{ID: "read", Kind: commandReceive}); code != "" {
				t.Errorf("%s: %q", where, code)
			}
			again := newHost(t, h.world.clone(), testPhrase)
			for _, phone := range []*host{h, again} {
				if code := phone.command(payment(phone.world)); code != "" || phone.view().total() != first-paid {
					t.Errorf("%s: %q, %+v", where, code, phone.view())
				}
			}
		})
	}
}

func TestRefusedRegistrations(t *testing.T) {
	h := newHost(t, newWorld(), testPhrase)
	if code := h.command(registering("Ada")); code != "" {
		t.Fatal(code)
	}
	h.world.decided = "refused"
	if code := h.command(collecting("2")); code != "registration-refused" || h.view().Registering {
		t.Fatalf("%q, %+v", code, h.view())
	}
	h.world.decided = "pending"
	if code := h.command(registering("Augusta Ada")); code != "" || !h.view().Registering {
		t.Fatalf("%q, %+v", code, h.view())
	}
	// a note for somebody else's core
	h.world.decided = "approved"
	for core, opened := range h.world.cases {
		delete(h.world.cases, core)
		h.world.cases[[32]byte{1}] = opened
	}
	if code := h.command(collecting("3")); code != "attestation-invalid" || h.view().Registered {
		t.Errorf("%q", code)
	}
	for _, token := range []string{"", "two\r\nlines", "ünder", strings.Repeat("a", maxAccess+1)} {
		if isAccess(token) {
			t.Errorf("%q is an access token", token)
		}
	}
	for _, details := range []string{"", "[]", `{"person":{},"registration":{}}`} {
		if code := h.command(&command{ID: "bad " + details, Kind: commandRegister, Details: []byte(details)}); code != "malformed-request" {
			t.Errorf("%q: %q", details, code)
		}
	}
}

// requestOf writes a request as page 8 says.
func requestOf(w *world, fields ...[]byte) string {
	k := w.secrets(otherPhrase)
	tag, apk := w.net.Tag(), bytes32(&k.apk)
	content := append(append([]byte{requestVersion}, tag[:]...), 1, addressKeys)
	content = append(append(content, apk[:]...), k.receiving.PublicKey().Bytes()...)
	for _, f := range fields {
		content = append(append(content, f[0], byte(len(f)-1)), f[1:]...)
	}
	return requestScheme + writeBech32(requestPrefix, content)
}

func paidOf(amount uint64) []byte { return append([]byte{2}, u64(amount)...) }

var (
	euros     = []byte("\x03EUR")
	requestID = append([]byte{5}, bytes.Repeat([]byte{0xab}, tokenBytes)...)
	label     = []byte("\x07Miete März")
)

// A request with an id is paid once, also by a wallet that was restored, and under another name.
//
//spec:id W-45
func TestEveryCutOfAPaidRequest(t *testing.T) {
	once := func(w *world) *command {
		return &command{ID: "request", Kind: commandPay, Payee: requestOf(w, paidOf(paid), euros, requestID, label)}
	}
	everyCut(t, funded(t), once, 80, func(h *host, where string) {
		again := newHost(t, h.world, testPhrase)
		for _, phone := range []*host{h, again} {
			c := once(h.world)
			c.ID = "another name"
			if code := phone.command(c); code != "" || h.world.reserved != 1 {
				t.Errorf("%s: %q, %d transfers", where, code, h.world.reserved)
			}
		}
		if p := payee(t, h.world).view(); p.total() != paid || p.Coins[0].Text != hex.EncodeToString(requestID[1:])+" Miete März" {
			t.Errorf("%s: the payee has %+v", where, p.Coins)
		}
	})
}

func TestRequestsThatAreNotPaid(t *testing.T) {
	h := funded(t)
	for _, c := range []struct {
		code   string
		fields [][]byte
		amount uint64
	}{
		{"request-expired", [][]byte{paidOf(5), euros, append([]byte{4}, u64(testNow)...)}, 0},
		{"network-mismatch", [][]byte{paidOf(5), []byte("\x03USD")}, 0},
		{"malformed-request", [][]byte{paidOf(5), euros}, 6},
		{"malformed-request", nil, 0},
		{"unknown-version", [][]byte{{9}}, 5},
	} {
		if code := h.command(&command{ID: c.code, Kind: commandPay, Payee: requestOf(h.world, c.fields...), Amount: c.amount}); code != c.code {
			t.Errorf("%+v: %q", c, code)
		}
	}
	if h.world.reserved != 0 {
		t.Error("a refused request was paid")
	}
	later := &command{ID: "in time", Kind: commandPay, Payee: requestOf(h.world, append([]byte{4}, u64(testNow+day)...)), Amount: 5}
	if code := h.command(later); code != "" || h.view().total() != first+other-5 {
		t.Errorf("%q", code)
	}
}

// The prover that the owner chose makes the proof; the host makes none.
//
//spec:id W-46
func TestDelegatedProof(t *testing.T) {
	start := funded(t)
	var before state
	if err := decode(start.disk, &before); err != nil {
		t.Fatal(err)
	}
	var w wallet
	if err := decode(before.Wallet, &w); err != nil {
		t.Fatal(err)
	}
	w.Profile.ProverKey = prover.PublicKey().Bytes()
	verified.profile = sha256.Sum256(encode(&w.Profile))
	defer func() { verified.profile = sha256.Sum256(encode(&start.world.profile)) }()
	before.Wallet = encode(&w)
	start.disk = encode(&before)
	if code := start.command(payment(start.world)); code != "" || start.world.delegated != 1 || start.proofs != 0 {
		t.Fatalf("%q, %d proofs of the prover, %d of the host", code, start.world.delegated, start.proofs)
	}
	if v := start.view(); v.total() != first+other-paid {
		t.Errorf("%+v", v)
	}
	start.world.fund(50, 3)
	// an answer that was sealed for somebody else
	start.spoil = func(x *exchange, body []byte) []byte {
		if x.Path == "/v1/proofs" {
			return must(json.Marshal(map[string]b64{"sealedProof": make([]byte, 100)}))
		}
		return body
	}
	c := payment(start.world)
	c.ID, c.Amount = "spoilt", 1
	if code := start.command(c); code != "proof-unverified" || start.world.reserved != 1 {
		t.Errorf("%q, %d transfers", code, start.world.reserved)
	}
}

// long is a host whose wallet has so many transfers and coins in its history.
func long(t testing.TB, transfers, coins int) *host {
	t.Helper()
	h := funded(t)
	if code := h.command(&command{ID: "first", Kind: commandPay, Payee: addressOf(h.world, otherPhrase), Amount: 1}); code != "" {
		t.Fatal(code)
	}
	return changed(h, func(w *wallet) {
		for i := len(w.Transfers); i < transfers; i++ {
			one := w.Transfers[0]
			one.Core = sha256.Sum256(u64(uint64(i)))
			one.Payment = fmt.Sprintf("payment %d of a long history", i)
			w.Transfers = append(w.Transfers, one)
		}
		for i := w.Seen.count(); i < coins; i++ {
			t := coinTrace(sha256.Sum256(u64(uint64(i))))
			w.Seen = append(w.Seen, t[:]...)
		}
		w.Deliveries = nil
	})
}

// A state has a bound. What it refuses then is a new payment and a new coin, and never what is in flight.
//
//spec:id W-47
func TestAFullHistoryRefuses(t *testing.T) {
	h := long(t, maxTransfers-1, 0)
	h.full = true
	if code := h.command(payment(h.world)); code != "" {
		t.Fatalf("the last payment: %q", code)
	}
	c := payment(h.world)
	c.ID = "one more"
	before := h.world.reserved
	if code := h.command(c); code != "history-full" || h.world.reserved != before || h.view().InFlight {
		t.Errorf("%q, %d transfers", code, h.world.reserved)
	}
	// the last one again is the last one
	if code := h.command(payment(h.world)); code != "" || h.world.reserved != before {
		t.Errorf("%q", code)
	}
	full := long(t, 0, maxSeen-1)
	total := full.view().total()
	full.world.fund(7, 71)
	if code := full.command(&command{ID: "read", Kind: commandReceive}); code != "" || full.view().total() != total+7 {
		t.Errorf("the last coin: %q", code)
	}
	full.world.fund(8, 72)
	if code := full.command(&command{ID: "read more", Kind: commandReceive}); code != "history-full" || full.view().total() != total+7 {
		t.Errorf("%q, %d", code, full.view().total())
	}
}

// A reading that brings nothing leaves the place as it was: the next one goes on from there.
//
//spec:id W-06
func TestAReadingWithoutMailKeepsThePlace(t *testing.T) {
	h := funded(t)
	var asked []string
	h.before = func(x *exchange) {
		if strings.HasPrefix(x.Path, "/v1/mailbox?") {
			asked = append(asked, strings.Split(x.Path, "&")[0])
		}
	}
	for i := range 4 {
		if code := h.command(&command{ID: fmt.Sprint("read ", i), Kind: commandReceive}); code != "" {
			t.Fatalf("%q", code)
		}
	}
	if slices.Contains(asked, "/v1/mailbox?after=0") || len(asked) != 4 {
		t.Errorf("%v", asked)
	}
}

// heavy is a host whose wallet has so many bytes of messages that were delivered.
func heavy(h *host, n int) *host {
	return changed(h, func(w *wallet) {
		w.Deliveries = append(w.Deliveries, delivery{Transfer: 1, Stage: stageSeen, First: testNow, Message: message{Parcel: make([]byte, n)}})
	})
}

// Few transfers may be as long as many.
func TestALongStateRefuses(t *testing.T) {
	h := heavy(funded(t), maxHistory)
	h.world.fund(7, 71)
	for _, c := range []*command{payment(h.world), mintOf(h.world)} {
		if code := h.command(c); code != "history-full" || h.world.reserved != 0 || h.proofs != 0 {
			t.Errorf("%s: %q, %d transfers, %d proofs", c.ID, code, h.world.reserved, h.proofs)
		}
	}
	fuller := heavy(copied(h), roomForCoins)
	if code := fuller.command(&command{ID: "read", Kind: commandReceive}); code != "history-full" || fuller.view().total() != first+other {
		t.Errorf("a coin without room: %q, %d", code, fuller.view().total())
	}
	h = heavy(funded(t), maxHistory-100_000)
	if code := h.command(payment(h.world)); code != "" {
		t.Errorf("below the bound: %q", code)
	}
}

// What no mailbox keeps any longer leaves before anything is refused for it.
func TestAFullStateBecomesShortAgain(t *testing.T) {
	full := heavy(funded(t), maxHistory+roomForCopies)
	full.world.fund(7, 71)
	for _, c := range []*command{payment(full.world), mintOf(full.world), {ID: "read", Kind: commandReceive}} {
		h := copied(full)
		if code := h.command(c); code != "history-full" {
			t.Errorf("%s: %q", c.ID, code)
		}
		h.clock += retention + day
		c.ID += " again"
		if code := h.command(c); code != "" || len(h.disk) > 1<<20 {
			t.Errorf("%s: %q, %d bytes", c.ID, code, len(h.disk))
		}
	}
}

// A wallet whose payments have filled its state takes coins, asks for its payouts and posts its messages, and its coins stay
// where its phrase finds them: so another wallet of the phrase can move the money.
func TestAFullStateTakesAndKeepsCoins(t *testing.T) {
	h := heavy(owing(t), maxHistory)
	h.world.fund(7, 71)
	c := payment(h.world)
	c.ID = "one more"
	if code := h.command(c); code != "history-full" {
		t.Fatalf("%q", code)
	}
	if v := h.view(); v.Undelivered+v.Unredeemed != 0 || len(h.world.paidOut) != 2 {
		t.Errorf("%+v", v)
	}
	total := h.view().total()
	if code := h.command(&command{ID: "read", Kind: commandReceive}); code != "" || h.view().total() != total+7 {
		t.Errorf("%q, %d", code, h.view().total())
	}
	h.clock += copyAge + day
	changed(h, func(w *wallet) {
		for i := range w.Deliveries {
			w.Deliveries[i].First = h.clock // as full as before
		}
	})
	old := len(h.world.mailbox)
	if code := h.command(&command{ID: "read again", Kind: commandReceive}); code != "" || len(h.world.mailbox) != old+1 {
		t.Fatalf("%q, %d copies", code, len(h.world.mailbox)-old)
	}
	// the mailbox has forgotten the payment itself
	elsewhere := newHost(t, h.world.clone(), testPhrase)
	elsewhere.clock = h.clock
	elsewhere.world.mailbox = append(slices.Clone(h.world.mailbox[:1]), h.world.mailbox[old:]...)
	c.ID, c.Amount = "elsewhere", 8
	for _, one := range []*command{{ID: "restore", Kind: commandRestore}, c} {
		if code := elsewhere.command(one); code != "" {
			t.Fatalf("%s: %q", one.ID, code)
		}
	}
	if v := elsewhere.view(); v.total() != total+7-8 {
		t.Errorf("%+v", v)
	}
}

// What services answer does not make a state that no host can open again.
func TestLongAnswersDoNotFillTheState(t *testing.T) {
	asked := func(mints, n int) *host {
		h := heavy(funded(t), n)
		h.world.decided = "awaiting-approval"
		return changed(h, func(w *wallet) {
			for i := range mints {
				w.Mints = append(w.Mints, pendingMint{ID: [32]byte{byte(i)}, Value: 1, Asked: true})
				h.world.mints[base64url.EncodeToString(w.Mints[i].ID[:])] = 1
			}
		})
	}
	// one refusal of 1 MiB after the other
	h := asked(1, maxState-6<<20)
	tries := 0
	h.outage = func(x *exchange) bool {
		if x.Role == roleIssuance {
			tries++
		}
		return x.Role == roleIssuance
	}
	if code := h.command(collecting("refusals")); code != "unavailable" || tries < 8 {
		t.Errorf("%q after %d tries", code, tries)
	}
	h = asked(maxMints, maxHistory+2<<20)
	h.spoil = func(x *exchange, body []byte) []byte {
		if x.Role == roleIssuance {
			body = append(body, bytes.Repeat([]byte(" "), limitJSON-len(body))...)
		}
		return body
	}
	if code := h.command(collecting("answers")); code != "gateway-misbehaved" || len(h.disk) > maxState || len(h.view().Mints) != maxMints {
		t.Errorf("%q, %d bytes", code, len(h.disk))
	}
	h.spoil = nil
	if code := h.command(collecting("honest")); code != "" {
		t.Errorf("%q", code)
	}
	// nor do those of the application
	e := &event{Version: Version, Session: [16]byte{h.session}, Now: h.clock, Kind: eventCommand}
	e.Body = encode(&command{ID: "long", Kind: commandRegister, Details: make([]byte, maxCommand)})
	if _, _, err := Step(h.disk, encode(e)); err == nil {
		t.Error("a command of any length")
	}
}

// BenchmarkStep is what a step costs beside a history: an answer that comes twice does nothing but read and write the state.
func BenchmarkStep(b *testing.B) {
	for _, transfers := range []int{1, 100, 1_000, maxTransfers - 1} {
		b.Run(fmt.Sprint(transfers), func(b *testing.B) {
			h := long(b, transfers, 2*transfers)
			if code := h.command(&command{ID: "archive", Kind: commandSettle}); code != "" {
				b.Fatal(code)
			}
			e := encode(&event{Version: Version, Session: [16]byte{h.session}, Now: h.clock, Kind: eventWake, Body: encode(&wakeReply{})})
			for b.Loop() {
				if _, _, err := Step(h.disk, e); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(h.disk)), "bytes")
		})
	}
}

// Another copy of the wallet pays while this one proves: both payments are made, each once.
func TestAnotherCopyIsFirst(t *testing.T) {
	h := funded(t)
	second := &host{t: t, world: h.world, disk: h.disk, clock: h.clock, session: 50, events: 500}
	raced := false
	h.before = func(x *exchange) {
		if raced || x.Path != "/v1/transfers" {
			return
		}
		raced = true
		c := payment(h.world)
		c.ID, c.Amount, c.Text = "by the copy", 1_000, "first"
		if code := second.command(c); code != "" {
			t.Fatalf("the copy: %q", code)
		}
	}
	c := payment(h.world)
	if code := h.command(c); code != "" || !raced {
		t.Fatalf("%q", code)
	}
	if v := h.view(); v.total() != first+other-paid-1_000 || len(v.History) != 2 || h.world.reserved != 2 || v.History[1].Payment != c.ID {
		t.Errorf("%+v, %d transfers", v, h.world.reserved)
	}
	if p := payee(t, h.world).view(); p.total() != paid+1_000 {
		t.Errorf("the payee has %d", p.total())
	}
}

func TestRulesThatMoveOn(t *testing.T) {
	h := funded(t)
	// the policy moves on when the request is on its way
	sent := false
	h.before = func(x *exchange) {
		if !sent && x.Path == "/v1/transfers" {
			sent = true
			h.world.policy = 2
		}
	}
	if code := h.command(payment(h.world)); code != "" || !sent {
		t.Fatalf("%q", code)
	}
	if v := h.view(); v.total() != first+other-paid || len(v.History) != 1 {
		t.Errorf("%+v", v)
	}
}

// A transfer whose period is over is given up when 2f+1 authorities sign that they never take it, and pays nothing.
func TestGivingUp(t *testing.T) {
	h := funded(t)
	sent := false
	h.before = func(x *exchange) {
		if !sent && x.Path == "/v1/transfers" {
			sent = true
			h.world.policy, h.world.period = 2, testPeriod+1
		}
	}
	if code := h.command(payment(h.world)); code != "abandoned" || !sent {
		t.Fatalf("%q", code)
	}
	if v := h.view(); v.total() != first+other || v.InFlight || len(v.History) != 0 {
		t.Fatalf("%+v", v)
	}
	c := payment(h.world)
	c.ID = "payment 2"
	if code := h.command(c); code != "" || h.view().total() != first+other-paid {
		t.Errorf("%q, %+v", code, h.view())
	}
}

func TestRefusals(t *testing.T) {
	h := funded(t)
	for code, change := range map[string]func(*command){
		"malformed-request":   func(c *command) { c.Payee = "sld1" },
		"insufficient-funds":  func(c *command) { c.Amount = 5_000 },
		"over-limit-transfer": func(c *command) { c.Amount = 10_001 },
	} {
		c := payment(h.world)
		c.ID = code
		change(c)
		if got := h.command(c); got != code {
			t.Errorf("%q, want %q", got, code)
		}
	}
	if h.world.reserved != 0 {
		t.Error("a refused payment left")
	}
}

// The same state and event give the same bytes.
//
//spec:id W-30
func TestDeterminism(t *testing.T) {
	h := funded(t)
	e := &event{Version: Version, Session: [16]byte{h.session}, Now: h.clock, Kind: eventCommand, Body: encode(payment(h.world))}
	before := bytes.Clone(h.disk)
	s1, f1, err1 := Step(h.disk, encode(e))
	s2, f2, err2 := Step(h.disk, encode(e))
	if err1 != nil || err2 != nil || !bytes.Equal(s1, s2) || !bytes.Equal(f1, f2) || !bytes.Equal(before, h.disk) {
		t.Error("two steps differ")
	}
}
