package wallet

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The vectors of RFC 9578, appendix A.2.
func TestTokenVectors(t *testing.T) {
	raw := must(os.ReadFile("../../services/lib/protocol-wire/src/test/resources/rfc9578-blind-rsa.json"))
	var all struct {
		Key     string `json:"pkS"`
		Vectors []struct {
			Challenge string `json:"token_challenge"`
			Nonce     string `json:"nonce"`
			Blind     string `json:"blind"`
			Salt      string `json:"salt"`
			Request   string `json:"token_request"`
			Response  string `json:"token_response"`
			Token     string `json:"token"`
		}
	}
	if err := json.Unmarshal(raw, &all); err != nil || len(all.Vectors) < 5 {
		t.Fatal(err)
	}
	unhex := func(s string) []byte { return must(hex.DecodeString(s)) }
	spki := unhex(all.Key)
	key := must(readTokenKey(spki))
	for _, v := range all.Vectors {
		blinded := must(blindToken(key, sha256.Sum256(unhex(v.Challenge)), unhex(v.Nonce), unhex(v.Salt), new(big.Int).SetBytes(unhex(v.Blind))))
		if hex.EncodeToString(blinded.request) != v.Request {
			t.Errorf("request %x", blinded.request)
		}
		token, err := blinded.finish(unhex(v.Response))
		if err != nil || hex.EncodeToString(token) != v.Token || len(token) != blindTokenSize {
			t.Errorf("%v: token %x", err, token)
		}
		wrong := unhex(v.Response)
		wrong[255] ^= 1
		if _, err := blinded.finish(wrong); codeOf(err) != "signature-invalid" {
			t.Errorf("a wrong answer: %v", err)
		}
		if _, err := blinded.finish(wrong[1:]); codeOf(err) != "signature-invalid" {
			t.Errorf("a short answer: %v", err)
		}
	}
	// a challenge with an empty context, and only one encoding of a key
	if v := all.Vectors[1]; challengeDigest("issuer.example", "origin.example") != sha256.Sum256(unhex(v.Challenge)) && !strings.HasSuffix(v.Challenge, "0000") {
		t.Errorf("the challenge %s", v.Challenge)
	}
	for at, b := range map[int]byte{0: 0x31, 20: 0, len(tokenKeyBefore): 0x7f, len(tokenKeyBefore) + 255: 0, 341: 3} {
		other := slices.Clone(spki)
		other[at] = b
		if _, err := readTokenKey(other); err == nil {
			t.Errorf("byte %d", at)
		}
	}
}

// issuers are keys of days, by their number.
var issuerKeys = sync.OnceValue(func() (all []*rsa.PrivateKey) {
	for range 2 {
		all = append(all, must(rsa.GenerateKey(rand.Reader, tokenBits)))
	}
	return all
})

func spkiOf(key *rsa.PrivateKey) []byte {
	return slices.Concat(tokenKeyBefore, key.N.FillBytes(make([]byte, tokenModulus)), tokenKeyAfter)
}

const (
	tokenOrigin = "gateway.test"
	tokenIssuer = "bank.test"
	tokenBatch  = 20
	firstTokens = testNow / day
)

// mint is what issues tokens and who spent them.
type tokenMint struct {
	signers int
	calls   int
	// batches are the first requests of a day.
	batches map[uint64]string
	spoil   func(*[]b64)
	// spent has of each token the requests that it came with, by path and body.
	spent map[string]map[string]bool
	// bare are the requests that could have spent a token and did not.
	bare int
}

func (w *world) withTokens() *tokenMint {
	w.tokens = &tokenMint{signers: 3, batches: map[uint64]string{}, spent: map[string]map[string]bool{}}
	return w.tokens
}

func (w *world) tokenNote() []byte {
	text := fmt.Sprintf("solidus/token-keys/v1\n%s\nissuer: %s\nbatch: %d\nfirst-day: %d\nkeys: %x %x\n", testNetwork, tokenIssuer, tokenBatch, firstTokens,
		spkiOf(issuerKeys()[0]), spkiOf(issuerKeys()[1]))
	note := text + "\n"
	for i, key := range w.keys[:w.tokens.signers] {
		name := fmt.Sprintf("solidus-authority-%d", i+1)
		sum := sha256.Sum256(append([]byte(name+"\n\x01"), key.Public().(ed25519.PublicKey)...))
		note += fmt.Sprintf("\u2014 %s %s\n", name, base64.StdEncoding.EncodeToString(append(sum[:4:4], ed25519.Sign(key, []byte(text))...)))
	}
	return []byte(note)
}

