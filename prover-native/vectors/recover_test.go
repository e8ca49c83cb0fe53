package vectors

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	production "solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const (
	tagRecover    = 12
	familyRecover = 5
)

// sampleRecover is the public data of a recover over two transfers, or over one, where second is nil.
type sampleRecover struct {
	first, second *sampleTransfer
	next          [][]byte
	credits       byte
	outputs       *sampleTransfer // of which only outputs and context count
}

//spec:id O-15 E-11 E-12 X-21
func TestRecover(t *testing.T) {
	f := &file{Name: "recover", About: "recovers over one or two transfers: their serial numbers one behind the other, D and core; a history after a recover"}
	for name, value := range map[string]uint64{"ordinary": 500, "largest values": 1<<64 - 3} {
		addRecoverHistory(f, name, value)
	}
	one := newSampleTransfer("recover one", 3, 202606, 20)
	other := newSampleTransfer("recover other", 3, 202606, 0)
	other.serials[0] = one.serials[0]
	shared := newSampleTransfer("recover other", 3, 202607, 0)
	shared.serials[0], shared.serials[2] = one.serials[0], one.serials[1]
	child := newSampleTransfer("recover child", 3, 202606, 7)
	next := func(name string) []byte { return field(draw("successor of "+name, r)) }
	child.serials[0] = next("one")
	outputs := newSampleTransfer("recover", 1, 0, 0)
	for name, x := range map[string]*sampleRecover{
		"two branches":                      {one, other, [][]byte{next("one"), next("other")}, 0, outputs},
		"two branches, coins of both":       {one, other, [][]byte{next("one"), next("other")}, 0b0111, outputs},
		"two branches, a coin of both":      {one, shared, [][]byte{next("one"), next("other")}, 0b0001, outputs},
		"a branch and its child":            {one, child, [][]byte{next("one"), next("child")}, 0b1001, outputs},
		"one core":                          {one, nil, [][]byte{next("one"), next("one")}, 0b0010, outputs},
		"two branches, the other one leads": {other, one, [][]byte{next("other"), next("one")}, 0b1100, outputs},
	} {
		x.add(f, name)
	}
	f.sort()
	check(t, f, recoverOperations)
}

func (x *sampleRecover) add(f *file, name string) {
	second := x.second
	if second == nil {
		second = x.first
	}
	named := slices.Clone(x.next)
	for bit, coin := range slices.Concat(x.first.serials[1:], second.serials[1:]) {
		if x.credits>>bit&1 == 1 {
			named = append(named, coin)
		}
	}
	lead := x.first.serials[0]
	named = slices.DeleteFunc(named, func(serial []byte) bool { return bytes.Equal(serial, lead) })
	slices.SortFunc(named, bytes.Compare)
	serials := append([][]byte{lead}, slices.CompactFunc(named, bytes.Equal)...)

	body := append([]byte{byte(len(serials))}, bytes.Join(serials, nil)...)
	for _, s := range []*sampleTransfer{x.first, second} {
		body = append(body, core(familyTransfer, s.coreBody())...)
	}
	body = append(append(body, x.credits), x.outputs.context...)
	coins := []byte{byte(len(x.outputs.cms))}
	for j := range x.outputs.cms {
		coins = append(append(coins, x.outputs.cms[j]...), x.outputs.ks[j]...)
	}
	f.good("serials", name, x.in(), bytes.Join(serials, nil))
	f.good("inputDigest", name, x.in(), inputDigest(familyRecover, body))
	f.good("core", name, x.in(), core(familyRecover, append(slices.Clone(body), coins...)))
}

func (x *sampleRecover) in() in {
	all := in{
		"network": vectorNetwork, "next": hexes(x.next), "credits": decimal(uint64(x.credits)), "cm": hexes(x.outputs.cms), "k": hexes(x.outputs.ks),
		"context": hexOf(x.outputs.context),
	}
	for name, s := range map[string]*sampleTransfer{"1": x.first, "2": x.second} {
		if s == nil {
			s = &sampleTransfer{}
		}
		all["serials"+name], all["cm"+name], all["k"+name] = append([]string{}, hexes(s.serials)...), append([]string{}, hexes(s.cms)...), append([]string{}, hexes(s.ks)...)
		all["period"+name], all["withdrawn"+name], all["context"+name] = decimal(uint64(s.period)), decimal(s.withdrawn), hexOf(s.context)
	}
	return all
}

func addRecoverHistory(f *file, name string, value uint64) {
	coms := draws(name+" histories", 2, r)
	entryR, period := draw(name+" r", r), uint64(202606)
	values := new(big.Int).Add(shifted(value, 0), shifted(value+1, 64))
	values.Add(values, shifted(value+2, 128))
	out := hash(network, tagRecover, shifted(period, 64), coms[0], values, coms[1], entryR)
	f.good("history", name, in{
		"network": vectorNetwork, "coms": hexesOf(coms), "returned": decimal(value), "outflow": decimal(value + 1), "budget": decimal(value + 2),
		"period": decimal(period), "r": hexOf(field(entryR)),
	}, field(out))
}

// below is a transfer below the recover of a case.
func (a args) below(name string) *statement.Item {
	s := args{a.t, in{"family": "transfer"}}
	for _, member := range []string{"serials", "cm", "k", "period", "withdrawn", "context"} {
		s.m[member] = a.m[member+name]
	}
	return &statement.Item{Statement: s.transfer()}
}

func (a args) recover() *statement.Recover {
	x := &statement.Recover{Credits: uint8(a.integer("credits")), Context: [32]byte(a.bytes("context"))}
	x.First.Transfer = a.below("1")
	if len(a.list("serials2")) > 0 {
		x.Second.Transfer = a.below("2")
	}
	ks := a.list("k")
	for j, b := range a.list("cm") {
		x.Outputs[j] = statement.BlindedCoin{Cm: decodeField(a.t, b), K: decodeG1(a.t, ks[j])}
	}
	copy(x.Next[:], a.fields("next"))
	return x
}

var recoverOperations = map[string]operation{
	"serials": func(a args) (out []byte, err error) {
		reservation, err := a.recover().Reservation(a.network())
		if err != nil {
			return nil, err
		}
		for i := range reservation.Serials {
			out = append(out, suite.EncodeField(&reservation.Serials[i])...)
		}
		return out, nil
	},
	"inputDigest": func(a args) ([]byte, error) {
		reservation, err := a.recover().Reservation(a.network())
		if err != nil {
			return nil, err
		}
		return one(reservation.D)
	},
	"core": func(a args) ([]byte, error) {
		reservation, err := a.recover().Reservation(a.network())
		if err != nil {
			return nil, err
		}
		return reservation.Core[:], nil
	},
	"history": func(a args) ([]byte, error) {
		coms := a.fields("coms")
		return one(a.network().Hasher().RecoverEntry(&production.RecoverEntry{
			First: coms[0], Second: coms[1], Returned: a.integer("returned"), Outflow: a.integer("outflow"), Budget: a.integer("budget"),
			Period: uint32(a.integer("period")), R: a.field("r"),
		}))
	},
}
