package cabi

import (
	"sync"
	"testing"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/keys"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// hostile is the state of the bridge's fuzz targets: both kinds of network, with a live object of every kind behind a handle.
type hostile struct {
	regulated, unregulated                 *simtest.World
	share, tree, keySet, verifier, unregul uint64 // handles
}

var hostileOnce = sync.OnceValue(func() *hostile {
	var t testing.T
	h := &hostile{regulated: simtest.New(&t, statement.Regulated, 1), unregulated: simtest.New(&t, statement.Unregulated, 2)}
	must := func(id uint64, err error) uint64 {
		if err != nil {
			panic(err)
		}
		return id
	}
	w := h.regulated
	tree, err := sanction.Build(w.Network.Tag(), []sanction.Key{{0, 1}, {0, 2}})
	if err != nil {
		panic(err)
	}
	set := &keys.Set{Network: w.Network, Kind: w.Kind, Class: keys.Development, Manifest: &keys.Manifest{}, Committee: w.Committee}
	h.share = must(handles.add(w.Shares[0]))
	h.tree = must(handles.add(tree))
	h.keySet = must(handles.add(&openSet{set, func() {}}))
	h.verifier = must(handles.add(w.Verifier))
	h.unregul = must(handles.add(h.unregulated.Verifier))
	return h
})

// handleOf returns the live object that an operation starts with. It is put into requests that begin with zeros, so that a
// corpus does not depend on the handles of one process.
func (h *hostile) handleOf(name string) uint64 {
	switch name {
	case "SHARE_SIGN", "SHARE_SIGN_ALL", "SHARE_MATCHES":
		return h.share
	case "TREE_PATH":
		return h.tree
	case "KEYS_INFO", "KEYS_WARM_UP", "PROVE", "VERIFIER_OPEN":
		return h.keySet
	case "VERIFY_TRANSFER", "VERIFY_REGISTER", "VERIFY_MINT", "VERIFY_TRANSFERS":
		return h.verifier
	case "VERIFY_UNREGULATED":
		return h.unregul
	default:
		return 0
	}
}

// aimed puts the operation's live handle into a request that starts with eight zeros.
func (h *hostile) aimed(name string, b []byte) []byte {
	handle := h.handleOf(name)
	if handle == 0 || len(b) < 8 || [8]byte(b[:8]) != [8]byte{} {
		return append([]byte(nil), b...)
	}
	return append((&request{}).u64(handle).b, b[8:]...)
}

func (q *request) field(e suite.Field) *request   { return q.raw(suite.EncodeField(&e)) }
func (q *request) scalar(s suite.Scalar) *request { return q.raw(suite.EncodeScalar(&s)) }

// point writes any point, also one that EncodeG1 refuses.
func (q *request) point(p suite.G1) *request {
	b := p.RawBytes()
	return q.raw(b[:])
}

func (q *request) g2(p suite.G2) *request {
	b, err := suite.EncodeG2(&p)
	if err != nil {
		panic(err)
	}
	return q.raw(b)
}

func (q *request) member(m *suite.Member) *request {
	return q.u32(uint32(m.Index)).g2(m.X).g2(m.Y).point(m.Gamma).raw(m.NoteKey[:])
}

func (q *request) committee(c *suite.Committee) *request {
	q.u32(c.Epoch).u32(uint32(c.F)).g2(c.X).g2(c.Y).point(c.Y1).u32(uint32(len(c.Members)))
	for i := range c.Members {
		q.member(&c.Members[i])
	}
	return q
}

func (q *request) coin(c statement.BlindedCoin) *request { return q.field(c.Cm).point(c.K) }

func (q *request) shown(s suite.Shown) *request { return q.point(s.H).point(s.M).point(s.S) }

func (q *request) limits(l *statement.Limits) *request {
	return q.u64(l.MaxPerTransfer).u64(l.MaxPerPeriod).u64(l.MaxHeld).u32(l.MaxTransfersPerPeriod)
}

// transfer writes statement and evidence.
func (q *request) transfer(s *statement.Transfer, e *statement.Evidence) *request {
	q.u8(uint8(s.Family)).u8(uint8(len(s.Serials)))
	for _, sn := range s.Serials {
		q.field(sn)
	}
	q.u8(uint8(len(s.Outputs)))
	for _, c := range s.Outputs {
		q.coin(c)
	}
	q.u32(s.Period).u64(s.Withdrawn).raw(s.Context[:]).u32(e.CircuitVersion).point(e.RK).u8(uint8(len(e.Shows)))
	for _, shown := range e.Shows {
		q.shown(shown)
	}
	return q.sized(e.Proof).sized(e.KeySignature)
}

// item writes a transfer with its limits and its root.
func (q *request) item(x *simtest.Transfer) *request {
	return q.transfer(x.Statement, x.Evidence).limits(&x.Limits).field(x.Root)
}

// verification is a request that the verifier answers with OK.
func verification(t testing.TB, h *hostile, name string) *request {
	t.Helper()
	q := new(request).u64(h.handleOf(name))
	switch name {
	case "VERIFY_TRANSFER":
		x := h.regulated.Transfer(t)
		return q.item(x)
	case "VERIFY_UNREGULATED":
		x := h.unregulated.Transfer(t)
		return q.transfer(x.Statement, x.Evidence)
	case "VERIFY_REGISTER":
		x := h.regulated.Registration(t)
		q.field(x.Statement.Apk).coin(x.Statement.Coin).u32(x.Evidence.CircuitVersion).point(x.Evidence.RK)
		return q.sized(x.Evidence.Proof).sized(x.Evidence.KeySignature)
	case "VERIFY_MINT":
		x := h.regulated.Mint(t)
		q.raw(x.Statement.MintID[:]).u64(x.Statement.Value).coin(x.Statement.Coin)
		return q.u32(simtest.Version).sized(x.Proof)
	case "VERIFY_TRANSFERS":
		q.u32(2)
		for range 2 {
			x := h.regulated.Transfer(t)
			q.sized(new(request).item(x).b)
		}
		return q
	default:
		t.Fatalf("%s verifies nothing", name)
		return nil
	}
}

// plan is a transfer that a prover can prove, with the request that prepares it.
type plan struct {
	q      *request // network and plan
	w      *simtest.World
	shown  [3]suite.Field
	period uint32
}

func transferPlan(t testing.TB, w *simtest.World) *plan {
	t.Helper()
	h := w.Network.Hasher()
	for range 1000 {
		nk, pk, rhos := w.Field(), w.Point(t), [3]suite.Field{w.Field(), w.Field(), w.Field()}
		owner := h.Apk(nk, &pk)
		cc := transfer.Compliance{Rho: rhos[0], Period: 202610, Sent: 7, Count: 2, Held: 5000, Com: w.Field()}
		p := &plan{q: new(request), w: w, period: 202611}
		p.shown = [3]suite.Field{complianceHash(w.Network, &owner, &cc), h.Coin(700, owner, rhos[1]), h.Coin(500, owner, rhos[2])}
		p.q.field(nk).point(pk).field(owner)
		p.q.field(cc.Rho).u32(cc.Period).u64(cc.Sent).u32(cc.Count).u64(cc.Held).field(cc.Com)
		p.q.u64(700).field(rhos[1]).u8(0).u64(500).field(rhos[2]).u8(0)
		p.q.field(w.Field()).u64(450).u64(20).u32(p.period).field(w.Field()).field(w.Field()).field(w.Field())
		for range 2 {
			p.q.field(w.Field()).scalar(w.Scalar())
		}
		if admissible(p.shown[:]) {
			if code, _ := call(t, "PREPARE_TRANSFER", p.prepare()); code == fault.OK {
				return p
			}
		}
	}
	t.Fatal("a thousand plans without exponents")
	return nil
}

func admissible(messages []suite.Field) bool {
	for i := range messages {
		if _, err := suite.Exponent(&messages[i]); err != nil {
			return false
		}
	}
	return true
}

func (p *plan) prepare() *request {
	return new(request).sized([]byte(simtest.NetworkID)).raw(p.q.b)
}

// witness is the plan with presentations, limits and paths in a tree with two keys.
func (p *plan) witness(t testing.TB) []byte {
	t.Helper()
	w := p.w
	q := new(request).u8(witnessVersion).u8(uint8(statement.FamilyTransfer)).raw(p.q.b).scalar(w.Scalar())
	for _, hm := range p.shown {
		q.presentation(t, w, hm)
	}
	q.limits(&statement.Limits{MaxPerTransfer: 3000, MaxPerPeriod: 10_000, MaxHeld: 300_000, MaxTransfersPerPeriod: 50})
	tree, err := sanction.Build(w.Network.Tag(), []sanction.Key{{0, 1}, {0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	root := tree.Root()
	q.field(root)
	r := &reader{in: p.q.b}
	plan := r.transferPlan(w.Network)
	owner := w.Network.Hasher().Apk(plan.Nk, &plan.PkAuth)
	for _, apk := range []suite.Field{owner, plan.Recipient} {
		q.path(t, tree, &apk)
	}
	return q.b
}

// presentation is a shown signature on hm with what opens it.
func (q *request) presentation(t testing.TB, w *simtest.World, hm suite.Field) {
	t.Helper()
	cm, d, b, randomiser, opening := w.Field(), w.Field(), w.Scalar(), w.Scalar(), w.Scalar()
	k, err := w.Network.Scheme().Blind(&hm, &cm, &d, &b)
	if err != nil {
		t.Fatal(err)
	}
	_, sig := w.Signature(t, &simtest.Coin{Hm: hm, Cm: cm, D: d, B: b, K: k})
	shown, err := w.Network.Scheme().Show(w.Committee, &sig, &hm, &randomiser, &opening)
	if err != nil {
		t.Fatal(err)
	}
	q.shown(shown).scalar(opening).field(hm)
}

func (q *request) path(t testing.TB, tree *sanction.Tree, apk *suite.Field) {
	t.Helper()
	p, err := tree.Path(apk)
	if err != nil {
		t.Fatal(err)
	}
	q.raw(p.Low[:]).raw(p.High[:]).u32(p.Index)
	for _, s := range p.Siblings {
		q.field(s[0]).field(s[1])
	}
}

// spendable repeats a request's random parts until its messages have exponents.
func spendable(t testing.TB, name string, draw func() *request) *request {
	t.Helper()
	for range 1000 {
		q := draw()
		if code, _ := call(t, name, q); code != fault.RetrySeed {
			return q
		}
	}
	t.Fatal("a thousand draws without an exponent")
	return nil
}

// seeds returns a request for each operation that it answers with OK, except for those in notOK.
func seeds(t testing.TB, h *hostile) map[string]*request {
	t.Helper()
	w := h.regulated
	net := func() *request { return new(request).sized([]byte(simtest.NetworkID)) }
	coin := w.Coin(t)
	partials := w.Partials(t, coin)
	combined, sig := w.Signature(t, coin)
	spendKey, alpha := w.Scalar(), w.Scalar()
	pk, err := suite.PublicKey(&spendKey)
	if err != nil {
		t.Fatal(err)
	}
	core := [32]byte(w.Bytes(32))
	rk, err := suite.RandomisedKey(&pk, &alpha)
	if err != nil {
		t.Fatal(err)
	}
	coreSignature, err := suite.SignCore(&spendKey, &alpha, core)
	if err != nil {
		t.Fatal(err)
	}
	combine := new(request).u32(uint32(w.Committee.F)).u32(uint32(len(partials)))
	for _, p := range partials {
		combine.u32(uint32(p.Index)).point(p.Point)
	}
	coinBytes := new(request).field(coin.Cm).point(coin.K).field(coin.D).b
	all := map[string]*request{
		"VERSION":            new(request),
		"HANDLE_CLOSE":       new(request).u64(1 << 40),
		"PUBLIC_KEY":         new(request).scalar(spendKey),
		"APK":                net().field(w.Field()).point(pk),
		"SERIAL_KEY":         net().field(w.Field()).point(pk),
		"SERIAL":             net().field(w.Field()).field(w.Field()),
		"RHOS":               net().field(w.Field()).field(w.Field()),
		"COIN_MESSAGE":       net().u8(1).u64(700).field(w.Field()).field(w.Field()),
		"COMPLIANCE_MESSAGE": net().field(w.Field()).field(w.Field()).u32(202611).u64(7).u32(2).u64(5000).field(w.Field()),
		"HISTORY":            net().field(w.Field()).u64(1).u64(2).u64(3).u64(4).u32(5).field(w.Field()).field(w.Field()),
		"BLIND":              net().field(coin.Hm).field(w.Field()).scalar(coin.B).field(coin.D),
		"BLIND_BASE":         net().field(coin.Cm).field(coin.D),
		"CHECK_PARTIAL":      net().member(&w.Committee.Members[0]).raw(coinBytes).point(partials[0].Point),
		"COMBINE":            combine,
		"UNBLIND":            net().point(w.Committee.Y1).field(coin.Cm).field(coin.D).point(combined).scalar(coin.B),
		"RANDOMISE":          new(request).point(sig.S1).point(sig.S2).scalar(w.Scalar()),
		"VERIFY":             net().g2(w.Committee.X).g2(w.Committee.Y).field(coin.Hm).point(sig.S1).point(sig.S2),
		"SHOW": net().point(w.Committee.Y1).point(sig.S1).point(sig.S2).field(coin.Hm).scalar(w.Scalar()).
			scalar(w.Scalar()),
		"VERIFY_SHOWN":    new(request).g2(w.Committee.X).g2(w.Committee.Y).shown(w.Shown(t)),
		"RANDOMISED_KEY":  new(request).point(pk).scalar(alpha),
		"SIGN_CORE":       new(request).scalar(spendKey).scalar(alpha).raw(core[:]),
		"VERIFY_CORE":     new(request).point(rk).raw(core[:]).sized(coreSignature),
		"CHECK_COMMITTEE": new(request).committee(w.Committee),
		"VERIFY_BLINDED":  net().g2(w.Committee.X).g2(w.Committee.Y).raw(coinBytes).point(combined),
		"SHARE_OPEN":      new(request).u32(1).sized(scalar(t)).sized(scalar(t)),
		"SHARE_SIGN":      new(request).u64(0).raw(net().b).raw(coinBytes),
		"SHARE_SIGN_ALL":  new(request).u64(0).raw(net().b).u32(1).sized(new(request).u8(1).raw(coinBytes).b),
		"SHARE_MATCHES":   new(request).u64(0).member(&w.Committee.Members[0]),
		"PREPARE_REGISTER": spendable(t, "PREPARE_REGISTER", func() *request {
			return net().field(w.Field()).point(pk).field(w.Field()).field(w.Field()).field(w.Field()).scalar(w.Scalar())
		}),
		"PREPARE_MINT": spendable(t, "PREPARE_MINT", func() *request {
			return net().u8(1).field(w.Field()).u64(700).field(w.Field()).field(w.Field()).field(w.Field()).scalar(w.Scalar())
		}),
		"PREPARE_UNREGULATED": spendable(t, "PREPARE_UNREGULATED", func() *request { return exchangeRequest(t, w, net()) }),
		"KEYS_OPEN":           net().u8(1).u8(1).sized(make([]byte, 32)).sized([]byte("/nowhere")),
		"KEYS_INFO":           new(request).u64(0),
		"KEYS_WARM_UP":        new(request).u64(0).u8(3),
		"KEYS_MAKE":           net().u8(9).u8(1).u32(4).sized([]byte("/nowhere/at/all")),
		"KEYS_FINGERPRINT":    net().u8(9),
		"VERIFIER_OPEN":       new(request).u64(0).committee(w.Committee),
		"TREE_BUILD":          net().sized(append(make([]byte, 19), 1)),
		"TREE_PATH":           new(request).u64(0).field(w.Field()),
	}
	p := transferPlan(t, w)
	all["PREPARE_TRANSFER"] = p.prepare()
	all["PROVE"] = new(request).u64(0).u8(uint8(statement.FamilyTransfer)).sized(p.witness(t))
	for _, name := range []string{"VERIFY_TRANSFER", "VERIFY_UNREGULATED", "VERIFY_REGISTER", "VERIFY_MINT", "VERIFY_TRANSFERS"} {
		q := verification(t, h, name)
		all[name] = &request{append(make([]byte, 8), q.b[8:]...)}
	}
	return all
}

func exchangeRequest(t testing.TB, w *simtest.World, q *request) *request {
	t.Helper()
	q.field(w.Field()).point(w.Point(t)).u64(700).field(w.Field()).u8(0).u64(500).field(w.Field()).u8(0)
	q.field(w.Field()).u64(450).u64(730).u64(20).field(w.Field()).field(w.Field())
	for range 2 {
		q.field(w.Field()).scalar(w.Scalar())
	}
	return q
}
