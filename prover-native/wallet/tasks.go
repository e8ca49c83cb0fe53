package wallet

// task is the command at work. Every part of it asks the wallet what is done and does what is not, because it begins again after
// each commit.
func (r *run) task() error {
	c := &r.state.Task.command
	var last *intent
	switch c.Kind {
	case commandPay, commandWithdraw:
		var err error
		if last, err = r.intentOf(c); err != nil {
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
	case commandPay, commandWithdraw:
		if err := r.transfer(c.ID, last); err != nil {
			return err
		}
	case commandMint:
		if err := r.mint(c); err != nil {
			return err
		}
	case commandCollect:
		if err := r.collect(); err != nil {
			return err
		}
	case commandRegister:
		if err := r.register(c); err != nil {
			return err
		}
	}
	if err := r.deliver(); err != nil {
		return err
	}
	return r.redeem()
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
	if r.Account != nil {
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
