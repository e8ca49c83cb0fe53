// Package simtest makes a whole network from a seed: a committee, verifying keys with known trapdoors, and requests that a
// verifier accepts, with simulated proofs and real signatures. The same seed gives the same bytes in every process, except
// for the payers' signatures, whose nonces the suite draws itself. So the finding of a fuzzer in one process can be repeated
// in another. Only tests import it, which a test of this package checks.
package simtest

import (
	"math/rand/v2"
	"testing"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/groth"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/simulate/fixedbase"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// NetworkID is the id of every network of this package.
const NetworkID = "fuzz-network"

// Version is the circuit version of all keys.
const Version = 7

// F is the number of faulty authorities that the committee tolerates.
const F = 1

// World is a network of one kind.
type World struct {
	Network   *statement.Network
	Kind      statement.Kind
	Committee *suite.Committee
	Shares    []*suite.Share
	Verifier  *statement.Verifier

	random    *rand.Rand
	trapdoors map[statement.Family]*trapdoor.Trapdoor
	openings  map[suite.G1]trapdoor.Opening // of the points that the world made
	a         jubjub.Scalar
}

// Transfer is an accepted transfer of either family.
type Transfer struct {
	Statement *statement.Transfer
	Evidence  *statement.Evidence
	Limits    statement.Limits
	Root      suite.Field

	alpha jubjub.Scalar
}

// Registration is an accepted registration.
type Registration struct {
	Statement *statement.Register
	Evidence  *statement.OwnerEvidence
}

// Mint is an accepted mint.
type Mint struct {
	Statement *statement.Mint
	Proof     []byte
}

// New makes the network of a seed.
func New(t testing.TB, kind statement.Kind, seed uint64) *World {
	t.Helper()
	n, err := statement.NewNetwork(NetworkID)
	must(t, err)
	w := &World{
		Network: n, Kind: kind, random: rand.New(rand.NewPCG(seed, 17)),
		trapdoors: map[statement.Family]*trapdoor.Trapdoor{}, openings: map[suite.G1]trapdoor.Opening{},
	}
	w.deal(t)
	w.Verifier, err = statement.NewVerifier(n, kind, w.Committee, w.keys(t))
	must(t, err)
	w.a = w.KeyScalar()
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// deal shares a key by polynomials of degree 2f, as suite.Deal does, with the randomness of the seed.
func (w *World) deal(t testing.TB) {
	t.Helper()
	var px, py [2*F + 1]suite.Scalar
	for i := range px {
		px[i], py[i] = w.Scalar(), w.Scalar()
	}
	c := &suite.Committee{F: F, X: fixedbase.G2(&px[0]), Y: fixedbase.G2(&py[0]), Y1: fixedbase.G1(py[0])[0]}
	for i := 1; i <= c.N(); i++ {
		x, y := at(px[:], i), at(py[:], i)
		share, err := suite.NewShare(i, suite.EncodeScalar(&x), suite.EncodeScalar(&y))
		must(t, err)
		w.Shares = append(w.Shares, share)
		m := suite.Member{Index: i, X: fixedbase.G2(&x), Y: fixedbase.G2(&y), Gamma: fixedbase.G1(y)[0]}
		m.NoteKey[0] = byte(i)
		c.Members = append(c.Members, m)
	}
	w.Committee = c
}

func at(polynomial []suite.Scalar, i int) (sum suite.Scalar) {
	var x suite.Scalar
	x.SetUint64(uint64(i))
	for k := len(polynomial) - 1; k >= 0; k-- {
		sum.Mul(&sum, &x).Add(&sum, &polynomial[k])
	}
	return sum
}

func (w *World) keys(t testing.TB) (keys statement.Keys) {
	t.Helper()
	key := func(f statement.Family, inputs int) *statement.CircuitKey {
		var err error
		w.trapdoors[f], err = trapdoor.New(trapdoor.Draw(inputs, w.Field))
		must(t, err)
		checked, err := w.trapdoors[f].Checked()
		must(t, err)
		return &statement.CircuitKey{Version: Version, Key: checked}
	}
	keys.Mint = key(statement.FamilyMint, statement.MintInputs)
	if w.Kind == statement.Unregulated {
		keys.Unregulated = key(statement.FamilyTransferUnregulated, statement.UnregulatedInputs)
		return keys
	}
	keys.Transfer = key(statement.FamilyTransfer, statement.TransferInputs)
	keys.Register = key(statement.FamilyRegister, statement.RegisterInputs)
	keys.Recover = key(statement.FamilyRecover, statement.RecoverInputs)
	return keys
}

// Bytes draws n bytes from the randomness of the seed.
func (w *World) Bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.random.Uint32())
	}
	return b
}

