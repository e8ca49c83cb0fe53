package wallet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Recovers of this wallet's phrase (page 9), as their requests show them.

const (
	recoverMemoVersion = 1
	maxRecoverClaims   = 26
	maxCredits         = 15
)

// recoverMemo is what a recover was. All of it follows from the two cores and the credits.
type recoverMemo struct {
	Time uint64
	// Period to Com are those of the new compliance coin.
	Period     uint32
	Sent       uint64
	Count      uint32
	Held       uint64
	Com        [32]byte
	Returned   uint64
	Outflow    uint64
	Budget     uint64
	Histories  [2][32]byte // com of the compliance coins of both cores
	Unfinished uint32
	Claimed    [][32]byte // rho of each coin that a core below it claims, in ascending order
}

func (m *recoverMemo) encode() []byte {
	b := binary.BigEndian.AppendUint64([]byte{recoverMemoVersion}, m.Time)
	b = binary.BigEndian.AppendUint32(b, m.Period)
	b = binary.BigEndian.AppendUint64(b, m.Sent)
	b = binary.BigEndian.AppendUint32(b, m.Count)
	b = binary.BigEndian.AppendUint64(b, m.Held)
	b = append(b, m.Com[:]...)
	for _, v := range []uint64{m.Returned, m.Outflow, m.Budget} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	b = append(append(b, m.Histories[0][:]...), m.Histories[1][:]...)
	b = append(binary.BigEndian.AppendUint32(b, m.Unfinished), byte(len(m.Claimed)))
	for i := range m.Claimed {
		b = append(b, m.Claimed[i][:]...)
	}
	return append(b, make([]byte, memoBytes-len(b))...)
}

// decodeRecoverMemo refuses what a newer wallet may have written.
func decodeRecoverMemo(b []byte) (*recoverMemo, error) {
	r := &formatReader{decoder{in: b}}
	if len(b) != memoBytes || r.take(1)[0] != recoverMemoVersion {
		return nil, fault.New(fault.MalformedRequest, "a recover's memo of another version")
	}
	u32 := func() uint32 { return binary.BigEndian.Uint32(r.take(4)) }
	m := &recoverMemo{Time: r.u64(), Period: u32(), Sent: r.amount(), Count: u32(), Held: r.amount(), Com: r.element()}
	m.Returned, m.Outflow, m.Budget = r.amount(), r.amount(), r.amount()
	m.Histories = [2][32]byte{r.element(), r.element()}
	m.Unfinished = u32()
	count := r.take(1)[0]
	for range min(count, maxRecoverClaims) {
		m.Claimed = append(m.Claimed, r.element())
	}
	if r.err == nil && (count > maxRecoverClaims || m.Unfinished >= smallLimit) {
		r.fail("a recover's memo")
	}
	return m, r.err
}

// The bodies of F-33.

type recoverStatementJSON struct {
	First    uint8        `json:"first"`
	Second   uint8        `json:"second"`
	Next     []b64        `json:"next"`
	Returned []b64        `json:"returned"`
	Credits  uint8        `json:"credits"`
	Outputs  []outputJSON `json:"outputs"`
	Context  b64          `json:"context"`
}

type recoverEvidenceJSON struct {
	Circuit   uint32 `json:"circuitVersion"`
	RK        b64    `json:"rk"`
	Proof     b64    `json:"proof"`
	Signature b64    `json:"rkSignature"`
}

type transferBelowJSON struct {
	Statement statementJSON `json:"statement"`
	Evidence  evidenceJSON  `json:"evidence"`
}

type recoverBelowJSON struct {
	Statement recoverStatementJSON `json:"statement"`
	Evidence  recoverEvidenceJSON  `json:"evidence"`
}

// belowJSON has one of its members.
type belowJSON struct {
	Transfer *transferBelowJSON `json:"transfer,omitempty"`
	Recover  *recoverBelowJSON  `json:"recover,omitempty"`
}

type recoverJSON struct {
	Statement   recoverStatementJSON `json:"statement"`
	Evidence    recoverEvidenceJSON  `json:"evidence"`
	Attachments blocksJSON           `json:"attachments"`
	Below       []belowJSON          `json:"below"`
}

