package cabi

import (
	"bytes"
	"strings"
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// A witness of another version or family is refused before anything of it is read, and before the keys are looked up.
func TestWitnessesHaveAVersion(t *testing.T) {
	h := hostileOnce()
	set := lookup[*openSet](&reader{in: new(request).u64(h.keySet).b})
	for family, body := range witnesses(t, h) {
		prove := func(head ...byte) *request {
			return new(request).u64(h.keySet).u8(uint8(family)).sized(append(head, body...))
		}
		refused(t, fault.KeysNoCircuit, "PROVE", prove(2, uint8(family)))
		for _, head := range [][]byte{{1, uint8(family)}, {0, uint8(family)}, {3, uint8(family)}, {2, uint8(family)%5 + 1}} {
			refused(t, fault.MalformedRequest, "PROVE", prove(head...))
			_, _, err := WitnessInputs(set.Set, family, append(head, body...))
			if fault.CodeOf(err) != fault.MalformedRequest {
				t.Errorf("family %d: the inputs of a witness with head %v: %v", family, head, err)
			}
		}
		if _, _, err := WitnessInputs(set.Set, family, append([]byte{2, uint8(family)}, body...)); err != nil {
			t.Errorf("family %d: %v", family, err)
		}
		refused(t, fault.MalformedRequest, "PROVE", new(request).u64(h.keySet).u8(uint8(family)).sized(nil))
		refused(t, fault.MalformedRequest, "PROVE", new(request).u64(h.keySet).u8(uint8(family)).sized([]byte{2}))
	}
}

// EncodeTransferWitness writes what PROVE reads.
//
//spec:id F-45
func TestEncodedWitness(t *testing.T) {
	h := hostileOnce()
	x := transferPlan(h.regulated).toProve(t)
	rk, err := suite.RandomisedKey(&x.owner.pk, &x.alpha)
	must(t, err)
	w := &transfer.Witness{
		Network: h.regulated.Network.Tag(), Owner: clause.Owner{Nk: x.owner.nk, Alpha: x.alpha}, Cc: x.cc, In: x.in, Paid: x.paid,
		Recipient: x.recipient, Seed: x.seed, EntryR: x.entryR, Blindings: x.blindings, ShowCcBlind: x.shows[0].opening,
		ShowBlind: [2]suite.Scalar{x.shows[1].opening, x.shows[2].opening},
		Public: transfer.Public{
			Rk: rk, D: x.d, Withdrawn: x.withdrawn, Period: x.period, Root: x.tree.Root(),
			VSent: x.limits.MaxPerTransfer, VTotal: x.limits.MaxPerPeriod, VHeld: x.limits.MaxHeld, VEscrow: x.limits.MaxEscrow,
			VCount: x.limits.MaxTransfersPerPeriod,
		},
	}
	shown := [3]*clause.Shown{&w.Public.ShowCc, &w.Public.Show[0], &w.Public.Show[1]}
	for i := range x.shows {
		*shown[i] = clause.Shown{H: x.shows[i].shown.H, M: x.shows[i].shown.M}
		x.shows[i].shown.S = x.shows[i].shown.H
	}
	sender, err := x.tree.Path(&x.owner.apk)
	must(t, err)
	recipient, err := x.tree.Path(&x.recipient)
	must(t, err)
	w.SenderPath, w.RecipientPath = *sender, *recipient
	got, err := EncodeTransferWitness(x.core, &x.owner.pk, w)
	must(t, err)
	if !bytes.Equal(got, x.witness(t)) {
		t.Error("another witness")
	}
}

// refuses checks that a witness is refused with a detail.
func (h *hostile) refuses(t *testing.T, family statement.Family, body []byte, want fault.Code, detail string) {
	t.Helper()
	_, err := h.readWitness(t, uint8(family), body)
	if fault.CodeOf(err) != want || !strings.Contains(err.Error(), detail) {
		t.Errorf("%v, want %v %q", err, want, detail)
	}
}

// A shown signature must open to its coin. Nobody could verify a proof with another one.
func TestShownSignaturesMustOpen(t *testing.T) {
	h := hostileOnce()
	w := h.regulated
	for i := range 3 {
		for name, c := range map[string]struct {
			change func(s *presentation)
			detail string
		}{
			"opening": {func(s *presentation) { s.opening = w.Scalar() }, "does not open"},
			"base":    {func(s *presentation) { s.shown.H = w.Point(t) }, "does not open"},
			"point":   {func(s *presentation) { s.shown.M = w.Point(t) }, "does not open"},
			"message": {func(s *presentation) { s.message = w.Field() }, "is not of this coin"},
			"show":    {func(s *presentation) { *s = newShow(t, w, w.Field()) }, "is not of this coin"},
		} {
			t.Run(name, func(t *testing.T) {
				x := transferPlan(w).toProve(t)
				c.change(&x.shows[i])
				h.refuses(t, statement.FamilyTransfer, x.body(t), fault.WitnessInvalid, c.detail)
				if i < 2 {
					x := exchangeOf(w).toProve(t, w)
					c.change(&x.shows[i])
					if c.detail == "does not open" || name == "show" { // the coin decides, the message is not used
						h.refuses(t, statement.FamilyTransferUnregulated, x.body(), fault.WitnessInvalid, "does not open to its coin")
					}
				}
			})
		}
	}
}

// A dummy shows the compliance coin's signature once more, with a randomiser of its own.
func TestDummyInput(t *testing.T) {
	h := hostileOnce()
	p := transferPlan(h.regulated)
	p.in[1].Value, p.in[1].Origin, p.in[1].Dummy = 0, 0, true
	if _, err := h.readWitness(t, uint8(statement.FamilyTransfer), p.toProve(t).body(t)); err != nil {
		t.Fatal(err)
	}
}

// An escrow is proved like a payment. It has a limit of its own, and its recipient, which is a lock, is in no list.
func TestEscrow(t *testing.T) {
	h := hostileOnce()
	p := transferPlan(h.regulated)
	p.escrow = true
	x := p.toProve(t)
	for _, limit := range []uint64{p.paid, p.paid + 1, 1 << 40} {
		x.limits.MaxEscrow = limit
		if _, err := h.readWitness(t, uint8(statement.FamilyTransfer), x.body(t)); err != nil {
			t.Errorf("%d of at most %d: %v", p.paid, limit, err)
		}
	}
	x.limits.MaxEscrow = p.paid - 1
	h.refuses(t, statement.FamilyTransfer, x.body(t), fault.OverLimitTransfer, "T-09")
}

// proved is an honest statement with its witness, and what a verifier is sent for it.
type proved struct {
	family  statement.Family
	name    string
	core    [32]byte
	witness func(core [32]byte) []byte // from the core on
	request func(proof []byte) *request
}

// notary has a verifier of each kind of network, whose circuits' proofs it simulates. It does not simulate links.
type notary struct {
	*hostile
	trapdoors map[statement.Family]*trapdoor.Trapdoor
	verifiers map[statement.Kind]uint64 // handles
}

func newNotary(t testing.TB) *notary {
	t.Helper()
	n := &notary{hostileOnce(), map[statement.Family]*trapdoor.Trapdoor{}, map[statement.Kind]uint64{}}
	n.open(t, n.regulated, statement.Keys{
		Transfer: n.key(t, statement.FamilyTransfer, statement.TransferInputs),
		Register: n.key(t, statement.FamilyRegister, statement.RegisterInputs),
		Mint:     n.key(t, statement.FamilyMint, statement.MintInputs),
		Recover:  n.key(t, statement.FamilyRecover, statement.RecoverInputs),
		Claim16:  n.key(t, statement.FamilyClaim16, statement.Claim16Inputs),
		Pay8:     n.key(t, statement.FamilyPay8, statement.Pay8Inputs),
	})
	n.open(t, n.unregulated, statement.Keys{
		Unregulated: n.key(t, statement.FamilyTransferUnregulated, statement.UnregulatedInputs),
	})
	return n
}

func (n *notary) key(t testing.TB, f statement.Family, inputs int) *statement.CircuitKey {
	t.Helper()
	var err error
	n.trapdoors[f], err = trapdoor.New(trapdoor.Draw(inputs, n.regulated.Field))
	must(t, err)
	key, err := n.trapdoors[f].Checked()
	must(t, err)
	return &statement.CircuitKey{Version: simtest.Version, Key: key}
}

func (n *notary) open(t testing.TB, w *simtest.World, keys statement.Keys) {
	t.Helper()
	v, err := statement.NewVerifier(w.Network, w.Kind, w.Committee, keys)
	must(t, err)
	id, err := handles.add(v)
	must(t, err)
	n.verifiers[w.Kind] = id
	t.Cleanup(func() { must(t, handles.close(id)) })
}

// honest are statements that their owners really made: the native side of a prover takes part in all of it but the proof.
func (n *notary) honest(t testing.TB) []*proved {
	t.Helper()
	return []*proved{
		n.transfer(t), n.exchange(t), n.registration(t), n.mint(t), n.recover(t),
		n.shaped(t, claimOf(t, n.regulated, 16)), n.shaped(t, claimOf(t, n.regulated, 1)),
		n.shaped(t, payOf(t, n.regulated, 8)), n.shaped(t, payOf(t, n.regulated, 1)),
	}
}

// blindedCoins reads n blinded coins.
func (r *reader) blindedCoins(n int) (all []statement.BlindedCoin) {
	for range n {
		all = append(all, r.coin())
	}
	return all
}

// tail is the end of a reply: the blinded coins of n outputs.
func tail(t testing.TB, reply []byte, n int) []statement.BlindedCoin {
	t.Helper()
	size := n * (suite.FieldBytes + suite.G1Bytes)
	r := &reader{in: reply[len(reply)-size:]}
	coins := r.blindedCoins(n)
	must(t, r.end())
	return coins
}

// sign signs a core under the owner's key, randomised by alpha.
func (x *account) sign(t testing.TB, alpha jubjub.Scalar, core [32]byte) (rk jubjub.Point, signature []byte) {
	t.Helper()
	rk, err := suite.RandomisedKey(&x.pk, &alpha)
	must(t, err)
	signature, err = suite.SignCore(&x.a, &alpha, core)
	must(t, err)
	return rk, signature
}

func (n *notary) transfer(t testing.TB) *proved {
	t.Helper()
	p := transferPlan(n.regulated)
	return &n.transferOf(t, p, n.statementOf(t, p)).proved
}

// statementOf is the statement of a plan, which gets its digest.
func (n *notary) statementOf(t testing.TB, p *plan) *statement.Transfer {
	t.Helper()
	w := n.regulated
	s := &statement.Transfer{
		Family: statement.FamilyTransfer, Period: p.period, Withdrawn: p.withdrawn, Context: [32]byte(w.Bytes(32)),
	}
	for _, rho := range []suite.Field{p.cc.Rho, p.in[0].Rho, p.in[1].Rho} {
		s.Serials = append(s.Serials, p.owner.serial(w, rho))
	}
	p.d = s.InputDigest(w.Network)
	s.Outputs = tail(t, ok(t, "PREPARE_TRANSFER", p.prepare()), 2)
	return s
}

// provedTransfer is a transfer with what a request names beside it.
type provedTransfer struct {
	proved
	x        *proofRequest
	evidence *statement.Evidence
}

func (n *notary) transferOf(t testing.TB, p *plan, s *statement.Transfer) *provedTransfer {
	t.Helper()
	w, x := n.regulated, p.toProve(t)
	e := &statement.Evidence{CircuitVersion: simtest.Version}
	for i := range x.shows {
		e.Shows = append(e.Shows, x.shows[i].shown)
	}
	core, err := s.Core(w.Network)
	must(t, err)
	e.RK, e.KeySignature = p.owner.sign(t, x.alpha, core)
	return &provedTransfer{x: x, evidence: e, proved: proved{
		family: s.Family, name: "VERIFY_TRANSFER", core: core,
		witness: func(core [32]byte) []byte { x.core = core; return x.body(t) },
		request: func(proof []byte) *request {
			e.Proof = proof
			return new(request).u64(n.verifiers[w.Kind]).transfer(s, e).limits(&x.limits).field(x.tree.Root())
		},
	}}
}

func (n *notary) exchange(t testing.TB) *proved {
	t.Helper()
	w, p := n.unregulated, exchangeOf(n.unregulated)
	s := &statement.Transfer{
		Family: statement.FamilyTransferUnregulated, Period: p.period, Withdrawn: p.withdrawn, Context: [32]byte(w.Bytes(32)),
		Serials: []suite.Field{p.owner.serial(w, p.rhos[0]), p.owner.serial(w, p.rhos[1])},
	}
	p.d = s.InputDigest(w.Network)
	q := new(request).sized([]byte(w.Network.ID())).raw(p.body())
	s.Outputs = tail(t, ok(t, "PREPARE_UNREGULATED", q), 2)
	x := p.toProve(t, w)
	e := &statement.Evidence{CircuitVersion: simtest.Version, Shows: []suite.Shown{x.shows[0].shown, x.shows[1].shown}}
	core, err := s.Core(w.Network)
	must(t, err)
	e.RK, e.KeySignature = p.owner.sign(t, x.alpha, core)
	return &proved{
		family: s.Family, name: "VERIFY_UNREGULATED", core: core,
		witness: func(core [32]byte) []byte { x.core = core; return x.body() },
		request: func(proof []byte) *request {
			e.Proof = proof
			return new(request).u64(n.verifiers[w.Kind]).transfer(s, e)
		},
	}
}

func (n *notary) registration(t testing.TB) *proved {
	t.Helper()
	w, owner := n.regulated, newAccount(n.regulated)
	s, alpha := &statement.Register{Apk: owner.apk}, w.KeyScalar()
	plan := enrolment(w, owner, s.InputDigest(w.Network))
	s.Coin = tail(t, ok(t, "PREPARE_REGISTER", new(request).sized([]byte(w.Network.ID())).raw(plan)), 1)[0]
	core, err := s.Core(w.Network)
	must(t, err)
	rk, signature := owner.sign(t, alpha, core)
	return &proved{
		family: statement.FamilyRegister, name: "VERIFY_REGISTER", core: core,
		witness: func(core [32]byte) []byte { return new(request).raw(core[:]).raw(plan).keyScalar(alpha).b },
		request: func(proof []byte) *request {
			q := new(request).u64(n.verifiers[w.Kind]).field(s.Apk).coin(s.Coin).u32(simtest.Version).key(rk)
			return q.sized(proof).sized(signature)
		},
	}
}

func (n *notary) mint(t testing.TB) *proved {
	t.Helper()
	w := n.regulated
	s := &statement.Mint{MintID: [32]byte(w.Bytes(32)), Value: 700}
	plan := issue(w, s.Value, s.InputDigest(w.Network))
	s.Coin = tail(t, ok(t, "PREPARE_MINT", new(request).sized([]byte(w.Network.ID())).u8(uint8(w.Kind)).raw(plan)), 1)[0]
	core, err := s.Core(w.Network)
	must(t, err)
	return &proved{
		family: statement.FamilyMint, name: "VERIFY_MINT", core: core,
		witness: func(core [32]byte) []byte { return append(bytes.Clone(core[:]), plan...) },
		request: func(proof []byte) *request {
			return new(request).u64(n.verifiers[w.Kind]).raw(s.MintID[:]).u64(s.Value).coin(s.Coin).u32(simtest.Version).sized(proof)
		},
	}
}

// prove is PROVE with a simulated proof of the job's public inputs in place of one of its circuit.
func (n *notary) prove(t testing.TB, x *proved, core [32]byte) []byte {
	t.Helper()
	j, err := n.readWitness(t, uint8(x.family), x.witness(core))
	must(t, err)
	proof, err := n.trapdoors[x.family].Encoded(j.public, n.regulated.Field)
	must(t, err)
	link, err := suite.EncodeLink(&j.link.Shown)
	must(t, err)
	return append(proof, link...)
}

// What a prover makes of a witness is what a validator expects: the same public inputs, and a link that holds. The proof is for
// the core in the witness and for no other, and the link belongs to its proof.
func TestProofsAreForOneCore(t *testing.T) {
	n := newNotary(t)
	for _, x := range n.honest(t) {
		proof := n.prove(t, x, x.core)
		if len(proof) != statement.ProofBytes(x.family) {
			t.Errorf("%s: a proof of %d bytes", x.name, len(proof))
		}
		if got := n.verdict(t, x.name, x.request(proof).b); got != fault.OK {
			t.Fatalf("%s: %v", x.name, got)
		}
		for _, other := range [][32]byte{{}, {1}, [32]byte(n.regulated.Bytes(32))} {
			if got := n.verdict(t, x.name, x.request(n.prove(t, x, other)).b); got != fault.LinkInvalid {
				t.Errorf("%s: a proof for another core: %v", x.name, got)
			}
		}
		second := n.prove(t, x, x.core)
		if at := len(proof) - suite.ScalarBytes; bytes.Equal(proof[at:], second[at:]) {
			t.Errorf("%s: two proofs have the same nonces", x.name)
		}
		mixed := append(bytes.Clone(proof[:groth.ProofBytes]), second[groth.ProofBytes:]...)
		if got := n.verdict(t, x.name, x.request(mixed).b); got != fault.ProofInvalid {
			t.Errorf("%s: the link of another proof: %v", x.name, got)
		}
	}
}
