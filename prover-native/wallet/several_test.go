package wallet

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/statement"
)

const thirdPhrase = "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal winner thank year wave " +
	"sausage worth title"

func paidTo(k *secrets, paid uint64, text string) memoPayment {
	return memoPayment{Paid: paid, Payee: bytes32(&k.apk), PayeeKey: [32]byte(k.receiving.PublicKey().Bytes()), Text: text}
}

// severalPaid is a memo of three payments of another wallet of the phrase, one of which goes to the phrase itself.
func severalPaid(h *host) *memo {
	to := paidTo(h.world.secrets(otherPhrase), paid, "wages")
	return &memo{
		Time: h.clock, Paid: to.Paid, Payee: to.Payee, PayeeKey: to.PayeeKey, Text: to.Text,
		More: []memoPayment{paidTo(h.world.secrets(thirdPhrase), 77, "also wages"), paidTo(h.world.secrets(testPhrase), 5, "mine")},
		Rest: slices.Concat([]byte{3}, bytes.Repeat([]byte{9}, 32), []byte{0, 2, 0, 3, 0, 4}),
	}
}

func paysSeveral(h *host) []byte { return byAnother(h, statement.FamilyPay8, severalPaid(h)) }

const severalTotal = paid + 77

func totalOf(t *testing.T, w *world, phrase string) uint64 {
	t.Helper()
	h := newHost(t, w, phrase)
	if code := h.command(&command{ID: "restore", Kind: commandRestore}); code != "" && code != "no-quorum" {
		t.Fatal(code)
	}
	return h.view().total()
}

// A payment to several that another wallet of the phrase made is followed, whether all authorities have signed it or one alone has
// it: by a wallet that is restored and by one that does not know it yet.
//
//spec:id F-81 W-53
func TestAPaymentToSeveralIsFollowed(t *testing.T) {
	h := funded(t)
	h.world.register(thirdPhrase)
	raw := paysSeveral(h)
	for _, alone := range []bool{false, true} {
		old := copied(h)
		if alone {
			old.world.shown = append(old.world.shown, raw)
		} else if status, _ := old.world.transfer(raw); status != 200 {
			t.Fatal(status)
		}
		restored := newHost(t, old.world.clone(), testPhrase)
		restored.clock = h.clock
		for name, one := range map[string]*host{"restored": restored, "old": old} {
			posted := len(one.world.mailbox)
			if code := one.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
				t.Fatalf("%s, alone %t: %q", name, alone, code)
			}
			pay := payment(one.world)
			pay.Amount = 100
			if code := one.command(pay); code != "" {
				t.Fatalf("%s, alone %t: %q", name, alone, code)
			}
			if n := len(one.world.mailbox) - posted; n != 9 {
				t.Errorf("%s, alone %t: %d messages, not eight and that of the second payment", name, alone, n)
			}
			if code := one.command(&command{ID: "read", Kind: commandReceive}); code != "" {
				t.Fatalf("%s, alone %t: %q", name, alone, code)
			}
			v := one.view()
			if v.total() != first+other-severalTotal-100 || v.InFlight || v.Undelivered != 0 || len(v.History) != 4 || one.world.reserved != 2 || one.proofs != 1 {
				t.Errorf("%s, alone %t: %+v, %d transfers", name, alone, v, one.world.reserved)
			}
			for i, want := range []viewTransfer{{Paid: paid, Text: "wages", Claimed: first + other}, {Paid: 77, Text: "also wages"}, {Paid: 5, Text: "mine"}} {
				if got := v.History[i]; got.Core != v.History[0].Core || got.Paid != want.Paid || got.Text != want.Text || got.Claimed != want.Claimed || got.Payee == "" {
					t.Errorf("%s, alone %t: %+v", name, alone, got)
				}
			}
			for phrase, got := range map[string]uint64{otherPhrase: paid + 100, thirdPhrase: 77} {
				if n := totalOf(t, one.world, phrase); n != got {
					t.Errorf("%s, alone %t: a payee has %d, not %d", name, alone, n, got)
				}
			}
		}
	}
}

// Whatever happens to the process, each payee's message is posted and the coins are counted once.
func TestEveryCutOfARestoreBehindAPaymentToSeveral(t *testing.T) {
	h := funded(t)
	if status, _ := h.world.transfer(paysSeveral(h)); status != 200 {
		t.Fatal(status)
	}
	restored := newHost(t, h.world, testPhrase)
	restored.clock = h.clock
	cuts := 0
	everyCut(t, restored, func(*world) *command { return &command{ID: "restore", Kind: commandRestore} }, 60, func(again *host, where string) {
		if cuts++; cuts%20 == 0 {
			if n := payee(t, again.world).view().total(); n != paid {
				t.Errorf("%s: the payee has %d", where, n)
			}
		}
		v := again.view()
		if v.Held != first+other-severalTotal-5 || len(v.History) != 3 || v.InFlight || v.Undelivered != 0 || again.world.reserved != 1 {
			t.Errorf("%s: %+v", where, v)
		}
	})
}

// One authority shows a payment to several that ran out before any other one had it. It is given up on what 2f+1 sign, and the wallet
// goes on: nobody can stop it with what another wallet of the phrase once made.
//
//spec:id W-08
func TestOneLiarWithAPaymentToSeveralStopsNobody(t *testing.T) {
	for name, made := range map[string]func(h *host) []byte{"to several": paysSeveral, "to one": lineOfAList} {
		h := funded(t)
		h.world.shown = []json.RawMessage{made(h)}
		h.world.policy++
		h.world.period++
		restored := newHost(t, h.world.clone(), testPhrase)
		restored.clock = h.clock
		requireNotStopped(t, name+", restored", restored)
		requireNotStopped(t, name+", old", h)
	}
}

