package wallet

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"solidus.io/prover/suite"
)

// answerOf is what a gateway answers to a transfer with the signatures of all authorities: combined ones, or those of each.
func (w *world) answerOf(body []byte, combined bool) (uint16, []byte) {
	r := must(w.net.readRequest(body))
	bases := r.statement.Bases(w.net.Network)
	var points []suite.G1
	for i := range r.statement.Outputs {
		points = append(points, r.statement.Outputs[i].K)
	}
	if !combined {
		return w.signAt([]int{0, 1, 2}, r.core, bases, points)
	}
	var answer signedJSON
	for at := range points {
		var parts []suite.Partial
		for i := range w.dealt.Committee.Quorum() {
			parts = append(parts, suite.Partial{Index: i + 1, Point: must(w.net.scheme.Sign(w.dealt.Shares[i], bases, at, &points[at]))})
		}
		one := must(w.net.scheme.Combine(w.dealt.Committee, parts))
		answer.Combined = append(answer.Combined, must(suite.EncodeG1(&one)))
	}
	return 200, must(json.Marshal(&answer))
}

// lockedWithdrawal has the phone's withdrawal at two authorities, or its payment, and the laptop's payment at the others.
func lockedWithdrawal(t *testing.T, pays bool) (phone *host) {
	t.Helper()
	phone = funded(t)
	phone.world.split()
	laptop := device(phone, 50)
	laptop.before = once(func() {
		if pays {
			payAt(phone, byPhone, "by the phone", 0, 1)
			return
		}
		phone.before = func(x *exchange) {
			phone.world.up = nil
			if x.Path == "/v1/transfers" {
				phone.world.up = []int{0, 1}
			}
		}
		if code := phone.command(withdrawal(phone.world)); code != "no-quorum" {
			t.Fatalf("%q", code)
		}
		phone.before, phone.world.up = nil, nil
	})
	payAt(laptop, byLaptop, "by the laptop", 2, 3)
	phone.clock = max(phone.clock, laptop.clock)
	return phone
}

// A withdrawal that another payment keeps from completing is burnt, and its payout never asked for.
func TestALockedWithdrawalIsBurnt(t *testing.T) {
	phone := lockedWithdrawal(t, false)
	if code := phone.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	if v := phone.view(); v.total() != afterRecover || v.Unredeemed != 0 || v.Recovers[0].Burnt != paid || len(phone.world.paidOut) != 0 {
		t.Errorf("%+v", v)
	}
	if code := phone.command(withdrawal(phone.world)); code != "payment-burnt" {
		t.Errorf("%q", code)
	}
	requireFree(t, phone, afterRecover, "withdrawal")
}

// A withdrawal or payment that may have completed is not burnt: not when its signatures came and half of the answer is missing, not
// when an answer cannot be used, and not when none comes.
//
//spec:id W-61
func TestAnAnswerThatFailsBurnsNothing(t *testing.T) {
	for name, pays := range map[string]bool{"withdrawal": false, "payment": true} {
		phone := lockedWithdrawal(t, pays)
		for which, instead := range map[string]func(x *exchange) (uint16, []byte){
			"half": func(x *exchange) (uint16, []byte) {
				if pays {
					return 200, []byte(`{"partials":[],"combined":[]}`)
				}
				return phone.world.answerOf(x.Body, true)
			},
			"nothing":  func(*exchange) (uint16, []byte) { return 200, []byte("{}") },
			"no JSON":  func(*exchange) (uint16, []byte) { return 200, []byte("<html>") },
			"too long": func(*exchange) (uint16, []byte) { return 200, make([]byte, limitJSON+1) },
		} {
			h := copied(phone)
			h.instead = func(x *exchange) (uint16, []byte) {
				if x.Path == "/v1/transfers" {
					return instead(x)
				}
				return 0, nil
			}
			code := h.command(recovering(""))
			if v := h.view(); code == "" || h.world.recovered() != 0 || !v.InFlight || len(v.History) != 0 || v.total() != first+other {
				t.Errorf("%s, %s: %q, %d recovers, %+v", name, which, code, h.world.recovered(), v)
			}
			// the whole answer comes later
			h.instead = func(x *exchange) (uint16, []byte) {
				if x.Path == "/v1/transfers" {
					return h.world.answerOf(x.Body, false)
				}
				return 0, nil
			}
			c := recovering("")
			c.ID = "again"
			code = h.command(c)
			if v := h.view(); h.world.recovered() != 0 || len(v.History) != 1 || v.total() != first+other-byPhone || len(h.world.paidOut) != number(!pays) {
				t.Errorf("%s, %s, again: %q, %d recovers, %+v", name, which, code, h.world.recovered(), v)
			}
		}
	}
}