// over is the recover over requests that were read before it.
func (j *recoverStatementJSON) over(all []statement.Request) (*statement.Recover, error) {
	bad := fault.New(fault.MalformedRequest, "the statement of a recover")
	if int(j.First) >= len(all) || int(j.Second) >= len(all) || len(j.Next) != 2 || len(j.Returned) != 2 || len(j.Outputs) != 2 || j.Credits > maxCredits {
		return nil, bad
	}
	r := &statement.Recover{First: all[j.First], Credits: j.Credits}
	if j.Second != j.First {
		r.Second = all[j.Second]
	}
	for i := range r.Next {
		var err error
		if r.Next[i], err = suite.DecodeField(j.Next[i]); err != nil {
			return nil, err
		}
		if r.Returned[i], err = suite.DecodeField(j.Returned[i]); err != nil {
			return nil, err
		}
		if r.Outputs[i].Cm, err = suite.DecodeField(j.Outputs[i].Cm); err != nil {
			return nil, err
		}
		if r.Outputs[i].K, err = suite.DecodeG1(j.Outputs[i].K); err != nil {
			return nil, err
		}
	}
	context, err := j.Context.array32()
	r.Context = context
	return r, err
}

func (j *recoverEvidenceJSON) read() (e *statement.OwnerEvidence, err error) {
	e = &statement.OwnerEvidence{CircuitVersion: j.Circuit, Proof: j.Proof, KeySignature: j.Signature}
	e.RK, err = jubjub.DecodePoint(j.RK)
	return e, err
}

// belowEntry is a request of the list below a recover, with its core and those that it is over.
type belowEntry struct {
	core [32]byte
	over [2][32]byte
	json belowJSON
	// of a transfer
	transfer *statement.Transfer
	// of a recover
	made    *statement.Recover
	lead, d suite.Field
}

// resolved is a recover with the list below it.
type resolvedRecover struct {
	*statement.Reservation
	statement *statement.Recover
	entries   []belowEntry
	over      [2][32]byte
}

// resolve reads the list and what follows from it.
func (j *recoverJSON) resolve(n *network) (*resolvedRecover, error) {
	if len(j.Below) == 0 || len(j.Below) > statement.MaxBelow {
		return nil, fault.New(fault.MalformedRequest, "the list below a recover")
	}
	x := &resolvedRecover{}
	var all []statement.Request
	for i := range j.Below {
		entry := belowEntry{json: j.Below[i]}
		switch t, r := j.Below[i].Transfer, j.Below[i].Recover; {
		case t != nil && r == nil:
			s, err := t.Statement.read()
			if err != nil {
				return nil, err
			}
			if entry.core, err = s.Core(n.Network); err != nil {
				return nil, err
			}
			entry.transfer = s
			all = append(all, statement.Request{Transfer: &statement.Item{Statement: s}})
		case r != nil && t == nil:
			made, err := r.Statement.over(all)
			if err != nil {
				return nil, err
			}
			reserved, err := made.Reservation(n.Network)
			if err != nil {
				return nil, err
			}
			entry.made, entry.lead, entry.d = made, reserved.Serials[0], reserved.D
			entry.core, entry.over = reserved.Core, [2][32]byte{x.entries[r.Statement.First].core, x.entries[r.Statement.Second].core}
			all = append(all, statement.Request{Recover: made})
		default:
			return nil, fault.New(fault.MalformedRequest, "a request below a recover")
		}
		x.entries = append(x.entries, entry)
	}
	var err error
	if x.statement, err = j.Statement.over(all); err != nil {
		return nil, err
	}
	x.over = [2][32]byte{x.entries[j.Statement.First].core, x.entries[j.Statement.Second].core}
	if x.Reservation, err = x.statement.Reservation(n.Network); err != nil {
		return nil, err
	}
	return x, x.namesEach()
}

// namesEach refuses a list with a request that nothing names, or that is there twice, as validators do.
func (x *resolvedRecover) namesEach() error {
	below := map[[32]byte]bool{}
	for i := range x.Below {
		below[x.Below[i].Core] = true
	}
	for i := range x.entries {
		if !below[x.entries[i].core] {
			return fault.New(fault.MalformedRequest, "a request that nothing names, or one that is there twice")
		}
		delete(below, x.entries[i].core)
	}
	if len(below) != 0 {
		return fault.New(fault.MalformedRequest, "a core below a recover without its request")
	}
	return nil
}

// ownRecover is a recover of this wallet with both outputs: the returned coin, then the compliance coin.
type ownRecover struct {
	signable
	*resolvedRecover
	json    *recoverJSON
	memo    *recoverMemo
	secrets *recoverSecrets
	rho     suite.Field // of the returned coin
	next    transfer.Compliance
}

