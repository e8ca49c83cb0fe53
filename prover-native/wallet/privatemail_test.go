package wallet

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The gateway's tables of a network's mailbox, and four replicas that hold the same tables and answer queries.

type fakeTable struct {
	node    uint8
	table   mailTable
	numbers []uint64
	blobs   [][]byte
	before  mailState
}

type fakeMail struct {
	world *world
	// nodes are those of messages by their digests; the others are in 1.
	nodes  map[[32]byte]uint8
	tables []fakeTable
	list   mailList
	taken  int
	// asked are the authorities that each query asked.
	asked [][]uint8
	// lies says that the first one that a query asks answers wrongly.
	lies bool
	away bool
	// swapped says that the gateway gives the answer to one share as that to another.
	swapped        bool
	signers        int
	note           string
	noList         bool
	spoilHeaders   bool
	spoilRecords   bool
	leavesTableOut bool
	// shortPages says that a page of headers has one table, and one of messages has two.
	shortPages bool
	routes     []string
}

func replicaSecret(i int) *ecdh.PrivateKey {
	return must(ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{byte(50 + i)}, keyBytes)))
}

func listKey(i int) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(60 + i)}, keyBytes))
}

func testReplicas() []replica { return someReplicas(4) }

func someReplicas(n int) (all []replica) {
	for i := 1; i <= n; i++ {
		all = append(all, replica(slices.Concat(replicaSecret(i).PublicKey().Bytes(), listKey(i).Public().(ed25519.PublicKey))))
	}
	return all
}

// pinning gives the wallets of a test another profile.
func pinning(t testing.TB, change func(p *profile)) {
	t.Helper()
	a := committee()
	before := a.profile
	set := func(p profile) {
		a.profile = p
		verified.profile = sha256.Sum256(encode(&p))
	}
	t.Cleanup(func() { set(before) })
	after := before
	change(&after)
	set(after)
}

// inPrivate is a wallet that has begun to read by private queries, and whose next query is not due for half an hour.
func inPrivate(t testing.TB, bits uint8) (*host, *fakeMail) {
	t.Helper()
	pinning(t, func(p *profile) { p.Replicas, p.MailboxBits = testReplicas(), bits })
	w := newWorld()
	w.register(testPhrase)
	w.fund(first, 1)
	w.fund(other, 2)
	m := &fakeMail{world: w, nodes: map[[32]byte]uint8{}, signers: 4}
	h := newHost(t, w, testPhrase)
	h.instead = m.serve
	if code := h.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatal(code)
	}
	m.pass(h, 5)
	m.quiet(h)
	return h, m
}

var receptions int

func (h *host) receives(code string) {
	h.t.Helper()
	receptions++
	if got := h.command(&command{ID: fmt.Sprint("read ", receptions), Kind: commandReceive}); got != code {
		h.t.Fatalf("%q instead of %q", got, code)
	}
}

// quiet goes on until nothing waits, and no query is due for half an hour.
func (m *fakeMail) quiet(h *host) {
	h.t.Helper()
	h.receives("")
	for range 1000 {
		if v := h.view().Mail; v.Waiting == 0 && v.NextQuery > h.clock+30*60*second {
			return
		}
		m.atNextQuery(h)
	}
	h.t.Fatal("it does not become quiet")
}

func (m *fakeMail) atNextQuery(h *host) {
	h.t.Helper()
	h.clock = max(h.clock, h.view().Mail.NextQuery)
	m.close(h.clock)
	h.receives("")
}

// pass lets minutes pass; what was posted is in tables.
func (m *fakeMail) pass(h *host, minutes uint64) {
	h.clock += minutes * 60 * second
	m.close(h.clock)
}

func (m *fakeMail) nodeOf(blob []byte) uint8 { return max(1, m.nodes[digestOf(blob)]) }

// close makes a table of each node that got messages.
func (m *fakeMail) close(now uint64) {
	closed := now / second
	if closed <= m.list.Closed {
		return
	}
	fresh := map[uint8][]uint64{}
	for i := m.taken; i < len(m.world.mailbox); i++ {
		node := m.nodeOf(m.world.mailbox[i])
		fresh[node] = append(fresh[node], uint64(i+1))
	}
	states := map[uint8]mailState{}
	for _, s := range m.list.States {
		states[s.Node] = s.State
	}
	for _, node := range slices.Sorted(maps.Keys(fresh)) {
		f := fakeTable{node: node, numbers: fresh[node], before: states[node]}
		headers := sha256.New()
		for _, n := range f.numbers {
			f.blobs = append(f.blobs, m.world.mailbox[n-1])
			headers.Write(m.world.mailbox[n-1][:headerBytes])
		}
		f.table = mailTable{closed, f.numbers[0], uint32(len(f.blobs)), [32]byte(headers.Sum(nil)), rootOf(f.blobs)}
		states[node] = must(f.before.after(node, &f.table))
		m.tables = append(m.tables, f)
	}
	m.taken = len(m.world.mailbox)
	m.setList(closed, states)
}

func (m *fakeMail) setList(closed uint64, states map[uint8]mailState) {
	m.list = mailList{Closed: closed}
	for _, node := range slices.Sorted(maps.Keys(states)) {
		m.list.States = append(m.list.States, nodeState{node, states[node]})
	}
}

