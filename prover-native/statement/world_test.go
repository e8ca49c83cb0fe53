package statement

import (
	"testing"

	"solidus.io/prover/fault"
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
	a         suite.Scalar
}

func newWorld(t testing.TB, kind Kind) *world {
	t.Helper()
	n, err := NewNetwork("statement-test")
	must(t, err)
	w := &world{network: n, scheme: n.Scheme(), trapdoors: map[Family]*trapdoor.Trapdoor{}}
	dealt, err := w.scheme.Deal(1)
	must(t, err)
	for i := range dealt.Committee.Members {
		dealt.Committee.Members[i].NoteKey[0] = byte(i)
	}
	w.committee, w.shares = dealt.Committee, dealt.Shares
	w.verifier, err = NewVerifier(n, kind, w.committee, w.keys(t, kind))
	must(t, err)
	w.a = scalar(t)
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
	return keys
}

func newTrapdoor(t testing.TB, inputs int) *trapdoor.Trapdoor {
	t.Helper()
	made, err := trapdoor.New(trapdoor.Draw(inputs, func() suite.Field { return random(t) }))
	must(t, err)
	return made
}

// simulate makes a proof for any public inputs with the trapdoors of the family's key.
func (w *world) simulate(t testing.TB, f Family, public []suite.Field) []byte {
	t.Helper()
	encoded, err := w.trapdoors[f].Encoded(public, func() suite.Field { return random(t) })
	must(t, err)
	return encoded
}

func random(t testing.TB) (e suite.Field) {
	t.Helper()
	_, err := e.SetRandom()
	must(t, err)
	return e
}

func scalar(t testing.TB) (s suite.Scalar) {
	t.Helper()
	_, err := s.SetRandom()
	must(t, err)
	return s
}

func point(t testing.TB) suite.G1 {
	t.Helper()
	s := scalar(t)
	p, err := suite.PublicKey(&s)
	must(t, err)
	return p
}

// offCurve, smallOrder and the zero point are the three ways to be no element of G1.
func offCurve() (p suite.G1) {
	p.X.SetUint64(3)
	p.Y.SetUint64(4)
	return p
}

func smallOrder() (p suite.G1) {
	p.Y.SetOne()
	return p
}

var badPoints = map[fault.Code]suite.G1{
	fault.IdentityPoint:      {},
	fault.PointNotOnCurve:    offCurve(),
	fault.PointNotInSubgroup: smallOrder(),
}

// shown issues a signature on a fresh message and presents it.
func (w *world) shown(t testing.TB) suite.Shown {
	t.Helper()
	hm := random(t)
	for _, err := suite.Exponent(&hm); err != nil; _, err = suite.Exponent(&hm) {
		hm = random(t)
	}
	cm, d, b := random(t), random(t), scalar(t)
	k, err := w.scheme.Blind(&hm, &cm, &d, &b)
	must(t, err)
	var partials []suite.Partial
	for i := range 3 {
		p, err := w.scheme.Sign(w.shares[i], &cm, &d, &k)
		must(t, err)
		partials = append(partials, suite.Partial{Index: i + 1, Point: p})
	}
	combined, err := w.scheme.Combine(w.committee, partials)
	must(t, err)
	sig, err := w.scheme.Unblind(w.committee, &cm, &d, &combined, &b)
	must(t, err)
	s, o := scalar(t), scalar(t)
	shown, err := w.scheme.Show(w.committee, &sig, &hm, &s, &o)
	must(t, err)
	return shown
}

// request is a transfer with everything that a verifier sees.
type request struct {
	s      *Transfer
	e      *Evidence
	limits Limits
	root   suite.Field
	alpha  suite.Scalar
}

func (w *world) request(t testing.TB, family Family) *request {
	t.Helper()
	r := &request{
		s: &Transfer{
			Family:  family,
			Outputs: []BlindedCoin{{random(t), point(t)}, {random(t), point(t)}},
			Period:  202611, Withdrawn: 25, Context: [32]byte{1, 2, 3},
		},
		e:      &Evidence{CircuitVersion: version},
		limits: Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxTransfersPerPeriod: 30},
		root:   random(t),
		alpha:  scalar(t),
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
	d := r.s.InputDigest(w.network)
	var bases []suite.G1
	for i := range r.s.Outputs {
		h, err := w.scheme.BlindBase(&r.s.Outputs[i].Cm, &d)
		must(t, err)
		bases = append(bases, h)
	}
	if r.s.Family == FamilyTransfer {
		r.e.Proof = w.simulate(t, FamilyTransfer, TransferPublic(r.s, r.e, &d, bases, &r.limits, &r.root))
	} else {
		r.e.Proof = w.simulate(t, FamilyTransferUnregulated, UnregulatedPublic(r.s, r.e, &d, bases))
	}
}

func (w *world) sign(t testing.TB, r *request) {
	t.Helper()
	core, err := r.s.Core(w.network)
	must(t, err)
	r.e.KeySignature, err = suite.SignCore(&w.a, &r.alpha, core)
	must(t, err)
}

func (w *world) verify(r *request) error {
	if r.s.Family == FamilyTransferUnregulated {
		return w.verifier.VerifyUnregulated(r.s, r.e)
	}
	return w.verifier.VerifyTransfer(r.s, r.e, &r.limits, &r.root)
}
