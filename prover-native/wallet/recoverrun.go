package wallet

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/suite"
)

// freeing frees an account whose own cores keep each other from completing. It is found out in a command and kept nowhere else: a
// recover follows from the seed and from what the authorities show, so a wallet that was killed makes or finds it again.
type freeing struct {
	// Coin has the lead. Back says that it is an earlier one than the account's.
	Coin  account
	Back  bool
	Known []knownCore
	// Asked are the serial numbers of this look, Looked says that it is over.
	Asked   [][32]byte
	Looked  bool
	Answers []knownState
	Phase   uint8
	Rounds  uint8
	// Refused are cores that cannot complete. Doubted was refused by a service with a code, and the authorities are asked once more.
	Refused [][32]byte
	Doubted *doubt
	// Made are recovers below the one that is to be sent.
	Made []knownCore
	// Sent is the recover of this round; Before what was known when it was made.
	Sent      [32]byte
	Before    [32]byte
	KnownThen [][32]byte
	Code      string
	// Spoilt are digests of requests whose evidence a service refused. Given are the cores of which it refused all that were shown,
	// once for each time.
	Spoilt [][32]byte
	Given  [][32]byte
	// Turns is how often the recover of this wallet was refused for the evidence of a core below it.
	Turns uint8
	// Passed is the way back to an earlier lead.
	Passed *passed
	// EvenIfPaid is its owner's word.
	EvenIfPaid bool
}

// recoverChoice is what a command says with which a wallet recovers; nothing says false.
type recoverChoice struct {
	// EvenIfPaid has burnt, too, what too few authorities answer about to tell whether it has completed.
	EvenIfPaid bool
}

// Phases of a recovery.
const (
	phaseSend    = 0 // each known core that may still complete
	phaseSubmit  = 1 // the recover over all of them
	phaseCompare = 2 // what an answer shows goes into the next recover
)

// knownCore is a core of this wallet that spends Coin.
type knownCore struct {
	Recover bool
	Coin    account
	// Variants differ in their evidence; the first is the one that counts. Turned is how many were before it.
	Variants []variant
	Turned   uint8
}

type variant struct {
	Request []byte
	Level   uint8
}

// knownAs is a core that is known by one request.
func knownAs(isRecover bool, coin account, request []byte, level uint8) knownCore {
	return knownCore{Recover: isRecover, Coin: coin, Variants: []variant{{request, level}}}
}

func (c *knownCore) requests() (all [][]byte) {
	for i := range c.Variants {
		all = append(all, c.Variants[i].Request)
	}
	return all
}

// take keeps one more request of the core, behind those whose evidence is as good.
func (c *knownCore) take(request []byte, level uint8) {
	if slices.ContainsFunc(c.Variants, func(v variant) bool { return bytes.Equal(v.Request, request) }) {
		return
	}
	at := slices.IndexFunc(c.Variants, func(v variant) bool { return v.Level < level })
	if at < 0 {
		at = len(c.Variants)
	}
	c.Variants = slices.Insert(c.Variants, at, variant{request, level})
	c.Variants = c.Variants[:min(len(c.Variants), maxVariants)]
}

// knownState is what authorities signed about a serial number: by each of them that it is free, or which core holds it.
type knownState struct {
	Serial [32]byte
	Said   []saying
}

// then is what was signed now, with what authorities signed earlier that do not answer now: one that holds a core holds it for good.
func (s *knownState) then(now []saying) []saying {
	all := slices.Clone(now)
	for _, before := range s.Said {
		if before.Held && !slices.ContainsFunc(now, func(one saying) bool { return one.Authority == before.Authority }) {
			all = append(all, before)
		}
	}
	return all
}

type doubt struct {
	Core [32]byte
	Code string
}

// passed is the way back along the leads that this wallet has spent.
type passed struct {
	Next uint32 // how many were looked at
	// Found is a recover with an earlier lead that burns a core behind which the wallet went on.
	Found []byte
	Lead  [32]byte
	Coin  *account // on the way from the first coin
	Over  bool
}

