package cabi

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

const network = "cabi-test"

// request builds a request's fields.
type request struct{ b []byte }

func (q *request) u8(v uint8) *request   { q.b = append(q.b, v); return q }
func (q *request) u32(v uint32) *request { q.b = binary.BigEndian.AppendUint32(q.b, v); return q }
func (q *request) u64(v uint64) *request { q.b = binary.BigEndian.AppendUint64(q.b, v); return q }
func (q *request) raw(b []byte) *request { q.b = append(q.b, b...); return q }
func (q *request) sized(b []byte) *request {
	return q.u32(uint32(len(b))).raw(b)
}

func forNetwork() *request { return new(request).sized([]byte(network)) }

func number(t testing.TB, name string) int {
	t.Helper()
	for _, op := range operations {
		if op.Name == name {
			return op.Number
		}
	}
	t.Fatalf("no operation %s", name)
	return 0
}

// call invokes an operation by name and splits the reply.
func call(t testing.TB, name string, q *request) (fault.Code, []byte) {
	t.Helper()
	return split(t, Invoke(number(t, name), bytes.Clone(q.b)))
}

func split(t testing.TB, reply []byte) (fault.Code, []byte) {
	t.Helper()
	if len(reply) < 2 {
		t.Fatalf("a reply of %d bytes", len(reply))
	}
	return fault.Code(binary.BigEndian.Uint16(reply)), reply[2:]
}

func ok(t testing.TB, name string, q *request) []byte {
	t.Helper()
	code, result := call(t, name, q)
	if code != fault.OK {
		t.Fatalf("%s: %v %s", name, code, result)
	}
	return result
}

func refused(t testing.TB, want fault.Code, name string, q *request) {
	t.Helper()
	if code, result := call(t, name, q); code != want {
		t.Fatalf("%s: %v %q, want %v", name, code, result, want)
	}
}

func scalar(t testing.TB) []byte {
	t.Helper()
	var s suite.Scalar
	if _, err := s.SetRandom(); err != nil {
		t.Fatal(err)
	}
	return suite.EncodeScalar(&s)
}

func field(t testing.TB) []byte {
	t.Helper()
	var e suite.Field
	if _, err := e.SetRandom(); err != nil {
		t.Fatal(err)
	}
	return suite.EncodeField(&e)
}

// keyScalar is an exponent of an owner's key.
func keyScalar(t testing.TB) []byte {
	t.Helper()
	s, err := jubjub.RandomScalar()
	if err != nil {
		t.Fatal(err)
	}
	return s.Bytes()
}