// cutOff: the mailbox, and its tables, come back from a backup with so many messages.
func (m *fakeMail) cutOff(messages int) {
	m.world.mailbox = m.world.mailbox[:messages:messages]
	m.tables = slices.DeleteFunc(m.tables, func(f fakeTable) bool { return f.numbers[0] > uint64(messages) })
	states := map[uint8]mailState{}
	for i := range m.tables {
		f := &m.tables[i]
		states[f.node] = must(f.before.after(f.node, &f.table))
	}
	m.taken = messages
	m.setList(m.list.Closed, states)
}

func (m *fakeMail) newest() string {
	text := m.world.net.writeMailList(&m.list)
	note := text + "\n"
	for i := 1; i <= m.signers; i++ {
		name, key := fmt.Sprintf("solidus-replica-%d", i), listKey(i)
		sum := sha256.Sum256(append([]byte(name+"\n\x01"), key.Public().(ed25519.PublicKey)...))
		note += fmt.Sprintf("\u2014 %s %s\n", name, base64.StdEncoding.EncodeToString(append(sum[:4:4], ed25519.Sign(key, []byte(text))...)))
	}
	return note
}

// serve answers for the mailbox, and leaves everything else to the world.
func (m *fakeMail) serve(x *exchange) (uint16, []byte) {
	at := must(url.Parse(x.Path))
	if !strings.HasPrefix(at.Path, "/v1/mailbox") {
		return 0, nil
	}
	status, body := m.answer(x, at)
	m.routes = append(m.routes, fmt.Sprintf("%s %s, %d bytes, %d %d bytes", x.Method, x.Path, len(x.Body), status, len(body)))
	return status, body
}

func (m *fakeMail) answer(x *exchange, at *url.URL) (uint16, []byte) {
	number := func(name string) uint64 { return must(strconv.ParseUint("0"+at.Query().Get(name), 10, 64)) }
	switch parts := strings.Split(at.Path, "/"); {
	case at.Path == "/v1/mailbox" && x.Method == http.MethodPost:
		return m.posted(x.Body)
	case at.Path == "/v1/mailbox":
		return 0, nil
	case at.Path == "/v1/mailbox/tables/note" && m.noList:
		return problem(404, "not-found")
	case at.Path == "/v1/mailbox/tables/note" && m.note != "":
		return 200, []byte(m.note)
	case at.Path == "/v1/mailbox/tables/note":
		return 200, []byte(m.newest())
	case at.Path == "/v1/mailbox/queries":
		return 200, m.query(x.Body)
	case parts[3] == "buckets":
		return 200, m.bucket(uint8(must(strconv.Atoi(parts[4]))), number("after"))
	case parts[5] == "headers":
		return 200, m.headers(uint8(must(strconv.Atoi(parts[4]))), number("after"), number("upto"))
	default:
		return 200, m.records(uint8(must(strconv.Atoi(parts[4]))), number("after"), number("upto"), int(number("limit")))
	}
}

func (m *fakeMail) posted(body []byte) (uint16, []byte) {
	var j struct {
		Blob   b64
		Bucket uint8
	}
	if json.Unmarshal(body, &j) != nil {
		return problem(400, "malformed-request")
	}
	m.nodes[digestOf(j.Blob)] = j.Bucket
	at := slices.IndexFunc(m.world.mailbox, func(b []byte) bool { return bytes.Equal(b, j.Blob) })
	return 200, fmt.Appendf(nil, `{"sequence":%d}`, at+1)
}

func (m *fakeMail) bucket(own uint8, after uint64) []byte {
	all := m.world.mailbox
	out := make([]byte, 1+32)
	out[0] = 1
	if after > 0 && after <= uint64(len(all)) {
		d := digestOf(all[after-1])
		copy(out[1:], d[:])
	}
	next, last := max(after, uint64(len(all))), [32]byte{}
	if len(all) > 0 && next == uint64(len(all)) {
		last = digestOf(all[next-1])
	}
	out = append(binary.BigEndian.AppendUint64(out, next), last[:]...)
	for i := int(after); i < len(all); i++ {
		if readsNode(own, m.nodeOf(all[i])) {
			out = append(binary.BigEndian.AppendUint64(out, uint64(i+1)), all[i]...)
		}
	}
	return out
}

func (m *fakeMail) headers(node uint8, after, upto uint64) []byte {
	var tables []*fakeTable
	for i := range m.tables {
		if f := &m.tables[i]; f.node == node && f.table.Closed > after && f.table.Closed <= upto {
			tables = append(tables, f)
		}
	}
	if m.leavesTableOut && len(tables) > 0 {
		tables = tables[1:]
	}
	reached := upto
	if m.shortPages && len(tables) > 1 {
		tables = tables[:1]
		reached = tables[0].table.Closed
	}
	before := mailState{}
	if len(tables) > 0 {
		before = tables[0].before
	}
	out := append([]byte{1}, before.Digest[:]...)
	out = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(out, before.Closed), reached)
	for _, f := range tables {
		out = binary.BigEndian.AppendUint64(out, f.table.Closed)
		out = binary.BigEndian.AppendUint64(out, f.table.First)
		out = binary.BigEndian.AppendUint32(out, f.table.Records)
		out = append(out, f.table.Root[:]...)
		for _, blob := range f.blobs {
			out = append(out, blob[:headerBytes]...)
		}
	}
	if m.spoilHeaders {
		out[len(out)-1] ^= 1
	}
	return out
}

