package vectors

import (
	"bytes"
	"math/big"
	"testing"

	production "solidus.io/prover/hash"
	"solidus.io/prover/statement"
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
	tagEscrow      = 10
	tagLink        = 11
)

func packedCoin(origin, value uint64) *big.Int {
	out := shifted(origin, 64)
	return out.Add(out, shifted(value, 0))
}

func packedCompliance(period uint32, sent uint64, count uint32, held uint64) *big.Int {
	out := shifted(uint64(period), 160)
	return out.Add(out, shifted(sent, 96)).Add(out, shifted(uint64(count), 64)).Add(out, shifted(held, 0))
}

// packedValues is an input of the hash of a history entry, packedEntry is in its capacity.
func packedValues(paid, in1, in2 uint64) *big.Int {
	out := shifted(in2, 128)
	return out.Add(out, shifted(in1, 64)).Add(out, shifted(paid, 0))
}

func packedEntry(withdrawn uint64, period uint32, origin1, origin2, escrow uint64) *big.Int {
	out := shifted(escrow, 100)
	out.Add(out, shifted(origin2, 98)).Add(out, shifted(origin1, 96))
	return out.Add(out, shifted(uint64(period), 64)).Add(out, shifted(withdrawn, 0))
}

// amounts that go into one case.
type amounts struct {
	name             string
	a, b, c, d       uint64
	period, number   uint32
	origin1, origin2 uint64
	escrow           uint64
}

