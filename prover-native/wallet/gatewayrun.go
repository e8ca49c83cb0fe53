package wallet

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

const (
	second       = 1000
	patience     = 60 * second
	firstPause   = second / 2
	longestPause = 15 * second
	deadline     = 30 * second
	proofHeader  = 2
	limitJSON    = 1 << 20
	limitKeys    = 3 << 19
	limitStates  = 4 << 20
	limitList    = 531_440 * 20
)

// request is an exchange with a service.
type request struct {
	role         uint8 // the gateway's where it is 0
	method, path string
	headers      []header
	body         []byte
	limit        uint32
	// impatient says that nothing is tried again.
	impatient bool
	// spends says that it costs the gateway something and its sender nothing, so a blind token goes with it.
	spends bool
	// write makes the body when the request is asked for, and not when its answer is here.
	write func() []byte
}

// once exchanges a request for the body of an answer that is a success.
func (r *run) once(q *request) ([]byte, error) {
	a, err := r.await(effectHTTP, func(id uint64) []byte {
		if q.write != nil {
			q.body = q.write()
		}
		headers := q.headers
		if token := r.spend(q); token != "" {
			headers = append(headers[:len(headers):len(headers)], header{"Authorization", token})
		}
		return encode(&exchange{
			ID: id, Role: max(q.role, roleGateway), Method: q.method, Path: q.path, Headers: headers, Body: q.body,
			Limit: max(q.limit, limitJSON), Deadline: deadline,
		})
	})
	switch {
	case err != nil:
		return nil, err
	case a.Status == 0:
		return nil, &refusal{code: "gateway-unreachable", detail: "no answer came", silent: max(q.role, roleGateway)}
	case a.Status >= 200 && a.Status < 300:
		if len(a.Body) > int(max(q.limit, limitJSON)) {
			return nil, refuse("gateway-misbehaved", "an answer is too long")
		}
		return a.Body, nil
	default:
		return nil, problemOf(a.Status, a.RetryAfter, a.Body)
	}
}

// ask exchanges a request, and tries again for a while what may succeed later.
func (r *run) ask(q *request) ([]byte, error) {
	end := r.moment.Now + patience
	for pause := uint64(firstPause); ; pause = min(2*pause, longestPause) {
		body, err := r.once(q)
		if err == nil || !mayComeLater(err) || q.impatient || r.moment.Now >= end {
			return body, err
		}
		if err := r.sleep(max(pause, waitOf(err))); err != nil {
			return nil, err
		}
	}
}

func mayComeLater(err error) bool {
	code := codeOf(err)
	return code == "gateway-unreachable" || retryable[code]
}

// waitOf is how long a service asked to wait, which is not believed for ever.
func waitOf(err error) uint64 {
	if r, ok := err.(*refusal); ok { //nolint:errorlint // never wrapped
		return min(r.after, patience)
	}
	return 0
}

func (r *run) sleep(millis uint64) error {
	at := r.moment.Now + millis
	_, err := r.await(effectWake, func(id uint64) []byte { return encode(&wake{ID: id, At: at}) })
	return err
}

func get(path string) *request { return &request{method: "GET", path: path} }

func post(path string, body []byte, key string) *request {
	q := &request{method: "POST", path: path, body: body, headers: []header{{"Content-Type", "application/json"}}}
	if key != "" {
		q.headers = append(q.headers, header{"Idempotency-Key", key})
	}
	return q
}

// connect compares the gateway with what is pinned, once in a command.
func (r *run) connect() error {
	if r.Session.Connected {
		return nil
	}
	body, err := r.ask(get("/v1/info"))
	if err != nil {
		return err
	}
	var info struct {
		ID   string `json:"networkId"`
		Kind string `json:"networkKind"`
	}
	if json.Unmarshal(body, &info) != nil || info.ID != r.net.ID() || info.Kind != "regulated" {
		return refuse("network-mismatch", "the gateway serves another network")
	}
	q := get("/v1/keys")
	q.limit = limitKeys
	if body, err = r.ask(q); err != nil {
		return err
	}
	var served struct {
		Manifest  b64 `json:"manifest"`
		Signature b64 `json:"signature"`
	}
	if json.Unmarshal(body, &served) != nil {
		return refuse("gateway-misbehaved", "not the keys of a network")
	}
	trusted, newer := r.net.trusts(&r.Profile, served.Manifest, served.Signature)
	if !trusted {
		return refuse("manifest-untrusted", "the gateway serves other keys than the pinned key signed")
	}
	if newer != nil {
		if r.net, err = newer.open(); err != nil {
			return err
		}
		r.Profile = *newer
	}
	r.Session.Connected = true
	return r.commit()
}

// rules are the newest, which are no older than those seen.
func (r *run) rules() (*rules, error) {
	if !r.Session.Fresh {
		return nil, r.fetchRules()
	}
	all := &rules{}
	if _, err := r.net.readPolicy(all, r.Rules.Policy, r.Policy); err != nil {
		return nil, err
	}
	if _, err := r.net.readCheckpoint(all, r.Rules.Checkpoint, r.Checkpoint); err != nil {
		return nil, err
	}
	return all, r.net.readList(all, r.Rules.List)
}

// fetchRules ends in a commit or a refusal.
func (r *run) fetchRules() error {
	r.progress("rules", 0)
	policy, err := r.ask(get("/v1/policy"))
	if err != nil {
		return err
	}
	checkpoint, err := r.ask(get("/v1/sanctions/checkpoint"))
	if err != nil {
		return err
	}
	all, had := &rules{}, r.Rules
	if r.Policy, err = r.net.readPolicy(all, string(policy), r.Policy); err != nil {
		return err
	}
	before := r.Checkpoint
	if r.Checkpoint, err = r.net.readCheckpoint(all, string(checkpoint), before); err != nil {
		return err
	}
	var list []byte
	if had != nil {
		list = had.List
	}
	if had == nil || r.net.readList(all, list) != nil {
		q := get(fmt.Sprintf("/v1/sanctions/checkpoints/%d/list", all.checkpoint))
		q.limit = limitList
		if list, err = r.ask(q); err != nil {
			return err
		}
		if err := r.net.readList(all, list); err != nil {
			return err
		}
	}
	r.Rules = &ruleTexts{string(policy), string(checkpoint), list}
	r.Session.Fresh = true
	return r.commit()
}

// prove has the host make a proof, or the prover that the owner chose, and returns proof and link.
func (r *run) prove(family uint8, witness []byte) ([]byte, error) {
	r.progress("proof", 0)
	if len(r.Profile.ProverKey) != 0 {
		return r.delegate(family, witness)
	}
	return r.hostProves(family, witness)
}

func (r *run) hostProves(family uint8, witness []byte) ([]byte, error) {
	a, err := r.await(effectProve, func(id uint64) []byte { return encode(&proof{id, family, witness}) })
	if err != nil {
		return nil, err
	}
	if len(a.Body) < proofHeader || a.Body[0] != 0 || a.Body[1] != 0 {
		return nil, refuse("proof-unverified", "the prover made no proof")
	}
	return a.Body[proofHeader:], nil
}

func submit(core [32]byte, body []byte) *request {
	return post("/v1/transfers", body, hex.EncodeToString(core[:]))
}