func (m *fakeMail) records(node uint8, after, upto uint64, limit int) []byte {
	out, n := []byte{1}, 0
	if m.shortPages {
		limit = 2
	}
	for i := range m.tables {
		f := &m.tables[i]
		if f.node != node || f.table.Closed > upto {
			continue
		}
		for j, number := range f.numbers {
			if number > after && n < limit {
				out = append(binary.BigEndian.AppendUint64(out, number), f.blobs[j]...)
				n++
			}
		}
	}
	if m.spoilRecords {
		out[1+8+700] ^= 1
	}
	return out
}

func (m *fakeMail) query(body []byte) []byte {
	var j struct{ Shares []shareJSON }
	if err := json.Unmarshal(body, &j); err != nil {
		panic(err)
	}
	var answers []map[string]any
	var asked []uint8
	for i := range j.Shares {
		s := &j.Shares[i]
		asked = append(asked, s.Authority)
		query, key, err := m.world.net.openShare(replicaSecret(int(s.Authority)), s.Authority, s.Key, s.Share)
		if err != nil {
			panic(err)
		}
		sum := m.sum(query)
		if m.lies && i == 0 {
			sum[100] ^= 1
		}
		one := map[string]any{"authority": s.Authority, "sealedAnswer": b64(sealAnswer(key, key[:12], sum)), "code": nil}
		if m.away {
			one["sealedAnswer"], one["code"] = nil, "unavailable"
		}
		answers = append(answers, one)
	}
	if m.swapped {
		answers[0]["sealedAnswer"], answers[1]["sealedAnswer"] = answers[1]["sealedAnswer"], answers[0]["sealedAnswer"]
	}
	m.asked = append(m.asked, asked)
	return must(json.Marshal(map[string]any{"answers": answers}))
}

// sum is a replica's, bit by bit over every message of the window.
func (m *fakeMail) sum(query []byte) []byte {
	node, after, upto := query[1], binary.BigEndian.Uint64(query[2:]), binary.BigEndian.Uint64(query[10:])
	var window []dayTable
	var tables []*fakeTable
	for i := range m.tables {
		if f := &m.tables[i]; f.node == node && f.table.Closed > after && f.table.Closed <= upto {
			window, tables = append(window, dayTable{f.table.Closed, f.table.Records}), append(tables, f)
		}
	}
	bits := must(bitsOf(query[50:], bitBytes(window)))
	sum := make([]byte, blobSize)
	for _, f := range tables {
		for i, blob := range f.blobs {
			if bit := must(bitOf(window, f.table.Closed, uint32(i))); bits[bit/8]>>(bit%8)&1 == 1 {
				sum = xor(sum, blob)
			}
		}
	}
	return sum
}

// readsWhole reports whether messages were read otherwise than by queries.
func (m *fakeMail) readsWhole() bool {
	return slices.ContainsFunc(m.routes, func(r string) bool {
		return strings.Contains(r, "/records") || strings.Contains(r, "/buckets/") || strings.HasPrefix(r, "GET /v1/mailbox?")
	})
}

// A payment is told at once, and comes with the next query, from f+1 authorities.
//
//spec:id W-36
//spec:id W-37
//spec:id W-64
func TestAPaymentComesWithTheNextQuery(t *testing.T) {
	h, m := inPrivate(t, 0)
	before := h.view()
	h.world.fund(7, 3)
	m.pass(h, 5)
	m.routes, m.asked = nil, nil
	h.receives("")
	v := h.view()
	if v.total() != before.total() || v.Mail.Waiting != 1 || !v.Mail.Private || v.Mail.UpTo != h.clock/second*second || len(m.asked) != 0 {
		t.Fatalf("%+v, %d queries", v.Mail, len(m.asked))
	}
	m.atNextQuery(h)
	if v = h.view(); v.total() != before.total()+7 || v.Mail.Waiting != 0 || len(m.asked) == 0 || m.readsWhole() {
		t.Errorf("%+v, %d queries, %v", v.Mail, len(m.asked), m.routes)
	}
	for range 20 {
		m.atNextQuery(h)
	}
	pairs := map[string]bool{}
	for _, one := range m.asked {
		if len(one) != 2 || one[0] == one[1] {
			t.Errorf("a query asked %v", one)
		}
		pairs[string(one)] = true
	}
	if len(pairs) < 4 {
		t.Errorf("%d pairs of authorities: they are not drawn", len(pairs))
	}
}

// A wallet that was just opened asks at once, and once.
//
//spec:id W-37
func TestAnOpenedWalletAsksOnce(t *testing.T) {
	h, m := inPrivate(t, 0)
	h.world.fund(7, 3)
	m.pass(h, 5)
	h.session++
	for i, wanted := range []int{1, 1, 1} {
		if i == 0 {
			m.asked = nil
		}
		h.receives("")
		if len(m.asked) != wanted {
			t.Errorf("reading %d: %d queries", i, len(m.asked))
		}
	}
	if v := h.view(); v.total() != first+other+7 {
		t.Errorf("%d", v.total())
	}
}

