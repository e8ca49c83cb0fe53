package cabi

import (
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// pipeline is a regulated network with handles to its verifier and to a share: a validator without its storage.
type pipeline struct {
	*simtest.World
	verifier, share uint64
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newPipeline(t testing.TB) *pipeline {
	t.Helper()
	p := &pipeline{World: simtest.New(t, statement.Regulated, 3)}
	var err error
	p.verifier, err = handles.add(p.Verifier)
	must(t, err)
	p.share, err = handles.add(p.Shares[0])
	must(t, err)
	t.Cleanup(func() {
		must(t, handles.close(p.verifier))
		must(t, handles.close(p.share))
	})
	return p
}

func (p *pipeline) transfers(t testing.TB, n int) []*simtest.Transfer {
	t.Helper()
	all := make([]*simtest.Transfer, n)
	for i := range all {
		all[i] = p.Transfer(t)
	}
	return all
}

// verifyFrame is a call of VERIFY_TRANSFERS.
func (p *pipeline) verifyFrame(all []*simtest.Transfer) []byte {
	r := new(request).u64(p.verifier).u32(uint32(len(all)))
	for _, x := range all {
		r.sized(new(request).item(x).b)
	}
	return r.b
}

// signFrame is a call of SHARE_SIGN_ALL for both outputs of every transfer.
func (p *pipeline) signFrame(all []*simtest.Transfer) []byte {
	r := new(request).u64(p.share).sized([]byte(simtest.NetworkID)).u32(uint32(len(all)))
	for _, x := range all {
		o := new(request).u8(uint8(len(x.Statement.Outputs)))
		for _, c := range x.Statement.Outputs {
			o.coin(c)
		}
		r.sized(o.field(x.Statement.InputDigest(p.Network)).u32(x.Statement.Period).b)
	}
	return r.b
}

// signOne is a call of SHARE_SIGN.
func (p *pipeline) signOne(x *simtest.Transfer, output int) []byte {
	r := new(request).u64(p.share).sized([]byte(simtest.NetworkID)).outputs(x.Statement.Bases(p.Network)).u8(uint8(output))
	return r.point(x.Statement.Outputs[output].K).b
}

// orderReply is an order's verdict and signatures.
type orderReply struct {
	code       fault.Code
	signatures [][]byte
}

func readOrders(t testing.TB, reply []byte, n int) (all []orderReply) {
	t.Helper()
	r := &reader{in: reply}
	for range n {
		o := orderReply{code: fault.Code(r.u32())}
		if o.code == fault.OK {
			o.signatures = [][]byte{r.take(suite.G1Bytes), r.take(suite.G1Bytes)}
		}
		all = append(all, o)
	}
	must(t, r.end())
	return all
}

// net is the start of a request for the pipeline's network.
func (p *pipeline) net() *request { return new(request).sized([]byte(simtest.NetworkID)) }
