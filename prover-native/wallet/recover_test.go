package wallet

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Authorities with rows of their own.

// split lets the authorities have rows of their own.
func (w *world) split() {
	for range w.keys {
		rows := map[string][32]byte{}
		for serial, core := range w.held {
			rows[serial] = core
		}
		w.rows = append(w.rows, rows)
		w.recovers = append(w.recovers, nil)
	}
}

func (w *world) reachable() []int {
	if w.up != nil {
		return w.up
	}
	return []int{0, 1, 2, 3}
}

// reserve takes the rows of a core where each serial number is free or held by one of these.
func (w *world) reserve(at int, core [32]byte, serials []suite.Field, holders ...[32]byte) bool {
	for i := range serials {
		if held, ok := w.rows[at][string(suite.EncodeField(&serials[i]))]; ok && held != core && !slices.Contains(holders, held) {
			return false
		}
	}
	for i := range serials {
		name := string(suite.EncodeField(&serials[i]))
		if _, ok := w.rows[at][name]; !ok {
			w.rows[at][name] = core
		}
	}
	return true
}

func (w *world) outcomeAt(signers []int, core [32]byte, bases *suite.Outputs, points []suite.G1) (uint16, []byte) {
	switch {
	case len(signers) >= w.dealt.Committee.Quorum():
		return w.signAt(signers, core, bases, points)
	case len(signers) < len(w.reachable()):
		return problem(409, "serial-conflict")
	default:
		return problem(503, "no-quorum")
	}
}

func (w *world) transferAt(body []byte) (uint16, []byte) {
	r, err := w.net.readRequest(body)
	if err != nil {
		return problem(400, "malformed-request")
	}
	if _, known := w.requests[r.core]; !known && (r.Evidence.Policy < w.policy || r.statement.Period < w.period) {
		return problem(409, "stale-policy")
	}
	if e, err := r.Evidence.validatorsEvidence(); err != nil || suite.VerifyCore(&e.RK, r.core, e.KeySignature) != nil {
		return problem(422, "signature-invalid")
	}
	if _, known := w.requests[r.core]; !known {
		w.requests[r.core] = body
		w.reserved++
	}
	lead := suite.EncodeField(&r.statement.Serials[0])
	votes := 0
	for _, at := range w.reachable() {
		votes += number(w.rows[at][string(lead)] == r.core)
	}
	late := false
	var signers []int
	for _, at := range w.reachable() {
		if r.statement.Period < w.period && w.rows[at][string(lead)] != r.core && votes <= w.dealt.Committee.F {
			late = true
		} else if w.reserve(at, r.core, r.statement.Serials) {
			signers = append(signers, at)
		}
	}
	if late && len(signers) < w.dealt.Committee.Quorum() {
		return problem(409, "stale-period")
	}
	var points []suite.G1
	for i := range r.statement.Outputs {
		points = append(points, r.statement.Outputs[i].K)
	}
	return w.outcomeAt(signers, r.core, r.statement.Bases(w.net.Network), points)
}

// recover goes by: the rules of statements, the owner's key of every core, and the rows.
func (w *world) recover(body []byte) (uint16, []byte) {
	if w.rows == nil {
		return problem(404, "not-found")
	}
	var j recoverJSON
	if json.Unmarshal(body, &j) != nil {
		return problem(400, "malformed-request")
	}
	x, err := j.resolve(w.net)
	if err != nil {
		return problem(400, "malformed-request")
	}
	entries := append(slices.Clone(x.entries), belowEntry{core: x.Core, json: belowJSON{Recover: &recoverBelowJSON{j.Statement, j.Evidence}}})
	for i := range entries {
		var rk jubjub.Point
		var signature, proof []byte
		if t := entries[i].json.Transfer; t != nil {
			rk, signature, proof = must(jubjub.DecodePoint(t.Evidence.RK)), t.Evidence.Signature, t.Evidence.Proof
		} else {
			e := &entries[i].json.Recover.Evidence
			rk, signature, proof = must(jubjub.DecodePoint(e.RK)), e.Signature, e.Proof
			if e.Circuit != 12 {
				return problem(400, "unknown-version")
			}
		}
		if suite.VerifyCore(&rk, entries[i].core, signature) != nil || string(proof) == "spoilt" {
			return problem(422, "proof-invalid")
		}
	}
	var below [][32]byte
	for i := range x.Below {
		below = append(below, x.Below[i].Core)
	}
	var signers []int
	for _, at := range w.reachable() {
		if w.reserve(at, x.Core, x.Serials, below...) {
			signers = append(signers, at)
		}
		if !slices.ContainsFunc(w.recovers[at], func(r takenRecover) bool { return r.core == x.Core }) {
			w.recovers[at] = append(w.recovers[at], takenRecover{x.Core, string(suite.EncodeField(&x.Serials[0])), body})
		}
	}
	outputs := &x.statement.Outputs
	bases := &suite.Outputs{D: x.D, Cms: []suite.Field{outputs[0].Cm, outputs[1].Cm}}
	return w.outcomeAt(signers, x.Core, bases, []suite.G1{outputs[0].K, outputs[1].K})
}