// With mail and without, a wallet makes the same requests, of the same sizes, at the same times, and keeps a state of the same length
// before each of them.
//
//spec:id W-36
//spec:id W-37
//spec:id W-64
func TestTheSameRequestsWithMailAsWithout(t *testing.T) {
	for _, minutes := range []uint64{5, 20 * 60, 3 * 24 * 60} {
		var seen [][]string
		for _, phrase := range []string{testPhrase, otherPhrase} {
			h, m := inPrivate(t, 0)
			for i := range 3 {
				h.world.post(h.world.secrets(phrase), (&parcel{Kind: parcelPayment, Value: 7, Rho: [32]byte{31: byte(100 + i)}, Time: testNow}).encode())
			}
			// half of them is of the last day, where the wallet slept for longer
			m.pass(h, minutes)
			h.world.post(h.world.secrets(phrase), (&parcel{Kind: parcelPayment, Value: 8, Rho: [32]byte{31: 99}, Time: testNow}).encode())
			m.pass(h, 5)
			var all []string
			m.routes = nil
			h.before = func(x *exchange) {
				all = append(all, fmt.Sprintf("%d: %s %s, %d, state of %d", h.clock, x.Method, strings.Split(x.Path, "?")[0], len(x.Body), len(h.disk)))
			}
			h.receives("")
			all = append(all, m.routes...)
			if minutes == 5 != (h.view().Mail.Waiting == 4) && phrase == testPhrase {
				t.Errorf("%d minutes: %+v", minutes, h.view().Mail)
			}
			seen = append(seen, all)
		}
		if !slices.Equal(seen[0], seen[1]) {
			t.Errorf("after %d minutes, with mail and without:\n%s\n\n%s", minutes, strings.Join(seen[0], "\n"), strings.Join(seen[1], "\n"))
		}
		if minutes > 60 && !slices.ContainsFunc(seen[0], func(s string) bool { return strings.Contains(s, "queries") }) {
			t.Errorf("no query in %d minutes", minutes)
		}
	}
}

// What lying and silent replicas cost is another query, at a time that was drawn before.
//
//spec:id W-37
//spec:id W-64
func TestALyingReplicaCostsAnotherQuery(t *testing.T) {
	for name, set := range map[string]func(m *fakeMail, on bool){
		"a lie": func(m *fakeMail, on bool) { m.lies = on }, "silence": func(m *fakeMail, on bool) { m.away = on },
		"swapped": func(m *fakeMail, on bool) { m.swapped = on },
	} {
		h, m := inPrivate(t, 0)
		h.world.fund(7, 3)
		m.pass(h, 5)
		h.receives("")
		set(m, true)
		m.asked = nil
		m.atNextQuery(h)
		if v := h.view(); v.Mail.Waiting != 1 || v.total() != first+other || v.Mail.NextQuery <= h.clock || len(m.asked) == 0 || len(m.asked) > 3 {
			t.Errorf("%s: %+v, %d queries", name, v.Mail, len(m.asked))
		}
		set(m, false)
		m.atNextQuery(h)
		if v := h.view(); v.Mail.Waiting != 0 || v.total() != first+other+7 {
			t.Errorf("%s, afterwards: %+v", name, v.Mail)
		}
	}
}

// What a gateway shows that no list says is not read, and the place stays.
//
//spec:id W-36
//spec:id W-64
func TestWhatNoListSaysIsNotRead(t *testing.T) {
	for name, c := range map[string]struct {
		set   func(m *fakeMail)
		slept uint64
	}{
		"two signatures":        {func(m *fakeMail) { m.signers = 2 }, 0},
		"other headers":         {func(m *fakeMail) { m.spoilHeaders = true }, 0},
		"a table is left out":   {func(m *fakeMail) { m.leavesTableOut = true }, 0},
		"another message":       {func(m *fakeMail) { m.spoilRecords = true }, 3 * 24 * 60},
		"short pages, and lies": {func(m *fakeMail) { m.spoilRecords, m.shortPages = true, true }, 3 * 24 * 60},
	} {
		h, m := inPrivate(t, 0)
		h.world.fund(7, 3)
		m.pass(h, 5)
		h.world.fund(8, 4)
		m.pass(h, 5+c.slept)
		before := h.view().Mail
		honest := *m
		c.set(m)
		m.asked = nil
		if receptions++; h.command(&command{ID: fmt.Sprint("read ", receptions), Kind: commandReceive}) != "gateway-misbehaved" {
			t.Errorf("%s is read", name)
		}
		if v := h.view().Mail; v != before || len(m.asked) != 0 {
			t.Errorf("%s: %+v, before %+v", name, v, before)
		}
		*m = honest
		m.shortPages = true
		h.receives("")
		m.quiet(h)
		if v := h.view(); v.total() != first+other+15 {
			t.Errorf("%s: %d afterwards", name, v.total())
		}
	}
}

// Lists that are withheld stop a wallet, and its owner may read whole. Only she.
//
//spec:id W-38
//spec:id W-64
func TestWithheldListsStopAndTheOwnerReadsWhole(t *testing.T) {
	h, m := inPrivate(t, 0)
	old := m.newest()
	h.world.fund(7, 3)
	m.pass(h, 65)
	m.routes, m.asked = nil, nil
	m.note = old
	h.receives("mailbox-stale")
	m.note, m.noList = "", true
	h.receives("mailbox-stale")
	if len(m.asked) != 0 || m.readsWhole() || h.view().total() != first+other {
		t.Errorf("%v", m.routes)
	}
	if code := h.command(&command{ID: "whole", Kind: commandReceiveWhole}); code != "" || h.view().total() != first+other+7 || !m.readsWhole() {
		t.Errorf("%q, %d", code, h.view().total())
	}
	m.noList = false
	h.receives("")
	m.quiet(h)
	// an older list of the last hour changes nothing
	upTo := h.view().Mail.UpTo
	recent := m.newest()
	m.pass(h, 5)
	h.receives("")
	m.note = recent
	h.receives("")
	if v := h.view().Mail; v.UpTo <= upTo {
		t.Errorf("%+v", v)
	}
}

