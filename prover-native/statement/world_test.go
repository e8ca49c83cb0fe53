package statement

import (
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/jubjubtest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/simulate/fixedbase"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/suite"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if err == nil || fault.CodeOf(err) != want {
		t.Fatalf("got %v, want %v", err, want)
	}
}

const version = 7

// world is a network with a committee whose proofs are simulated and whose signatures are real.
type world struct {
	network   *Network
	scheme    suite.Scheme
	committee *suite.Committee
	shares    []*suite.Share
	trapdoors map[Family]*trapdoor.Trapdoor
	verifier  *Verifier
	a         jubjub.Scalar
	openings  map[suite.G1]trapdoor.Opening // of the points that it made
}

func newWorld(t testing.TB, kind Kind) *world {
	t.Helper()
	n, err := NewNetwork("statement-test")
	must(t, err)
	w := &world{
		network: n, scheme: n.Scheme(), trapdoors: map[Family]*trapdoor.Trapdoor{}, openings: map[suite.G1]trapdoor.Opening{},
	}
	dealt, err := w.scheme.Deal(1)
	must(t, err)
	for i := range dealt.Committee.Members {
		dealt.Committee.Members[i].NoteKey[0] = byte(i)
	}
	w.committee, w.shares = dealt.Committee, dealt.Shares
	w.verifier, err = NewVerifier(n, kind, w.committee, w.keys(t, kind))
	must(t, err)
	w.a = keyScalar(t)
	return w
}

func (w *world) keys(t testing.TB, kind Kind) (keys Keys) {
	t.Helper()
	key := func(f Family, inputs int) *CircuitKey {
		w.trapdoors[f] = newTrapdoor(t, inputs)
		checked, err := w.trapdoors[f].Checked()
		must(t, err)
		return &CircuitKey{Version: version, Key: checked}
	}
	keys.Mint = key(FamilyMint, MintInputs)
	if kind == Unregulated {
		keys.Unregulated = key(FamilyTransferUnregulated, UnregulatedInputs)
		return keys
	}
	keys.Transfer = key(FamilyTransfer, TransferInputs)
	keys.Register = key(FamilyRegister, RegisterInputs)
	keys.Recover = key(FamilyRecover, RecoverInputs)
	keys.Claim16 = key(FamilyClaim16, Claim16Inputs)
	keys.Pay8 = key(FamilyPay8, Pay8Inputs)
	return keys
}

func newTrapdoor(t testing.TB, inputs int) *trapdoor.Trapdoor {
	t.Helper()
	made, err := trapdoor.New(trapdoor.Draw(inputs, draw(t)))
	must(t, err)
	return made
}

// draw is random for the simulator.
func draw(t testing.TB) func() suite.Field { return func() suite.Field { return random(t) } }

// link links points of the world to messages of its own.
func (w *world) link(t testing.TB, s *suite.LinkStatement) *suite.LinkClaim {
	t.Helper()
	openings := make([]trapdoor.Opening, len(s.M))
	for i := range s.M {
		var known bool
		if openings[i], known = w.openings[s.M[i]]; !known {
			t.Fatalf("linked point %d is not of this world", i)
		}
	}
	link, err := trapdoor.Link(s, openings, draw(t))
	must(t, err)
	return claimOf(t, s, link)
}

func claimOf(t testing.TB, s *suite.LinkStatement, link *suite.Link) *suite.LinkClaim {
	t.Helper()
	claim, err := suite.NewLinkClaim(s, link)
	must(t, err)
	return claim
}

// simulate makes a proof for any public inputs with the trapdoors of the family's key, and appends the link.
func (w *world) simulate(t testing.TB, f Family, public []suite.Field, link *suite.Link) []byte {
	t.Helper()
	proof, err := w.trapdoors[f].Encoded(public, draw(t))
	must(t, err)
	encoded, err := suite.EncodeLink(link)
	must(t, err)
	return append(proof, encoded...)
}

func random(t testing.TB) (e suite.Field) {
	t.Helper()
	_, err := e.SetRandom()
	must(t, err)
	return e
}

func keyScalar(t testing.TB) jubjub.Scalar {
	t.Helper()
	s, err := jubjub.RandomScalar()
	must(t, err)
	return s
}

// point is a point that this world can link.
func (w *world) point(t testing.TB) suite.G1 {
	t.Helper()
	x := random(t)
	p := fixedbase.G1(x)[0]
	w.openings[p] = trapdoor.Opening{Blind: x}
	return p
}

func (w *world) coin(t testing.TB) BlindedCoin { return BlindedCoin{random(t), w.point(t)} }

func keyPoint(t testing.TB) jubjub.Point {
	t.Helper()
	s := keyScalar(t)
	return jubjub.MulBase(&s)
}

// offCurve, smallOrder and the zero point are the three ways to be no element of G1.
func offCurve() (p suite.G1) {
	p.X.SetUint64(3)
	p.Y.SetUint64(4)
	return p
}

func smallOrder() (p suite.G1) {
	p.Y.SetUint64(2)
	return p
}

var badPoints = map[fault.Code]suite.G1{
	fault.IdentityPoint:      {},
	fault.PointNotOnCurve:    offCurve(),
	fault.PointNotInSubgroup: smallOrder(),
}

// The ways to be no owner's key: the identity, off the curve, and a part of order two or eight.

func keyIdentity() (p jubjub.Point) {
	p.Y.SetOne()
	return p
}

func keyOffCurve() (p jubjub.Point) {
	p.X.SetUint64(3)
	p.Y.SetUint64(4)
	return p
}

func keyOfOrderTwo() (p jubjub.Point) {
	p = keyIdentity()
	p.Y.Neg(&p.Y)
	return p
}

