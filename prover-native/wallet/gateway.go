package wallet

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"

	"solidus.io/prover/fault"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// The bodies of requests and answers of page 8.

// b64 are bytes in base64url without padding.
type b64 []byte

var base64url = base64.RawURLEncoding.Strict()

// MarshalText implements encoding.TextMarshaler.
func (b b64) MarshalText() ([]byte, error) { return base64url.AppendEncode(nil, b), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *b64) UnmarshalText(text []byte) (err error) {
	*b, err = base64url.AppendDecode(nil, text)
	return err
}

func (b b64) array32() (out [32]byte, err error) {
	if len(b) != len(out) {
		return out, fault.New(fault.BadLength, "not 32 bytes")
	}
	return [32]byte(b), nil
}

type outputJSON struct {
	Cm b64 `json:"cm"`
	K  b64 `json:"k"`
}

type statementJSON struct {
	Family    uint8        `json:"family"`
	Serials   []b64        `json:"serials"`
	Outputs   []outputJSON `json:"outputs"`
	Period    uint32       `json:"period"`
	Withdrawn uint64       `json:"withdrawnMinor"`
	Context   b64          `json:"context"`
}

type showJSON struct {
	H b64 `json:"h"`
	M b64 `json:"m"`
	S b64 `json:"s"`
}

type evidenceJSON struct {
	Policy     uint64     `json:"policyVersion"`
	Checkpoint uint64     `json:"checkpointVersion"`
	Circuit    uint32     `json:"circuitVersion"`
	RK         b64        `json:"rk"`
	Shows      []showJSON `json:"shows"`
	Proof      b64        `json:"proof"`
	Signature  b64        `json:"rkSignature"`
}

type blocksJSON struct {
	Payout b64 `json:"payoutBlock"`
	Memo   b64 `json:"memoBlock"`
}

// transferRequest is a request as it is sent, with its statement as a validator reads it.
type transferRequest struct {
	Statement   statementJSON `json:"statement"`
	Evidence    evidenceJSON  `json:"evidence"`
	Attachments blocksJSON    `json:"attachments"`

	statement *statement.Transfer
	core      [32]byte
}

// readRequest reads a request and checks that its blocks are those of its context. It does not look at the evidence, which
// validators and the wallet's own proof answer for.
func (n *network) readRequest(raw []byte) (*transferRequest, error) {
	r := &transferRequest{}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fault.New(fault.MalformedRequest, "not a request")
	}
	s, err := r.Statement.read()
	if err != nil {
		return nil, err
	}
	memo := statement.MemoBytes
	if s.Family == statement.FamilyPay8 {
		memo = statement.LongMemoBytes // F-82
	}
	if len(r.Attachments.Memo) != memo {
		return nil, fault.New(fault.MalformedRequest, "a memo block of another family")
	}
	context, err := n.Context(r.Attachments.Payout, r.Attachments.Memo)
	if err != nil || context != s.Context {
		return nil, fault.New(fault.MalformedRequest, "blocks of another request")
	}
	r.statement = s
	r.core, err = s.Core(n.Network)
	return r, err
}

func (j *statementJSON) read() (*statement.Transfer, error) {
	s := &statement.Transfer{Family: statement.Family(j.Family), Period: j.Period, Withdrawn: j.Withdrawn}
	for _, serial := range j.Serials {
		e, err := suite.DecodeField(serial)
		if err != nil {
			return nil, err
		}
		s.Serials = append(s.Serials, e)
	}
	for i := range j.Outputs {
		cm, err := suite.DecodeField(j.Outputs[i].Cm)
		if err != nil {
			return nil, err
		}
		k, err := suite.DecodeG1(j.Outputs[i].K)
		if err != nil {
			return nil, err
		}
		s.Outputs = append(s.Outputs, statement.BlindedCoin{Cm: cm, K: k})
	}
	context, err := j.Context.array32()
	if err != nil {
		return nil, err
	}
	s.Context = context
	if j.Period >= smallLimit || j.Withdrawn >= amountLimit {
		return nil, fault.New(fault.MalformedRequest, "a number of a statement")
	}
	return s, s.CheckShape()
}

func writeStatement(s *statement.Transfer) (statementJSON, error) {
	j := statementJSON{Family: uint8(s.Family), Period: s.Period, Withdrawn: s.Withdrawn, Context: s.Context[:]}
	for i := range s.Serials {
		j.Serials = append(j.Serials, suite.EncodeField(&s.Serials[i]))
	}
	for i := range s.Outputs {
		k, err := suite.EncodeG1(&s.Outputs[i].K)
		if err != nil {
			return j, err
		}
		j.Outputs = append(j.Outputs, outputJSON{suite.EncodeField(&s.Outputs[i].Cm), k})
	}
	return j, nil
}

// writeRequest is the body of a request.
func writeRequest(p *plan, e *evidenceJSON) ([]byte, error) {
	s, err := writeStatement(p.statement)
	if err != nil {
		return nil, err
	}
	return json.Marshal(&transferRequest{Statement: s, Evidence: *e, Attachments: blocksJSON{p.payout, p.memoBlock}})
}

// validatorsEvidence is what a validator verifies.
func (j *evidenceJSON) validatorsEvidence() (*statement.Evidence, error) {
	e := &statement.Evidence{CircuitVersion: j.Circuit, Proof: j.Proof, KeySignature: j.Signature}
	var err error
	if e.RK, err = jubjub.DecodePoint(j.RK); err != nil {
		return nil, err
	}
	for i := range j.Shows {
		var s suite.Shown
		for _, p := range []struct {
			from b64
			into *suite.G1
		}{{j.Shows[i].H, &s.H}, {j.Shows[i].M, &s.M}, {j.Shows[i].S, &s.S}} {
			if *p.into, err = suite.DecodeG1(p.from); err != nil {
				return nil, err
			}
		}
		e.Shows = append(e.Shows, s)
	}
	return e, nil
}

