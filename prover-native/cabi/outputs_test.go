package cabi

import (
	"bytes"
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

func TestOutputIndexOutOfRange(t *testing.T) {
	p := newPipeline(t)
	k := point(t)
	net := func() *request { return p.net() }
	member := new(request).member(&p.Committee.Members[0]).b
	keys := new(request).g2(p.Committee.X).g2(p.Committee.Y).b
	for name, at := range map[string]func(output []byte) *request{
		"BLIND_BASE":     func(o []byte) *request { return net().raw(o) },
		"CHECK_PARTIAL":  func(o []byte) *request { return net().raw(member).raw(o).raw(k).raw(k) },
		"VERIFY_BLINDED": func(o []byte) *request { return net().raw(keys).raw(o).raw(k).raw(k) },
		"UNBLIND":        func(o []byte) *request { return net().point(p.Committee.Y1).raw(o).raw(k).raw(scalar(t)) },
		"SHARE_SIGN":     func(o []byte) *request { return new(request).u64(p.share).raw(net().b).raw(o).raw(k) },
	} {
		ok(t, name, at(append(outputs(t, 2), 1)))
		for n, j := range map[uint8]uint8{0: 0, 1: 1, 2: 255, maxParts: maxParts, maxParts + 1: 0} {
			refused(t, fault.MalformedRequest, name, at(append(outputs(t, n), j)))
		}
	}
}

// A base depends on its index, D, the period and every commitment.
func TestBasesDependOnAllOutputs(t *testing.T) {
	p := newPipeline(t)
	o := &suite.Outputs{D: p.Field(), Period: 202611, Cms: []suite.Field{p.Field(), p.Field()}}
	base := func(o *suite.Outputs, j uint8) string {
		return string(ok(t, "BLIND_BASE", p.net().outputs(o).u8(j)))
	}
	seen := map[string]string{base(o, 0): "output 0", base(o, 1): "output 1"}
	for name, change := range map[string]func(*suite.Outputs){
		"D":                   func(o *suite.Outputs) { o.D = p.Field() },
		"period":              func(o *suite.Outputs) { o.Period++ },
		"the own commitment":  func(o *suite.Outputs) { o.Cms[0] = p.Field() },
		"another commitment":  func(o *suite.Outputs) { o.Cms[1] = p.Field() },
		"one commitment less": func(o *suite.Outputs) { o.Cms = o.Cms[:1] },
		"one commitment more": func(o *suite.Outputs) { o.Cms = append(o.Cms, p.Field()) },
	} {
		changed := &suite.Outputs{D: o.D, Period: o.Period, Cms: append([]suite.Field(nil), o.Cms...)}
		change(changed)
		b := base(changed, 0)
		if other, known := seen[b]; known {
			t.Errorf("another %s has the base of %s", name, other)
		}
		seen[b] = name
	}
	if len(seen) != 8 {
		t.Errorf("%d different bases", len(seen))
	}
}

// BLIND makes the coins that the circuits' own code makes, and that the suite makes one by one.
func TestBlindIsTheClauses(t *testing.T) {
	p := newPipeline(t)
	const period = 202611
	for n := range maxParts + 1 {
		d := p.Field()
		messages, blindings := make([]suite.Field, n), make([]clause.Blinding, n)
		q := p.net().field(d).u32(period).u8(uint8(n))
		for j := range n {
			messages[j], blindings[j] = p.Field(), clause.Blinding{S: p.Field(), B: p.Scalar()}
			q.field(messages[j]).blindings(blindings[j : j+1])
		}
		coins, err := clause.Blind(p.Network.Hasher(), &d, period, messages, blindings)
		must(t, err)
		want, o := new(request), &suite.Outputs{D: d, Period: period}
		for j := range coins {
			want.field(coins[j].Cm).point(coins[j].K)
			o.Cms = append(o.Cms, coins[j].Cm)
		}
		if got := ok(t, "BLIND", q); !bytes.Equal(got, want.b) {
			t.Fatalf("%d outputs: other coins than the clause's", n)
		}
		for j := range coins {
			k, err := p.Network.Scheme().Blind(o, j, &messages[j], &blindings[j].B)
			must(t, err)
			if !k.Equal(&coins[j].K) {
				t.Fatalf("output %d of %d: another coin than the suite's", j, n)
			}
		}
	}
	refused(t, fault.MalformedRequest, "BLIND", blindRequest(p.World, p.net(), p.Field(), make([]suite.Field, maxParts+1)...))
}

// Another message, another blinding or another period changes the points of all outputs, and the commitment of its own alone.
func TestBlindedCoinsDependOnAllOutputs(t *testing.T) {
	p := newPipeline(t)
	type input struct {
		d        suite.Field
		period   uint32
		messages [2]suite.Field
		blinding [2]clause.Blinding
	}
	blind := func(in *input) (coins [2][2][]byte) {
		q := p.net().field(in.d).u32(in.period).u8(2)
		for j := range in.messages {
			q.field(in.messages[j]).blindings(in.blinding[j : j+1])
		}
		r := &reader{in: ok(t, "BLIND", q)}
		for j := range coins {
			coins[j] = [2][]byte{r.take(suite.FieldBytes), r.take(suite.G1Bytes)}
		}
		must(t, r.end())
		return coins
	}
	good := input{d: p.Field(), period: 202611, messages: [2]suite.Field{p.Field(), p.Field()}, blinding: blindings(p.World)}
	want := blind(&good)
	for name, c := range map[string]struct {
		change func(*input)
		cms    [2]bool // whether the commitments change
	}{
		"message 0": {func(in *input) { in.messages[0] = p.Field() }, [2]bool{true, false}},
		"message 1": {func(in *input) { in.messages[1] = p.Field() }, [2]bool{false, true}},
		"s of 0":    {func(in *input) { in.blinding[0].S = p.Field() }, [2]bool{true, false}},
		"s of 1":    {func(in *input) { in.blinding[1].S = p.Field() }, [2]bool{false, true}},
		"D":         {func(in *input) { in.d = p.Field() }, [2]bool{}},
		"period":    {func(in *input) { in.period++ }, [2]bool{}},
	} {
		changed := good
		c.change(&changed)
		for j, coin := range blind(&changed) {
			if bytes.Equal(coin[1], want[j][1]) {
				t.Errorf("%s: output %d has the same point", name, j)
			}
			if bytes.Equal(coin[0], want[j][0]) == c.cms[j] {
				t.Errorf("%s: the commitment of output %d", name, j)
			}
		}
	}
}

// A signature is for one output of one statement: under other outputs, another index or another period it does not hold.
func TestSignaturesBelongToTheirOutputs(t *testing.T) {
	p := newPipeline(t)
	x := p.Transfer(t)
	o, k := x.Statement.Bases(p.Network), x.Statement.Outputs[0].K
	partial := ok(t, "SHARE_SIGN", &request{p.signOne(x, 0)})
	holds := func(o *suite.Outputs, j uint8) bool {
		q := p.net().member(&p.Committee.Members[0]).outputs(o).u8(j).point(k).raw(partial)
		return bytes.Equal(ok(t, "CHECK_PARTIAL", q), []byte{1})
	}
	if !holds(o, 0) {
		t.Fatal("the signature does not hold")
	}
	if holds(o, 1) {
		t.Error("it holds for the other output")
	}
	for name, change := range map[string]func(*suite.Outputs){
		"period":           func(o *suite.Outputs) { o.Period++ },
		"other commitment": func(o *suite.Outputs) { o.Cms[1] = p.Field() },
		"number":           func(o *suite.Outputs) { o.Cms = o.Cms[:1] },
	} {
		changed := x.Statement.Bases(p.Network)
		change(changed)
		if holds(changed, 0) {
			t.Errorf("it holds with another %s", name)
		}
	}
}
