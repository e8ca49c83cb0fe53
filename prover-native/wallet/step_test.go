package wallet

import (
	"bytes"
	"fmt"
	"testing"
)

const (
	paid  = 3_000
	first = 4_000
	other = 500
)

// funded is a host with a restored wallet of two coins.
func funded(t *testing.T) *host {
	t.Helper()
	w := newWorld()
	w.register(testPhrase)
	w.fund(testPhrase, first, 1)
	w.fund(testPhrase, other, 2)
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
	h.world.fund(testPhrase, 7, 3)
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

// At every point of a payment the process dies, or an answer gets lost or comes twice. Nothing is lost, and nothing paid twice.
//
//spec:id W-35
func TestEveryCutOfAPayment(t *testing.T) {
	start := funded(t)
	cuts := 0
	for _, kind := range []mishap{killBefore, killAfter, killDone, lose, twice} {
		for at := 1; ; at++ {
			h := &host{t: t, world: start.world.clone(), disk: start.disk, clock: start.clock, session: start.session, events: start.events}
			reached := false
			h.fault = func(point int) mishap {
				if point != at {
					return none
				}
				reached = true
				return kind
			}
			code := h.command(payment(h.world))
			if !reached {
				break
			}
			cuts++
			if code != "" {
				// a lost answer may end the command: the same one goes on
				h.fault = nil
				code = h.command(payment(h.world))
			}
			h.fault = nil
			if code == "" {
				code = h.command(&command{ID: "settle", Kind: commandSettle})
			}
			v := h.view()
			if code != "" || v.total() != first+other-paid || len(v.History) != 1 || h.world.reserved != 1 || v.InFlight || v.Undelivered != 0 {
				t.Errorf("fault %d at %d: %q, %+v, %d transfers", kind, at, code, v, h.world.reserved)
			}
			if p := payee(t, h.world).view(); p.total() != paid {
				t.Errorf("fault %d at %d: the payee has %d", kind, at, p.total())
			}
		}
	}
	t.Logf("%d cuts", cuts)
	if cuts < 80 {
		t.Errorf("%d cuts only", cuts)
	}
}

// Every state of a payment that was ever on disk is restored as a backup, when the payment is done.
//
//spec:id W-34
func TestEveryOldStateGoesOn(t *testing.T) {
	start := funded(t)
	h := &host{t: t, world: start.world.clone(), disk: start.disk, clock: start.clock, session: start.session, events: start.events}
	var states [][]byte
	h.fault = func(int) mishap {
		states = append(states, h.disk)
		return none
	}
	if code := h.command(payment(h.world)); code != "" {
		t.Fatal(code)
	}
	for i, disk := range states {
		old := &host{t: t, world: h.world.clone(), disk: disk, clock: h.clock, session: 99, events: 1000}
		c := payment(old.world)
		c.ID = "after the backup"
		code := old.command(c)
		if code == "busy" {
			// the payment at work turns out to be made
			if code := old.command(payment(old.world)); code != "" {
				t.Errorf("state %d: %q", i, code)
			}
			code = old.command(c)
		}
		if code != "insufficient-funds" {
			t.Errorf("state %d: %q", i, code)
		}
		if v := old.view(); v.total() != first+other-paid || old.world.reserved != 1 {
			t.Errorf("state %d: %+v, %d transfers", i, v, old.world.reserved)
		}
	}
}

// Another copy of the wallet pays while this one proves: both payments are made, each once.
func TestAnotherCopyIsFirst(t *testing.T) {
	h := funded(t)
	copied := &host{t: t, world: h.world, disk: h.disk, clock: h.clock, session: 50, events: 500}
	raced := false
	h.before = func(x *exchange) {
		if raced || x.Path != "/v1/transfers" {
			return
		}
		raced = true
		c := payment(h.world)
		c.ID, c.Amount, c.Text = "by the copy", 1_000, "first"
		if code := copied.command(c); code != "" {
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
