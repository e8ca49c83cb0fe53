package wallet

import (
	"fmt"
	"slices"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/suite"
)

// task is the command at work. Every part of it asks the wallet what is done and does what is not, because it begins again after
// each commit.
func (r *run) task() error {
	c := &r.state.Task.command
	if c.Kind == commandPay {
		if err := r.checkPayment(c); err != nil {
			return err
		}
	}
	if err := r.ready(); err != nil {
		return err
	}
	switch c.Kind {
	case commandReceive:
		if err := r.readMailbox(); err != nil {
			return err
		}
	case commandPay:
		if err := r.pay(c); err != nil {
			return err
		}
	}
	return r.deliver()
}

// ready finishes what an earlier command left: a restore, and a transfer in flight.
func (r *run) ready() error {
	if err := r.connect(); err != nil {
		return err
	}
	if r.Restoring {
		if err := r.restore(); err != nil {
			return err
		}
	}
	if r.Session.Walk != nil {
		return r.catchUp()
	}
	if r.InFlight != nil {
		return r.finish()
	}
	return nil
}

// restore finds coins and transfers of a phrase. It ends in a commit or a refusal.
func (r *run) restore() error {
	if !r.Session.Begun {
		r.Session.Begun = true
		r.Place = nil
		return r.commit()
	}
	if err := r.readMailbox(); err != nil {
		return err
	}
	if !r.Session.Free {
		if r.Account == nil && len(r.Session.FirstSignatures) > 0 {
			first, _, err := r.net.firstCoin(r.keys)
			if err != nil {
				return err
			}
			a := accountOf(&first)
			a.Signature = r.Session.FirstSignatures[0]
			r.Account = &a
		}
		return r.requireFree()
	}
	r.Restoring = false
	return r.commit()
}

// requireFree makes sure that no other copy of this wallet has spent the compliance coin.
func (r *run) requireFree() error {
	if r.Session.Free {
		return nil
	}
	if r.Session.Walk == nil {
		r.Session.Walk = &walk{}
	}
	return r.catchUp()
}

// catchUp walks along the chain to the coin that is free, and finishes what is unfinished behind it. It ends in a commit or a
// refusal.
func (r *run) catchUp() error {
	w := r.Session.Walk
	if !w.Ended {
		return r.walkOn(w)
	}
	if len(w.Links) == 0 {
		r.Session.Walk, r.Session.Free = nil, true
		return r.commit()
	}
	// a transfer that is proved again needs the coins that it claims
	if err := r.readMailbox(); err != nil {
		return err
	}
	return r.settleLink(w)
}

// walkOn looks one coin up.
func (r *run) walkOn(w *walk) error {
	coin, err := r.endOfWalk(w)
	if err != nil {
		return err
	}
	r.progress("coins", w.Found)
	v, err := r.lookUp(&coin)
	if err != nil {
		return err
	}
	own := v.own
	if v.unspent(r.net) {
		own = slices.DeleteFunc(own, func(s shownTransfer) bool { return r.gaveUp(s.plan.core) })
	}
	switch {
	case v.recovered:
		return refuse("not-supported", "a recover of this phrase is in the chain, which this core does not follow yet")
	case len(own) == 0 && !v.unspent(r.net):
		return refuse("no-quorum", "too few authorities signed whether a compliance coin is spent")
	case len(own) == 0:
		w.Ended = true
		return r.commit()
	}
	left := slices.DeleteFunc(own, func(s shownTransfer) bool { return slices.Contains(w.Overtaken, s.plan.core) })
	if len(left) == 0 {
		return refuse("serial-conflict", "transfers of this wallet prevent each other; a recover frees the account")
	}
	w.Links = append(w.Links, link{Coin: accountOf(&coin), Request: left[0].requests[0], Lone: len(left) == 1})
	w.Found++
	// Kept are the unfinished ones, the newest, and the one before them, whose answer has the signature that they spend.
	for uint32(len(w.Links)) > left[0].plan.memo.Unfinished+2 {
		if err := r.recordLink(&w.Links[0]); err != nil {
			return err
		}
		w.Links = w.Links[1:]
	}
	return r.commit()
}

// endOfWalk is the coin behind the last link, or the one that the walk starts with.
func (r *run) endOfWalk(w *walk) (transfer.Compliance, error) {
	if n := len(w.Links); n > 0 {
		p, err := r.reopenLink(&w.Links[n-1])
		if err != nil {
			return transfer.Compliance{}, err
		}
		return p.Next, nil
	}
	if r.Account != nil {
		return r.Account.coin()
	}
	first, _, err := r.net.firstCoin(r.keys)
	return first, err
}

