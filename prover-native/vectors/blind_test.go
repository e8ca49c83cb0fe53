package vectors

import (
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/suite"
)

// outputs is what the bases of a statement's outputs depend on.
type outputs struct {
	d      *big.Int
	period uint32
	cms    []*big.Int
}

func sampleOutputs(label string, period uint32, n int) *outputs {
	o := &outputs{d: draw(label+" D", r), period: period}
	for i := range n {
		o.cms = append(o.cms, draw(label+" cm "+decimal(uint64(i)), r))
	}
	return o
}

func (o *outputs) in(j int) in {
	return in{
		"network": vectorNetwork, "d": hexOf(field(o.d)), "period": decimal(uint64(o.period)), "cm": hexesOf(o.cms),
		"index": decimal(uint64(j)),
	}
}

func hexesOf(list []*big.Int) []string {
	var out []string
	for _, x := range list {
		out = append(out, hexOf(field(x)))
	}
	return out
}

// base hashes to the curve by the library; message and domain are put together here.
func (o *outputs) base(t *testing.T, j int) *point {
	t.Helper()
	message := append([]byte{byte(j)}, field(o.d)...)
	message = append(append(message, u32(o.period)...), byte(len(o.cms)))
	for _, cm := range o.cms {
		message = append(message, field(cm)...)
	}
	h, err := bls.HashToG1(message, []byte("SOLIDUS-V02-H-"+hexOf(network[:16])))
	if err != nil {
		t.Fatal(err)
	}
	s := &point{base(h.X.BigInt(new(big.Int))), base(h.Y.BigInt(new(big.Int)))}
	if !s.onCurve(constantG1) || !s.inSubgroup() {
		t.Fatal("the hash is not a point of the group")
	}
	return s
}

//spec:id E-15 S-02
func TestBlind(t *testing.T) {
	f := &file{Name: "blind", About: "base point h_j of output j of a statement (D, period, all c_m), blinded message k = m h_j + b g1"}
	for name, o := range map[string]*outputs{
		"one output": sampleOutputs("single", 0, 1), "two outputs": sampleOutputs("pair", 202611, 2),
		"largest period": sampleOutputs("period", 1<<32-1, 2), "five outputs": sampleOutputs("many", 202611, 5),
		"zeros": {d: new(big.Int), cms: []*big.Int{new(big.Int)}},
	} {
		for j := range o.cms {
			addBlinded(t, f, name+", "+decimal(uint64(j)), o, j)
		}
	}
	exchanged := sampleOutputs("pair", 202611, 2)
	exchanged.cms[0], exchanged.cms[1] = exchanged.cms[1], exchanged.cms[0]
	addBlinded(t, f, "two outputs exchanged, 0", exchanged, 0)
	f.sort()
	check(t, f, blindOperations)
}

func addBlinded(t *testing.T, f *file, name string, o *outputs, j int) {
	t.Helper()
	m, b := draw(name+" message", r), draw(name+" b", r)
	h := o.base(t, j)
	f.good("base", name, o.in(j), h.g1())
	full := o.in(j)
	full["message"], full["b"] = hexOf(field(m)), hexOf(field(b))
	f.good("blind", name, full, h.multiply(m).add(generatorG1.multiply(b)).g1())
}

func (a args) outputs() (*suite.Outputs, int) {
	a.t.Helper()
	return &suite.Outputs{D: a.field("d"), Period: uint32(a.integer("period")), Cms: a.fields("cm")}, int(a.integer("index"))
}

var blindOperations = map[string]operation{
	"base": func(a args) ([]byte, error) {
		o, j := a.outputs()
		h, err := a.network().Scheme().BlindBase(o, j)
		if err != nil {
			return nil, err
		}
		return suite.EncodeG1(&h)
	},
	"blind": func(a args) ([]byte, error) {
		o, j := a.outputs()
		hm, b := a.field("message"), a.field("b")
		k, err := a.network().Scheme().Blind(o, j, &hm, &b)
		if err != nil {
			return nil, err
		}
		return suite.EncodeG1(&k)
	},
}