// Bounds of a recovery.
const (
	maxRounds     = 12
	maxRecoveries = 50
	maxPassed     = 100
	// A liar may spoil a request in many ways. A core whose requests were all refused after so many looks is left out.
	maxSpoilt = 512
	maxGiven  = 3
	maxTurns  = 32
	// maxKnown cores are more than a recover may have below it.
	maxKnown = 64
	// an answer has a request of each authority for each serial number
	askedRequests = 100
)

func impossible(why string) error {
	return refuse("recover-impossible", "the account stays locked for now: "+why)
}

// lockedBy are the codes after which cores of this wallet may keep each other from completing.
var lockedBy = map[string]bool{
	"serial-conflict": true, "no-quorum": true, "transfer-in-flight": true, "stale-policy": true, "unknown-policy": true, "stale-period": true,
	"stale-checkpoint": true, "unknown-checkpoint": true,
}

// recover finishes what can be finished, and else recovers until the compliance coin is free. What another device's recover did is
// taken in by every command; only this one burns.
//
//spec:id W-61
func (r *run) recover(details []byte) error {
	var how recoverChoice
	if len(details) != 0 && decode(details, &how) != nil {
		return refuse("malformed-request", "a recover")
	}
	if r.Session.Recovery != nil {
		if err := r.connect(); err != nil {
			return err
		}
		return r.free(r.Session.Recovery)
	}
	err := r.ready()
	if err == nil {
		if r.Account == nil {
			return refuse("not-registered", "the wallet has no compliance coin")
		}
		err = r.requireFree()
	}
	if code := codeOf(err); !lockedBy[code] && !spoilt[code] {
		return err
	}
	return r.beginRecovery(err, how.EvenIfPaid)
}

// beginRecovery goes on from what was committed. It ends in a commit or a refusal.
func (r *run) beginRecovery(why error, evenIfPaid bool) error {
	w, err := r.machine.wallet()
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	if walk := w.Session.Walk; walk != nil && len(walk.Links) > 0 && !walk.Ended {
		walk.Ended, walk.Cut = true, true // what was found is finished first
	} else {
		if w.Session.Recoveries++; w.Session.Recoveries > maxRecoveries {
			return impossible("the account's cores do not end")
		}
		then := run{machine: r.machine, wallet: w}
		coin, err := then.startCoin()
		if err != nil {
			return err
		}
		if err := then.requireRoom(0, 0, roomForCoins); err != nil {
			return err
		}
		x := &freeing{Coin: accountOf(&coin), Code: codeOf(why), EvenIfPaid: evenIfPaid}
		if w.InFlight != nil {
			x.Known = append(x.Known, knownAs(false, x.Coin, w.InFlight.Request, evidenceUnknown))
		}
		w.Session.Until = 0 // a transfer that is sent again has its own patience
		w.Session.Recovery, w.Session.Walk = x, nil
	}
	r.state.Wallet = encode(w)
	return errCommitted
}

// free takes one step. It ends in a commit or a refusal.
func (r *run) free(x *freeing) error {
	if !r.Session.Fresh {
		return r.fetchRules() // evidence that is shown is verified under them
	}
	if x.Passed != nil && !x.Passed.Over {
		return r.goBack(x)
	}
	if err := r.takeInFlight(x); err != nil {
		return err
	}
	f, err := r.family(x)
	if err != nil {
		return err
	}
	if !x.Looked {
		return r.lookAround(x, f)
	}
	if strangers := f.strangers(); x.Passed == nil && len(strangers) > 0 {
		x.Passed = &passed{}
		return r.commit()
	}
	switch {
	case x.Phase == phaseSubmit:
		return r.submitMade(x, f)
	case x.Phase == phaseCompare:
		return r.compare(x, f)
	case len(f.atLead()) == 0 && x.Rounds > 0:
		return impossible("authorities show no request with evidence that verifies")
	case len(f.atLead()) == 0 && f.free[f.lead] >= r.net.committee.Quorum():
		r.Session.Recovery = nil
		return r.commit()
	case len(f.atLead()) == 0:
		return refuse("no-quorum", "too few authorities signed whether the account is free")
	}
	for _, one := range f.toSend() {
		// a later look may show that a refused one has completed after all
		mayComplete := f.isHeld(one) && !f.neverCompletes(one) && (one.recover || !x.Back)
		if mayComplete || !slices.Contains(x.Refused, one.core) {
			return r.sendKnown(x, f, one)
		}
	}
	if f.waitedFor(x.Back) != nil {
		return mayBePaid()
	}
	return r.makeRecover(x, f)
}

