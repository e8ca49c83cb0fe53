package cabi

import (
	"bytes"
	"math/big"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// pipeline is a validator whose circuit has known trapdoors: it makes requests that hold without a prover, which is what
// tests of batches and measurements need. It exists in test code only.
type pipeline struct {
	network   *statement.Network
	scheme    suite.Scheme
	dealt     *suite.Dealt
	verifier  uint64
	share     uint64
	key       groth16.VerifyingKey
	ab, gamma fr.Element
	deltaInv  fr.Element
	k         []fr.Element
	a         suite.Scalar
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

func exponent(e *fr.Element) *big.Int { return e.BigInt(new(big.Int)) }

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
	alpha, beta, delta := randomField(t), randomField(t), randomField(t)
	p.gamma = randomField(t)
	p.ab.Mul(&alpha, &beta)
	p.deltaInv.Inverse(&delta)
	p.key.G1.Alpha.ScalarMultiplicationBase(exponent(&alpha))
	p.key.G2.Beta.ScalarMultiplicationBase(exponent(&beta))
	p.key.G2.Gamma.ScalarMultiplicationBase(exponent(&p.gamma))
	p.key.G2.Delta.ScalarMultiplicationBase(exponent(&delta))
	for i := range statement.TransferInputs + 1 {
		p.k = append(p.k, randomField(t))
		p.key.G1.K = append(p.key.G1.K, p.key.G1.Alpha)
		p.key.G1.K[i].ScalarMultiplicationBase(exponent(&p.k[i]))
	}
	must(t, p.key.Precompute())
	key, err := groth.NewVerifyingKey(&p.key, statement.TransferInputs)
	must(t, err)
	return key
}

func (p *pipeline) prove(t testing.TB, public []suite.Field) *groth16.Proof {
	t.Helper()
	a, b := randomField(t), randomField(t)
	sum := p.k[0]
	for i := range public {
		var term fr.Element
		term.Mul(&public[i], &p.k[i+1])
		sum.Add(&sum, &term)
	}
	sum.Mul(&sum, &p.gamma)
	var c fr.Element
	c.Mul(&a, &b).Sub(&c, &p.ab).Sub(&c, &sum).Mul(&c, &p.deltaInv)
	var proof groth16.Proof
	proof.Ar.ScalarMultiplicationBase(exponent(&a))
	proof.Bs.ScalarMultiplicationBase(exponent(&b))
	proof.Krs.ScalarMultiplicationBase(exponent(&c))
	return &proof
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

// Each order gets what it would get alone, byte for byte, whatever stands beside it.
func TestSignAllIsManySigns(t *testing.T) {
	p := newPipeline(t)
	for _, n := range []int{1, 3, 40} {
		all := make([]*transferRequest, n)
		for i := range all {
			all[i] = &transferRequest{statement: &statement.Transfer{
				Family:  statement.FamilyTransfer,
				Serials: []suite.Field{randomField(t), randomField(t), randomField(t)},
				Outputs: []statement.BlindedCoin{{Cm: randomField(t), K: p.point(t)}, {Cm: randomField(t), K: p.point(t)}},
			}}
		}
		if n > 1 {
			all[0].statement.Outputs[1].K = suite.G1{}
			all[1].statement.Outputs[0].K.Y.SetUint64(5)
		}
		if n > 3 {
			all[7].statement.Outputs[1].K = suite.G1{}
			all[7].statement.Outputs[1].K.Y.SetOne() // of order 3
		}
		suite.Forget()
		for range 2 { // the second time with everything remembered
			for i, o := range readOrders(t, ok(t, "SHARE_SIGN_ALL", &request{p.signFrame(all)}), n) {
				for j := range 2 {
					code, want := call(t, "SHARE_SIGN", &request{p.signOne(all[i], j)})
					if code != fault.OK {
						if o.code != code {
							t.Fatalf("order %d: %v, alone %v", i, o.code, code)
						}
						break
					}
					if o.code == fault.OK && !bytes.Equal(o.signatures[j], want) {
						t.Fatalf("order %d output %d: another signature", i, j)
					}
				}
				if bad := n > 1 && i < 2 || n > 3 && i == 7; bad != (o.code != fault.OK) {
					t.Fatalf("order %d of %d: %v", i, n, o.code)
				}
			}
		}
	}
}

func TestSignAllBounds(t *testing.T) {
	p := newPipeline(t)
	head := func(n uint32) *request { return new(request).u64(p.share).sized([]byte(network)).u32(n) }
	if got := ok(t, "SHARE_SIGN_ALL", head(0)); len(got) != 0 {
		t.Fatal(got)
	}
	refused(t, fault.MalformedRequest, "SHARE_SIGN_ALL", head(1))
	many := head(maxBatch + 1)
	for range maxBatch + 1 {
		many.sized(make([]byte, orderBytes))
	}
	refused(t, fault.MalformedRequest, "SHARE_SIGN_ALL", many)
	refused(t, fault.UnknownHandle, "SHARE_SIGN_ALL", new(request).u64(p.verifier).sized([]byte(network)).u32(0))
	empty := readOrders(t, ok(t, "SHARE_SIGN_ALL", head(1).sized(make([]byte, orderBytes))), 1)
	if empty[0].code != fault.MalformedRequest {
		t.Fatal(empty[0].code)
	}
}

// verdictsOf calls VERIFY_TRANSFERS.
func (p *pipeline) verdictsOf(t testing.TB, all []*transferRequest) []fault.Code {
	t.Helper()
	r := &reader{in: ok(t, "VERIFY_TRANSFERS", &request{p.verifyFrame(all)})}
	codes := make([]fault.Code, len(all))
	for i := range codes {
		codes[i] = fault.Code(r.u32())
	}
	must(t, r.end())
	return codes
}

// verdictOf calls VERIFY_TRANSFER.
func (p *pipeline) verdictOf(t testing.TB, q *transferRequest) fault.Code {
	t.Helper()
	r := &reader{in: ok(t, "VERIFY_TRANSFER", new(request).u64(p.verifier).raw(q.encode()))}
	return fault.Code(r.u32())
}

func (q *transferRequest) clone() *transferRequest {
	c := *q
	s, e := *q.statement, *q.evidence
	s.Outputs = append([]statement.BlindedCoin(nil), s.Outputs...)
	e.Shows = append([]suite.Shown(nil), e.Shows...)
	e.Proof, e.KeySignature = bytes.Clone(e.Proof), bytes.Clone(e.KeySignature)
	c.statement, c.evidence = &s, &e
	return &c
}

// smallOrder is a point of order 3 of the curve of signatures.
func smallOrder() (p suite.G1) {
	p.Y.SetOne()
	return p
}

// poisons break one rule of a request each; the later ones break two, of which the first in order counts.
var poisons = map[string]func(t testing.TB, p *pipeline, q *transferRequest){
	"proof":         func(t testing.TB, _ *pipeline, q *transferRequest) { q.root = randomField(t) },
	"show":          func(t testing.TB, p *pipeline, q *transferRequest) { q.evidence.Shows[1].S = p.point(t) },
	"key signature": func(_ testing.TB, _ *pipeline, q *transferRequest) { q.evidence.KeySignature[127] ^= 1 },
	"k of order 3":  func(_ testing.TB, _ *pipeline, q *transferRequest) { q.statement.Outputs[1].K = smallOrder() },
	"h' of order 3": func(_ testing.TB, _ *pipeline, q *transferRequest) { q.evidence.Shows[2].H = smallOrder() },
	"k as (0, 0)":   func(_ testing.TB, _ *pipeline, q *transferRequest) { q.statement.Outputs[0].K = suite.G1{} },
	"proof bytes":   func(_ testing.TB, _ *pipeline, q *transferRequest) { q.evidence.Proof[5] ^= 1 },
	"R of order 3": func(t testing.TB, _ *pipeline, q *transferRequest) {
		r := smallOrder()
		b := r.RawBytes()
		copy(q.evidence.KeySignature, b[:])
	},
	"B plus a point of order 3": func(t testing.TB, _ *pipeline, q *transferRequest) { addOrderThree(t, q) },
	"signature and h'": func(_ testing.TB, _ *pipeline, q *transferRequest) {
		q.evidence.KeySignature[127] ^= 1
		q.evidence.Shows[0].H = smallOrder()
	},
	"k of order 3 and z": func(_ testing.TB, _ *pipeline, q *transferRequest) {
		q.statement.Outputs[0].K = smallOrder()
		copy(q.evidence.KeySignature[suite.G1Bytes:], bytes.Repeat([]byte{255}, suite.ScalarBytes))
	},
	"show and proof": func(t testing.TB, p *pipeline, q *transferRequest) {
		q.evidence.Shows[0].M = p.point(t)
		q.root = randomField(t)
	},
}

func addOrderThree(t testing.TB, q *transferRequest) {
	t.Helper()
	proof, err := groth.Decode(q.evidence.Proof)
	must(t, err)
	small := proof.B
	small.X.SetZero()
	small.Y.SetUint64(2)
	proof.B.Add(&proof.B, &small)
	q.evidence.Proof, err = groth.Encode(&groth16.Proof{Ar: proof.A, Bs: proof.B, Krs: proof.C})
	must(t, err)
}

// One bad request at each place of a batch, every way to be bad: it gets the code it gets alone, the others are good.
func TestPoisonedBatches(t *testing.T) {
	p := newPipeline(t)
	good := make([]*transferRequest, 20)
	for i := range good {
		good[i] = p.transfer(t)
	}
	place := 0
	for name, breaks := range poisons {
		for _, n := range []int{2, 5, len(good)} {
			place = (place + 1) % n
			batch := append([]*transferRequest(nil), good[:n]...)
			batch[place] = good[place].clone()
			breaks(t, p, batch[place])
			want := p.verdictOf(t, batch[place])
			if want == fault.OK {
				t.Fatalf("%s: nothing is broken", name)
			}
			for i, code := range p.verdictsOf(t, batch) {
				if i == place && code != want || i != place && code != fault.OK {
					t.Fatalf("%s at %d of %d: item %d has %v, alone %v", name, place, n, i, code, want)
				}
			}
		}
	}
	// every place in turn for the rules that are checked together
	for _, name := range []string{"proof", "show", "key signature", "k of order 3"} {
		for at := range good {
			batch := append([]*transferRequest(nil), good...)
			batch[at] = good[at].clone()
			poisons[name](t, p, batch[at])
			want := p.verdictOf(t, batch[at])
			for i, code := range p.verdictsOf(t, batch) {
				if i == at && code != want || i != at && code != fault.OK {
					t.Fatalf("%s at %d: item %d has %v, alone %v", name, at, i, code, want)
				}
			}
		}
	}
}

// All ways to be bad at once, and a batch without a good request.
func TestBatchesOfManyFaults(t *testing.T) {
	p := newPipeline(t)
	var batch []*transferRequest
	var want []fault.Code
	for range 2 {
		for _, breaks := range poisons {
			q := p.transfer(t)
			breaks(t, p, q)
			batch, want = append(batch, q), append(want, p.verdictOf(t, q))
		}
	}
	for i, code := range p.verdictsOf(t, batch) {
		if code != want[i] || code == fault.OK {
			t.Fatalf("item %d: %v, alone %v", i, code, want[i])
		}
	}
}

// A batch is work for one processor: nothing on its way starts a goroutine.
func TestBatchesStartNoGoroutine(t *testing.T) {
	p := newPipeline(t)
	all := make([]*transferRequest, 24)
	for i := range all {
		all[i] = p.transfer(t)
	}
	bad := append([]*transferRequest(nil), all...)
	bad[3] = all[3].clone()
	poisons["proof"](t, p, bad[3])
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector has workers of its own
	before := goroutinesCreated()
	done := make(chan struct{})
	go close(done)
	if <-done; goroutinesCreated() == before {
		t.Fatal("a goroutine is not counted: the test shows nothing")
	}
	for _, batch := range [][]*transferRequest{all[:1], all[:3], all, bad} {
		suite.Forget()
		p.verdictsOf(t, batch) // tables that are built once
		verify, sign := p.verifyFrame(batch), p.signFrame(batch)
		suite.Forget()
		before := goroutinesCreated()
		Invoke(number(t, "VERIFY_TRANSFERS"), verify)
		Invoke(number(t, "SHARE_SIGN_ALL"), sign)
		if started := goroutinesCreated() - before; started != 0 {
			t.Fatalf("%d goroutines for %d transfers", started, len(batch))
		}
	}
}

func goroutinesCreated() uint64 {
	sample := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
