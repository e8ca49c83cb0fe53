package cabi

import (
	"sync"
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/jubjub"
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
	case "VERIFY_TRANSFER", "VERIFY_REGISTER", "VERIFY_MINT", "VERIFY_TRANSFERS", "VERIFY_RECOVER":
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

func (q *request) key(p jubjub.Point) *request        { return q.raw(jubjub.EncodePoint(&p)) }
func (q *request) keyScalar(s jubjub.Scalar) *request { return q.raw(s.Bytes()) }

func (q *request) outputs(o *suite.Outputs) *request {
	q.field(o.D).u32(o.Period).u8(uint8(len(o.Cms)))
	for _, cm := range o.Cms {
		q.field(cm)
	}
	return q
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
	return q.u64(l.MaxPerTransfer).u64(l.MaxPerPeriod).u64(l.MaxHeld).u64(l.MaxEscrow).u32(l.MaxTransfersPerPeriod)
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
	q.u32(s.Period).u64(s.Withdrawn).raw(s.Context[:]).u32(e.CircuitVersion).key(e.RK).u8(uint8(len(e.Shows)))
	for _, shown := range e.Shows {
		q.shown(shown)
	}
	return q.sized(e.Proof).sized(e.KeySignature)
}

// item writes a transfer with its limits and its root.
func (q *request) item(x *simtest.Transfer) *request {
	return q.transfer(x.Statement, x.Evidence).limits(&x.Limits).field(x.Root)
}

// recoverItem writes a transfer and a recover over it alone.
func (q *request) recoverItem(below *simtest.Transfer, x *statement.Recover) *request {
	q.u8(uint8(statement.FamilyTransfer)).item(below)
	return q.u8(uint8(statement.FamilyRecover)).u8(0).u8(0).recoverBody(x)
}

// recoverBody writes a recover behind the positions of its requests.
func (q *request) recoverBody(x *statement.Recover) *request {
	for j := range x.Next {
		q.field(x.Next[j]).field(x.Returned[j])
	}
	q.u8(x.Credits).coin(x.Outputs[0]).coin(x.Outputs[1]).raw(x.Context[:])
	return q.u32(x.Evidence.CircuitVersion).key(x.Evidence.RK).sized(x.Evidence.Proof).sized(x.Evidence.KeySignature)
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
		q.field(x.Statement.Apk).coin(x.Statement.Coin).u32(x.Evidence.CircuitVersion).key(x.Evidence.RK)
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
	case "VERIFY_RECOVER":
		x, below := h.regulated.Recover(t)
		reservation, err := x.Reservation(h.regulated.Network)
		must(t, err)
		return q.raw(reservation.Core[:]).u8(2).recoverItem(below, x)
	default:
		t.Fatalf("%s verifies nothing", name)
		return nil
	}
}

// account is an owner.
type account struct {
	a       jubjub.Scalar
	pk      jubjub.Point
	nk, apk suite.Field
}

func newAccount(w *simtest.World) *account {
	x := &account{a: w.KeyScalar(), nk: w.Field()}
	x.pk = jubjub.MulBase(&x.a)
	x.apk = w.Network.Hasher().Apk(x.nk, &x.pk)
	return x
}

// serial is the serial number of the owner's coin with this rho.
func (x *account) serial(w *simtest.World, rho suite.Field) suite.Field {
	h := w.Network.Hasher()
	return h.Serial(h.SerialKey(x.nk, &x.pk), rho)
}

// plan is a transfer that a prover can prove.
type plan struct {
	w     *simtest.World
	owner *account
	cc    transfer.Compliance
	in    [2]transfer.Input

	escrow          bool
	recipient, d    suite.Field
	paid, withdrawn uint64
	period          uint32
	seed, entryR    suite.Field
	blindings       [2]clause.Blinding
}

func transferPlan(w *simtest.World) *plan {
	p := &plan{
		w: w, owner: newAccount(w), recipient: w.Field(), d: w.Field(), paid: 450, withdrawn: 20, period: 202611,
		cc:   transfer.Compliance{Rho: w.Field(), Period: 202610, Sent: 7, Count: 2, Held: 5000, Com: w.Field()},
		seed: w.Field(), entryR: w.Field(), blindings: blindings(w),
	}
	p.in[0] = transfer.Input{Value: 700, Origin: hash.OriginMint, Rho: w.Field()}
	p.in[1] = transfer.Input{Value: 500, Origin: hash.OriginPayment, Rho: w.Field()}
	return p
}