func mayBePaid() error {
	return refuse("no-quorum", "too few authorities signed whether a core of this wallet has completed, or that they never take it")
}

// takeInFlight takes the evidence of a transfer that was proved again.
func (r *run) takeInFlight(x *freeing) error {
	if r.InFlight == nil {
		return nil
	}
	now, err := r.net.readRequest(r.InFlight.Request)
	if err != nil {
		return err
	}
	for i := range x.Known {
		c := &x.Known[i]
		if c.Recover {
			continue
		}
		of, err := r.net.readRequest(c.Variants[0].Request)
		if err != nil {
			return err
		}
		if there := slices.ContainsFunc(c.Variants, func(v variant) bool { return bytes.Equal(v.Request, r.InFlight.Request) }); of.core == now.core && !there {
			c.Variants = slices.Insert(c.Variants, 0, variant{r.InFlight.Request, evidenceRight})
			c.Variants = c.Variants[:min(len(c.Variants), maxVariants)]
		}
	}
	return nil
}

// family opens what is known.
func (r *run) family(x *freeing) (*family, error) {
	coin, err := x.Coin.coin()
	if err != nil {
		return nil, err
	}
	lead := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	f := &family{net: r.net, lead: bytes32(&lead), said: map[serialNumber][]saying{}, holders: map[serialNumber][][32]byte{}, free: map[serialNumber]int{}, evenIfPaid: x.EvenIfPaid}
	for i := range x.Known {
		one, err := r.openKnown(&x.Known[i])
		if err != nil {
			return nil, err
		}
		f.known = append(f.known, one)
	}
	for i := range x.Answers {
		f.hear(x.Answers[i].Serial, x.Answers[i].Said)
	}
	return f, nil
}

func (r *run) openKnown(c *knownCore) (*familyCore, error) {
	l := &link{Coin: c.Coin, Request: c.Variants[0].Request, Recover: c.Recover}
	o, err := r.reopenLink(l)
	if err != nil {
		return nil, err
	}
	var one *familyCore
	if o.transfer != nil {
		one, err = o.transfer.family(r.net, r.keys, l.Request)
	} else {
		one, err = o.recover.family(r.net, r.keys)
	}
	if err == nil {
		one.requests = c.requests()
	}
	return one, err
}

// lookAround asks for the lead, for the successors, and for the coins that cores name, until nothing new is shown.
func (r *run) lookAround(x *freeing, f *family) error {
	var next []serialNumber
	for _, sn := range f.serials() {
		if !slices.Contains(x.Asked, sn) {
			next = append(next, sn)
		}
	}
	if len(next) == 0 {
		x.Looked = true
		return r.commit()
	}
	next = next[:min(len(next), max(1, askedRequests/len(r.net.committee.Members)))]
	nonce, body, err := r.askForStates(next)
	if err != nil {
		return err
	}
	answers, err := r.net.readStates(next, nonce, body, r.moment.Now)
	if err != nil {
		return err
	}
	before := len(x.Known)
	for i := range answers {
		a := &answers[i]
		now := knownState{next[i], a.said}
		if before := slices.IndexFunc(x.Answers, func(s knownState) bool { return s.Serial == next[i] }); before >= 0 {
			now.Said = x.Answers[before].then(a.said)
			x.Answers = slices.Delete(x.Answers, before, before+1)
		}
		x.Answers = append(x.Answers, now)
		x.Asked = append(x.Asked, next[i])
		if err := r.takeShown(x, f, next[i], a); err != nil {
			return err
		}
	}
	if f, err = r.family(x); err != nil {
		return err
	}
	for _, one := range f.known[before:] {
		// what spends its successor could not be told from another party's before
		x.Asked = slices.DeleteFunc(x.Asked, func(sn serialNumber) bool { return sn == one.nextSerial })
	}
	return r.commit()
}