func (w *world) statesAt(serials []b64, nonce []byte) []byte {
	states := []map[string]any{}
	signed := map[int]*signedStatesJSON{}
	for _, at := range w.reachable() {
		signed[at] = &signedStatesJSON{Authority: at + 1, MapVersion: 1, Floors: floorsJSON{w.policy, 1, w.period}, Signature: make([]byte, 64)}
	}
	for _, serial := range serials {
		requests, recovers := []map[string]json.RawMessage{}, []map[string]json.RawMessage{}
		add := func(to *[]map[string]json.RawMessage, raw []byte) {
			if !slices.ContainsFunc(*to, func(m map[string]json.RawMessage) bool { return bytes.Equal(m["request"], raw) }) {
				*to = append(*to, map[string]json.RawMessage{"request": raw})
			}
		}
		for _, request := range w.shown {
			add(&requests, request)
		}
		for _, at := range w.reachable() {
			state := signedStateJSON{Serial: serial}
			if core, ok := w.rows[at][string(serial)]; ok {
				name := hex.EncodeToString(core[:])
				state.Core = &name
				if raw := w.requests[core]; raw != nil && bytes.Equal(must(w.net.readRequest(raw)).Statement.Serials[0], serial) {
					state.Request = core[:]
					add(&requests, raw)
				}
			}
			for _, r := range w.recovers[at] {
				if r.lead == string(serial) {
					add(&recovers, r.raw)
				}
			}
			signed[at].States = append(signed[at].States, state)
		}
		states = append(states, map[string]any{"serial": serial, "unspent": []int{}, "requests": requests, "recovers": recovers})
	}
	all := []*signedStatesJSON{}
	for _, at := range w.reachable() {
		message, _, err := signed[at].message(w.net, nonce)
		if err != nil {
			panic(err)
		}
		signed[at].Signature = ed25519.Sign(w.keys[at], message)
		all = append(all, signed[at])
	}
	return must(json.Marshal(map[string]any{"states": states, "signed": all}))
}

// requireRecoverHolds evaluates the statement of a witness on plain values, as the bridge does before it proves.
func requireRecoverHolds(t testing.TB, n *network, witness []byte) {
	t.Helper()
	r := &formatReader{decoder{in: witness}}
	element := func() suite.Field { b := r.element(); return must(suite.DecodeField(b[:])) }
	flag := func() bool { return r.take(1)[0] == 1 }
	number := func() uint32 {
		return uint32(r.take(1)[0])<<24 | uint32(r.take(1)[0])<<16 | uint32(r.take(1)[0])<<8 | uint32(r.take(1)[0])
	}
	if head := r.take(2); head[0] != witnessVersion || head[1] != uint8(statement.FamilyRecover) {
		t.Fatal("not a witness of a recover")
	}
	core := r.bytes32()
	var bits recovery.Bits
	w := &recovery.Witness{Owner: clause.Owner{Nk: element()}}
	pkAuth := must(jubjub.DecodePoint(bytes.Clone(r.take(jubjub.PointBytes))))
	d := element()
	for j := range w.Core {
		bits.Recover[j] = flag()
		bits.Credit[j] = [2]bool{flag(), flag()}
		w.Core[j] = recovery.Core{D: element(), Seed: element(), S: element(), Period: number(), Sent: r.u64(), Count: number(), Held: r.u64(), Com: element(), Counterparty: element()}
		w.Core[j].Values = [3]uint64{r.u64(), r.u64(), r.u64()}
		w.Core[j].Withdrawn = r.u64()
		w.Core[j].Origins = [2]hash.Origin{hash.Origin(r.take(1)[0]), hash.Origin(r.take(1)[0])}
		w.Core[j].Escrow, w.Core[j].R = flag(), element()
	}
	bits.Chain, bits.Covered = flag(), flag()
	w.Held, w.Seed, w.R = r.u64(), element(), element()
	for j := range w.Blindings {
		w.Blindings[j] = clause.Blinding{S: element(), B: element()}
	}
	w.Owner.Alpha = must(jubjub.DecodeScalar(bytes.Clone(r.take(jubjub.ScalarBytes))))
	if r.err != nil || len(r.in) != 0 {
		t.Fatalf("a witness: %v", r.err)
	}
	public, err := recovery.Prepare(n.Hasher(), &pkAuth, &d, &bits, w)
	if err != nil {
		t.Fatalf("a witness: %v", err)
	}
	link := must(recovery.Bind(n.Hasher(), core, public, w))
	if err := recovery.Check(n.Hasher(), public, w, link); err != nil {
		t.Fatalf("a witness: %v", err)
	}
}

