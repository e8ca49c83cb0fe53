package wallet

import (
	"slices"

	"solidus.io/prover/statement"
)

// intent is what the last transfer of a command does. To is the wallet itself where nothing is paid.
type intent struct {
	to              *address
	paid, withdrawn uint64
	text            string
	account         *bankAccount
	request         []byte // id of the request that is paid
	expires         uint64 // in milliseconds, 0 for no end
}

// intentOf refuses what is no payment or withdrawal before anybody is asked.
func (r *run) intentOf(c *command) (*intent, error) {
	if c.Amount >= amountLimit || !isText(c.Text) {
		return nil, refuse("malformed-request", "an amount, and a text of at most 140 bytes")
	}
	if c.Kind == commandPay {
		return r.paymentOf(c)
	}
	account := &bankAccount{}
	if decode(c.Details, account) != nil || c.Payee != "" || c.Text != "" || c.Amount == 0 {
		return nil, refuse("malformed-request", "a withdrawal")
	}
	if err := account.normalise(); err != nil {
		return nil, err
	}
	return &intent{to: r.ownAddress(), withdrawn: c.Amount, account: account}, nil
}

// paymentOf reads whom to pay: an address, or a request, which may say the amount and says the text.
func (r *run) paymentOf(c *command) (*intent, error) {
	q, err := r.net.readRequestText(c.Payee)
	if err != nil {
		return nil, err
	}
	i := &intent{to: q.payee, paid: c.Amount, text: c.Text, request: q.id, expires: q.expires}
	if q.amount != 0 {
		i.paid = q.amount
	}
	if text := q.text(); text != "" {
		i.text = text
	}
	switch {
	case q.payee.Mailbox != "":
		return nil, refuse("foreign-mailbox", "the payee reads another mailbox than the network's")
	case len(c.Details) != 0 || i.paid == 0:
		return nil, refuse("malformed-request", "an amount above zero, and no details")
	case q.amount != 0 && c.Amount != 0 && c.Amount != q.amount, i.text != c.Text && c.Text != "":
		return nil, refuse("malformed-request", "the request has another amount or text")
	case q.currency != "" && q.currency != r.Profile.Currency:
		return nil, refuse("network-mismatch", "the request is in another currency than the network's")
	}
	return i, nil
}

func (r *run) ownAddress() *address {
	return &address{Apk: bytes32(&r.keys.apk), Key: [32]byte(r.keys.receiving.PublicKey().Bytes())}
}

// transfer makes the payment or withdrawal with this id, once.
func (r *run) transfer(id string, i *intent) error {
	if slices.ContainsFunc(r.Transfers, func(t record) bool { return t.Payment == id }) || r.isArchived(tracePayment, []byte(id)) {
		return nil
	}
	if done, err := r.found(id, i); done || err != nil {
		return err
	}
	if err := r.burnt(id, i); err != nil {
		return err
	}
	if i.expires != 0 && r.moment.Now >= i.expires {
		return refuse("request-expired", "the request was for an earlier time")
	}
	// one that was given up is told as such, and not made again behind the owner's back
	if slices.ContainsFunc(r.Abandoned, func(t record) bool { return t.Payment == id }) {
		return refuse("abandoned", "the payment was given up, and nothing was paid")
	}
	if r.Account == nil {
		return refuse("not-registered", "the wallet has no compliance coin")
	}
	if err := r.requireRoom(1, 0, 0); err != nil {
		return err
	}
	all, err := r.rules()
	if err != nil {
		return err
	}
	for _, apk := range [][32]byte{bytes32(&r.keys.apk), i.to.Apk} {
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
	many, err := r.claimsMany()
	if err != nil {
		return err
	}
	inputs, last, err := nextInputs(r.Account, &all.limits, all.period, r.Coins, i.paid, i.withdrawn, many)
	if err != nil {
		return err
	}
	if !last {
		i = &intent{to: r.ownAddress()} // a claim that has to come first
	}
	m := &memo{
		Time: r.moment.Now, Unfinished: r.unfinished(), Paid: i.paid, Withdrawn: i.withdrawn, Payee: i.to.Apk, PayeeKey: i.to.Key, Text: i.text,
	}
	for j := range inputs {
		m.Claimed = append(m.Claimed, claimed{inputs[j].Origin, inputs[j].Value, inputs[j].Rho})
	}
	coin, err := r.Account.coin()
	if err != nil {
		return err
	}
	lead := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	m.Counter = r.freshCounter(bytes32(&lead))
	payout, err := r.payoutBlock(&lead, i.account)
	if err != nil {
		return err
	}
	family := statement.FamilyTransfer
	if len(inputs) > 2 {
		family = statement.FamilyClaim16
	}
	p, err := r.net.planTransfer(r.keys, &coin, family, all.period, m, payout)
	if err != nil {
		return err
	}
	f := &inFlight{}
	if last {
		f.Payment = id
	}
	return r.makeRequest(p, all, f)
}

// found takes a transfer for the payment that the chain showed, and that this state does not know as such: it is a copy from
// before the payment was made, and the command at work goes on from there. It is better to miss a second payment that is equal
// than to make one twice.
func (r *run) found(id string, i *intent) (bool, error) {
	if i.request != nil && r.isArchived(traceRequest, i.to.Apk[:], i.request) {
		return true, nil
	}
	for at := range r.Transfers {
		t := &r.Transfers[at]
		m, err := t.memo()
		if err != nil {
			return false, err
		}
		if i.pays(m) {
			return true, nil // by this wallet, whatever the name of that payment
		}
		same := len(m.More) == 0 && m.Paid == i.paid && m.Withdrawn == i.withdrawn && m.Payee == i.to.Apk && m.Text == i.text
		if t.Payment == "" && same && m.Time >= r.state.Task.Began {
			t.Payment = id
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
		if m, err := r.Abandoned[i].memo(); err == nil {
			next = max(next, m.Counter+1)
		}
	}
	return next
}

// unfinished is how many transfers before the next one the oldest is whose coin was not seen in the mailbox, or whose payout
// was not asked for.
func (r *run) unfinished() uint32 {
	next := r.Archive.Count + uint32(len(r.Transfers)+1)
	oldest := next
	for i := range r.Deliveries {
		if d := &r.Deliveries[i]; d.Transfer != 0 && d.Stage != stageSeen && (d.Stage == stageWaiting || r.readsBucketOf(d.Payee)) {
			oldest = min(oldest, d.Transfer)
		}
	}
	for i := range r.Redemptions {
		oldest = min(oldest, r.Redemptions[i].Transfer)
	}
	return next - oldest
}