//spec:id E-08 E-09 O-03 O-07 O-09 O-10 O-11 O-12 O-14 L-01
func TestHash(t *testing.T) {
	f := &file{Name: "hash", About: "the hash over F in every use; rhos is rho_0 || rho_1, serial takes a serial key and a rho, " +
		"serialOfKeys derives the serial key first, permutation is Poseidon2 alone and outputs its three lanes, link is the " +
		"commitment a; value, origin and the like are decimal"}
	zero, one, top := small(0), small(1), small(-1)
	addTriples(f, "zeros", zero, zero, zero)
	addTriples(f, "ones", one, one, one)
	addTriples(f, "largest elements", top, top, top)
	addTriples(f, "ordinary", draw("x", r), draw("y", r), draw("z", r))
	addTriples(f, "ordinary, exchanged", draw("y", r), draw("x", r), draw("z", r))
	addTriples(f, "0, 1, 2", zero, one, small(2)) // the designers publish the permutation of these
	addPermutations(f)
	addApks(f)
	for _, x := range []amounts{
		{"zeros", 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{"ordinary", 450, 700, 500, 20, 202606, 4, 0, 1, 0},
		{"own", 450, 700, 500, 20, 202606, 4, 2, 0, 1},
		{"largest", 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<32 - 1, 1<<32 - 1, 2, 2, 1},
		{"each in its place", 1, 2, 3, 4, 5, 6, 1, 2, 0},
	} {
		x.add(f)
	}
	for n := 1; n <= 5; n++ {
		addLinkCommitment(f, n)
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

// addPermutations adds the permutation of start states of rhos, whose lanes the package under test shows.
func addPermutations(f *file) {
	start := capacity(network, tagRho, new(big.Int))
	for name, yz := range map[string][2]*big.Int{
		"start of a sponge":         {small(0), small(0)},
		"first block of a sponge":   {draw("x", r), draw("y", r)},
		"largest block of a sponge": {small(-1), small(-1)},
	} {
		var out []byte
		for _, lane := range permute([3]*big.Int{start, yz[0], yz[1]}) {
			out = append(out, field(lane)...)
		}
		f.good("permutation", name, in{
			"x": hexOf(field(start)), "y": hexOf(field(yz[0])), "z": hexOf(field(yz[1])),
		}, out)
	}
}

func addApks(f *file) {
	for name, k := range map[string]*big.Int{"generator": big.NewInt(1), "ordinary": draw("spend key", l)} {
		pk := generatorKey.multiply(k)
		for key, nk := range map[string]*big.Int{"nk zero": new(big.Int), "nk ordinary": draw("nk", r)} {
			apk, serialKey := sponge(network, tagApk, new(big.Int), nk, pk.x, pk.y)
			keys := in{"network": vectorNetwork, "nk": hexOf(field(nk)), "pkAuth": hexOf(pk.bytes())}
			f.good("apk", name+", "+key, keys, field(apk))
			f.good("serialKey", name+", "+key, keys, field(serialKey))
			rho := draw("rho", r)
			coin := in{"network": vectorNetwork, "nk": keys["nk"], "pkAuth": keys["pkAuth"], "rho": hexOf(field(rho))}
			f.good("serialOfKeys", name+", "+key, coin, field(hash(network, tagSerial, new(big.Int), serialKey, rho)))
		}
	}
}

func (x amounts) add(f *file) {
	apk, rho, com, salt := draw("owner", r), draw("rho", r), draw("com", r), draw("salt", r)
	coin := in{"network": vectorNetwork, "value": decimal(x.a), "apk": hexOf(field(apk)), "rho": hexOf(field(rho))}
	f.good("coinUnregulated", x.name, coin, field(hash(network, tagUnregulated, shifted(x.a, 0), apk, rho)))
	f.good("escrow", x.name, in{
		"network": vectorNetwork, "value": coin["value"], "lock": coin["apk"], "rho": coin["rho"],
	}, field(hash(network, tagEscrow, shifted(x.a, 0), apk, rho)))
	f.good("coin", x.name, in{
		"network": vectorNetwork, "origin": decimal(x.origin1), "value": coin["value"], "apk": coin["apk"], "rho": coin["rho"],
	}, field(hash(network, tagCoin, packedCoin(x.origin1, x.a), apk, rho)))
	f.good("compliance", x.name, in{
		"network": vectorNetwork, "apk": coin["apk"], "rho": coin["rho"], "com": hexOf(field(com)),
		"period": decimal(uint64(x.period)), "sent": decimal(x.a), "count": decimal(uint64(x.number)), "held": decimal(x.b),
	}, field(hash(network, tagCompliance, new(big.Int), apk, rho, com, packedCompliance(x.period, x.a, x.number, x.b))))
	packed := packedEntry(x.d, x.period, x.origin1, x.origin2, x.escrow)
	f.good("entry", x.name, in{
		"network": vectorNetwork, "com": hexOf(field(com)), "counterparty": coin["apk"], "r": hexOf(field(salt)),
		"paid": decimal(x.a), "in1": decimal(x.b), "in2": decimal(x.c), "withdrawn": decimal(x.d), "period": decimal(uint64(x.period)),
		"origin1": decimal(x.origin1), "origin2": decimal(x.origin2), "escrow": decimal(x.escrow),
	}, field(hash(network, tagEntry, packed, com, packedValues(x.a, x.b, x.c), apk, salt)))
}

// linkCommitment is a, for a salt, n nonces and n messages.
func linkCommitment(salt *big.Int, nonces, messages []*big.Int) *big.Int {
	inputs := append(append([]*big.Int{salt}, nonces...), messages...)
	return hash(network, tagLink, shifted(uint64(len(nonces)), 0), inputs...)
}

func addLinkCommitment(f *file, n int) {
	salt, nonces, messages := draw("link salt", r), draws("link nonce", n, r), draws("link message", n, r)
	f.good("link", decimal(uint64(n))+" linked points", in{
		"network": vectorNetwork, "salt": hexOf(field(salt)), "kappa": hexesOf(nonces), "messages": hexesOf(messages),
	}, field(linkCommitment(salt, nonces, messages)))
}

// draws are n fixed numbers.
func draws(label string, n int, bound *big.Int) (all []*big.Int) {
	for i := range n {
		all = append(all, draw(label+" "+decimal(uint64(i+1)), bound))
	}
	return all
}

func one(x suite.Field) ([]byte, error) { return suite.EncodeField(&x), nil }

func (a args) origin(name string) production.Origin { return production.Origin(a.integer(name)) }

var hashOperations = map[string]operation{
	"apk": func(a args) ([]byte, error) {
		pk := a.key("pkAuth")
		return one(a.network().Hasher().Apk(a.field("nk"), &pk))
	},
	"serialKey": func(a args) ([]byte, error) {
		pk := a.key("pkAuth")
		return one(a.network().Hasher().SerialKey(a.field("nk"), &pk))
	},
	"serialOfKeys": func(a args) ([]byte, error) {
		pk, h := a.key("pkAuth"), a.network().Hasher()
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
	"permutation": func(a args) ([]byte, error) {
		n, err := statement.NewNetwork(vectorNetwork)
		if err != nil {
			return nil, err
		}
		x, y, z := a.field("x"), a.field("y"), a.field("z")
		if !bytes.Equal(suite.EncodeField(&x), field(capacity(network, tagRho, new(big.Int)))) {
			a.t.Fatal("only the start states of rhos show all lanes")
		}
		first := production.Node3(x, y, z)
		first.Sub(&first, &x)
		second, third := n.Hasher().Rhos(y, z)
		return bytes.Join([][]byte{suite.EncodeField(&first), suite.EncodeField(&second), suite.EncodeField(&third)}, nil), nil
	},
	"link": func(a args) ([]byte, error) {
		return one(a.network().Hasher().Link(a.field("salt"), a.fields("kappa"), a.fields("messages")))
	},
	"escrow": func(a args) ([]byte, error) {
		return one(a.network().Hasher().Escrow(a.integer("value"), a.field("lock"), a.field("rho")))
	},
	"coin": func(a args) ([]byte, error) {
		return one(a.network().Hasher().Coin(a.origin("origin"), a.integer("value"), a.field("apk"), a.field("rho")))
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
			Origin1: a.origin("origin1"), Origin2: a.origin("origin2"), Escrow: a.integer("escrow") == 1,
			Withdraw: a.integer("withdrawn"), Period: uint32(a.integer("period")), Counterparty: a.field("counterparty"), R: a.field("r"),
		}))
	},
}