// takeShown keeps the cores of this wallet that were shown for a serial number.
func (r *run) takeShown(x *freeing, f *family, serial serialNumber, a *serialAnswer) error {
	coin, ok, err := r.coinOf(x, f, serial)
	if err != nil || !ok {
		return err
	}
	for _, raw := range a.requests {
		var j shownJSON
		if json.Unmarshal(raw, &j) == nil {
			if err := r.takeTransfer(x, &coin, j.Request); err != nil {
				return err
			}
		}
	}
	lead, err := field(serial)
	if err != nil {
		return err
	}
	for _, raw := range a.recovers {
		var j shownJSON
		if json.Unmarshal(raw, &j) == nil {
			if err := r.takeRecover(x, &coin, &lead, j.Request); err != nil {
				return err
			}
		}
	}
	return nil
}

// coinOf is the compliance coin with a serial number, if a known core creates it, or it is the lead's.
func (r *run) coinOf(x *freeing, f *family, serial serialNumber) (coin transfer.Compliance, ok bool, err error) {
	if serial == f.lead {
		coin, err = x.Coin.coin()
		return coin, true, err
	}
	for _, one := range f.known {
		if one.nextSerial == serial {
			return one.next, true, nil
		}
	}
	return coin, false, nil
}

func (r *run) takeTransfer(x *freeing, coin *transfer.Compliance, raw []byte) error {
	request, err := r.net.readRequest(raw)
	if err != nil {
		return nil //nolint:nilerr // what cannot be read counts as nothing
	}
	p, err := r.net.reopen(r.keys, coin, request)
	if p == nil || err != nil {
		return err
	}
	all, err := r.rules()
	if err != nil {
		return err
	}
	// spoilt evidence of a transfer may be made anew
	return r.takeVariant(x, p.core, knownAs(false, accountOf(coin), raw, request.Evidence.level(r.net, p, all)))
}

// takeVariant keeps a request of a core that is known, or not yet.
func (r *run) takeVariant(x *freeing, core [32]byte, one knownCore) error {
	at, err := r.placeOf(x, core)
	if err != nil {
		return err
	}
	if at < 0 {
		return x.know(&one)
	}
	x.Known[at].take(one.Variants[0].Request, one.Variants[0].Level)
	return nil
}

func (r *run) takeRecover(x *freeing, coin *transfer.Compliance, lead *suite.Field, raw []byte) error {
	if slices.Contains(x.Spoilt, sha256.Sum256(raw)) {
		return nil
	}
	o, err := r.net.reopenRecover(r.keys, lead, raw)
	if o == nil || err != nil {
		return err
	}
	all, err := r.rules()
	if err != nil {
		return err
	}
	level := o.level(r.net, all)
	if level == evidenceSpoilt || x.isLeftOut(o.core) {
		return nil
	}
	return r.takeVariant(x, o.core, knownAs(true, accountOf(coin), raw, level))
}

// isLeftOut reports whether no request of a core was ever right.
func (x *freeing) isLeftOut(core [32]byte) bool {
	times := 0
	for _, given := range x.Given {
		times += number(given == core)
	}
	return times >= maxGiven
}

func (x *freeing) know(c *knownCore) error {
	if len(x.Known) == maxKnown {
		return impossible("too many cores on one compliance coin")
	}
	x.Known = append(x.Known, *c)
	return nil
}

// placeOf is the place of a known core, or -1.
func (r *run) placeOf(x *freeing, core [32]byte) (int, error) {
	for i := range x.Known {
		one, err := r.openKnown(&x.Known[i])
		if err != nil {
			return -1, err
		}
		if one.core == core {
			return i, nil
		}
	}
	return -1, nil
}