func (r *run) reopenLink(l *link) (*plan, error) {
	coin, err := l.Coin.coin()
	if err != nil {
		return nil, err
	}
	return r.reopenStored(&coin, l.Request)
}

// reopenStored is reopen for a request that this wallet stored.
func (r *run) reopenStored(coin *transfer.Compliance, raw []byte) (*plan, error) {
	request, err := r.net.readRequest(raw)
	if err != nil {
		return nil, err
	}
	p, err := r.net.reopen(r.keys, coin, request)
	if err == nil && p == nil {
		err = refuse("store-corrupt", "the stored transfer does not spend the stored compliance coin")
	}
	return p, err
}

// lookUp asks the authorities for a compliance coin.
func (r *run) lookUp(coin *transfer.Compliance) (*verdict, error) {
	serial := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	name := suite.EncodeField(&serial)
	nonce := r.draws()("state-nonce", keyBytes, name)
	q := post("/v1/coins/state", fmt.Appendf(nil, `{"serials":[%q],"nonce":%q}`, base64url.EncodeToString(name), base64url.EncodeToString(nonce)), "")
	q.limit = limitStates
	body, err := r.ask(q)
	if err != nil {
		return nil, err
	}
	return r.net.judge(r.keys, coin, nonce, body, r.moment.Now)
}

// settleLink works on the oldest of the links that the walk kept.
func (r *run) settleLink(w *walk) error {
	newest, err := r.reopenLink(&w.Links[len(w.Links)-1])
	if err != nil {
		return err
	}
	// Without the signature on the first coin its transfer cannot be proved again, and is answered or nothing.
	lost := r.Account == nil
	if first := len(w.Links) - 1 - int(newest.memo.Unfinished); lost || first > 0 && !w.Adopted {
		first = max(first, 1)
		return r.adopt(w, first, lost)
	}
	l := &w.Links[0]
	p, err := r.reopenLink(l)
	if err != nil {
		return err
	}
	if r.InFlight == nil || !r.isInFlight(p) {
		if err := r.drop(); err != nil {
			return err
		}
		r.InFlight = &inFlight{Request: l.Request}
		if err := r.provedUnder(l.Request); err != nil {
			return err
		}
		w.Adopted = true
		return r.commit()
	}
	err = r.finish()
	if codeOf(err) == "serial-conflict" && !l.Lone {
		w.Overtaken = append(w.Overtaken, p.core)
		w.Links, w.Ended, w.Adopted = nil, false, false
		if err := r.drop(); err != nil {
			return err
		}
		return r.commit()
	}
	return err
}

// drop lets go of the transfer in flight, whose name stays.
func (r *run) drop() error {
	f := r.InFlight
	if r.InFlight = nil; f == nil || f.Payment == "" {
		return nil
	}
	request, err := r.net.readRequest(f.Request)
	if err == nil {
		r.Named = append(r.Named, named{request.core, f.Payment})
	}
	return err
}

func (r *run) isInFlight(p *plan) bool {
	request, err := r.net.readRequest(r.InFlight.Request)
	return err == nil && request.core == p.core
}

// adopt records the first links, and takes the signature on the coin behind them from the answer to the last of them.
func (r *run) adopt(w *walk, first int, lost bool) error {
	l := &w.Links[first-1]
	p, err := r.reopenLink(l)
	if err != nil {
		return err
	}
	body, err := r.ask(submit(p.core, l.Request))
	if err != nil {
		return err
	}
	for i := range w.Links[:first-1] {
		if err := r.recordLink(&w.Links[i]); err != nil {
			return err
		}
	}
	w.Links, w.Adopted = w.Links[first:], true
	return r.outcome(p, body, lost)
}

// recordLink takes a finished transfer into the history.
func (r *run) recordLink(l *link) error {
	p, err := r.reopenLink(l)
	if err != nil {
		return err
	}
	r.record(p)
	return nil
}

// record takes a transfer into the history once, without the coins that it claims. It returns the number of its record, from 1.
func (r *run) record(p *plan) uint32 {
	var payment string
	for _, c := range p.memo.Claimed {
		r.Coins = slices.DeleteFunc(r.Coins, func(o ownedCoin) bool { return o.Rho == c.Rho })
		if !slices.Contains(r.Seen, c.Rho) {
			r.Seen = append(r.Seen, c.Rho)
		}
	}
	if r.InFlight != nil && r.isInFlight(p) {
		payment = r.InFlight.Payment
	}
	for i := range r.Named {
		if r.Named[i].Core == p.core {
			payment = r.Named[i].Payment
		}
	}
	for i := range r.Abandoned {
		if r.Abandoned[i].Core == p.core {
			payment = r.Abandoned[i].Payment // it was signed after all
		}
	}
	r.Abandoned = slices.DeleteFunc(r.Abandoned, func(a record) bool { return a.Core == p.core })
	for i := range r.Transfers {
		if r.Transfers[i].Core == p.core {
			return uint32(i + 1)
		}
	}
	r.Transfers = append(r.Transfers, recordOf(p, payment))
	return uint32(len(r.Transfers))
}