// badKey is a key with the code of its refusal.
type badKey struct {
	key  jubjub.Point
	want fault.Code
}

func badKeys() map[string]badKey {
	return map[string]badKey{
		"identity":          {keyIdentity(), fault.IdentityPoint},
		"off the curve":     {keyOffCurve(), fault.PointNotOnCurve},
		"zeros":             {jubjub.Point{}, fault.PointNotOnCurve},
		"order two":         {keyOfOrderTwo(), fault.PointNotInSubgroup},
		"order eight":       {jubjubtest.OrderEight(), fault.PointNotInSubgroup},
		"part of order two": {jubjub.Add(jubjub.Base(), keyOfOrderTwo()), fault.PointNotInSubgroup},
	}
}

// issued is a signature with its message.
type issued struct {
	sig suite.Signature
	hm  suite.Field
}

// issueOn signs a message.
func (w *world) issueOn(t testing.TB, hm suite.Field) *issued {
	t.Helper()
	x := &issued{hm: hm}
	o, b := &suite.Outputs{D: random(t), Cms: []suite.Field{random(t)}}, random(t)
	k, err := w.scheme.Blind(o, 0, &x.hm, &b)
	must(t, err)
	var partials []suite.Partial
	for i, share := range w.shares[:w.committee.Quorum()] {
		p, err := w.scheme.Sign(share, o, 0, &k)
		must(t, err)
		partials = append(partials, suite.Partial{Index: i + 1, Point: p})
	}
	combined, err := w.scheme.Combine(w.committee, partials)
	must(t, err)
	x.sig, err = w.scheme.Unblind(w.committee, o, 0, &combined, &b)
	must(t, err)
	return x
}

// show presents a signature, re-randomised by s.
func (w *world) show(t testing.TB, x *issued, s *suite.Scalar) suite.Shown {
	t.Helper()
	o := random(t)
	shown, err := w.scheme.Show(w.committee, &x.sig, &x.hm, s, &o)
	must(t, err)
	w.openings[shown.M] = trapdoor.Opening{Message: x.hm, Blind: o}
	return shown
}

// shown issues a signature on a fresh message and presents it.
func (w *world) shown(t testing.TB) suite.Shown {
	t.Helper()
	s := random(t)
	return w.show(t, w.issueOn(t, random(t)), &s)
}

// request is a transfer with everything that a verifier sees.
type request struct {
	s      *Transfer
	e      *Evidence
	limits Limits
	root   suite.Field
	alpha  jubjub.Scalar
}

func (w *world) request(t testing.TB, family Family) *request {
	t.Helper()
	r := &request{
		s: &Transfer{
			Family: family,
			Period: 202611, Withdrawn: 25, Context: [32]byte{1, 2, 3},
		},
		e:      &Evidence{CircuitVersion: version},
		limits: Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxEscrow: 700, MaxTransfersPerPeriod: 30},
		root:   random(t),
		alpha:  keyScalar(t),
	}
	for range transferShapes[family].outputs {
		r.s.Outputs = append(r.s.Outputs, w.coin(t))
	}
	for range transferShapes[family].serials {
		r.s.Serials = append(r.s.Serials, random(t))
		r.e.Shows = append(r.e.Shows, w.shown(t))
	}
	w.renew(t, r)
	return r
}

// renew signs and proves what the request says now.
func (w *world) renew(t testing.TB, r *request) {
	t.Helper()
	pk, err := suite.PublicKey(&w.a)
	must(t, err)
	r.e.RK, err = suite.RandomisedKey(&pk, &r.alpha)
	must(t, err)
	w.sign(t, r)
	w.prove(t, r, w.link(t, w.linked(t, r)))
}

func (w *world) sign(t testing.TB, r *request) {
	t.Helper()
	core, err := r.s.Core(w.network)
	must(t, err)
	r.e.KeySignature, err = suite.SignCore(&w.a, &r.alpha, core)
	must(t, err)
}

// linked are the linked points of a request, put together without the verifier.
func (w *world) linked(t testing.TB, r *request) *suite.LinkStatement {
	t.Helper()
	core, err := r.s.Core(w.network)
	must(t, err)
	s := &suite.LinkStatement{Core: core, D: r.s.InputDigest(w.network), RK: &r.e.RK}
	for i := range r.e.Shows {
		s.H, s.M = append(s.H, r.e.Shows[i].H), append(s.M, r.e.Shows[i].M)
	}
	o := &suite.Outputs{D: s.D, Period: r.s.Period}
	for i := range r.s.Outputs {
		o.Cms = append(o.Cms, r.s.Outputs[i].Cm)
	}
	for j := range r.s.Outputs {
		h, err := w.network.Hasher().CoinBase(o, j)
		must(t, err)
		s.H, s.M = append(s.H, h), append(s.M, r.s.Outputs[j].K)
	}
	return s
}

// prove simulates the proof of a request with this link.
func (w *world) prove(t testing.TB, r *request, link *suite.LinkClaim) {
	t.Helper()
	d := r.s.InputDigest(w.network)
	public := TransferPublic(r.s, r.e, &d, link, &r.limits, &r.root)
	if r.s.Family == FamilyTransferUnregulated {
		public = UnregulatedPublic(r.s, r.e, &d, link)
	}
	r.e.Proof = w.simulate(t, r.s.Family, public, link.Link)
}

func (w *world) verify(r *request) error {
	if r.s.Family == FamilyTransferUnregulated {
		return w.verifier.VerifyUnregulated(r.s, r.e)
	}
	return w.verifier.VerifyTransfer(r.s, r.e, &r.limits, &r.root)
}
