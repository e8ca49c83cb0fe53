package hash

import (
	"crypto/sha256"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
)

func testNetwork(t testing.TB) NetworkTag {
	t.Helper()
	tag, err := NetworkTagOf("solidus-test")
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

func TestNetworkID(t *testing.T) {
	for _, id := range []string{"abc", "solidus-test", "a-0", "01234567890123456789012345678901"} {
		if _, err := NetworkDigest(id); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{"", "ab", "Abc", "a_c", "abc ", "a\x00c", "äbc", "012345678901234567890123456789012"} {
		if _, err := NetworkTagOf(id); err == nil {
			t.Errorf("%q accepted", id)
		}
	}
}

// sample is every use of the hash on fixed inputs.
func sample(h *Hasher) map[string]fr.Element {
	pk := jubjub.Base()
	e := fr.NewElement
	rho0, rho1 := h.Rhos(e(1), e(2))
	base, err := h.CoinBase(&Outputs{D: e(1), Period: 2, Cms: []fr.Element{e(3), e(4)}}, 1)
	if err != nil {
		panic(err)
	}
	return map[string]fr.Element{
		"apk":        h.Apk(e(1), &pk),
		"serialKey":  h.SerialKey(e(1), &pk),
		"serial":     h.Serial(e(1), e(2)),
		"coin":       h.Coin(OriginMint, 3, e(1), e(2)),
		"escrow":     h.Escrow(3, e(1), e(2)),
		"coinU":      h.CoinUnregulated(3, e(1), e(2)),
		"compliance": h.Compliance(&Compliance{e(1), e(2), 3, 4, 5, 6, e(7)}),
		"entry":      h.Entry(&Entry{e(1), 2, 3, 4, 5, 1, 2, true, 6, e(7), e(8)}),
		"rho0":       rho0,
		"rho1":       rho1,
		"commit":     h.Commit(e(1), e(2)),
		"leaf":       h.Leaf(e(1), e(2)),
		"node3":      Node3(e(1), e(2), e(3)),
		"link":       h.Link(e(1), []fr.Element{e(2), e(3)}, []fr.Element{e(4), e(5)}),
		"details":    h.Details(&Details{[]uint64{1, 2, 3, 4}, []Origin{0, 1, 2, 0}, []uint64{5, 6}, []fr.Element{e(7), e(8)}}),
		"rho2":       h.OutputRhos(3, e(1), e(2))[2],
		"base":       digestOf(&base),
	}
}

// digestOf stands for a point in the table of known answers: the hash of its encoding, reduced.
func digestOf(p *bls.G1Affine) (e fr.Element) {
	raw := p.RawBytes()
	digest := sha256.Sum256(raw[:])
	e.SetBytes(digest[:])
	return e
}

// Known answers, pinned: a change of any is a change of every address, coin and key. Rewrite with -update.
func TestKnownAnswers(t *testing.T) {
	got := map[string]string{}
	for name, x := range sample(New(testNetwork(t))) {
		got[name] = x.Text(16)
	}
	path := filepath.Join("testdata", "known-answers.json")
	if circuittest.Updating() {
		raw, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// Every use has its own domain, also on equal inputs, and so has every network (tree nodes apart).
//
//spec:id E-08
func TestDomains(t *testing.T) {
	seen := map[fr.Element]string{}
	zero := fr.Element{}
	for _, id := range []string{"network-a", "network-b"} {
		net, err := NetworkTagOf(id)
		if err != nil {
			t.Fatal(err)
		}
		h := New(net)
		for tag, n := range arity {
			out := h.Sum(tag, zero, make([]fr.Element, n)...)
			name := id + string(rune('0'+tag))
			if other, dup := seen[out]; dup {
				t.Errorf("%s and %s agree", name, other)
			}
			seen[out] = name
		}
	}
	a, b := sample(New(NetworkTag{1})), sample(New(NetworkTag{2}))
	for name := range a {
		if (a[name] == b[name]) != (name == "node3") {
			t.Errorf("%s: equal in two networks: %v", name, a[name] == b[name])
		}
	}
}

// The start states of all tags and networks are apart by more than what is packed.
//
//spec:id E-08
func TestCapacityLeavesRoomForPacking(t *testing.T) {
	full := NetworkTag{}
	for i := range full {
		full[i] = 0xff
	}
	packed := new(big.Int).Lsh(big.NewInt(1), packedBits)
	top := capacity(full, 255)
	if top.Add(top, packed).Cmp(fr.Modulus()) >= 0 {
		t.Error("the capacity lane wraps")
	}
	gap := new(big.Int).Sub(capacity(full, TagSerial), capacity(full, TagApk))
	if gap.Cmp(packed) < 0 {
		t.Error("two tags overlap")
	}
}

// The integers that are packed into one element lie side by side, each in its width, and end below what the element can hold.
//
//spec:id O-07 O-09 O-12
func TestPackedIntegersDoNotOverlap(t *testing.T) {
	type part struct{ shift, width int }
	for name, x := range map[string]struct {
		parts []part
		room  int
	}{
		"coin":            {[]part{{0, 64}, {CoinOriginShift, 2}}, packedBits},
		"compliance coin": {[]part{{0, 64}, {ComplianceCountShift, 32}, {ComplianceSentShift, 64}, {CompliancePeriodShift, 32}}, fr.Bits - 1},
		"values":          {[]part{{0, 64}, {EntryIn1Shift, 64}, {EntryIn2Shift, 64}}, fr.Bits - 1},
		"entry": {[]part{{0, 64}, {EntryPeriodShift, 32}, {EntryOrigin1Shift, 2}, {EntryOrigin2Shift, 2}, {EntryEscrowShift, 1}},
			packedBits},
	} {
		end := 0
		for _, p := range x.parts {
			if p.shift != end {
				t.Errorf("%s: a part starts at bit %d, want %d", name, p.shift, end)
			}
			end = p.shift + p.width
		}
		if end > x.room {
			t.Errorf("%s: %d bits, there is room for %d", name, end, x.room)
		}
	}
}

// Every field of every object changes its hash, and no two fields are added up.
//
//spec:id O-08 O-09 O-10 O-12
func TestEveryFieldCounts(t *testing.T) {
	h := New(testNetwork(t))
	e := fr.NewElement
	cc := Compliance{e(1), e(2), 3, 4, 5, 6, e(7)}
	assertFieldsCount(t, "Compliance", func() fr.Element { return h.Compliance(&cc) }, reflect.ValueOf(&cc).Elem())
	entry := Entry{e(1), 2, 3, 4, 5, 1, 2, false, 6, e(7), e(8)}
	assertFieldsCount(t, "Entry", func() fr.Element { return h.Entry(&entry) }, reflect.ValueOf(&entry).Elem())
	if h.Serial(e(1), e(2)) == h.Serial(e(2), e(1)) || h.Serial(e(1), e(2)) == h.Serial(e(0), e(3)) {
		t.Error("the serial number depends on a sum")
	}
}

// Origin, value, owner and rho of a coin each change its message, up to the largest value, and so does the kind of the network.
//
//spec:id O-06 O-07 O-14
func TestEveryPartOfACoinCounts(t *testing.T) {
	h := New(testNetwork(t))
	e := fr.NewElement
	seen := map[fr.Element]bool{}
	for _, message := range []fr.Element{
		h.Coin(OriginPayment, 0, e(1), e(2)), h.Coin(OriginPayment, 3, e(1), e(2)), h.Coin(OriginPayment, math.MaxUint64, e(1), e(2)),
		h.Coin(OriginMint, 3, e(1), e(2)), h.Coin(OriginOwn, 3, e(1), e(2)), h.Coin(OriginMint, 0, e(1), e(2)),
		h.Coin(OriginPayment, 3, e(2), e(2)), h.Coin(OriginPayment, 3, e(1), e(3)), h.Coin(OriginPayment, 3, e(2), e(1)),
		h.CoinUnregulated(3, e(1), e(2)), h.Escrow(3, e(1), e(2)), h.Escrow(4, e(1), e(2)),
	} {
		if seen[message] {
			t.Error("two coins share a message")
		}
		seen[message] = true
	}
}

// The serial key depends on the nullifier key and on the spend key, and says nothing that the address says.
//
//spec:id O-03
func TestSerialKeyDependsOnBothKeys(t *testing.T) {
	h := New(testNetwork(t))
	base := jubjub.Base()
	var twice jubjub.Point
	twice.Double(&base)
	seen := map[fr.Element]bool{}
	for _, nk := range []fr.Element{fr.NewElement(1), fr.NewElement(2)} {
		for _, pk := range []*jubjub.Point{&base, &twice} {
			apk, key := h.Address(nk, pk)
			if apk != h.Apk(nk, pk) || key != h.SerialKey(nk, pk) {
				t.Fatal("the lanes are exchanged")
			}
			for _, x := range []fr.Element{apk, key} {
				if seen[x] {
					t.Error("two pairs of keys share an address or a serial key")
				}
				seen[x] = true
			}
		}
	}
}

// assertFieldsCount raises and lowers pairs of fields of a struct and expects a new hash each time.
func assertFieldsCount(t *testing.T, name string, sum func() fr.Element, fields reflect.Value) {
	t.Helper()
	seen := map[fr.Element]bool{sum(): true}
	for i := range fields.NumField() {
		for j := -1; j < fields.NumField(); j++ {
			if j == i {
				continue
			}
			before := reflect.New(fields.Type()).Elem()
			before.Set(fields)
			addTo(fields.Field(i), 1)
			if j >= 0 {
				addTo(fields.Field(j), -1)
			}
			if x := sum(); seen[x] {
				t.Errorf("%s: fields %d and %d: a collision", name, i, j)
			} else {
				seen[x] = true
			}
			fields.Set(before)
		}
	}
}

func addTo(v reflect.Value, d int64) {
	switch x := v.Addr().Interface().(type) {
	case *Origin:
		*x += Origin(d)
	case *bool:
		*x = !*x
	case *uint32:
		*x += uint32(d)
	case *uint64:
		*x += uint64(d)
	case *fr.Element:
		var e fr.Element
		x.Add(x, e.SetInt64(d))
	}
}

func TestWrongArityPanics(t *testing.T) {
	h := New(testNetwork(t))
	for _, call := range []func(){
		func() { h.Sum(TagSerial, fr.Element{}, fr.One()) },
		func() { h.Sum(TagApk, fr.Element{}, fr.One(), fr.One(), fr.One(), fr.One()) },
		func() { h.Sum(200, fr.Element{}, fr.One()) },
		func() { h.Link(fr.One(), make([]fr.Element, 2), make([]fr.Element, 1)) },
		func() { h.Link(fr.One(), make([]fr.Element, MaxLinked+1), make([]fr.Element, MaxLinked+1)) },
		func() { h.Sum(TagDetails, fr.One()) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		}()
	}
}

// Everything that a base depends on changes it.
//
//spec:id E-15
func TestCoinBases(t *testing.T) {
	h, e := New(testNetwork(t)), fr.NewElement
	seen := map[bls.G1Affine]bool{}
	for name, x := range map[string]struct {
		o Outputs
		j int
	}{
		"first":                   {Outputs{e(1), 2, []fr.Element{e(3), e(4)}}, 0},
		"second":                  {Outputs{e(1), 2, []fr.Element{e(3), e(4)}}, 1},
		"another D":               {Outputs{e(2), 2, []fr.Element{e(3), e(4)}}, 0},
		"another period":          {Outputs{e(1), 3, []fr.Element{e(3), e(4)}}, 0},
		"another commitment":      {Outputs{e(1), 2, []fr.Element{e(5), e(4)}}, 0},
		"another one's":           {Outputs{e(1), 2, []fr.Element{e(3), e(5)}}, 0},
		"exchanged":               {Outputs{e(1), 2, []fr.Element{e(4), e(3)}}, 0},
		"fewer commitments":       {Outputs{e(1), 2, []fr.Element{e(3)}}, 0},
		"more commitments":        {Outputs{e(1), 2, []fr.Element{e(3), e(4), e(0)}}, 0},
		"no commitment, period 0": {Outputs{D: e(1)}, 0},
	} {
		p, err := h.CoinBase(&x.o, x.j)
		if err != nil {
			t.Fatal(err)
		}
		if p.IsInfinity() || !p.IsInSubGroup() || seen[p] {
			t.Errorf("%s: O, outside G1 or repeated", name)
		}
		seen[p] = true
	}
}

func BenchmarkNode3(b *testing.B) {
	x := fr.One()
	for b.Loop() {
		x = Node3(x, x, x)
	}
}

func BenchmarkCompress(b *testing.B) {
	h := New(NetworkTag{})
	var low, high fr.Element
	low.SetUint64(1)
	high.SetUint64(2)
	for b.Loop() {
		low = h.Leaf(low, high)
	}
}

func TestCoinBasesAreCoinBase(t *testing.T) {
	h := New(testNetwork(t))
	var all []*Outputs
	var js []int
	for i := range 20 {
		e := fr.NewElement(uint64(i))
		all, js = append(all, &Outputs{D: e, Period: uint32(i), Cms: []fr.Element{e, e, e}[:i%3+1]}), append(js, i%3)
	}
	got, err := h.CoinBases(all, js)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if want, err := h.CoinBase(all[i], js[i]); err != nil || got[i] != want {
			t.Fatalf("base %d: %v", i, err)
		}
	}
}

func BenchmarkCoinBase(b *testing.B) {
	h := New(NetworkTag{})
	o := Outputs{Cms: make([]fr.Element, 2)}
	for b.Loop() {
		o.D.SetUint64(uint64(b.Elapsed())) // another one each time
		if _, err := h.CoinBase(&o, 0); err != nil {
			b.Fatal(err)
		}
	}
}
