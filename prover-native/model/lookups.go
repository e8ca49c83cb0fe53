package model

import (
	"fmt"
	"math/rand/v2"
)

// state is what an authority signs about a lead serial number.
type state struct {
	nonce  int
	holder int8 // core, or none
	floor  int
}

// authority is one of a world of look-ups.
type authority struct {
	rows map[int8]int8
	// signed are the cores that it signed.
	signed set
	// period is that of its policy; the one before is open for a while.
	period int
	open   bool
	// said are the states that it signed so far, which the gateway may keep.
	said []state
}

// floor is the oldest period of a new core that it takes from now on.
func (a *authority) floor() int {
	if a.open {
		return a.period - 1
	}
	return a.period
}

// post is a core on its way to an authority, in the gateway's hands.
type post struct {
	core int8
	to   int
}

// file is a wallet's file.
type file struct {
	lead     int8
	inFlight int8
}

type payment struct {
	lead, next int8
	period     int
}

// lookUps is a world of one wallet, a hostile gateway and honest authorities.
type lookUps struct {
	Config
	random      *rand.Rand
	authorities []authority
	cores       []payment
	leads       int8
	posts       []post
	file, old   file
	nonce       int
	newest      int // period of the newest countersigned policy
	closed      int // newest period that a countersigned policy ended
}

func runLookUps(config Config, random *rand.Rand) Result {
	w := &lookUps{Config: config, random: random, authorities: make([]authority, 3*config.F+1), file: file{inFlight: none}, leads: 1}
	w.old = w.file
	for i := range w.authorities {
		w.authorities[i] = authority{rows: map[int8]int8{}}
	}
	for range 10 + random.IntN(30) {
		w.act()
	}
	// The gateway is honest from here on, and everything that it kept arrives.
	for _, p := range w.posts {
		w.arrive(p, false)
	}
	w.posts = nil
	for range 3 {
		for i := range w.authorities {
			w.authorities[i].period, w.authorities[i].open = w.newest, false
		}
	}
	w.closed = w.newest - 1
	for range 12 {
		lead := w.file.lead
		if w.step(true); w.file.lead != lead {
			return Result{}
		}
	}
	return Result{Violation: fmt.Sprintf("the wallet is locked at lead %d with core %d in flight", w.file.lead, w.file.inFlight)}
}

func (w *lookUps) quorum() int { return 2*w.F + 1 }
func (w *lookUps) chance(n int) bool {
	return w.random.IntN(n) == 0
}

func (w *lookUps) trace(format string, args ...any) {
	if w.Trace != nil {
		w.Trace(format, args...)
	}
}

func (w *lookUps) act() {
	switch p := w.random.IntN(12); {
	case p < 5:
		if len(w.cores) < 40 && w.leads < 60 {
			w.step(false)
		}
	case p < 8 && len(w.posts) > 0:
		k := w.random.IntN(len(w.posts))
		w.arrive(w.posts[k], true)
		if w.chance(2) {
			w.posts = append(w.posts[:k], w.posts[k+1:]...)
		}
	case p == 8:
		a := &w.authorities[w.random.IntN(len(w.authorities))]
		if a.period < w.newest {
			a.period, a.open = a.period+1, true
		} else {
			a.open = false
		}
	case p == 9 && w.chance(2):
		w.newest++
		w.trace("policy: period %d", w.newest)
	case p == 10:
		w.old = w.file
	case p == 11 && w.chance(3):
		// The copy is used once nothing of the other is on its way any more.
		for _, x := range w.posts {
			if w.chance(2) {
				w.arrive(x, true)
			}
		}
		w.posts = nil
		w.trace("the wallet goes on from an older copy: lead %d, core %d", w.old.lead, w.old.inFlight)
		w.file = w.old
	}
}

// arrive gives a core to an authority, which may crash after it reserved. A holder passes the windows (V-23).
func (w *lookUps) arrive(p post, mayCrash bool) bool {
	a, c := &w.authorities[p.to], w.cores[p.core]
	if a.signed.has(p.core) {
		return true
	}
	holder, held := a.rows[c.lead]
	if held && holder != p.core {
		return false
	}
	if (!held || w.Without == HolderPasses) && w.votes(p.core) <= w.F && (c.period < a.floor() || c.period > a.period) {
		return false
	}
	a.rows[c.lead] = p.core
	if mayCrash && w.chance(4) {
		w.trace("authority %d reserves for core %d and crashes", p.to, p.core)
		return false
	}
	a.signed |= one(p.core)
	w.trace("authority %d signs core %d", p.to, p.core)
	return true
}

