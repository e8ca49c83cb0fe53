package vectors

import (
	"math/big"
	"testing"

	production "solidus.io/prover/hash"
	"solidus.io/prover/suite"
)

// Domains of the hash.
const (
	tagApk         = 1
	tagSerial      = 2
	tagCoin        = 3
	tagCompliance  = 4
	tagEntry       = 5
	tagRho         = 6
	tagCommit      = 7
	tagLeaf        = 8
	tagUnregulated = 9
)

// packedCompliance and packedEntry place small integers side by side.
func packedCompliance(period uint32, sent uint64, count uint32, held uint64) *big.Int {
	out := shifted(uint64(period), 160)
	return out.Add(out, shifted(sent, 96)).Add(out, shifted(uint64(count), 64)).Add(out, shifted(held, 0))
}

func packedEntry(paid, in1, in2, withdrawn uint64, period uint32) *big.Int {
	out := shifted(uint64(period), 256)
	out.Add(out, shifted(withdrawn, 192)).Add(out, shifted(in2, 128))
	return out.Add(out, shifted(in1, 64)).Add(out, shifted(paid, 0))
}

// amounts that go into one case.
type amounts struct {
	name           string
	a, b, c, d     uint64
	period, number uint32
}

//spec:id O-03 O-07 O-09 O-10 O-11 O-12
func TestHash(t *testing.T) {
	f := &file{Name: "hash", About: "the hash over F in every use; rhos is rho_0 || rho_1, serial takes a serial key and a rho, serialOfKeys derives the serial key first, value and the like are decimal"}
	zero, one, top := small(0), small(1), small(-1)
	addTriples(f, "zeros", zero, zero, zero)
	addTriples(f, "ones", one, one, one)
	addTriples(f, "largest elements", top, top, top)
	addTriples(f, "ordinary", draw("x", p), draw("y", p), draw("z", p))
	addTriples(f, "ordinary, exchanged", draw("y", p), draw("x", p), draw("z", p))
	addApks(f)
	for _, x := range []amounts{
		{"zeros", 0, 0, 0, 0, 0, 0},
		{"ordinary", 450, 700, 500, 20, 202606, 4},
		{"largest", 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<32 - 1, 1<<32 - 1},
		{"each in its place", 1, 2, 3, 4, 5, 6},
	} {
		x.add(f)
	}
	f.sort()
	check(t, f, hashOperations)
}

func addTriples(f *file, name string, x, y, z *big.Int) {
	xyz := in{"network": vectorNetwork, "x": hexOf(field(x)), "y": hexOf(field(y)), "z": hexOf(field(z))}
	xy := in{"network": vectorNetwork, "x": xyz["x"], "y": xyz["y"]}
	for op, tag := range map[string]int64{"serial": tagSerial, "commit": tagCommit, "leaf": tagLeaf} {
		f.good(op, name, xy, field(hash(network, tag, new(big.Int), x, y)))
	}
	rho0, rho1 := sponge(network, tagRho, new(big.Int), x, y)
	f.good("rhos", name, xy, append(field(rho0), field(rho1)...))
	f.good("node", name, xyz, field(node(x, y, z)))
}

func addApks(f *file) {
	for name, k := range map[string]*big.Int{"generator": big.NewInt(1), "ordinary": draw("spend key", r)} {
		pk := generatorG1.multiply(k)
		for key, nk := range map[string]*big.Int{"nk zero": new(big.Int), "nk ordinary": draw("nk", p)} {
			apk, serialKey := sponge(network, tagApk, new(big.Int), nk, pk.x.a, pk.y.a)
			keys := in{"network": vectorNetwork, "nk": hexOf(field(nk)), "pkAuth": hexOf(pk.g1())}
			f.good("apk", name+", "+key, keys, field(apk))
			f.good("serialKey", name+", "+key, keys, field(serialKey))
			rho := draw("rho", p)
			coin := in{"network": vectorNetwork, "nk": keys["nk"], "pkAuth": keys["pkAuth"], "rho": hexOf(field(rho))}
			f.good("serialOfKeys", name+", "+key, coin, field(hash(network, tagSerial, new(big.Int), serialKey, rho)))
		}
	}
}

