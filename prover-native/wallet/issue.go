package wallet

import (
	"encoding/hex"
	"encoding/json"
	"slices"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/mint"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// maxMints bounds the mints that wait: each collect asks for all of them.
const maxMints = 16

// pendingMint is a mint that waits for the bank.
type pendingMint struct {
	Funding funding
	ID      [32]byte
	Value   uint64
	Circuit uint32
	Proof   []byte
	// Asked says that the issuance service has it.
	Asked bool
}

// mintPlan is a mint with everything that follows from the seed.
type mintPlan struct {
	signable
	statement *statement.Mint
	secret    *mint.Witness
	d         suite.Field
	rho       suite.Field
}

func (n *network) mintID(k *secrets, f *funding) [32]byte {
	return [32]byte(k.derive("mint-id", 32, []byte(f.ID), u32(f.Ordinal)))
}

func (n *network) planMint(k *secrets, id [32]byte, value uint64) (*mintPlan, error) {
	p := &mintPlan{statement: &statement.Mint{MintID: id, Value: value}}
	p.d = p.statement.InputDigest(n.Network)
	p.secret = &mint.Witness{
		Apk: k.apk, Seed: k.element("mint/seed", id[:]),
		Blinding: clause.Blinding{S: k.element("mint/s", id[:]), B: k.scalar("mint/b", id[:])},
	}
	public, err := mint.Prepare(n.Hasher(), mint.Regulated, value, &p.d, p.secret)
	if err != nil {
		return nil, err
	}
	message, err := p.secret.Message(n.Hasher(), mint.Regulated, public)
	if err != nil {
		return nil, err
	}
	p.rho, _ = n.Hasher().Rhos(p.secret.Seed, p.d)
	p.statement.Coin = statement.BlindedCoin{Cm: public.Coin.Cm, K: public.Coin.K}
	p.signable = signable{
		bases: p.statement.Bases(n.Network), points: []suite.G1{public.Coin.K}, blinds: []suite.Scalar{p.secret.Blinding.B},
		messages: []suite.Field{message},
	}
	p.core, err = p.statement.Core(n.Network)
	return p, err
}

// witness writes what the proof needs (F-45).
func (p *mintPlan) witness() []byte {
	w := &witnessWriter{b: []byte{witnessVersion, byte(statement.FamilyMint)}}
	w.b = append(w.b, p.core[:]...)
	w.fields(&p.secret.Apk)
	w.u64(p.statement.Value)
	w.fields(&p.d, &p.secret.Seed, &p.secret.Blinding.S, &p.secret.Blinding.B)
	return w.b
}

// verifyMint is replaced by tests of the state machine, whose proofs are none.
var verifyMint = func(n *network, p *mintPlan, made []byte) error {
	return n.verifier.VerifyMint(p.statement, n.mintCircuit, made)
}

type coinJSON struct {
	Cm b64 `json:"cm"`
	K  b64 `json:"k"`
}

func coinOf(c *statement.BlindedCoin) (coinJSON, error) {
	k, err := suite.EncodeG1(&c.K)
	return coinJSON{suite.EncodeField(&c.Cm), k}, err
}

type mintStatementJSON struct {
	ID    b64      `json:"mintId"`
	Value uint64   `json:"valueMinor"`
	Coin  coinJSON `json:"coin"`
}

func (p *mintPlan) json() (j mintStatementJSON, err error) {
	j = mintStatementJSON{ID: p.statement.MintID[:], Value: p.statement.Value}
	j.Coin, err = coinOf(&p.statement.Coin)
	return j, err
}

func (f *funding) check() error {
	if f.ID == "" || len(f.ID) > maxAccess || len(f.Token) > maxAccess {
		return refuse("malformed-request", "a funding")
	}
	return nil
}

// maxAccess bounds the ids and tokens that services give out.
const maxAccess = 255

// mint asks the issuance service for the coin of a funding, once.
//
//spec:id W-43
func (r *run) mint(c *command) error {
	var f funding
	if decode(c.Details, &f) != nil || c.Amount == 0 || c.Amount >= amountLimit {
		return refuse("malformed-request", "a mint")
	}
	if err := f.check(); err != nil {
		return err
	}
	if r.Account == nil {
		return refuse("not-registered", "the wallet has no compliance coin")
	}
	id := r.net.mintID(r.keys, &f)
	p, err := r.net.planMint(r.keys, id, c.Amount)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(r.Mints, func(m pendingMint) bool { return m.ID == id })
	switch {
	case at < 0 && r.hasSeen(bytes32(&p.rho)):
		return nil // it was minted
	case at < 0 && len(r.Mints) == maxMints:
		return refuse("mint-pending", "too many mints wait for the bank")
	case at < 0:
		if err := r.requireRoom(0, 1, 0); err != nil {
			return err
		}
		return r.proveMint(p, &f)
	case r.Mints[at].Value != c.Amount:
		return refuse("mint-pending", "this mint of the funding was asked for with another value")
	case r.Mints[at].Asked:
		return nil
	}
	return r.askForMint(p, at)
}

// proveMint keeps the mint before its first byte leaves.
func (r *run) proveMint(p *mintPlan, f *funding) error {
	if r.net.mintCircuit == 0 {
		return refuse("not-supported", "the profile has no key of mints")
	}
	made, err := r.prove(uint8(statement.FamilyMint), p.witness())
	if err != nil {
		return err
	}
	if err := verifyMint(r.net, p, made); err != nil {
		return refuse("proof-unverified", err.Error())
	}
	r.Mints = append(r.Mints, pendingMint{
		Funding: *f, ID: p.statement.MintID, Value: p.statement.Value, Circuit: r.net.mintCircuit, Proof: made,
	})
	return r.commit()
}

func (r *run) askForMint(p *mintPlan, at int) error {
	m := &r.Mints[at]
	j, err := p.json()
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{
		"fundingId": m.Funding.ID, "accessToken": m.Funding.Token,
		"mint": map[string]any{
			"mintId": j.ID, "valueMinor": j.Value, "cm": j.Coin.Cm, "k": j.Coin.K, "circuitVersion": m.Circuit, "proof": b64(m.Proof),
		},
	})
	if err != nil {
		return err
	}
	q := post("/v1/mints", body, hex.EncodeToString(p.core[:]))
	q.role = roleIssuance
	_, err = r.ask(q)
	switch {
	case codeOf(err) != "" && !mayComeLater(err):
		return r.refusedMint(at, err)
	case err != nil:
		return err
	}
	m.Asked = true
	return r.commit()
}