// What waited for a day is overdue: no query reaches it, and reading whole brings it.
//
//spec:id W-36
func TestWhatWaitedForADayIsTold(t *testing.T) {
	h, m := inPrivate(t, 0)
	h.world.fund(7, 3)
	m.pass(h, 5)
	m.away = true
	for range 26 {
		h.receives("")
		m.pass(h, 60)
	}
	if v := h.view(); v.Mail.Waiting != 0 || v.Mail.Overdue != 1 || v.total() != first+other {
		t.Errorf("%+v", v.Mail)
	}
	if code := h.command(&command{ID: "whole", Kind: commandReceiveWhole}); code != "" || h.view().total() != first+other+7 || h.view().Mail.Overdue != 0 {
		t.Errorf("%q, %+v", code, h.view().Mail)
	}
}

// A wallet that slept for days reads what is older than a day whole, and compares it with the list; a restored one reads all.
//
//spec:id W-36
func TestAWalletThatSleptReadsWhole(t *testing.T) {
	for _, short := range []bool{false, true} {
		h, m := inPrivate(t, 0)
		m.shortPages = short
		for i := range uint64(5) {
			h.world.fund(7, 10+i)
			if i%2 == 0 {
				m.pass(h, 5)
			}
		}
		m.pass(h, 3*24*60)
		m.routes = nil
		h.receives("")
		if v := h.view(); v.total() != first+other+35 || v.Mail.Waiting != 0 || !m.readsWhole() {
			t.Errorf("%+v, %v", v.Mail, m.routes)
		}
		again := newHost(t, h.world, testPhrase)
		again.instead, again.clock = m.serve, h.clock
		if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
			t.Fatal(code)
		}
		again.receives("")
		if v := again.view(); v.total() != first+other+35 || v.Mail.Waiting != 0 || v.Mail.UpTo == 0 {
			t.Errorf("%+v", v)
		}
	}
}

// A restored wallet of a shop would have no query left for a day if it asked for what the restore read.
//
//spec:id W-36
func TestARestoredWalletAsksForNothingAgain(t *testing.T) {
	h, m := inPrivate(t, 0)
	for i := range uint64(30) {
		h.world.fund(7, 10+i)
	}
	m.pass(h, 5)
	again := newHost(t, h.world, testPhrase)
	again.instead, again.clock = m.serve, h.clock
	if code := again.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
		t.Fatal(code)
	}
	again.receives("")
	if v := again.view(); v.total() != first+other+210 || v.Mail.Waiting != 0 || v.Mail.Overdue != 0 || v.Mail.UpTo == 0 {
		t.Errorf("%+v", v.Mail)
	}
	h.world.fund(5, 50)
	m.pass(again, 5)
	again.receives("")
	m.atNextQuery(again)
	if v := again.view(); v.total() != first+other+215 || v.Mail.Waiting != 0 {
		t.Errorf("%+v", v.Mail)
	}
}

// Its own post is found by its header and a query; one that is in no table after an hour is posted again, and not before.
//
//spec:id W-39
//spec:id W-64
func TestOwnPostsInTables(t *testing.T) {
	for _, lost := range []bool{false, true} {
		h, m := inPrivate(t, 0)
		if code := h.command(payment(h.world)); code != "" {
			t.Fatal(code)
		}
		posted := len(h.world.mailbox)
		if lost {
			posted--
			h.world.mailbox = h.world.mailbox[:posted:posted]
		}
		m.pass(h, 5)
		h.receives("")
		if len(h.world.mailbox) != posted {
			t.Errorf("lost %v: it is posted again within the hour", lost)
		}
		m.pass(h, 70)
		h.receives("")
		m.pass(h, 5)
		m.quiet(h)
		m.pass(h, 120)
		m.quiet(h)
		if lost {
			posted++
		}
		if len(h.world.mailbox) != posted || h.view().Undelivered != 0 {
			t.Errorf("lost %v: %d messages instead of %d", lost, len(h.world.mailbox), posted)
		}
		if p := payee(t, h.world); p.view().total() != paid {
			t.Errorf("lost %v: the payee has %d", lost, p.view().total())
		}
	}
}