// A liar shows another spoilt request at each look-up.
func TestALiarWithAnotherSpoiltRecoverEachTime(t *testing.T) {
	for _, up := range [][]int{{0}, {0, 1}} {
		laptop := spoiltAt(t, func(*recoverJSON) {}, up)
		version := uint32(100)
		laptop.before = func(x *exchange) {
			if x.Path == "/v1/coins/state" {
				version++
				laptop.world.spoilFirst(t, func(j *recoverJSON) { j.Evidence.Circuit = version })
			}
		}
		if code := laptop.command(recovering("")); code != "" {
			t.Errorf("%v: %q", up, code)
		}
		laptop.before = nil
		requireFree(t, laptop, afterRecover, "another each time")
	}
}

// What a profile without the key of recovers cannot verify it tries in turn.
func TestASpoiltRecoverInAWalletWithoutTheirKey(t *testing.T) {
	laptop := spoiltAt(t, func(j *recoverJSON) { j.Evidence.Proof = []byte("spoilt") }, []int{0, 1, 2, 3})
	n := committee().net
	n.recoverCircuit = 0
	defer func() { n.recoverCircuit = 12 }()
	if code := laptop.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Errorf("%q", code)
	}
	requireFree(t, laptop, afterRecover, "without the key")
}

// A core that spends a successor is below the next recover and is never sent alone, so nobody says that its evidence is spoilt.
func TestASpoiltChildStopsNobody(t *testing.T) {
	phone := funded(t)
	phone.world.split()
	laptop := device(phone, 50)
	laptop.before = once(func() {
		payAt(phone, 200, "by the phone", 0)
	})
	payAt(laptop, 500, "by the laptop", 1)
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Fatalf("%q", code)
	}
	recoversBeforeNextTransfer(t, laptop, phone)
	c := payment(phone.world)
	c.ID, c.Amount, c.Text = "the child", 40, "the child"
	if code := phone.command(c); code != "no-quorum" && code != "serial-conflict" {
		t.Fatalf("%q", code)
	}
	w := laptop.world
	child := must(w.net.readRequest(requestInFlight(t, phone)))
	child.Evidence.Proof = []byte("spoilt")
	w.shown = append(w.shown, must(json.Marshal(child)))
	w.policy = 2 // so no wallet verifies what was proved under the former one
	laptop.clock = max(laptop.clock, phone.clock)
	proofs := laptop.recovers
	// three proofs lead to the recover over all of them, and none is made again for other evidence below it
	if code := laptop.command(recovering("")); code != "" || w.recovered() != 2 || laptop.recovers != proofs+3 {
		t.Errorf("%q, %d recovers, %d proofs", code, w.recovered(), laptop.recovers-proofs)
	}
	w.shown = nil
	requireFree(t, laptop, first+other-500, "child")
}

func requestInFlight(t *testing.T, h *host) []byte {
	t.Helper()
	var s state
	var w wallet
	if decode(h.disk, &s) != nil || decode(s.Wallet, &w) != nil || w.InFlight == nil {
		t.Fatal("nothing in flight")
	}
	return w.InFlight.Request
}

// The walk is cut short in front of a locked coin: what it found is finished, and then the lock is.
//
//spec:id W-61
func TestAWalkThatIsCutShortGoesOn(t *testing.T) {
	phone := funded(t)
	phone.world.split()
	old := device(phone, 70)
	c := payment(phone.world)
	c.ID, c.Amount, c.Text = "finished", 10, "finished"
	if code := phone.command(c); code != "" {
		t.Fatalf("%q", code)
	}
	lockedWith(t, phone)
	old.clock = phone.clock
	asked, settles := 0, false
	old.refuses = func(x *exchange) string {
		settles = settles || x.Path == "/v1/transfers"
		if x.Path != "/v1/coins/state" || settles {
			return ""
		}
		if asked++; asked == 1 {
			return ""
		}
		return "no-quorum"
	}
	if code := old.command(recovering("")); code != "" || old.world.recovered() != 1 || !settles || asked < 2 {
		t.Errorf("%q, %d recovers, asked %d times", code, old.world.recovered(), asked)
	}
	requireFree(t, old, afterRecover-10, "cut short")
}