type partialJSON struct {
	Authority int    `json:"authority"`
	Epoch     uint32 `json:"shareEpoch"`
	Points    []b64  `json:"points"`
	Vote      b64    `json:"vote"`
}

// signedJSON is the answer to a request.
type signedJSON struct {
	Partials []partialJSON `json:"partials"`
	Combined []b64         `json:"combined"`
}

type floorsJSON struct {
	Policy     uint64 `json:"policyVersion"`
	Checkpoint uint64 `json:"checkpointVersion"`
	Period     uint32 `json:"period"`
}

type signedStateJSON struct {
	Serial  b64     `json:"serial"`
	Core    *string `json:"core"`
	Request b64     `json:"request"`
}

type signedStatesJSON struct {
	Authority  int               `json:"authority"`
	MapVersion uint64            `json:"mapVersion"`
	Floors     floorsJSON        `json:"floors"`
	States     []signedStateJSON `json:"states"`
	Signature  b64               `json:"signature"`
}

type coinStateJSON struct {
	Serial   b64               `json:"serial"`
	Requests []json.RawMessage `json:"requests"`
	Recovers []json.RawMessage `json:"recovers"`
}

// shownJSON is one of the requests of a look-up; the authorities that the gateway names beside it count for nothing.
type shownJSON struct {
	Request json.RawMessage `json:"request"`
}

type coinStatesJSON struct {
	States []coinStateJSON   `json:"states"`
	Signed []json.RawMessage `json:"signed"`
}

// message is what a shard signed for a nonce, with the core that it holds of each serial number, or nil.
func (j *signedStatesJSON) message(n *network, nonce []byte) (message []byte, cores map[[32]byte]*[32]byte, err error) {
	bad := fault.New(fault.MalformedRequest, "a signed state")
	digest := n.Digest()
	m := append(append([]byte("solidus/state/v1\x00"), digest[:]...), nonce...)
	m = binary.BigEndian.AppendUint64(m, j.MapVersion)
	m = binary.BigEndian.AppendUint64(m, j.Floors.Policy)
	m = binary.BigEndian.AppendUint64(m, j.Floors.Checkpoint)
	m = binary.BigEndian.AppendUint32(m, j.Floors.Period)
	m = append(m, byte(len(j.States)))
	cores = map[[32]byte]*[32]byte{}
	for i := range j.States {
		s := &j.States[i]
		serial, err := s.Serial.array32()
		if err != nil {
			return nil, nil, bad
		}
		var core *[32]byte
		if s.Core != nil {
			b, err := hex.DecodeString(*s.Core)
			if err != nil || len(b) != 32 {
				return nil, nil, bad
			}
			core = (*[32]byte)(b)
		}
		if len(s.Request) != 0 && len(s.Request) != 32 {
			return nil, nil, bad
		}
		m = append(m, serial[:]...)
		if core == nil {
			m = append(m, make([]byte, 1+32)...)
		} else {
			m = append(append(m, 1), core[:]...)
		}
		if len(s.Request) == 0 {
			m = append(m, make([]byte, 32)...)
		} else {
			m = append(m, s.Request...)
		}
		if _, twice := cores[serial]; twice {
			return nil, nil, bad
		}
		cores[serial] = core
	}
	if len(j.States) == 0 || len(j.States) > maxStates || len(j.Signature) != 64 {
		return nil, nil, bad
	}
	return m, cores, nil
}

const maxStates = 64

type pageJSON struct {
	Entries []struct {
		Sequence uint64 `json:"sequence"`
		Blob     b64    `json:"blob"`
	} `json:"entries"`
	Next uint64 `json:"next"`
	At   b64    `json:"at"`
}

// page is one of the mailbox, or of a bucket of it.
type page struct {
	at     []byte
	blobs  [][]byte
	next   uint64
	digest [32]byte // of the message with the number next
}

const pageLength = 200

// readPage refuses what is not the page behind a number.
func readPage(body []byte, after uint64) (*page, error) {
	bad := refuse("gateway-misbehaved", "not a page of the mailbox")
	var j pageJSON
	if json.Unmarshal(body, &j) != nil || len(j.Entries) > pageLength {
		return nil, bad
	}
	p := &page{at: j.At, next: after}
	copy(p.digest[:], j.At) // an empty page ends where it begins
	for i := range j.Entries {
		if j.Entries[i].Sequence <= p.next {
			return nil, bad
		}
		p.next = j.Entries[i].Sequence
		p.blobs = append(p.blobs, j.Entries[i].Blob)
		p.digest = digestOf(j.Entries[i].Blob)
	}
	if j.Next != p.next || len(j.At) != 0 && len(j.At) != 32 {
		return nil, bad
	}
	return p, nil
}

// readBucket reads the page of a bucket.
func readBucket(body []byte, after uint64) (*page, error) {
	bad := refuse("gateway-misbehaved", "not a page of a bucket")
	r := &formatReader{decoder{in: body}}
	version := r.take(1)[0]
	at := r.bytes32()
	p := &page{next: r.u64(), digest: r.bytes32()}
	if at != [32]byte{} {
		p.at = at[:]
	}
	last := after
	for r.err == nil && len(r.in) > 0 {
		number := r.u64()
		if number <= last || number > p.next {
			return nil, bad
		}
		last = number
		p.blobs = append(p.blobs, append([]byte(nil), r.take(blobSize)...))
	}
	full := len(p.blobs) == pageLength
	if r.err != nil || version != 1 || len(p.blobs) > pageLength || p.next < after || full && p.next != last {
		return nil, bad
	}
	return p, nil
}
