package model

import "math/bits"

const (
	// maxRounds is how many recovers an honest owner may need on one lead.
	maxRounds = 12
	// maxSteps bounds all that it does.
	maxSteps = 200
	// An honest owner's devices leave at most so many cores behind.
	maxTransfers = 5
	maxRecovers  = 3
)

// liveness lets devices and a network do what they like, silences f authorities, and follows the wallet's rules from there.
func (w *world) liveness() Result {
	w.disorder()
	d := device{world: w, tip: firstAccount}
	rounds, locked := d.free()
	r := Result{Rounds: rounds}
	if locked != "" {
		r.Violation = locked
	} else {
		r.Violation = w.violation()
	}
	return r
}

// disorder is what several devices of one phrase, old copies, lost replies and dishonest authorities' help leave behind.
func (w *world) disorder() {
	var accounts []account
	var coins []coin
	transfers, recovers := 0, 0
	for range 6 + w.random.IntN(18) {
		switch p := w.random.IntN(8); {
		case p < 2 && transfers < maxTransfers:
			transfers++
			accounts, coins = w.accounts(accounts), w.coins(coins)
			from := accounts[w.random.IntN(len(accounts))]
			var own []coin
			for _, c := range coins {
				if w.claims(from, c) {
					own = append(own, c)
				}
			}
			w.add(w.transfer(from, own, false))
		case p == 2 && recovers < maxRecovers && len(w.cores) > 0:
			ch := choice{first: w.someCore(), second: w.someCore(), credit: [2][2]bool{{true, true}, {true, true}}}
			if r, ok := w.recover(ch); ok {
				recovers++
				w.addRecover(ch, r)
			}
		case len(w.cores) > 0:
			w.deliver(w.random.IntN(w.honest), w.someCore(), true)
		}
	}
}

// claims says whether an honest wallet with this compliance coin takes the coin for its own.
func (w *world) claims(from account, c coin) bool {
	if c.from == none {
		return true
	}
	for at := from.class; at != none; at = w.cores[at].spends {
		if at == c.from || !w.cores[c.from].recover && w.cores[at].below.has(c.from) {
			return true
		}
	}
	return false
}

// device is a wallet that is stuck.
type device struct {
	*world
	tip   account
	known set
	// passed are the compliance coins on the way to the tip.
	passed []account
	// elsewhere are coins that cores held that have nothing to do with the lead.
	elsewhere serials
}

// free follows the chain and recovers until a new core completes (W-10).
func (d *device) free() (rounds int, locked string) {
	tries := 0
	for step := 0; ; step++ {
		if step == maxSteps {
			return rounds, "the wallet walks in circles"
		}
		if d.follow() {
			tries = 0
			continue
		}
		if tries++; tries > maxRounds {
			return rounds, "no core completed"
		}
		d.look()
		if d.known&d.atTip() == 0 {
			if d.full() {
				return rounds, "no room"
			}
			i := d.add(core{lead: d.tip.serial, spends: d.tip.class, before: d.tip.held, held: d.tip.held, sent: d.tip.sent, period: d.tip.period,
				names: only(d.tip.serial), in: [2]input{{serial: none}, {serial: none}}})
			d.known |= one(i)
			if d.send(i) {
				return rounds, ""
			}
			continue
		}
		if d.sendKnown() {
			continue
		}
		rounds++
		r, ok := d.recoverKnown()
		if !ok {
			return rounds, "the rules leave no recover"
		}
		d.send(r)
	}
}

func only(x int8) (s serials) { s.add(x); return s }

// atTip are the cores that spend the newest compliance coin.
func (d *device) atTip() (s set) {
	for i := range d.cores {
		if d.cores[i].lead == d.tip.serial {
			s |= one(int8(i))
		}
	}
	return s
}

// follow goes on to the compliance coin of a completed core, the one with most below it. It passes those by that a known core
// burns somewhere.
func (d *device) follow() bool {
	best := none
	for rest := d.known & d.atTip() &^ d.burnt(); rest != 0; rest &= rest - 1 {
		i := int8(bits.TrailingZeros64(uint64(rest)))
		if d.signers(d.cores[i].class) == d.honest && (best == none || d.cores[i].below.size() > d.cores[best].below.size()) {
			best = i
		}
	}
	if best == none {
		return false
	}
	c := &d.cores[best]
	d.passed = append(d.passed, d.tip)
	d.tip = account{c.class, c.next, c.held, c.sent, c.period}
	d.trace("the wallet goes on behind core %d", best)
	return true
}

