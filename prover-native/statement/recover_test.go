package statement

import (
	"slices"
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// onLead is a transfer with this lead that claims coins of these serial numbers.
func (w *world) onLead(t *testing.T, lead suite.Field, coins ...suite.Field) Request {
	t.Helper()
	r := w.request(t, FamilyTransfer)
	r.s.Serials[0] = lead
	copy(r.s.Serials[1:], coins)
	w.renew(t, r)
	return Request{Transfer: &Item{Statement: r.s, Evidence: r.e, Limits: &r.limits, Root: &r.root}}
}

// stuck is a recover with the key that signs it.
type stuck struct {
	*Recover
	w *world
}

// over is a recover over two requests, whose successors have random serial numbers unless change says otherwise.
func (w *world) over(t *testing.T, first, second Request, change func(*Recover)) *stuck {
	t.Helper()
	r := &stuck{w: w, Recover: &Recover{
		First: first, Second: second, Next: [2]suite.Field{random(t), random(t)}, Outputs: [2]BlindedCoin{w.coin(t), w.coin(t)},
		Context: [32]byte{5}, Evidence: &OwnerEvidence{CircuitVersion: version},
	}}
	for j, q := range []Request{first, second} {
		if q.Recover != nil {
			r.Returned[j] = random(t)
		}
	}
	if second.absent() {
		r.Next[1], r.Returned[1] = r.Next[0], r.Returned[0]
	}
	if change != nil {
		change(r.Recover)
	}
	return r
}

// proved signs and proves what the recover says now.
func (r *stuck) proved(t *testing.T) *stuck {
	t.Helper()
	x, err := (&resolver{network: r.w.network}).recover(r.Recover)
	must(t, err)
	alpha := keyScalar(t)
	pk, err := suite.PublicKey(&r.w.a)
	must(t, err)
	r.Evidence.RK, err = suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	r.Evidence.KeySignature, err = suite.SignCore(&r.w.a, &alpha, x.core)
	must(t, err)
	s := &suite.LinkStatement{Core: x.core, D: x.d, RK: &r.Evidence.RK}
	for j := range r.Outputs {
		h, err := r.w.network.Hasher().CoinBase(x.bases(r.Recover), j)
		must(t, err)
		s.H, s.M = append(s.H, h), append(s.M, r.Outputs[j].K)
	}
	link := r.w.link(t, s)
	r.Evidence.Proof = r.w.simulate(t, FamilyRecover, recoverPublic(r.Recover, x, &r.Evidence.RK, link), link.Link)
	return r
}

func (r *stuck) verify() error    { return r.w.verifier.VerifyRecover(r.Recover) }
func (r *stuck) request() Request { return Request{Recover: r.Recover} }

func coreOf(t *testing.T, w *world, q Request) [32]byte {
	t.Helper()
	if q.Recover != nil {
		x, err := q.Recover.Reservation(w.network)
		must(t, err)
		return x.Core
	}
	core, err := q.Transfer.Statement.Core(w.network)
	must(t, err)
	return core
}

// sorted are serial numbers as a recover names them.
func sorted(lead suite.Field, others ...suite.Field) []suite.Field {
	slices.SortFunc(others, func(a, b suite.Field) int { return a.Cmp(&b) })
	return append([]suite.Field{lead}, others...)
}

func named(t *testing.T, r *stuck, below []Request, serials []suite.Field) {
	t.Helper()
	x, err := r.Reservation(r.w.network)
	must(t, err)
	if !slices.Equal(x.Serials, serials) {
		t.Errorf("%d serial numbers, or others than the expected %d", len(x.Serials), len(serials))
	}
	if len(x.Below) != len(below) {
		t.Fatalf("%d cores below, want %d", len(x.Below), len(below))
	}
	for _, q := range below {
		core := coreOf(t, r.w, q)
		if !slices.ContainsFunc(x.Below, func(b Below) bool { return b.Core == core && b.Recover == (q.Recover != nil) }) {
			t.Errorf("a core is not below: %x", core[:4])
		}
	}
}

//spec:id X-20 X-21 X-25
func TestRecoversAreAccepted(t *testing.T) {
	w := newWorld(t, Regulated)
	lead, coin := random(t), random(t)
	a, b := w.onLead(t, lead, coin), w.onLead(t, lead, coin)

	one := w.over(t, a, Request{}, nil).proved(t)
	must(t, one.verify())
	named(t, one, []Request{a}, sorted(lead, one.Next[0]))

	branches := w.over(t, a, b, func(r *Recover) { r.Credits = 0b0001 }).proved(t)
	must(t, branches.verify())
	named(t, branches, []Request{a, b}, sorted(lead, branches.Next[0], branches.Next[1], coin))

	child := w.onLead(t, branches.Next[1])
	all := w.over(t, branches.request(), child, func(r *Recover) { r.Credits = 0b0100 }).proved(t)
	must(t, all.verify())
	own := child.Transfer.Statement.Serials[1]
	named(t, all, []Request{a, b, branches.request(), child},
		sorted(lead, branches.Next[0], branches.Next[1], all.Next[0], all.Next[1], all.Returned[0], coin, own))

	// the first alone is below both: nothing of the second is new
	again := w.over(t, branches.request(), one.request(), func(r *Recover) {
		one.Next[0], one.Next[1] = branches.Next[0], branches.Next[0]
		one.proved(t)
	}).proved(t)
	must(t, again.verify())
	x, err := (&resolver{network: w.network}).recover(again.Recover)
	must(t, err)
	if !x.bits.covered || x.bits.chain {
		t.Errorf("bits %+v", x.bits)
	}
}

//spec:id X-20 X-22 X-23 X-24
func TestRecoversAreRefused(t *testing.T) {
	w := newWorld(t, Regulated)
	lead, coin := random(t), random(t)
	a, b := w.onLead(t, lead, coin), w.onLead(t, lead, coin)
	inner := w.over(t, a, b, func(r *Recover) { r.Credits = 0b0001 }).proved(t)
	elsewhere := w.onLead(t, random(t))
	unregulated := newWorld(t, Unregulated).request(t, FamilyTransferUnregulated)
	for name, x := range map[string]struct {
		first, second Request
		code          fault.Code
		change        func(*Recover)
	}{
		"no request":                   {Request{}, Request{}, fault.MalformedRequest, nil},
		"one request given twice":      {a, a, fault.MalformedRequest, nil},
		"an unrelated lead":            {a, elsewhere, fault.MalformedRequest, nil},
		"an unregulated transfer":      {Request{Transfer: &Item{Statement: unregulated.s, Evidence: unregulated.e}}, Request{}, fault.WrongFamily, nil},
		"a request of two kinds":       {Request{a.Transfer, inner.Recover}, Request{}, fault.MalformedRequest, nil},
		"two cores of one successor":   {a, b, fault.SerialsNotDistinct, func(r *Recover) { r.Next[1] = r.Next[0] }},
		"one core with two successors": {inner.request(), a, fault.MalformedRequest, nil},
		"the successor of another below": {inner.request(), w.onLead(t, lead), fault.SerialsNotDistinct, func(r *Recover) {
			r.Next[1] = inner.Next[1]
		}},
		"a successor of zero":            {a, b, fault.MalformedRequest, func(r *Recover) { r.Next[1] = suite.Field{} }},
		"a transfer that returns a coin": {a, b, fault.MalformedRequest, func(r *Recover) { r.Returned[0] = random(t) }},
		"a recover that returns none":    {inner.request(), Request{}, fault.MalformedRequest, func(r *Recover) { r.Returned[0] = suite.Field{} }},
		"a coin credited twice":          {a, b, fault.MalformedRequest, func(r *Recover) { r.Credits = 0b0101 }},
		"credited below and again":       {inner.request(), w.onLead(t, lead, coin), fault.MalformedRequest, func(r *Recover) { r.Credits = 0b0100 }},
		"credited to a recover":          {inner.request(), Request{}, fault.MalformedRequest, func(r *Recover) { r.Credits = 0b0001 }},
		"credited to an absent second":   {a, Request{}, fault.MalformedRequest, func(r *Recover) { r.Credits = 0b0100 }},
		"more credits than coins":        {a, b, fault.MalformedRequest, func(r *Recover) { r.Credits = 0b10000 }},
		"the coin that a recover below returned": {inner.request(), w.onLead(t, inner.Next[0], coinTwo(t, inner)), fault.MalformedRequest, func(r *Recover) {
			r.Returned[0], r.Credits = coinTwo(t, inner), 0b0100
		}},
		"a coin credited below and returned above": {inner.request(), Request{}, fault.MalformedRequest, func(r *Recover) {
			r.Returned[0], r.Returned[1] = coin, coin
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.over(t, x.first, x.second, x.change)
			_, err := r.Reservation(w.network)
			refused(t, err, x.code)
			refused(t, r.verify(), x.code)
		})
	}
}

// coinTwo is a serial number that follows from a recover, for tests that need it twice.
func coinTwo(t *testing.T, r *stuck) suite.Field {
	t.Helper()
	x, err := r.Reservation(r.w.network)
	must(t, err)
	var e suite.Field
	e.SetBytes(x.Core[:])
	return e
}

//spec:id X-22
func TestRecoversHaveAtMostSixteenCoresBelow(t *testing.T) {
	w := newWorld(t, Regulated)
	lead := random(t)
	last := w.over(t, w.onLead(t, lead), w.onLead(t, lead), nil) // two below, then two more each
	for range (MaxBelow - 2) / 2 {
		last = w.over(t, last.request(), w.onLead(t, lead), nil)
	}
	x, err := last.Reservation(w.network)
	must(t, err)
	if len(x.Below) != MaxBelow {
		t.Fatalf("%d below", len(x.Below))
	}
	_, err = w.over(t, last.request(), Request{}, nil).Reservation(w.network)
	refused(t, err, fault.MalformedRequest)
}

// Two recovers over the same two cores, again and again: sixteen cores below, and requests twice as many on each level.
func TestRequestsBelowARecoverAreBounded(t *testing.T) {
	w := newWorld(t, Regulated)
	lead := random(t)
	level := [2]Request{w.onLead(t, lead), w.onLead(t, lead)}
	for i := range MaxBelow / 2 {
		next, returned := [2]suite.Field{random(t), random(t)}, [2]suite.Field{}
		if i > 0 {
			returned = [2]suite.Field{random(t), random(t)}
		}
		var above [2]Request
		for j := range above {
			r := w.over(t, level[0], level[1], func(r *Recover) { r.Next, r.Returned, r.Context = next, returned, [32]byte{byte(j)} })
			x, err := r.Reservation(w.network)
			if i == MaxBelow/2-1 {
				refused(t, err, fault.MalformedRequest)
				return
			}
			must(t, err)
			if len(x.Below) != 2*(i+1) {
				t.Fatalf("%d cores below", len(x.Below))
			}
			above[j] = r.request()
		}
		level = above
	}
}

//spec:id X-25
func TestEveryRequestBelowIsVerified(t *testing.T) {
	w := newWorld(t, Regulated)
	for name, x := range map[string]struct {
		code  fault.Code
		spoil func(r *stuck, inner *stuck, a *Item)
	}{
		"the owner's signature":         {fault.KeySignatureInvalid, func(r, _ *stuck, _ *Item) { r.Evidence.KeySignature[95] ^= 1 }},
		"the owner's signature below":   {fault.KeySignatureInvalid, func(_, inner *stuck, _ *Item) { inner.Evidence.KeySignature[95] ^= 1 }},
		"a transfer's signature":        {fault.KeySignatureInvalid, func(_, _ *stuck, a *Item) { a.Evidence.KeySignature[95] ^= 1 }},
		"the proof":                     {fault.ProofInvalid, func(r, _ *stuck, _ *Item) { r.Evidence.Proof = swapped(t, r, w) }},
		"a coin that nobody signed":     {fault.ShownSignatureInvalid, func(_, _ *stuck, a *Item) { a.Evidence.Shows[1].S = w.point(t) }},
		"a transfer under other limits": {fault.ProofInvalid, func(_, _ *stuck, a *Item) { a.Limits = &Limits{} }},
		"the circuit's version":         {fault.UnknownCircuit, func(r, _ *stuck, _ *Item) { r.Evidence.CircuitVersion++ }},
		"a point of small order":        {fault.PointNotInSubgroup, func(r, _ *stuck, _ *Item) { r.Outputs[0].K = smallOrder(); resign(t, r) }},
	} {
		t.Run(name, func(t *testing.T) {
			lead := random(t)
			a := w.onLead(t, lead)
			inner := w.over(t, a, w.onLead(t, lead), nil).proved(t)
			r := w.over(t, inner.request(), w.onLead(t, lead), nil).proved(t)
			must(t, r.verify())
			x.spoil(r, inner, a.Transfer)
			refused(t, r.verify(), x.code)
		})
	}
}

// swapped is the proof of the same recover with the bits of another.
func swapped(t *testing.T, r *stuck, w *world) []byte {
	t.Helper()
	x, err := (&resolver{network: w.network}).recover(r.Recover)
	must(t, err)
	x.bits.covered = !x.bits.covered
	s := &suite.LinkStatement{Core: x.core, D: x.d, RK: &r.Evidence.RK}
	for j := range r.Outputs {
		h, err := w.network.Hasher().CoinBase(x.bases(r.Recover), j)
		must(t, err)
		s.H, s.M = append(s.H, h), append(s.M, r.Outputs[j].K)
	}
	link := w.link(t, s)
	return w.simulate(t, FamilyRecover, recoverPublic(r.Recover, x, &r.Evidence.RK, link), link.Link)
}

// resign signs what a recover says now, and proves nothing.
func resign(t *testing.T, r *stuck) {
	t.Helper()
	x, err := (&resolver{network: r.w.network}).recover(r.Recover)
	must(t, err)
	alpha := keyScalar(t)
	pk, err := suite.PublicKey(&r.w.a)
	must(t, err)
	r.Evidence.RK, err = suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	r.Evidence.KeySignature, err = suite.SignCore(&r.w.a, &alpha, x.core)
	must(t, err)
}

// D covers everything that a recover says, and the core its outputs as well.
func TestDigestsOfARecover(t *testing.T) {
	w := newWorld(t, Regulated)
	lead := random(t)
	a, b, c := w.onLead(t, lead), w.onLead(t, lead), w.onLead(t, lead)
	r := w.over(t, a, b, nil)
	digests := func() (suite.Field, [32]byte) {
		x, err := (&resolver{network: w.network}).recover(r.Recover)
		must(t, err)
		return x.d, x.core
	}
	d, core := digests()
	for name, change := range map[string]func(){
		"a successor": func() { r.Next[1] = random(t) }, "a core": func() { r.Second = c }, "the order": func() { r.First, r.Second = r.Second, r.First },
		"a credit": func() { r.Credits = 0b1000 }, "the context": func() { r.Context[0]++ },
	} {
		before := *r.Recover
		change()
		if otherD, otherCore := digests(); otherD == d || otherCore == core {
			t.Errorf("%s is not covered", name)
		}
		*r.Recover = before
	}
	r.Outputs[1] = w.coin(t)
	if otherD, otherCore := digests(); otherD != d || otherCore == core {
		t.Error("an output is in D, or not in the core")
	}
}

// What the circuit's package makes for an honest owner is what the verifier recomputes.
//
//spec:id V-06 X-25
func TestTheRecoverCircuitsLinkHoldsForTheValidator(t *testing.T) {
	w := newWorld(t, Regulated)
	h := w.network.Hasher()
	pk, err := suite.PublicKey(&w.a)
	must(t, err)
	lead := random(t)
	a, b := w.onLead(t, lead), w.onLead(t, lead)

	rw := &recovery.Witness{Owner: w.owner(t), Held: 50, Seed: random(t), R: random(t), Blindings: [2]clause.Blinding{blinding(t), blinding(t)}}
	for j, q := range []Request{a, b} {
		rw.Core[j] = recovery.Core{D: q.Transfer.Statement.InputDigest(w.network), Seed: random(t), S: random(t), Held: 90, Values: [3]uint64{10, 0, 0}}
	}
	bits := &recovery.Bits{Credit: [2][2]bool{{true, false}, {false, true}}}
	apk, serialKey := h.Address(rw.Owner.Nk, &pk)
	r := w.over(t, a, b, func(r *Recover) { r.Credits = 0b1001 })
	for j, q := range []*Item{a.Transfer, b.Transfer} {
		_, rho := h.Rhos(rw.Core[j].Seed, rw.Core[j].D)
		r.Next[j] = h.Serial(serialKey, rho)
		q.Statement.Outputs[1].Cm = random(t)
	}
	_ = apk
	for range 2 { // the cores' c_m enter the recover's D
		x, err := (&resolver{network: w.network}).recover(r.Recover)
		must(t, err)
		p, err := recovery.Prepare(h, &pk, &x.d, bits, rw)
		must(t, err)
		a.Transfer.Statement.Outputs[1].Cm, b.Transfer.Statement.Outputs[1].Cm = p.CoreCm[0], p.CoreCm[1]
	}
	x, err := (&resolver{network: w.network}).recover(r.Recover)
	must(t, err)
	p, err := recovery.Prepare(h, &pk, &x.d, bits, rw)
	must(t, err)
	r.Outputs = [2]BlindedCoin{coinOf(&p.Out[0]), coinOf(&p.Out[1])}
	x, err = (&resolver{network: w.network}).recover(r.Recover)
	must(t, err)
	link, err := recovery.Bind(h, x.core, p, rw)
	must(t, err)
	must(t, recovery.Check(h, p, rw, link))
	r.Evidence.RK = p.Rk
	claim, err := w.verifier.recoverLink(r.Recover, x, &link.Shown)
	must(t, err)
	same(t, recoverPublic(r.Recover, x, &p.Rk, claim), p.Vector(link), RecoverInputs)
}
