package wallet

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/subtle"
	"encoding/binary"
	"slices"

	"solidus.io/prover/fault"
)

// Private retrieval of one message from servers that hold the same tables: each adds up the messages that its share selects, and the
// sum of all answers is the message. Any shares short of all are random bits.

const (
	shareSeed  = 0
	shareBits  = 1
	seedLength = 32
)

var (
	queryInfo    = []byte("solidus/mail-query/v1")
	answerExport = []byte("solidus/mail-answer-key/v1")
)

// dayTable is a table of the last day.
type dayTable struct {
	Closed  uint64
	Records uint32
}

// bitBytes is how many bytes of bits a query for tables has: those of each table begin with a byte of their own.
func bitBytes(tables []dayTable) (n int) {
	for i := range tables {
		n += (int(tables[i].Records) + 7) / 8
	}
	return n
}

// bitOf is the bit of a record of the table with this time.
func bitOf(tables []dayTable, closed uint64, record uint32) (int, error) {
	at := slices.IndexFunc(tables, func(t dayTable) bool { return t.Closed == closed })
	if at < 0 || record >= tables[at].Records {
		return 0, fault.New(fault.Internal, "a query for no place")
	}
	return 8*bitBytes(tables[:at]) + int(record), nil
}

// expandSeed is the key stream of AES-256 in counter mode from a block of zeros.
func expandSeed(seed []byte, n int) []byte {
	out := make([]byte, n)
	cipher.NewCTR(newAES(seed), make([]byte, aes.BlockSize)).XORKeyStream(out, out) //nolint:gosec // each seed is used once
	return out
}

// splitQuery makes the shares of a query for one bit, one for each server. All but the one at the place of the long one are of seeds.
func splitQuery(bit, length, long int, seeds [][]byte) ([][]byte, error) {
	if bit < 0 || bit >= 8*length || long < 0 || long > len(seeds) {
		return nil, fault.New(fault.Internal, "a query for no place")
	}
	rest := make([]byte, length)
	rest[bit/8] = 1 << (bit % 8)
	var shares [][]byte
	for _, seed := range seeds {
		subtle.XORBytes(rest, rest, expandSeed(seed, length))
		shares = append(shares, append([]byte{shareSeed}, seed...))
	}
	return slices.Insert(shares, long, append([]byte{shareBits}, rest...)), nil
}

// sumOf is the sum of answers, which are messages.
func sumOf(answers [][]byte) ([]byte, error) {
	sum := make([]byte, blobSize)
	for _, answer := range answers {
		if len(answer) != len(sum) {
			return nil, refuse("malformed-request", "an answer of another length")
		}
		subtle.XORBytes(sum, sum, answer)
	}
	return sum, nil
}

// mailQuery says which tables a query is for.
type mailQuery struct {
	bucket      uint8
	after, upto uint64
	state       [32]byte // of the bucket at the second time
}

func (q *mailQuery) encode(share []byte) []byte {
	b := binary.BigEndian.AppendUint64([]byte{tableVersion, q.bucket}, q.after)
	b = binary.BigEndian.AppendUint64(b, q.upto)
	return append(append(b, q.state[:]...), share...)
}

// sealShare seals a share to an authority's replica, and returns the key of its answer.
func (n *network) sealShare(to []byte, authority uint8, ephemeral *ecdh.PrivateKey, query []byte) (enc, sealed, key []byte, err error) {
	public, err := ecdh.X25519().NewPublicKey(to)
	if err != nil {
		return nil, nil, nil, err
	}
	digest := n.Digest()
	return sealHPKE(public, ephemeral, queryInfo, append(digest[:], authority), query, answerExport, keyBytes)
}

// detector tells by headers which messages may be a wallet's.
type detector struct {
	own     *ecdh.PrivateKey
	public  []byte
	context []byte
}

func newDetector(own *ecdh.PrivateKey) *detector {
	return &detector{
		own: own, public: own.PublicKey().Bytes(),
		context: slices.Concat([]byte{0}, extract(hpkeSuite, nil, "psk_id_hash", nil), extract(hpkeSuite, nil, "info_hash", mailboxInfo)),
	}
}

// detects reports whether a header is that of a message for this wallet, or of one in 65,536 for others. What that takes does not
// depend on which it is.
func (d *detector) detects(header []byte) bool {
	enc := header[detectionBytes:headerBytes]
	key, err := ecdh.X25519().NewPublicKey(enc)
	if err != nil {
		return false
	}
	shared, err := d.own.ECDH(key)
	if err != nil {
		return false // of small order
	}
	secret := expand(kemSuite, extract(kemSuite, nil, "eae_prk", shared), "shared_secret", slices.Concat(enc, d.public), keyBytes)
	prk := extract(hpkeSuite, secret, "secret", nil)
	tag := expand(hpkeSuite, expand(hpkeSuite, prk, "exp", d.context, keyBytes), "sec", detection, detectionBytes)
	return bytes.Equal(tag, header[:detectionBytes])
}

// Queries of a day, on average, and the most that are made at once. Pauses are drawn so that a day has as many.
const (
	queriesADay  = 24
	longestQuiet = 2 * day / queriesADay
)

// queriesAt says how many queries are due, and when the next one is. It follows from the clock, from times that were drawn before,
// and from the wallet's being opened; from nothing that the wallet has read. A wallet that slept makes those whose time has passed, at
// most those of a day. One that was just opened makes at least one, which it takes from those of the next day; without one of these
// left it makes none.
func queriesAt(planned uint64, opened bool, now uint64, pause func() uint64) (queries int, next uint64) {
	next = planned
	if planned == 0 || planned > now+day+longestQuiet {
		next = now // the first one, or the clock was set back
	}
	for next <= now && queries < queriesADay {
		queries++
		next += pause()
	}
	if next <= now {
		next = now + pause()
	}
	if opened && queries == 0 && next <= now+day {
		queries = 1
		next += pause()
	}
	return queries, next
}