// burnt are the cores below a known one.
func (d *device) burnt() (s set) {
	for rest := d.known; rest != 0; rest &= rest - 1 {
		s |= d.cores[bits.TrailingZeros64(uint64(rest))].below
	}
	return s
}

// back returns to the lead of a recover that burns what the wallet went on behind. Any other core with an earlier lead has lost.
func (d *device) back(holder int8) bool {
	walked := one(d.tip.class)
	for k := len(d.passed) - 1; k >= 0; k-- {
		a := d.passed[k]
		if a.serial == d.cores[holder].lead {
			if d.cores[holder].below&walked == 0 {
				return false
			}
			d.tip, d.passed = a, d.passed[:k]
			d.known |= one(holder)
			d.trace("the wallet goes back to lead %d", a.serial)
			return true
		}
		walked |= one(a.class)
	}
	return false
}

// look asks for the holders of the lead.
func (d *device) look() {
	for at := range d.honest {
		h := d.rows[at][d.tip.serial]
		if h == none {
			continue
		}
		if d.cores[h].lead == d.tip.serial {
			d.known |= one(h)
		} else if d.without != RefusalShowsHolder && d.back(h) {
			return
		}
	}
}

// send gives a core to every authority that answers, and learns from refusals.
func (d *device) send(i int8) bool {
	signed := true
	for at := range d.honest {
		serial, holder := d.deliver(at, i, false)
		if d.signed[at].has(i) {
			continue
		}
		signed = false
		if holder == none || d.without == RefusalShowsHolder {
			continue
		}
		switch {
		case d.leads().has(d.cores[holder].lead):
			d.known |= one(holder)
		case d.back(holder):
			return false
		default:
			d.elsewhere.add(serial)
		}
	}
	return signed
}

// leads are the lead and the successors of what is known on it.
func (d *device) leads() serials {
	leads := only(d.tip.serial)
	d.family(func(i int8) { leads.add(d.cores[i].next) })
	return leads
}

// family visits the known cores that spend the tip or a successor, parents first.
func (d *device) family(visit func(int8)) {
	leads := only(d.tip.serial)
	var seen set
	for found := true; found; {
		found = false
		for rest := d.known &^ seen; rest != 0; rest &= rest - 1 {
			i := int8(bits.TrailingZeros64(uint64(rest)))
			if leads.has(d.cores[i].lead) {
				seen |= one(i)
				leads.add(d.cores[i].next)
				visit(i)
				found = true
			}
		}
	}
}

// sendKnown sends the known cores again, those with most below them first.
func (d *device) sendKnown() bool {
	for size := maxBelow; size >= 0; size-- {
		for rest := d.known & d.atTip() &^ d.burnt(); rest != 0; rest &= rest - 1 {
			i := int8(bits.TrailingZeros64(uint64(rest)))
			if d.cores[i].below.size() == size && d.send(i) {
				return true
			}
		}
	}
	return false
}

// recoverKnown makes a recover over everything known.
func (d *device) recoverKnown() (int8, bool) {
	last := none
	ok := true
	over := func(second int8) {
		first := last
		if first == none {
			first = second
		} else if d.cores[first].below.has(second) || first == second {
			return
		}
		ch := choice{first: first, second: second}
		for j, x := range []int8{first, second} {
			for k, in := range d.cores[x].in {
				ch.credit[j][k] = in.serial != none && !d.elsewhere.has(in.serial)
			}
		}
		r, possible := d.recover(ch)
		if !possible || d.full() {
			ok = false
			return
		}
		last = d.addRecover(ch, r)
		d.known |= one(last)
	}
	var members []int8
	d.family(func(i int8) { members = append(members, i) })
	if len(members) == 1 {
		over(members[0])
		return last, ok
	}
	for i, m := range members {
		if i == 0 {
			last = m
			continue
		}
		if ok {
			over(m)
		}
	}
	return last, ok
}