func blindings(w *simtest.World) (all [2]clause.Blinding) {
	for j := range all {
		all[j] = clause.Blinding{S: w.Field(), B: w.Scalar()}
	}
	return all
}

// shown are the messages of the plan's shown signatures.
func (p *plan) shown() [3]suite.Field {
	cc := complianceHash(p.w.Network, &p.owner.apk, &p.cc)
	all := [3]suite.Field{cc, cc, cc}
	for i, in := range p.in {
		if !in.Dummy {
			all[i+1] = p.w.Network.Hasher().Coin(in.Origin, in.Value, p.owner.apk, in.Rho)
		}
	}
	return all
}

// body is the plan as PREPARE_TRANSFER and a witness hold it.
func (p *plan) body() []byte {
	q := new(request).field(p.owner.nk).key(p.owner.pk).field(p.owner.apk)
	q.field(p.cc.Rho).u32(p.cc.Period).u64(p.cc.Sent).u32(p.cc.Count).u64(p.cc.Held).field(p.cc.Com)
	for _, in := range p.in {
		q.u64(in.Value).u8(uint8(in.Origin)).field(in.Rho).flag(in.Dummy)
	}
	q.flag(p.escrow).field(p.recipient).u64(p.paid).u64(p.withdrawn).u32(p.period)
	return q.field(p.d).field(p.seed).field(p.entryR).blindings(p.blindings[:]).b
}

func (q *request) flag(v bool) *request {
	if v {
		return q.u8(1)
	}
	return q.u8(0)
}

func (q *request) blindings(all []clause.Blinding) *request {
	for _, b := range all {
		q.field(b.S).scalar(b.B)
	}
	return q
}

func (p *plan) prepare() *request {
	return new(request).sized([]byte(simtest.NetworkID)).raw(p.body())
}

// newShow shows a fresh signature on hm.
func newShow(t testing.TB, w *simtest.World, hm suite.Field) presentation {
	t.Helper()
	_, sig := w.Signature(t, w.CoinOf(t, hm))
	p, randomiser := presentation{opening: w.Scalar(), message: hm}, w.Scalar()
	var err error
	p.shown, err = w.Network.Scheme().Show(w.Committee, &sig, &hm, &randomiser, &p.opening)
	must(t, err)
	return p
}

func (q *request) presentation(p *presentation) {
	q.shown(p.shown).scalar(p.opening).field(p.message)
}

// proofRequest is what a prover receives for a plan: presentations, limits and paths in a tree with two keys.
type proofRequest struct {
	*plan
	core   [32]byte
	alpha  jubjub.Scalar
	shows  [3]presentation
	limits statement.Limits
	tree   *sanction.Tree
}

func (p *plan) toProve(t testing.TB) *proofRequest {
	t.Helper()
	x := &proofRequest{plan: p, core: [32]byte(p.w.Bytes(32)), alpha: p.w.KeyScalar()}
	for i, hm := range p.shown() {
		x.shows[i] = newShow(t, p.w, hm)
	}
	x.limits = statement.Limits{
		MaxPerTransfer: 3000, MaxPerPeriod: 10_000, MaxHeld: 300_000, MaxEscrow: 2000, MaxTransfersPerPeriod: 50,
	}
	var err error
	x.tree, err = sanction.Build(p.w.Network.Tag(), []sanction.Key{{0, 1}, {0, 2}})
	must(t, err)
	return x
}

// witness is the whole witness, with version and family.
func (x *proofRequest) witness(t testing.TB) []byte {
	t.Helper()
	return append([]byte{witnessVersion, uint8(statement.FamilyTransfer)}, x.body(t)...)
}

