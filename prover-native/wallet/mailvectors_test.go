package wallet

import (
	"bytes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"filippo.io/hpke"

	"solidus.io/prover/statement"
)

// mailCase is a vector of mail.json.
type mailCase struct {
	Name, Op, Error string
	In              map[string]any
	Out             string
}

func (c *mailCase) text(name string) string   { return c.In[name].(string) }
func (c *mailCase) bytes(name string) []byte  { return must(hex.DecodeString(c.text(name))) }
func (c *mailCase) number(name string) uint64 { return must(strconv.ParseUint(c.text(name), 10, 64)) }
func (c *mailCase) net() *network {
	return &network{Network: must(statement.NewNetwork(c.text("network")))}
}
func (c *mailCase) texts(name string) (all []string) {
	for _, one := range c.In[name].([]any) {
		all = append(all, one.(string))
	}
	return all
}

// The vectors that the Java library made, and which the second implementation reads.
//
//spec:id F-51
//spec:id F-52
//spec:id F-55
func TestMailVectors(t *testing.T) {
	var all struct{ Cases []mailCase }
	if err := json.Unmarshal(must(os.ReadFile("../vectors/mail.json")), &all); err != nil {
		t.Fatal(err)
	}
	operations := map[string]func(c *mailCase) (string, error){
		"mailState": mailStateOf, "mailList": mailListOf, "detects": detectsOf, "mailSum": mailSumOf, "mailQuery": mailQueryOf, "mailAnswer": mailAnswerOf,
	}
	for i := range all.Cases {
		c := &all.Cases[i]
		out, err := operations[c.Op](c)
		if c.Error != "" && codeOf(err) != c.Error || c.Error == "" && (err != nil || out != c.Out) {
			t.Errorf("%s, %s: %q, %v", c.Op, c.Name, out, err)
		}
	}
	if len(all.Cases) < 29 {
		t.Errorf("%d cases", len(all.Cases))
	}
}

func mailStateOf(c *mailCase) (string, error) {
	var sums tableSums
	for _, blob := range c.texts("blobs") {
		sums.add(must(hex.DecodeString(blob)))
	}
	table := &mailTable{Closed: c.number("closed"), First: c.number("first"), Records: sums.Records}
	table.Headers, table.Root = sums.digests()
	if !sums.areOf(table) {
		return "not its own", nil
	}
	after, err := mailState{c.number("beforeClosed"), [32]byte(c.bytes("before"))}.after(uint8(c.number("bucket")), table)
	return hex.EncodeToString(after.Digest[:]), err
}

func mailListOf(c *mailCase) (string, error) {
	l, err := c.net().readMailList(c.text("text"))
	if err != nil {
		return "", err
	}
	return c.net().writeMailList(l), nil
}

func detectsOf(c *mailCase) (string, error) {
	return strconv.FormatBool(newDetector(must(ecdh.X25519().NewPrivateKey(c.bytes("encryptionSecret")))).detects(c.bytes("header"))), nil
}

// mailSumOf is what a replica answers.
func mailSumOf(c *mailCase) (string, error) {
	var tables []dayTable
	for i, count := range c.texts("tables") {
		tables = append(tables, dayTable{uint64(i + 1), uint32(must(strconv.Atoi(count)))})
	}
	bits, err := bitsOf(c.bytes("share"), bitBytes(tables))
	if err != nil {
		return "", err
	}
	sum, at := make([]byte, 16), 0
	records := c.texts("records")
	for i := range tables {
		for record := range tables[i].Records {
			if bit := must(bitOf(tables, tables[i].Closed, record)); bits[bit/8]>>(bit%8)&1 == 1 {
				for j, b := range must(hex.DecodeString(records[at])) {
					sum[j] ^= b
				}
			}
			at++
		}
	}
	return hex.EncodeToString(sum), nil
}

// bitsOf is a replica's: the bits that a share stands for.
func bitsOf(share []byte, length int) ([]byte, error) {
	switch {
	case len(share) == 1+seedLength && share[0] == shareSeed:
		return expandSeed(share[1:], length), nil
	case len(share) == 1+length && share[0] == shareBits:
		return share[1:], nil
	}
	return nil, refuse("malformed-request", "a share is a seed or bits")
}

