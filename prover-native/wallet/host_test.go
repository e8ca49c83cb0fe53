package wallet

import (
	"bytes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"filippo.io/hpke"

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
	a.net = &network{Network: n, committee: a.dealt.Committee, scheme: n.Scheme(), circuit: 7, mintCircuit: 8, registerCircuit: 9, recoverCircuit: 12}
	a.profile = profile{Network: testNetwork, Currency: "EUR", Manifest: []byte("the manifest of these tests")}
	verified.profile, verified.network = sha256.Sum256(encode(&a.profile)), a.net
	verifyEvidence = func(_ *network, p *plan, e *statement.Evidence, _ *rules) error {
		if bytes.Equal(e.Proof, []byte("spoilt")) {
			return errors.New("a spoilt proof")
		}
		if err := a.net.scheme.VerifyShown(a.dealt.Committee, e.Shows...); err != nil {
			return err
		}
		return suite.VerifyCore(&e.RK, p.core, e.KeySignature)
	}
	verifyRecover = func(n *network, r *statement.Recover) error {
		if bytes.Equal(r.Evidence.Proof, []byte("spoilt")) {
			return errors.New("a spoilt proof")
		}
		return suite.VerifyCore(&r.Evidence.RK, must(r.Reservation(n.Network)).Core, r.Evidence.KeySignature)
	}
	verifyMint = func(*network, *mintPlan, []byte) error { return nil }
	verifyRegister = func(_ *network, p *registerPlan, e *statement.OwnerEvidence) error {
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
	// shown are requests that one authority shows, which the others do not know.
	shown    []json.RawMessage
	mailbox  [][]byte
	policy   uint64
	period   uint32
	list     []byte
	reserved int
	paidOut  map[[32]byte]payoutOrder // by core
	mints    map[string]uint64        // by id, as a text
	cases    map[[32]byte]string      // by core
	decided  string                   // what the bank says of mints and cases
	minted   int                      // signed mints
	// delegated counts the proofs that a prover made.
	delegated int
	// families are what the gateway says that its network takes.
	families string
	// rows are those of each authority, where they differ; up are the authorities that answer, all of them where it is nil.
	rows []map[string][32]byte
	up   []int
	// tokens issues blind tokens, where there are any.
	tokens *tokenMint
	// recovers are those that each authority took, in the order in which they came.
	recovers [][]takenRecover
}

type takenRecover struct {
	core [32]byte
	lead string
	raw  []byte
}

type payoutOrder struct {
	amount uint64
	text   string
}

// issuer has the key that payout instructions are sealed to.
var issuer = must(ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{7}, keyBytes)))

func newWorld() *world {
	return &world{
		authorities: committee(), held: map[string][32]byte{}, requests: map[[32]byte][]byte{}, policy: 1, period: testPeriod,
		paidOut: map[[32]byte]payoutOrder{}, mints: map[string]uint64{}, cases: map[[32]byte]string{},
	}
}

