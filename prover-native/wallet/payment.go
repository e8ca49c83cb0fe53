package wallet

import (
	"slices"

	"solidus.io/prover/suite"
)

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