// openShare is a replica's: a share and the key of its answer.
func (n *network) openShare(own *ecdh.PrivateKey, authority uint8, enc, sealed []byte) (query, key []byte, err error) {
	recipient, err := hpke.NewRecipient(slices.Clone(enc), must(hpke.NewDHKEMPrivateKey(own)), hpke.HKDFSHA256(), hpke.AES256GCM(), queryInfo)
	if err != nil {
		return nil, nil, err
	}
	digest := n.Digest()
	if query, err = recipient.Open(append(digest[:], authority), sealed); err != nil {
		return nil, nil, refuse("malformed-request", "a share of another authority")
	}
	key, err = recipient.Export(string(answerExport), keyBytes)
	return query, key, err
}

func (c *mailCase) share() (query, key []byte, err error) {
	own := must(ecdh.X25519().NewPrivateKey(c.bytes("replicaSecret")))
	return c.net().openShare(own, uint8(c.number("authority")), c.bytes("encapsulatedKey"), c.bytes("sealedShare"))
}

func mailQueryOf(c *mailCase) (string, error) {
	query, _, err := c.share()
	if err != nil {
		return "", err
	}
	q := mailQuery{uint8(c.number("bucket")), c.number("after"), c.number("upto"), [32]byte(c.bytes("state"))}
	if !bytes.Equal(q.encode(c.bytes("share")), query) {
		return "another encoding", nil
	}
	return hex.EncodeToString(query), nil
}

func mailAnswerOf(c *mailCase) (string, error) {
	_, key, err := c.share()
	if err != nil {
		return "", err
	}
	sealed := sealAnswer(key, c.bytes("nonce"), c.bytes("answer"))
	answer, err := openProof(key, sealed)
	if !bytes.Equal(answer, c.bytes("answer")) {
		return "does not open", err
	}
	return hex.EncodeToString(sealed), err
}

// sealAnswer is a replica's.
func sealAnswer(key, nonce, answer []byte) []byte {
	return must(cipher.NewGCM(newAES(key))).Seal(slices.Clone(nonce), nonce, answer, nil)
}

// The shares of a query add up to one bit, whichever it is, and all shares but one do not.
//
//spec:id F-55
func TestSharesOfAQuery(t *testing.T) {
	tables := []dayTable{{10, 3}, {20, 8}, {30, 9}, {40, 1}}
	length := bitBytes(tables)
	if length != 5 {
		t.Fatalf("%d bytes", length)
	}
	var seeds [][]byte
	for i := range 3 {
		seed := sha256.Sum256([]byte{byte(i)})
		seeds = append(seeds, seed[:])
	}
	seen := map[int]bool{}
	for i := range tables {
		for record := range tables[i].Records {
			bit := must(bitOf(tables, tables[i].Closed, record))
			seen[bit] = true
			long := bit % 4
			shares := must(splitQuery(bit, length, long, seeds))
			sum := make([]byte, length)
			for j, share := range shares {
				if (share[0] == shareBits) != (j == long) {
					t.Errorf("share %d of bit %d has form %d", j, bit, share[0])
				}
				for k, b := range must(bitsOf(share, length)) {
					sum[k] ^= b
				}
			}
			want := make([]byte, length)
			want[bit/8] = 1 << (bit % 8)
			if !bytes.Equal(sum, want) {
				t.Errorf("bit %d: %x", bit, sum)
			}
		}
	}
	if len(seen) != 21 {
		t.Errorf("%d places", len(seen))
	}
	for _, place := range []struct {
		closed uint64
		record uint32
	}{{10, 3}, {11, 0}, {40, 1}} {
		if _, err := bitOf(tables, place.closed, place.record); err == nil {
			t.Errorf("%+v", place)
		}
	}
	if _, err := sumOf([][]byte{make([]byte, blobSize), make([]byte, blobSize-1)}); codeOf(err) != "malformed-request" {
		t.Errorf("a short answer: %v", err)
	}
}