// Field is a random element of F.
func (w *World) Field() (e suite.Field) {
	e.SetBytes(w.Bytes(suite.FieldBytes + 16))
	return e
}

// Scalar is a random exponent other than zero.
func (w *World) Scalar() (s suite.Scalar) {
	for s.IsZero() {
		s.SetBytes(w.Bytes(suite.ScalarBytes + 16))
	}
	return s
}

// KeyScalar is a random exponent of an owner's key, other than zero.
func (w *World) KeyScalar() (s jubjub.Scalar) {
	for s.IsZero() {
		s = jubjub.Reduce(w.Bytes(2 * jubjub.ScalarBytes))
	}
	return s
}

// Key is a random key of an owner.
func (w *World) Key() jubjub.Point {
	s := w.KeyScalar()
	return jubjub.MulBase(&s)
}

// Point is a random point of G1, which can be linked.
func (w *World) Point(t testing.TB) suite.G1 {
	t.Helper()
	x := w.Scalar()
	p := fixedbase.G1(x)[0]
	w.openings[p] = trapdoor.Opening{Blind: x}
	return p
}

// Coin is a blinded coin of a random message, the only output of a statement, with its opening.
type Coin struct {
	Hm      suite.Field
	Outputs *suite.Outputs
	B       suite.Scalar
	K       suite.G1
}

// Coin blinds a random message.
func (w *World) Coin(t testing.TB) *Coin {
	t.Helper()
	return w.CoinOf(t, w.Field())
}

// CoinOf blinds a message.
func (w *World) CoinOf(t testing.TB, hm suite.Field) *Coin {
	t.Helper()
	c := &Coin{Hm: hm, Outputs: &suite.Outputs{D: w.Field(), Period: 202611, Cms: []suite.Field{w.Field()}}, B: w.Scalar()}
	var err error
	c.K, err = w.Network.Scheme().Blind(c.Outputs, 0, &c.Hm, &c.B)
	must(t, err)
	return c
}

// Partials are the partial signatures of the first quorum.
func (w *World) Partials(t testing.TB, c *Coin) (all []suite.Partial) {
	t.Helper()
	for i := range w.Committee.Quorum() {
		p, err := w.Network.Scheme().Sign(w.Shares[i], c.Outputs, 0, &c.K)
		must(t, err)
		all = append(all, suite.Partial{Index: i + 1, Point: p})
	}
	return all
}

// Signature returns the committee's signature on the coin. combined is its blinded form.
func (w *World) Signature(t testing.TB, c *Coin) (combined suite.G1, sig suite.Signature) {
	t.Helper()
	combined, err := w.Network.Scheme().Combine(w.Committee, w.Partials(t, c))
	must(t, err)
	sig, err = w.Network.Scheme().Unblind(w.Committee, c.Outputs, 0, &combined, &c.B)
	must(t, err)
	return combined, sig
}

// Shown presents a signature on a fresh coin.
func (w *World) Shown(t testing.TB) suite.Shown {
	t.Helper()
	c := w.Coin(t)
	_, sig := w.Signature(t, c)
	s, o := w.Scalar(), w.Scalar()
	shown, err := w.Network.Scheme().Show(w.Committee, &sig, &c.Hm, &s, &o)
	must(t, err)
	w.openings[shown.M] = trapdoor.Opening{Message: c.Hm, Blind: o}
	return shown
}

func (w *World) output(t testing.TB) statement.BlindedCoin {
	t.Helper()
	return statement.BlindedCoin{Cm: w.Field(), K: w.Point(t)}
}