func (w *lookUps) votes(i int8) (n int) {
	for k := range w.authorities {
		if w.authorities[k].signed.has(i) {
			n++
		}
	}
	return n
}

// ask is a look-up: what counts for the wallet, one state for each authority (W-09).
func (w *lookUps) ask(honestly bool, lead int8) map[int]state {
	w.nonce++
	said := map[int]state{}
	for k := range w.authorities {
		a := &w.authorities[k]
		now := state{nonce: w.nonce, holder: none, floor: a.floor()}
		if h, held := a.rows[lead]; held {
			now.holder = h
		}
		switch p := w.random.IntN(8); {
		case honestly || p < 4:
			a.said = append(a.said, now)
			said[k] = now
		case p == 4 && len(a.said) > 0 && w.Without == FreshNonce:
			said[k] = a.said[w.random.IntN(len(a.said))]
			if said[k].holder != none && w.cores[said[k].holder].lead != lead {
				delete(said, k)
			}
		case p == 5 && w.Without == Signed:
			said[k] = state{nonce: w.nonce, holder: none, floor: 1 << 20}
		}
	}
	return said
}

// step is the wallet's next step (W-03).
func (w *lookUps) step(honestly bool) {
	quorum := w.quorum()
	if w.Without == StateQuorum {
		quorum = w.F + 1
	}
	if w.file.inFlight == none {
		if w.Without == AskFirst {
			w.pay(honestly)
			return
		}
		free := 0
		shown := map[int8]int{}
		for _, s := range w.ask(honestly, w.file.lead) {
			if s.holder == none {
				free++
			} else {
				shown[s.holder]++
			}
		}
		switch {
		case len(shown) > 0:
			w.file.inFlight = most(shown)
			w.trace("the wallet finds core %d", w.file.inFlight)
			w.send(honestly)
		case free >= quorum:
			w.pay(honestly)
		}
		return
	}
	w.send(honestly)
	if w.file.inFlight == none || w.cores[w.file.inFlight].period >= w.newest && !honestly {
		return
	}
	free := 0
	shown := map[int8]int{}
	for _, s := range w.ask(honestly, w.file.lead) {
		if s.holder != none {
			shown[s.holder]++
		} else if w.Without == Floors || s.floor > w.cores[w.file.inFlight].period {
			free++
		}
	}
	if shown[w.file.inFlight] <= w.F && free >= quorum && w.cores[w.file.inFlight].period < w.newest {
		w.trace("the wallet gives core %d up", w.file.inFlight)
		w.file.inFlight = none
		w.pay(honestly)
		return
	}
	delete(shown, w.file.inFlight)
	if len(shown) > 0 {
		if other := most(shown); shown[other] > w.F {
			w.trace("the wallet goes over to core %d", other)
			w.file.inFlight = other
		}
	}
}

// most is the core that most authorities show, the later one of two.
func most(shown map[int8]int) int8 {
	best := none
	for i, n := range shown {
		if best == none || n > shown[best] || n == shown[best] && i > best {
			best = i
		}
	}
	return best
}

func (w *lookUps) pay(honestly bool) {
	w.cores = append(w.cores, payment{w.file.lead, w.leads, w.newest})
	w.leads++
	w.file.inFlight = int8(len(w.cores) - 1)
	w.trace("core %d: lead %d period %d", w.file.inFlight, w.file.lead, w.newest)
	w.send(honestly)
}

// send gives the core in flight to the gateway, twice where the certificate of the first answers helps.
func (w *lookUps) send(honestly bool) {
	i := w.file.inFlight
	signatures := 0
	for range 2 {
		signatures = 0
		for k := range w.authorities {
			switch {
			case honestly || w.chance(3):
				if w.arrive(post{i, k}, !honestly) {
					signatures++
				}
			case w.chance(2):
				w.posts = append(w.posts, post{i, k})
			}
		}
	}
	if signatures >= w.quorum() {
		w.trace("core %d is complete", i)
		w.file = file{w.cores[i].next, none}
	}
}