func recordOf(p *plan, payment string) record {
	return record{Core: p.core, Lead: bytes32(&p.statement.Serials[0]), Payment: payment, Memo: p.memo.encode()}
}

// outcome verifies the signatures of an answer, then keeps successor, record and the payee's sealed coin in one commit.
//
// due says that the coin may be undelivered.
func (r *run) outcome(p *plan, body []byte, due bool) error {
	signatures, err := r.net.signatures(p, body, r.moment.Now)
	if err != nil {
		return err
	}
	next := accountOf(&p.Next)
	if next.Signature, err = encodeSignature(&signatures[1]); err != nil {
		return err
	}
	number := r.record(p)
	if due && p.memo.Paid > 0 {
		d, err := r.delivery(p, &signatures[0], number)
		if err != nil {
			return err
		}
		r.Deliveries = append(r.Deliveries, *d)
	}
	// Another transfer that was in flight spends the same coin, or an older one, so it is never signed.
	if r.InFlight != nil && !r.isInFlight(p) {
		if err := r.drop(); err != nil {
			return err
		}
	}
	r.Account, r.InFlight = &next, nil
	if w := r.Session.Walk; w != nil && len(w.Links) > 0 {
		if of, err := r.reopenLink(&w.Links[0]); err == nil && of.core == p.core {
			w.Links = w.Links[1:]
		}
	}
	return r.commit()
}

// finish sends the transfer in flight until it is signed. It ends in a commit or a refusal.
func (r *run) finish() error {
	if r.Account == nil {
		return refuse("store-corrupt", "a transfer without a compliance coin")
	}
	coin, err := r.Account.coin()
	if err != nil {
		return err
	}
	p, err := r.reopenStored(&coin, r.InFlight.Request)
	if err != nil {
		return err
	}
	if r.Session.Until == 0 {
		r.Session.Until = r.moment.Now + patience
	}
	for pause := uint64(firstPause); ; pause = min(2*pause, longestPause) {
		r.progress("signatures", 0)
		body, err := r.once(submit(p.core, r.InFlight.Request))
		code := codeOf(err)
		switch {
		case err == nil:
			return r.outcome(p, body, true)
		case code == "":
			return err
		case code == "serial-conflict" && r.Session.Walk == nil:
			// another copy of this wallet was first
			r.Session.Free = false
			r.Session.Walk = &walk{}
			return r.commit()
		case spoilt[code] && !r.InFlight.Renewed:
			r.InFlight.Renewed = true
			return r.renew(p)
		case !mayComeLater(err):
			return err
		case otherRules[code]:
			if done, err := r.underNewerRules(p, err); done || err != nil {
				return err
			}
		}
		if r.moment.Now >= r.Session.Until {
			if code == "gateway-unreachable" {
				return refuse("transfer-in-flight", "the transfer waits for its answer")
			}
			return err
		}
		if err := r.sleep(max(pause, waitOf(err))); err != nil {
			return err
		}
	}
}

// underNewerRules proves the same core again where there are newer rules. It reports whether the run is over.
func (r *run) underNewerRules(p *plan, why error) (done bool, err error) {
	if !r.Session.Fresh {
		return true, r.fetchRules()
	}
	all, err := r.rules()
	if err != nil {
		return true, err
	}
	request, err := r.net.readRequest(r.InFlight.Request)
	if err != nil {
		return true, err
	}
	if all.policy != request.Evidence.Policy || all.checkpoint != request.Evidence.Checkpoint {
		return true, r.renew(p)
	}
	if codeOf(why) == "stale-period" && all.period > p.Period {
		return true, r.giveUp(p, why)
	}
	r.Session.Fresh = false // asked again after the pause
	return false, nil
}

// renew proves the core in flight again under the newest rules, and puts the request in the place of the old one.
func (r *run) renew(p *plan) error {
	all, err := r.rules()
	if err != nil {
		return err
	}
	if err := r.stillAllowed(p, all); err != nil {
		return r.giveUp(p, err)
	}
	return r.makeRequest(p, all, r.InFlight)
}

