package wallet

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"solidus.io/prover/hash"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// A network of four authorities in memory, whose proofs are none, and a host that loses answers, repeats events and is killed.

const (
	testNetwork = "core-tests"
	testPhrase  = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon " +
		"abandon abandon abandon abandon abandon abandon abandon abandon art"
	otherPhrase = "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote"
	testNow     = 1_795_000_000_000
	testPeriod  = 202611
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// committee is made once: it is the same for every test.
var committee = sync.OnceValue(func() *authorities {
	n := must(statement.NewNetwork(testNetwork))
	a := &authorities{dealt: must(n.Scheme().Deal(1))}
	for i := range a.dealt.Committee.Members {
		seed := sha256.Sum256([]byte{byte(i)})
		key := ed25519.NewKeyFromSeed(seed[:])
		a.keys = append(a.keys, key)
		copy(a.dealt.Committee.Members[i].NoteKey[:], key.Public().(ed25519.PublicKey))
	}
	a.net = &network{Network: n, committee: a.dealt.Committee, scheme: n.Scheme(), circuit: 7}
	a.profile = profile{Network: testNetwork, Manifest: []byte("the manifest of these tests")}
	verified.profile, verified.network = sha256.Sum256(encode(&a.profile)), a.net
	verifyEvidence = func(_ *network, p *plan, e *statement.Evidence, _ *rules) error {
		if err := a.net.scheme.VerifyShown(a.dealt.Committee, e.Shows...); err != nil {
			return err
		}
		return suite.VerifyCore(&e.RK, p.core, e.KeySignature)
	}
	return a
})

type authorities struct {
	dealt   *suite.Dealt
	keys    []ed25519.PrivateKey
	net     *network
	profile profile
}

// certify signs a message, as authorities do that sign a blinded coin.
func (a *authorities) certify(message suite.Field) [signatureBytes]byte {
	var d, b suite.Field
	d.SetUint64(4711)
	b.SetUint64(815)
	o := &suite.Outputs{D: d, Cms: []suite.Field{message}}
	k := must(a.net.scheme.Blind(o, 0, &message, &b))
	var parts []suite.Partial
	for i := range a.dealt.Committee.Quorum() {
		parts = append(parts, suite.Partial{Index: i + 1, Point: must(a.net.scheme.Sign(a.dealt.Shares[i], o, 0, &k))})
	}
	combined := must(a.net.scheme.Combine(a.dealt.Committee, parts))
	s := must(a.net.scheme.Unblind(a.dealt.Committee, o, 0, &combined, &b))
	return must(encodeSignature(&s))
}

// world is what gateway and authorities hold.
type world struct {
	*authorities
	held     map[string][32]byte // by serial number
	requests map[[32]byte][]byte
	mailbox  [][]byte
	policy   uint64
	period   uint32
	list     []byte
	reserved int
}

func newWorld() *world {
	return &world{authorities: committee(), held: map[string][32]byte{}, requests: map[[32]byte][]byte{}, policy: 1, period: testPeriod}
}

func (w *world) clone() *world {
	c := *w
	c.held, c.requests, c.mailbox = maps.Clone(w.held), maps.Clone(w.requests), slices.Clone(w.mailbox)
	return &c
}

func (w *world) secrets(phrase string) *secrets {
	return must(newSecrets(w.net.Network, must(seedOf(phrase))))
}

// register puts a first compliance coin's signature into the mailbox.
func (w *world) register(phrase string) {
	k := w.secrets(phrase)
	_, message, err := w.net.firstCoin(k)
	if err != nil {
		panic(err)
	}
	content := append([]byte{parcelVersion, parcelFirstSignature}, func() []byte { s := w.certify(message); return s[:] }()...)
	w.post(k, append(content, make([]byte, parcelBytes-len(content))...))
}

// fund puts a payment into the mailbox.
func (w *world) fund(phrase string, value, number uint64) {
	k := w.secrets(phrase)
	var rho suite.Field
	rho.SetUint64(number)
	message := w.net.Hasher().Coin(hash.OriginPayment, value, k.apk, rho)
	w.post(k, (&parcel{Kind: parcelPayment, Value: value, Rho: bytes32(&rho), Signature: w.certify(message), Time: testNow, Text: "for you"}).encode())
}

func (w *world) post(k *secrets, content []byte) {
	seed := sha256.Sum256(content)
	blob := must(w.net.sealBlob(k.receiving.PublicKey().Bytes(), must(ecdh.X25519().NewPrivateKey(seed[:])), content))
	w.mailbox = append(w.mailbox, blob)
}

func (w *world) note(text string) []byte {
	note := text + "\n"
	for i, key := range w.keys[:2] {
		name := fmt.Sprintf("solidus-authority-%d", i+1)
		sum := sha256.Sum256(append([]byte(name+"\n\x01"), key.Public().(ed25519.PublicKey)...))
		note += fmt.Sprintf("\u2014 %s %s\n", name, base64.StdEncoding.EncodeToString(append(sum[:4:4], ed25519.Sign(key, []byte(text))...)))
	}
	return []byte(note)
}

func (w *world) checkpoint() []byte {
	keys := make([]sanction.Key, len(w.list)/sanction.KeyBytes)
	for i := range keys {
		copy(keys[i][:], w.list[i*sanction.KeyBytes:])
	}
	root := must(sanction.Build(w.net.Tag(), keys)).Root()
	digest := w.net.Digest()
	sum := sha256.Sum256(slices.Concat([]byte("solidus/sanction-list/v1"), digest[:], w.list))
	return w.note(fmt.Sprintf("solidus/sanction-checkpoint/v1\n%s\nversion: 1\nroot: %x\nsize: %d\nlist-digest: %x\npublished-at-millis: 1\n",
		testNetwork, suite.EncodeField(&root), len(keys), sum))
}

func problem(status uint16, code string) (uint16, []byte) {
	return status, fmt.Appendf(nil, `{"code":%q}`, code)
}

// serve answers an exchange.
func (w *world) serve(x *exchange) (uint16, []byte) {
	path, query, _ := strings.Cut(x.Path, "?")
	switch x.Method + " " + path {
	case "GET /v1/info":
		return 200, fmt.Appendf(nil, `{"networkId":%q,"networkKind":"regulated","more":null}`, testNetwork)
	case "GET /v1/keys":
		return 200, must(json.Marshal(map[string]b64{"manifest": w.profile.Manifest, "signature": nil}))
	case "GET /v1/policy":
		return 200, w.note(fmt.Sprintf("solidus/policy/v1\n%s\nversion: %d\nperiod: %d\nmax-per-transfer-minor: 10000\nmax-per-period-minor: 20000\n"+
			"max-held-minor: 50000\nmax-escrow-minor: 0\nmax-transfers-per-period: 200\nmint-cap-per-day-minor: 1\neffective-at-millis: 1\n",
			testNetwork, w.policy, w.period))
	case "GET /v1/sanctions/checkpoint":
		return 200, w.checkpoint()
	case "GET /v1/sanctions/checkpoints/1/list":
		return 200, w.list
	case "GET /v1/mailbox":
		return 200, w.page(query)
	case "POST /v1/mailbox":
		var body struct{ Blob b64 }
		if json.Unmarshal(x.Body, &body) != nil || len(body.Blob) != blobSize {
			return problem(400, "malformed-request")
		}
		// the same Idempotency-Key stores once
		if !slices.ContainsFunc(w.mailbox, func(b []byte) bool { return string(b) == string(body.Blob) }) {
			w.mailbox = append(w.mailbox, body.Blob)
		}
		return 200, []byte(`{"sequence":1}`)
	case "POST /v1/coins/state":
		return 200, w.states(x.Body)
	case "POST /v1/transfers":
		return w.transfer(x.Body)
	default:
		return problem(404, "not-found")
	}
}

func (w *world) page(query string) []byte {
	after, _ := strconv.Atoi(strings.TrimPrefix(strings.Split(query, "&")[0], "after="))
	p := map[string]any{"next": after, "at": nil}
	if after > 0 && after <= len(w.mailbox) {
		d := digestOf(w.mailbox[after-1])
		p["at"] = b64(d[:])
	}
	entries := []map[string]any{}
	for i := after; i < len(w.mailbox) && len(entries) < pageLength; i++ {
		entries = append(entries, map[string]any{"sequence": i + 1, "blob": b64(w.mailbox[i])})
		p["next"] = i + 1
	}
	p["entries"] = entries
	return must(json.Marshal(p))
}

func (w *world) states(body []byte) []byte {
	var q struct {
		Serials []b64
		Nonce   b64
	}
	if json.Unmarshal(body, &q) != nil {
		panic("a question")
	}
	serial := q.Serials[0]
	state := signedStateJSON{Serial: serial}
	requests := []map[string]json.RawMessage{}
	if core, ok := w.held[string(serial)]; ok {
		name := hex.EncodeToString(core[:])
		state.Core, state.Request = &name, core[:]
		requests = append(requests, map[string]json.RawMessage{"request": w.requests[core]})
	}
	signed := []signedStatesJSON{}
	for i, key := range w.keys[:3] {
		s := signedStatesJSON{Authority: i + 1, MapVersion: 1, Floors: floorsJSON{w.policy, 1, w.period}, States: []signedStateJSON{state}, Signature: make([]byte, 64)}
		message, _, err := s.message(w.net, q.Nonce)
		if err != nil {
			panic(err)
		}
		s.Signature = ed25519.Sign(key, message)
		signed = append(signed, s)
	}
	return must(json.Marshal(map[string]any{
		"states": []map[string]any{{"serial": serial, "unspent": []int{}, "requests": requests}}, "signed": signed,
	}))
}

// transfer reserves and signs, or refuses. Rules are those in force.
func (w *world) transfer(body []byte) (uint16, []byte) {
	r, err := w.net.readRequest(body)
	if err != nil {
		return problem(400, "malformed-request")
	}
	for i := range r.statement.Serials {
		if core, ok := w.held[string(suite.EncodeField(&r.statement.Serials[i]))]; ok && core != r.core {
			return problem(409, "serial-conflict")
		}
	}
	if _, known := w.requests[r.core]; !known {
		if r.Evidence.Policy < w.policy {
			return problem(409, "stale-policy")
		}
		if r.statement.Period < w.period {
			return problem(409, "stale-period")
		}
		for i := range r.statement.Serials {
			w.held[string(suite.EncodeField(&r.statement.Serials[i]))] = r.core
		}
		w.requests[r.core] = body
		w.reserved++
	}
	bases := r.statement.Bases(w.net.Network)
	var answer signedJSON
	for i, share := range w.dealt.Shares[1:] {
		p := partialJSON{Authority: i + 2}
		vote := append([]byte("solidus/vote/v1\x00"), r.core[:]...)
		vote = append(append(vote, u32(0)...), 2)
		for j := range r.statement.Outputs {
			point := must(suite.EncodeG1(ptr(must(w.net.scheme.Sign(share, bases, j, &r.statement.Outputs[j].K)))))
			p.Points = append(p.Points, point)
			vote = append(vote, point...)
		}
		p.Vote = ed25519.Sign(w.keys[i+1], vote)
		answer.Partials = append(answer.Partials, p)
	}
	return 200, must(json.Marshal(&answer))
}

func ptr[T any](v T) *T { return &v }

// host is a process with a disk. Faults happen at numbered points.
type host struct {
	t       *testing.T
	world   *world
	disk    []byte
	queue   []effect
	told    []tell
	session byte
	clock   uint64
	events  uint64
	point   int
	fault   func(point int) mishap
	before  func(x *exchange)
}

type mishap int

const (
	none       mishap = iota
	killBefore        // the process dies before the new state is on disk
	killAfter         // it dies when the state is on disk, before the effects
	killDone          // it dies when the effect was performed, before its answer
	lose              // the answer gets lost
	twice             // the answer comes twice
)

func newHost(t *testing.T, w *world, phrase string) *host {
	h := &host{t: t, world: w, clock: testNow, session: 1}
	h.tell(eventCreate, encode(&creation{w.profile, phrase}))
	h.queue = nil
	return h
}

// tell hands an event to the core. It reports whether the process is alive.
func (h *host) tell(kind uint8, body []byte) bool {
	h.events++
	h.clock += 7
	e := &event{Version: Version, Session: [16]byte{h.session}, Now: h.clock, Kind: kind, Body: body}
	binary.BigEndian.PutUint64(e.Entropy[:], h.events)
	after, effects, err := Step(h.disk, encode(e))
	if err != nil {
		h.t.Fatalf("event %d: %v", kind, err)
	}
	f := h.next()
	if f == killBefore {
		return h.kill()
	}
	h.disk = after
	if f == killAfter {
		return h.kill()
	}
	var all []effect
	if err := decode(effects, &all); err != nil {
		h.t.Fatal(err)
	}
	for _, one := range all {
		if one.Kind == effectTell {
			var told tell
			if err := decode(one.Body, &told); err != nil {
				h.t.Fatal(err)
			}
			h.told = append(h.told, told)
			continue
		}
		h.queue = append(h.queue, one)
	}
	return true
}

func (h *host) next() mishap {
	h.point++
	if h.fault == nil {
		return none
	}
	return h.fault(h.point)
}

func (h *host) kill() bool {
	h.session++
	h.queue = nil
	return false
}

// command runs one to its end, whatever happens to the process, and returns its code.
func (h *host) command(c *command) string {
	h.told = nil
	h.tell(eventCommand, encode(c))
	for range 10_000 {
		for i := range h.told {
			if h.told[i].What == "ended" && h.told[i].Command == c.ID {
				return h.told[i].Code
			}
		}
		if len(h.queue) == 0 {
			// a process that was opened again, or has lost what was told
			h.tell(eventResume, nil)
			if len(h.queue) == 0 {
				h.tell(eventCommand, encode(c))
			}
			continue
		}
		e := h.queue[0]
		h.queue = h.queue[1:]
		h.perform(&e)
	}
	h.t.Fatal("the command does not end")
	return ""
}

func (h *host) perform(e *effect) {
	switch e.Kind {
	case effectHTTP:
		var x exchange
		if err := decode(e.Body, &x); err != nil {
			h.t.Fatal(err)
		}
		if h.before != nil {
			h.before(&x)
		}
		status, body := h.world.serve(&x)
		h.answer(eventReply, encode(&reply{ID: x.ID, Status: status, Body: body}), encode(&reply{ID: x.ID}))
	case effectProve:
		var p proof
		if err := decode(e.Body, &p); err != nil {
			h.t.Fatal(err)
		}
		made := encode(&proofReply{p.ID, append([]byte{0, 0}, make([]byte, 704)...)})
		h.answer(eventProof, made, made)
	case effectWake:
		var w wake
		if err := decode(e.Body, &w); err != nil {
			h.t.Fatal(err)
		}
		h.clock = max(h.clock, w.At)
		h.answer(eventWake, encode(&wakeReply{w.ID}), encode(&wakeReply{w.ID}))
	default:
		h.t.Fatalf("effect %d", e.Kind)
	}
}

func (h *host) answer(kind uint8, body, lost []byte) {
	switch h.next() {
	case killBefore, killAfter, killDone:
		h.kill()
	case lose:
		h.tell(kind, lost)
	case twice:
		if h.tell(kind, body) {
			disk, queue := h.disk, len(h.queue)
			h.tell(kind, body)
			if !bytes.Equal(disk, h.disk) || len(h.queue) != queue {
				h.t.Error("an answer that came twice did something twice")
			}
		}
	default:
		h.tell(kind, body)
	}
}

func (h *host) view() *view {
	h.t.Helper()
	e := &event{Version: Version, Session: [16]byte{h.session}, Now: h.clock, Kind: eventLook}
	_, effects, err := Step(h.disk, encode(e))
	if err != nil {
		h.t.Fatal(err)
	}
	var all []effect
	var v view
	if decode(effects, &all) != nil || len(all) != 1 || decode(all[0].Body, &v) != nil {
		h.t.Fatal("no view")
	}
	return &v
}

func (v *view) total() uint64 {
	sum := v.Held
	for i := range v.Coins {
		sum += v.Coins[i].Value
	}
	return sum
}
