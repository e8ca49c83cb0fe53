package wallet

import (
	"bytes"
	"fmt"
	"slices"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/suite"
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
	if err := r.requireRoom(len(w.Links)+1, 0, roomForCoins); err != nil {
		return err
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
	return r.outcome(p, l.Request, body, lost)
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
		r.see(c.Rho)
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