// An own post that has another body in tables is posted again, once: a query shows it, or a wallet that slept reads it. One whose body did
// not come for a day counts as found.
//
//spec:id W-39
//spec:id W-64
func TestAnOwnPostWithAnotherBody(t *testing.T) {
	for name, c := range map[string]struct {
		replaced, away bool
		slept          uint64
		posts          int
	}{
		"asked for":           {true, false, 0, 1},
		"read whole":          {true, false, 3 * 24 * 60, 1},
		"as it was":           {false, false, 0, 0},
		"read whole as it is": {false, false, 3 * 24 * 60, 0},
		"no answer":           {false, true, 0, 0},
	} {
		h, m := inPrivate(t, 0)
		if code := h.command(payment(h.world)); code != "" {
			t.Fatal(code)
		}
		at := len(h.world.mailbox) - 1
		sent := h.world.mailbox[at]
		if c.replaced {
			h.world.mailbox[at] = bytes.Clone(sent)
			h.world.mailbox[at][700] ^= 1
		}
		m.away = c.away
		m.pass(h, 5)
		m.pass(h, c.slept)
		for range 3 * 24 {
			h.receives("")
			m.pass(h, 60)
		}
		if posts := len(h.world.mailbox) - at - 1; posts != c.posts || posts == 1 && !bytes.Equal(h.world.mailbox[at+1], sent) {
			t.Errorf("%s: it is posted %d times again", name, posts)
		}
	}
}

// Whoever knows an address can post to it more than a state holds. A reading keeps so many, tells of the others, and the owner reads
// whole. A state that is full takes what came.
//
//spec:id W-64
func TestAFloodStopsNoReading(t *testing.T) {
	before := maxKept
	maxKept = 10
	t.Cleanup(func() { maxKept = before })
	h, m := inPrivate(t, 6)
	junk := func(n int) {
		for i := range n {
			h.world.post(h.world.secrets(testPhrase), append([]byte{0, byte(i), byte(n)}, make([]byte, parcelBytes-3)...)) // opens, and is no parcel
		}
	}
	junk(8)
	h.world.fund(7, 3)
	junk(9)
	h.world.fund(9, 4)
	if code := h.command(payment(h.world)); code != "" { // to the root, as its copies may be
		t.Fatal(code)
	}
	m.pass(h, 5)
	h.receives("")
	if v := h.view(); v.total() != first+other-paid+7 || v.Mail.Overdue != 9 || v.Mail.Waiting != 0 {
		t.Errorf("%d, %+v", v.total(), v.Mail)
	}
	m.pass(h, 5)
	h.receives("")
	if v := h.view(); v.Mail.Overdue != 9 || v.Mail.Waiting != 0 {
		t.Errorf("%+v", v.Mail)
	}
	if code := h.command(&command{ID: "whole", Kind: commandReceiveWhole}); code != "" || h.view().total() != first+other-paid+16 || h.view().Mail.Overdue != 0 {
		t.Errorf("%q, %+v", code, h.view().Mail)
	}
}

// What a reading keeps is none of the history that fills a state.
//
//spec:id W-47
func TestAReadingIsNoHistory(t *testing.T) {
	g := &reading{Kept: make([]byte, 4_000*blobSize), Pad: make([]byte, readingPad), Next: &mailPlace{}}
	r := &run{machine: &machine{}, wallet: &wallet{Session: knowledge{Reading: g}}}
	r.state.Wallet = encode(r.wallet)
	with := r.history()
	g.Kept, g.Pad = nil, nil
	r.state.Wallet = encode(r.wallet)
	if without := r.history(); with != without {
		t.Errorf("%d with a reading, %d without", with, without)
	}
}

// A gateway shows headers of another list, and then those of the list, which continues the place: the wallet does not begin again, and
// reads nothing whole.
//
//spec:id W-36
//spec:id W-64
func TestAGatewayMakesNoWalletBeginAgain(t *testing.T) {
	for name, lie := range map[string]func(m *fakeMail){
		"other headers": func(m *fakeMail) { m.spoilHeaders = true }, "a table is left out": func(m *fakeMail) { m.leavesTableOut = true },
	} {
		h, m := inPrivate(t, 0)
		m.pass(h, 5)
		h.receives("")
		h.world.fund(7, 3)
		m.pass(h, 5)
		h.world.fund(8, 4)
		m.pass(h, 5)
		before := h.view().Mail
		shown := 0
		m.routes = nil
		h.before = func(x *exchange) {
			if m.spoilHeaders, m.leavesTableOut = false, false; strings.Contains(x.Path, "/headers") {
				if shown++; shown == 1 {
					lie(m)
				}
			}
		}
		h.receives("gateway-misbehaved")
		if v := h.view().Mail; v != before || m.readsWhole() || shown < 2 {
			t.Errorf("%s: %+v, before %+v, %v", name, v, before, m.routes)
		}
		h.before, m.spoilHeaders, m.leavesTableOut = nil, false, false
		h.receives("")
		m.quiet(h)
		if v := h.view(); v.total() != first+other+15 || m.readsWhole() {
			t.Errorf("%s: %d afterwards", name, v.total())
		}
	}
}

// A gateway says that another transfer spends the coin, and hides the signatures of the wallet's own: the wallet looks the coin up, finds
// its own transfer, and reads nothing whole. A transfer that it does not know has it read whole.
//
//spec:id W-36
//spec:id W-64
func TestAGatewayMakesNoWalletReadWhole(t *testing.T) {
	for _, known := range []bool{true, false} {
		h, m := inPrivate(t, 0)
		old := copied(h)
		lied := false
		h.instead = func(x *exchange) (uint16, []byte) {
			if x.Path == "/v1/transfers" && known && !lied {
				lied = true
				h.world.transfer(x.Body)
				return problem(409, "serial-conflict")
			}
			return m.serve(x)
		}
		m.routes = nil
		if code := h.command(payment(h.world)); code != "" || lied != known || m.readsWhole() {
			t.Errorf("known %v: %q, %v", known, code, m.routes)
		}
		if v := h.view(); v.total() != first+other-paid || v.InFlight || len(v.History) != 1 || h.world.reserved != 1 {
			t.Errorf("known %v: %+v", known, v)
		}
		if known {
			continue
		}
		old.world, old.clock, old.instead = h.world, h.clock, m.serve
		if code := old.command(&command{ID: "settle", Kind: commandSettle}); code != "" {
			t.Fatal(code)
		}
		c := payment(old.world)
		c.ID, c.Amount = "another", 10
		if code := old.command(c); code != "" || !m.readsWhole() || old.view().total() != first+other-paid-10 {
			t.Errorf("%q, %+v, %v", code, old.view(), m.routes)
		}
	}
}