// sendKnown sends a core that may still complete. One that nobody refuses waits: a recover would burn it for nothing.
func (r *run) sendKnown(x *freeing, f *family, one *familyCore) error {
	if d := x.Doubted; d != nil && d.Core == one.core {
		if !f.isRefused(one) && f.isDoubtful(one) {
			return mayBePaid()
		}
		if !f.isRefused(one) {
			return refuse(d.Code, "nobody is known to refuse a core of this wallet, which may complete")
		}
		return r.isRefused(one)
	}
	var err error
	switch {
	case one.recover:
		var body []byte
		if body, err = r.sendRecover(one.core, one.requests); err == nil {
			return r.complete(x, one, body)
		}
		if spoilt[codeOf(err)] {
			return r.forgetSpoilt(x, one)
		}
	case x.Back:
		return r.isRefused(one) // a transfer from before the newest compliance coin has completed, or never will
	default:
		err = r.sendTransfer(x, f, one)
	}
	if !isAnswered(err) {
		return err // it may have completed
	}
	// By what authorities sign after the core was sent: the gateway's word alone burns nothing, and what an earlier look showed may
	// have completed since.
	return r.doubtOf(one, codeOf(err))
}

// isRefused keeps that a core cannot complete.
func (r *run) isRefused(one *familyCore) error {
	return r.insteadKeep(func(x *freeing) { x.Refused, x.Doubted = append(x.Refused, one.core), nil })
}

// doubtOf has the authorities asked once more about a core.
func (r *run) doubtOf(one *familyCore, code string) error {
	return r.insteadKeep(func(x *freeing) { x.Doubted, x.Looked, x.Asked = &doubt{one.core, code}, false, nil })
}

// insteadKeep commits a change of the recovery without what else the run has changed.
func (r *run) insteadKeep(change func(x *freeing)) error {
	w, err := r.machine.wallet()
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	change(w.Session.Recovery)
	r.state.Wallet = encode(w)
	return errCommitted
}

// sendTransfer sends a transfer once, and then as one that is in flight, unless authorities refuse it.
func (r *run) sendTransfer(x *freeing, f *family, one *familyCore) error {
	coin, err := x.Coin.coin()
	if err != nil {
		return err
	}
	p, err := r.reopenStored(&coin, one.requests[0])
	if err != nil {
		return err
	}
	if r.InFlight == nil || !r.isInFlight(p) {
		body, err := r.once(submit(p.core, one.requests[0]))
		if err == nil {
			return r.outcome(p, one.requests[0], body, true)
		}
		if !isAnswered(err) || f.isRefused(one) || r.Account == nil {
			return err
		}
		if err := r.drop(); err != nil {
			return err
		}
		r.Session.Until = 0 // it has its own patience
		r.InFlight = &inFlight{Request: one.requests[0]}
		if err := r.provedUnder(one.requests[0]); err != nil {
			return err
		}
		return r.commit()
	}
	if f.isRefused(one) {
		body, err := r.once(submit(p.core, r.InFlight.Request))
		if err == nil {
			err = r.outcome(p, r.InFlight.Request, body, true)
		}
		return err
	}
	return r.finish()
}

// complete takes the outcome of a recover.
func (r *run) complete(x *freeing, one *familyCore, body []byte) error {
	for i := range x.Known {
		c := &x.Known[i]
		if !bytes.Equal(c.Variants[0].Request, one.requests[0]) {
			continue
		}
		coin, err := c.Coin.coin()
		if err != nil {
			return err
		}
		o, err := r.reopenStoredRecover(&coin, c.Variants[0].Request)
		if err != nil {
			return err
		}
		r.Session.Free, r.Session.Walk = false, nil
		return r.recoverOutcome(o, body)
	}
	return refuse("store-corrupt", "a recover that is not known")
}

// forgetSpoilt drops a recover of which every request is spoilt: the authorities are asked once more.
func (r *run) forgetSpoilt(x *freeing, one *familyCore) error {
	for _, raw := range one.requests {
		x.Spoilt = append(x.Spoilt, sha256.Sum256(raw))
	}
	x.Spoilt, x.Given = x.Spoilt[max(0, len(x.Spoilt)-maxSpoilt):], append(x.Given, one.core)
	x.forget(one)
	x.Looked, x.Asked = false, nil
	return r.commit()
}

func (x *freeing) forget(one *familyCore) {
	x.Known = slices.DeleteFunc(x.Known, func(c knownCore) bool { return bytes.Equal(c.Variants[0].Request, one.requests[0]) })
}