// device is another host with the same disk, in the same world.
func device(h *host, session byte) *host {
	return &host{t: h.t, world: h.world, disk: h.disk, clock: h.clock, session: session, events: uint64(session) * 1000, pages: h.pages}
}

func recovering(string) *command { return &command{ID: "recover", Kind: commandRecover} }

// recoveringEvenIfPaid is the command of an owner who waits no longer for authorities that do not answer.
func recoveringEvenIfPaid() *command {
	c := recovering("")
	c.ID, c.Details = "even if paid", encode(&recoverChoice{EvenIfPaid: true})
	return c
}

// recoversAt has only these authorities answer while a device recovers, whose owner does not wait for the others.
func recoversAt(t *testing.T, h *host, up ...int) {
	t.Helper()
	h.world.up = up
	if code := h.command(recoveringEvenIfPaid()); code != "no-quorum" || h.world.recovered() != 1 {
		t.Fatalf("%q, %d recovers", code, h.world.recovered())
	}
	h.world.up = nil
}

// payAt has a device pay so that its transfer reaches these authorities only.
func payAt(h *host, amount uint64, id string, up ...int) {
	h.t.Helper()
	before := h.before
	h.before = func(x *exchange) {
		if x.Path == "/v1/transfers" {
			if before != nil {
				before(x)
			}
			h.world.up = up
		} else {
			h.world.up = nil
		}
	}
	c := payment(h.world)
	c.ID, c.Amount, c.Text = id, amount, id
	if code := h.command(c); code == "" {
		h.t.Fatalf("%s was paid", id)
	}
	h.before, h.world.up = nil, nil
}

const (
	byPhone  = 3_000
	byLaptop = 1_000
)

// locked are two devices of a phrase whose payments have two authorities each.
func locked(t *testing.T) (phone, laptop *host) {
	t.Helper()
	phone = funded(t)
	phone.world.split()
	return phone, lockedWith(t, phone)
}

func lockedWith(t *testing.T, phone *host) (laptop *host) {
	t.Helper()
	laptop = device(phone, 50)
	laptop.before = once(func() {
		payAt(phone, byPhone, "by the phone", 0, 1)
	})
	payAt(laptop, byLaptop, "by the laptop", 2, 3)
	laptop.clock = max(phone.clock, laptop.clock)
	phone.clock = laptop.clock
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "serial-conflict" {
		t.Fatalf("not locked: %q", code)
	}
	return laptop
}

func (w *world) recovered() int {
	all := map[[32]byte]bool{}
	for at := range w.recovers {
		for _, r := range w.recovers[at] {
			all[r.core] = true
		}
	}
	return len(all)
}

// requireFree has a wallet pay, and restores it from its phrase.
func requireFree(t *testing.T, h *host, total uint64, where string) {
	t.Helper()
	if v := h.view(); v.total() != total || v.InFlight {
		t.Errorf("%s: %+v", where, v)
	}
	c := payment(h.world)
	c.ID, c.Amount, c.Text = "after", 30, "after"
	if code := h.command(c); code != "" || h.view().total() != total-30 {
		t.Errorf("%s: pays %q, %d", where, code, h.view().total())
	}
	again := newHost(t, h.world, testPhrase)
	again.clock = h.clock
	if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" || again.view().total() != total-30 {
		t.Errorf("%s: restored %q, %d", where, code, again.view().total())
	}
}