// A mailbox that came back from a backup is read anew, and what it lost is posted again.
//
//spec:id W-36
//spec:id W-39
func TestAMailboxFromABackup(t *testing.T) {
	h, m := inPrivate(t, 0)
	backup := len(h.world.mailbox)
	if code := h.command(payment(h.world)); code != "" {
		t.Fatal(code)
	}
	m.pass(h, 5)
	m.quiet(h)
	m.cutOff(backup)
	m.pass(h, 5)
	h.receives("")
	if len(h.world.mailbox) != backup+1 {
		t.Errorf("%d messages", len(h.world.mailbox))
	}
	m.pass(h, 5)
	m.quiet(h)
	if v := h.view(); v.total() != first+other-paid || v.Undelivered != 0 {
		t.Errorf("%+v", v)
	}
}

// In a divided mailbox the wallet reads the headers of its bucket, and messages above and below it whole.
//
//spec:id W-36
func TestADividedMailbox(t *testing.T) {
	h, m := inPrivate(t, 6)
	k := h.world.secrets(testPhrase)
	own := h.world.net.bucket(6, bytes32(&k.apk))
	h.world.fund(7, 3)
	m.nodes[digestOf(h.world.mailbox[len(h.world.mailbox)-1])] = own
	h.world.fund(9, 4) // to all
	m.pass(h, 5)
	m.routes = nil
	h.receives("")
	v := h.view()
	if v.total() != first+other+9 || v.Mail.Waiting != 1 || !slices.ContainsFunc(m.routes, func(s string) bool { return strings.Contains(s, fmt.Sprintf("/%d/headers", own)) }) {
		t.Errorf("%d, %+v, %v", v.total(), v.Mail, m.routes)
	}
	m.quiet(h)
	if v := h.view(); v.total() != first+other+16 {
		t.Errorf("%d", v.total())
	}
}

// Whatever happens to a process, what was posted comes, once, and no query is repeated by another process.
//
//spec:id W-37
//spec:id W-64
func TestEveryCutOfAPrivateReading(t *testing.T) {
	start, m := inPrivate(t, 0)
	start.world.fund(7, 3)
	m.pass(start, 5)
	start.receives("")
	start.clock = start.view().Mail.NextQuery
	m.close(start.clock)
	for _, kind := range []mishap{killBefore, killAfter, killDone, lose, twice} {
		cuts := 0
		for at := 1; ; at++ {
			h := copied(start)
			h.instead = m.serve
			hit := false
			h.fault = func(point int) mishap {
				if point == at {
					hit = true
					return kind
				}
				return none
			}
			h.receives("")
			h.fault = nil
			m.quiet(h)
			if v := h.view(); v.total() != first+other+7 || v.Mail.Waiting != 0 || len(v.Coins) != 3 {
				t.Errorf("mishap %d at %d: %+v", kind, at, v)
			}
			if !hit {
				break
			}
			cuts++
		}
		if cuts < 8 {
			t.Errorf("%d cuts", cuts)
		}
	}
}

// A state that comes back gives no bit of another query: for another record everything is drawn anew.
//
//spec:id W-64
func TestOneEntropyForTwoRecords(t *testing.T) {
	pinning(t, func(p *profile) { p.Replicas = testReplicas() })
	w := newWorld()
	k := w.secrets(testPhrase)
	m := &machine{net: w.net, keys: k}
	r := &run{machine: m, wallet: &wallet{Profile: w.profile}, moment: moment{Now: testNow, Entropy: [32]byte{5}}}
	place := &mailPlace{Bucket: 1, List: mailList{Closed: 100_000, States: []nodeState{{1, mailState{99_000, [32]byte{1}}}}}, Tables: []dayTable{{99_000, 500}}}
	seen := map[string]bool{}
	for _, one := range []askedFor{
		{draws: r.draws(), closed: 99_000, record: 3}, {draws: r.draws(), closed: 99_000, record: 4}, {draws: r.draws(), number: 1, closed: 99_000, record: 3},
	} {
		body, shares, err := r.query(place, &one)
		if err != nil || len(shares) != 2 {
			t.Fatal(err)
		}
		var j struct{ Shares []shareJSON }
		if json.Unmarshal(body, &j) != nil {
			t.Fatal("a query")
		}
		for i := range j.Shares {
			query, _, err := w.net.openShare(replicaSecret(int(j.Shares[i].Authority)), j.Shares[i].Authority, j.Shares[i].Key, j.Shares[i].Share)
			if err != nil || seen[string(query[50:])] || seen[string(j.Shares[i].Key)] {
				t.Errorf("%v, or what another query has", err)
			}
			seen[string(query[50:])], seen[string(j.Shares[i].Key)] = true, true
			if wrong := j.Shares[i].Authority%4 + 1; wrong != j.Shares[i].Authority {
				if _, _, err := w.net.openShare(replicaSecret(int(wrong)), wrong, j.Shares[i].Key, j.Shares[i].Share); err == nil {
					t.Error("another authority opens a share")
				}
			}
		}
	}
}