func (x amounts) add(f *file) {
	apk, rho, com, salt := draw("owner", p), draw("rho", p), draw("com", p), draw("salt", p)
	coin := in{"network": vectorNetwork, "value": decimal(x.a), "apk": hexOf(field(apk)), "rho": hexOf(field(rho))}
	f.good("coin", x.name, coin, field(hash(network, tagCoin, shifted(x.a, 0), apk, rho)))
	f.good("coinUnregulated", x.name, coin, field(hash(network, tagUnregulated, shifted(x.a, 0), apk, rho)))
	f.good("compliance", x.name, in{
		"network": vectorNetwork, "apk": coin["apk"], "rho": coin["rho"], "com": hexOf(field(com)),
		"period": decimal(uint64(x.period)), "sent": decimal(x.a), "count": decimal(uint64(x.number)), "held": decimal(x.b),
	}, field(hash(network, tagCompliance, packedCompliance(x.period, x.a, x.number, x.b), apk, rho, com)))
	f.good("entry", x.name, in{
		"network": vectorNetwork, "com": hexOf(field(com)), "counterparty": coin["apk"], "r": hexOf(field(salt)),
		"paid": decimal(x.a), "in1": decimal(x.b), "in2": decimal(x.c), "withdrawn": decimal(x.d), "period": decimal(uint64(x.period)),
	}, field(hash(network, tagEntry, new(big.Int), com, packedEntry(x.a, x.b, x.c, x.d, x.period), apk, salt)))
}

func one(x suite.Field) ([]byte, error) { return suite.EncodeField(&x), nil }

var hashOperations = map[string]operation{
	"apk": func(a args) ([]byte, error) {
		pk := a.g1("pkAuth")
		return one(a.network().Hasher().Apk(a.field("nk"), &pk))
	},
	"serialKey": func(a args) ([]byte, error) {
		pk := a.g1("pkAuth")
		return one(a.network().Hasher().SerialKey(a.field("nk"), &pk))
	},
	"serialOfKeys": func(a args) ([]byte, error) {
		pk, h := a.g1("pkAuth"), a.network().Hasher()
		return one(h.Serial(h.SerialKey(a.field("nk"), &pk), a.field("rho")))
	},
	"serial": func(a args) ([]byte, error) { return one(a.network().Hasher().Serial(a.field("x"), a.field("y"))) },
	"commit": func(a args) ([]byte, error) { return one(a.network().Hasher().Commit(a.field("x"), a.field("y"))) },
	"leaf":   func(a args) ([]byte, error) { return one(a.network().Hasher().Leaf(a.field("x"), a.field("y"))) },
	"node":   func(a args) ([]byte, error) { return one(production.Node3(a.field("x"), a.field("y"), a.field("z"))) },
	"rhos": func(a args) ([]byte, error) {
		rho0, rho1 := a.network().Hasher().Rhos(a.field("x"), a.field("y"))
		return append(suite.EncodeField(&rho0), suite.EncodeField(&rho1)...), nil
	},
	"coin": func(a args) ([]byte, error) {
		return one(a.network().Hasher().Coin(a.integer("value"), a.field("apk"), a.field("rho")))
	},
	"coinUnregulated": func(a args) ([]byte, error) {
		return one(a.network().Hasher().CoinUnregulated(a.integer("value"), a.field("apk"), a.field("rho")))
	},
	"compliance": func(a args) ([]byte, error) {
		return one(a.network().Hasher().Compliance(&production.Compliance{
			Apk: a.field("apk"), Rho: a.field("rho"), Com: a.field("com"), Period: uint32(a.integer("period")),
			Sent: a.integer("sent"), Count: uint32(a.integer("count")), Held: a.integer("held"),
		}))
	},
	"entry": func(a args) ([]byte, error) {
		return one(a.network().Hasher().Entry(&production.Entry{
			Com: a.field("com"), Paid: a.integer("paid"), In1: a.integer("in1"), In2: a.integer("in2"),
			Withdraw: a.integer("withdrawn"), Period: uint32(a.integer("period")), Counterparty: a.field("counterparty"), R: a.field("r"),
		}))
	},
}
