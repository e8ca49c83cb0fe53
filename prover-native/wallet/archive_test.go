package wallet

import (
	"bytes"
	"fmt"
	"testing"
)

// shortPages makes pages of two transfers, and keeps two in the state.
func shortPages(t testing.TB) {
	t.Helper()
	kept, page := keptTransfers, pageTransfers
	keptTransfers, pageTransfers = 2, 2
	t.Cleanup(func() { keptTransfers, pageTransfers = kept, page })
}

// payments makes so many, the last one to a request with an id.
func (h *host) payments(n int) *host {
	h.t.Helper()
	for i := range n {
		c := payment(h.world)
		c.ID, c.Amount, c.Text = fmt.Sprint("small ", i), 10, fmt.Sprint("number ", i)
		if i == 0 {
			c = asked(h.world)
			c.ID = "small 0"
		}
		if code := h.command(c); code != "" {
			h.t.Fatalf("%s: %q", c.ID, code)
		}
	}
	return h
}

// asked pays a request of 10 with an id.
func asked(w *world) *command {
	return &command{ID: "by another name", Kind: commandPay, Payee: requestOf(w, paidOf(10), euros, requestID, label)}
}

// page is what the core shows of a page that the host brings.
func (h *host) page(number uint32, brought []byte) *pageView {
	h.t.Helper()
	e := &event{Version: Version, Session: [16]byte{77}, Now: h.clock, Kind: eventPage, Body: encode(&pageQuestion{number, brought})}
	after, effects, err := Step(h.disk, encode(e))
	if err != nil {
		h.t.Fatal(err)
	}
	var all []effect
	var v pageView
	if !bytes.Equal(after, h.disk) || decode(effects, &all) != nil || len(all) != 1 || all[0].Kind != effectPage || decode(all[0].Body, &v) != nil {
		h.t.Fatal("no page")
	}
	return &v
}

// history is that of the pages and of the state.
func (h *host) history() (all []viewTransfer) {
	h.t.Helper()
	v := h.view()
	for number := range v.Pages {
		p := h.page(number, h.pages[number])
		if p.Code != "" || p.Number != number {
			h.t.Errorf("page %d: %q", number, p.Code)
		}
		all = append(all, p.History...)
	}
	if len(all) != int(v.Archived) {
		h.t.Errorf("%d transfers in the archive, %d in its pages", v.Archived, len(all))
	}
	return append(all, v.History...)
}

// Old transfers leave the state and are read by pages, whatever happens to the process and to answers.
//
//spec:id W-60
func TestEveryCutOfAnArchive(t *testing.T) {
	shortPages(t)
	start := funded(t).payments(3)
	if v := start.view(); v.Pages != 0 || len(v.History) != 3 {
		t.Fatalf("%+v", v)
	}
	everyCut(t, start, payment, 80, func(h *host, where string) {
		all := h.history()
		if len(all) != 4 || h.world.reserved != 4 || h.view().total() != first+other-paid-30 {
			t.Errorf("%s: %+v, %d transfers", where, all, h.world.reserved)
		}
		for i, name := range []string{"small 0", "small 1", "small 2", "payment 1"} {
			if i < len(all) && (all[i].Payment != name || all[i].Paid == 0 || all[i].Payee == "") {
				t.Errorf("%s: transfer %d is %+v", where, i, all[i])
			}
		}
		if v := h.view(); v.Pages != 1 || v.Archived != 2 {
			t.Errorf("%s: %d pages", where, v.Pages)
		}
	})
}

