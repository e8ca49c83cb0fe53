package model

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Kind is a kind of worlds.
type Kind int

// The kinds of worlds.
const (
	Safety Kind = iota
	Liveness
	LookUps
	// Halves are safety worlds whose transfers claim several coins in the place of one.
	Halves
)

var kindNames = []string{"safety", "liveness", "look-ups", "halves"}

func (k Kind) String() string { return kindNames[k] }

// Config is what a world is run with.
type Config struct {
	Kind Kind
	// F is the number of dishonest authorities, of 3F+1.
	F int
	// Without is the rule that is left out.
	Without Rule
	// Trace receives what happens, or is nil.
	Trace func(format string, args ...any)
}

// Result is what a world came to.
type Result struct {
	// Violation is what went wrong, or empty.
	Violation string
	// Recovers is the number of completed recovers, Nested that of those over recovers.
	Recovers, Nested int
	// Rounds is how often an honest owner made a recover until one completed.
	Rounds int
}

// Run runs the world of a seed.
func Run(config Config, seed uint64) Result {
	random := rand.New(rand.NewPCG(seed, 0x736f6c69647573)) //nolint:gosec // worlds of a seed, no secrets
	if config.Kind == LookUps {
		return runLookUps(config, random)
	}
	w := newWorld(config, random)
	if config.Kind != Liveness {
		return w.safety()
	}
	return w.liveness()
}

const (
	limitSent   = 14
	limitHeld   = 14
	firstHeld   = 10
	periods     = 2
	ownerSerial = int8(0) // of the first compliance coin
)

// coin is one that the owner can claim.
type coin struct {
	serial int8
	value  int32
	// from is the class that made it, or none for one from outside.
	from int8
}

// world is one owner with the authorities.
type world struct {
	Config
	without Rule
	random  *rand.Rand
	honest  int
	cores   []core
	members [maxCores]set // of a class
	nSerial int8
	rows    [][maxSerials]int8
	signed  []set
	outside []coin
	made    []made
}

// made is a recover with its choice.
type made struct {
	choice choice
	core   int8
}

func newWorld(config Config, random *rand.Rand) *world {
	w := &world{Config: config, without: config.Without, random: random, honest: 2*config.F + 1, cores: make([]core, 0, maxCores)}
	w.rows = make([][maxSerials]int8, w.honest)
	w.signed = make([]set, w.honest)
	for i := range w.rows {
		for x := range w.rows[i] {
			w.rows[i][x] = none
		}
	}
	w.nSerial = 1
	w.outside = make([]coin, 3)
	if config.Kind == Halves {
		w.outside = make([]coin, 6)
	}
	for i := range w.outside {
		w.outside[i] = coin{w.serial(), int32(1 + random.IntN(4)), none}
	}
	return w
}

func (w *world) trace(format string, args ...any) {
	if w.Trace != nil {
		w.Trace(format, args...)
	}
}

func (w *world) serial() int8 { w.nSerial++; return w.nSerial - 1 }
func (w *world) full() bool   { return len(w.cores) >= maxCores || int(w.nSerial)+3 >= maxSerials }
func (w *world) chance(n int) bool {
	return w.random.IntN(n) == 0
}

// signers is the number of honest authorities that signed the statement of a class.
func (w *world) signers(class int8) (n int) {
	for _, s := range w.signed {
		if s&w.members[class] != 0 {
			n++
		}
	}
	return n
}

// complete says whether the dishonest authorities' help is enough for the statement's signatures.
func (w *world) complete(class int8) bool { return w.signers(class) > w.F }

// account is a compliance coin.
type account struct {
	class, serial int8
	held, sent    int32
	period        int8
}

var firstAccount = account{class: none, serial: ownerSerial, held: firstHeld}

// accounts are the compliance coins that are signed.
func (w *world) accounts(room []account) []account {
	room = append(room[:0], firstAccount)
	for i := range w.cores {
		if c := &w.cores[i]; c.class == int8(i) && w.complete(c.class) {
			room = append(room, account{c.class, c.next, c.held, c.sent, c.period})
		}
	}
	return room
}

// coins are the coins that are signed.
func (w *world) coins(room []coin) []coin {
	room = append(room[:0], w.outside...)
	for i := range w.cores {
		if c := &w.cores[i]; c.class == int8(i) && c.own > 0 && w.complete(c.class) {
			room = append(room, coin{c.coin, c.own, c.class})
		}
	}
	return room
}

// add puts a new core into the world, with new serial numbers for its outputs.
func (w *world) add(c core) int8 {
	i := int8(len(w.cores))
	c.class, c.next, c.coin = i, w.serial(), w.serial()
	w.members[i] = one(i)
	w.cores = append(w.cores, c)
	w.trace("core %d: %s", i, w.describe(i))
	return i
}

// alike puts a core into the world that has the digest D of another, hence its outputs' serial numbers.
func (w *world) alike(c core, of int8, sameStatement bool) int8 {
	i := int8(len(w.cores))
	c.next, c.coin = w.cores[of].next, w.cores[of].coin
	c.class = i
	if sameStatement {
		c.class = w.cores[of].class
	}
	w.members[c.class] |= one(i)
	w.cores = append(w.cores, c)
	w.trace("core %d, with the digest of %d: %s", i, of, w.describe(i))
	return i
}

