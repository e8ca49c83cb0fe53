package wallet

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"testing"
)

// These states were written in these tests' world by the cores of commit 54d6d0f1, the last one with version 3, and of commit 8ea3bd21,
// with version 4: one payment is finished, and the transfer of another one waits for its answer.
var (
	//go:embed testdata/state-3.gz
	stateOfVersion3 []byte
	//go:embed testdata/state-4.gz
	stateOfVersion4 []byte
	// By the same core, in the middle of the command recover.
	//go:embed testdata/state-4-recover.gz
	recoverOfVersion4 []byte
)

// The program that wrote a state of version 3 is replaced.
//
//spec:id W-34
func TestAStateThatTheFormerCoreWrote(t *testing.T) {
	for version, packed := range map[uint8][]byte{version3: stateOfVersion3, version4: stateOfVersion4} {
		disk := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(packed)))))
		if disk[0] != version {
			t.Fatalf("a state of version %d", disk[0])
		}
		goesOnFromFormer(t, disk)
	}
}

func goesOnFromFormer(t *testing.T, disk []byte) {
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

// What a recover had found out has another form now, and is found out anew.
//
//spec:id W-34
func TestAFormerCoreWasKilledInARecover(t *testing.T) {
	disk := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(recoverOfVersion4)))))
	h := &host{t: t, world: newWorld(), disk: disk, clock: testNow, session: 9}
	if v := h.view(); v.total() != first+other || !v.InFlight || v.Working != "recover" || len(v.Recovers) != 0 {
		t.Errorf("%+v", v)
	}
	if h.resumed(); len(h.queue) == 0 || h.disk[0] != Version {
		t.Errorf("version %d, %d effects", h.disk[0], len(h.queue))
	}
}

// The program is replaced at any state of a recover.
//
//spec:id W-34
func TestEveryStateOfAFormerRecoverGoesOn(t *testing.T) {
	phone, _ := locked(t)
	type moment struct {
		disk  []byte
		world *world
	}
	var all []moment
	phone.fault = func(int) mishap {
		all = append(all, moment{phone.disk, phone.world.clone()})
		return none
	}
	clock := phone.clock
	if code := phone.command(recovering("")); code != "" {
		t.Fatal(code)
	}
	for i, at := range all {
		h := &host{t: t, world: at.world, disk: asFormer(t, version4, at.disk), clock: clock + second, session: 77, events: 7000}
		if code := h.command(recovering("")); code != "" || h.view().total() != afterRecover || h.world.recovered() != 1 {
			t.Errorf("state %d: %q, %+v", i, code, h.view())
		}
	}
}

func (h *host) resumed() *host {
	h.tell(eventResume, nil)
	return h
}

func deliveriesAsFormer(all []delivery) (out []delivery4) {
	for i := range all {
		d, m := &all[i], &all[i].Message
		out = append(out, delivery4{d.Transfer, d.Copy, d.Payee, message4{m.To, m.Secret, m.Parcel, m.Digest}, d.Stage, d.First})
	}
	return out
}

// asFormer is a state as another version had it.
func asFormer(t *testing.T, version uint8, disk []byte) []byte {
	t.Helper()
	var s state
	var w wallet
	if decode(disk, &s) != nil || decode(s.Wallet, &w) != nil {
		t.Fatal("a state")
	}
	s.Version = version
	if version == version4 {
		s.Wallet = encode(asVersion4(&w))
	} else {
		s.Wallet = encode(asVersion3(&w))
	}
	return encode(&s)
}