// Transfer is a transfer of the network's family that Verifier accepts.
func (w *World) Transfer(t testing.TB) *Transfer {
	t.Helper()
	family, serials := statement.FamilyTransfer, 3
	if w.Kind == statement.Unregulated {
		family, serials = statement.FamilyTransferUnregulated, 2
	}
	x := &Transfer{
		Statement: &statement.Transfer{
			Family: family, Outputs: []statement.BlindedCoin{w.output(t), w.output(t)},
			Period: 202611, Withdrawn: 25, Context: [32]byte(w.Bytes(32)),
		},
		Evidence: &statement.Evidence{CircuitVersion: Version},
		Limits:   statement.Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxEscrow: 700, MaxTransfersPerPeriod: 30},
		Root:     w.Field(),
		alpha:    w.KeyScalar(),
	}
	for range serials {
		x.Statement.Serials = append(x.Statement.Serials, w.Field())
		x.Evidence.Shows = append(x.Evidence.Shows, w.Shown(t))
	}
	w.Sign(t, x)
	w.Prove(t, x)
	must(t, w.Verify(x))
	return x
}

// Sign replaces the payer's signature by one on the statement in its present form.
func (w *World) Sign(t testing.TB, x *Transfer) {
	t.Helper()
	var err error
	x.Evidence.RK, err = w.randomised(&x.alpha)
	must(t, err)
	core, err := x.Statement.Core(w.Network)
	must(t, err)
	x.Evidence.KeySignature, err = suite.SignCore(&w.a, &x.alpha, core)
	must(t, err)
}

func (w *World) randomised(alpha *jubjub.Scalar) (jubjub.Point, error) {
	pk := jubjub.MulBase(&w.a)
	return suite.RandomisedKey(&pk, alpha)
}

// Prove replaces link and proof by those of the statement and the key in their present form. All linked points are of this world.
func (w *World) Prove(t testing.TB, x *Transfer) {
	t.Helper()
	link := w.link(t, w.linked(t, x))
	x.Evidence.Proof = w.Simulate(t, x.Statement.Family, w.public(t, x, link), link.Link)
}

// linked puts the linked points of a transfer together.
func (w *World) linked(t testing.TB, x *Transfer) *suite.LinkStatement {
	t.Helper()
	core, err := x.Statement.Core(w.Network)
	must(t, err)
	outputs := x.Statement.Bases(w.Network)
	s := &suite.LinkStatement{Core: core, D: outputs.D, RK: &x.Evidence.RK}
	for i := range x.Evidence.Shows {
		s.H, s.M = append(s.H, x.Evidence.Shows[i].H), append(s.M, x.Evidence.Shows[i].M)
	}
	w.addOutputs(t, s, outputs, x.Statement.Outputs...)
	return s
}

func (w *World) addOutputs(t testing.TB, s *suite.LinkStatement, outputs *suite.Outputs, coins ...statement.BlindedCoin) {
	t.Helper()
	for j := range coins {
		h, err := w.Network.Hasher().CoinBase(outputs, j)
		must(t, err)
		s.H, s.M = append(s.H, h), append(s.M, coins[j].K)
	}
}

// link links points of this world to what they hide.
func (w *World) link(t testing.TB, s *suite.LinkStatement) *suite.LinkClaim {
	t.Helper()
	openings := make([]trapdoor.Opening, len(s.M))
	for i := range s.M {
		var known bool
		if openings[i], known = w.openings[s.M[i]]; !known {
			t.Fatalf("linked point %d is not of this world", i)
		}
	}
	link, err := trapdoor.Link(s, openings, w.Field)
	must(t, err)
	claim, err := suite.NewLinkClaim(s, link)
	must(t, err)
	return claim
}

// Simulate makes a proof for any public inputs with the trapdoors of the family's key, and appends the link.
func (w *World) Simulate(t testing.TB, f statement.Family, public []suite.Field, link *suite.Link) []byte {
	t.Helper()
	proof, err := w.trapdoors[f].Encoded(public, w.Field)
	must(t, err)
	encoded, err := suite.EncodeLink(link)
	must(t, err)
	return append(proof, encoded...)
}

// LibraryKey is the verifying key of a family in the library's form.
func (w *World) LibraryKey(t testing.TB, f statement.Family) *groth16.VerifyingKey {
	t.Helper()
	vk, err := w.trapdoors[f].VerifyingKey()
	must(t, err)
	return vk
}

// Public are the public inputs that a verifier assembles for a transfer, whose proof decodes.
func (w *World) Public(t testing.TB, x *Transfer) []suite.Field {
	t.Helper()
	s := w.linked(t, x)
	link, err := suite.DecodeLink(x.Evidence.Proof[groth.ProofBytes:], len(s.M))
	must(t, err)
	claim, err := suite.NewLinkClaim(s, link)
	must(t, err)
	return w.public(t, x, claim)
}

