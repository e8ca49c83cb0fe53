package wallet

import (
	"bytes"
	"encoding/json"
	"slices"

	"solidus.io/prover/circuits/transfer"
)

// catchUp walks along the chain to the coin that is free, and finishes what is unfinished behind it. It ends in a commit or a
// refusal.
func (r *run) catchUp() error {
	w := r.Session.Walk
	if !w.Ended {
		return r.walkOn(w)
	}
	if len(w.Links) == 0 {
		r.Session.Walk, r.Session.Free = nil, true
		if w.Cut {
			r.Session.Walk, r.Session.Free = &walk{}, false
		}
		return r.commit()
	}
	// a transfer that is proved again needs the coins that it claims
	if !r.isPrivate() || !r.knowsLinks(w) {
		if err := r.readMailbox(); err != nil {
			return err
		}
	}
	return r.settleLink(w)
}

// knowsLinks reports whether the walk found nothing but the transfer in flight, whose coins are here. A gateway's word alone starts the
// walk, and has no wallet that reads in private read whole.
func (r *run) knowsLinks(w *walk) bool {
	if r.Account == nil || r.InFlight == nil || len(w.Links) != 1 || w.Links[0].Recover {
		return false
	}
	o, err := r.reopenLink(&w.Links[0])
	return err == nil && r.isInFlight(o.transfer)
}

// walkOn looks one coin up.
func (r *run) walkOn(w *walk) error {
	if len(w.Beside) > 0 {
		return r.lookBeside(w)
	}
	coin, err := r.endOfWalk(w)
	if err != nil {
		return err
	}
	r.progress("coins", w.Found)
	v, err := r.lookUp(&coin)
	if err != nil {
		return err
	}
	transfers := v.own
	if v.unspent(r.net) {
		transfers = slices.DeleteFunc(transfers, func(s shownTransfer) bool { return r.gaveUp(s.plan.core) })
	}
	var own []candidate
	for i := range v.recovers {
		own = append(own, candidate{v.recovers[i].own.core, v.recovers[i].requests, true})
	}
	for i := range transfers {
		own = append(own, candidate{transfers[i].plan.core, transfers[i].requests[:1], false})
	}
	switch {
	case len(own) == 0 && !v.unspent(r.net):
		return refuse("no-quorum", "too few authorities signed whether a compliance coin is spent")
	case len(own) == 0:
		w.Ended = true
		return r.commit()
	}
	left := slices.DeleteFunc(own, func(c candidate) bool { return slices.Contains(w.Overtaken, c.core) })
	if len(left) == 0 {
		return refuse("serial-conflict", "cores of this wallet prevent each other; a recover frees the account")
	}
	if err := r.requireRoom(len(w.Links)+1, 0, roomForCoins); err != nil {
		return err
	}
	w.Links = append(w.Links, link{
		Coin: accountOf(&coin), Request: left[0].requests[0], Others: left[0].requests[1:], Lone: len(left) == 1, Recover: left[0].recover,
	})
	w.Found++
	if len(v.recovers) > 0 {
		r.nameBeside(w, v.own)
	}
	// Kept are the unfinished ones, the newest, and the one before them, whose answer has the signature that they spend.
	for {
		first, err := r.firstToFinish(w.Links)
		if err != nil {
			return err
		}
		if first <= 1 {
			return r.commit()
		}
		if err := r.recordLink(&w.Links[0]); err != nil {
			return err
		}
		w.Links = w.Links[1:]
	}
}

// candidate is a core of this wallet that may spend a compliance coin. Recovers come first: one that has a transfer below it burnt
// that transfer.
type candidate struct {
	core [32]byte
	// requests differ in their evidence. Of a transfer the first is tried, and then made anew.
	requests [][]byte
	recover  bool
}

// firstToFinish is the place of the oldest core whose coin may be undelivered or whose payout may not be asked for, by the memo of
// the newest one, which is always finished again.
func (r *run) firstToFinish(links []link) (int, error) {
	newest, err := r.reopenLink(&links[len(links)-1])
	if err != nil {
		return 0, err
	}
	first := len(links) - 1
	for left := newest.unfinished(); first > 0 && left > 0; {
		if first--; !links[first].Recover {
			left--
		}
	}
	return first, nil
}

// endOfWalk is the coin behind the last link, or the one that the walk starts with.
func (r *run) endOfWalk(w *walk) (transfer.Compliance, error) {
	if n := len(w.Links); n > 0 {
		o, err := r.reopenLink(&w.Links[n-1])
		if err != nil {
			return transfer.Compliance{}, err
		}
		return o.next(), nil
	}
	return r.startCoin()
}

// startCoin is the newest compliance coin in the state, or the first one, which follows from the seed.
func (r *run) startCoin() (transfer.Compliance, error) {
	if r.Account != nil {
		return r.Account.coin()
	}
	first, _, err := r.net.firstCoin(r.keys)
	return first, err
}

// opened is a transfer or a recover of this wallet.
type opened struct {
	transfer *plan
	recover  *ownRecover
}