const afterRecover = first + other - byPhone

// Nothing is lost but the larger payment, at every cut, and every device and the phrase follow.
//
//spec:id W-10 W-61
func TestEveryCutOfARecover(t *testing.T) {
	phone, _ := locked(t)
	cuts := 0
	everyCut(t, phone, func(*world) *command { return recovering("") }, 150, func(h *host, where string) {
		if n := h.world.recovered(); n != 1 {
			t.Errorf("%s: %d recovers", where, n)
		}
		v := h.view()
		if len(v.Recovers) != 1 || v.Recovers[0].Burnt != byPhone || v.Recovers[0].Lost != 0 || len(v.History) != 0 {
			t.Errorf("%s: %+v", where, v)
		}
		if v.total() != afterRecover || v.InFlight {
			t.Errorf("%s: %+v", where, v)
		}
		if cuts++; cuts%10 == 0 { // it takes as long as ten cuts
			requireFree(t, h, afterRecover, where)
		}
	})
}

// The other device, its old states and a restored wallet follow a recover that they did not make, whatever happens to the process.
//
//spec:id W-05
func TestARecoverIsFollowed(t *testing.T) {
	phone, laptop := locked(t)
	before := copied(phone)
	if code := phone.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	before.world = phone.world.clone()
	for name, h := range map[string]*host{"laptop": copied(laptop), "restored": newHost(t, phone.world, testPhrase), "old": before} {
		h.clock = phone.clock
		follow := func(*world) *command { return &command{ID: "follow", Kind: commandRestore} }
		kinds := []mishap{killAfter, lose}
		if name == "restored" {
			kinds = everyMishap
		}
		everyCutOf(t, h, follow, 30, kinds, func(h *host, where string) {
			v := h.view()
			if v.total() != afterRecover || len(v.Coins) != 1 || v.InFlight || len(v.Recovers) != 1 || h.world.recovered() != 1 || h.proofs != 0 {
				t.Errorf("%s, %s: %+v", name, where, v)
			}
		})
		if code := h.command(follow(h.world)); code != "" {
			t.Fatalf("%s: %q", name, code)
		}
		requireFree(t, h, afterRecover, name)
		// and once more behind a transfer that claimed the returned coin
		again := newHost(t, h.world, testPhrase)
		again.clock = h.clock
		if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
			t.Errorf("%s, behind: %q", name, code)
		}
		if v, w := again.view(), h.view(); v.total() != w.total() || v.Held != w.Held || len(v.Coins) != 0 || len(v.Recovers) != 1 || len(v.History) != 1 {
			t.Errorf("%s, behind: %+v", name, v)
		}
	}
}

// Every state of a recover that was ever on disk goes on when it is done.
//
//spec:id W-34
func TestEveryOldStateOfARecoverGoesOn(t *testing.T) {
	phone, _ := locked(t)
	var states [][]byte
	phone.fault = func(int) mishap {
		states = append(states, phone.disk)
		return none
	}
	if code := phone.command(recovering("")); code != "" {
		t.Fatal(code)
	}
	for i, disk := range states {
		old := &host{t: t, world: phone.world.clone(), disk: disk, clock: phone.clock, session: 99, events: 5000}
		for _, c := range []*command{recovering(""), {ID: "settle", Kind: commandSettle}} {
			if code := old.command(c); code != "" {
				t.Errorf("state %d: %q", i, code)
			}
		}
		if old.world.recovered() != 1 {
			t.Errorf("state %d: %d recovers", i, old.world.recovered())
		}
		requireFree(t, old, afterRecover, fmt.Sprint("state ", i))
	}
}

// A payment that a recover burnt is not made again under its name, nor that of a request.
//
//spec:id W-10
func TestABurntPaymentIsNotMadeAgain(t *testing.T) {
	phone, laptop := locked(t)
	if code := phone.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	for name, h := range map[string]*host{"by the phone": phone, "by the laptop": laptop} {
		c := payment(h.world)
		c.ID, c.Amount, c.Text = name, 10, name
		if code := h.command(c); code != "payment-burnt" || h.view().total() != afterRecover {
			t.Errorf("%s: %q, %+v", name, code, h.view())
		}
	}
}

