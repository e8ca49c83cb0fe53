// Package simtest makes a whole network from a seed: a committee, verifying keys with known trapdoors, and requests that a
// verifier accepts, with simulated proofs and real signatures. The same seed gives the same bytes in every process, except
// for the payers' signatures, whose nonces the suite draws itself. So the finding of a fuzzer in one process can be repeated
// in another. Only tests import it, which a test of this package checks.
package simtest

import (
	"math/big"
	"math/rand/v2"
	"testing"

	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

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
	a         suite.Scalar
}

// Transfer is an accepted transfer of either family.
type Transfer struct {
	Statement *statement.Transfer
	Evidence  *statement.Evidence
	Limits    statement.Limits
	Root      suite.Field

	alpha suite.Scalar
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
		Network: n, Kind: kind, random: rand.New(rand.NewPCG(seed, 17)), trapdoors: map[statement.Family]*trapdoor.Trapdoor{},
	}
	w.deal(t)
	w.Verifier, err = statement.NewVerifier(n, kind, w.Committee, w.keys(t))
	must(t, err)
	w.a = w.Scalar()
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
	c := &suite.Committee{F: F, X: base2(&px[0]), Y: base2(&py[0]), Y1: base1(t, &py[0])}
	for i := 1; i <= c.N(); i++ {
		x, y := at(px[:], i), at(py[:], i)
		share, err := suite.NewShare(i, suite.EncodeScalar(&x), suite.EncodeScalar(&y))
		must(t, err)
		w.Shares = append(w.Shares, share)
		m := suite.Member{Index: i, X: base2(&x), Y: base2(&y), Gamma: base1(t, &y)}
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

func base1(t testing.TB, s *suite.Scalar) suite.G1 {
	t.Helper()
	p, err := suite.PublicKey(s)
	must(t, err)
	return p
}

func base2(s *suite.Scalar) (p suite.G2) {
	p.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	return p
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

// Point is a random point of G1.
func (w *World) Point(t testing.TB) suite.G1 {
	t.Helper()
	s := w.Scalar()
	return base1(t, &s)
}

// Message is a random hash that has an exponent.
func (w *World) Message() suite.Field {
	for {
		hm := w.Field()
		if _, err := suite.Exponent(&hm); err == nil {
			return hm
		}
	}
}

// Coin is a blinded coin of a random message with its opening.
type Coin struct {
	Hm, Cm, D suite.Field
	B         suite.Scalar
	K         suite.G1
}

// Coin blinds a random message.
func (w *World) Coin(t testing.TB) *Coin {
	t.Helper()
	c := &Coin{Hm: w.Message(), Cm: w.Field(), D: w.Field(), B: w.Scalar()}
	var err error
	c.K, err = w.Network.Scheme().Blind(&c.Hm, &c.Cm, &c.D, &c.B)
	must(t, err)
	return c
}

// Partials are the partial signatures of the first quorum.
func (w *World) Partials(t testing.TB, c *Coin) (all []suite.Partial) {
	t.Helper()
	for i := range w.Committee.Quorum() {
		p, err := w.Network.Scheme().Sign(w.Shares[i], &c.Cm, &c.D, &c.K)
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
	sig, err = w.Network.Scheme().Unblind(w.Committee, &c.Cm, &c.D, &combined, &c.B)
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
		Limits:   statement.Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxTransfersPerPeriod: 30},
		Root:     w.Field(),
		alpha:    w.Scalar(),
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
	pk := base1(t, &w.a)
	var err error
	x.Evidence.RK, err = suite.RandomisedKey(&pk, &x.alpha)
	must(t, err)
	core, err := x.Statement.Core(w.Network)
	must(t, err)
	x.Evidence.KeySignature, err = suite.SignCore(&w.a, &x.alpha, core)
	must(t, err)
}

// Prove replaces the proof by one of the statement in its present form.
func (w *World) Prove(t testing.TB, x *Transfer) {
	t.Helper()
	x.Evidence.Proof = w.simulate(t, x.Statement.Family, w.Public(t, x))
}

// simulate makes a proof for any public inputs with the trapdoors of the family's key.
func (w *World) simulate(t testing.TB, f statement.Family, public []suite.Field) []byte {
	t.Helper()
	encoded, err := w.trapdoors[f].Encoded(public, w.Field)
	must(t, err)
	return encoded
}

// LibraryKey is the verifying key of a family in the library's form.
func (w *World) LibraryKey(t testing.TB, f statement.Family) *groth16.VerifyingKey {
	t.Helper()
	vk, err := w.trapdoors[f].VerifyingKey()
	must(t, err)
	return vk
}

// Public are the public inputs that a verifier assembles for a transfer.
func (w *World) Public(t testing.TB, x *Transfer) []suite.Field {
	t.Helper()
	d := x.Statement.InputDigest(w.Network)
	var bases []suite.G1
	for i := range x.Statement.Outputs {
		h, err := w.Network.Scheme().BlindBase(&x.Statement.Outputs[i].Cm, &d)
		must(t, err)
		bases = append(bases, h)
	}
	if w.Kind == statement.Unregulated {
		return statement.UnregulatedPublic(x.Statement, x.Evidence, &d, bases)
	}
	return statement.TransferPublic(x.Statement, x.Evidence, &d, bases, &x.Limits, &x.Root)
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
	alpha, pk := w.Scalar(), base1(t, &w.a)
	rk, err := suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	core, err := s.Core(w.Network)
	must(t, err)
	signature, err := suite.SignCore(&w.a, &alpha, core)
	must(t, err)
	d := s.InputDigest(w.Network)
	base, err := w.Network.Scheme().BlindBase(&s.Coin.Cm, &d)
	must(t, err)
	e := &statement.OwnerEvidence{CircuitVersion: Version, RK: rk, KeySignature: signature}
	e.Proof = w.simulate(t, statement.FamilyRegister, statement.RegisterPublic(s, &d, &base, &rk))
	must(t, w.Verifier.VerifyRegister(s, e))
	return &Registration{s, e}
}

// Mint is a mint that Verifier accepts.
func (w *World) Mint(t testing.TB) *Mint {
	t.Helper()
	s := &statement.Mint{MintID: [32]byte(w.Bytes(32)), Value: 1 << 40, Coin: w.output(t)}
	d := s.InputDigest(w.Network)
	base, err := w.Network.Scheme().BlindBase(&s.Coin.Cm, &d)
	must(t, err)
	m := &Mint{s, w.simulate(t, statement.FamilyMint, statement.MintPublic(s, &d, &base))}
	must(t, w.Verifier.VerifyMint(m.Statement, Version, m.Proof))
	return m
}