// reopenRecover is the recover of a stored request that this wallet's phrase made over the coin with a lead, or nil.
func (n *network) reopenRecover(k *secrets, lead *suite.Field, raw []byte) (*ownRecover, error) {
	j := &recoverJSON{}
	if json.Unmarshal(raw, j) != nil {
		return nil, nil //nolint:nilerr // what cannot be read counts as nothing
	}
	content, err := k.openMemo(lead, j.Attachments.Memo, recoverLabel)
	if err != nil {
		return nil, nil //nolint:nilerr // it is another party's
	}
	// A memo that opens and is refused is of a newer wallet, and stops this one.
	m, err := decodeRecoverMemo(content)
	if err != nil {
		return nil, refuse("unknown-version", "a newer wallet of this phrase made a recover")
	}
	// A liar may show this memo in another statement: it counts for nothing.
	o, err := n.openRecover(k, lead, j, m)
	if err != nil {
		return nil, nil //nolint:nilerr // likewise
	}
	return o, nil
}

func (n *network) openRecover(k *secrets, lead *suite.Field, j *recoverJSON, m *recoverMemo) (*ownRecover, error) {
	bad := fault.New(fault.MalformedRequest, "another wallet's recover")
	context, err := n.Context(j.Attachments.Payout, j.Attachments.Memo)
	if err != nil {
		return nil, err
	}
	x, err := j.resolve(n)
	if err != nil {
		return nil, err
	}
	s := k.recover(lead, x.over, j.Statement.Credits)
	if !x.Serials[0].Equal(lead) || context != x.statement.Context || !bytes.Equal(j.Attachments.Payout, s.payout) {
		return nil, bad
	}
	o := &ownRecover{resolvedRecover: x, json: j, memo: m, secrets: s}
	o.next = transfer.Compliance{Period: m.Period, Sent: m.Sent, Count: m.Count, Held: m.Held}
	if o.next.Com, err = field(m.Com); err != nil {
		return nil, err
	}
	o.rho, o.next.Rho = n.Hasher().Rhos(s.seed, x.D)
	messages := []suite.Field{
		n.Hasher().Coin(hash.OriginOwn, m.Returned, k.apk, o.rho), n.complianceMessage(k, &o.next),
	}
	blinded, err := clause.Blind(n.Hasher(), &x.D, 0, messages, s.blindings[:])
	if err != nil {
		return nil, err
	}
	outputs := &x.statement.Outputs
	o.signable = signable{core: x.Core, bases: &suite.Outputs{D: x.D}, messages: messages}
	for i := range outputs {
		if !blinded[i].Cm.Equal(&outputs[i].Cm) || !blinded[i].K.Equal(&outputs[i].K) {
			return nil, bad
		}
		o.bases.Cms = append(o.bases.Cms, outputs[i].Cm)
		o.points, o.blinds = append(o.points, outputs[i].K), append(o.blinds, s.blindings[i].B)
	}
	return o, nil
}

func (n *network) complianceMessage(k *secrets, c *transfer.Compliance) suite.Field {
	return n.Hasher().Compliance(&hash.Compliance{Apk: k.apk, Rho: c.Rho, Period: c.Period, Sent: c.Sent, Count: c.Count, Held: c.Held, Com: c.Com})
}

// verifyRecover is replaced by tests of the state machine, whose proofs are none.
var verifyRecover = func(n *network, r *statement.Recover) error { return n.verifier.VerifyRecoverAlone(r) }

// What is known of evidence: a lying authority may have spoilt what it shows. Requests of one core are tried in this order, the right
// ones first.
const (
	evidenceSpoilt  = 0
	evidenceUnknown = 1 // of another circuit's version, or under rules that the wallet does not have
	evidenceRight   = 2
)

func (j *recoverEvidenceJSON) level(n *network, core [32]byte, s *statement.Recover) uint8 {
	e, err := j.read()
	if err != nil || suite.VerifyCore(&e.RK, core, e.KeySignature) != nil {
		return evidenceSpoilt
	}
	if n.recoverCircuit == 0 || e.CircuitVersion != n.recoverCircuit {
		return evidenceUnknown
	}
	with := *s
	with.Evidence = e
	if verifyRecover(n, &with) != nil {
		return evidenceSpoilt
	}
	return evidenceRight
}

// level of a transfer's evidence, as far as these are the rules that it names.
func (j *evidenceJSON) level(n *network, p *plan, all *rules) uint8 {
	e, err := j.validatorsEvidence()
	switch {
	case err != nil || suite.VerifyCore(&e.RK, p.core, e.KeySignature) != nil:
		return evidenceSpoilt
	case all == nil || j.Policy != all.policy || j.Checkpoint != all.checkpoint || !n.verifies(p.statement.Family, j.Circuit):
		return evidenceUnknown
	case verifyEvidence(n, p, e, all) != nil:
		return evidenceSpoilt
	}
	return evidenceRight
}