// turn takes the next choice of requests, one of each core, and reports whether there is one.
func (x *freeing) turn() bool {
	if x.Turns++; x.Turns > maxTurns {
		return false
	}
	for i := range x.Known {
		c := &x.Known[i]
		c.Variants = append(c.Variants[1:], c.Variants[0])
		if c.Turned++; int(c.Turned) < len(c.Variants) {
			return true
		}
		c.Turned = 0
	}
	return false
}

// makeRecover makes the recover over everything known, one proof after the other.
func (r *run) makeRecover(x *freeing, f *family) error {
	order, elsewhere := f.order(), f.elsewhere()
	last := order[0]
	with := order[1:]
	if len(order) == 1 {
		with = order // the recover over one core
	}
	for _, one := range with {
		if len(order) > 1 && last.covers(one.core) {
			continue
		}
		d, err := r.net.draftRecover(r.keys, last, one, elsewhere)
		if err != nil {
			return err
		}
		if made := f.find(d.core); made != nil {
			last = made
			continue
		}
		next, err := r.madeBefore(x, d)
		if err != nil {
			return err
		}
		if next == nil {
			raw, err := r.proveRecover(d)
			if err != nil {
				return err
			}
			x.Made = append(x.Made, knownAs(true, x.Coin, raw, evidenceRight))
			return r.commit()
		}
		last = next
	}
	x.Sent, x.Before, x.KnownThen = last.core, digestOfSet(elsewhere), nil
	for _, one := range f.known {
		x.KnownThen = append(x.KnownThen, one.core)
	}
	if f.find(last.core) != nil { // it was sent, and is refused
		x.Phase, x.Looked, x.Asked = phaseCompare, false, nil
		return r.commit()
	}
	made := knownAs(true, x.Coin, last.requests[0], evidenceRight)
	if err := x.know(&made); err != nil {
		return err
	}
	x.Phase = phaseSubmit
	return r.commit()
}

// madeBefore is a recover that this command made, over the requests that count now. Its proof does not depend on theirs.
func (r *run) madeBefore(x *freeing, d *draft) (*familyCore, error) {
	for i := range x.Made {
		c := &x.Made[i]
		one, err := r.openKnown(c)
		if err != nil {
			return nil, err
		}
		if one.core != d.core {
			continue
		}
		var made recoverJSON
		if err := json.Unmarshal(c.Variants[0].Request, &made); err != nil {
			return nil, err
		}
		d.json.Evidence = made.Evidence
		if c.Variants[0].Request, err = json.Marshal(d.json); err != nil {
			return nil, err
		}
		return r.openKnown(c)
	}
	return nil, nil
}

func digestOfSet(set serialSet) [32]byte {
	var all []byte
	for _, sn := range slices.SortedFunc(maps.Keys(set), func(a, b serialNumber) int { return bytes.Compare(a[:], b[:]) }) {
		all = append(all, sn[:]...)
	}
	return sha256.Sum256(all)
}

// submitMade sends the recover of this round.
func (r *run) submitMade(x *freeing, f *family) error {
	one := f.find(x.Sent)
	if one == nil {
		return refuse("store-corrupt", "a recover that is not known")
	}
	body, err := r.sendRecover(one.core, one.requests)
	if err == nil {
		return r.complete(x, one, body)
	}
	if codeOf(err) == "" || silentOf(err) != 0 {
		return err
	}
	if spoilt[codeOf(err)] {
		// a request below it has spoilt evidence, and nobody says which
		if x.forget(one); x.turn() {
			x.Phase = phaseSend
			return r.commit()
		}
	}
	x.Code, x.Phase, x.Looked, x.Asked = codeOf(err), phaseCompare, false, nil
	return r.commit()
}

// compare goes on with what the authorities show now, if it is something new.
func (r *run) compare(x *freeing, f *family) error {
	news := digestOfSet(f.elsewhere()) != x.Before
	for _, one := range f.known {
		news = news || one.core != x.Sent && !slices.Contains(x.KnownThen, one.core)
	}
	if !news {
		if retryable[x.Code] {
			return refuse(x.Code, "the recover of this wallet did not complete yet")
		}
		return impossible("authorities hold what this wallet cannot find")
	}
	if x.Rounds++; x.Rounds > maxRounds {
		return impossible("no recover completed")
	}
	x.Phase, x.Turns, x.Refused, x.Doubted, x.KnownThen = phaseSend, 0, nil, nil, nil
	return r.commit()
}

