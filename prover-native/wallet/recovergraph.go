package wallet

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// The cores of this wallet that spend one compliance coin or a successor of it, and what the authorities say of the serial numbers
// that these name.

// serialNumber is one as it is encoded.
type serialNumber = [32]byte

type serialSet = map[serialNumber]bool

// familyCore is a core of this wallet, as a recover over it needs it.
type familyCore struct {
	core    [32]byte
	recover bool
	// entries are those below it in an order in which each is after those that it is over, then its own.
	entries []belowEntry
	lead    serialNumber
	next    transfer.Compliance
	// nextSerial is that of next, returned that of the coin that a recover returns, 0 for a transfer.
	nextSerial, returned serialNumber
	named                serialSet
	// halves are the coins that a transfer claims, without dummies, in the two parts that a recover credits.
	halves        [2][]serialNumber
	credited      serialSet // by a recover
	returnedBelow serialSet // by it and those below it
	opening       recovery.Core
	// base is the most that a recover over it may hold.
	base       uint64
	period     uint32 // of a transfer
	time       uint64
	unfinished uint32
	claimed    [][32]byte // rho of each coin that it and those below it claim
	requests   [][]byte
	// output stands for those of a recover over it that are not made yet.
	output statement.BlindedCoin
}

func serialsOf(all []suite.Field) serialSet {
	set := serialSet{}
	for i := range all {
		set[bytes32(&all[i])] = true
	}
	return set
}

// family is a transfer as a recover over it needs it.
func (p *plan) family(n *network, k *secrets, raw []byte) (*familyCore, error) {
	request, err := n.readRequest(raw)
	if err != nil {
		return nil, err
	}
	e := p.Entry(n.Hasher())
	serials := p.statement.Serials
	x := &familyCore{
		core: p.core, lead: bytes32(&serials[0]), next: p.Next, named: serialsOf(serials), base: p.Cc.Held, time: p.memo.Time,
		period:     p.statement.Period,
		unfinished: p.memo.Unfinished, output: p.statement.Outputs[0],
		entries: []belowEntry{{core: p.core, json: belowJSON{Transfer: &transferBelowJSON{request.Statement, request.Evidence}}}},
		opening: recovery.Core{
			D: p.D, Seed: p.Seed, S: p.Blindings[1].S, Period: p.Next.Period, Sent: p.Next.Sent, Count: p.Next.Count, Held: p.Next.Held, Com: e.Com,
			Counterparty: e.Counterparty, Values: [3]uint64{e.Paid, e.In1, e.In2}, Withdrawn: e.Withdraw, Origins: [2]hash.Origin{e.Origin1, e.Origin2},
			Escrow: e.Escrow, R: e.R,
		},
	}
	next := n.Hasher().Serial(k.snk, p.Next.Rho)
	x.nextSerial = bytes32(&next)
	half := len(serials) / 2
	for i, c := range p.memo.Claimed {
		part := 0
		if i >= half {
			part = 1
		}
		x.halves[part] = append(x.halves[part], bytes32(&serials[1+i]))
		x.claimed = append(x.claimed, c.Rho)
	}
	return x, nil
}

// family is a recover as a recover over it needs it.
func (o *ownRecover) family(n *network, k *secrets) (*familyCore, error) {
	m := o.memo
	x := &familyCore{
		core: o.core, recover: true, lead: bytes32(&o.Serials[0]), next: o.next, named: serialsOf(o.Serials), base: m.Held, time: m.Time,
		unfinished: m.Unfinished, claimed: m.Claimed, output: o.statement.Outputs[0], credited: serialsOf(o.Serials[1:]), returnedBelow: serialSet{},
	}
	var err error
	if x.opening, err = o.opening(); err != nil {
		return nil, err
	}
	x.entries = append(slices.Clone(o.entries), belowEntry{
		core: o.core, over: o.over, json: belowJSON{Recover: &recoverBelowJSON{o.json.Statement, o.json.Evidence}}, lead: o.Serials[0], d: o.D,
	})
	for i := range x.entries {
		r := x.entries[i].json.Recover
		if r == nil {
			continue
		}
		for j := range r.Statement.Next {
			delete(x.credited, serialNumber(r.Statement.Next[j]))
			if returned := serialNumber(r.Statement.Returned[j]); returned != (serialNumber{}) {
				x.returnedBelow[returned] = true
				delete(x.credited, returned)
			}
		}
	}
	next, returned := n.Hasher().Serial(k.snk, o.next.Rho), n.Hasher().Serial(k.snk, o.rho)
	x.nextSerial, x.returned = bytes32(&next), bytes32(&returned)
	x.returnedBelow[x.returned] = true
	return x, nil
}