// level of a recover with every request below it, whose evidence a validator verifies too. Without rules the proofs of transfers are
// not looked at.
func (o *ownRecover) level(n *network, all *rules) uint8 {
	least := o.json.Evidence.level(n, o.core, o.statement)
	for i := range o.entries {
		e := &o.entries[i]
		if e.json.Recover != nil {
			least = min(least, e.json.Recover.Evidence.level(n, e.core, e.made))
			continue
		}
		one := e.json.Transfer.Evidence.level(n, &plan{core: e.core, statement: e.transfer}, all)
		if all != nil || one == evidenceSpoilt {
			least = min(least, one)
		}
	}
	return least
}

// shownRecover is a recover of this wallet with the coin that was asked for as its lead.
type shownRecover struct {
	own *ownRecover
	// requests differ in their evidence, those that verify first.
	requests [][]byte
}

// maxVariants bounds the requests of one core that are kept.
const maxVariants = 16

// ownRecovers are those of this wallet among what was shown, the recover with most below it first.
func (n *network) ownRecovers(k *secrets, lead *suite.Field, shown []json.RawMessage) (all []shownRecover, err error) {
	for _, raw := range shown {
		var j shownJSON
		if json.Unmarshal(raw, &j) != nil {
			continue
		}
		o, err := n.reopenRecover(k, lead, j.Request)
		if err != nil {
			return nil, err
		}
		if o == nil {
			continue
		}
		at := slices.IndexFunc(all, func(s shownRecover) bool { return s.own.core == o.core })
		if at < 0 {
			all = append(all, shownRecover{own: o})
			at = len(all) - 1
		}
		all[at].requests = append(all[at].requests, j.Request)
	}
	for i := range all {
		if err := n.rightFirst(k, lead, &all[i]); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(x, y shownRecover) int {
		return cmp.Or(cmp.Compare(len(y.own.Below), len(x.own.Below)), bytes.Compare(x.own.core[:], y.own.core[:]))
	})
	return all, nil
}

// rightFirst sorts the requests of a recover. A single one is tried as it is.
func (n *network) rightFirst(k *secrets, lead *suite.Field, s *shownRecover) error {
	if len(s.requests) == 1 {
		return nil
	}
	var by [evidenceRight + 1][][]byte
	for _, raw := range s.requests {
		o, err := n.reopenRecover(k, lead, raw)
		if o == nil || err != nil {
			return err
		}
		level := o.level(n, nil)
		by[level] = append(by[level], raw)
	}
	s.requests = slices.Concat(by[evidenceRight], by[evidenceUnknown], by[evidenceSpoilt])
	s.requests = s.requests[:min(len(s.requests), maxVariants)]
	return nil
}

// opening is that of the compliance coin which a recover creates, for a recover over it.
func (o *ownRecover) opening() (x recovery.Core, err error) {
	m := o.memo
	x = recovery.Core{
		D: o.D, Seed: o.secrets.seed, S: o.secrets.blindings[1].S, Period: m.Period, Sent: m.Sent, Count: m.Count, Held: m.Held,
		Values: [3]uint64{m.Returned, m.Outflow, m.Budget}, R: o.secrets.history,
	}
	if x.Com, err = field(m.Histories[0]); err != nil {
		return x, err
	}
	x.Counterparty, err = field(m.Histories[1])
	return x, err
}

func submitRecover(core [32]byte, body []byte) *request {
	return post("/v1/recovers", body, hex.EncodeToString(core[:]))
}

// sendRecover sends the requests of a recover in turn.
func (r *run) sendRecover(core [32]byte, variants [][]byte) ([]byte, error) {
	r.progress("signatures", 0)
	return r.eachVariant(variants, func(raw []byte) ([]byte, error) { return r.sendOneRecover(core, raw) })
}

// sendOneRecover sends a recover until it is answered, or the patience is over.
func (r *run) sendOneRecover(core [32]byte, raw []byte) ([]byte, error) {
	end := r.moment.Now + patience
	for pause := uint64(firstPause); ; pause = min(2*pause, longestPause) {
		body, err := r.once(submitRecover(core, raw))
		if err == nil || !mayComeLater(err) || codeOf(err) == "no-quorum" || r.moment.Now >= end {
			return body, err
		}
		if err := r.sleep(max(pause, waitOf(err))); err != nil {
			return nil, err
		}
	}
}

