package suite

import (
	"errors"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

// fixture is a committee of four with one blinded coin that its wallet can open.
type fixture struct {
	*PointchevalSanders
	hasher    *hash.Hasher
	committee *Committee
	shares    []*Share
	hm        Field
	outputs   *Outputs // the coin is output 0 of two
	b         Scalar
	k         G1
}

func newFixture(t testing.TB, f int) *fixture {
	t.Helper()
	tag, err := hash.NetworkTagOf("suite-test")
	must(t, err)
	x := &fixture{hasher: hash.New(tag)}
	x.PointchevalSanders = New(x.hasher)
	dealt, err := x.Deal(f)
	must(t, err)
	t.Cleanup(dealt.Close)
	for i := range dealt.Committee.Members {
		dealt.Committee.Members[i].NoteKey[0] = byte(i + 1)
	}
	x.committee, x.shares = dealt.Committee, dealt.Shares
	x.newCoin(t)
	return x
}

// newCoin draws another coin for the same committee.
func (x *fixture) newCoin(t testing.TB) {
	t.Helper()
	x.hm = randomField(t)
	x.outputs = &Outputs{D: randomField(t), Period: 7, Cms: []Field{x.hasher.Commit(randomField(t), x.hm), randomField(t)}}
	x.b = scalar(t)
	k, err := x.Blind(x.outputs, 0, &x.hm, &x.b)
	must(t, err)
	x.k = k
}

func (x *fixture) partial(t testing.TB, index int) Partial {
	t.Helper()
	p, err := x.Sign(x.shares[index-1], x.outputs, 0, &x.k)
	must(t, err)
	return Partial{Index: index, Point: p}
}

func (x *fixture) partials(t testing.TB, indices ...int) []Partial {
	t.Helper()
	var all []Partial
	for _, i := range indices {
		all = append(all, x.partial(t, i))
	}
	return all
}

// signature runs the whole protocol with the first quorum.
func (x *fixture) signature(t testing.TB) Signature {
	t.Helper()
	indices := make([]int, x.committee.Quorum())
	for i := range indices {
		indices[i] = i + 1
	}
	combined, err := x.Combine(x.committee, x.partials(t, indices...))
	must(t, err)
	sig, err := x.Unblind(x.committee, x.outputs, 0, &combined, &x.b)
	must(t, err)
	return sig
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != want || err == nil {
		t.Fatalf("got %v, want %v", err, want)
	}
	if !errors.Is(err, fault.New(want, "")) {
		t.Fatalf("%v does not match its own code", err)
	}
}

func scalar(t testing.TB) Scalar {
	t.Helper()
	s, err := randomScalar()
	must(t, err)
	return s
}

func randomField(t testing.TB) Field {
	t.Helper()
	var e Field
	_, err := e.SetRandom()
	must(t, err)
	return e
}

func randomG1(t testing.TB) G1 {
	t.Helper()
	s := scalar(t)
	return mulBase(&s)
}

// smallOrder is (0, 2), a point of order 3: on the curve, not in the subgroup.
func smallOrder() G1 {
	var p G1
	p.Y.SetUint64(2)
	return p
}

// torsionG1 is a point of a prime order that divides the cofactor.
func torsionG1(order int64) G1 {
	rest := new(big.Int).SetUint64(0xd201000000010001) // the exponent of the cofactor's group
	rest.Div(rest, big.NewInt(order))
	for x := uint64(1); ; x++ {
		var p G1
		var y2 fp.Element
		p.X.SetUint64(x)
		y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, new(fp.Element).SetUint64(4))
		if p.Y.Sqrt(&y2) == nil {
			continue
		}
		p = timesInt(p, Order())
		if p = timesInt(p, rest); !p.IsInfinity() {
			return p
		}
	}
}

// timesInt multiplies any point of the curve; the library's multiplication is for the subgroup only.
func timesInt(p G1, n *big.Int) G1 {
	var sum bls.G1Jac
	sum.FromAffine(&G1{})
	for i := n.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if n.Bit(i) == 1 {
			sum.AddMixed(&p)
		}
	}
	var r G1
	r.FromJacobian(&sum)
	return r
}

// offCurve has canonical coordinates that do not satisfy the equation.
func offCurve() G1 {
	var p G1
	p.X.SetUint64(7)
	p.Y.SetUint64(7)
	return p
}

// mixed is a point of the subgroup plus one of order 3: pairings cannot tell it from the former.
func mixed(p G1) G1 { return add(p, smallOrder()) }

// badPoints are the ways in which a decoded or computed G1 point can be unusable.
func badPoints(t testing.TB) map[fault.Code]G1 {
	return map[fault.Code]G1{
		fault.IdentityPoint:      {},
		fault.PointNotOnCurve:    offCurve(),
		fault.PointNotInSubgroup: mixed(randomG1(t)),
	}
}
