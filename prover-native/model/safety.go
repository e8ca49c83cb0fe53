package model

// safety lets the adversary do what it likes, then cashes everything in.
func (w *world) safety() Result {
	var accounts []account
	var coins []coin
	steps := 8 + w.random.IntN(28)
	for range steps {
		if w.full() {
			break
		}
		switch p := w.random.IntN(20); {
		case p < 5:
			accounts, coins = w.accounts(accounts), w.coins(coins)
			w.adversarialTransfer(accounts, coins)
		case p < 9 && len(w.cores) > 0:
			w.adversarialRecover()
		case len(w.cores) > 0:
			i := w.someCore()
			if w.chance(3) {
				for _, at := range w.random.Perm(w.honest) {
					w.deliver(at, i, false)
				}
			} else {
				w.deliver(w.random.IntN(w.honest), i, true)
			}
		}
	}
	w.deliverAll()
	w.cashIn()
	r := Result{Violation: w.violation()}
	for i := range w.cores {
		if c := &w.cores[i]; c.recover && c.class == int8(i) && w.complete(c.class) {
			r.Recovers++
			for j := range w.cores {
				if c.below.has(int8(j)) && w.cores[j].recover {
					r.Nested++
					break
				}
			}
		}
	}
	return r
}

// someCore is a random core, a new one rather than an old one.
func (w *world) someCore() int8 {
	n := len(w.cores)
	if w.chance(2) {
		return int8(w.random.IntN(n))
	}
	return int8(max(0, n-1-w.random.IntN(4)))
}

func (w *world) adversarialTransfer(accounts []account, coins []coin) {
	if len(w.cores) > 0 && w.chance(5) {
		of := w.someCore()
		if c := &w.cores[of]; !c.recover {
			w.alikeTransfer(of, accounts)
			return
		}
	}
	from := accounts[len(accounts)-1]
	if w.chance(2) {
		from = accounts[w.random.IntN(len(accounts))]
	}
	forged := w.chance(12)
	if forged { // a coin, or a compliance coin, that nobody signed
		if len(w.cores) > 0 && w.chance(2) {
			c := &w.cores[w.someCore()]
			from = account{c.class, c.next, c.held, c.sent, c.period}
		} else {
			coins = append(coins, coin{w.serial(), 9, none})
		}
	}
	w.add(w.transfer(from, coins, forged))
}

// alikeTransfer makes another transfer with the serial numbers of one, hence with its digest D where it withdraws the same,
// or the same in another blinding.
func (w *world) alikeTransfer(of int8, accounts []account) {
	old := w.cores[of]
	if w.chance(3) {
		w.alike(old, of, true)
		return
	}
	var in []coin
	for _, claimed := range old.in {
		if claimed.serial != none {
			in = append(in, coin{claimed.serial, claimed.value, none})
		}
	}
	for _, from := range accounts {
		if from.serial != old.lead {
			continue
		}
		c := w.transfer(from, nil, old.forged)
		sum := from.held
		for k, claimed := range in {
			c.in[k] = input{claimed.serial, claimed.value}
			c.names.add(claimed.serial)
			sum += claimed.value
		}
		if c.more = old.more; w.Kind == Halves {
			c.in = old.in // each half where it was
		}
		for _, more := range c.more {
			for _, claimed := range more {
				c.names.add(claimed.serial)
				sum += claimed.value
			}
		}
		if sum < old.withdrawn {
			continue
		}
		c.withdrawn = old.withdrawn
		if c.period != from.period {
			c.sent = 0
		} else {
			c.sent = from.sent
		}
		c.paid = min(int32(w.random.IntN(int(sum-old.withdrawn)+1)), limitSent-c.sent)
		c.own = 0
		if w.chance(3) {
			c.own = c.paid
		}
		c.sent += c.paid
		c.held = sum - c.paid - c.withdrawn
		if c.held > limitHeld && c.held > from.held {
			continue
		}
		w.alike(c, of, false)
		return
	}
}

func (w *world) adversarialRecover() {
	for range 4 {
		ch := choice{first: w.someCore(), second: w.someCore()}
		if w.chance(8) {
			ch.second = ch.first
		}
		for j := range ch.credit {
			for k := range ch.credit[j] {
				ch.credit[j][k] = !w.chance(5)
			}
		}
		if w.chance(3) {
			ch.returned = int32(w.random.IntN(8))
		}
		r, ok := w.recover(ch)
		if !ok {
			continue
		}
		w.addRecover(ch, r)
		return
	}
}

// addRecover puts a recover into the world. Its digest D covers the choice but for the split of what it issues.
func (w *world) addRecover(ch choice, r core) int8 {
	ch.returned = 0
	for _, m := range w.made {
		if m.choice == ch {
			old := &w.cores[m.core]
			if w.Kind == Liveness { // an honest wallet makes the same core again
				return m.core
			}
			return w.alike(r, m.core, old.held == r.held && old.own == r.own)
		}
	}
	i := w.add(r)
	w.made = append(w.made, made{ch, i})
	return i
}

func (w *world) deliverAll() {
	for range 2 {
		for _, i := range w.random.Perm(len(w.cores)) {
			for _, at := range w.random.Perm(w.honest) {
				w.deliver(at, int8(i), false)
			}
		}
	}
}

// cashIn spends every signed compliance coin with every signed coin as far as the authorities let it.
func (w *world) cashIn() {
	var accounts []account
	var coins []coin
	for range 3 {
		accounts, coins = w.accounts(accounts), w.coins(coins)
		before := len(w.cores)
		for _, a := range w.random.Perm(len(accounts)) {
			from := accounts[a]
			free, taken := w.free(from.serial, set(1)<<uint(w.honest)-1)
			if !taken {
				continue
			}
			if w.full() {
				return
			}
			c := core{lead: from.serial, spends: from.class, before: from.held, in: [2]input{{serial: none}, {serial: none}}, period: from.period, sent: from.sent}
			c.names.add(from.serial)
			sum, k := from.held, 0
			for _, j := range w.random.Perm(len(coins)) {
				if k == len(c.in) {
					break
				}
				if c.names.has(coins[j].serial) {
					continue
				}
				if left, enough := w.free(coins[j].serial, free); enough {
					c.in[k] = input{coins[j].serial, coins[j].value}
					c.names.add(coins[j].serial)
					sum, free, k = sum+coins[j].value, left, k+1
				}
			}
			if sum == 0 && k == 0 {
				continue
			}
			c.paid = min(sum, limitSent-c.sent)
			c.sent += c.paid
			c.withdrawn = sum - c.paid
			i := w.add(c)
			for at := range w.honest {
				w.deliver(at, i, false)
			}
		}
		if len(w.cores) == before {
			return
		}
	}
}

// free are those of the authorities that hold a serial number for nobody, and whether they are enough.
func (w *world) free(x int8, among set) (set, bool) {
	var left set
	for at := range w.honest {
		if among.has(int8(at)) && w.rows[at][x] == none {
			left |= one(int8(at))
		}
	}
	return left, left.size() > w.F
}