// A transfer whose rules ran out is given up whatever one authority shows or signs, and left for a recover that completed.
//
//spec:id W-03
func TestNoLiarKeepsATransferInFlight(t *testing.T) {
	for name, lie := range map[string]func(h *host){
		"holds it": func(h *host) {
			r := must(h.world.net.readRequest(requestInFlight(t, h)))
			h.world.reserve(0, r.core, r.statement.Serials)
			h.world.requests[r.core] = requestInFlight(t, h)
		},
		"shows it": func(h *host) { h.world.shown = append(h.world.shown, requestInFlight(t, h)) },
	} {
		h := funded(t)
		h.world.split()
		payAt(h, byPhone, "in flight", []int{}...)
		r := must(h.world.net.readRequest(requestInFlight(t, h)))
		delete(h.world.requests, r.core)
		h.world.policy, h.world.period = 2, testPeriod+1
		lie(h)
		// a gateway that passes nothing on
		h.before = func(x *exchange) {
			if h.world.up = nil; x.Path == "/v1/transfers" {
				h.world.up = []int{}
			}
		}
		h.refuses = func(x *exchange) string {
			if x.Path == "/v1/transfers" {
				return "stale-period"
			}
			return ""
		}
		h.command(&command{ID: "settle", Kind: commandSettle})
		h.before, h.refuses, h.world.shown, h.world.up = nil, nil, nil, nil
		if v := h.view(); v.InFlight || v.total() != first+other {
			t.Errorf("%s: %+v", name, v)
		}
	}
	phone, laptop := locked(t)
	if code := laptop.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	phone.clock = laptop.clock
	phone.world.policy, phone.world.period = 2, testPeriod+1
	core := must(phone.world.net.readRequest(requestInFlight(t, phone))).core
	phone.refuses = func(x *exchange) string {
		if x.Path == "/v1/transfers" && slices.ContainsFunc(x.Headers, func(h header) bool { return h.Name == "Idempotency-Key" && h.Value == hexOf(core) }) {
			return "stale-period"
		}
		return ""
	}
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" || phone.view().InFlight {
		t.Errorf("below a recover: %q, %+v", code, phone.view())
	}
	requireFree(t, phone, afterRecover, "below a recover")
}

func hexOf(core [32]byte) string { return hex.EncodeToString(core[:]) }

// A state takes so many recovers and no more.
//
//spec:id W-47
func TestAStateFullOfRecovers(t *testing.T) {
	for _, room := range []int{0, 1} {
		phone, _ := locked(t)
		var s state
		var w wallet
		if decode(phone.disk, &s) != nil || decode(s.Wallet, &w) != nil {
			t.Fatal("a state")
		}
		for i := range maxRecovers - room {
			w.Recovers = append(w.Recovers, recoverRecord{Core: [32]byte{1, byte(i >> 8), byte(i)}})
		}
		s.Wallet = encode(&w)
		phone.disk = encode(&s)
		if code := phone.command(recovering("")); code != []string{"history-full", ""}[room] || phone.world.recovered() != room {
			t.Errorf("room for %d: %q", room, code)
		}
	}
}

// What a run changed before a core was refused is not kept with the word that it is overtaken.
//
//spec:id W-35
func TestAnOvertakenCoreKeepsNothingElse(t *testing.T) {
	phone, _ := locked(t)
	var disk []byte
	phone.before = func(x *exchange) {
		var s state
		var w wallet
		if decode(phone.disk, &s) != nil || decode(s.Wallet, &w) != nil {
			t.Fatal("a state")
		}
		if walk := w.Session.Walk; x.Path == "/v1/transfers" && walk != nil && len(walk.Links) > 0 && !walk.Links[0].Lone {
			disk = phone.disk
		}
	}
	phone.command(&command{ID: "settle again", Kind: commandSettle})
	m := &machine{event: event{Version: Version, Session: [16]byte{phone.session}, Now: phone.clock, Kind: eventLook}}
	if disk == nil || m.open(disk) != nil {
		t.Fatal("no walk")
	}
	defer m.wipe()
	r := &run{machine: m, wallet: must(m.wallet())}
	coins, links := len(r.Coins), r.Session.Walk.Links
	r.Coins, r.Registered = nil, &registrationCase{}
	if err := r.unlessOvertaken(&links[0], refuse("serial-conflict", "of this core")); !errors.Is(err, errCommitted) {
		t.Fatal(err)
	}
	kept := must(m.wallet())
	if len(kept.Coins) != coins || kept.Registered != nil || len(kept.Session.Walk.Overtaken) != 1 || len(kept.Session.Walk.Links) != 0 {
		t.Errorf("%d coins, %+v", len(kept.Coins), kept.Session.Walk)
	}
	links[0].Lone = true
	if err := r.unlessOvertaken(&links[0], refuse("serial-conflict", "of this core")); codeOf(err) != "serial-conflict" {
		t.Errorf("%v", err)
	}
}