// signTokens signs one batch of a day.
func (w *world) signTokens(body []byte) (uint16, []byte) {
	var j struct {
		Day      uint64
		Requests []b64
	}
	if json.Unmarshal(body, &j) != nil || len(j.Requests) != tokenBatch {
		return problem(400, "malformed-request")
	}
	w.tokens.calls++
	if first, ok := w.tokens.batches[j.Day]; ok && first != string(body) {
		return problem(422, "idempotency-mismatch")
	}
	w.tokens.batches[j.Day] = string(body)
	key := issuerKeys()[j.Day-firstTokens]
	var all []b64
	for _, r := range j.Requests {
		m := new(big.Int).SetBytes(r[3:])
		all = append(all, m.Exp(m, key.D, key.N).FillBytes(make([]byte, tokenModulus)))
	}
	if w.tokens.spoil != nil {
		w.tokens.spoil(&all)
	}
	return 200, must(json.Marshal(map[string]any{"responses": all}))
}

// spends keeps which requests came with which token.
func (w *world) spends(t testing.TB, x *exchange) {
	may := x.Path == "/v1/coins/state" || x.Path == "/v1/proofs" || (x.Path == "/v1/mailbox" || x.Path == "/v1/mailbox/queries") && x.Method == http.MethodPost
	at := slices.IndexFunc(x.Headers, func(h header) bool { return h.Name == "Authorization" })
	if at < 0 {
		if may {
			w.tokens.bare++
		}
		return
	}
	text := strings.TrimSuffix(strings.TrimPrefix(x.Headers[at].Value, tokenScheme), `"`)
	token, err := base64url.DecodeString(text)
	if err != nil || len(token) != blindTokenSize || !may || x.Role != roleGateway {
		t.Errorf("%s %s has a token: %v", x.Method, x.Path, err)
		return
	}
	digest := sha512.Sum384(token[:tokenSigned])
	challenge := challengeDigest(tokenIssuer, tokenOrigin)
	valid := func(key *rsa.PrivateKey) bool {
		return rsa.VerifyPSS(&key.PublicKey, crypto.SHA384, digest[:], token[tokenSigned:], &rsa.PSSOptions{SaltLength: tokenSalt}) == nil
	}
	if !slices.ContainsFunc(issuerKeys(), valid) || !bytes.Equal(token[34:66], challenge[:]) {
		t.Error("a token that is not valid")
	}
	if w.tokens.spent[text] == nil {
		w.tokens.spent[text] = map[string]bool{}
	}
	w.tokens.spent[text][x.Path+"\n"+string(x.Body)] = true
}

// withOrigin gives the wallets of a test the name of their gateway.
func withOrigin(t *testing.T) {
	t.Helper()
	pinning(t, func(p *profile) { p.Origin = tokenOrigin })
}

// member is a registered wallet with coins, in a network with tokens.
func member(t *testing.T) *host {
	t.Helper()
	withOrigin(t)
	w := newWorld()
	w.withTokens()
	w.decided = "approved"
	h := newHost(t, w, testPhrase)
	for _, c := range []*command{registering("Ada"), collecting("1")} {
		if code := h.command(c); code != "" {
			t.Fatal(code)
		}
	}
	w.fund(first, 1)
	w.fund(other, 2)
	if code := h.command(&command{ID: "read", Kind: commandReceive}); code != "" || h.view().total() != first+other {
		t.Fatal(code)
	}
	return h
}