// An account that is not locked burns nothing.
func TestAFreeAccountIsNotRecovered(t *testing.T) {
	h := funded(t)
	h.world.split()
	if code := h.command(recovering("")); code != "" || h.world.recovered() != 0 || h.proofs != 0 || h.view().total() != first+other {
		t.Errorf("%q, %d recovers", code, h.world.recovered())
	}
	payAt(h, byPhone, "in flight", 0, 1)
	c := recovering("")
	c.ID = "again"
	if code := h.command(c); code != "" || h.world.recovered() != 0 || h.view().total() != first+other-byPhone || len(h.view().History) != 1 {
		t.Errorf("%q, %+v", code, h.view())
	}
	stranger := newHost(t, newWorld(), testPhrase)
	if code := stranger.command(recovering("")); code != "not-registered" {
		t.Errorf("%q", code)
	}
}

// What nobody is known to refuse may complete, so it is not burnt: not when authorities are away, not on the gateway's word, and not
// on that of one authority.
//
//spec:id W-10
func TestWhatNobodyRefusesIsNotBurnt(t *testing.T) {
	for name, hostile := range map[string]func(h *host){
		"authorities are away": func(h *host) { h.world.up = []int{0, 1} },
		"the gateway's word": func(h *host) {
			h.refuses = func(x *exchange) string {
				if x.Path == "/v1/transfers" {
					return "serial-conflict"
				}
				return ""
			}
		},
		"one authority's word": func(h *host) {
			lead := must(h.world.net.readRequest(slices.Collect(mapValues(h.world.requests))[0])).Statement.Serials[0]
			h.world.rows[3][string(lead)] = [32]byte{1}
			h.world.up = []int{0, 1, 3}
		},
	} {
		h := funded(t)
		h.world.split()
		payAt(h, byPhone, "in flight", 0, 1)
		hostile(h)
		if code := h.command(recovering("")); code == "" || code == "recover-impossible" || h.world.recovered() != 0 || h.proofs != 1 {
			t.Errorf("%s: %q, %d recovers, %d proofs", name, code, h.world.recovered(), h.proofs)
		}
		h.world.up, h.refuses = nil, nil
		c := recovering("")
		c.ID = "again"
		if code := h.command(c); code != "" || h.world.recovered() != 0 {
			t.Errorf("%s, again: %q", name, code)
		}
		requireFree(t, h, first+other-byPhone, name)
	}
}