// body is the witness from its core on.
func (x *proofRequest) body(t testing.TB) []byte {
	t.Helper()
	q := new(request).raw(x.core[:]).raw(x.plan.body()).keyScalar(x.alpha)
	for i := range x.shows {
		q.presentation(&x.shows[i])
	}
	q.limits(&x.limits).field(x.tree.Root())
	for _, apk := range []suite.Field{x.owner.apk, x.recipient} {
		q.path(t, x.tree, &apk)
	}
	return q.b
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

// seeds returns a request for each operation that it answers with OK, except for those in notOK.
func seeds(t testing.TB, h *hostile) map[string]*request {
	t.Helper()
	w := h.regulated
	net := func() *request { return new(request).sized([]byte(simtest.NetworkID)) }
	coin := w.Coin(t)
	partials := w.Partials(t, coin)
	combined, sig := w.Signature(t, coin)
	spendKey, alpha := w.KeyScalar(), w.KeyScalar()
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
	order := new(request).u8(uint8(len(coin.Outputs.Cms)))
	for _, cm := range coin.Outputs.Cms {
		order.field(cm).point(coin.K)
	}
	order.field(coin.Outputs.D).u32(coin.Outputs.Period)
	output := new(request).outputs(coin.Outputs).u8(0).b
	coinBytes := new(request).raw(output).point(coin.K).b
	all := map[string]*request{
		"VERSION":            new(request),
		"HANDLE_CLOSE":       new(request).u64(1 << 40),
		"PUBLIC_KEY":         new(request).keyScalar(spendKey),
		"APK":                net().field(w.Field()).key(pk),
		"SERIAL_KEY":         net().field(w.Field()).key(pk),
		"SERIAL":             net().field(w.Field()).field(w.Field()),
		"RHOS":               net().field(w.Field()).field(w.Field()).u8(9),
		"COMMITMENT":         net().field(w.Field()).field(w.Field()),
		"COIN_MESSAGE":       net().u8(1).u8(2).u64(700).field(w.Field()).field(w.Field()),
		"COMPLIANCE_MESSAGE": net().field(w.Field()).field(w.Field()).u32(202611).u64(7).u32(2).u64(5000).field(w.Field()),
		"HISTORY": net().field(w.Field()).u64(1).u64(2).u64(3).u64(4).u8(1).u8(2).u8(1).u32(5).field(w.Field()).
			field(w.Field()),
		"BLIND":         blindRequest(w, net(), w.Field(), coin.Hm, w.Field()),
		"BLIND_BASE":    net().raw(output),
		"CHECK_PARTIAL": net().member(&w.Committee.Members[0]).raw(coinBytes).point(partials[0].Point),
		"COMBINE":       combine,
		"UNBLIND":       net().point(w.Committee.Y1).raw(output).point(combined).scalar(coin.B),
		"RANDOMISE":     new(request).point(sig.S1).point(sig.S2).scalar(w.Scalar()),
		"VERIFY":        net().g2(w.Committee.X).g2(w.Committee.Y).field(coin.Hm).point(sig.S1).point(sig.S2),
		"SHOW": net().point(w.Committee.Y1).point(sig.S1).point(sig.S2).field(coin.Hm).scalar(w.Scalar()).
			scalar(w.Scalar()),
		"VERIFY_SHOWN":        new(request).g2(w.Committee.X).g2(w.Committee.Y).shown(w.Shown(t)),
		"RANDOMISED_KEY":      new(request).key(pk).keyScalar(alpha),
		"SIGN_CORE":           new(request).keyScalar(spendKey).keyScalar(alpha).raw(core[:]),
		"VERIFY_CORE":         new(request).key(rk).raw(core[:]).sized(coreSignature),
		"CHECK_COMMITTEE":     new(request).committee(w.Committee),
		"VERIFY_BLINDED":      net().g2(w.Committee.X).g2(w.Committee.Y).raw(coinBytes).point(combined),
		"SHARE_OPEN":          new(request).u32(1).sized(scalar(t)).sized(scalar(t)),
		"SHARE_SIGN":          new(request).u64(0).raw(net().b).raw(coinBytes),
		"SHARE_SIGN_ALL":      new(request).u64(0).raw(net().b).u32(1).sized(order.b),
		"SHARE_MATCHES":       new(request).u64(0).member(&w.Committee.Members[0]),
		"PREPARE_REGISTER":    net().raw(enrolment(w, newAccount(w), w.Field())),
		"PREPARE_MINT":        net().u8(1).raw(issue(w, 700, w.Field())),
		"PREPARE_UNREGULATED": net().raw(exchangeOf(w).body()),
		"KEYS_OPEN":           net().u8(1).u8(1).u8(0).u32(0).sized(make([]byte, 32)).sized([]byte("/nowhere")),
		"KEYS_INFO":           new(request).u64(0),
		"KEYS_WARM_UP":        new(request).u64(0).u8(3),
		"KEYS_MAKE":           net().u8(9).u8(1).u32(4).sized([]byte("/nowhere/at/all")),
		"KEYS_FINGERPRINT":    net().u8(9),
		"KEYS_REFRESH": net().u8(1).u8(1).u32(60).u32(60).u32(0).sized(make([]byte, 32)).
			sized([]byte("/nowhere")).sized([]byte("/nowhere/else")),
		"KEYS_SHAPES":   net().u8(1).sized(make([]byte, 32)).sized([]byte("/nowhere/at/all")),
		"VERIFIER_OPEN": new(request).u64(0).committee(w.Committee),
		"TREE_BUILD":    net().sized(append(make([]byte, 19), 1)),
		"TREE_PATH":     new(request).u64(0).field(w.Field()),
		"WALLET_STEP":   new(request).sized(nil).sized(walletEvent(1, walletCreation()).b),
	}
	p := transferPlan(w)
	all["PREPARE_TRANSFER"] = p.prepare()
	all["PREPARE_SHAPE"] = claimOf(t, w, 9).prepare()
	all["PROVE"] = new(request).u64(0).u8(uint8(statement.FamilyTransfer)).sized(p.toProve(t).witness(t))
	for _, name := range []string{"VERIFY_TRANSFER", "VERIFY_UNREGULATED", "VERIFY_REGISTER", "VERIFY_MINT", "VERIFY_TRANSFERS", "VERIFY_RECOVER"} {
		q := verification(t, h, name)
		all[name] = &request{append(make([]byte, 8), q.b[8:]...)}
	}
	all["RECOVER_RESERVATION"] = net().raw(all["VERIFY_RECOVER"].b[8+32:])
	all["PREPARE_RECOVER"] = net().raw(twoBranches(w).body())
	return all
}

// blindRequest asks for the blinded coins of all messages.
func blindRequest(w *simtest.World, q *request, d suite.Field, messages ...suite.Field) *request {
	q.field(d).u32(202611).u8(uint8(len(messages)))
	for _, hm := range messages {
		q.field(hm).field(w.Field()).scalar(w.Scalar())
	}
	return q
}

// enrolment is a plan of a registration.
func enrolment(w *simtest.World, owner *account, d suite.Field) []byte {
	return new(request).field(owner.nk).key(owner.pk).field(d).field(w.Field()).field(w.Field()).scalar(w.Scalar()).b
}

// issue is a plan of a mint.
func issue(w *simtest.World, value uint64, d suite.Field) []byte {
	return new(request).field(w.Field()).u64(value).field(d).field(w.Field()).field(w.Field()).scalar(w.Scalar()).b
}

// exchange is a plan of an unregulated transfer.
type exchange struct {
	owner                   *account
	rhos                    [2]suite.Field
	recipient, d, seed      suite.Field
	paid, change, withdrawn uint64
	period                  uint32
	blindings               [2]clause.Blinding
}

// exchangeValues are what the inputs of an exchange are worth.
var exchangeValues = [2]uint64{700, 500}

func exchangeOf(w *simtest.World) *exchange {
	return &exchange{
		owner: newAccount(w), rhos: [2]suite.Field{w.Field(), w.Field()}, recipient: w.Field(), d: w.Field(), seed: w.Field(),
		paid: 450, change: 730, withdrawn: 20, period: 202611, blindings: blindings(w),
	}
}

// body is the plan as PREPARE_UNREGULATED and a witness hold it.
func (x *exchange) body() []byte {
	q := new(request).field(x.owner.nk).key(x.owner.pk)
	for i, value := range exchangeValues {
		q.u64(value).u8(uint8(hash.OriginPayment)).field(x.rhos[i]).flag(false)
	}
	q.field(x.recipient).u64(x.paid).u64(x.change).u64(x.withdrawn).u32(x.period)
	return q.field(x.d).field(x.seed).blindings(x.blindings[:]).b
}

// exchangeRequest is what a prover receives for an exchange.
type exchangeRequest struct {
	*exchange
	core  [32]byte
	alpha jubjub.Scalar
	shows [2]presentation
}

func (x *exchange) toProve(t testing.TB, w *simtest.World) *exchangeRequest {
	t.Helper()
	q := &exchangeRequest{exchange: x, core: [32]byte(w.Bytes(32)), alpha: w.KeyScalar()}
	for i, value := range exchangeValues {
		q.shows[i] = newShow(t, w, w.Network.Hasher().CoinUnregulated(value, x.owner.apk, x.rhos[i]))
	}
	return q
}

// body is the witness from its core on.
func (x *exchangeRequest) body() []byte {
	q := new(request).raw(x.core[:]).raw(x.exchange.body()).keyScalar(x.alpha)
	for i := range x.shows {
		q.presentation(&x.shows[i])
	}
	return q.b
}
