package wallet

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
	v.Archived, v.Pages = w.Archive.Count, uint32(len(w.Archive.Pages))
	v.Unredeemed = uint32(len(w.Redemptions))
	v.Registering = w.Registration != nil && len(w.Registration.Cases) > 0
	for i := range w.Mints {
		v.Mints = append(v.Mints, viewMint{w.Mints[i].ID, w.Mints[i].Funding.ID, w.Mints[i].Value})
	}
	for i := range w.Coins {
		v.Coins = append(v.Coins, viewCoin{w.Coins[i].Value, w.Coins[i].Time, w.Coins[i].Text})
	}
	for i := range w.Transfers {
		rows, err := n.viewTransfer(&w.Transfers[i])
		if err != nil {
			return nil, err
		}
		v.History = append(v.History, rows...)
	}
	v.Mail.Private = len(w.Profile.Replicas) > 0
	if m := w.Mail; m != nil && v.Mail.Private {
		v.Mail.UpTo, v.Mail.Waiting, v.Mail.Overdue, v.Mail.NextQuery = second*m.List.Closed, uint32(len(m.Waiting)), m.Overdue, w.NextQuery
	}
	for i := range w.Recovers {
		c := &w.Recovers[i]
		v.Recovers = append(v.Recovers, viewRecover{c.Core, c.Time, c.Burnt, c.Returned, c.Lost})
	}
	return v, nil
}

// viewTransfer is a row for each payment. What the whole transfer withdrew and claimed is in the first one.
func (n *network) viewTransfer(t *record) (rows []viewTransfer, err error) {
	m, err := t.memo()
	if err != nil {
		return nil, err
	}
	for _, p := range m.payments() {
		one := viewTransfer{Core: t.Core, Payment: t.Payment, Time: m.Time, Paid: p.Paid, Text: p.Text}
		if p.Paid > 0 {
			one.Payee = n.writeAddress(&address{p.Payee, p.PayeeKey, p.Mailbox})
		}
		rows = append(rows, one)
	}
	rows[0].Withdrawn = m.Withdrawn
	for _, c := range m.Claimed {
		rows[0].Claimed += c.Value
	}
	return rows, nil
}
