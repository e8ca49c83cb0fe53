package wallet

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/json"
	"slices"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/suite"
)

// shownTransfer is a transfer of this wallet out of the coin that was asked for.
type shownTransfer struct {
	plan *plan
	// requests differ in their evidence.
	requests [][]byte
	// holders is how many authorities signed that they hold this core.
	holders int
}

// verdict is what a look-up of one coin says.
type verdict struct {
	// own are in the order to try them; at most one, unless two copies of the wallet paid.
	own []shownTransfer
	// floors are those of each authority that signed that the coin is free.
	floors []floorsJSON
	// recovers of this wallet with the coin as their lead, the one with most below it first.
	recovers []shownRecover
}

// unspent reports whether 2f+1 authorities signed that the coin is free. It is so when also no transfer of this wallet was shown.
func (v *verdict) unspent(n *network) bool { return len(v.floors) >= n.committee.Quorum() }

// judge reads the answer of a look-up with a nonce. What cannot be read, or is not signed, counts as nothing.
func (n *network) judge(k *secrets, cc *transfer.Compliance, nonce, body []byte, now uint64) (*verdict, error) {
	serial := n.Hasher().Serial(k.snk, cc.Rho)
	name := suite.EncodeField(&serial)
	answers, err := n.readStates([]serialNumber{[32]byte(name)}, nonce, body, now)
	if err != nil {
		return nil, err
	}
	a := &answers[0]
	v := &verdict{floors: a.free}
	for _, raw := range a.requests {
		if err := v.shown(n, k, cc, raw, a.held); err != nil {
			return nil, err
		}
	}
	if v.recovers, err = n.ownRecovers(k, &serial, a.recovers); err != nil {
		return nil, err
	}
	slices.SortStableFunc(v.own, n.likelier)
	return v, nil
}

// serialAnswer is what authorities signed about a serial number, and what was shown for it, whoever stored that.
type serialAnswer struct {
	// free are the floors of each authority for which no core holds it, held the core of each other one.
	free               []floorsJSON
	held               [][32]byte
	said               []saying // by each authority
	requests, recovers []json.RawMessage
}

// saying is what an authority signed about a serial number: which core holds it, or that none does, and the oldest period that it takes.
type saying struct {
	Authority uint8
	Held      bool
	Core      [32]byte
	Period    uint32
}

// readStates reads the answer of a look-up with a nonce, in the order of the question. An answer that is not signed counts as none.
func (n *network) readStates(asked []serialNumber, nonce, body []byte, now uint64) ([]serialAnswer, error) {
	var j coinStatesJSON
	if json.Unmarshal(body, &j) != nil || len(j.States) != len(asked) {
		return nil, refuse("gateway-misbehaved", "an answer about other serial numbers")
	}
	all := make([]serialAnswer, len(asked))
	for i := range asked {
		if !bytes.Equal(j.States[i].Serial, asked[i][:]) {
			return nil, refuse("gateway-misbehaved", "an answer about other serial numbers")
		}
		all[i].requests, all[i].recovers = j.States[i].Requests, j.States[i].Recovers
	}
	type one struct{ authority, of int }
	counted := map[one]bool{}
	for _, raw := range j.Signed {
		var s signedStatesJSON
		if json.Unmarshal(raw, &s) != nil {
			continue
		}
		message, cores, err := s.message(n, nonce)
		if err != nil || !slices.ContainsFunc(n.stateKeys(s.Authority, now), func(key ed25519.PublicKey) bool {
			return ed25519.Verify(key, message, s.Signature)
		}) {
			continue
		}
		for i := range asked {
			core, about := cores[asked[i]]
			if !about {
				continue
			}
			if counted[one{s.Authority, i}] {
				return nil, refuse("gateway-misbehaved", "two answers of one authority about a coin")
			}
			counted[one{s.Authority, i}] = true
			said := saying{Authority: uint8(s.Authority), Period: s.Floors.Period}
			if core == nil {
				all[i].free = append(all[i].free, s.Floors)
			} else {
				all[i].held = append(all[i].held, *core)
				said.Held, said.Core = true, *core
			}
			all[i].said = append(all[i].said, said)
		}
	}
	return all, nil
}

func (v *verdict) shown(n *network, k *secrets, cc *transfer.Compliance, raw json.RawMessage, held [][32]byte) error {
	var j shownJSON
	if json.Unmarshal(raw, &j) != nil {
		return nil //nolint:nilerr // what cannot be read counts as nothing
	}
	request, err := n.readRequest(j.Request)
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	for i := range v.own {
		if v.own[i].plan.core == request.core {
			v.own[i].requests = append(v.own[i].requests, j.Request)
			return nil
		}
	}
	p, err := n.reopen(k, cc, request)
	if p == nil || err != nil {
		return err
	}
	own := shownTransfer{plan: p, requests: [][]byte{j.Request}}
	for _, core := range held {
		if core == p.core {
			own.holders++
		}
	}
	v.own = append(v.own, own)
	return nil
}

// likelier puts those that f+1 authorities hold first, then the one made last.
func (n *network) likelier(x, y shownTransfer) int {
	open := func(s *shownTransfer) int {
		if s.holders > n.committee.F {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(open(&x), open(&y)),
		cmp.Compare(y.plan.memo.Counter, x.plan.memo.Counter),
		cmp.Compare(y.plan.memo.Time, x.plan.memo.Time),
		bytes.Compare(x.plan.core[:], y.plan.core[:]),
	)
}

// shutOut reports whether an authority with these floors never takes a core that is new to it, was proved under these rules and
// never newer ones, and is of this period.
func (f *floorsJSON) shutOut(policy, checkpoint uint64, period uint32) bool {
	return policy < f.Policy || checkpoint < f.Checkpoint || period < f.Period
}