func (w *World) public(t testing.TB, x *Transfer, link *suite.LinkClaim) []suite.Field {
	t.Helper()
	d := x.Statement.InputDigest(w.Network)
	if w.Kind == statement.Unregulated {
		return statement.UnregulatedPublic(x.Statement, x.Evidence, &d, link)
	}
	return statement.TransferPublic(x.Statement, x.Evidence, &d, link, &x.Limits, &x.Root)
}

// Verify calls the verifier.
func (w *World) Verify(x *Transfer) error {
	if w.Kind == statement.Unregulated {
		return w.Verifier.VerifyUnregulated(x.Statement, x.Evidence)
	}
	return w.Verifier.VerifyTransfer(x.Statement, x.Evidence, &x.Limits, &x.Root)
}

// Registration is a registration that Verifier accepts.
func (w *World) Registration(t testing.TB) *Registration {
	t.Helper()
	s := &statement.Register{Apk: w.Field(), Coin: w.output(t)}
	alpha := w.KeyScalar()
	rk, err := w.randomised(&alpha)
	must(t, err)
	core, err := s.Core(w.Network)
	must(t, err)
	signature, err := suite.SignCore(&w.a, &alpha, core)
	must(t, err)
	link := w.single(t, core, &rk, s.Bases(w.Network), s.Coin)
	public := statement.RegisterPublic(s, &link.Statement.D, &rk, link)
	e := &statement.OwnerEvidence{CircuitVersion: Version, RK: rk, KeySignature: signature}
	e.Proof = w.Simulate(t, statement.FamilyRegister, public, link.Link)
	must(t, w.Verifier.VerifyRegister(s, e))
	return &Registration{s, e}
}

// Mint is a mint that Verifier accepts.
func (w *World) Mint(t testing.TB) *Mint {
	t.Helper()
	s := &statement.Mint{MintID: [32]byte(w.Bytes(32)), Value: 1 << 40, Coin: w.output(t)}
	core, err := s.Core(w.Network)
	must(t, err)
	link := w.single(t, core, nil, s.Bases(w.Network), s.Coin)
	m := &Mint{s, w.Simulate(t, statement.FamilyMint, statement.MintPublic(s, &link.Statement.D, link), link.Link)}
	must(t, w.Verifier.VerifyMint(m.Statement, Version, m.Proof))
	return m
}

// Recover is a recover over one transfer that Verifier accepts.
func (w *World) Recover(t testing.TB) (*statement.Recover, *Transfer) {
	t.Helper()
	below := w.Transfer(t)
	next := w.Field()
	r := &statement.Recover{
		First: statement.Request{Transfer: &statement.Item{
			Statement: below.Statement, Evidence: below.Evidence, Limits: &below.Limits, Root: &below.Root,
		}},
		Next: [2]suite.Field{next, next}, Credits: 1, Outputs: [2]statement.BlindedCoin{w.output(t), w.output(t)},
		Context: [32]byte(w.Bytes(32)),
	}
	reservation, err := r.Reservation(w.Network)
	must(t, err)
	alpha := w.KeyScalar()
	rk, err := w.randomised(&alpha)
	must(t, err)
	signature, err := suite.SignCore(&w.a, &alpha, reservation.Core)
	must(t, err)
	r.Evidence = &statement.OwnerEvidence{CircuitVersion: Version, RK: rk, KeySignature: signature}
	linked, err := r.Linked(w.Network)
	must(t, err)
	link := w.link(t, linked)
	public, err := r.Public(w.Network, link)
	must(t, err)
	r.Evidence.Proof = w.Simulate(t, statement.FamilyRecover, public, link.Link)
	must(t, w.Verifier.VerifyRecover(r))
	return r, below
}

// single links the coin of a statement that has no other linked point.
func (w *World) single(
	t testing.TB, core [32]byte, rk *jubjub.Point, outputs *suite.Outputs, coin statement.BlindedCoin,
) *suite.LinkClaim {
	t.Helper()
	s := &suite.LinkStatement{Core: core, D: outputs.D, RK: rk}
	w.addOutputs(t, s, outputs, coin)
	return w.link(t, s)
}
