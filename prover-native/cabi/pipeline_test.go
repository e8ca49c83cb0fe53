package cabi

import (
	"testing"

	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// pipeline is a validator whose circuit has known trapdoors: it makes requests that hold without a prover, which is what
// tests of batches and measurements need. It exists in test code only.
type pipeline struct {
	network  *statement.Network
	scheme   suite.Scheme
	dealt    *suite.Dealt
	verifier uint64
	share    uint64
	key      *groth16.VerifyingKey
	trapdoor *trapdoor.Trapdoor
	a        suite.Scalar
}

// transferRequest is a request as a validator gets it, and what a baseline needs of it.
type transferRequest struct {
	statement *statement.Transfer
	evidence  *statement.Evidence
	limits    statement.Limits
	root      suite.Field
	public    []suite.Field
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func randomField(t testing.TB) (e suite.Field) {
	t.Helper()
	_, err := e.SetRandom()
	must(t, err)
	return e
}

func randomScalar(t testing.TB) (s suite.Scalar) {
	t.Helper()
	_, err := s.SetRandom()
	must(t, err)
	return s
}

func newPipeline(t testing.TB) *pipeline {
	t.Helper()
	n, err := statement.NewNetwork(network)
	must(t, err)
	p := &pipeline{network: n, scheme: n.Scheme(), a: randomScalar(t)}
	p.dealt, err = p.scheme.Deal(1)
	must(t, err)
	for i := range p.dealt.Committee.Members {
		p.dealt.Committee.Members[i].NoteKey[0] = byte(i)
	}
	keys := statement.Keys{Transfer: &statement.CircuitKey{Version: 1, Key: p.circuit(t)}}
	v, err := statement.NewVerifier(n, statement.Regulated, p.dealt.Committee, keys)
	must(t, err)
	p.verifier, err = handles.add(v)
	must(t, err)
	p.share, err = handles.add(p.dealt.Shares[0])
	must(t, err)
	t.Cleanup(func() {
		must(t, handles.close(p.verifier))
		must(t, handles.close(p.share))
	})
	return p
}

func (p *pipeline) circuit(t testing.TB) *groth.VerifyingKey {
	t.Helper()
	var err error
	p.trapdoor, err = trapdoor.New(trapdoor.Draw(statement.TransferInputs, func() suite.Field { return randomField(t) }))
	must(t, err)
	p.key, err = p.trapdoor.VerifyingKey()
	must(t, err)
	key, err := groth.NewVerifyingKey(p.key, statement.TransferInputs)
	must(t, err)
	return key
}

func (p *pipeline) prove(t testing.TB, public []suite.Field) *groth16.Proof {
	t.Helper()
	proof, err := p.trapdoor.Prove(public, func() suite.Field { return randomField(t) })
	must(t, err)
	return proof
}

func (p *pipeline) point(t testing.TB) suite.G1 {
	t.Helper()
	s := randomScalar(t)
	g, err := suite.PublicKey(&s)
	must(t, err)
	return g
}

// shown presents a signature of the committee on a random message.
func (p *pipeline) shown(t testing.TB) suite.Shown {
	t.Helper()
	hm := randomField(t)
	for _, err := suite.Exponent(&hm); err != nil; _, err = suite.Exponent(&hm) {
		hm = randomField(t)
	}
	cm, d, b := randomField(t), randomField(t), randomScalar(t)
	k, err := p.scheme.Blind(&hm, &cm, &d, &b)
	must(t, err)
	var partials []suite.Partial
	for i := range p.dealt.Committee.Quorum() {
		point, err := p.scheme.Sign(p.dealt.Shares[i], &cm, &d, &k)
		must(t, err)
		partials = append(partials, suite.Partial{Index: i + 1, Point: point})
	}
	combined, err := p.scheme.Combine(p.dealt.Committee, partials)
	must(t, err)
	sig, err := p.scheme.Unblind(p.dealt.Committee, &cm, &d, &combined, &b)
	must(t, err)
	s, o := randomScalar(t), randomScalar(t)
	shown, err := p.scheme.Show(p.dealt.Committee, &sig, &hm, &s, &o)
	must(t, err)
	return shown
}

// transfer is a new request that holds.
func (p *pipeline) transfer(t testing.TB) *transferRequest {
	t.Helper()
	q := &transferRequest{
		statement: &statement.Transfer{
			Family:  statement.FamilyTransfer,
			Serials: []suite.Field{randomField(t), randomField(t), randomField(t)},
			Outputs: []statement.BlindedCoin{{Cm: randomField(t), K: p.point(t)}, {Cm: randomField(t), K: p.point(t)}},
			Period:  202611, Withdrawn: 25, Context: [32]byte{1, 2, 3},
		},
		evidence: &statement.Evidence{
			CircuitVersion: 1,
			Shows:          []suite.Shown{p.shown(t), p.shown(t), p.shown(t)},
		},
		limits: statement.Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxTransfersPerPeriod: 30},
		root:   randomField(t),
	}
	p.renew(t, q)
	return q
}

// renew signs and proves what the request says now.
func (p *pipeline) renew(t testing.TB, q *transferRequest) {
	t.Helper()
	alpha := randomScalar(t)
	pk, err := suite.PublicKey(&p.a)
	must(t, err)
	q.evidence.RK, err = suite.RandomisedKey(&pk, &alpha)
	must(t, err)
	core, err := q.statement.Core(p.network)
	must(t, err)
	q.evidence.KeySignature, err = suite.SignCore(&p.a, &alpha, core)
	must(t, err)
	d := q.statement.InputDigest(p.network)
	var bases []suite.G1
	for i := range q.statement.Outputs {
		h, err := p.scheme.BlindBase(&q.statement.Outputs[i].Cm, &d)
		must(t, err)
		bases = append(bases, h)
	}
	q.public = statement.TransferPublic(q.statement, q.evidence, &d, bases, &q.limits, &q.root)
	q.evidence.Proof, err = groth.Encode(p.prove(t, q.public))
	must(t, err)
}

// rawPoint writes also what EncodeG1 refuses.
func (q *request) rawPoint(p *suite.G1) *request {
	b := p.RawBytes()
	return q.raw(b[:])
}

// encode is the transfer's part of a request.
func (q *transferRequest) encode() []byte {
	s, e := q.statement, q.evidence
	r := new(request).u8(uint8(s.Family)).u8(uint8(len(s.Serials)))
	for i := range s.Serials {
		r.field(s.Serials[i])
	}
	r.u8(uint8(len(s.Outputs)))
	for i := range s.Outputs {
		r.field(s.Outputs[i].Cm).rawPoint(&s.Outputs[i].K)
	}
	r.u32(s.Period).u64(s.Withdrawn).raw(s.Context[:]).u32(e.CircuitVersion).rawPoint(&e.RK).u8(uint8(len(e.Shows)))
	for i := range e.Shows {
		r.rawPoint(&e.Shows[i].H).rawPoint(&e.Shows[i].M).rawPoint(&e.Shows[i].S)
	}
	r.sized(e.Proof).sized(e.KeySignature)
	l := &q.limits
	return r.u64(l.MaxPerTransfer).u64(l.MaxPerPeriod).u64(l.MaxHeld).u32(l.MaxTransfersPerPeriod).field(q.root).b
}

// verifyFrame is a call of VERIFY_TRANSFERS.
func (p *pipeline) verifyFrame(all []*transferRequest) []byte {
	r := new(request).u64(p.verifier).u32(uint32(len(all)))
	for _, q := range all {
		r.sized(q.encode())
	}
	return r.b
}

// signFrame is a call of SHARE_SIGN_ALL for both outputs of every transfer.
func (p *pipeline) signFrame(all []*transferRequest) []byte {
	r := new(request).u64(p.share).sized([]byte(network)).u32(uint32(len(all)))
	for _, q := range all {
		d := q.statement.InputDigest(p.network)
		o := new(request).u8(uint8(len(q.statement.Outputs)))
		for i := range q.statement.Outputs {
			o.field(q.statement.Outputs[i].Cm).rawPoint(&q.statement.Outputs[i].K)
		}
		r.sized(o.field(d).b)
	}
	return r.b
}

// signOne is a call of SHARE_SIGN.
func (p *pipeline) signOne(q *transferRequest, output int) []byte {
	d, o := q.statement.InputDigest(p.network), &q.statement.Outputs[output]
	return new(request).u64(p.share).sized([]byte(network)).field(o.Cm).rawPoint(&o.K).field(d).b
}

// orderReply is an order's verdict and signatures.
type orderReply struct {
	code       fault.Code
	signatures [][]byte
}

func readOrders(t testing.TB, reply []byte, n int) (all []orderReply) {
	t.Helper()
	r := &reader{in: reply}
	for range n {
		o := orderReply{code: fault.Code(r.u32())}
		if o.code == fault.OK {
			o.signatures = [][]byte{r.take(suite.G1Bytes), r.take(suite.G1Bytes)}
		}
		all = append(all, o)
	}
	must(t, r.end())
	return all
}