// A list has the signatures of 2f+1 replicas, each counted once, and of this text.
//
//spec:id F-52
func TestSignaturesOfAList(t *testing.T) {
	n := committee().net
	var replicas []replica
	var keys []ed25519.PrivateKey
	for i := range 4 {
		seed := sha256.Sum256([]byte{7, byte(i)})
		keys = append(keys, ed25519.NewKeyFromSeed(seed[:]))
		share := must(ecdh.X25519().NewPrivateKey(seed[:])).PublicKey().Bytes()
		replicas = append(replicas, replica(slices.Concat(share, keys[i].Public().(ed25519.PublicKey))))
	}
	l := &mailList{600, []nodeState{{1, mailState{300, [32]byte{1}}}, {12, mailState{600, [32]byte{2}}}}}
	text := n.writeMailList(l)
	line := func(name string, key ed25519.PrivateKey) string {
		sum := sha256.Sum256(append([]byte(name+"\n\x01"), key.Public().(ed25519.PublicKey)...))
		return fmt.Sprintf("\u2014 %s %s\n", name, base64.StdEncoding.EncodeToString(append(sum[:4:4], ed25519.Sign(key, []byte(text))...)))
	}
	note := func(signers ...int) string {
		all := text + "\n"
		for _, i := range signers {
			all += line(fmt.Sprintf("solidus-replica-%d", i+1), keys[i])
		}
		return all
	}
	for _, signers := range [][]int{{0, 1, 2}, {1, 2, 3}, {0, 1, 2, 3}} {
		read, err := n.signedMailList(note(signers...), replicas)
		if err != nil || read.Closed != 600 || read.state(12) != l.States[1].State || read.state(13) != (mailState{}) {
			t.Errorf("%v: %+v, %v", signers, read, err)
		}
	}
	for name, wrong := range map[string]string{
		"two signatures":                 note(0, 1),
		"one of them under another name": note(0, 1) + line("solidus-replica-3", keys[0]),
		"of authorities":                 strings.ReplaceAll(note(0, 1, 2), "replica", "authority"),
		"another time":                   strings.Replace(note(0, 1, 2, 3), "closed: 600", "closed: 601", 1),
	} {
		if _, err := n.signedMailList(wrong, replicas); codeOf(err) != "malformed-request" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := checkReplicas(replicas); err != nil || checkReplicas(nil) != nil {
		t.Error(err)
	}
	twice := slices.Clone(replicas)
	copy(twice[3][keyBytes:], twice[0][keyBytes:])
	small := slices.Clone(replicas)
	clear(small[1][:keyBytes])
	for name, wrong := range map[string][]replica{"three": replicas[:3], "five": append(replicas, replica{1}), "a key twice": twice, "a key of small order": small} {
		if err := checkReplicas(wrong); codeOf(err) != "manifest-untrusted" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		before, after mailList
		back          bool
	}{
		"the same":            {*l, *l, false},
		"an older one":        {*l, mailList{Closed: 599}, false},
		"a later state":       {*l, mailList{900, []nodeState{{1, mailState{900, [32]byte{9}}}, l.States[1]}}, false},
		"a state is missing":  {*l, mailList{900, l.States[:1]}, true},
		"an earlier state":    {*l, mailList{900, []nodeState{{1, mailState{299, [32]byte{9}}}, l.States[1]}}, true},
		"another of the time": {*l, mailList{600, []nodeState{{1, mailState{300, [32]byte{9}}}, l.States[1]}}, true},
	} {
		if isSetBack(&c.before, &c.after) != c.back {
			t.Error(name)
		}
	}
}

// Pages that are not of the form are refused, and a table's messages are those of its digests and no other ones.
//
//spec:id F-53
//spec:id F-54
func TestPagesOfTables(t *testing.T) {
	var blobs [][]byte
	for i := range 13 {
		blob := make([]byte, blobSize)
		blob[0], blob[700] = byte(i), byte(i)
		blobs = append(blobs, blob)
	}
	for n := 1; n <= len(blobs); n++ {
		var sums tableSums
		for _, blob := range blobs[:n] {
			sums = must(roundTrip(sums))
			sums.add(blob)
		}
		table := &mailTable{Closed: 5, First: 9, Records: uint32(n), Root: rootOf(blobs[:n])}
		headers := sha256.New()
		for _, blob := range blobs[:n] {
			headers.Write(blob[:headerBytes])
		}
		table.Headers = [32]byte(headers.Sum(nil))
		if !sums.areOf(table) {
			t.Errorf("%d messages", n)
		}
		for _, change := range []func(t *mailTable){func(t *mailTable) { t.Root[3] ^= 1 }, func(t *mailTable) { t.Headers[3] ^= 1 }, func(t *mailTable) { t.Records++ }} {
			other := *table
			change(&other)
			if sums.areOf(&other) {
				t.Errorf("%d messages of another table", n)
			}
		}
	}
	head := slices.Concat([]byte{1}, make([]byte, 40), []byte{0, 0, 0, 0, 0, 0, 0, 9})
	table := slices.Concat(make([]byte, 7), []byte{9}, make([]byte, 7), []byte{1}, []byte{0, 0, 0, 1}, make([]byte, 32), make([]byte, headerBytes))
	if p, err := readHeaders(slices.Concat(head, table)); err != nil || p.reached != 9 || len(p.tables) != 1 || len(p.tables[0].headers) != headerBytes {
		t.Errorf("%+v, %v", p, err)
	}
	none := slices.Clone(table)
	none[19] = 0
	for _, wrong := range [][]byte{nil, head[1:], head[:48], slices.Concat([]byte{2}, head[1:]), slices.Concat(head, table[:40]), slices.Concat(head, table[:len(table)-1]), slices.Concat(head, none)} {
		if _, err := readHeaders(wrong); codeOf(err) != "malformed-request" {
			t.Errorf("%x: %v", wrong, err)
		}
	}
	if all, err := readRecords(slices.Concat([]byte{1, 0, 0, 0, 0, 0, 0, 0, 7}, blobs[2])); err != nil || len(all) != 1 || all[0].number != 7 || !bytes.Equal(all[0].blob, blobs[2]) {
		t.Error(err)
	}
	for _, wrong := range [][]byte{nil, {2}, make([]byte, recordBytes), append([]byte{1}, make([]byte, recordBytes-1)...)} {
		if _, err := readRecords(wrong); codeOf(err) != "malformed-request" {
			t.Errorf("%d bytes: %v", len(wrong), err)
		}
	}
}

func roundTrip(s tableSums) (out tableSums, err error) { return out, decode(encode(&s), &out) }

// rootOf is the Merkle root as RFC 6962 defines it.
func rootOf(blobs [][]byte) [32]byte {
	if len(blobs) == 1 {
		return sha256.Sum256(append([]byte{0}, blobs[0]...))
	}
	split := 1
	for 2*split < len(blobs) {
		split *= 2
	}
	left, right := rootOf(blobs[:split]), rootOf(blobs[split:])
	return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}

// digests are those that a table with these messages has.
func (s *tableSums) digests() (headers, root [32]byte) {
	h := sha256.New()
	if h.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(s.Headers) != nil {
		return headers, root
	}
	return [32]byte(h.Sum(nil)), s.root()
}

// Messages are detected by their headers alone, as the test that opens them tells.
//
//spec:id F-08
func TestHeadersTellTheirReader(t *testing.T) {
	w := newWorld()
	w.fund(1, 1)
	own, others := w.secrets(testPhrase), w.secrets(otherPhrase)
	if header := w.mailbox[0][:headerBytes]; !newDetector(own.receiving).detects(header) || newDetector(others.receiving).detects(header) {
		t.Error("a header of another reader")
	}
}

//spec:id W-37
func TestScheduleOfQueries(t *testing.T) {
	const hour, now = 60 * 60 * second, 1000 * day
	pause := func() uint64 { return hour }
	for name, c := range map[string]struct {
		planned uint64
		opened  bool
		queries int
		next    uint64
	}{
		"whose time has passed":    {now - 5*hour, false, 6, now + hour},
		"those of a day":           {now - 90*day, false, queriesADay, now + hour},
		"none is due":              {now + 1, false, 0, now + 1},
		"the first":                {0, true, 1, now + hour},
		"of an opening":            {now + hour, true, 1, now + 2*hour},
		"none is left for the day": {now + day + 1, true, 0, now + day + 1},
		"the clock was set back":   {now + 90*day, false, 1, now + hour},
		"due, and just opened":     {now, true, 1, now + hour},
		"set back by a little":     {now + day + longestQuiet, false, 0, now + day + longestQuiet},
	} {
		if queries, next := queriesAt(c.planned, c.opened, now, pause); queries != c.queries || next != c.next {
			t.Errorf("%s: %d queries, the next in %d", name, queries, int64(next)-now)
		}
	}
}

// What a wallet among a million tests in a day is measured here.
func BenchmarkDetection(b *testing.B) {
	w := newWorld()
	w.fund(1, 1)
	d := newDetector(w.secrets(otherPhrase).receiving)
	for b.Loop() {
		d.detects(w.mailbox[0])
	}
}