func asVersion4(w *wallet) *wallet4 {
	p, k := &w.Profile, &w.Session
	return &wallet4{
		Profile: profile4{
			p.Network, p.ManifestKey, p.Classes, p.Manifest, p.Signature, p.TransferKey, p.RegisterKey, p.MintKey, p.MailboxBits, p.Currency,
			p.ProverKey, p.Shapes, p.ShapesSignature, p.ClaimKey, p.OnlyDevice, p.RecoverKey, p.Origin,
		},
		Session: knowledge4{
			k.Connected, k.Free, k.Fresh, k.Read, k.Again, k.Until, k.Begun, k.Refused, k.Out, k.Unkept, k.Claims, k.FirstSignatures, k.Walk,
			asFreeing4(k.Recovery), k.Recoveries,
		},
		Seed: w.Seed, Restoring: w.Restoring, Account: w.Account, Coins: w.Coins, Seen: w.Seen, Transfers: w.Transfers, Archive: w.Archive,
		Abandoned: w.Abandoned, InFlight: w.InFlight, Named: w.Named, Deliveries: deliveriesAsFormer(w.Deliveries), Redemptions: w.Redemptions,
		Mints: w.Mints, Registration: w.Registration, Place: w.Place, Policy: w.Policy, Checkpoint: w.Checkpoint, Rules: w.Rules, Ended: w.Ended,
		Recovers: w.Recovers, Registered: w.Registered, Tokens: w.Tokens, TokenDay: w.TokenDay, TokenRetry: w.TokenRetry, Shown: w.Shown,
	}
}

func asFreeing4(x *freeing) *freeing4 {
	if x == nil {
		return nil
	}
	f := &freeing4{
		Coin: x.Coin, Back: x.Back, Known: x.Known, Asked: x.Asked, Looked: x.Looked, Phase: x.Phase, Rounds: x.Rounds, Refused: x.Refused,
		Doubted: x.Doubted, Made: x.Made, Sent: x.Sent, Before: x.Before, KnownThen: x.KnownThen, Code: x.Code, Spoilt: x.Spoilt, Given: x.Given,
		Turns: x.Turns, Passed: x.Passed,
	}
	for _, a := range x.Answers {
		one := knownState4{Serial: a.Serial}
		for _, s := range a.Said {
			if s.Held {
				one.Held = append(one.Held, s.Core)
			} else {
				one.Free++
			}
		}
		f.Answers = append(f.Answers, one)
	}
	return f
}

func asVersion3(w *wallet) *wallet3 {
	p, k := &w.Profile, &w.Session
	f := &wallet3{
		Profile: profile3{
			p.Network, p.ManifestKey, p.Classes, p.Manifest, p.Signature, p.TransferKey, p.RegisterKey, p.MintKey, p.MailboxBits, p.Currency,
			p.ProverKey, p.Shapes, p.ShapesSignature, p.ClaimKey, p.OnlyDevice,
		},
		Session: knowledge3{
			k.Connected, k.Free, k.Fresh, k.Read, k.Again, k.Until, k.Begun, k.Refused, k.Out, k.Unkept, k.Claims, k.FirstSignatures, nil,
		},
		Seed: w.Seed, Restoring: w.Restoring, Account: w.Account, Coins: w.Coins, Seen: w.Seen, Transfers: w.Transfers, Archive: w.Archive,
		Abandoned: w.Abandoned, InFlight: w.InFlight, Deliveries: deliveriesAsFormer(w.Deliveries), Redemptions: w.Redemptions, Mints: w.Mints,
		Registration: w.Registration, Place: w.Place, Policy: w.Policy, Checkpoint: w.Checkpoint, Rules: w.Rules, Ended: w.Ended,
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
	return f
}

// The program is replaced at any state of a payment or a withdrawal: nothing is lost, and nothing paid twice.
//
//spec:id W-34
func TestEveryStateOfAFormerVersionGoesOn(t *testing.T) {
	everyStateOf(t, version3, payment)
	everyStateOf(t, version3, withdrawal)
	everyStateOf(t, version4, withdrawal)
	h := funded(t)
	h.disk[0] = version3 - 1
	if _, _, err := Step(h.disk, encode(&event{Version: Version, Kind: eventLook})); err == nil {
		t.Error("a state of version 2")
	}
}

func everyStateOf(t *testing.T, version uint8, build func(*world) *command) {
	t.Helper()
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
		h := &host{t: t, world: at.world, disk: asFormer(t, version, at.disk), clock: start.clock, session: 77, events: 7000}
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

// What was named keeps its name.
func TestNamesOfVersionThreeStay(t *testing.T) {
	phone, _ := locked(t)
	phone.disk = asFormer(t, version3, phone.disk)
	if code := phone.command(recovering("")); code != "" || phone.view().total() != afterRecover {
		t.Fatalf("%q, %+v", code, phone.view())
	}
	c := payment(phone.world)
	c.ID = "by the phone"
	if code := phone.command(c); code != "payment-burnt" {
		t.Errorf("%q", code)
	}
}
