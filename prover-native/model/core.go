package model

import (
	"math/bits"
	"slices"
)

const (
	maxCores   = 64
	maxSerials = 128
	none       = int8(-1)
)

// maxBelow is the largest number of cores below a recover.
const maxBelow = 16

// set is a set of cores.
type set uint64

func (s set) has(i int8) bool { return s>>uint(i)&1 == 1 }
func one(i int8) set          { return 1 << uint(i) }
func (s set) size() int       { return bits.OnesCount64(uint64(s)) }

// serials is a set of serial numbers.
type serials [2]uint64

func (s *serials) add(i int8)          { s[i>>6] |= 1 << uint(i&63) }
func (s serials) has(i int8) bool      { return s[i>>6]>>uint(i&63)&1 == 1 }
func (s serials) or(o serials) serials { return serials{s[0] | o[0], s[1] | o[1]} }
func (s serials) meets(o serials) bool { return s[0]&o[0] != 0 || s[1]&o[1] != 0 }
func (s serials) each(visit func(x int8) bool) {
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			if !visit(int8(w<<6 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// input is a claimed coin. Its serial number is none where there is no coin.
type input struct {
	serial int8
	value  int32
}

// core is a transfer or a recover.
type core struct {
	recover bool
	// class is the first core of the same statement; the others are in other blindings, and partial signatures on one are
	// as good as on the other.
	class int8
	lead  int8
	// spends is the class that made the spent compliance coin, or none.
	spends int8
	// next is the serial number of the new compliance coin, coin that of the first output, where that is the owner's own.
	next, coin int8
	names      serials

	// the new compliance coin
	held, sent int32
	period     int8
	// own is the value of the first output where that is the owner's own.
	own int32

	// a transfer
	before          int32
	paid, withdrawn int32
	in              [2]input
	// more are further coins, one half of which stands for one coin.
	more [2][]input
	// forged: one of its shown signatures is not one, so nobody signs it.
	forged bool

	// a recover
	below           set
	budget, outflow int32
	credited        serials // by it
	creditedBelow   serials // by it or by one below
	returned        serials // by those below
}

// half are the coins that one credit bit is about.
func (c *core) half(k int) []input {
	switch {
	case c.in[k].serial == none:
		return nil
	case len(c.more[k]) == 0:
		return c.in[k : k+1]
	}
	return append([]input{c.in[k]}, c.more[k]...)
}

// gone is what leaves the account for good when the core completes.
func (c *core) gone() int32 {
	if c.recover {
		return c.outflow
	}
	return c.paid + c.withdrawn
}

// kept is what the holding limit goes by.
func (c *core) kept() int32 {
	if c.recover {
		return c.held
	}
	return c.before
}

// choice is what the maker of a recover chooses.
type choice struct {
	first, second int8
	// credit says which coins of the first and of the second core it credits.
	credit [2][2]bool
	// returned is what it returns as a coin beyond what it has to.
	returned int32
}

// under is what is below a core, and the core itself.
func (w *world) under(i int8) set { return w.cores[i].below | one(i) }

// recover makes the core of a choice, or says that the rules forbid it.
func (w *world) recover(ch choice) (core, bool) {
	x1, x2 := &w.cores[ch.first], &w.cores[ch.second]
	if w.without == Nesting && (x1.recover || x2.recover) {
		return core{}, false
	}
	if w.without != InnerVerified && (x1.forged || x2.forged) {
		return core{}, false
	}
	below := w.under(ch.first) | w.under(ch.second)
	if below.size() > maxBelow {
		return core{}, false
	}
	chain := false
	if x2.lead != x1.lead {
		for rest := w.under(ch.first); rest != 0; rest &= rest - 1 {
			chain = chain || w.cores[bits.TrailingZeros64(uint64(rest))].next == x2.lead
		}
		if !chain && w.without != Related {
			return core{}, false
		}
	}
	r := core{recover: true, lead: x1.lead, below: below, spends: x1.spends, in: [2]input{{serial: none}, {serial: none}}}
	var next serials
	covered := true
	for rest := below; rest != 0; rest &= rest - 1 {
		i := int8(bits.TrailingZeros64(uint64(rest)))
		y := &w.cores[i]
		if next.has(y.next) && w.without != DistinctSuccessors {
			return core{}, false
		}
		next.add(y.next)
		if y.recover {
			r.returned.add(y.coin)
		} else if !w.under(ch.first).has(i) {
			covered = false
		}
	}
	if w.without == CoveredOnly {
		covered = true
	}

	//
	if x1.recover {
		r.credited = x1.credited
	}
	r.creditedBelow = x1.creditedBelow.or(x2.creditedBelow)
	var first, added int32
	for j, x := range []*core{x1, x2} {
		if x.recover || j == 1 && ch.first == ch.second {
			continue
		}
		for k := range x.in {
			half := x.half(k)
			if len(half) == 0 || !ch.credit[j][k] && w.without != MayNotCredit {
				continue
			}
			looked := half
			if w.without == WholeHalves {
				looked = half[:1]
			}
			if slices.ContainsFunc(looked, func(in input) bool {
				return r.returned.has(in.serial) && w.without != ReturnedNotCredited || r.credited.has(in.serial) && w.without != CreditOnce
			}) {
				continue
			}
			for _, in := range half {
				r.credited.add(in.serial)
				if j == 0 {
					first += in.value
				} else {
					added += in.value
				}
			}
		}
	}
	r.creditedBelow = r.creditedBelow.or(r.credited)
	if r.creditedBelow.meets(r.returned) && w.without != InheritedNotReturned && w.without != ReturnedNotCredited {
		return core{}, false
	}
	if x1.recover {
		first = x1.budget
	} else {
		first += x1.before
	}
	r.budget = first + added

	switch w1, w2 := x1.gone(), x2.gone(); {
	case covered:
		r.outflow = w1
	case chain && w.without != ChainAdds:
		r.outflow = w1 + w2
	case w.without == LargestBurnt:
		r.outflow = min(w1, w2)
	default:
		r.outflow = max(w1, w2)
	}
	issued := r.budget - r.outflow
	if issued < 0 {
		if w.without == Saturates {
			return core{}, false
		}
		issued = 0
	}
	r.own = min(ch.returned, issued)
	r.held = issued - r.own
	if kept := x1.kept(); r.held > kept && w.without != HeldKept {
		r.own, r.held = issued-kept, kept
	}

	r.period = max(x1.period, x2.period)
	if w.without == NewestPeriod {
		r.period = min(x1.period, x2.period)
	}
	for j, x := range []*core{x1, x2} {
		if x.period != r.period {
			continue
		}
		if w.without == LargestSent && j == 1 && x1.period == r.period {
			r.sent = min(r.sent, x.sent)
		} else {
			r.sent = max(r.sent, x.sent)
		}
	}

	//
	if w.without != BurnLead {
		r.names.add(r.lead)
	}
	if w.without != BurnSuccessors {
		r.names = r.names.or(next)
	}
	if w.without != BurnReturned {
		r.names = r.names.or(r.returned)
	}
	if w.without != NameCredited {
		r.names = r.names.or(r.credited)
	}
	return r, true
}
