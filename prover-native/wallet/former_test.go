package wallet

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"testing"
)

// formerState was written by the core of commit 54d6d0f1, the last one with version 3, in these tests' world: one payment is finished,
// and the transfer of another one waits for its answer.
//
//go:embed testdata/state-3.gz
var formerState []byte

// The program that wrote a state of version 3 is replaced.
//
//spec:id W-34
func TestAStateThatTheFormerCoreWrote(t *testing.T) {
	disk := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(formerState)))))
	if disk[0] != formerVersion {
		t.Fatalf("a state of version %d", disk[0])
	}
	// the authorities of that run had other keys, so their signatures are not asked for here
	h := &host{t: t, world: newWorld(), disk: disk, clock: testNow, session: 9}
	v := h.view()
	if v.total() != first+other-10 || !v.InFlight || v.Working != "on its way" || len(v.History) != 1 || v.History[0].Text != "finished" || v.History[0].Payment != "finished" {
		t.Errorf("%+v", v)
	}
	in := must(h.world.net.readRequest(requestInFlight(t, h.resumed())))
	if in.core == v.History[0].Core {
		t.Error("another transfer")
	}
	// it is sent again, as it was
	if len(h.queue) == 0 || h.disk[0] != Version {
		t.Errorf("version %d, %d effects", h.disk[0], len(h.queue))
	}
}

func (h *host) resumed() *host {
	h.tell(eventResume, nil)
	return h
}

// asFormer is a state as version 3 had it.
func asFormer(t *testing.T, disk []byte) []byte {
	t.Helper()
	var s state
	var w wallet
	if decode(disk, &s) != nil || decode(s.Wallet, &w) != nil {
		t.Fatal("a state")
	}
	p, k := &w.Profile, &w.Session
	f := wallet3{
		Profile: profile3{
			p.Network, p.ManifestKey, p.Classes, p.Manifest, p.Signature, p.TransferKey, p.RegisterKey, p.MintKey, p.MailboxBits, p.Currency,
			p.ProverKey, p.Shapes, p.ShapesSignature, p.ClaimKey, p.OnlyDevice,
		},
		Session: knowledge3{
			k.Connected, k.Free, k.Fresh, k.Read, k.Again, k.Until, k.Begun, k.Refused, k.Out, k.Unkept, k.Claims, k.FirstSignatures, nil,
		},
		Seed: w.Seed, Restoring: w.Restoring, Account: w.Account, Coins: w.Coins, Seen: w.Seen, Transfers: w.Transfers, Archive: w.Archive,
		Abandoned: w.Abandoned, InFlight: w.InFlight, Deliveries: w.Deliveries, Redemptions: w.Redemptions, Mints: w.Mints, Registration: w.Registration,
		Place: w.Place, Policy: w.Policy, Checkpoint: w.Checkpoint, Rules: w.Rules, Ended: w.Ended,
	}
	if k.Walk != nil {
		f.Session.Walk = &walk3{Ended: k.Walk.Ended, Adopted: k.Walk.Adopted, Overtaken: k.Walk.Overtaken, Found: k.Walk.Found}
		for _, l := range k.Walk.Links {
			f.Session.Walk.Links = append(f.Session.Walk.Links, link3{l.Coin, l.Request, l.Lone})
		}
	}
	for i := range w.Named {
		f.Named = append(f.Named, named3{w.Named[i].Core, w.Named[i].Payment})
	}
	s.Version, s.Wallet = formerVersion, encode(&f)
	return encode(&s)
}

// The program is replaced at any state of a payment or a withdrawal: nothing is lost, and nothing paid twice.
//
//spec:id W-34
func TestEveryStateOfVersionThreeGoesOn(t *testing.T) {
	for _, build := range []func(*world) *command{payment, withdrawal} {
		start := funded(t)
		type moment struct {
			disk  []byte
			world *world
		}
		var all []moment
		start.fault = func(int) mishap {
			all = append(all, moment{start.disk, start.world.clone()})
			return none
		}
		if code := start.command(build(start.world)); code != "" {
			t.Fatal(code)
		}
		for i, at := range all {
			h := &host{t: t, world: at.world, disk: asFormer(t, at.disk), clock: start.clock, session: 77, events: 7000}
			where := fmt.Sprint("state ", i)
			for _, c := range []*command{build(h.world), {ID: "settle", Kind: commandSettle}} {
				if code := h.command(c); code != "" {
					t.Errorf("%s: %q", where, code)
				}
			}
			v := h.view()
			if v.total() != first+other-paid || len(v.History) != 1 || h.world.reserved != 1 || v.InFlight || v.Undelivered+v.Unredeemed != 0 || h.disk[0] != Version {
				t.Errorf("%s: %+v, %d transfers", where, v, h.world.reserved)
			}
		}
	}
	h := funded(t)
	h.disk[0] = formerVersion - 1
	if _, _, err := Step(h.disk, encode(&event{Version: Version, Kind: eventLook})); err == nil {
		t.Error("a state of version 2")
	}
}

// What was named keeps its name.
func TestNamesOfVersionThreeStay(t *testing.T) {
	phone, _ := locked(t)
	phone.disk = asFormer(t, phone.disk)
	if code := phone.command(recovering("")); code != "" || phone.view().total() != afterRecover {
		t.Fatalf("%q, %+v", code, phone.view())
	}
	c := payment(phone.world)
	c.ID = "by the phone"
	if code := phone.command(c); code != "payment-burnt" {
		t.Errorf("%q", code)
	}
}