// onTransfers lets transfers reach these authorities only.
func onTransfers(h *host, at []int) func(x *exchange) {
	return func(x *exchange) {
		if h.world.up = nil; x.Path == "/v1/transfers" {
			h.world.up = at
		}
	}
}

// lostTransfers has this code come in the place of every answer to a transfer.
func lostTransfers(code string) func(x *exchange) string {
	return func(x *exchange) string {
		if x.Path == "/v1/transfers" {
			return code
		}
		return ""
	}
}

func isFreeing(t *testing.T, h *host) bool {
	t.Helper()
	var s state
	var w wallet
	if decode(h.disk, &s) != nil || decode(s.Wallet, &w) != nil {
		t.Fatal("a state")
	}
	return w.Session.Recovery != nil
}

// A payment that 2f+1 authorities hold is not burnt on the word of one that holds another: not when the answer to it was lost, and
// not when it completes while the recover is at work.
//
//spec:id W-10
func TestWhatAQuorumHoldsIsNotBurnt(t *testing.T) {
	for _, completes := range []string{"before", "meanwhile"} {
		phone := funded(t)
		phone.world.split()
		laptop := device(phone, 50)
		raced := false
		at := map[string][]int{"before": {0, 1, 2}, "meanwhile": {0, 1}}[completes]
		laptop.before = func(*exchange) {
			if raced {
				return
			}
			raced = true
			phone.before = onTransfers(phone, at)
			phone.refuses = lostTransfers("no-quorum")
			c := payment(phone.world)
			c.ID, c.Amount, c.Text = "by the phone", byPhone, "by the phone"
			if code := phone.command(c); code != "no-quorum" {
				t.Fatalf("%q", code)
			}
			phone.before, phone.refuses = nil, nil
		}
		payAt(laptop, byLaptop, "by the laptop", 3)
		phone.clock = max(phone.clock, laptop.clock)
		for name, h := range map[string]*host{"phone": copied(phone), "restored": newHost(t, phone.world.clone(), testPhrase)} {
			h.clock, h.refuses = phone.clock, lostTransfers("serial-conflict")
			deliver := onTransfers(h, []int{0, 1, 2})
			h.before = func(x *exchange) {
				if deliver(x); completes == "meanwhile" && x.Path == "/v1/transfers" && !isFreeing(t, h) {
					h.world.up = []int{} // the first look of the recover shows it at two
				}
			}
			if code := h.command(recovering("")); code == "" || code == "recover-impossible" || h.world.recovered() != 0 {
				t.Errorf("%s, %s: %q, %d recovers", completes, name, code, h.world.recovered())
			}
			h.refuses, h.before, h.world.up = nil, nil, nil
			c := recovering("")
			c.ID = "again"
			if code := h.command(c); code != "" || h.world.recovered() != 0 {
				t.Errorf("%s, %s, again: %q, %d recovers", completes, name, code, h.world.recovered())
			}
			requireFree(t, h, first+other-byPhone, name)
		}
	}
}

// lookUps counts those of a command.
func lookUps(h *host) *int {
	n := new(int)
	h.before = func(x *exchange) { *n += number(x.Path == "/v1/coins/state") }
	return n
}