// A wallet of a former version, or one whose services name replicas later, takes them and reads in private.
//
//spec:id W-34
//spec:id W-64
func TestReplicasThatComeLater(t *testing.T) {
	h := funded(t)
	h.disk = asFormer(t, version4, h.disk)
	before := committee().profile
	pinning(t, func(p *profile) { p.Replicas = testReplicas() })
	after := committee().profile
	if after.Replicas == nil || before.Replicas != nil {
		t.Fatal("profiles")
	}
	// both are known: what verifies them is not in these tests
	known := verified.profile
	verified.profile = sha256.Sum256(encode(&before))
	var s state
	if err := decode(h.disk, &s); err != nil || s.fromFormer() != nil {
		t.Fatal(err)
	}
	mc := &machine{state: s, net: h.world.net}
	verified.profile = known
	if err := mc.takeServices(moment{Now: h.clock}, &services{Replicas: testReplicas()}); err != nil {
		t.Fatal(err)
	}
	if err := mc.takeServices(moment{Now: h.clock}, &services{Replicas: testReplicas()[:3]}); err == nil {
		t.Error("three replicas")
	}
	h.disk = encode(&mc.state)
	m := &fakeMail{world: h.world, nodes: map[[32]byte]uint8{}, signers: 4}
	h.instead = m.serve
	m.pass(h, 5)
	h.receives("")
	h.world.fund(7, 3)
	m.pass(h, 5)
	h.receives("")
	m.quiet(h)
	if v := h.view(); v.total() != first+other+7 || !v.Mail.Private || v.Mail.UpTo == 0 {
		t.Errorf("%d, %+v", v.total(), v.Mail)
	}
}

// A query spends a token of its own; headers spend none.
//
//spec:id W-63
//spec:id W-64
func TestQueriesSpendTokens(t *testing.T) {
	pinning(t, func(p *profile) { p.Replicas, p.Origin = testReplicas(), tokenOrigin })
	w := newWorld()
	w.withTokens()
	w.decided = "approved"
	h := newHost(t, w, testPhrase)
	m := &fakeMail{world: w, nodes: map[[32]byte]uint8{}, signers: 4}
	h.instead = m.serve
	for _, c := range []*command{registering("Ada"), collecting("1")} {
		if code := h.command(c); code != "" {
			t.Fatal(code)
		}
	}
	m.pass(h, 5)
	h.receives("")
	m.pass(h, 12*60)
	m.asked = nil
	h.world.tokens.spent = map[string]map[string]bool{}
	h.receives("")
	if n := len(m.asked); n < 3 || len(h.world.tokens.spent) != min(n, tokenBatch) {
		t.Errorf("%d queries, %d tokens", n, len(h.world.tokens.spent))
	}
	for _, requests := range h.world.tokens.spent {
		if len(requests) != 1 {
			t.Errorf("a token with %d requests", len(requests))
		}
	}
}

// A day of a wallet among a million: 31,250 messages in the bucket, ten authorities, a reading each hour. It counts what gateway and
// wallet send, and the time that the core takes.
func BenchmarkPrivateDay(b *testing.B) {
	const messages, hours, authorities = 31_250, 24, 10
	pinning(b, func(p *profile) { p.Replicas = someReplicas(authorities) })
	random := rand.NewChaCha8([32]byte{1})
	for b.Loop() {
		w := newWorld()
		w.register(testPhrase)
		m := &fakeMail{world: w, nodes: map[[32]byte]uint8{}, signers: authorities}
		h := newHost(b, w, testPhrase)
		sent, served, longest := 0, time.Duration(0), time.Duration(0)
		var left time.Time
		h.instead = func(x *exchange) (uint16, []byte) {
			began := time.Now()
			longest = max(longest, began.Sub(left))
			status, body := m.serve(x)
			sent += len(x.Path) + len(x.Body) + len(body)
			left = time.Now()
			served += left.Sub(began)
			return status, body
		}
		pass := func(count int) {
			for i := range count {
				blob := make([]byte, blobSize)
				_, _ = random.Read(blob)
				w.mailbox = append(w.mailbox, blob)
				if i%(messages/288) == 0 {
					m.pass(h, 5)
				}
			}
		}
		if code := h.command(&command{ID: "restore", Kind: commandRestore}); code != "" {
			b.Fatal(code)
		}
		pass(messages)
		h.receives("")
		sent, served, longest, m.asked = 0, 0, 0, nil
		took := time.Duration(0)
		for range hours {
			pass(messages / hours)
			left = time.Now()
			began := left
			h.receives("")
			took += time.Since(began)
		}
		b.ReportMetric(float64(sent)/1e6, "MB/day")
		b.ReportMetric(float64((took - served).Milliseconds()), "core-ms/day")
		b.ReportMetric(float64(longest.Milliseconds()), "longest-ms")
		b.ReportMetric(float64(len(m.asked)), "queries/day")
	}
}