func mapValues[K comparable, V any](m map[K]V) func(func(V) bool) {
	return func(yield func(V) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// The coin is the owner's whatever one authority says, and lost when f+1 say that another core has it.
//
//spec:id W-10
func TestACoinThatAnotherCoreHolds(t *testing.T) {
	for _, liars := range []int{1, 2} {
		h := funded(t)
		h.world.split()
		laptop := device(h, 50)
		laptop.before = once(func() {
			payAt(h, byPhone, "by the phone", 0)
		})
		payAt(laptop, byLaptop, "by the laptop", 1)
		h.clock = max(h.clock, laptop.clock)
		k := h.world.secrets(testPhrase)
		var rho suite.Field
		rho.SetUint64(1)
		coin := h.world.net.Hasher().Serial(k.snk, rho)
		for i := range liars {
			h.world.rows[3-i][string(suite.EncodeField(&coin))] = [32]byte{9}
		}
		code := h.command(recovering(""))
		v := h.view()
		if liars == 1 && (code != "" || v.total() != afterRecover || v.Recovers[0].Lost != 0) {
			t.Errorf("one liar: %q, %+v", code, v)
		}
		if liars == 2 && (code != "" || v.total() != 0 || v.Recovers[0].Lost != first) {
			t.Errorf("two: %q, %+v", code, v)
		}
	}
}

// Without the key of recovers a wallet stops and says so; what another program made it follows.
func TestAWalletWithoutTheKeyOfRecovers(t *testing.T) {
	phone, _ := locked(t)
	n := committee().net
	n.recoverCircuit = 0
	defer func() { n.recoverCircuit = 12 }()
	if code := phone.command(recovering("")); code != "not-supported" || phone.world.recovered() != 0 || phone.proofs != 1 {
		t.Errorf("%q, %d proofs", code, phone.proofs)
	}
	n.recoverCircuit = 12
	another := device(phone, 60)
	if code := another.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	n.recoverCircuit = 0
	if code := phone.command(&command{ID: "follow", Kind: commandSettle}); code != "" {
		t.Errorf("%q", code)
	}
	requireFree(t, phone, afterRecover, "followed")
}

// A proof that is none does not leave.
func TestARecoverWhoseProofIsNone(t *testing.T) {
	phone, _ := locked(t)
	phone.noProof = true
	if code := phone.command(recovering("")); code != "proof-unverified" || phone.world.recovered() != 0 {
		t.Errorf("%q, %d recovers", code, phone.world.recovered())
	}
}

// Two devices that recover at once make the same core, and a recover that reached too few is finished by the other.
func TestTwoDevicesMakeTheSameRecover(t *testing.T) {
	phone, laptop := locked(t)
	phone.before = func(x *exchange) {
		phone.world.up = nil
		if x.Path == "/v1/recovers" {
			phone.world.up = []int{0}
		}
	}
	if code := phone.command(recovering("")); code != "no-quorum" || phone.world.recovered() != 1 {
		t.Fatalf("%q, %d recovers", code, phone.world.recovered())
	}
	phone.before, phone.world.up = nil, nil
	if code := laptop.command(recovering("")); code != "" || laptop.world.recovered() != 1 {
		t.Errorf("%q, %d recovers", code, laptop.world.recovered())
	}
	requireFree(t, laptop, afterRecover, "laptop")
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" || phone.view().total() != afterRecover-30 {
		t.Errorf("%q, %+v", code, phone.view())
	}
}

// Two authorities have the first recover, two a third device's payment: the next recover takes both in.
func TestARecoverThatDoesNotCompleteIsTakenIn(t *testing.T) {
	phone := funded(t)
	phone.world.split()
	laptop, tablet := device(phone, 50), device(phone, 60)
	tablet.before = once(func() {
		inner := false
		laptop.before = func(*exchange) {
			if !inner {
				inner = true
				payAt(phone, 200, "by the phone", 0)
			}
		}
		payAt(laptop, 500, "by the laptop", 1)
	})
	payAt(tablet, 700, "by the tablet", 2, 3)
	clock := max(phone.clock, laptop.clock, tablet.clock)
	phone.clock, laptop.clock = clock, clock
	recoversAt(t, phone, 0, 1)
	if code := laptop.command(recovering("")); code != "" || laptop.world.recovered() != 2 {
		t.Fatalf("%q, %d recovers", code, laptop.world.recovered())
	}
	if v := laptop.view(); v.Recovers[0].Burnt != 700 {
		t.Errorf("%+v", v.Recovers)
	}
	requireFree(t, laptop, first+other-700, "laptop")
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" || phone.view().total() != first+other-730 {
		t.Errorf("%q, %+v", code, phone.view())
	}
}

// The phone's payment completes although the laptop's recover took it in: the phone goes back to that recover's lead.
func TestAWalletBehindABurntPaymentGoesBack(t *testing.T) {
	for _, behind := range []int{0, 1} {
		phone := funded(t)
		phone.world.split()
		laptop := device(phone, 50)
		laptop.before = once(func() {
			payAt(phone, 200, "by the phone", 0)
		})
		payAt(laptop, 500, "by the laptop", 1)
		if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" || phone.view().total() != first+other-200 {
			t.Fatalf("%q", code)
		}
		recovers := func() {
			laptop.clock = max(laptop.clock, phone.clock)
			recoversAt(t, laptop, 0, 1)
		}
		if behind == 0 {
			recovers()
		} else {
			// it has asked, and its next payment is on its way
			done := false
			phone.before = func(x *exchange) {
				if x.Path == "/v1/transfers" && !done {
					done = true
					recovers()
				}
			}
			c := payment(phone.world)
			c.ID, c.Amount, c.Text = "on the way", 40, "on the way"
			if code := phone.command(c); code != "no-quorum" && code != "serial-conflict" {
				t.Fatalf("%q", code)
			}
			phone.before = nil
		}
		if code := phone.command(&command{ID: "settle again", Kind: commandSettle}); behind == 1 && code == "" {
			t.Fatal("not locked")
		}
		cuts := 0
		everyCutOf(t, phone, func(*world) *command { return recovering("") }, 15, []mishap{killAfter, lose}[behind:behind+1], func(h *host, where string) {
			v := h.view()
			if v.total() != first+other-500 || v.Recovers[len(v.Recovers)-1].Burnt != 500 || h.world.recovered() != 1+behind {
				t.Errorf("%d behind, %s: %+v, %d recovers", behind, where, v, h.world.recovered())
			}
			if cuts++; cuts%10 == 0 {
				requireFree(t, h, first+other-500, where)
			}
		})
	}
}

