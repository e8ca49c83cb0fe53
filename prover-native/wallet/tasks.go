package wallet

import (
	"encoding/binary"
	"slices"
)

// task is the command at work. Every part of it asks the wallet what is done and does what is not, because it begins again after
// each commit. What waits for the mailbox and for a payout is asked for at its end, also when it is refused.
func (r *run) task() error {
	if r.Session.Refused == "" {
		err := r.work(&r.state.Task.command)
		switch code := codeOf(err); {
		case err != nil && code == "":
			return err
		case code != "" && r.Session.Connected && silentOf(err) != roleGateway && len(r.Deliveries)+len(r.Redemptions) > 0:
			// to a gateway with other keys nothing is posted, and one that does not answer is not asked again
			return r.refused(err)
		case err != nil:
			return err
		}
	}
	if err := r.deliver(); err != nil {
		return err
	}
	if err := r.pauseBeforePayouts(); err != nil {
		return err
	}
	if err := r.redeem(); err != nil {
		return err
	}
	if code := r.Session.Refused; code != "" {
		return refuse(code, "what the command asked for")
	}
	return nil
}

// pauseBeforePayouts: a request at once would show how long it took to open what a private reading brought. A message waits before it
// is posted in any case.
func (r *run) pauseBeforePayouts() error {
	if !r.Session.Private || len(r.Redemptions) == 0 || r.isOut(roleIssuance) {
		return nil
	}
	return r.sleep(binary.BigEndian.Uint64(r.draws()("payout-delay", 8)) % maxDelay)
}

// refused keeps the code with which the work ended, and nothing else of what the run has changed: the command goes on with what
// waits, and does not work again.
func (r *run) refused(why error) error {
	w, err := r.machine.wallet()
	if err != nil {
		return err
	}
	w.Session.Refused = codeOf(why)
	w.Session.Out |= 1 << silentOf(why)
	r.state.Wallet = encode(w)
	clear(w.Seed[:])
	return errCommitted
}

// isOut reports whether a service is out of order: then everything that waits for it would wait in vain.
func (r *run) isOut(role uint8) bool { return r.Session.Out&(1<<role) != 0 }

// goesOut keeps that a service is out of order, until the command ends.
func (r *run) goesOut(role uint8) error {
	r.Session.Out |= 1 << role
	return r.commit()
}

// behindOthers puts one of a list behind the others.
func behindOthers[T any](all []T, i int) []T {
	one := all[i]
	return append(slices.Delete(all, i, i+1), one)
}

func (r *run) work(c *command) error {
	var last *intent
	switch c.Kind {
	case commandPay, commandWithdraw:
		var err error
		if last, err = r.intentOf(c); err != nil {
			return err
		}
	}
	if c.Kind == commandRecover {
		return r.recover(c.Details)
	}
	if err := r.ready(); err != nil {
		return err
	}
	switch c.Kind {
	case commandReceive:
		// Before the mailbox is read: a request behind it would show how long it took to open what came. Before a payment the
		// registration service and the gateway together would find by the time whose look-ups follow.
		if err := r.fetchTokens(); err != nil {
			return err
		}
		if r.isPrivate() {
			return r.readPrivately()
		}
		return r.readMailbox()
	case commandReceiveWhole:
		if err := r.fetchTokens(); err != nil {
			return err
		}
		return r.readMailbox()
	case commandPay, commandWithdraw:
		return r.transfer(c.ID, last)
	case commandMint:
		return r.mint(c)
	case commandCollect:
		return r.collect()
	case commandRegister:
		if err := r.register(c); err != nil {
			return err
		}
		return r.fetchTokens()
	}
	return nil
}

// ready finishes what an earlier command left: a restore, and a transfer in flight.
func (r *run) ready() error {
	// first, because it may be what fills the state
	if r.forgetExpired() {
		return r.commit()
	}
	if err := r.archive(); err != nil {
		return err
	}
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
		r.Place, r.Mail = nil, nil
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
	if r.Account != nil {
		if g := r.Registration; g != nil && len(g.Cases) > 0 && r.Registered == nil {
			r.Registered = &g.Cases[len(g.Cases)-1]
		}
		r.Registration = nil
	}
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