func (o *opened) core() [32]byte {
	if o.recover != nil {
		return o.recover.core
	}
	return o.transfer.core
}

func (o *opened) next() transfer.Compliance {
	if o.recover != nil {
		return o.recover.next
	}
	return o.transfer.Next
}

func (o *opened) unfinished() uint32 {
	if o.recover != nil {
		return o.recover.memo.Unfinished
	}
	return o.transfer.memo.Unfinished
}

func (r *run) reopenLink(l *link) (*opened, error) {
	coin, err := l.Coin.coin()
	if err != nil {
		return nil, err
	}
	if !l.Recover {
		p, err := r.reopenStored(&coin, l.Request)
		return &opened{transfer: p}, err
	}
	o, err := r.reopenStoredRecover(&coin, l.Request)
	return &opened{recover: o}, err
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

func (r *run) reopenStoredRecover(coin *transfer.Compliance, raw []byte) (*ownRecover, error) {
	lead := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	o, err := r.net.reopenRecover(r.keys, &lead, raw)
	if err == nil && o == nil {
		err = refuse("store-corrupt", "the stored recover does not spend the stored compliance coin")
	}
	return o, err
}

// lookUp asks the authorities for a compliance coin.
func (r *run) lookUp(coin *transfer.Compliance) (*verdict, error) {
	serial := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	nonce, body, err := r.askForStates([]serialNumber{bytes32(&serial)})
	if err != nil {
		return nil, err
	}
	return r.net.judge(r.keys, coin, nonce, body, r.moment.Now)
}

// askForStates asks the authorities for serial numbers, with a nonce that is drawn for this question.
func (r *run) askForStates(serials []serialNumber) (nonce, body []byte, err error) {
	names := make([]b64, len(serials))
	var all []byte
	for i := range serials {
		names[i] = serials[i][:]
		all = append(all, serials[i][:]...)
	}
	nonce = r.draws()("state-nonce", keyBytes, all)
	question, err := json.Marshal(&struct {
		Serials []b64 `json:"serials"`
		Nonce   b64   `json:"nonce"`
	}{names, nonce})
	if err != nil {
		return nil, nil, err
	}
	q := post("/v1/coins/state", question, "")
	q.limit, q.spends = limitStates, true
	body, err = r.ask(q)
	return nonce, body, err
}

// settleLink works on the oldest of the links that the walk kept.
func (r *run) settleLink(w *walk) error {
	first, err := r.firstToFinish(w.Links)
	if err != nil {
		return err
	}
	// Without the signature on the first coin its transfer cannot be proved again, and is answered or nothing.
	lost := r.Account == nil
	if lost || first > 0 && !w.Adopted {
		first = max(first, 1)
		newest := w.Links[first-1]
		o, err := r.reopenLink(&newest)
		if err != nil {
			return err
		}
		body, err := r.askLink(o, &newest)
		if err != nil {
			return r.unlessOvertaken(&newest, err)
		}
		return r.adopt(w, o, body, first, lost)
	}
	l := w.Links[0]
	o, err := r.reopenLink(&l)
	if err != nil {
		return err
	}
	if l.Recover {
		body, err := r.sendRecover(o.core(), l.variants())
		if err != nil {
			return r.unlessOvertaken(&l, err)
		}
		return r.recoverOutcome(o.recover, body)
	}
	if r.InFlight == nil || !r.isInFlight(o.transfer) {
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
	return r.unlessOvertaken(&l, r.finish())
}

// unlessOvertaken lets another core of this wallet out of the coin take the place of one that can no longer be signed: err is what
// became of it. Nothing else that the run has changed is kept.
func (r *run) unlessOvertaken(l *link, err error) error {
	replaced := codeOf(err) == "serial-conflict" || l.Recover && spoilt[codeOf(err)]
	if !replaced || l.Lone {
		return err
	}
	o, err := r.reopenLink(l)
	if err != nil {
		return err
	}
	kept, err := r.machine.wallet()
	if err != nil {
		return err
	}
	defer clear(kept.Seed[:])
	w := kept.Session.Walk
	w.Overtaken = append(w.Overtaken, o.core())
	w.Links, w.Ended, w.Cut, w.Adopted = nil, false, false, false
	then := run{machine: r.machine, wallet: kept}
	if err := then.drop(); err != nil {
		return err
	}
	return then.commit()
}

// drop lets go of the transfer in flight, whose name stays.
func (r *run) drop() error {
	f := r.InFlight
	if r.InFlight = nil; f == nil {
		return nil
	}
	request, err := r.net.readRequest(f.Request)
	if err != nil {
		return err
	}
	lead := &request.statement.Serials[0]
	one := record{Core: request.core, Lead: bytes32(lead), Payment: f.Payment}
	if content, err := r.keys.openTransferMemo(lead, request.Attachments.Memo); err == nil {
		one.Memo = bytes.TrimRight(content, "\x00")
	}
	r.name(&one)
	return nil
}

// name keeps the name of a transfer that another core takes the place of, and of one that pays a request.
func (r *run) name(one *record) {
	pays := false
	if m, err := one.memo(); err == nil {
		pays = len(m.paidRequests()) > 0
	}
	switch at := slices.IndexFunc(r.Named, func(t record) bool { return t.Core == one.Core }); {
	case at < 0 && (pays || one.Payment != ""):
		r.Named = append(r.Named, *one)
	case at >= 0 && r.Named[at].Payment == "":
		r.Named[at].Payment = one.Payment
	}
}

// maxBeside bounds the look-ups of coins beside the chain: more than a recover may have below it.
const maxBeside = 64

// nameBeside names the transfers that were shown where a recover may have burnt them, and has the coins behind them looked up: a
// wallet that was restored knows them from nowhere else.
func (r *run) nameBeside(w *walk, own []shownTransfer) {
	for i := range own {
		one := recordOf(own[i].plan, "")
		r.name(&one)
		if len(w.Beside) < maxBeside {
			w.Beside = append(w.Beside, accountOf(&own[i].plan.Next))
		}
	}
}

// lookBeside looks one coin beside the chain up. Its successors follow from digests of what is before them, so they end.
func (r *run) lookBeside(w *walk) error {
	coin, err := w.Beside[0].coin()
	if err != nil {
		return err
	}
	v, err := r.lookUp(&coin)
	if err != nil {
		return err
	}
	w.Beside = w.Beside[1:]
	r.nameBeside(w, v.own)
	return r.commit()
}

func (r *run) isInFlight(p *plan) bool {
	request, err := r.net.readRequest(r.InFlight.Request)
	return err == nil && request.core == p.core
}

// adopt records the first links, and takes the signature on the coin behind them from the answer to the last of them.
func (r *run) adopt(w *walk, o *opened, body []byte, first int, lost bool) error {
	l := w.Links[first-1]
	for range first - 1 {
		if err := r.recordLink(&w.Links[0]); err != nil {
			return err
		}
		w.Links = w.Links[1:]
	}
	w.Links, w.Adopted = w.Links[1:], true
	if l.Recover {
		return r.recoverOutcome(o.recover, body)
	}
	return r.outcome(o.transfer, l.Request, body, lost)
}

// askLink asks for the signatures of a finished core again.
func (r *run) askLink(o *opened, l *link) ([]byte, error) {
	if l.Recover {
		return r.eachVariant(l.variants(), func(raw []byte) ([]byte, error) { return r.ask(submitRecover(o.core(), raw)) })
	}
	return r.ask(submit(o.core(), l.Request))
}

// variants are the requests of a link, which differ in their evidence.
func (l *link) variants() [][]byte { return append([][]byte{l.Request}, l.Others...) }

// eachVariant sends the requests of one core in turn, until one is refused for another reason than its evidence.
func (r *run) eachVariant(variants [][]byte, send func(raw []byte) ([]byte, error)) (body []byte, err error) {
	for _, raw := range variants {
		if body, err = send(raw); !spoilt[codeOf(err)] {
			break
		}
	}
	return body, err
}

// recordLink takes a finished core into the history. The coin that a recover returned is asked for again: a core behind it that
// claims it may have to be proved again.
func (r *run) recordLink(l *link) error {
	o, err := r.reopenLink(l)
	if err != nil {
		return err
	}
	if o.transfer != nil {
		r.record(o.transfer)
		return nil
	}
	if err := r.recordRecover(o.recover); err != nil {
		return err
	}
	if o.recover.memo.Returned == 0 || r.hasSeen(bytes32(&o.recover.rho)) {
		return nil
	}
	body, err := r.askLink(o, l)
	if err != nil {
		return err
	}
	signatures, err := r.net.signatures(&o.recover.signable, body, r.moment.Now)
	if err != nil {
		return err
	}
	return r.takeReturned(o.recover, &signatures[0])
}

// record takes a transfer into the history once, without the coins that it claims. It returns the number of its record, from 1.
func (r *run) record(p *plan) uint32 {
	var payment string
	for _, c := range p.memo.Claimed {
		r.Coins = slices.DeleteFunc(r.Coins, func(o ownedCoin) bool { return o.Rho == c.Rho })
		r.see(c.Rho)
	}
	if r.InFlight != nil && r.isInFlight(p) {
		payment = r.InFlight.Payment
	}
	for i := range r.Named {
		if r.Named[i].Core == p.core && r.Named[i].Payment != "" {
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
			return r.Archive.Count + uint32(i+1)
		}
	}
	if r.isArchived(traceCore, p.core[:]) {
		return r.Archive.Count
	}
	r.Transfers = append(r.Transfers, recordOf(p, payment))
	return r.Archive.Count + uint32(len(r.Transfers))
}

func recordOf(p *plan, payment string) record {
	return record{Core: p.core, Lead: bytes32(&p.statement.Serials[0]), Payment: payment, Memo: bytes.TrimRight(p.memo.encode(), "\x00")}
}