func (w *world) clone() *world {
	c := *w
	c.held, c.requests, c.mailbox = maps.Clone(w.held), maps.Clone(w.requests), slices.Clone(w.mailbox)
	c.paidOut, c.mints, c.cases = maps.Clone(w.paidOut), maps.Clone(w.mints), maps.Clone(w.cases)
	c.rows, c.recovers = nil, slices.Clone(w.recovers)
	for i := range w.rows {
		c.rows = append(c.rows, maps.Clone(w.rows[i]))
		c.recovers[i] = slices.Clone(w.recovers[i])
	}
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

// fund puts a payment to the wallet of testPhrase into the mailbox.
func (w *world) fund(value, number uint64) {
	k := w.secrets(testPhrase)
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
	if x.Role != roleGateway {
		return w.bank(x)
	}
	switch x.Method + " " + path {
	case "GET /v1/info":
		return 200, fmt.Appendf(nil, `{"networkId":%q,"networkKind":"regulated","more":null}`, testNetwork)
	case "GET /v1/keys":
		return 200, must(json.Marshal(map[string]b64{"manifest": w.profile.Manifest, "signature": nil}))
	case "GET /v1/tokens/keys":
		if w.tokens == nil {
			return problem(404, "not-found")
		}
		return 200, w.tokenNote()
	case "GET /v1/capabilities":
		if w.families == "" {
			return problem(404, "not-found")
		}
		return 200, []byte(w.families)
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
		if w.rows != nil {
			return w.transferAt(x.Body)
		}
		return w.transfer(x.Body)
	case "POST /v1/recovers":
		return w.recover(x.Body)
	case "POST /v1/proofs":
		return 200, w.prove(x.Body)
	case "POST /v1/mints":
		return w.signMint(x.Body)
	case "POST /v1/registrations/signatures":
		return w.signRegistration(x.Body)
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
	if w.rows != nil {
		return w.statesAt(q.Serials, q.Nonce)
	}
	serial := q.Serials[0]
	state := signedStateJSON{Serial: serial}
	requests := []map[string]json.RawMessage{}
	if core, ok := w.held[string(serial)]; ok {
		name := hex.EncodeToString(core[:])
		state.Core, state.Request = &name, core[:]
		requests = append(requests, map[string]json.RawMessage{"request": w.requests[core]})
	}
	for _, request := range w.shown {
		requests = append(requests, map[string]json.RawMessage{"request": request})
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
	var points []suite.G1
	for i := range r.statement.Outputs {
		points = append(points, r.statement.Outputs[i].K)
	}
	return w.sign(r.core, r.statement.Bases(w.net.Network), points)
}

// sign is the answer of 2f+1 authorities.
func (w *world) sign(core [32]byte, bases *suite.Outputs, points []suite.G1) (uint16, []byte) {
	return w.signAt([]int{1, 2, 3}, core, bases, points)
}

func (w *world) signAt(signers []int, core [32]byte, bases *suite.Outputs, points []suite.G1) (uint16, []byte) {
	var answer signedJSON
	for _, i := range signers {
		p := partialJSON{Authority: i + 1}
		vote := append([]byte("solidus/vote/v1\x00"), core[:]...)
		vote = append(append(vote, u32(0)...), byte(len(points)))
		for j := range points {
			point := must(suite.EncodeG1(ptr(must(w.net.scheme.Sign(w.dealt.Shares[i], bases, j, &points[j])))))
			p.Points = append(p.Points, point)
			vote = append(vote, point...)
		}
		p.Vote = ed25519.Sign(w.keys[i], vote)
		answer.Partials = append(answer.Partials, p)
	}
	return 200, must(json.Marshal(&answer))
}

// bank is the registration and the issuance service.
func (w *world) bank(x *exchange) (uint16, []byte) {
	segment := x.Path[strings.LastIndex(x.Path, "/")+1:]
	id := must(url.PathUnescape(segment))
	switch {
	case x.Role == roleIssuance && x.Path == "/v1/redemptions":
		return w.redeem(x.Body)
	case x.Role == roleIssuance && x.Body != nil && x.Path == "/v1/mints":
		return w.askedForMint(x.Body)
	case x.Role == roleIssuance && x.Path == "/v1/mints/"+segment:
		if _, ok := w.mints[id]; !ok {
			return problem(404, "not-found")
		}
		return 200, fmt.Appendf(nil, `{"status":%q,"approvals":[{"approver":"a","signature":"AA"}]}`, w.decided)
	case x.Role == roleRegistration && strings.HasSuffix(x.Path, "/tokens") && w.tokens != nil && x.Headers[1].Name == "X-Case-Token":
		return w.signTokens(x.Body)
	case x.Role == roleRegistration && x.Path == "/v1/registrations":
		return w.openCase(x.Body)
	case x.Role == roleRegistration && x.Path == "/v1/registrations/"+segment && x.Headers[0] == header{"X-Case-Token", "token of " + id}:
		for core, opened := range w.cases {
			if opened == id {
				return 200, must(json.Marshal(map[string]any{"status": w.decided, "attestationNote": w.attestation(core), "reason": nil}))
			}
		}
	}
	return problem(404, "not-found")
}

func (w *world) askedForMint(body []byte) (uint16, []byte) {
	var j struct {
		Funding string `json:"fundingId"`
		Token   string `json:"accessToken"`
		Mint    struct {
			ID    b64    `json:"mintId"`
			Value uint64 `json:"valueMinor"`
			Cm, K b64
			Proof b64
		}
	}
	if json.Unmarshal(body, &j) != nil || len(j.Mint.ID) != 32 || len(j.Mint.Proof) == 0 || len(j.Mint.Cm) != 32 {
		return problem(400, "malformed-request")
	}
	if j.Funding != "funding-1" || j.Token != "secret" {
		return problem(403, "forbidden")
	}
	w.mints[base64url.EncodeToString(j.Mint.ID)] = j.Mint.Value
	return 202, nil
}

func (c *coinJSON) blinded() statement.BlindedCoin {
	return statement.BlindedCoin{Cm: must(suite.DecodeField(c.Cm)), K: must(suite.DecodeG1(c.K))}
}

func (w *world) signMint(body []byte) (uint16, []byte) {
	var j struct {
		Statement mintStatementJSON
		Proof     b64
		Approvals []struct{ Approver string }
	}
	if json.Unmarshal(body, &j) != nil || len(j.Approvals) == 0 || w.mints[base64url.EncodeToString(j.Statement.ID)] != j.Statement.Value {
		return problem(422, "approval-invalid")
	}
	s := &statement.Mint{MintID: [32]byte(j.Statement.ID), Value: j.Statement.Value, Coin: j.Statement.Coin.blinded()}
	w.minted++
	return w.sign(must(s.Core(w.net.Network)), s.Bases(w.net.Network), []suite.G1{s.Coin.K})
}

// openCase gives one case to each core, with the person's details.
func (w *world) openCase(body []byte) (uint16, []byte) {
	var j struct {
		Person       struct{ Name string }
		Registration struct {
			Apk, Cm, K, Proof b64
		}
	}
	if json.Unmarshal(body, &j) != nil || j.Person.Name == "" {
		return problem(400, "malformed-request")
	}
	s := &statement.Register{Apk: must(suite.DecodeField(j.Registration.Apk)), Coin: (&coinJSON{j.Registration.Cm, j.Registration.K}).blinded()}
	core := must(s.Core(w.net.Network))
	w.cases[core] = "case." + j.Person.Name
	return 200, fmt.Appendf(nil, `{"caseId":%q,"accessToken":"token of %s"}`, w.cases[core], w.cases[core])
}

func (w *world) attestation(core [32]byte) any {
	if w.decided != "approved" {
		return nil
	}
	return string(w.note(fmt.Sprintf("solidus/attestation/v1\n%s\nperson-tag: %x\nregister-core: %x\napk: %x\nissued-at-millis: 1\n",
		testNetwork, make([]byte, 32), core, make([]byte, 32))))
}

func (w *world) signRegistration(body []byte) (uint16, []byte) {
	var j struct {
		Request struct{ Statement registerStatementJSON }
		Note    string `json:"attestationNote"`
	}
	if json.Unmarshal(body, &j) != nil {
		return problem(400, "malformed-request")
	}
	s := &statement.Register{Apk: must(suite.DecodeField(j.Request.Statement.Apk)), Coin: j.Request.Statement.Coin.blinded()}
	core := must(s.Core(w.net.Network))
	if must(w.net.attestedCore(j.Note)) != core {
		return problem(422, "attestation-invalid")
	}
	return w.sign(core, s.Bases(w.net.Network), []suite.G1{s.Coin.K})
}

// redeem pays out what 2f+1 authorities have signed, once for each core.
func (w *world) redeem(body []byte) (uint16, []byte) {
	var j struct {
		Request  json.RawMessage
		Partials []partialJSON
	}
	if json.Unmarshal(body, &j) != nil {
		return problem(400, "malformed-request")
	}
	r, err := w.net.readRequest(j.Request)
	if err != nil || r.statement.Withdrawn == 0 {
		return problem(400, "malformed-request")
	}
	voted := map[int]bool{}
	for _, p := range j.Partials {
		vote := append([]byte("solidus/vote/v1\x00"), r.core[:]...)
		vote = append(append(vote, u32(p.Epoch)...), byte(len(p.Points)))
		for _, point := range p.Points {
			vote = append(vote, point...)
		}
		voted[p.Authority] = ed25519.Verify(w.keys[p.Authority-1].Public().(ed25519.PublicKey), vote, p.Vote)
	}
	if len(voted) != 3 || slices.Contains(slices.Collect(maps.Values(voted)), false) {
		return problem(422, "signature-invalid")
	}
	w.paidOut[r.core] = payoutOrder{r.statement.Withdrawn, w.net.openPayout(issuer, r.Attachments.Payout)}
	return 200, nil
}

// prover has the key that witnesses are sealed to.
var prover = must(ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{9}, keyBytes)))

// prove answers a witness that opens with a proof that is none.
func (w *world) prove(body []byte) []byte {
	var j struct {
		Family uint8
		Key    b64 `json:"encapsulatedKey"`
		Sealed b64 `json:"sealedWitness"`
	}
	if json.Unmarshal(body, &j) != nil {
		panic("a witness")
	}
	witness, key, err := w.net.openWitness(prover, j.Family, j.Key, j.Sealed)
	if err != nil || witness[0] != witnessVersion || witness[1] != j.Family {
		panic("a witness")
	}
	w.delegated++
	aead := must(cipher.NewGCM(newAES(key)))
	nonce := bytes.Repeat([]byte{1}, aead.NonceSize())
	sealed := aead.Seal(nonce, nonce, make([]byte, 704), nil)
	return must(json.Marshal(map[string]b64{"sealedProof": sealed}))
}

// openWitness is the prover's.
func (n *network) openWitness(own *ecdh.PrivateKey, family uint8, enc, sealed []byte) (witness, key []byte, err error) {
	recipient, err := hpke.NewRecipient(enc, must(hpke.NewDHKEMPrivateKey(own)), hpke.HKDFSHA256(), hpke.AES256GCM(), proveInfo)
	if err != nil {
		return nil, nil, err
	}
	digest := n.Digest()
	if witness, err = recipient.Open(append(digest[:], family), sealed); err != nil {
		return nil, nil, err
	}
	key, err = recipient.Export(string(proofExporter), keyBytes)
	return witness, key, err
}

// openPayout is the issuance service's.
func (n *network) openPayout(own *ecdh.PrivateKey, block []byte) string {
	key := must(hpke.NewDHKEMPrivateKey(own))
	recipient := must(hpke.NewRecipient(slices.Clone(block[:keyBytes]), key, hpke.HKDFSHA256(), hpke.AES256GCM(), payoutInfo))
	digest := n.Digest()
	return strings.TrimRight(string(must(recipient.Open(digest[:], block[keyBytes:]))), "\x00")
}

func ptr[T any](v T) *T { return &v }

// host is a process with a disk. Faults happen at numbered points.
type host struct {
	t       testing.TB
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
	spoil   func(x *exchange, body []byte) []byte
	// outage says of which exchanges the service is down, behind a proxy that has much to say.
	outage func(x *exchange) bool
	// instead is what a gateway answers by itself, unless the status is 0.
	instead func(x *exchange) (uint16, []byte)
	// refuses is the code with which a service refuses an exchange.
	refuses func(x *exchange) string
	proofs  int
	// recovers are those of recovers.
	recovers int
	// noProof says that the host's proofs of recovers are none.
	noProof bool
	// pages are files of their own, which a process that is killed does not lose; full says that there is no place for them.
	pages map[uint32][]byte
	full  bool
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

func newHost(t testing.TB, w *world, phrase string) *host {
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
	happened := encode(e)
	// what the bridge takes, and what a host keeps
	if n := len(h.disk) + len(happened); n > 48<<20-8 {
		h.t.Fatalf("event %d: a request of %d bytes", kind, n)
	}
	after, effects, err := Step(h.disk, happened)
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
		if h.world.tokens != nil {
			h.world.spends(h.t, &x)
		}
		status, body := h.world.serve(&x)
		if h.spoil != nil {
			body = h.spoil(&x, body)
		}
		if h.outage != nil && h.outage(&x) {
			status, body = 503, make([]byte, limitJSON)
		}
		if h.instead != nil {
			if s, b := h.instead(&x); s != 0 {
				status, body = s, b
			}
		}
		if h.refuses != nil && h.refuses(&x) != "" {
			status, body = problem(409, h.refuses(&x))
		}
		h.answer(eventReply, encode(&reply{ID: x.ID, Status: status, Body: body}), encode(&reply{ID: x.ID}))
	case effectProve:
		var p proof
		if err := decode(e.Body, &p); err != nil {
			h.t.Fatal(err)
		}
		h.proofs++
		if p.Family == uint8(statement.FamilyRecover) {
			h.recovers++
			requireRecoverHolds(h.t, h.world.net, p.Witness)
			if h.noProof {
				h.answer(eventProof, encode(&proofReply{p.ID, []byte("\x00\x00spoilt")}), encode(&proofReply{ID: p.ID}))
				return
			}
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
	case effectArchive:
		var p archivePage
		if err := decode(e.Body, &p); err != nil {
			h.t.Fatal(err)
		}
		if !h.full {
			if h.pages == nil {
				h.pages = map[uint32][]byte{}
			}
			h.pages[p.Number] = p.Page
		}
		h.answer(eventKept, encode(&keptReply{p.ID, !h.full}), encode(&keptReply{ID: p.ID}))
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
