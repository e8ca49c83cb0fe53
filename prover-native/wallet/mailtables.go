package wallet

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Final tables of the mailbox, and the lists that authorities countersign. What a gateway sends is malformed when it is not of the
// form; whoever reads it compares it with a signed list.

const (
	headerBytes   = detectionBytes + keyBytes
	highestNode   = 127
	tableVersion  = 1
	tableBytes    = 8 + 8 + 4 + 32
	recordBytes   = 8 + blobSize
	headersBefore = 1 + 32 + 8 + 8
	// longestTable is as many messages as a gateway puts into the tables of one time.
	longestTable = 65_536
	// longestAge: an older list is none. Replicas do not answer for it, and newer mail would be withheld.
	longestAge = 60 * 60 * second
	// daySeconds is what replicas answer for.
	daySeconds = 24 * 60 * 60
)

// mailState is what all tables of a node up to its last one are.
type mailState struct {
	Closed uint64 // when the last table closed, in seconds since 1970, or 0
	Digest [32]byte
}

// nodeState is that of a node of a list.
type nodeState struct {
	Node  uint8
	State mailState
}

// mailList has the states of all nodes that have tables, in their order, at a time.
type mailList struct {
	Closed uint64
	States []nodeState
}

func (l *mailList) state(node uint8) mailState {
	for i := range l.States {
		if l.States[i].Node == node {
			return l.States[i].State
		}
	}
	return mailState{}
}

// mailTable is a table without its messages.
type mailTable struct {
	Closed  uint64
	First   uint64 // the number of its first message
	Records uint32
	Headers [32]byte // of the first 34 bytes of each message
	Root    [32]byte // of their Merkle tree
}

// after is the state of a node behind one more table.
func (s mailState) after(node uint8, t *mailTable) (mailState, error) {
	if t.Closed <= s.Closed || t.Closed >= amountLimit || t.First == 0 || t.First >= amountLimit || t.Records == 0 {
		return s, refuse("malformed-request", "a table is not later than the one before, or has no message")
	}
	sum := sha256.New()
	sum.Write([]byte("solidus/mail-table/v1"))
	sum.Write(s.Digest[:])
	var b []byte
	b = append(binary.BigEndian.AppendUint64(b, s.Closed), node)
	b = binary.BigEndian.AppendUint64(b, t.Closed)
	b = binary.BigEndian.AppendUint64(b, t.First)
	b = binary.BigEndian.AppendUint32(b, t.Records)
	sum.Write(b)
	sum.Write(t.Headers[:])
	sum.Write(t.Root[:])
	return mailState{t.Closed, [32]byte(sum.Sum(nil))}, nil
}

// writeMailList is the text of a list.
func (n *network) writeMailList(l *mailList) string {
	var text strings.Builder
	fmt.Fprintf(&text, "solidus/mail-tables/v1\n%s\nclosed: %d\n", n.ID(), l.Closed)
	for i := range l.States {
		s := &l.States[i]
		fmt.Fprintf(&text, "bucket-%d: %d %x\n", s.Node, s.State.Closed, s.State.Digest)
	}
	return text.String()
}

// readMailList reads the text of a list, which has one form.
func (n *network) readMailList(text string) (*mailList, error) {
	r := n.readText("mail-tables", text)
	l := &mailList{Closed: r.number("closed", 1, amountLimit)}
	for last := uint64(0); r.err == nil && len(r.lines) > 0; {
		name, value, _ := strings.Cut(r.lines[0], ": ")
		node, err := strconv.ParseUint(strings.TrimPrefix(name, "bucket-"), 10, 8)
		time, digest, _ := strings.Cut(value, " ")
		closed, other := strconv.ParseUint(time, 10, 63)
		b, third := hex.DecodeString(digest)
		if err != nil || other != nil || third != nil || node <= last || node > highestNode || closed == 0 || closed > l.Closed || len(b) != 32 {
			r.fail("the state of a bucket")
			break
		}
		last = node
		l.States = append(l.States, nodeState{uint8(node), mailState{closed, [32]byte(b)}})
		r.lines = r.lines[1:]
	}
	if r.err == nil && n.writeMailList(l) != text {
		r.fail("a list is not in its one form")
	}
	return l, r.err
}

// replica has the key that shares are sealed to, and the one that signs lists.
type replica = [64]byte

// signedMailList reads a list with the signatures of 2f+1 replicas: two such sets share an honest one, so there is one list of a time.
func (n *network) signedMailList(note string, replicas []replica) (*mailList, error) {
	text, lines, err := readNote(note)
	if err != nil {
		return nil, err
	}
	valid := 0
	for i := range replicas {
		if signedBy(text, lines, fmt.Sprintf("solidus-replica-%d", i+1), replicas[i][keyBytes:]) {
			valid++
		}
	}
	if f := (len(replicas) - 1) / 3; len(replicas) < 4 || valid < 2*f+1 {
		return nil, refuse("malformed-request", "a list of mail tables has too few signatures")
	}
	return n.readMailList(text)
}

