package wallet

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const (
	maxNote          = 65_536
	maxNoteLines     = 200
	maxNoteSignature = 1024
	keyHashBytes     = 4
)

// noteLine is a signature of a note.
type noteLine struct {
	name      string
	hash      []byte
	signature []byte
}

// readNote takes a note apart.
func readNote(note string) (text string, lines []noteLine, err error) {
	bad := func(detail string) error { return refuse("malformed-request", detail) }
	if len(utf16.Encode([]rune(note))) > maxNote {
		return "", nil, bad("a note is too long")
	}
	end := strings.LastIndex(note, "\n\n")
	if end < 0 || !strings.HasSuffix(note, "\n") {
		return "", nil, bad("a note without signatures")
	}
	text = note[:end+1]
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Cc, c) && c != '\n' }) {
		return "", nil, bad("a control character in a note")
	}
	seen := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSuffix(note[end+2:], "\n"), "\n") {
		parsed, ok := readLine(line)
		if !ok || seen[line] || len(lines) == maxNoteLines {
			return "", nil, bad("not the lines of signatures")
		}
		seen[line] = true
		lines = append(lines, parsed)
	}
	return text, lines, nil
}

func readLine(line string) (noteLine, bool) {
	rest, ok := strings.CutPrefix(line, "\u2014 ")
	name, encoded, found := strings.Cut(rest, " ")
	if !ok || !found || name == "" || strings.ContainsFunc(name, func(c rune) bool { return c == '+' || unicode.In(c, unicode.Z, unicode.Cc) }) {
		return noteLine{}, false
	}
	b, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(b) <= keyHashBytes || len(b) > keyHashBytes+maxNoteSignature || strings.ContainsAny(encoded, "\r\n") {
		return noteLine{}, false
	}
	return noteLine{name, b[:keyHashBytes], b[keyHashBytes:]}, true
}

// countersigned is the text of a note with the valid signatures of f+1 authorities.
func (n *network) countersigned(note string) (string, error) {
	return n.countersignedBy(note, n.committee.F+1)
}

func (n *network) countersignedBy(note string, enough int) (string, error) {
	text, lines, err := readNote(note)
	if err != nil {
		return "", refuse("rules-untrusted", err.Error())
	}
	count := 0
	for i := range n.committee.Members {
		if signedBy(text, lines, fmt.Sprintf("solidus-authority-%d", i+1), n.committee.Members[i].NoteKey[:]) {
			count++
		}
	}
	if count < enough {
		return "", refuse("rules-untrusted", "too few authorities signed the note")
	}
	return text, nil
}

func signedBy(text string, lines []noteLine, name string, key ed25519.PublicKey) bool {
	sum := sha256.Sum256(append([]byte(name+"\n\x01"), key...))
	valid := 0
	for i := range lines {
		if lines[i].name != name || !bytes.Equal(lines[i].hash, sum[:keyHashBytes]) {
			continue
		}
		if !ed25519.Verify(key, []byte(text), lines[i].signature) {
			return false
		}
		valid++
	}
	return valid > 0
}

// textReader reads the lines of a text in their order and keeps the first error.
type textReader struct {
	lines []string
	err   error
}

func (n *network) readText(kind, text string) *textReader {
	r := &textReader{lines: strings.Split(text, "\n")}
	switch {
	case len(r.lines) < 3 || r.lines[len(r.lines)-1] != "":
		r.err = refuse("malformed-request", "a text ends with a line feed")
	case r.lines[0] != "solidus/"+kind+"/v1":
		r.err = refuse("unknown-version", "a text of another kind or version")
	case r.lines[1] != n.ID():
		r.err = refuse("wrong-network", "a text of another network")
	default:
		r.lines = r.lines[2 : len(r.lines)-1]
	}
	return r
}

func (r *textReader) line(name string) string {
	if r.err == nil && len(r.lines) > 0 {
		if value, ok := strings.CutPrefix(r.lines[0], name+": "); ok {
			r.lines = r.lines[1:]
			return value
		}
	}
	r.fail("no line " + name)
	return ""
}

func (r *textReader) fail(detail string) {
	if r.err == nil {
		r.err = refuse("malformed-request", detail)
	}
}

func (r *textReader) number(name string, least, limit uint64) uint64 {
	value := r.line(name)
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != value || n < least || n >= limit {
		r.fail("not a number: " + name)
	}
	return n
}

