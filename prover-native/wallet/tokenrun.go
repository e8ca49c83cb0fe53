package wallet

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

const (
	tokenScheme   = `PrivateToken token="`
	tokenRest     = 60 * 60 * second
	tokenPause    = 10 * 60 * second
	maxTokenBatch = 64
	maxTokenDays  = 64
)

// spendable is a token that was fetched and not spent.
type spendable struct {
	Day   uint64 // since 1970
	From  uint64 // when it may be spent
	Token []byte
}

// shownToken is one that went with a request whose answer is not here. It is shown with no other one: the gateway would know that
// both are of one wallet.
type shownToken struct {
	Request [32]byte
	Token   []byte
}

// tokenKeys are the keys of some days.
type tokenKeys struct {
	issuer   string
	batch    uint32
	firstDay uint64
	keys     [][]byte
}

var issuerForm = regexp.MustCompile(`^[a-z0-9.-]{1,253}$`)

// readTokenKeys reads a note with the countersignatures of 2f+1 authorities: two such sets share an honest one, so all wallets have
// the same keys.
func (n *network) readTokenKeys(note string) (*tokenKeys, error) {
	text, err := n.countersignedBy(note, n.committee.Quorum())
	if err != nil {
		return nil, err
	}
	r := n.readText("token-keys", text)
	k := &tokenKeys{issuer: r.line("issuer")}
	k.batch = uint32(r.number("batch", 1, maxTokenBatch+1))
	k.firstDay = r.number("first-day", 0, amountLimit)
	seen := map[string]bool{}
	for one := range strings.SplitSeq(r.line("keys"), " ") {
		spki, err := hex.DecodeString(one)
		if err != nil || hex.EncodeToString(spki) != one || seen[one] || len(k.keys) == maxTokenDays {
			r.fail("keys of tokens")
			break
		}
		seen[one] = true
		k.keys = append(k.keys, spki)
	}
	if !issuerForm.MatchString(k.issuer) {
		r.fail("an issuer")
	}
	if err := r.end(); err != nil {
		return nil, refuse("rules-untrusted", err.Error())
	}
	return k, nil
}

// counting are the tokens that a gateway may still take.
func (w *wallet) counting(now uint64) []spendable {
	return slices.DeleteFunc(slices.Clone(w.Tokens), func(t spendable) bool { return t.Day+1 < now/day })
}

// fetchTokens fetches the batch of today, once, when its second of the day has passed or there is no token left. A failure stops
// nothing: without a token a request shares what strangers get.
//
//spec:id W-63
func (r *run) fetchTokens() error {
	if r.Session.Tokened {
		return nil
	}
	r.Session.Tokened = true
	now, today := r.moment.Now, r.moment.Now/day
	if r.Profile.Origin == "" || r.Registered == nil || r.Account == nil || r.TokenDay > today || r.TokenRetry > now && r.TokenRetry <= now+tokenPause {
		return r.commit()
	}
	if len(r.counting(now)) > 0 && now < today*day+r.keys.tokenSecond(today)*second {
		return r.commit()
	}
	fetched, err := r.tokensOf(today)
	switch {
	case codeOf(err) != "":
		r.TokenRetry = r.moment.Now + tokenPause
	case err != nil:
		return err
	default:
		r.Tokens, r.TokenDay, r.TokenRetry = append(r.counting(r.moment.Now), fetched...), today+1, 0
	}
	return r.commit()
}

func (r *run) tokensOf(today uint64) ([]spendable, error) {
	note, err := r.once(get("/v1/tokens/keys"))
	if err != nil {
		return nil, err
	}
	list, err := r.net.readTokenKeys(string(note))
	if err != nil {
		return nil, err
	}
	if today < list.firstDay || today-list.firstDay >= uint64(len(list.keys)) {
		return nil, refuse("unavailable", "today has no key of tokens yet")
	}
	key, err := readTokenKey(list.keys[today-list.firstDay])
	if err != nil {
		return nil, refuse("rules-untrusted", err.Error())
	}
	challenge := challengeDigest(list.issuer, r.Profile.Origin)
	var blinded []*blindedToken
	var requests []b64
	for i := range list.batch {
		t, err := r.keys.token(key, challenge, today, i)
		if err != nil {
			return nil, refuse("rules-untrusted", err.Error())
		}
		blinded, requests = append(blinded, t), append(requests, t.request)
	}
	body, err := json.Marshal(&struct {
		Day      uint64 `json:"day"`
		Requests []b64  `json:"requests"`
	}{today, requests})
	if err != nil {
		return nil, err
	}
	q := post("/v1/registrations/"+pathSegment(r.Registered.ID)+"/tokens", body, "")
	q.role = roleRegistration
	q.headers = append(q.headers, header{"X-Case-Token", r.Registered.Token})
	answer, err := r.once(q)
	if err != nil {
		return nil, err
	}
	var j struct {
		Responses []b64 `json:"responses"`
	}
	if json.Unmarshal(answer, &j) != nil || len(j.Responses) != len(blinded) {
		return nil, refuse("gateway-misbehaved", "the registration service signed other tokens")
	}
	// Spent at once, they would tell registration service and gateway together when this wallet was active.
	from := r.moment.Now + tokenRest
	var all []spendable
	for i, t := range blinded {
		token, err := t.finish(j.Responses[i])
		if err != nil {
			return nil, err
		}
		all = append(all, spendable{today, from, token})
	}
	return all, nil
}

// spend takes a token for a request that is about to be asked for, any one of the earliest day: two devices of a phrase draw the
// same tokens. It has left the state before it is shown. A request that got no answer is repeated with its token.
func (r *run) spend(q *request) string {
	w, err := r.machine.wallet()
	if err != nil || !q.spends {
		return ""
	}
	defer clear(w.Seed[:])
	name := sha256.Sum256(append([]byte(q.path+"\n"), q.body...))
	if w.Shown == nil || w.Shown.Request != name {
		usable := slices.DeleteFunc(w.counting(r.moment.Now), func(t spendable) bool { return t.From > r.moment.Now })
		if len(usable) == 0 {
			return ""
		}
		earliest := slices.MinFunc(usable, func(a, b spendable) int { return int(a.Day) - int(b.Day) }).Day
		usable = slices.DeleteFunc(usable, func(t spendable) bool { return t.Day != earliest })
		drawn := binary.BigEndian.Uint64(r.draws()("spent-token", 8, name[:])) % uint64(len(usable))
		w.Shown = &shownToken{name, usable[drawn].Token}
		w.Tokens = slices.DeleteFunc(w.Tokens, func(t spendable) bool { return bytes.Equal(t.Token, w.Shown.Token) })
		r.state.Wallet = encode(w)
	}
	return tokenScheme + base64url.EncodeToString(w.Shown.Token) + `"`
}

// answeredToken forgets the token of a request that got an answer: it is not shown again.
func (m *machine) answeredToken(body []byte) error {
	if !bytes.Contains(body, []byte(tokenScheme)) {
		return nil
	}
	w, err := m.wallet()
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	w.Shown = nil
	m.state.Wallet = encode(w)
	return nil
}
