package statement

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math/big"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// sha is SHA-256.
func sha(parts ...[]byte) (d [32]byte) {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return [32]byte(h.Sum(nil))
}

// reduced is SHA-512 modulo r.
func reduced(parts ...[]byte) []byte {
	d := sha512.Sum512(concat(parts...))
	n := new(big.Int).SetBytes(d[:])
	return n.Mod(n, suite.Order()).FillBytes(make([]byte, suite.FieldBytes))
}

func u32(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
func u64(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

func f32(e *suite.Field) []byte { return suite.EncodeField(e) }

func g96(t testing.TB, p *suite.G1) []byte {
	t.Helper()
	b, err := suite.EncodeG1(p)
	must(t, err)
	return b
}

func concat(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestNetworkIDs(t *testing.T) {
	n, err := NewNetwork("euro-pilot-1")
	must(t, err)
	if n.Digest() != sha([]byte("solidus/network/v1\x00euro-pilot-1")) {
		t.Fatal("digest")
	}
	digest := n.Digest()
	if tag := n.Tag(); !bytes.Equal(tag[:], digest[:16]) {
		t.Fatal("tag")
	}
	for _, bad := range []string{"", "ab", strings.Repeat("a", 33), "Euro", "a_b", "a b", "net\x00", "netz\u00fc"} {
		_, err := NewNetwork(bad)
		refused(t, err, fault.BadNetworkID)
	}
}

//spec:id E-11 E-12
func TestDigestsFollowTheirLayout(t *testing.T) {
	w := newWorld(t, Regulated)
	net := w.network.Digest()
	r := w.request(t, FamilyTransfer).s
	serials := concat([]byte{3}, f32(&r.Serials[0]), f32(&r.Serials[1]), f32(&r.Serials[2]))
	outputs := concat([]byte{2}, f32(&r.Outputs[0].Cm), g96(t, &r.Outputs[0].K), f32(&r.Outputs[1].Cm), g96(t, &r.Outputs[1].K))
	d := reduced([]byte("solidus/D/v2"), net[:], []byte{3}, serials, u64(25), r.Context[:])
	got := r.InputDigest(w.network)
	if !bytes.Equal(f32(&got), d) {
		t.Fatal("D of a transfer")
	}
	core, err := r.Core(w.network)
	must(t, err)
	if core != sha([]byte("solidus/core/v2"), net[:], []byte{3}, serials, outputs, u32(202611), u64(25), r.Context[:]) {
		t.Fatal("core of a transfer")
	}

	reg := &Register{Apk: random(t), Coin: w.coin(t)}
	coin := concat(f32(&reg.Coin.Cm), g96(t, &reg.Coin.K))
	d = reduced([]byte("solidus/D/v2"), net[:], []byte{1}, f32(&reg.Apk))
	got = reg.InputDigest(w.network)
	if !bytes.Equal(f32(&got), d) {
		t.Fatal("D of a registration")
	}
	core, err = reg.Core(w.network)
	must(t, err)
	if core != sha([]byte("solidus/core/v2"), net[:], []byte{1}, f32(&reg.Apk), coin) {
		t.Fatal("core of a registration")
	}

	m := &Mint{MintID: [32]byte{9}, Value: 77, Coin: reg.Coin}
	d = reduced([]byte("solidus/D/v2"), net[:], []byte{2}, m.MintID[:], u64(77))
	got = m.InputDigest(w.network)
	if !bytes.Equal(f32(&got), d) {
		t.Fatal("D of a mint")
	}
	core, err = m.Core(w.network)
	must(t, err)
	if core != sha([]byte("solidus/core/v2"), net[:], []byte{2}, m.MintID[:], u64(77), coin) {
		t.Fatal("core of a mint")
	}
}

//spec:id E-14
func TestMintSerial(t *testing.T) {
	n, err := NewNetwork("statement-test")
	must(t, err)
	net, id := n.Digest(), [32]byte{5}
	got := n.MintSerial(id)
	if !bytes.Equal(f32(&got), reduced([]byte("solidus/mint-serial/v2"), net[:], id[:])) {
		t.Fatal("mint serial")
	}
}

//spec:id E-13
func TestContext(t *testing.T) {
	n, err := NewNetwork("statement-test")
	must(t, err)
	net, payout, memo := n.Digest(), make([]byte, PayoutBytes), make([]byte, MemoBytes)
	payout[0], memo[MemoBytes-1] = 1, 2
	got, err := n.Context(payout, memo)
	must(t, err)
	if got != sha([]byte("solidus/context/v1"), net[:], payout, memo) {
		t.Fatal("context")
	}
	_, err = n.Context(payout[1:], memo)
	refused(t, err, fault.BadLength)
	_, err = n.Context(payout, make([]byte, MemoBytes+1))
	refused(t, err, fault.BadLength)
}

// Every change of a statement changes its core. Changes of its inputs change D, and other changes do not.
func TestDigestsCoverTheStatement(t *testing.T) {
	w := newWorld(t, Regulated)
	base := w.request(t, FamilyTransfer).s
	baseD := base.InputDigest(w.network)
	baseCore, err := base.Core(w.network)
	must(t, err)
	clone := func() *Transfer {
		c := *base
		c.Serials = append([]suite.Field(nil), base.Serials...)
		c.Outputs = append([]BlindedCoin(nil), base.Outputs...)
		return &c
	}
	for name, c := range map[string]struct {
		change  func(*Transfer)
		changes bool // D
	}{
		"family":          {func(s *Transfer) { s.Family = FamilyTransferUnregulated }, true},
		"lead serial":     {func(s *Transfer) { s.Serials[0] = random(t) }, true},
		"second serial":   {func(s *Transfer) { s.Serials[1] = random(t) }, true},
		"third serial":    {func(s *Transfer) { s.Serials[2] = random(t) }, true},
		"serials swapped": {func(s *Transfer) { s.Serials[1], s.Serials[2] = s.Serials[2], s.Serials[1] }, true},
		"a serial less":   {func(s *Transfer) { s.Serials = s.Serials[:2] }, true},
		"withdrawn":       {func(s *Transfer) { s.Withdrawn++ }, true},
		"context":         {func(s *Transfer) { s.Context[31] ^= 1 }, true},
		"commitment":      {func(s *Transfer) { s.Outputs[0].Cm = random(t) }, false},
		"blinded point":   {func(s *Transfer) { s.Outputs[1].K = w.point(t) }, false},
		"outputs swapped": {func(s *Transfer) { s.Outputs[0], s.Outputs[1] = s.Outputs[1], s.Outputs[0] }, false},
		"period":          {func(s *Transfer) { s.Period++ }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := clone()
			c.change(s)
			d := s.InputDigest(w.network)
			core, err := s.Core(w.network)
			must(t, err)
			if d.Equal(&baseD) == c.changes {
				t.Errorf("D changes: %v, want %v", !c.changes, c.changes)
			}
			if core == baseCore {
				t.Error("the core stays")
			}
		})
	}
	other, err := NewNetwork("another-network")
	must(t, err)
	d := base.InputDigest(other)
	core, err := base.Core(other)
	must(t, err)
	if d.Equal(&baseD) || core == baseCore {
		t.Fatal("two networks share digests")
	}
	s := clone()
	s.Outputs[0].K = suite.G1{}
	_, err = s.Core(w.network)
	refused(t, err, fault.IdentityPoint)
}

// The bases of a statement's outputs depend on all that its outputs depend on, and on nothing that evidence may change.
//
//spec:id E-15
func TestBasesFollowTheStatement(t *testing.T) {
	w := newWorld(t, Regulated)
	s := w.request(t, FamilyTransfer).s
	want := &suite.Outputs{D: s.InputDigest(w.network), Period: s.Period, Cms: []suite.Field{s.Outputs[0].Cm, s.Outputs[1].Cm}}
	sameOutputs(t, s.Bases(w.network), want)
	s.Outputs[0].K = w.point(t)
	sameOutputs(t, s.Bases(w.network), want)

	r := &Register{Apk: random(t), Coin: w.coin(t)}
	sameOutputs(t, r.Bases(w.network), &suite.Outputs{D: r.InputDigest(w.network), Cms: []suite.Field{r.Coin.Cm}})
	m := &Mint{Value: 5, Coin: w.coin(t)}
	sameOutputs(t, m.Bases(w.network), &suite.Outputs{D: m.InputDigest(w.network), Cms: []suite.Field{m.Coin.Cm}})
}

func sameOutputs(t *testing.T, got, want *suite.Outputs) {
	t.Helper()
	if !got.D.Equal(&want.D) || got.Period != want.Period || !slices.Equal(got.Cms, want.Cms) {
		t.Errorf("bases of %v, want %v", got, want)
	}
}

// Two transfers with the same first serials but another claimed coin must not share D: their outputs would share
// bases, and half-quorums of both would add up to money.
//
//spec:id E-11
func TestEverySerialEntersD(t *testing.T) {
	w := newWorld(t, Regulated)
	a := w.request(t, FamilyTransfer).s
	b := *a
	b.Serials = append(append([]suite.Field(nil), a.Serials[:2]...), random(t))
	outputsA, outputsB := a.Bases(w.network), b.Bases(w.network)
	hA, err := w.scheme.BlindBase(outputsA, 0)
	must(t, err)
	hB, err := w.scheme.BlindBase(outputsB, 0)
	must(t, err)
	if outputsA.D.Equal(&outputsB.D) || hA.Equal(&hB) {
		t.Fatal("two transfers share a base")
	}
}