// recoverOutcome verifies both signatures of an answer, then keeps compliance coin, returned coin and history in one commit.
func (r *run) recoverOutcome(o *ownRecover, body []byte) error {
	signatures, err := r.net.signatures(&o.signable, body, r.moment.Now)
	if err != nil {
		return err
	}
	next := accountOf(&o.next)
	if next.Signature, err = encodeSignature(&signatures[1]); err != nil {
		return err
	}
	if err := r.recordRecover(o); err != nil {
		return err
	}
	if err := r.takeReturned(o, &signatures[0]); err != nil {
		return err
	}
	if err := r.drop(); err != nil {
		return err
	}
	if err := r.nameKnown(); err != nil {
		return err
	}
	r.Account, r.InFlight, r.Session.Recovery = &next, nil, nil
	if w := r.Session.Walk; w != nil && len(w.Links) > 0 {
		if of, err := r.reopenLink(&w.Links[0]); err == nil && of.core() == o.core {
			w.Links = w.Links[1:]
		}
	}
	return r.commit()
}

// nameKnown names the transfers that this command found before it recovered.
func (r *run) nameKnown() error {
	if r.Session.Recovery == nil {
		return nil
	}
	for i := range r.Session.Recovery.Known {
		c := &r.Session.Recovery.Known[i]
		if c.Recover {
			continue
		}
		coin, err := c.Coin.coin()
		if err != nil {
			return err
		}
		p, err := r.reopenStored(&coin, c.Variants[0].Request)
		if err != nil {
			return err
		}
		one := recordOf(p, "")
		r.name(&one)
	}
	return nil
}

// recordRecover takes a recover into the history once, without the coins that the cores below it claimed: those that it did not
// count leave the wallet. A coin that a recover below it returned is in its budget.
func (r *run) recordRecover(o *ownRecover) error {
	own, err := o.family(r.net, r.keys)
	if err != nil {
		return err
	}
	lost := uint64(0)
	var left []ownedCoin
	for i := range r.Coins {
		c := &r.Coins[i]
		rho, err := field(c.Rho)
		if err != nil {
			return err
		}
		serial := bytes32(ptrTo(r.net.Hasher().Serial(r.keys.snk, rho)))
		counts := own.credited[serial] || own.returnedBelow[serial]
		switch claimed := slices.Contains(o.memo.Claimed, c.Rho); {
		case claimed && !counts:
			lost += c.Value
		case !claimed && !own.named[serial]:
			left = append(left, *c)
		}
	}
	r.Coins = left
	for _, rho := range o.memo.Claimed {
		r.see(rho)
	}
	for i := range o.entries {
		if e := &o.entries[i]; e.json.Recover != nil {
			rho, _ := r.net.Hasher().Rhos(r.keys.recover(&e.lead, e.over, e.json.Recover.Statement.Credits).seed, e.d)
			r.see(bytes32(&rho)) // a copy of it may come from the mailbox
		}
	}
	if slices.ContainsFunc(r.Recovers, func(c recoverRecord) bool { return c.Core == o.core }) {
		return nil
	}
	one := recoverRecord{
		Core: o.core, Lead: bytes32(&o.Serials[0]), Time: o.memo.Time, Burnt: o.memo.Outflow, Returned: o.memo.Returned, Lost: lost,
		Transfers: r.Archive.Count + uint32(len(r.Transfers)),
	}
	for i := range o.Below {
		one.Below = append(one.Below, o.Below[i].Core)
	}
	r.Recovers = append(r.Recovers, one)
	return nil
}

// takeReturned takes the coin that a recover returned, unless it was ever taken or claimed.
func (r *run) takeReturned(o *ownRecover, signature *suite.Signature) error {
	rho := bytes32(&o.rho)
	if o.memo.Returned == 0 || r.hasSeen(rho) {
		return nil
	}
	coin := ownedCoin{Origin: uint8(hash.OriginOwn), Value: o.memo.Returned, Rho: rho, Time: min(o.memo.Time, r.moment.Now)}
	var err error
	if coin.Signature, err = encodeSignature(signature); err != nil {
		return err
	}
	r.Coins = append(r.Coins, coin)
	r.see(rho)
	return nil
}

// isBurnt reports whether a recover has a core below it.
func (w *wallet) isBurnt(core [32]byte) bool {
	return slices.ContainsFunc(w.Recovers, func(c recoverRecord) bool { return slices.Contains(c.Below, core) })
}

// burnt refuses a payment whose transfer a recover burnt: it may have been paid, and is not made again under its name.
func (r *run) burnt(id string, i *intent) error {
	for at := range r.Named {
		t := &r.Named[at]
		if !r.isBurnt(t.Core) {
			continue
		}
		same := t.Payment == id
		if m, err := t.memo(); err == nil {
			same = same || i.pays(m)
		}
		if same {
			return refuse("payment-burnt", "a recover burnt the transfer of this payment; ask the payee whether it was paid")
		}
	}
	return nil
}

func ptrTo[T any](v T) *T { return &v }