// point is a random point of G1.
func point(t testing.TB) []byte {
	t.Helper()
	var p suite.G1
	p.ScalarMultiplicationBase(new(big.Int).SetBytes(scalar(t)))
	b, err := suite.EncodeG1(&p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// outputs are n random outputs of a statement.
func outputs(t testing.TB, n uint8) []byte {
	t.Helper()
	q := new(request).raw(field(t)).u32(202611).u8(n)
	for range n {
		q.raw(field(t))
	}
	return q.b
}

func TestOperationsAreWellFormed(t *testing.T) {
	numbers, names := map[int]bool{}, map[string]bool{}
	for _, op := range operations {
		if numbers[op.Number] || names[op.Name] || op.Number <= 0 || op.serve == nil || op.MaxRequest < small {
			t.Errorf("operation %d %s", op.Number, op.Name)
		}
		numbers[op.Number], names[op.Name] = true, true
		if Limit(op.Number) != op.MaxRequest {
			t.Errorf("limit of %s", op.Name)
		}
	}
}

func TestUnknownOperations(t *testing.T) {
	for _, n := range []int{-1, 0, 4, 1000, 1 << 40} {
		if code, _ := split(t, Invoke(n, nil)); code != fault.UnknownOperation {
			t.Errorf("%d: %v", n, code)
		}
		if Limit(n) != 0 {
			t.Errorf("%d has a limit", n)
		}
	}
}

func TestVersion(t *testing.T) {
	result := ok(t, "VERSION", new(request))
	if binary.BigEndian.Uint32(result) != Bridge || !strings.HasSuffix(string(result), Version) {
		t.Fatal(result)
	}
	refused(t, fault.MalformedRequest, "VERSION", new(request).u8(1))
}

func TestPanicBecomesInternal(t *testing.T) {
	code, detail := call(t, "PANIC", new(request))
	if code != fault.Internal || !strings.Contains(string(detail), "cabi.panicOnPurpose") {
		t.Fatalf("%v %s", code, detail)
	}
}

func TestRequestsAreClearedAndBounded(t *testing.T) {
	secret := keyScalar(t)
	held := bytes.Clone(secret)
	Invoke(number(t, "PUBLIC_KEY"), held)
	if !bytes.Equal(held, make([]byte, len(held))) {
		t.Fatal("the request is still there")
	}
	for _, op := range operations {
		if code, _ := split(t, Invoke(op.Number, make([]byte, op.MaxRequest+1))); code != fault.RequestTooLarge && op.Name != "PANIC" {
			t.Errorf("%s: %v", op.Name, code)
		}
	}
}

// Every prefix of a good request is refused, and so is one byte more.
func TestEveryFieldIsNeeded(t *testing.T) {
	a, alpha := keyScalar(t), keyScalar(t)
	pk := ok(t, "PUBLIC_KEY", new(request).raw(a))
	core := bytes.Repeat([]byte{7}, 32)
	requests := map[string]*request{
		"PUBLIC_KEY":   new(request).raw(a),
		"APK":          forNetwork().raw(field(t)).raw(pk),
		"SERIAL":       forNetwork().raw(field(t)).raw(field(t)),
		"RHOS":         forNetwork().raw(field(t)).raw(field(t)).u8(2),
		"COMMITMENT":   forNetwork().raw(field(t)).raw(field(t)),
		"COIN_MESSAGE": forNetwork().u8(1).u8(2).u64(5).raw(field(t)).raw(field(t)),
		"BLIND_BASE":   forNetwork().raw(outputs(t, 2)).u8(1),
		"BLIND": forNetwork().raw(field(t)).u32(202611).u8(2).raw(field(t)).raw(field(t)).raw(scalar(t)).
			raw(field(t)).raw(field(t)).raw(scalar(t)),
		"RANDOMISED_KEY": new(request).raw(pk).raw(alpha),
		"SIGN_CORE":      new(request).raw(a).raw(alpha).raw(core),
		"TREE_BUILD":     forNetwork().sized(nil),
		"HISTORY": forNetwork().raw(field(t)).u64(1).u64(2).u64(3).u64(4).u8(1).u8(2).u8(1).u32(5).
			raw(field(t)).raw(field(t)),
	}
	for name, q := range requests {
		t.Run(name, func(t *testing.T) {
			ok(t, name, q)
			for n := range q.b {
				if code, _ := call(t, name, &request{q.b[:n]}); code == fault.OK || code == fault.Internal {
					t.Fatalf("%d of %d bytes: %v", n, len(q.b), code)
				}
			}
			refused(t, fault.MalformedRequest, name, (&request{bytes.Clone(q.b)}).u8(0))
		})
	}
}

func TestNetworksAndKinds(t *testing.T) {
	refused(t, fault.BadNetworkID, "SERIAL", new(request).sized([]byte("NO")).raw(field(t)).raw(field(t)))
	refused(t, fault.MalformedRequest, "COIN_MESSAGE", forNetwork().u8(3).u8(0).u64(5).raw(field(t)).raw(field(t)))
	refused(t, fault.FieldNotCanonical, "SERIAL", forNetwork().raw(bytes.Repeat([]byte{255}, suite.FieldBytes)).raw(field(t)))
}

func TestHandles(t *testing.T) {
	open := func() []byte {
		return ok(t, "SHARE_OPEN", new(request).u32(1).sized(scalar(t)).sized(scalar(t)))
	}
	first, second := open(), open()
	if bytes.Equal(first, second) {
		t.Fatal("a handle is used twice")
	}
	coin := point(t)
	sign := func(handle []byte) *request {
		return new(request).raw(handle).sized([]byte(network)).raw(outputs(t, 2)).u8(0).raw(coin)
	}
	ok(t, "SHARE_SIGN", sign(first))
	ok(t, "HANDLE_CLOSE", new(request).raw(first))
	refused(t, fault.UnknownHandle, "HANDLE_CLOSE", new(request).raw(first))
	refused(t, fault.UnknownHandle, "SHARE_SIGN", sign(first))
	ok(t, "SHARE_SIGN", sign(second))
	refused(t, fault.UnknownHandle, "TREE_PATH", new(request).raw(second).raw(field(t)))
	refused(t, fault.UnknownHandle, "PROVE", new(request).raw(second).u8(2).sized([]byte{1, 2}))
	refused(t, fault.UnknownHandle, "SHARE_SIGN", sign(make([]byte, 8)))
	ok(t, "HANDLE_CLOSE", new(request).raw(second))
}

// A share closed in the middle of signing: each call succeeds or reports the closed share, and none signs with zeros.
func TestClosingWhileSigning(t *testing.T) {
	x, y := scalar(t), scalar(t)
	handle := ok(t, "SHARE_OPEN", new(request).u32(1).sized(x).sized(y))
	q := new(request).raw(handle).sized([]byte(network)).raw(outputs(t, 2)).u8(1).raw(point(t))
	want := ok(t, "SHARE_SIGN", q)
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				code, got := split(t, Invoke(41, bytes.Clone(q.b)))
				if code == fault.UnknownHandle {
					return
				}
				if code != fault.OK || !bytes.Equal(got, want) {
					t.Errorf("%v", code)
					return
				}
			}
		}()
	}
	ok(t, "HANDLE_CLOSE", new(request).raw(handle))
	wg.Wait()
}

