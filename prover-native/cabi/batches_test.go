package cabi

import (
	"bytes"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Each order gets the result that it gets alone, byte for byte, whatever the other orders are.
func TestSignAllIsManySigns(t *testing.T) {
	p := newPipeline(t)
	for _, n := range []int{1, 3, 40} {
		all := make([]*simtest.Transfer, n)
		for i := range all {
			all[i] = &simtest.Transfer{Statement: &statement.Transfer{
				Family:  statement.FamilyTransfer,
				Serials: []suite.Field{p.Field(), p.Field(), p.Field()},
				Outputs: []statement.BlindedCoin{{Cm: p.Field(), K: p.Point(t)}, {Cm: p.Field(), K: p.Point(t)}},
			}}
		}
		if n > 1 {
			all[0].Statement.Outputs[1].K = suite.G1{}
			all[1].Statement.Outputs[0].K.Y.SetUint64(5)
		}
		if n > 3 {
			all[7].Statement.Outputs[1].K = smallOrder()
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
	head := func(n uint32) *request { return new(request).u64(p.share).sized([]byte(simtest.NetworkID)).u32(n) }
	if got := ok(t, "SHARE_SIGN_ALL", head(0)); len(got) != 0 {
		t.Fatal(got)
	}
	refused(t, fault.MalformedRequest, "SHARE_SIGN_ALL", head(1))
	many := head(maxBatch + 1)
	for range maxBatch + 1 {
		many.sized(make([]byte, orderBytes))
	}
	refused(t, fault.MalformedRequest, "SHARE_SIGN_ALL", many)
	refused(t, fault.UnknownHandle, "SHARE_SIGN_ALL", new(request).u64(p.verifier).sized([]byte(simtest.NetworkID)).u32(0))
	empty := readOrders(t, ok(t, "SHARE_SIGN_ALL", head(1).sized(make([]byte, orderBytes))), 1)
	if empty[0].code != fault.MalformedRequest {
		t.Fatal(empty[0].code)
	}
}

// verdictsOf calls VERIFY_TRANSFERS.
func (p *pipeline) verdictsOf(t testing.TB, all []*simtest.Transfer) []fault.Code {
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
func (p *pipeline) verdictOf(t testing.TB, q *simtest.Transfer) fault.Code {
	t.Helper()
	r := &reader{in: ok(t, "VERIFY_TRANSFER", new(request).u64(p.verifier).item(q))}
	return fault.Code(r.u32())
}

func clone(q *simtest.Transfer) *simtest.Transfer {
	c := *q
	s, e := *q.Statement, *q.Evidence
	s.Outputs = append([]statement.BlindedCoin(nil), s.Outputs...)
	e.Shows = append([]suite.Shown(nil), e.Shows...)
	e.Proof, e.KeySignature = bytes.Clone(e.Proof), bytes.Clone(e.KeySignature)
	c.Statement, c.Evidence = &s, &e
	return &c
}

// smallOrder is a point of order 3 of the curve of signatures.
func smallOrder() (p suite.G1) {
	p.Y.SetUint64(2)
	return p
}

// plusOrderTwo adds the point of order two, (0, -1), to a key.
func plusOrderTwo(p jubjub.Point) jubjub.Point {
	var two jubjub.Point
	two.Y.SetOne()
	two.Y.Neg(&two.Y)
	return jubjub.Add(p, two)
}

// poisons break one rule of a request each. The last ones break two, of which the first in order counts.
var poisons = map[string]func(t testing.TB, p *pipeline, q *simtest.Transfer){
	"proof":         func(_ testing.TB, p *pipeline, q *simtest.Transfer) { q.Root = p.Field() },
	"escrow limit":  func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { q.Limits.MaxEscrow++ },
	"show":          func(t testing.TB, p *pipeline, q *simtest.Transfer) { q.Evidence.Shows[1].S = p.Point(t) },
	"key signature": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { flip(q.Evidence.KeySignature) },
	"link":          func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { flip(q.Evidence.Proof) },
	"commitment a":  func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { q.Evidence.Proof[groth.ProofBytes+31] ^= 1 },
	"response z": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) {
		q.Evidence.Proof[groth.ProofBytes+suite.LinkBytes(1)-suite.ScalarBytes-1] ^= 1
	},
	"T of order 3": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) {
		small := smallOrder()
		b := small.RawBytes()
		copy(q.Evidence.Proof[groth.ProofBytes+suite.FieldBytes:], b[:])
	},
	"rk plus a point of order 2": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) {
		q.Evidence.RK = plusOrderTwo(q.Evidence.RK)
	},
	"k of order 3":  func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { q.Statement.Outputs[1].K = smallOrder() },
	"h' of order 3": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { q.Evidence.Shows[2].H = smallOrder() },
	"k as (0, 0)":   func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { q.Statement.Outputs[0].K = suite.G1{} },
	"proof bytes":   func(_ testing.TB, _ *pipeline, q *simtest.Transfer) { q.Evidence.Proof[5] ^= 1 },
	"R plus a point of order 2": func(t testing.TB, _ *pipeline, q *simtest.Transfer) {
		r, err := jubjub.DecodePoint(q.Evidence.KeySignature[:jubjub.PointBytes])
		must(t, err)
		r = plusOrderTwo(r)
		copy(q.Evidence.KeySignature, jubjub.EncodePoint(&r))
	},
	"A plus a point of order 3": func(t testing.TB, _ *pipeline, q *simtest.Transfer) {
		reencode(t, q, func(p *groth16.Proof) {
			small := smallOrder()
			p.Ar.Add(&p.Ar, &small)
		})
	},
	"B plus a point outside G2": func(t testing.TB, _ *pipeline, q *simtest.Transfer) {
		reencode(t, q, func(p *groth16.Proof) {
			outside := outsideG2()
			p.Bs.Add(&p.Bs, &outside)
		})
	},
	"signature and h'": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) {
		flip(q.Evidence.KeySignature)
		q.Evidence.Shows[0].H = smallOrder()
	},
	"k of order 3 and z": func(_ testing.TB, _ *pipeline, q *simtest.Transfer) {
		q.Statement.Outputs[0].K = smallOrder()
		copy(q.Evidence.KeySignature[jubjub.PointBytes:], bytes.Repeat([]byte{255}, jubjub.ScalarBytes))
	},
	"show and proof": func(t testing.TB, p *pipeline, q *simtest.Transfer) {
		q.Evidence.Shows[0].M = p.Point(t)
		q.Root = p.Field()
	},
	"link and proof": func(_ testing.TB, p *pipeline, q *simtest.Transfer) {
		flip(q.Evidence.Proof)
		q.Root = p.Field()
	},
}