// checkReplicas refuses keys that are not those of 3f+1 authorities.
func checkReplicas(replicas []replica) error {
	seen := map[[32]byte]bool{}
	for i := range replicas {
		for _, key := range [][32]byte{[32]byte(replicas[i][:keyBytes]), [32]byte(replicas[i][keyBytes:])} {
			if seen[key] {
				return refuse("manifest-untrusted", "a key of two replicas")
			}
			seen[key] = true
		}
		if checkEncryptionKey(replicas[i][:keyBytes]) != nil {
			return refuse("manifest-untrusted", "not the key of a replica")
		}
	}
	if n := len(replicas); n != 0 && (n < 4 || n > 100 || n%3 != 1) {
		return refuse("manifest-untrusted", "replicas are those of 3f+1 authorities")
	}
	return nil
}

// isSetBack reports whether a list cannot come after another one: the mailbox may have lost messages, of other buckets only, too.
func isSetBack(before, after *mailList) bool {
	if after.Closed < before.Closed {
		return false
	}
	return slices.ContainsFunc(before.States, func(then nodeState) bool {
		now := after.state(then.Node)
		return now.Closed < then.State.Closed || now.Closed == then.State.Closed && now != then.State
	})
}

// shownTable is a table as a page of headers shows it.
type shownTable struct {
	mailTable
	headers []byte
}

// headerPage has tables of a node, behind its state before the first of them, up to a time.
type headerPage struct {
	before  mailState
	reached uint64
	tables  []shownTable
}

// readHeaders takes a page of headers apart.
func readHeaders(b []byte) (*headerPage, error) {
	bad := refuse("malformed-request", "not a page of headers")
	if len(b) < headersBefore || b[0] != tableVersion {
		return nil, bad
	}
	p := &headerPage{before: mailState{binary.BigEndian.Uint64(b[33:]), [32]byte(b[1:])}, reached: binary.BigEndian.Uint64(b[41:])}
	for b = b[headersBefore:]; len(b) > 0; {
		if len(b) < tableBytes {
			return nil, bad
		}
		t := shownTable{mailTable: mailTable{
			Closed: binary.BigEndian.Uint64(b), First: binary.BigEndian.Uint64(b[8:]), Records: binary.BigEndian.Uint32(b[16:]), Root: [32]byte(b[20:]),
		}}
		b = b[tableBytes:]
		if t.Records == 0 || int(t.Records) > len(b)/headerBytes {
			return nil, bad
		}
		t.headers, b = b[:int(t.Records)*headerBytes], b[int(t.Records)*headerBytes:]
		t.Headers = sha256.Sum256(t.headers)
		p.tables = append(p.tables, t)
	}
	return p, nil
}

type mailRecord struct {
	number uint64
	blob   []byte
}

// readRecords takes a page of messages apart.
func readRecords(b []byte) ([]mailRecord, error) {
	if len(b) == 0 || b[0] != tableVersion || (len(b)-1)%recordBytes != 0 {
		return nil, refuse("malformed-request", "not a page of messages")
	}
	var all []mailRecord
	for b = b[1:]; len(b) > 0; b = b[recordBytes:] {
		all = append(all, mailRecord{binary.BigEndian.Uint64(b), b[8:recordBytes]})
	}
	return all, nil
}

// tableSums are the digest of headers and the Merkle root of messages that come one after the other: a table may be longer than what
// a state holds.
type tableSums struct {
	Records uint32
	Headers []byte // the state of a hash
	// Nodes are the roots of full trees, the largest first: one of 2^i messages for each bit i of Records.
	Nodes [][32]byte
}

func (s *tableSums) add(blob []byte) {
	headers := sha256.New()
	if s.Records > 0 {
		if err := headers.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(s.Headers); err != nil {
			panic("SHA-256 does not go on from its own state: " + err.Error())
		}
	}
	headers.Write(blob[:headerBytes])
	s.Headers, _ = headers.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
	node := sha256.Sum256(append([]byte{0}, blob...))
	for full := s.Records; full&1 == 1; full >>= 1 {
		node = treeNode(&s.Nodes[len(s.Nodes)-1], &node)
		s.Nodes = s.Nodes[:len(s.Nodes)-1]
	}
	s.Nodes = append(s.Nodes, node)
	s.Records++
}

func treeNode(left, right *[32]byte) [32]byte {
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

// areOf reports whether these are the messages of a table.
func (s *tableSums) areOf(t *mailTable) bool {
	headers := sha256.New()
	if s.Records == 0 || s.Records != t.Records || headers.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(s.Headers) != nil {
		return false
	}
	return s.root() == t.Root && bytes.Equal(headers.Sum(nil), t.Headers[:])
}

func (s *tableSums) root() [32]byte {
	root := s.Nodes[len(s.Nodes)-1]
	for i := len(s.Nodes) - 2; i >= 0; i-- {
		root = treeNode(&s.Nodes[i], &root)
	}
	return root
}

// headerOf is the name by which a message's header is known.
func headerOf(blob []byte) [32]byte { return sha256.Sum256(blob[:headerBytes]) }