func TestVerdictsAreNotErrors(t *testing.T) {
	a := keyScalar(t)
	rk := ok(t, "PUBLIC_KEY", new(request).raw(a))
	core := bytes.Repeat([]byte{7}, 32)
	for _, signature := range [][]byte{
		make([]byte, suite.KeySignatureBytes), make([]byte, 5), bytes.Repeat([]byte{255}, suite.KeySignatureBytes),
	} {
		if got := ok(t, "VERIFY_CORE", new(request).raw(rk).raw(core).sized(signature)); !bytes.Equal(got, []byte{0}) {
			t.Fatal(got)
		}
	}
	zero, signature := make([]byte, jubjub.PointBytes), make([]byte, suite.KeySignatureBytes)
	if got := ok(t, "VERIFY_CORE", new(request).raw(zero).raw(core).sized(signature)); !bytes.Equal(got, []byte{0}) {
		t.Fatal(got)
	}
	refused(t, fault.MalformedRequest, "VERIFY_CORE", new(request).raw(rk).raw(core).u32(1<<31))
}

func TestRandomBytesNeverPanic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, op := range operations {
		if op.Name == "PANIC" {
			continue
		}
		for range 300 {
			b := forNetwork().b
			if random.IntN(2) == 0 {
				b = nil
			}
			for range random.IntN(900) {
				b = append(b, byte(random.Uint32()>>random.IntN(9)))
			}
			if code, detail := split(t, Invoke(op.Number, b)); code == fault.Internal {
				t.Fatalf("%s: %s", op.Name, detail)
			}
		}
	}
}

func FuzzInvoke(f *testing.F) {
	for _, op := range operations {
		f.Add(op.Number, forNetwork().b)
		f.Add(op.Number, bytes.Repeat([]byte{1}, 200))
	}
	f.Fuzz(func(t *testing.T, op int, b []byte) {
		if o := find(op); o != nil && (o.Name == "PANIC" || o.Name == "KEYS_MAKE" || o.Name == "KEYS_REFRESH" || o.Name == "KEYS_SHAPES") {
			return // the first panics, the others would write keys if the input happened to be right
		}
		if code, detail := split(t, Invoke(op, b)); code == fault.Internal {
			t.Fatalf("%d: %s", op, detail)
		}
	})
}