// covers reports whether a core is this one or below it.
func (x *familyCore) covers(core [32]byte) bool {
	return slices.ContainsFunc(x.entries, func(e belowEntry) bool { return e.core == core })
}

func (x *familyCore) below() int { return len(x.entries) - 1 }

// many is how many coins a claim of many claims.
func (x *familyCore) many() int {
	if len(x.halves[0])+len(x.halves[1]) > 2 {
		return len(x.claimed)
	}
	return 0
}

// family is what a wallet knows of a locked account.
type family struct {
	net   *network
	lead  serialNumber
	known []*familyCore
	// said is what authorities signed about a serial number, holders are the cores of it, free how many signed that it has none.
	said    map[serialNumber][]saying
	holders map[serialNumber][][32]byte
	free    map[serialNumber]int
	// evenIfPaid says that the owner has what may have completed burnt, too.
	evenIfPaid bool
}

// hear takes what authorities signed about a serial number.
func (f *family) hear(serial serialNumber, said []saying) {
	f.said[serial] = said
	for i := range said {
		if said[i].Held {
			f.holders[serial] = append(f.holders[serial], said[i].Core)
		} else {
			f.free[serial]++
		}
	}
}

func (f *family) find(core [32]byte) *familyCore {
	if at := slices.IndexFunc(f.known, func(x *familyCore) bool { return x.core == core }); at >= 0 {
		return f.known[at]
	}
	return nil
}

func (f *family) isFamily(core [32]byte) bool {
	return slices.ContainsFunc(f.known, func(x *familyCore) bool { return x.covers(core) })
}

func (f *family) atLead() (all []*familyCore) {
	for _, x := range f.known {
		if x.lead == f.lead {
			all = append(all, x)
		}
	}
	return all
}

// serials are all that has to be asked for, in the order in which it became known.
func (f *family) serials() (all []serialNumber) {
	seen := serialSet{}
	add := func(sn serialNumber) {
		if !seen[sn] {
			seen[sn] = true
			all = append(all, sn)
		}
	}
	add(f.lead)
	for _, x := range f.known {
		add(x.nextSerial)
		for _, sn := range slices.SortedFunc(maps.Keys(x.named), func(a, b serialNumber) int { return bytes.Compare(a[:], b[:]) }) {
			add(sn)
		}
	}
	return all
}