func requireNotStopped(t *testing.T, name string, one *host) {
	t.Helper()
	for _, c := range []*command{{ID: "restore", Kind: commandRestore}, payment(one.world)} {
		if code := one.command(c); code != "" {
			t.Fatalf("%s: %s: %q", name, c.ID, code)
		}
	}
	if v := one.view(); v.total() != first+other-paid || len(v.History) != 1 || v.InFlight || one.world.reserved != 1 {
		t.Errorf("%s: %+v, %d transfers", name, v, one.world.reserved)
	}
}

// One that the wallet has no proof of, and that authorities may still take, is not given up.
func TestAPaymentToSeveralThatMayCompleteWaits(t *testing.T) {
	h := funded(t)
	raw := paysSeveral(h)
	changed(h, func(w *wallet) { w.InFlight = &inFlight{Request: raw, Policy: 1, Checkpoint: 1} })
	h.refuses = func(x *exchange) string {
		if x.Path == "/v1/transfers" {
			return "proof-invalid"
		}
		return ""
	}
	if code := h.command(&command{ID: "settle", Kind: commandSettle}); code != "transfer-in-flight" || !h.view().InFlight || h.proofs != 0 {
		t.Errorf("%q, %+v", code, h.view())
	}
	h.refuses = nil
	if code := h.command(&command{ID: "again", Kind: commandSettle}); code != "" || h.view().InFlight || len(h.view().History) != 3 {
		t.Errorf("%q, %+v", code, h.view())
	}
}

// What somebody else seals, or what is shown beside the memo, counts for nothing.
func TestWhatIsNoPaymentToSeveralOfThePhrase(t *testing.T) {
	h := funded(t)
	raw := paysSeveral(h)
	request := must(h.world.net.readRequest(raw))
	serial := request.statement.Serials[0]
	var j map[string]map[string]any
	if err := json.Unmarshal(raw, &j); err != nil {
		t.Fatal(err)
	}
	k := h.world.secrets(otherPhrase)
	j["attachments"]["memoBlock"] = b64(k.sealMemo(&serial, severalPaid(h)))
	another := must(json.Marshal(j))
	h.world.shown = []json.RawMessage{another, json.RawMessage(strings.Replace(string(raw), `"family":8`, `"family":3`, 1))}
	if code := h.command(payment(h.world)); code != "" || h.world.reserved != 1 {
		t.Errorf("%q, %d transfers", code, h.world.reserved)
	}
}

// The payments of a list keep requests from being paid again, also when the transfer is in a page of history.
func TestARequestInAPaymentToSeveral(t *testing.T) {
	id := bytes.Repeat([]byte{0xab}, tokenBytes)
	m := severalPaid(funded(t))
	m.More[0].Text = strings.Repeat("ab", tokenBytes) + " rent"
	one := record{Core: [32]byte{1}, Memo: bytes.TrimRight(m.encode(), "\x00")}
	left := must(one.traces())
	if !left.has(traceOf(traceRequest, m.More[0].Payee[:], id)) || left.has(traceOf(traceRequest, m.Payee[:], id)) {
		t.Error("the trace of its request")
	}
	i := &intent{to: &address{Apk: m.More[0].Payee}, request: id}
	if !i.pays(m) {
		t.Error("the second payment does not pay the request")
	}
	if i.to.Apk = m.Payee; i.pays(m) {
		t.Error("the first payment pays the request")
	}
}

// A memo is read as it is written, and what is out of range is refused.
func TestMemosOfSeveralPayees(t *testing.T) {
	m := severalPaid(funded(t))
	for len(m.More) < 7 {
		m.More = append(m.More, m.More[0])
	}
	for i := range m.More {
		m.More[i].Text, m.More[i].Mailbox = strings.Repeat("x", maxText), strings.Repeat("m", maxMailbox)
	}
	m.Claimed = []claimed{{Value: 1, Rho: [32]byte{31: 1}}, {Value: 2, Rho: [32]byte{31: 2}}}
	content := m.encode()
	if again := must(decodeMemo(content)); len(content) != severalBytes || !bytes.Equal(again.encode(), content) || len(again.payments()) != 8 {
		t.Error("another memo")
	}
	claims := 23
	for name, at := range map[string]struct {
		place int
		value byte
	}{
		"version": {0, 2}, "claims": {claims, 3}, "one payee": {claims + 1 + 82, 1}, "nine payees": {claims + 1 + 82, 9},
		"amount": {claims + 2 + 82, 0x80}, "unfinished": {19, 0x80},
	} {
		bad := bytes.Clone(content)
		bad[at.place] = at.value
		if _, err := decodeMemo(bad); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := decodeMemo(append(content, 0)); err == nil {
		t.Error("a longer memo is taken")
	}
}

// A recover frees an account that a payment to several locks with a payment of this core.
func TestARecoverOverAPaymentToSeveral(t *testing.T) {
	phone := funded(t)
	phone.world.split()
	raw := paysSeveral(phone)
	laptop := device(phone, 50)
	laptop.before = once(func() {
		phone.world.up = []int{0, 1}
		if status, _ := phone.world.transferAt(raw); status == 200 {
			t.Fatal("it has completed")
		}
	})
	payAt(laptop, byLaptop, "by the laptop", 2, 3)
	if code := laptop.command(recovering("")); code != "" || laptop.world.recovered() != 1 {
		t.Fatalf("%q, %d recovers", code, laptop.world.recovered())
	}
	v := laptop.view()
	if len(v.Recovers) != 1 || v.Recovers[0].Burnt != byLaptop && v.Recovers[0].Burnt != severalTotal+5 {
		t.Fatalf("%+v", v)
	}
	requireFree(t, laptop, first+other-v.Recovers[0].Burnt, "the laptop")
}