// A lying authority shows a recover with evidence that it spoilt, or with other outputs: neither stops the owner.
func TestASpoiltRecoverStopsNobody(t *testing.T) {
	opens := []string{"proof", "signature", "circuit", "proof below", "signature below", "rules below"}
	for name, spoil := range map[string]func(j *recoverJSON){
		"proof":     func(j *recoverJSON) { j.Evidence.Proof = []byte("spoilt") },
		"signature": func(j *recoverJSON) { j.Evidence.Signature = make([]byte, 96) },
		"outputs": func(j *recoverJSON) {
			j.Statement.Outputs[0], j.Statement.Outputs[1] = j.Statement.Outputs[1], j.Statement.Outputs[0]
		},
		"credits":         func(j *recoverJSON) { j.Statement.Credits ^= 1 },
		"below":           func(j *recoverJSON) { j.Below = j.Below[:1] },
		"nothing":         func(j *recoverJSON) { *j = recoverJSON{Attachments: j.Attachments} },
		"circuit":         func(j *recoverJSON) { j.Evidence.Circuit = 11 },
		"twice":           func(j *recoverJSON) { j.Below = append(j.Below, j.Below[0]) },
		"proof below":     func(j *recoverJSON) { j.Below[0].Transfer.Evidence.Proof = []byte("spoilt") },
		"signature below": func(j *recoverJSON) { j.Below[0].Transfer.Evidence.Signature = make([]byte, 96) },
		"rules below": func(j *recoverJSON) {
			j.Below[0].Transfer.Evidence.Proof, j.Below[0].Transfer.Evidence.Policy = []byte("spoilt"), 0
		},
	} {
		for _, up := range [][]int{{0}, {0, 1}} { // the liar is asked first
			laptop := spoiltAt(t, spoil, up)
			if code := laptop.command(recovering("")); code != "" {
				t.Errorf("%s, %v: %q", name, up, code)
			}
			if n := laptop.world.recovered(); n != 1 {
				t.Errorf("%s, %v: %d recovers", name, up, n)
			}
			if v := laptop.view(); v.total() != afterRecover || v.InFlight {
				t.Errorf("%s, %v: %+v", name, up, v)
			}
		}
		// and where it has completed, every command follows it
		laptop := spoiltAt(t, spoil, []int{0, 1, 2, 3})
		// what differs in the statement, or in what it names, is nobody's recover
		first := laptop.world.recovers[0][0]
		lead := must(suite.DecodeField([]byte(first.lead)))
		o, err := laptop.world.net.reopenRecover(laptop.world.secrets(testPhrase), &lead, first.raw)
		if err != nil || (o != nil) != slices.Contains(opens, name) {
			t.Errorf("%s: opens: %v", name, err)
		}
		if code := laptop.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
			t.Errorf("%s, completed: %q", name, code)
		}
		requireFree(t, laptop, afterRecover, name+", completed")
	}
}

// spoiltAt is a device of a locked account that another one recovered at some authorities, of which the first shows it spoilt.
func spoiltAt(t *testing.T, spoil func(j *recoverJSON), up []int) (laptop *host) {
	t.Helper()
	phone, laptop := locked(t)
	phone.before = func(x *exchange) {
		phone.world.up = nil
		if x.Path == "/v1/recovers" {
			phone.world.up = up
		}
	}
	if code := phone.command(recovering("")); code != "no-quorum" && len(up) < 4 {
		t.Fatalf("%q", code)
	}
	phone.world.up = nil
	phone.world.spoilFirst(t, spoil)
	return laptop
}

// spoilFirst spoils what the first authority shows.
func (w *world) spoilFirst(t *testing.T, spoil func(j *recoverJSON)) {
	t.Helper()
	var j recoverJSON
	if json.Unmarshal(w.recovers[0][0].raw, &j) != nil {
		t.Fatal("a recover")
	}
	spoil(&j)
	w.recovers[0][0].raw = must(json.Marshal(&j))
}

