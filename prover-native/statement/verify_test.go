package statement

import (
	"bytes"
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

func TestTransfersVerify(t *testing.T) {
	w := newWorld(t, Regulated)
	must(t, w.verify(w.request(t, FamilyTransfer)))
	u := newWorld(t, Unregulated)
	must(t, u.verify(u.request(t, FamilyTransferUnregulated)))
}

//spec:id V-05 L-04
func TestEveryRuleHasItsCode(t *testing.T) {
	w := newWorld(t, Regulated)
	for _, v := range violations {
		t.Run(v.name, func(t *testing.T) {
			r := w.request(t, FamilyTransfer)
			v.breaks(t, w, r)
			refused(t, w.verify(r), v.want)
		})
	}
}

// A cheap rule is reported even where every later one is broken too, so the expensive checks did not run.
func TestCheapChecksComeFirst(t *testing.T) {
	w := newWorld(t, Regulated)
	for _, names := range [][]string{
		{"a serial twice", "proof length", "k of order 3", "key signature", "shown signature", "z_1", "another root"},
		{"circuit version", "proof encoding", "rk of order 2", "shown signature"},
		{"proof encoding", "T off the curve", "rk off the curve", "key signature", "shown signature"},
		{"a not canonical", "k of order 3", "key signature", "shown signature", "another root"},
		{"k off the curve", "key signature", "shown signature", "another root"},
		{"identity as rk", "k of order 3", "key signature", "shown signature", "z_2"},
		{"T of order 3", "key signature", "shown signature", "z_3"},
		{"key signature", "shown signature", "z'", "another root"},
		{"shown signature", "responses swapped", "another root"},
		{"a", "another root"},
	} {
		r := w.request(t, FamilyTransfer)
		var first fault.Code
		for i := len(names) - 1; i >= 0; i-- {
			for _, v := range violations {
				if v.name == names[i] {
					v.breaks(t, w, r)
					first = v.want
				}
			}
		}
		refused(t, w.verify(r), first)
	}
}

// The statement under a valid key signature, with a link and a proof of something else: every part of it is bound by both.
//
//spec:id V-06 L-02
func TestProofBindsTheWholeStatement(t *testing.T) {
	w := newWorld(t, Regulated)
	for name, change := range map[string]func(*request){
		"serial":     func(r *request) { r.s.Serials[0] = random(t) },
		"commitment": func(r *request) { r.s.Outputs[0].Cm = random(t) },
		"k":          func(r *request) { r.s.Outputs[1].K = w.point(t) },
		"period":     func(r *request) { r.s.Period++ },
		"withdrawn":  func(r *request) { r.s.Withdrawn++ },
		"context":    func(r *request) { r.s.Context[0] ^= 1 },
		"show":       func(r *request) { r.e.Shows[0] = w.shown(t) },
	} {
		t.Run(name, func(t *testing.T) {
			r := w.request(t, FamilyTransfer)
			change(r)
			if w.verify(r) == nil {
				t.Fatal("accepted without a signature and a link")
			}
			w.sign(t, r)
			refused(t, w.verify(r), fault.LinkInvalid)
			w.relink(t, r)
			refused(t, w.verify(r), fault.ProofInvalid)
			w.renew(t, r)
			must(t, w.verify(r))
		})
	}
}

// Two shows of one signature have bases with a known relation. So their responses can be shifted against each other without
// harm to the link. They are public inputs, and the proof of the old ones fails.
func TestResponsesAreBoundByTheProof(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	x, s1, s2 := w.issueOn(t, random(t)), random(t), random(t)
	r.e.Shows[1], r.e.Shows[2] = w.show(t, x, &s1), w.show(t, x, &s2)
	w.renew(t, r)
	must(t, w.verify(r))
	shift := random(t)
	link(func(t testing.TB, w *world, l *suite.Link) {
		var up, down suite.Field
		l.Z[1].Add(&l.Z[1], up.Mul(&shift, &s2))
		l.Z[2].Sub(&l.Z[2], down.Mul(&shift, &s1))
		must(t, suite.VerifyLink(w.linked(t, r), l))
	})(t, w, r)
	refused(t, w.verify(r), fault.ProofInvalid)
}

// Without the trapdoor of the verifying key, or the openings of the points, a simulator is refused.
func TestTheSimulatorNeedsItsSecrets(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	must(t, w.verify(r))
	own := w.trapdoors[FamilyTransfer]
	w.trapdoors[FamilyTransfer] = newTrapdoor(t, TransferInputs)
	w.renew(t, r)
	refused(t, w.verify(r), fault.ProofInvalid)
	w.trapdoors[FamilyTransfer] = own
	w.renew(t, r)
	must(t, w.verify(r))
	k := r.s.Outputs[0].K
	o := w.openings[k]
	increase(&o.Blind)
	w.openings[k] = o
	w.renew(t, r)
	refused(t, w.verify(r), fault.LinkInvalid)
}

// Evidence may be renewed for the same core, and a re-randomised proof of it is still a proof: the core does not change.
func TestEvidenceIsNotPartOfTheCore(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	before, err := r.s.Core(w.network)
	must(t, err)
	old := bytes.Clone(r.e.Proof)
	r.limits.MaxHeld, r.root, r.alpha = 1, random(t), keyScalar(t)
	for i := range r.e.Shows {
		r.e.Shows[i] = w.shown(t)
	}
	w.renew(t, r)
	must(t, w.verify(r))
	after, err := r.s.Core(w.network)
	must(t, err)
	if before != after || bytes.Equal(old, r.e.Proof) {
		t.Fatal("core and evidence are not separate")
	}
}

// Public integers enter by unsigned types of fixed width, so that no request can state one outside its range.
func TestPublicIntegersAtTheirBounds(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	r.s.Withdrawn, r.s.Period = 1<<64-1, 1<<32-1
	r.limits = Limits{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<32 - 1}
	w.renew(t, r)
	must(t, w.verify(r))
	d := r.s.InputDigest(w.network)
	public := TransferPublic(r.s, r.e, &d, w.link(t, w.linked(t, r)), &r.limits, &r.root)
	for i, bits := range map[int]int{8: 64, 9: 64, 10: 64, 11: 64, 12: 64, 13: 32, 14: 32} {
		if got := public[i].BigInt(new(big.Int)).BitLen(); got != bits {
			t.Errorf("input %d has %d bits, want %d", i, got, bits)
		}
	}
}

func TestFamiliesBelongToTheirNetwork(t *testing.T) {
	reg, unreg := newWorld(t, Regulated), newWorld(t, Unregulated)
	r := unreg.request(t, FamilyTransferUnregulated)
	refused(t, reg.verifier.VerifyUnregulated(r.s, r.e), fault.WrongFamily)
	refused(t, reg.verifier.VerifyTransfer(r.s, r.e, &r.limits, &r.root), fault.WrongFamily)
	r = reg.request(t, FamilyTransfer)
	refused(t, unreg.verifier.VerifyTransfer(r.s, r.e, &r.limits, &r.root), fault.WrongFamily)
	refused(t, unreg.verifier.VerifyUnregulated(r.s, r.e), fault.WrongFamily)
	refused(t, unreg.verifier.VerifyRegister(&Register{Apk: random(t)}, &OwnerEvidence{}), fault.WrongFamily)
	both := reg.keys(t, Regulated)
	both.Unregulated = unreg.keys(t, Unregulated).Unregulated
	for _, kind := range []Kind{Regulated, Unregulated} {
		_, err := NewVerifier(reg.network, kind, reg.committee, both)
		refused(t, err, fault.KeysKind)
	}
	wrong := reg.keys(t, Regulated)
	wrong.Transfer = wrong.Mint
	_, err := NewVerifier(reg.network, Regulated, reg.committee, wrong)
	refused(t, err, fault.KeysPublicInputs)
	broken := *reg.committee
	broken.Y1 = reg.point(t)
	_, err = NewVerifier(reg.network, Regulated, &broken, reg.keys(t, Regulated))
	refused(t, err, fault.CommitteeInvalid)
}

// linkedCoin is the link of a statement whose only linked point is its coin.
func (w *world) linkedCoin(t testing.TB, core [32]byte, o *suite.Outputs, rk *jubjub.Point, k suite.G1) *suite.LinkClaim {
	t.Helper()
	base, err := w.network.Hasher().CoinBase(o, 0)
	must(t, err)
	return w.link(t, &suite.LinkStatement{Core: core, D: o.D, RK: rk, H: []suite.G1{base}, M: []suite.G1{k}})
}

func (w *world) registration(t testing.TB) (*Register, *OwnerEvidence) {
	t.Helper()
	s, e, alpha := &Register{Apk: random(t), Coin: w.coin(t)}, &OwnerEvidence{CircuitVersion: version}, keyScalar(t)
	pk, err := suite.PublicKey(&w.a)
	must(t, err)
	e.RK, err = suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	core, err := s.Core(w.network)
	must(t, err)
	e.KeySignature, err = suite.SignCore(&w.a, &alpha, core)
	must(t, err)
	d := s.InputDigest(w.network)
	link := w.linkedCoin(t, core, &suite.Outputs{D: d, Cms: []suite.Field{s.Coin.Cm}}, &e.RK, s.Coin.K)
	e.Proof = w.simulate(t, FamilyRegister, RegisterPublic(s, &d, &e.RK, link), link.Link)
	return s, e
}

func TestRegister(t *testing.T) {
	w := newWorld(t, Regulated)
	s, e := w.registration(t)
	must(t, w.verifier.VerifyRegister(s, e))
	_, other := w.registration(t)
	_, mint := w.mint(t)
	for name, c := range map[string]struct {
		want   fault.Code
		change func(*Register, *OwnerEvidence)
	}{
		"apk zero":         {fault.OwnerZero, func(s *Register, _ *OwnerEvidence) { s.Apk = suite.Field{} }},
		"another apk":      {fault.KeySignatureInvalid, func(s *Register, _ *OwnerEvidence) { s.Apk = random(t) }},
		"another coin":     {fault.KeySignatureInvalid, func(s *Register, _ *OwnerEvidence) { s.Coin.Cm = random(t) }},
		"another k":        {fault.KeySignatureInvalid, func(s *Register, _ *OwnerEvidence) { s.Coin.K = w.point(t) }},
		"version":          {fault.UnknownCircuit, func(_ *Register, e *OwnerEvidence) { e.CircuitVersion = 0 }},
		"proof length":     {fault.ProofLength, func(_ *Register, e *OwnerEvidence) { e.Proof = nil }},
		"signature length": {fault.BadLength, func(_ *Register, e *OwnerEvidence) { e.KeySignature = nil }},
		"another proof":    {fault.LinkInvalid, func(_ *Register, e *OwnerEvidence) { e.Proof = other.Proof }},
		"a mint's proof":   {fault.LinkInvalid, func(_ *Register, e *OwnerEvidence) { e.Proof = mint }},
		"another Groth16 proof": {fault.ProofInvalid, func(_ *Register, e *OwnerEvidence) {
			e.Proof = append(bytes.Clone(other.Proof[:linkAt]), e.Proof[linkAt:]...)
		}},
		"another link": {fault.LinkInvalid, func(_ *Register, e *OwnerEvidence) {
			e.Proof = append(e.Proof[:linkAt:linkAt], other.Proof[linkAt:]...)
		}},
		"T of order 3": {fault.PointNotInSubgroup, func(_ *Register, e *OwnerEvidence) {
			e.Proof = bytes.Clone(e.Proof)
			copy(e.Proof[pointAt:], pointBytes(smallOrder()))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, e := w.registration(t)
			c.change(s, e)
			refused(t, w.verifier.VerifyRegister(s, e), c.want)
		})
	}
	for want, bad := range badPoints {
		s, e := w.registration(t)
		s.Coin.K = bad
		refused(t, w.verifier.VerifyRegister(s, e), want)
	}
	for name, bad := range badKeys() {
		s, e := w.registration(t)
		e.RK = bad.key
		if err := w.verifier.VerifyRegister(s, e); fault.CodeOf(err) != bad.want {
			t.Errorf("rk: %s: %v", name, err)
		}
	}
}

func (w *world) mint(t testing.TB) (*Mint, []byte) {
	t.Helper()
	s := &Mint{MintID: [32]byte{8}, Value: 1 << 63, Coin: w.coin(t)}
	core, err := s.Core(w.network)
	must(t, err)
	d := s.InputDigest(w.network)
	link := w.linkedCoin(t, core, &suite.Outputs{D: d, Cms: []suite.Field{s.Coin.Cm}}, nil, s.Coin.K)
	return s, w.simulate(t, FamilyMint, MintPublic(s, &d, link), link.Link)
}

func TestMint(t *testing.T) {
	w := newWorld(t, Regulated)
	s, proof := w.mint(t)
	must(t, w.verifier.VerifyMint(s, version, proof))
	refused(t, w.verifier.VerifyMint(s, version+1, proof), fault.UnknownCircuit)
	refused(t, w.verifier.VerifyMint(s, version, proof[:len(proof)-1]), fault.ProofLength)
	for name, change := range map[string]func(*Mint){
		"value":   func(s *Mint) { s.Value++ },
		"mint id": func(s *Mint) { s.MintID[0]++ },
		"c_m":     func(s *Mint) { s.Coin.Cm = random(t) },
		"k":       func(s *Mint) { s.Coin.K = w.point(t) },
	} {
		t.Run(name, func(t *testing.T) {
			s, proof := w.mint(t)
			change(s)
			refused(t, w.verifier.VerifyMint(s, version, proof), fault.LinkInvalid)
			core, err := s.Core(w.network)
			must(t, err)
			relinked, err := suite.EncodeLink(w.linkedCoin(t, core, s.Bases(w.network), nil, s.Coin.K).Link)
			must(t, err)
			refused(t, w.verifier.VerifyMint(s, version, append(proof[:linkAt:linkAt], relinked...)), fault.ProofInvalid)
		})
	}
	_, register := w.registration(t)
	refused(t, w.verifier.VerifyMint(s, version, register.Proof), fault.LinkInvalid)
	refused(t, w.verifier.VerifyMint(s, version, append(register.Proof[:linkAt:linkAt], proof[linkAt:]...)), fault.ProofInvalid)
	for want, bad := range badPoints {
		s, proof := w.mint(t)
		s.Coin.K = bad
		refused(t, w.verifier.VerifyMint(s, version, proof), want)
	}
	none, err := NewVerifier(w.network, Regulated, w.committee, Keys{})
	must(t, err)
	refused(t, none.VerifyMint(s, version, proof), fault.WrongFamily)
}

// A link of a mint, which names no key, is no link of a registration without one.
func TestLinksOfMintsNameNoKey(t *testing.T) {
	w := newWorld(t, Regulated)
	s, _ := w.mint(t)
	core, err := s.Core(w.network)
	must(t, err)
	rk := keyPoint(t)
	link := w.linkedCoin(t, core, s.Bases(w.network), &rk, s.Coin.K)
	d := s.InputDigest(w.network)
	refused(t, w.verifier.VerifyMint(s, version, w.simulate(t, FamilyMint, MintPublic(s, &d, link), link.Link)), fault.LinkInvalid)
}

func TestNewVerifierCountsInputs(t *testing.T) {
	for _, n := range []int{TransferInputs, RegisterInputs, MintInputs, UnregulatedInputs} {
		key, err := newTrapdoor(t, n).Checked()
		must(t, err)
		if key.PublicInputs() != n {
			t.Fatal("inputs")
		}
	}
}

//spec:id E-05
func TestProofLengths(t *testing.T) {
	for family, want := range map[Family]int{
		FamilyTransfer: 704, FamilyTransferUnregulated: 672, FamilyRegister: 576, FamilyMint: 576,
	} {
		if got := ProofBytes(family); got != want {
			t.Errorf("family %d: %d bytes, want %d", family, got, want)
		}
		for n := range want + 2 {
			if _, err := DecodeProof(family, make([]byte, n)); n != want && fault.CodeOf(err) != fault.ProofLength {
				t.Fatalf("family %d, %d bytes: %v", family, n, err)
			}
		}
	}
}
