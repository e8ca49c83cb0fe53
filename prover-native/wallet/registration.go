package wallet

import (
	"encoding/hex"
	"encoding/json"
	"strings"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/register"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// registration is one that waits for the bank.
type registration struct {
	// Request is the proved one. A wallet that was restored while its case waits makes it when it needs it.
	Request *registerRequest
	// Cases are the cases of this wallet, the newest last; none before the service has answered.
	Cases []registrationCase
}

// registerRequest is F-19 without the statement, which follows from the seed.
type registerRequest struct {
	Circuit   uint32
	RK        []byte
	Proof     []byte
	Signature []byte
}

type registrationCase struct {
	ID    string
	Token string
}

// maxCases bounds what a restore takes from the mailbox.
const maxCases = 16

// maxApplicant bounds the JSON object that says who registers. The core sends it to the registration service, and keeps it as
// long as the command is at work.
const maxApplicant = 32 << 10

// registerPlan is the registration that follows from the seed.
type registerPlan struct {
	signable
	statement *statement.Register
	secret    *register.Witness
	pkAuth    jubjub.Point
	d         suite.Field
	first     transfer.Compliance
}

func (n *network) planRegister(k *secrets) (*registerPlan, error) {
	p := &registerPlan{statement: &statement.Register{Apk: k.apk}, pkAuth: k.pkAuth}
	p.d = p.statement.InputDigest(n.Network)
	p.secret = &register.Witness{
		Owner: clause.Owner{Nk: k.nk}, Seed: k.element("registration/seed"),
		Blinding: clause.Blinding{S: k.element("registration/s"), B: k.scalar("registration/b")},
	}
	public, err := register.Prepare(n.Hasher(), &k.pkAuth, &p.d, p.secret)
	if err != nil {
		return nil, err
	}
	p.first.Rho, _ = n.Hasher().Rhos(p.secret.Seed, p.d)
	p.statement.Coin = statement.BlindedCoin{Cm: public.Coin.Cm, K: public.Coin.K}
	p.signable = signable{
		bases: p.statement.Bases(n.Network), points: []suite.G1{public.Coin.K}, blinds: []suite.Scalar{p.secret.Blinding.B},
		messages: []suite.Field{p.secret.Message(n.Hasher(), public)},
	}
	p.core, err = p.statement.Core(n.Network)
	return p, err
}

// witness writes what the proof needs (F-45).
func (p *registerPlan) witness(alpha *jubjub.Scalar) []byte {
	w := &witnessWriter{b: []byte{witnessVersion, byte(statement.FamilyRegister)}}
	w.b = append(w.b, p.core[:]...)
	w.fields(&p.secret.Owner.Nk)
	w.b = append(w.b, jubjub.EncodePoint(&p.pkAuth)...)
	w.fields(&p.d, &p.secret.Seed, &p.secret.Blinding.S, &p.secret.Blinding.B)
	w.b = append(w.b, alpha.Bytes()...)
	return w.b
}

// verifyRegister is replaced by tests of the state machine, whose proofs are none.
var verifyRegister = func(n *network, p *registerPlan, e *statement.OwnerEvidence) error {
	return n.verifier.VerifyRegister(p.statement, e)
}

func (q *registerRequest) evidence() (e *statement.OwnerEvidence, err error) {
	e = &statement.OwnerEvidence{CircuitVersion: q.Circuit, Proof: q.Proof, KeySignature: q.Signature}
	e.RK, err = jubjub.DecodePoint(q.RK)
	return e, err
}

type registerStatementJSON struct {
	Apk  b64      `json:"apk"`
	Coin coinJSON `json:"coin"`
}

func (p *registerPlan) json() (j registerStatementJSON, err error) {
	j.Apk = suite.EncodeField(&p.statement.Apk)
	j.Coin, err = coinOf(&p.statement.Coin)
	return j, err
}

// register opens a case, and takes the first compliance coin when it is approved.
//
//spec:id W-44
func (r *run) register(c *command) error {
	who := map[string]json.RawMessage{}
	if len(c.Details) > maxApplicant || json.Unmarshal(c.Details, &who) != nil || who == nil || who["registration"] != nil {
		return refuse("malformed-request", "an applicant")
	}
	if r.Account != nil {
		return nil
	}
	if r.Registration == nil {
		r.Registration = &registration{}
	}
	if r.Registration.Request == nil {
		return r.proveRegistration()
	}
	if len(r.Registration.Cases) == 0 {
		return r.openCase(who)
	}
	return r.collectRegistration()
}

// proveRegistration keeps the request before its first byte leaves.
func (r *run) proveRegistration() error {
	if r.net.registerCircuit == 0 {
		return refuse("not-supported", "the profile has no key of registrations")
	}
	p, err := r.net.planRegister(r.keys)
	if err != nil {
		return err
	}
	draw := r.draws()
	alpha := draw.keyScalar("register-alpha", p.core[:])
	made, err := r.prove(uint8(statement.FamilyRegister), p.witness(&alpha))
	if err != nil {
		return err
	}
	rk, err := suite.RandomisedKey(&r.keys.pkAuth, &alpha)
	if err != nil {
		return err
	}
	nonce := r.draws().keyScalar("register-nonce", p.core[:], alpha.Bytes(), made)
	q := &registerRequest{
		Circuit: r.net.registerCircuit, RK: jubjub.EncodePoint(&rk), Proof: made, Signature: signCore(&r.keys.a, &alpha, &nonce, p.core),
	}
	e, err := q.evidence()
	if err == nil {
		err = verifyRegister(r.net, p, e)
	}
	if err != nil {
		return refuse("proof-unverified", err.Error())
	}
	r.Registration.Request = q
	return r.commit()
}

func (r *run) openCase(members map[string]json.RawMessage) error {
	p, err := r.net.planRegister(r.keys)
	if err != nil {
		return err
	}
	j, err := p.json()
	if err != nil {
		return err
	}
	q := r.Registration.Request
	asked, err := json.Marshal(&struct {
		Apk       b64    `json:"apk"`
		Cm        b64    `json:"cm"`
		K         b64    `json:"k"`
		Circuit   uint32 `json:"circuitVersion"`
		RK        b64    `json:"rk"`
		Proof     b64    `json:"proof"`
		Signature b64    `json:"rkSignature"`
	}{j.Apk, j.Coin.Cm, j.Coin.K, q.Circuit, q.RK, q.Proof, q.Signature})
	if err != nil {
		return err
	}
	members["registration"] = asked
	body, err := json.Marshal(members)
	if err != nil {
		return err
	}
	x := post("/v1/registrations", body, hex.EncodeToString(p.core[:]))
	x.role = roleRegistration
	answer, err := r.ask(x)
	if err != nil {
		return err
	}
	var opened struct {
		ID    string `json:"caseId"`
		Token string `json:"accessToken"`
	}
	if json.Unmarshal(answer, &opened) != nil || !isAccess(opened.ID) || !isAccess(opened.Token) {
		return refuse("gateway-misbehaved", "not a registration case")
	}
	own := registrationCase{opened.ID, opened.Token}
	r.Registration.Cases = []registrationCase{own}
	copied := &parcel{Kind: parcelCase, Case: own, Tag: r.keys.caseTag(&own)}
	if err := r.keepCopy(digestOf([]byte(own.ID)), copied); err != nil {
		return err
	}
	return r.commit()
}

// isAccess reports whether a service may have given this out: it goes into a header.
func isAccess(s string) bool {
	return s != "" && len(s) <= maxAccess && !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' })
}

func (k *secrets) caseTag(c *registrationCase) [32]byte {
	return [32]byte(k.derive("registration-case", 32, []byte(c.ID), []byte(c.Token)))
}

// collectRegistration asks what became of the newest case.
func (r *run) collectRegistration() error {
	if r.Account != nil || len(r.Registration.Cases) == 0 {
		return nil
	}
	newest := r.Registration.Cases[len(r.Registration.Cases)-1]
	q := get("/v1/registrations/" + pathSegment(newest.ID))
	q.role, q.headers = roleRegistration, []header{{"X-Case-Token", newest.Token}}
	body, err := r.ask(q)
	if codeOf(err) == "not-found" {
		return r.dropCase("not-found") // the service keeps no case for ever
	}
	if err != nil {
		return err
	}
	var j struct {
		Status string `json:"status"`
		Note   string `json:"attestationNote"`
	}
	if json.Unmarshal(body, &j) != nil {
		return refuse("gateway-misbehaved", "not the status of a registration case")
	}
	switch {
	case j.Status == "refused":
		return r.dropCase("registration-refused")
	case j.Status == "approved" && j.Note != "":
		return r.signRegistration(j.Note)
	default:
		return nil
	}
}

// dropCase forgets the newest case. When it was the last one, the owner may ask again with corrected details: that is another
// case, with the same core.
func (r *run) dropCase(code string) error {
	r.Registration.Cases = r.Registration.Cases[:len(r.Registration.Cases)-1]
	if len(r.Registration.Cases) == 0 {
		r.Session.Refused = code
	}
	return r.commit()
}

// signRegistration has the authorities sign the first compliance coin.
func (r *run) signRegistration(note string) error {
	p, err := r.net.planRegister(r.keys)
	if err != nil {
		return err
	}
	attested, err := r.net.attestedCore(note)
	if err != nil || attested != p.core {
		return refuse("attestation-invalid", "the note attests another registration")
	}
	if r.Registration.Request == nil {
		return r.proveRegistration()
	}
	j, err := p.json()
	if err != nil {
		return err
	}
	type requestJSON struct {
		Statement registerStatementJSON `json:"statement"`
		Circuit   uint32                `json:"circuitVersion"`
		RK        b64                   `json:"rk"`
		Proof     b64                   `json:"proof"`
		Signature b64                   `json:"rkSignature"`
	}
	q := r.Registration.Request
	body, err := json.Marshal(&struct {
		Request requestJSON `json:"request"`
		Note    string      `json:"attestationNote"`
	}{requestJSON{j, q.Circuit, q.RK, q.Proof, q.Signature}, note})
	if err != nil {
		return err
	}
	r.progress("signatures", 0)
	answer, err := r.ask(post("/v1/registrations/signatures", body, hex.EncodeToString(p.core[:])))
	if err != nil {
		return err
	}
	signatures, err := r.net.signatures(&p.signable, answer, r.moment.Now)
	if err != nil {
		return err
	}
	first := accountOf(&p.first)
	if first.Signature, err = encodeSignature(&signatures[0]); err != nil {
		return err
	}
	r.Registered = ptrTo(r.Registration.Cases[len(r.Registration.Cases)-1])
	r.Account, r.Registration, r.Session.Free = &first, nil, false
	if err := r.keepCopy(first.Rho, &parcel{Kind: parcelFirstSignature, Signature: first.Signature}); err != nil {
		return err
	}
	return r.commit()
}

// attestedCore is the core that a note of the registration service names. Its signature is for the authorities.
func (n *network) attestedCore(note string) (core [32]byte, err error) {
	text, _, err := readNote(note)
	if err != nil {
		return core, err
	}
	t := n.readText("attestation", text)
	t.line("person-tag")
	b, err := hex.DecodeString(t.line("register-core"))
	if t.err != nil || err != nil || len(b) != len(core) {
		return core, refuse("attestation-invalid", "not an attestation")
	}
	return [32]byte(b), nil
}

const hexDigits = "0123456789ABCDEF"

// pathSegment writes what a service chose as a segment of a path.
func pathSegment(s string) string {
	var out []byte
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0 {
			out = append(out, c)
			continue
		}
		out = append(out, '%', hexDigits[c>>4], hexDigits[c&15])
	}
	return string(out)
}