func (r *run) stillAllowed(p *plan, all *rules) error {
	if err := withinLimits(r.Account, &all.limits, p.Period, p.Paid); err != nil {
		return err
	}
	if p.Next.Held > all.limits.MaxHeld && p.Next.Held > r.Account.Held {
		return refuse("over-limit-held", "the limit on holding was lowered")
	}
	if _, err := all.absence(&p.Apk); err != nil {
		return err
	}
	_, err := all.absence(&p.Recipient)
	return err
}

// makeRequest has the transfer proved and keeps the whole request, which leaves after that. It ends in a commit or a refusal.
func (r *run) makeRequest(p *plan, all *rules, f *inFlight) error {
	e, err := r.net.present(r.keys, p, all, r.Account, r.Coins, r.draws())
	if err != nil {
		return err
	}
	witness, err := p.witness(e, all)
	if err != nil {
		return err
	}
	made, err := r.prove(uint8(p.statement.Family), witness)
	if err != nil {
		return err
	}
	evidence, err := r.net.evidence(r.keys, p, all, e, made, r.draws())
	if err != nil {
		return err
	}
	if f.Request, err = writeRequest(p, evidence); err != nil {
		return err
	}
	r.InFlight = f
	if err := r.provedUnder(f.Request); err != nil {
		return err
	}
	return r.commit()
}

// provedUnder remembers the newest rules that the core in flight was proved under.
func (r *run) provedUnder(raw []byte) error {
	request, err := r.net.readRequest(raw)
	if err == nil {
		r.InFlight.Policy = max(r.InFlight.Policy, request.Evidence.Policy)
		r.InFlight.Checkpoint = max(r.InFlight.Checkpoint, request.Evidence.Checkpoint)
	}
	return err
}

// giveUp drops the transfer in flight when 2f+1 authorities sign that they never take it.
func (r *run) giveUp(p *plan, why error) error {
	v, err := r.lookUp(&p.Cc)
	if codeOf(err) != "" {
		return refuse("transfer-in-flight", "the authorities cannot be asked")
	}
	if err != nil {
		return err
	}
	if !v.unspent(r.net) || v.recovered || len(v.own) > 0 && v.own[0].holders > 0 {
		return refuse("transfer-in-flight", "authorities may hold the transfer")
	}
	// What a liar shows may name versions that nobody has published.
	policy, checkpoint := r.InFlight.Policy, r.InFlight.Checkpoint
	if r.Policy != nil && r.Checkpoint != nil {
		policy, checkpoint = min(policy, r.Policy.Version), min(checkpoint, r.Checkpoint.Version)
	}
	shut := 0
	for i := range v.floors {
		if v.floors[i].shutOut(policy, checkpoint, p.Period) {
			shut++
		}
	}
	if shut < r.net.committee.Quorum() {
		return refuse("transfer-in-flight", "authorities still take the transfer for a while: "+codeOf(why))
	}
	payment := r.InFlight.Payment
	if !r.gaveUp(p.core) {
		r.Abandoned = append(r.Abandoned, recordOf(p, payment))
	}
	r.InFlight = nil
	return r.commit()
}

func (r *run) gaveUp(core [32]byte) bool {
	return slices.ContainsFunc(r.Abandoned, func(a record) bool { return a.Core == core })
}

// checkPayment refuses what is no payment before anybody is asked.
func (r *run) checkPayment(c *command) error {
	to, err := r.net.readAddress(c.Payee)
	switch {
	case err != nil:
		return err
	case to.Mailbox != "":
		return refuse("foreign-mailbox", "the payee reads another mailbox than the network's")
	case c.Amount == 0 || c.Amount >= amountLimit || !isText(c.Text):
		return refuse("malformed-request", "an amount above zero, and a text of at most 140 bytes")
	}
	return nil
}