// toSend may still complete and is below no known recover, the one with most below it first.
func (f *family) toSend() (all []*familyCore) {
	for _, x := range f.atLead() {
		if !f.isBurnt(x) {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(x, y *familyCore) int {
		return cmp.Or(cmp.Compare(y.below(), x.below()), bytes.Compare(x.core[:], y.core[:]))
	})
	return all
}

// isBurnt reports whether a known recover burns a core.
func (f *family) isBurnt(x *familyCore) bool {
	return slices.ContainsFunc(f.known, func(o *familyCore) bool { return o != x && o.covers(x.core) })
}

// isRefused reports whether a core may be burnt.
func (f *family) isRefused(x *familyCore) bool {
	return f.neverCompletes(x) || f.evenIfPaid && f.isDoubtful(x)
}

// neverCompletes reports whether a core has not completed and never does, unless authorities lie: f+1 signed that another core has one
// of its serial numbers, or 2f+1 that they never take it, so that no f+1 are left that could vote for it. The answers of the others
// need not be known, and a gateway that leaves some out can only delay.
func (f *family) neverCompletes(x *familyCore) bool {
	return len(f.conflicting(x)) > f.net.committee.F || len(f.neverTake(x)) >= f.net.committee.Quorum()
}

// conflicting are the authorities that signed that another core has one of its serial numbers.
func (f *family) conflicting(x *familyCore) map[uint8]bool {
	all := map[uint8]bool{}
	for sn := range x.named {
		for _, s := range f.said[sn] {
			if s.Held && !x.covers(s.Core) {
				all[s.Authority] = true
			}
		}
	}
	return all
}

// neverTake are the authorities that signed that they never take a core, but for votes of f+1.
func (f *family) neverTake(x *familyCore) map[uint8]bool {
	all := f.conflicting(x)
	for _, s := range f.said[x.lead] {
		if !s.Held && !x.recover && s.Period > x.period {
			all[s.Authority] = true
		}
	}
	return all
}

// mayComplete reports whether a core, and each one that it follows from, may have completed.
func (f *family) mayComplete(x *familyCore) bool {
	return !f.neverCompletes(x) &&
		(x.lead == f.lead || slices.ContainsFunc(f.known, func(o *familyCore) bool { return o.nextSerial == x.lead && f.mayComplete(o) }))
}

// waitedFor is a core that a recover would burn although it may have completed, or although 2f+1 authorities hold it where its owner
// has the others burnt, too; nil where there is none. Of the transfers from before the newest compliance coin the one has completed,
// and the others never do.
func (f *family) waitedFor(back bool) *familyCore {
	for _, x := range f.known {
		may := f.mayComplete(x)
		if f.evenIfPaid {
			may = f.isHeld(x) && !f.neverCompletes(x)
		}
		if may && !f.isBurnt(x) && (x.recover || !back || x.lead != f.lead) {
			return x
		}
	}
	return nil
}

// isDoubtful reports whether one authority signed that another core of this wallet holds one of its serial numbers, or f+1 that they
// never take it: a transfer that at most f honest ones hold, and whose period is over, does not complete without the others, and is not
// given up without them. What a quorum holds is not doubtful.
func (f *family) isDoubtful(x *familyCore) bool {
	if f.isHeld(x) {
		return false
	}
	if len(f.neverTake(x)) > f.net.committee.F {
		return true
	}
	for sn := range x.named {
		if slices.ContainsFunc(f.holders[sn], func(holder [32]byte) bool { return !x.covers(holder) && f.isFamily(holder) }) {
			return true
		}
	}
	return false
}

// isHeld reports whether 2f+1 authorities signed for each serial number of a core that it, or one below it, holds it: then the core
// has completed, or completes as soon as they get it.
func (f *family) isHeld(x *familyCore) bool {
	for sn := range x.named {
		held := 0
		for _, holder := range f.holders[sn] {
			held += number(x.covers(holder))
		}
		if held < f.net.committee.Quorum() {
			return false
		}
	}
	return true
}

// strangers hold a serial number of this account and cannot be placed in it.
func (f *family) strangers() map[[32]byte]bool {
	all := map[[32]byte]bool{}
	for _, holders := range f.holders {
		for _, holder := range holders {
			if !f.isFamily(holder) {
				all[holder] = true
			}
		}
	}
	return all
}

// elsewhere are the coins that another core holds at f+1 authorities, so at an honest one. Fewer may lie, and a recover needs only
// 2f+1 of them.
func (f *family) elsewhere() serialSet {
	all := serialSet{}
	for _, x := range f.known {
		for _, coin := range slices.Concat(x.halves[0], x.halves[1]) {
			others := 0
			for _, holder := range f.holders[coin] {
				if !f.isFamily(holder) {
					others++
				}
			}
			if others > f.net.committee.F {
				all[coin] = true
			}
		}
	}
	return all
}

// order is that in which a recover takes the known cores: children into their branch, then branches, then older recovers. A recover
// over transfers that the wallet does not know comes first, because only its first core brings the coins below it. Where nothing
// spends a successor, the recover with most below it comes first, so that nothing is proved twice.
func (f *family) order() (all []*familyCore) {
	rest := slices.Clone(f.known)
	slices.SortFunc(rest, smaller)
	leads := serialSet{f.lead: true}
	related := func(which func(*familyCore) bool) int {
		return slices.IndexFunc(rest, func(x *familyCore) bool { return leads[x.lead] && which(x) })
	}
	for {
		at := -1
		if len(all) == 0 {
			at = f.first(rest)
		}
		if at < 0 {
			at = related(func(x *familyCore) bool { return !x.recover && x.lead != f.lead })
		}
		if at < 0 {
			at = related(func(*familyCore) bool { return true })
		}
		if at < 0 {
			return all
		}
		all = append(all, rest[at])
		leads[rest[at].nextSerial] = true
		rest = slices.Delete(rest, at, at+1)
	}
}

// smaller is the order among equals. Of two claims of many the longer one has the coins of the other.
func smaller(x, y *familyCore) int {
	return cmp.Or(number(x.recover)-number(y.recover), cmp.Compare(x.below(), y.below()), cmp.Compare(y.many(), x.many()), bytes.Compare(x.core[:], y.core[:]))
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// first is the place of the core that a recover begins with, in a sorted list.
func (f *family) first(rest []*familyCore) int {
	leads, childless := serialSet{}, true
	for _, x := range rest {
		leads[x.lead] = true
		childless = childless && x.lead == f.lead
	}
	knows := func(x *familyCore) bool { // all transfers below it
		return !slices.ContainsFunc(x.entries, func(e belowEntry) bool { return e.json.Transfer != nil && f.find(e.core) == nil })
	}
	best := -1
	for i, x := range rest {
		if x.lead != f.lead {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		b := rest[best]
		largest := 0
		if childless {
			largest = b.below() - x.below()
		}
		if cmp.Or(number(knows(x))-number(knows(b)), largest, number(!leads[x.nextSerial])-number(!leads[b.nextSerial]), smaller(x, b)) < 0 {
			best = i
		}
	}
	return best
}