func (r *textReader) bytes32(name string) (out [32]byte) {
	value := r.line(name)
	b, err := hex.DecodeString(value)
	if err != nil || len(b) != len(out) || hex.EncodeToString(b) != value {
		r.fail("not 32 bytes: " + name)
		return out
	}
	return [32]byte(b)
}

func (r *textReader) end() error {
	if r.err == nil && len(r.lines) != 0 {
		r.fail("more lines")
	}
	return r.err
}

// rules are policy, checkpoint and the tree of its list.
type rules struct {
	policy, checkpoint uint64 // versions
	period             uint32
	limits             statement.Limits
	list               [32]byte // the list's digest
	size               uint64
	root               suite.Field
	tree               *sanction.Tree
}

// mark is a text of rules that was used: an older one, or another of its version, is refused.
type mark struct {
	Version uint64
	Digest  [32]byte
}

func (m *mark) admits(version uint64, text string) (*mark, error) {
	next := &mark{version, sha256.Sum256([]byte(text))}
	if m != nil && (version < m.Version || version == m.Version && next.Digest != m.Digest) {
		return nil, refuse("rules-rolled-back", "an older or another text of rules")
	}
	return next, nil
}

// readPolicy reads a countersigned policy.
func (n *network) readPolicy(into *rules, note string, seen *mark) (*mark, error) {
	text, err := n.countersigned(note)
	if err != nil {
		return nil, err
	}
	r := n.readText("policy", text)
	into.policy = r.number("version", 1, amountLimit)
	into.period = uint32(r.number("period", 0, smallLimit))
	l := &into.limits
	l.MaxPerTransfer = r.number("max-per-transfer-minor", 0, amountLimit)
	l.MaxPerPeriod = r.number("max-per-period-minor", 0, amountLimit)
	l.MaxHeld = r.number("max-held-minor", 0, amountLimit)
	l.MaxEscrow = r.number("max-escrow-minor", 0, amountLimit)
	l.MaxTransfersPerPeriod = uint32(r.number("max-transfers-per-period", 0, smallLimit))
	r.number("mint-cap-per-day-minor", 0, amountLimit)
	r.number("effective-at-millis", 0, amountLimit)
	if err := r.end(); err != nil {
		return nil, refuse("rules-untrusted", err.Error())
	}
	return seen.admits(into.policy, text)
}

// readCheckpoint reads a countersigned checkpoint, without its list.
func (n *network) readCheckpoint(into *rules, note string, seen *mark) (*mark, error) {
	text, err := n.countersigned(note)
	if err != nil {
		return nil, err
	}
	r := n.readText("sanction-checkpoint", text)
	into.checkpoint = r.number("version", 1, amountLimit)
	root := r.bytes32("root")
	into.size = r.number("size", 0, smallLimit)
	into.list = r.bytes32("list-digest")
	r.number("published-at-millis", 0, amountLimit)
	if err = r.end(); err == nil {
		into.root, err = suite.DecodeField(root[:])
	}
	if err != nil {
		return nil, refuse("rules-untrusted", err.Error())
	}
	return seen.admits(into.checkpoint, text)
}

// readList rebuilds the tree from the whole list.
func (n *network) readList(into *rules, list []byte) error {
	digest := n.Digest()
	sum := sha256.New()
	sum.Write([]byte("solidus/sanction-list/v1"))
	sum.Write(digest[:])
	sum.Write(list)
	if len(list)%sanction.KeyBytes != 0 || uint64(len(list)/sanction.KeyBytes) != into.size || [32]byte(sum.Sum(nil)) != into.list {
		return refuse("rules-untrusted", "another list than the checkpoint states")
	}
	keys := make([]sanction.Key, into.size)
	for i := range keys {
		copy(keys[i][:], list[i*sanction.KeyBytes:])
	}
	tree, err := sanction.Build(n.Tag(), keys)
	if err != nil {
		return refuse("rules-untrusted", err.Error())
	}
	if root := tree.Root(); !root.Equal(&into.root) {
		return refuse("rules-untrusted", "another root than the checkpoint states")
	}
	into.tree = tree
	return nil
}

// absence refuses an address that is listed.
func (r *rules) absence(apk *suite.Field) (*sanction.Path, error) {
	path, err := r.tree.Path(apk)
	if err != nil {
		return nil, refuse("sanctioned", "an address of this transfer is on the sanction list")
	}
	return path, nil
}