// pay makes the payment with the command's id, once.
func (r *run) pay(c *command) error {
	if slices.ContainsFunc(r.Transfers, func(t record) bool { return t.Payment == c.ID }) {
		return nil
	}
	if done, err := r.found(c); done || err != nil {
		return err
	}
	// one that was given up is told as such, and not made again behind the owner's back
	if slices.ContainsFunc(r.Abandoned, func(t record) bool { return t.Payment == c.ID }) {
		return refuse("abandoned", "the payment was given up, and nothing was paid")
	}
	if r.Account == nil {
		return refuse("not-registered", "the wallet has no compliance coin")
	}
	to, err := r.net.readAddress(c.Payee)
	if err != nil {
		return err
	}
	all, err := r.rules()
	if err != nil {
		return err
	}
	for _, apk := range [][32]byte{bytes32(&r.keys.apk), to.Apk} {
		e, err := field(apk)
		if err != nil {
			return err
		}
		if _, err := all.absence(&e); err != nil {
			return err
		}
	}
	if err := r.requireFree(); err != nil {
		return err
	}
	inputs, last, err := nextInputs(r.Account, &all.limits, all.period, r.Coins, c.Amount)
	if err != nil {
		return err
	}
	m := &memo{Time: r.moment.Now, Unfinished: r.unfinished()}
	if last {
		m.Paid, m.Payee, m.PayeeKey, m.Text = c.Amount, to.Apk, to.Key, c.Text
	} else {
		m.Payee, m.PayeeKey = bytes32(&r.keys.apk), [32]byte(r.keys.receiving.PublicKey().Bytes())
	}
	for i := range inputs {
		m.Claimed = append(m.Claimed, claimed{inputs[i].Origin, inputs[i].Value, inputs[i].Rho})
	}
	coin, err := r.Account.coin()
	if err != nil {
		return err
	}
	lead := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	m.Counter = r.freshCounter(bytes32(&lead))
	payout := r.draws()("payout", payoutBytes, suite.EncodeField(&lead))
	payout[31] &= 0x7f
	p, err := r.net.planTransfer(r.keys, &coin, all.period, m, payout)
	if err != nil {
		return err
	}
	f := &inFlight{}
	if last {
		f.Payment = c.ID
	}
	return r.makeRequest(p, all, f)
}

const payoutBytes = 512

// found takes a transfer for the payment that the chain showed, and that this state does not know as such: it is a copy from
// before the payment was made, and the command at work goes on from there. It is better to miss a second payment that is equal
// than to make one twice.
func (r *run) found(c *command) (bool, error) {
	to, err := r.net.readAddress(c.Payee)
	if err != nil {
		return false, err
	}
	for i := range r.Transfers {
		t := &r.Transfers[i]
		m, err := decodeMemo(t.Memo)
		if err != nil {
			return false, err
		}
		if t.Payment == "" && m.Paid == c.Amount && m.Payee == to.Apk && m.Text == c.Text && m.Time >= r.state.Task.Began {
			t.Payment = c.ID
			return true, r.commit()
		}
	}
	return false, nil
}

// freshCounter is one that no transfer given up out of the compliance coin has.
func (r *run) freshCounter(lead [32]byte) (next uint16) {
	for i := range r.Abandoned {
		if r.Abandoned[i].Lead != lead {
			continue
		}
		if m, err := decodeMemo(r.Abandoned[i].Memo); err == nil {
			next = max(next, m.Counter+1)
		}
	}
	return next
}

// unfinished is how many transfers before the next one the oldest is whose coin was not seen in the mailbox.
func (r *run) unfinished() uint32 {
	next := uint32(len(r.Transfers) + 1)
	oldest := next
	for i := range r.Deliveries {
		if d := &r.Deliveries[i]; d.Transfer != 0 && d.Stage != stageSeen && (d.Stage == stageWaiting || r.readsBucketOf(d.Payee)) {
			oldest = min(oldest, d.Transfer)
		}
	}
	return next - oldest
}

// view is what a page shows.
func (n *network) view(k *secrets, w *wallet) (*view, error) {
	v := &view{
		Address:    n.writeAddress(&address{Apk: bytes32(&k.apk), Key: [32]byte(k.receiving.PublicKey().Bytes())}),
		Registered: w.Account != nil, Restoring: w.Restoring, InFlight: w.InFlight != nil,
	}
	if w.Account != nil {
		v.Held = w.Account.Held
	}
	for i := range w.Deliveries {
		if w.Deliveries[i].Stage == stageWaiting && w.Deliveries[i].Transfer != 0 {
			v.Undelivered++
		}
	}
	for i := range w.Coins {
		v.Coins = append(v.Coins, viewCoin{w.Coins[i].Value, w.Coins[i].Time, w.Coins[i].Text})
	}
	for i := range w.Transfers {
		t := &w.Transfers[i]
		m, err := decodeMemo(t.Memo)
		if err != nil {
			return nil, err
		}
		one := viewTransfer{Core: t.Core, Payment: t.Payment, Time: m.Time, Paid: m.Paid, Withdrawn: m.Withdrawn, Text: m.Text}
		if m.Paid > 0 {
			one.Payee = n.writeAddress(&address{m.Payee, m.PayeeKey, m.Mailbox})
		}
		for _, c := range m.Claimed {
			one.Claimed += c.Value
		}
		v.History = append(v.History, one)
	}
	return v, nil
}