// A batch a day, one token with each request that may spend one and with no other one, none for an hour.
//
//spec:id W-63
func TestTokensAreSpentOnce(t *testing.T) {
	h := member(t)
	m := h.world.tokens
	if m.calls != 1 || len(m.spent) != 0 {
		t.Fatalf("%d calls, %d spent", m.calls, len(m.spent))
	}
	small := func(id string) *command {
		c := payment(h.world)
		c.ID, c.Amount, c.Text = id, 10, id
		return c
	}
	if code := h.command(small("within the hour")); code != "" || len(m.spent) != 0 || m.bare == 0 {
		t.Errorf("%q, %d spent", code, len(m.spent))
	}
	h.clock += tokenRest
	bare := m.bare
	if code := h.command(small("later")); code != "" || len(m.spent) < 2 || m.bare != bare || m.calls != 1 {
		t.Errorf("%q, %d spent, %d bare", code, len(m.spent), m.bare-bare)
	}
	for _, requests := range m.spent {
		if len(requests) != 1 {
			t.Errorf("a token with %d requests", len(requests))
		}
	}
	// the next day has a batch of its own, and a restored wallet draws the same
	fetching := h.world.secrets(testPhrase).tokenSecond(firstTokens + 1)
	if fetching > 86_000 {
		t.Fatal("the day would end before the test")
	}
	h.clock = (firstTokens+1)*day + fetching*second
	// a payment fetches none: the two services together would know by the time whose it is
	if code := h.command(small("tomorrow")); code != "" || m.calls != 1 {
		t.Errorf("%q, %d calls", code, m.calls)
	}
	if code := h.command(&command{ID: "tomorrow's", Kind: commandReceive}); code != "" || m.calls != 2 || len(m.batches) != 2 {
		t.Errorf("%q, %d calls", code, m.calls)
	}
	again := newHost(t, h.world, testPhrase)
	again.clock = h.clock
	for _, c := range []*command{{ID: "restore", Kind: commandRestore}, {ID: "read", Kind: commandReceive}} {
		if code := again.command(c); code != "" {
			t.Fatal(code)
		}
	}
	if m.calls != 3 || len(m.batches) != 2 {
		t.Errorf("restored: %d calls, %d batches", m.calls, len(m.batches))
	}
}

// Whatever happens to a process, no token comes with two requests.
//
//spec:id W-63
func TestEveryCutOfAPaymentWithTokens(t *testing.T) {
	h := member(t)
	h.clock += tokenRest
	empty := func(w *world) {
		m := *w.tokens
		m.spent = map[string]map[string]bool{}
		w.tokens = &m
	}
	everyCutOf(t, h, func(w *world) *command {
		if len(w.requests) == 0 && len(w.tokens.spent) == 0 {
			empty(w)
		}
		return payment(w)
	}, 50, []mishap{killAfter, killDone, lose}, func(h *host, where string) {
		for _, requests := range h.world.tokens.spent {
			if len(requests) != 1 {
				t.Errorf("%s: a token with %d requests", where, len(requests))
			}
		}
		if v := h.view(); v.total() != first+other-paid || h.world.reserved != 1 || len(h.world.tokens.spent) == 0 {
			t.Errorf("%s: %+v", where, v)
		}
	})
}

// Without tokens a wallet pays as before, and keeps none that does not verify.
//
//spec:id W-63
func TestWhoGetsNoTokens(t *testing.T) {
	for name, hostile := range map[string]func(m *tokenMint){
		"two countersignatures": func(m *tokenMint) { m.signers = 2 },
		"a wrong signature":     func(m *tokenMint) { m.spoil = func(all *[]b64) { (*all)[3][200] ^= 1 } },
		"too few":               func(m *tokenMint) { m.spoil = func(all *[]b64) { *all = (*all)[1:] } },
		"none":                  func(m *tokenMint) { m.spoil = func(all *[]b64) { *all = nil } },
	} {
		withOrigin(t)
		w := newWorld()
		hostile(w.withTokens())
		w.decided = "approved"
		h := newHost(t, w, testPhrase)
		for _, c := range []*command{registering("Ada"), collecting("1")} {
			if code := h.command(c); code != "" {
				t.Fatal(code)
			}
		}
		w.fund(first, 1)
		if code := h.command(&command{ID: "read", Kind: commandReceive}); code != "" {
			t.Fatalf("%s: %q", name, code)
		}
		h.clock += 2 * tokenRest
		if code := h.command(payment(w)); code != "" || len(w.tokens.spent) != 0 || w.tokens.bare == 0 {
			t.Errorf("%s: %q, %d spent", name, code, len(w.tokens.spent))
		}
	}
	h := funded(t)
	h.world.withTokens()
	if code := h.command(payment(h.world)); code != "" || h.world.tokens.calls != 0 {
		t.Errorf("no name of the gateway: %q", code)
	}
}