// A returned coin counts once, also where the mailbox has a copy of it, and not at all when a transfer behind it claimed it.
//
//spec:id W-05 W-61
func TestAReturnedCoinCountsOnce(t *testing.T) {
	phone, _ := locked(t)
	if code := phone.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	phone.clock += copyAge + day
	before := len(phone.world.mailbox)
	if code := phone.command(&command{ID: "copy", Kind: commandReceive}); code != "" || len(phone.world.mailbox) != before+1 {
		t.Fatalf("%q, %d messages", code, len(phone.world.mailbox)-before)
	}
	requireOnce := func(coins int, total uint64) {
		t.Helper()
		again := newHost(t, phone.world, testPhrase)
		again.clock = phone.clock
		if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
			t.Fatal(code)
		}
		if v := again.view(); v.total() != total || len(v.Coins) != coins {
			t.Errorf("%+v", v)
		}
	}
	requireOnce(1, afterRecover)
	c := payment(phone.world)
	c.ID, c.Amount = "claims it", 30
	if code := phone.command(c); code != "" || len(phone.view().Coins) != 0 {
		t.Fatalf("%q", code)
	}
	requireOnce(0, afterRecover-30)
}

// A payment of a request that a recover burnt is not made again, also not by a wallet that knows nothing but its words.
//
//spec:id W-10
func TestABurntRequestIsNotPaidAgain(t *testing.T) {
	paying := func(w *world, id byte) *command {
		named := append([]byte{5}, bytes.Repeat([]byte{id}, tokenBytes)...)
		return &command{ID: fmt.Sprint("request ", id), Kind: commandPay, Payee: requestOf(w, paidOf(10*uint64(id)), euros, named)}
	}
	pay := func(h *host, id byte, up ...int) {
		before := h.before
		h.before = func(x *exchange) {
			if h.world.up = nil; x.Path == "/v1/transfers" {
				if before != nil {
					before(x)
				}
				h.world.up = up
			}
		}
		if code := h.command(paying(h.world, id)); code == "" {
			t.Fatalf("%d was paid", id)
		}
		h.before, h.world.up = nil, nil
	}
	phone := funded(t)
	phone.world.split()
	laptop := device(phone, 50)
	laptop.before = once(func() {
		pay(phone, 7, 0)
	})
	pay(laptop, 8, 1)
	// the payment of 7 completes, and one out of its successor is sent, before the recover burns both
	laptop.clock = max(laptop.clock, phone.clock)
	if code := phone.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
		t.Fatalf("%q", code)
	}
	recoversBeforeNextTransfer(t, laptop, phone)
	c := paying(phone.world, 9)
	if code := phone.command(c); code != "no-quorum" && code != "serial-conflict" {
		t.Fatalf("%q", code)
	}
	phone.before = nil
	laptop.clock = max(laptop.clock, phone.clock)
	if code := laptop.command(recovering("")); code != "" {
		t.Fatalf("%q", code)
	}
	restored := newHost(t, phone.world, testPhrase)
	restored.clock = laptop.clock
	if code := restored.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatalf("%q", code)
	}
	for name, h := range map[string]*host{"laptop": laptop, "restored": restored} {
		total := h.view().total()
		for _, id := range []byte{7, 8, 9} {
			// the laptop went through the payment of 7 before it met 9
			done := name == "laptop" && id == 7
			if code := h.command(paying(h.world, id)); code != "payment-burnt" && !done || h.view().total() != total {
				t.Errorf("%s, %d: %q", name, id, code)
			}
		}
	}
}

// recoversBeforeNextTransfer has one device make a recover, which only two authorities get, before the other one sends its next transfer.
func recoversBeforeNextTransfer(t *testing.T, laptop, phone *host) {
	t.Helper()
	done := false
	phone.before = func(x *exchange) {
		if x.Path != "/v1/transfers" || done {
			return
		}
		done = true
		laptop.clock = max(laptop.clock, phone.clock)
		recoversAt(t, laptop, 0, 1)
	}
}

// once does something before the first request that a host sends.
func once(do func()) func(*exchange) {
	done := false
	return func(*exchange) {
		if !done {
			done = true
			do()
		}
	}
}