func (w *world) describe(i int8) string {
	c := &w.cores[i]
	if c.recover {
		return fmt.Sprintf("recover lead %d below %b budget %d outflow %d held %d returns %d (%d) next %d", c.lead, c.below, c.budget, c.outflow,
			c.held, c.own, c.coin, c.next)
	}
	return fmt.Sprintf("transfer lead %d held %d claims %v and %v pays %d (own %d at %d) withdraws %d keeps %d period %d next %d forged %v", c.lead, c.before,
		c.in, c.more, c.paid, c.own, c.coin, c.withdrawn, c.held, c.period, c.next, c.forged)
}

// reserve writes the rows of a core at an authority, the lead first, and says which core is in the way.
// steps bounds the rows, for an authority that crashes.
func (w *world) reserve(at int, i int8, steps int) (serial, holder int8) {
	c := &w.cores[i]
	serial, holder = none, none
	row := func(x int8) bool {
		if steps == 0 {
			return false
		}
		steps--
		h := w.rows[at][x]
		switch {
		case h == none:
			w.rows[at][x] = i
		case h == i || c.recover && c.below.has(h):
		case w.without == OneCore && w.chance(2):
		default:
			serial, holder = x, h
			return false
		}
		return true
	}
	names := c.names
	if names.has(c.lead) {
		if !row(c.lead) {
			return serial, holder
		}
		names[c.lead>>6] &^= 1 << uint(c.lead&63)
	}
	names.each(row)
	return serial, holder
}

// deliver gives a core to an authority, which verifies it. A crash may stop it anywhere.
func (w *world) deliver(at int, i int8, mayCrash bool) (serial, holder int8) {
	if w.cores[i].forged {
		return none, none
	}
	if w.signed[at].has(i) {
		return none, none
	}
	steps := -1
	crash := mayCrash && w.chance(4)
	if crash {
		steps = w.random.IntN(4)
	}
	serial, holder = w.reserve(at, i, steps)
	if holder == none && !crash {
		w.signed[at] |= one(i)
		w.trace("authority %d signs core %d", at, i)
	} else if holder != none {
		w.trace("authority %d refuses core %d: %d is held by core %d", at, i, serial, holder)
	}
	return serial, holder
}

// transfer makes a transfer of an account as the circuit allows it.
func (w *world) transfer(from account, coins []coin, forged bool) core {
	c := core{lead: from.serial, spends: from.class, before: from.held, in: [2]input{{serial: none}, {serial: none}}, forged: forged}
	c.names.add(from.serial)
	sum := from.held
	for k := range c.in {
		if len(coins) == 0 || w.chance(2) {
			continue
		}
		chosen := coins[w.random.IntN(len(coins))]
		if c.names.has(chosen.serial) {
			continue
		}
		c.in[k] = input{chosen.serial, chosen.value}
		c.names.add(chosen.serial)
		sum += chosen.value
		for w.Kind == Halves && len(c.more[k]) < 2 && w.chance(2) {
			further := coins[w.random.IntN(len(coins))]
			if c.names.has(further.serial) {
				break
			}
			c.more[k] = append(c.more[k], input{further.serial, further.value})
			c.names.add(further.serial)
			sum += further.value
		}
	}
	c.period = from.period
	if w.chance(3) {
		c.period = min(from.period+1, periods-1)
	}
	if c.period == from.period {
		c.sent = from.sent
	}
	if w.chance(4) {
		c.paid = min(sum, limitSent-c.sent)
	} else if sum > 0 && !w.chance(3) {
		c.paid = min(int32(w.random.IntN(int(sum)+1)), limitSent-c.sent)
	}
	if w.chance(3) {
		c.own = c.paid
	}
	c.sent += c.paid
	sum -= c.paid
	if sum > 0 && w.chance(4) {
		c.withdrawn = int32(w.random.IntN(int(sum) + 1))
	}
	if kept := sum - c.withdrawn; kept > limitHeld && kept > from.held {
		c.withdrawn = sum - max(limitHeld, from.held)
	}
	c.held = sum - c.withdrawn
	return c
}

// violation judges a finished world.
func (w *world) violation() string {
	var out, in int32 = 0, firstHeld
	for _, c := range w.outside {
		in += c.value
	}
	var sent [periods]int32
	for i := range w.cores {
		c := &w.cores[i]
		if c.class != int8(i) || !w.complete(c.class) {
			continue
		}
		if c.held > limitHeld {
			return fmt.Sprintf("core %d holds %d, and %d are allowed", i, c.held, limitHeld)
		}
		if c.recover {
			continue
		}
		out += c.paid + c.withdrawn - c.own
		sent[c.period] += c.paid
		for j := range i {
			d := &w.cores[j]
			if d.class == int8(j) && c.names.meets(d.names) && w.complete(d.class) && !w.burns(int8(i), int8(j)) && !w.burns(int8(j), int8(i)) {
				return fmt.Sprintf("cores %d and %d name one serial number and both complete", j, i)
			}
		}
	}
	if out > in {
		return fmt.Sprintf("%d went in and %d came out", in, out)
	}
	for p, s := range sent {
		if s > limitSent {
			return fmt.Sprintf("%d were sent in period %d, and %d are allowed", s, p, limitSent)
		}
	}
	return ""
}

// burns says whether the statement of x is below that of y.
func (w *world) burns(y, x int8) bool {
	for rest := w.members[y]; rest != 0; rest &= rest - 1 {
		if w.cores[bits.TrailingZeros64(uint64(rest))].below&w.members[x] != 0 {
			return true
		}
	}
	return false
}
