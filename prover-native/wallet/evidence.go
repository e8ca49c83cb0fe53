package wallet

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/binary"
	"encoding/json"
	"slices"

	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// evidenceSecrets are what evidence draws: alpha, and t and o of each shown signature.
type evidenceSecrets struct {
	pkAuth []byte
	alpha  jubjub.Scalar
	shows  []presentation
}

type presentation struct {
	shown   suite.Shown
	opening suite.Scalar
	message suite.Field
}

// draws gives the secrets of one making of evidence. They follow from the event's entropy, the seed and what they are for, so
// that neither a weak generator of the host nor a second use of one event gives a nonce away.
type draws func(label string, n int, parts ...[]byte) []byte

func (d draws) scalar(label string, parts ...[]byte) (s suite.Scalar) {
	for ; s.IsZero(); label += "'" {
		s = reduced(d(label, 64, parts...))
	}
	return s
}

func (d draws) keyScalar(label string, parts ...[]byte) (s jubjub.Scalar) {
	for ; s.IsZero(); label += "'" {
		s = jubjub.Reduce(d(label, 64, parts...))
	}
	return s
}

// present shows the signatures of the compliance coin and of the claimed coins. A dummy shows that of the compliance coin again.
func (n *network) present(k *secrets, p *plan, r *rules, a *account, coins []ownedCoin, draw draws) (*evidenceSecrets, error) {
	parts := [][]byte{p.core[:], u64(r.policy), u64(r.checkpoint)}
	e := &evidenceSecrets{pkAuth: jubjub.EncodePoint(&k.pkAuth), alpha: draw.keyScalar("alpha", parts...)}
	compliance, err := decodeSignature(&a.Signature)
	if err != nil {
		return nil, err
	}
	show := func(signature *suite.Signature, message suite.Field) error {
		number := slices.Concat(parts, [][]byte{{byte(len(e.shows))}})
		t, o := draw.scalar("show-t", number...), draw.scalar("show-o", number...)
		shown, err := n.scheme.Show(n.committee, signature, &message, &t, &o)
		e.shows = append(e.shows, presentation{shown, o, message})
		return err
	}
	if err := show(&compliance, p.complianceM); err != nil {
		return nil, err
	}
	for i := range p.In {
		if p.In[i].Dummy {
			if err := show(&compliance, p.complianceM); err != nil {
				return nil, err
			}
			continue
		}
		at := slices.IndexFunc(coins, func(c ownedCoin) bool { return c.Rho == p.memo.Claimed[i].Rho })
		if at < 0 {
			return nil, refuse("not-found", "a coin that the transfer in flight claims is not in this wallet")
		}
		signature, err := decodeSignature(&coins[at].Signature)
		if err != nil {
			return nil, err
		}
		if err := show(&signature, n.Hasher().Coin(hash.Origin(coins[at].Origin), coins[at].Value, k.apk, p.In[i].Rho)); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// evidence puts the evidence of a proof together and verifies it as a validator would: a sent request is final.
func (n *network) evidence(k *secrets, p *plan, r *rules, e *evidenceSecrets, proof []byte, draw draws) (*evidenceJSON, error) {
	rk, err := suite.RandomisedKey(&k.pkAuth, &e.alpha)
	if err != nil {
		return nil, err
	}
	nonce := draw.keyScalar("core-nonce", p.core[:], e.alpha.Bytes(), proof)
	j := &evidenceJSON{
		Policy: r.policy, Checkpoint: r.checkpoint, Circuit: n.circuitOf(p.statement.Family), RK: jubjub.EncodePoint(&rk), Proof: proof,
		Signature: signCore(&k.a, &e.alpha, &nonce, p.core),
	}
	for i := range e.shows {
		var all [3]b64
		for at, point := range e.shows[i].shown.Points() {
			if all[at], err = suite.EncodeG1(point); err != nil {
				return nil, err
			}
		}
		j.Shows = append(j.Shows, showJSON{all[0], all[1], all[2]})
	}
	made, err := j.validatorsEvidence()
	if err == nil {
		err = verifyEvidence(n, p, made, r)
	}
	if err != nil {
		return nil, refuse("proof-unverified", err.Error())
	}
	return j, nil
}

// verifyEvidence is replaced by tests of the state machine, whose proofs are none.
var verifyEvidence = func(n *network, p *plan, e *statement.Evidence, r *rules) error {
	return n.verifier.VerifyTransfer(p.statement, e, &r.limits, &r.root)
}

// signCore is the signature of package suite with a nonce that is given: the core of a wallet draws nothing.
func signCore(a, alpha, nonce *jubjub.Scalar, core [32]byte) []byte {
	var key, z jubjub.Scalar
	key.Add(a, alpha)
	commitment, rk := jubjub.MulBase(nonce), jubjub.MulBase(&key)
	r := jubjub.EncodePoint(&commitment)
	sum := sha512.Sum512(slices.Concat([]byte("solidus/rk/v2"), r, jubjub.EncodePoint(&rk), core[:]))
	c := jubjub.Reduce(sum[:])
	z.Mul(&c, &key)
	z.Add(&z, nonce)
	key.SetZero()
	return append(r, z.Bytes()...)
}

func u64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// signable is a statement that a committee signs, with what its wallet needs to unblind the signatures.
type signable struct {
	core     [32]byte
	bases    *suite.Outputs
	points   []suite.G1 // k of each output
	blinds   []suite.Scalar
	messages []suite.Field
}

func (p *plan) signable(n *network) *signable {
	s := &signable{core: p.core, bases: p.statement.Bases(n.Network)}
	for at := range p.Out {
		s.points, s.blinds = append(s.points, p.Out[at].K), append(s.blinds, p.Blindings[at].B)
		s.messages = append(s.messages, p.Messages[at])
	}
	return s
}

// signatures are those on the outputs of a statement from an answer: its combined points where they are right, or its partial
// signatures.
func (n *network) signatures(p *signable, body []byte, now uint64) ([]suite.Signature, error) {
	var j signedJSON
	if err := json.Unmarshal(body, &j); err != nil {
		return nil, refuse("gateway-misbehaved", "not an answer to a request")
	}
	var quorum []quorumPart
	var all []suite.Signature
	for at := range p.points {
		if len(j.Combined) == len(p.points) {
			if combined, err := suite.DecodeG1(j.Combined[at]); err == nil {
				if s, err := n.unblind(p, at, &combined); err == nil {
					all = append(all, s)
					continue
				}
			}
		}
		if quorum == nil {
			if quorum = n.quorum(p, &j, now); quorum == nil {
				return nil, refuse("no-quorum", "too few authorities have signed with shares of one epoch")
			}
		}
		parts := make([]suite.Partial, len(quorum))
		for i := range quorum {
			parts[i] = suite.Partial{Index: quorum[i].authority, Point: quorum[i].points[at]}
		}
		combined, err := n.scheme.Combine(n.committee, parts)
		if err != nil {
			return nil, refuse("signature-unverified", err.Error())
		}
		s, err := n.unblind(p, at, &combined)
		if err != nil {
			return nil, refuse("signature-unverified", err.Error())
		}
		all = append(all, s)
	}
	return all, nil
}

// unblind refuses a point that gives no valid signature.
func (n *network) unblind(p *signable, at int, combined *suite.G1) (suite.Signature, error) {
	s, err := n.scheme.Unblind(n.committee, p.bases, at, combined, &p.blinds[at])
	if err != nil {
		return s, err
	}
	return s, n.scheme.Verify(n.committee, &p.messages[at], &s)
}

// quorumPart is a partial signature that a wallet takes.
type quorumPart struct {
	authority int
	points    []suite.G1
	given     *partialJSON
}

// certificate is 2f+1 partial signatures as they were given, for a service that verifies them itself.
func (n *network) certificate(p *signable, body []byte, now uint64) ([]byte, error) {
	var j signedJSON
	if err := json.Unmarshal(body, &j); err != nil {
		return nil, refuse("gateway-misbehaved", "not an answer to a request")
	}
	var given []*partialJSON
	for _, part := range n.quorum(p, &j, now) {
		given = append(given, part.given)
	}
	if given == nil {
		return nil, refuse("no-quorum", "too few authorities have signed a withdrawal one by one")
	}
	return json.Marshal(given)
}

// quorum is 2f+1 partial signatures of the newest epoch that has so many, or nothing.
func (n *network) quorum(p *signable, j *signedJSON, now uint64) []quorumPart {
	taken := map[uint32][]quorumPart{}
	var epochs []uint32
	for i := range j.Partials {
		partial := &j.Partials[i]
		points, ok := n.isComplete(p, partial, now)
		twice := slices.ContainsFunc(taken[partial.Epoch], func(q quorumPart) bool { return q.authority == partial.Authority })
		if !ok || twice {
			continue
		}
		if taken[partial.Epoch] == nil {
			epochs = append(epochs, partial.Epoch)
		}
		taken[partial.Epoch] = append(taken[partial.Epoch], quorumPart{partial.Authority, points, partial})
	}
	slices.Sort(epochs)
	for _, epoch := range slices.Backward(epochs) {
		if all := taken[epoch]; len(all) >= n.committee.Quorum() {
			return all[:n.committee.Quorum()]
		}
	}
	return nil
}

func (n *network) isComplete(p *signable, j *partialJSON, now uint64) (points []suite.G1, ok bool) {
	committee, key := n.at(j.Epoch), n.voteKey(j.Authority, j.Epoch, now)
	if committee == nil || key == nil || len(j.Points) != len(p.points) {
		return nil, false
	}
	member, err := committee.Member(j.Authority)
	if err != nil {
		return nil, false
	}
	vote := append([]byte("solidus/vote/v1\x00"), p.core[:]...)
	vote = append(append(vote, u32(j.Epoch)...), byte(len(j.Points)))
	for at := range j.Points {
		point, err := suite.DecodeG1(j.Points[at])
		if err != nil || n.scheme.CheckPartial(member, p.bases, at, &p.points[at], &point) != nil {
			return nil, false
		}
		vote = append(vote, j.Points[at]...)
		points = append(points, point)
	}
	return points, ed25519.Verify(key, vote, j.Vote)
}