// refusedMint forgets a mint that the issuance service does not have: an earlier request for it may have reached it.
func (r *run) refusedMint(at int, why error) error {
	_, err := r.ask(mintStatus(r.Mints[at].ID))
	switch {
	case err != nil && codeOf(err) == "":
		return err
	case codeOf(err) != "not-found":
		return why
	}
	r.Mints = slices.Delete(r.Mints, at, at+1)
	r.Session.Refused = codeOf(why)
	return r.commit()
}

func mintStatus(id [32]byte) *request {
	q := get("/v1/mints/" + base64url.EncodeToString(id[:]))
	q.role = roleIssuance
	return q
}

// collect takes what the bank has approved since: the registration, then the mints. What waits on goes on waiting, and a mint
// that is refused does not stop those behind it.
func (r *run) collect() error {
	if r.Registration != nil {
		if err := r.collectRegistration(); err != nil {
			return err
		}
	}
	var first error
	for at := range r.Mints {
		err := r.collectMint(at)
		switch {
		case err == nil:
		case codeOf(err) == "", mayComeLater(err): // it is not about this mint, and each try waits
			return err
		case first == nil:
			first = err
		}
	}
	return first
}

// collectMint also asks for a mint whose request got no answer: the service may have it.
func (r *run) collectMint(at int) error {
	m := &r.Mints[at]
	body, err := r.ask(mintStatus(m.ID))
	if codeOf(err) == "not-found" && !m.Asked {
		return nil // the next mint of this funding asks again
	}
	if err != nil {
		return err
	}
	var j struct {
		Status    string          `json:"status"`
		Approvals json.RawMessage `json:"approvals"`
	}
	if json.Unmarshal(body, &j) != nil {
		return refuse("gateway-misbehaved", "not the status of a mint")
	}
	switch j.Status {
	case "approved":
		return r.signMint(at, j.Approvals)
	case "refused":
		r.progress("mint-refused", m.Value)
		r.Mints = slices.Delete(r.Mints, at, at+1)
		return r.commit()
	default:
		return nil
	}
}

// signMint has the authorities sign the coin. The coin, its rho, its copy and the end of the mint are one commit.
func (r *run) signMint(at int, approvals json.RawMessage) error {
	m := r.Mints[at]
	p, err := r.net.planMint(r.keys, m.ID, m.Value)
	if err != nil {
		return err
	}
	j, err := p.json()
	if err != nil {
		return err
	}
	body, err := json.Marshal(&struct {
		Statement mintStatementJSON `json:"statement"`
		Circuit   uint32            `json:"circuitVersion"`
		Proof     b64               `json:"proof"`
		Approvals json.RawMessage   `json:"approvals"`
	}{j, m.Circuit, m.Proof, approvals})
	if err != nil {
		return refuse("gateway-misbehaved", "not the approvals of a mint")
	}
	r.progress("signatures", 0)
	answer, err := r.ask(post("/v1/mints", body, hex.EncodeToString(p.core[:])))
	if err != nil {
		return err
	}
	signatures, err := r.net.signatures(&p.signable, answer, r.moment.Now)
	if err != nil {
		return err
	}
	coin := ownedCoin{Origin: uint8(hash.OriginMint), Value: m.Value, Rho: bytes32(&p.rho), Time: r.moment.Now}
	if coin.Signature, err = encodeSignature(&signatures[0]); err != nil {
		return err
	}
	r.Mints = slices.Delete(r.Mints, at, at+1)
	if !r.hasSeen(coin.Rho) {
		r.Coins = append(r.Coins, coin)
		r.see(coin.Rho)
		if err := r.keepCoin(&coin); err != nil {
			return err
		}
		r.progress("received", coin.Value)
	}
	return r.commit()
}

// keepCoin seals a copy of an own coin for the mailbox, with which the phrase finds it again.
func (r *run) keepCoin(c *ownedCoin) error {
	p := &parcel{Kind: parcelPayment, Origin: c.Origin, Value: c.Value, Rho: c.Rho, Signature: c.Signature, Time: c.Time, Text: c.Text}
	if c.Origin == uint8(hash.OriginMint) {
		p.Kind = parcelMinted
	}
	return r.keepCopy(c.Rho, p)
}

// keepCopy seals a parcel to the wallet itself.
func (r *run) keepCopy(name [32]byte, p *parcel) error {
	own := r.ownAddress()
	sealed, err := r.seal(own.Key, p)
	if err != nil {
		return err
	}
	r.Deliveries = append(r.Deliveries, delivery{Copy: name, Payee: own.Apk, Message: *sealed})
	return nil
}