// flip changes the last bit.
func flip(b []byte) { b[len(b)-1] ^= 1 }

// reencode changes the points of a proof, and keeps its link.
func reencode(t testing.TB, q *simtest.Transfer, change func(*groth16.Proof)) {
	t.Helper()
	decoded, err := groth.Decode(q.Evidence.Proof[:groth.ProofBytes])
	must(t, err)
	proof := &groth16.Proof{Ar: decoded.A, Bs: decoded.B, Krs: decoded.C}
	change(proof)
	encoded, err := groth.Encode(proof)
	must(t, err)
	copy(q.Evidence.Proof, encoded)
}

// outsideG2 is a point of the curve of G2 that pairings do not see: r times a point outside the subgroup.
func outsideG2() bls.G2Affine {
	var q, sum bls.G2Affine
	var square, b bls.E2
	b.A0.SetUint64(4)
	b.A1.SetUint64(4)
	q.X.A1.SetOne()
	for n := uint64(0); ; n++ {
		q.X.A0.SetUint64(n)
		square.Square(&q.X).Mul(&square, &q.X).Add(&square, &b)
		if square.Legendre() == 1 {
			break
		}
	}
	q.Y.Sqrt(&square)
	r := suite.Order()
	for i := r.BitLen() - 1; i >= 0; i-- {
		sum.Add(&sum, &sum)
		if r.Bit(i) == 1 {
			sum.Add(&sum, &q)
		}
	}
	return sum
}

// One bad request at each place of a batch, in every way: it gets the code that it gets alone, and the others are accepted.
func TestPoisonedBatches(t *testing.T) {
	p := newPipeline(t)
	good := p.transfers(t, 20)
	place := 0
	for name, breaks := range poisons {
		for _, n := range []int{2, 5, len(good)} {
			place = (place + 1) % n
			batch := append([]*simtest.Transfer(nil), good[:n]...)
			batch[place] = clone(good[place])
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
	for _, name := range []string{"proof", "show", "key signature", "k of order 3", "link"} {
		for at := range good {
			batch := append([]*simtest.Transfer(nil), good...)
			batch[at] = clone(good[at])
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

// All faults in one batch, without a good request.
func TestBatchesOfManyFaults(t *testing.T) {
	p := newPipeline(t)
	var batch []*simtest.Transfer
	var want []fault.Code
	for range 2 {
		for _, breaks := range poisons {
			q := p.Transfer(t)
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

// A batch is work for one processor. No step may start a goroutine.
func TestBatchesStartNoGoroutine(t *testing.T) {
	p := newPipeline(t)
	all := p.transfers(t, 24)
	bad := append([]*simtest.Transfer(nil), all...)
	bad[3] = clone(all[3])
	poisons["proof"](t, p, bad[3])
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector has workers of its own
	before := goroutinesCreated()
	done := make(chan struct{})
	go close(done)
	if <-done; goroutinesCreated() == before {
		t.Fatal("a goroutine is not counted: the test shows nothing")
	}
	for _, batch := range [][]*simtest.Transfer{all[:1], all[:3], all, bad} {
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