// A page that is lost or altered is told as such. No payment is made again for it, and the wallet pays on.
func TestALostPageCostsHistoryOnly(t *testing.T) {
	shortPages(t)
	h := funded(t).payments(9)
	v := h.view()
	if v.Pages < 2 {
		t.Fatalf("%+v", v)
	}
	h.history()
	altered := bytes.Clone(h.pages[0])
	altered[20] ^= 1
	for name, brought := range map[string][]byte{"altered": altered, "lost": nil, "another": h.pages[1], "short": h.pages[0][:15]} {
		if p := h.page(0, brought); p.Code != "history-lost" || p.History != nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if _, _, err := Step(h.disk, encode(&event{Version: Version, Session: [16]byte{h.session}, Kind: eventPage, Body: encode(&pageQuestion{Number: v.Pages})})); err == nil {
		t.Error("a page that was never made")
	}
	h.pages = nil
	total, made := v.total(), h.world.reserved
	again := payment(h.world)
	again.ID, again.Amount, again.Text = "small 1", 10, "number 1"
	for _, c := range []*command{again, asked(h.world)} {
		h.forget()
		if code := h.command(c); code != "" || h.world.reserved != made || h.view().total() != total {
			t.Errorf("%s: %q, %d transfers", c.ID, code, h.world.reserved)
		}
	}
	// a coin of the archive that is posted again is no second coin
	h.world.fund(first, 1)
	c := payment(h.world)
	for _, one := range []*command{{ID: "read", Kind: commandReceive}, c} {
		if code := h.command(one); code != "" {
			t.Errorf("%s: %q", one.ID, code)
		}
	}
	if got := h.view().total(); got != total-paid {
		t.Errorf("%d, want %d", got, total-paid)
	}
}

// forget drops the commands that ended lately.
func (h *host) forget() { changed(h, func(w *wallet) { w.Ended = nil }) }

// A phrase finds a long chain again, and its history leaves the state while it is found.
func TestRestoreArchives(t *testing.T) {
	shortPages(t)
	h := funded(t).payments(6)
	start := newHost(t, h.world, testPhrase)
	start.clock = h.clock
	restore := func(*world) *command { return &command{ID: "restore", Kind: commandRestore} }
	atCuts(t, start, restore, 60, []mishap{killAfter, lose}, func(again *host, _, where string) {
		for _, c := range []*command{restore(nil), {ID: "settle", Kind: commandSettle}} {
			if code := again.command(c); code != "" {
				t.Errorf("%s: %q", where, code)
			}
		}
		all := again.history()
		if len(all) != 6 || again.view().total() != h.view().total() || again.view().Pages != 2 || len(again.view().History) != 2 {
			t.Errorf("%s: %d transfers, %+v", where, len(all), again.view())
		}
		for i := range all {
			for j := range all[:i] {
				if all[i].Core == all[j].Core {
					t.Errorf("%s: a transfer twice", where)
				}
			}
		}
		if code := again.command(asked(again.world)); code != "" || again.world.reserved != 6 {
			t.Errorf("%s: %q, %d transfers", where, code, again.world.reserved)
		}
	})
}

// A host without a place for pages keeps its transfers in the state, and is asked once in a command.
func TestAHostWithoutPages(t *testing.T) {
	shortPages(t)
	h := funded(t)
	h.full = true
	h.payments(7)
	if v := h.view(); v.Pages != 0 || len(v.History) != 7 {
		t.Fatalf("%+v", v)
	}
	h.full = false
	if code := h.command(&command{ID: "settle", Kind: commandSettle}); code != "" || h.view().Pages != 2 || len(h.history()) != 7 {
		t.Errorf("%q, %+v", code, h.view())
	}
}

// An old state goes on beside newer pages: what it archives anew takes their place.
func TestAnOldStateBesideNewerPages(t *testing.T) {
	shortPages(t)
	h := funded(t).payments(4)
	var states [][]byte
	h.fault = func(int) mishap {
		states = append(states, h.disk)
		return none
	}
	for i := range 5 {
		c := payment(h.world)
		c.ID, c.Amount = fmt.Sprint("more ", i), 10
		if code := h.command(c); code != "" {
			t.Fatal(code)
		}
	}
	for i, disk := range states {
		if i%7 != 0 {
			continue
		}
		old := copied(h)
		old.fault, old.disk, old.session = nil, disk, 99
		old.command(&command{ID: "look", Kind: commandReceive})
		for range 3 { // the command that was at work first
			c := payment(old.world)
			c.ID, c.Amount = "after the backup", 10
			if code := old.command(c); code == "busy" {
				old.tell(eventCancel, nil)
				old.queue = nil
			} else if code != "" {
				t.Errorf("state %d: %q", i, code)
			}
		}
		if all := old.history(); len(all) != 10 || old.world.reserved != 10 || old.view().total() != first+other-100 {
			t.Errorf("state %d: %d transfers, %d made, %+v", i, len(all), old.world.reserved, old.view())
		}
	}
}

// Step gives bytes of one form, and opens pages of anybody.
func FuzzPage(f *testing.F) {
	k := newWorld().secrets(testPhrase)
	f.Add(k.sealPage(0, []record{{Payment: "a"}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := k.openPage(0, digestOf(b), b)
		if err == nil && !bytes.Equal(k.sealPage(0, all), b) {
			t.Error("two pages of the same transfers")
		}
	})
}
