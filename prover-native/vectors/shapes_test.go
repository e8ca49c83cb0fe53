package vectors

import (
	"math/big"
	"slices"
	"testing"

	production "solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const (
	tagDetails    = 13
	familyClaim16 = 7
	familyPay8    = 8
)

// shapes are the statements of other shapes by the names of their circuits.
var shapes = []struct {
	name                  string
	family                byte
	number                statement.Family
	serials, outputs, all int // all is the number of payees
}{{"claim-16", familyClaim16, statement.FamilyClaim16, 17, 2, 1}, {"pay-8", familyPay8, statement.FamilyPay8, 3, 9, 8}}

//spec:id O-11 O-12 O-16 E-11 E-12
func TestShapes(t *testing.T) {
	f := &file{Name: "shapes", About: "transfers of other shapes: D and core, the seeds of their outputs one behind the other, the details in a " +
		"history entry; values, origins and amounts are lists of decimals"}
	for _, x := range shapes {
		s := newSampleTransfer(x.name, x.serials, 202606, 20)
		for j := len(s.cms); j < x.outputs; j++ {
			label := x.name + " further output " + decimal(uint64(j))
			s.cms, s.ks = append(s.cms, field(draw(label+" cm", r))), append(s.ks, generatorG1.multiply(draw(label+" k", r)).g1())
		}
		s.add(f, x.name, x.name, x.family)

		seed, d := draw(x.name+" seed", r), draw(x.name+" D", r)
		var rhos []byte
		for j := range x.outputs {
			first, second := sponge(network, tagRho, big.NewInt(int64(j/2)), seed, d)
			rhos = append(rhos, field([]*big.Int{first, second}[j%2])...)
		}
		f.good("outputRhos", x.name, in{
			"network": vectorNetwork, "seed": hexOf(field(seed)), "d": hexOf(field(d)), "outputs": decimal(uint64(x.outputs)),
		}, rhos)
		for name, value := range map[string]uint64{"ordinary": 500, "largest values": 1<<64 - 17} {
			addDetails(f, x.name+", "+name, x.serials-1, x.all, value)
		}
	}
	f.sort()
	check(t, f, shapeOperations)
}

// addDetails adds details of coins and amounts from a value up, computed with integers.
func addDetails(f *file, name string, coins, payments int, value uint64) {
	elements := make([]*big.Int, (coins+2)/3+(payments+2)/3)
	for i := range elements {
		elements[i] = new(big.Int)
	}
	var values, origins, paid []string
	for i := range coins {
		v, origin := value+uint64(i), uint64(i%3)
		values, origins = append(values, decimal(v)), append(origins, decimal(origin))
		coin := packedCoin(origin, v)
		elements[i/3].Add(elements[i/3], coin.Lsh(coin, uint(66*(i%3))))
	}
	for j := range payments {
		v := value + uint64(j)
		paid = append(paid, decimal(v))
		at := (coins+2)/3 + j/3
		elements[at].Add(elements[at], shifted(v, uint(64*(j%3))))
	}
	payees := draws(name+" payee", payments, r)
	out := hash(network, tagDetails, big.NewInt(int64(coins+256*payments)), slices.Concat(elements, payees)...)
	f.good("details", name, in{
		"network": vectorNetwork, "values": values, "origins": origins, "paid": paid, "payees": hexesOf(payees),
	}, field(out))
}

func (a args) integers(name string) (all []uint64) {
	a.t.Helper()
	items, ok := a.m[name].([]any)
	if !ok {
		a.t.Fatalf("no list %q", name)
	}
	for _, x := range items {
		all = append(all, args{a.t, in{"x": x}}.integer("x"))
	}
	return all
}

// shaped is the statement of a case of this file.
func (a args) shaped() *statement.Transfer {
	s := a.transfer()
	for _, x := range shapes {
		if a.text("family") == x.name {
			s.Family = x.number
		}
	}
	if err := s.CheckShape(); err != nil {
		a.t.Fatal(err)
	}
	return s
}

var shapeOperations = map[string]operation{
	"inputDigest": func(a args) ([]byte, error) { return one(a.shaped().InputDigest(a.network())) },
	"core": func(a args) ([]byte, error) {
		c, err := a.shaped().Core(a.network())
		return c[:], err
	},
	"outputRhos": func(a args) (out []byte, err error) {
		for _, rho := range a.network().Hasher().OutputRhos(int(a.integer("outputs")), a.field("seed"), a.field("d")) {
			out = append(out, suite.EncodeField(&rho)...)
		}
		return out, nil
	},
	"details": func(a args) ([]byte, error) {
		d := &production.Details{Values: a.integers("values"), Paid: a.integers("paid"), Payees: a.fields("payees")}
		for _, origin := range a.integers("origins") {
			d.Origins = append(d.Origins, production.Origin(origin))
		}
		return one(a.network().Hasher().Details(d))
	},
}
