package wallet

import (
	"slices"

	"solidus.io/prover/statement"
)

// outcome verifies the signatures of an answer, then keeps successor, record and the payee's sealed coin in one commit.
//
// due says that the coin may be undelivered, and the payout not asked for.
func (r *run) outcome(p *plan, sent, body []byte, due bool) error {
	signed := p.signable(r.net)
	signatures, err := r.net.signatures(signed, body, r.moment.Now)
	if err != nil {
		return err
	}
	next := accountOf(&p.Next)
	if next.Signature, err = encodeSignature(&signatures[1]); err != nil {
		return err
	}
	// before anything is recorded: what follows from half of an answer is none
	var delivered []delivery
	if due {
		if delivered, err = r.messages(p, signatures); err != nil {
			return err
		}
	}
	var partials []byte
	if due && p.Withdrawn > 0 {
		if partials, err = r.net.certificate(signed, body, r.moment.Now); err != nil {
			return err
		}
	}
	number := r.record(p)
	for i := range delivered {
		delivered[i].Transfer = number
	}
	r.Deliveries = append(r.Deliveries, delivered...)
	if partials != nil {
		r.Redemptions = append(r.Redemptions, redemption{number, p.core, sent, partials})
	}
	// Another transfer that was in flight spends the same coin, or an older one, so it is never signed.
	if r.InFlight != nil && !r.isInFlight(p) {
		if err := r.drop(); err != nil {
			return err
		}
	}
	r.Account, r.InFlight, r.Session.Recovery = &next, nil, nil
	if w := r.Session.Walk; w != nil && len(w.Links) > 0 {
		if of, err := r.reopenLink(&w.Links[0]); err == nil && of.core() == p.core {
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
			return r.outcome(p, r.InFlight.Request, body, true)
		case code == "":
			return err
		case code == "serial-conflict" && r.Session.Walk == nil && r.Session.Recovery == nil:
			return r.followChain() // another copy of this wallet was first
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
				return &refusal{code: "transfer-in-flight", detail: "the transfer waits for its answer", silent: silentOf(err)}
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
//
// Of a payment to several payees, and without the keys of a claim of many coins, which another wallet made, it has no proof: the core
// is given up where that is safe, and waits otherwise.
func (r *run) renew(p *plan) error {
	if f := p.statement.Family; f != statement.FamilyTransfer && (f != statement.FamilyClaim16 || !r.provesClaims()) {
		return r.giveUp(p, refuse("not-supported", "a transfer of this shape cannot be proved again here"))
	}
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
	if err := withinLimits(r.Account, &all.limits, p.Period, p.memo.Paid); err != nil {
		return err
	}
	if p.Next.Held > all.limits.MaxHeld && p.Next.Held > r.Account.Held {
		return refuse("over-limit-held", "the limit on holding was lowered")
	}
	if _, err := all.absence(&p.Apk); err != nil {
		return err
	}
	_, err := all.absence(p.recipient())
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
		return &refusal{code: "transfer-in-flight", detail: "the authorities cannot be asked", silent: silentOf(err)}
	}
	if err != nil {
		return err
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
	// These never take the transfer, whatever the others say: they are too few to complete it.
	if shut < r.net.committee.Quorum() {
		return r.keepsInFlight(p, v, why)
	}
	payment := r.InFlight.Payment
	if !r.gaveUp(p.core) {
		r.Abandoned = append(r.Abandoned, recordOf(p, payment))
	}
	r.InFlight, r.Session.Recovery = nil, nil
	if w := r.Session.Walk; w != nil {
		// It was the walk's first link, so what the walk found behind it is none: the coin is looked up again.
		r.Session.Walk = &walk{Overtaken: w.Overtaken, Found: w.Found}
	}
	return r.commit()
}

// keepsInFlight says why a transfer is not given up. Where another core of this wallet spends the coin, or may, it is followed.
func (r *run) keepsInFlight(p *plan, v *verdict, why error) error {
	another := len(v.recovers) > 0 || slices.ContainsFunc(v.own, func(s shownTransfer) bool { return s.plan.core != p.core })
	switch {
	case v.unspent(r.net):
		return &refusal{code: "transfer-in-flight", detail: "authorities still take the transfer for a while: " + codeOf(why), answered: true}
	case another && r.Session.Walk == nil && r.Session.Recovery == nil:
		return r.followChain()
	case another:
		return &refusal{code: "serial-conflict", detail: "another core of this wallet spends the compliance coin", answered: true}
	default:
		return &refusal{code: "transfer-in-flight", detail: "authorities may hold the transfer", answered: true}
	}
}

// followChain has the command walk from the compliance coin, which another copy of this wallet has spent.
func (r *run) followChain() error {
	w, err := r.machine.wallet() // without what the run has changed
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	w.Session.Free, w.Session.Walk = false, &walk{}
	r.state.Wallet = encode(w)
	return errCommitted
}

func (r *run) gaveUp(core [32]byte) bool {
	return slices.ContainsFunc(r.Abandoned, func(a record) bool { return a.Core == core })
}