// One authority that signs an unknown core costs a command a few look-ups of earlier leads, and not one for each of them. With f+1 all
// are looked at.
//
//spec:id W-61
func TestALiarWithAnUnknownCoreCostsFewLookUps(t *testing.T) {
	const payments = 20
	phone := funded(t)
	for i := range payments {
		c := payment(phone.world)
		c.ID, c.Amount = fmt.Sprintf("payment %d", i), 10
		if code := phone.command(c); code != "" {
			t.Fatalf("%q", code)
		}
	}
	phone.world.split()
	lockedWith(t, phone)
	lead := string(must(phone.world.net.readRequest(requestInFlight(t, phone))).Statement.Serials[0])
	cost := map[int]int{}
	for _, liars := range []int{0, 1, 2} {
		one := copied(phone)
		for at := range liars {
			one.world.rows[at][lead] = [32]byte{0xaa}
		}
		n := lookUps(one)
		one.command(recovering(""))
		cost[liars] = *n
	}
	if more := cost[1] - cost[0]; more <= 0 || more > maxDoubtful+4 {
		t.Errorf("one liar costs %d look-ups", more)
	}
	if more := cost[2] - cost[0]; more < payments-4 {
		t.Errorf("of what f+1 sign, %d leads are looked at", more)
	}
}

// Commands look at other leads each, so a true core that few sign is found by a later one.
func TestEveryLeadIsLookedAtInTime(t *testing.T) {
	seen := map[int]bool{}
	for began := range uint64(2_000) {
		r := &run{machine: &machine{state: state{Task: &task{Began: began}}}}
		places := r.passedPlaces(3*maxPassed, false)
		if len(places) != maxDoubtful {
			t.Fatalf("%d places", len(places))
		}
		one := map[int]bool{}
		for i, place := range places {
			seen[place], one[place] = true, true
			if i < newestDoubtful && place != i {
				t.Fatalf("%v", places)
			}
		}
		if len(one) != len(places) {
			t.Fatalf("twice: %v", places)
		}
	}
	if len(seen) != maxPassed {
		t.Errorf("%d leads of %d", len(seen), maxPassed)
	}
	r := &run{machine: &machine{state: state{Task: &task{}}}}
	for _, count := range []int{0, 1, maxDoubtful} {
		if n := len(r.passedPlaces(count, false)); n != count {
			t.Errorf("%d of %d", n, count)
		}
	}
	if n := len(r.passedPlaces(3*maxPassed, true)); n != maxPassed {
		t.Errorf("%d of what f+1 sign", n)
	}
}

// passes has a gateway pass on what these authorities sign about serial numbers, and nothing else.
func passes(h *host, some ...int) func(x *exchange) (uint16, []byte) {
	return func(x *exchange) (uint16, []byte) {
		if x.Path != "/v1/coins/state" {
			return 0, nil
		}
		status, body := h.world.serve(x)
		var j map[string]json.RawMessage
		var signed []json.RawMessage
		if json.Unmarshal(body, &j) != nil || json.Unmarshal(j["signed"], &signed) != nil {
			h.t.Fatal("an answer")
		}
		signed = slices.DeleteFunc(signed, func(raw json.RawMessage) bool {
			var s signedStatesJSON
			return json.Unmarshal(raw, &s) != nil || !slices.Contains(some, s.Authority-1)
		})
		j["signed"] = must(json.Marshal(signed))
		return status, must(json.Marshal(j))
	}
}

// A gateway that drops the answers of holders does not have a completed payment burnt: one authority that holds another is not f+1.
//
//spec:id W-10
func TestNoDroppedAnswerBurnsACompletedPayment(t *testing.T) {
	phone := funded(t)
	phone.world.split()
	laptop := device(phone, 50)
	laptop.before = once(func() {
		phone.before, phone.refuses = onTransfers(phone, []int{0, 1, 2}), lostTransfers("no-quorum")
		c := payment(phone.world)
		c.ID, c.Amount, c.Text = "by the phone", byPhone, "by the phone"
		if code := phone.command(c); code != "no-quorum" {
			t.Fatalf("%q", code)
		}
		phone.before, phone.refuses = nil, nil
	})
	payAt(laptop, byLaptop, "by the laptop", 3)
	phone.clock = max(phone.clock, laptop.clock)
	for _, some := range [][]int{{3}, {0, 3}, {0, 1, 3}} {
		h := copied(phone)
		h.clock, h.refuses, h.instead = phone.clock, lostTransfers("serial-conflict"), passes(h, some...)
		if code := h.command(recovering("")); code != "no-quorum" || h.world.recovered() != 0 {
			t.Errorf("%v: %q, %d recovers", some, code, h.world.recovered())
		}
		h.refuses, h.instead = nil, nil
		c := recovering("")
		c.ID = "again"
		if code := h.command(c); code != "" || h.world.recovered() != 0 {
			t.Errorf("%v, again: %q, %d recovers", some, code, h.world.recovered())
		}
		requireFree(t, h, first+other-byPhone, "dropped")
	}
}