// goBack looks for a recover with an earlier lead of the chain, which burns a core behind which this wallet went on. Whatever else
// holds a serial number there has lost.
func (r *run) goBack(x *freeing) error {
	p := x.Passed
	if p.Found != nil {
		return r.goBackTo(x, p)
	}
	f, err := r.family(x)
	if err != nil {
		return err
	}
	all := r.passedCores()
	places := r.passedPlaces(len(all), f.hasVouchedStranger())
	if int(p.Next) >= len(places) {
		p.Over = true
		return r.commit()
	}
	at := places[p.Next]
	lead, err := field(all[at].lead)
	if err != nil {
		return err
	}
	nonce, body, err := r.askForStates([]serialNumber{all[at].lead})
	if err != nil {
		return err
	}
	answers, err := r.net.readStates([]serialNumber{all[at].lead}, nonce, body, r.moment.Now)
	if err != nil {
		return err
	}
	shown, err := r.net.ownRecovers(r.keys, &lead, answers[0].recovers)
	if err != nil {
		return err
	}
	p.Next++
	strangers := f.strangers()
	for i := range shown {
		o := shown[i].own
		burns := false
		for _, one := range all[:at+1] {
			for j := range o.Below {
				burns = burns || o.Below[j].Core == one.core
			}
		}
		if burns && strangers[o.core] {
			p.Found, p.Lead = shown[i].requests[0], bytes32(&lead)
			break
		}
	}
	return r.commit()
}

type passedCore struct{ core, lead [32]byte }

// passedCores are the finished cores in the state, the newest first.
func (r *run) passedCores() (all []passedCore) {
	next := 0
	for i := range r.Recovers {
		c := &r.Recovers[i]
		for ; next < len(r.Transfers) && r.Archive.Count+uint32(next) < c.Transfers; next++ {
			all = append(all, passedCore{r.Transfers[next].Core, r.Transfers[next].Lead})
		}
		all = append(all, passedCore{c.Core, c.Lead})
	}
	for ; next < len(r.Transfers); next++ {
		all = append(all, passedCore{r.Transfers[next].Core, r.Transfers[next].Lead})
	}
	slices.Reverse(all)
	return all
}

// goBackTo walks from the first compliance coin, which follows from the seed, to the coin with an earlier lead.
func (r *run) goBackTo(x *freeing, p *passed) error {
	var coin transfer.Compliance
	var err error
	if p.Coin == nil {
		coin, _, err = r.net.firstCoin(r.keys)
	} else {
		coin, err = p.Coin.coin()
	}
	if err != nil {
		return err
	}
	serial := r.net.Hasher().Serial(r.keys.snk, coin.Rho)
	if bytes32(&serial) == p.Lead {
		*x = freeing{Coin: accountOf(&coin), Back: true, Passed: &passed{Over: true}, EvenIfPaid: x.EvenIfPaid}
		x.Known = append(x.Known, knownAs(true, x.Coin, p.Found, evidenceUnknown))
		if r.InFlight != nil && r.Account != nil {
			x.Known = append(x.Known, knownAs(false, *r.Account, r.InFlight.Request, evidenceUnknown))
		}
		return r.commit()
	}
	v, err := r.lookUp(&coin)
	if err != nil {
		return err
	}
	var next *transfer.Compliance
	for i := range v.recovers {
		if o := v.recovers[i].own; slices.ContainsFunc(r.Recovers, func(c recoverRecord) bool { return c.Core == o.core }) {
			next = &o.next
		}
	}
	for i := range v.own {
		if core := v.own[i].plan.core; next == nil && (r.isRecorded(core) || r.isArchived(traceCore, core[:])) {
			next = &v.own[i].plan.Next
		}
	}
	if next == nil {
		p.Over = true
		return r.commit()
	}
	at := accountOf(next)
	p.Coin = &at
	return r.commit()
}

func (r *run) isRecorded(core [32]byte) bool {
	return slices.ContainsFunc(r.Transfers, func(t record) bool { return t.Core == core })
}