// An owner waits no longer for an authority that is away for good.
//
//spec:id W-10
func TestAnOwnerWaitsNoLonger(t *testing.T) {
	h := funded(t)
	h.world.split()
	laptop := device(h, 50)
	laptop.before = once(func() { payAt(h, byPhone, "by the phone", 0, 1) })
	payAt(laptop, byLaptop, "by the laptop", 3)
	h.clock = max(h.clock, laptop.clock)
	h.world.up = []int{0, 1, 3}
	if code := h.command(recovering("")); code != "no-quorum" || h.world.recovered() != 0 {
		t.Errorf("%q, %d recovers", code, h.world.recovered())
	}
	c := recoveringEvenIfPaid()
	c.Details = []byte{2}
	if code := h.command(c); code != "malformed-request" || h.world.recovered() != 0 {
		t.Errorf("%q, %d recovers", code, h.world.recovered())
	}
	if code := h.command(recoveringEvenIfPaid()); code != "" || h.world.recovered() != 1 {
		t.Errorf("%q, %d recovers", code, h.world.recovered())
	}
	requireFree(t, h, afterRecover, "no longer")
}

// One authority holds a payment whose period is over, and another is away for good: nobody can complete it, or sign that it is given up.
func TestAnOwnerWaitsNoLongerForALonePayment(t *testing.T) {
	h := funded(t)
	h.world.split()
	payAt(h, byPhone, "by the phone", 0)
	h.world.policy, h.world.period = h.world.policy+1, h.world.period+1
	h.world.up = []int{0, 1, 2}
	for _, c := range []*command{{ID: "settle", Kind: commandSettle}, recovering("")} {
		if code := h.command(c); code != map[string]string{"settle": "transfer-in-flight", "recover": "no-quorum"}[c.ID] || h.world.recovered() != 0 {
			t.Errorf("%s: %q, %d recovers", c.ID, code, h.world.recovered())
		}
	}
	if code := h.command(recoveringEvenIfPaid()); code != "" || h.world.recovered() != 1 {
		t.Errorf("%q, %d recovers", code, h.world.recovered())
	}
	requireFree(t, h, first+other-byPhone, "alone")
}

// A payment behind a burnt one has completed, and the gateway says that it conflicts.
//
//spec:id W-10
func TestWhatCompletedBehindABurntPaymentIsNotBurnt(t *testing.T) {
	phone := funded(t)
	phone.world.split()
	laptop := device(phone, 50)
	laptop.before = once(func() { payAt(phone, 200, "by the phone", 0) })
	payAt(laptop, 500, "by the laptop", 1)
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Fatalf("%q", code)
	}
	done := false
	phone.before = func(x *exchange) {
		if x.Path != "/v1/transfers" || done {
			return
		}
		done = true
		laptop.clock = max(laptop.clock, phone.clock)
		laptop.before = func(x *exchange) {
			if laptop.world.up = []int{0, 1}; x.Path == "/v1/recovers" {
				laptop.world.up = []int{0}
			}
		}
		recoversAt(t, laptop, 0, 1)
		laptop.before = nil
	}
	phone.refuses = lostTransfers("no-quorum")
	c := payment(phone.world)
	c.ID, c.Amount, c.Text = "behind it", 40, "behind it"
	if code := phone.command(c); code != "no-quorum" {
		t.Fatalf("%q", code)
	}
	phone.before, phone.refuses = nil, lostTransfers("serial-conflict")
	for _, c := range []*command{recovering(""), recoveringEvenIfPaid()} {
		if code := phone.command(c); code != "no-quorum" || phone.world.recovered() != 1 {
			t.Errorf("%q, %d recovers", code, phone.world.recovered())
		}
	}
	phone.refuses = nil
	c = recovering("")
	c.ID = "again"
	if code := phone.command(c); code != "" || phone.world.recovered() != 1 {
		t.Errorf("%q, %d recovers", code, phone.world.recovered())
	}
	requireFree(t, phone, first+other-240, "behind")
}
