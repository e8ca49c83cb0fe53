package wallet

import (
	"crypto/ecdh"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// Mail that is read so that no gateway, and no f authorities beside it, learn which messages are the wallet's. The headers of its bucket
// are read by every wallet of the bucket, and f+1 authorities are asked for bodies, whether or not there is mail.

const (
	// maxWaiting are more than forty days of queries. What comes beyond is overdue at once.
	maxWaiting = 1_000
	// maxHeaderPages are those of one node in a reading: 90 days have 281 among two million messages a day.
	maxHeaderPages = 1_000
	limitHeaders   = 3 << 20
	recordsAtOnce  = 500
	// readingPad: between the requests of a reading the state has the same length with mail as without, up to some fifty messages.
	readingPad   = 64 << 10
	waitingBytes = 8 + 4 + 32 + 1
)

// maxKept is how many messages a reading keeps of those that it reads whole: a state has a bound, and anybody can post more than it
// holds. Tests have a lower one.
var maxKept = 4_000

// waitingMail is a message of the last day whose header is the wallet's, or that it posted, and whose body it has not got.
type waitingMail struct {
	Closed uint64 // of its table
	Record uint32 // its place there, from 0
	Header [32]byte
	// Replaced says that a query brought another body than what the wallet posted under this header.
	Replaced bool
}

// mailPlace is where a wallet is that reads in private.
type mailPlace struct {
	Bucket uint8
	// List is that up to which it has read.
	List mailList
	// Tables are those of its bucket of the day before the list, the oldest first.
	Tables []dayTable
	// Waiting are in these tables, the oldest first.
	Waiting []waitingMail
	// Overdue waited for more than a day since the mailbox was last read whole: no query reaches them.
	Overdue uint32
	// Number is the highest that is known to be in a table: all up to it are.
	Number uint64
}

// reading is how far a command has read.
type reading struct {
	List mailList
	// Begins says that the wallet has no place: it reads the mailbox whole, and takes the list as its place.
	Begins bool
	Node   uint8
	Chain  *tableChain
	// Next is the place behind what was read.
	Next *mailPlace
	// Kept are messages of 1200 bytes that were read whole and may be this wallet's, or that it posted.
	Kept []byte
	// Overdue are headers of own posts that are in tables and that no query reaches, or that are beyond what is kept.
	Overdue   [][32]byte
	Done      bool
	Scheduled bool
	Queries   uint8
	Pad       []byte
}

// tableChain are tables of a node that lead from one state to another.
type tableChain struct {
	Node  uint8
	After uint64
	// Checks says that the list does not continue the place, and whether the gateway shows the list's tables at all.
	Checks  bool
	Reached uint64
	State   *mailState // behind the last table; none before the first one where the wallet knows none
	Found   []foundTable
	Own     []waitingMail
	Pages   uint32
	Ended   bool
	// What is read whole: so many tables, and messages of the next one.
	Whole uint32
	Last  uint64
	Sums  tableSums
}

type foundTable struct {
	mailTable
	Before mailState
}

// isPrivate reports whether the wallet reads by private queries.
func (r *run) isPrivate() bool { return len(r.Profile.Replicas) > 0 }

func (r *run) ownBucket() uint8 { return r.net.bucket(r.Profile.MailboxBits, bytes32(&r.keys.apk)) }

// readsNode reports whether a reader of one bucket gets what was posted to another: it is the same, above or below it.
func readsNode(own, posted uint8) bool {
	low, high := min(own, posted), max(own, posted)
	for high > low {
		high >>= 1
	}
	return high == low
}

// later is a time less so many seconds.
func later(time uint64) uint64 { return time - min(time, daySeconds) }

var errHeaders = refuse("gateway-misbehaved", "the headers are not those of the list")

// readPrivately reads on with private queries, once in a command. Headers and whole messages are read page by page, each in a commit;
// then the schedule is planned anew, queries leave one after the other, and what came is opened behind the last of them.
//
//spec:id W-64
func (r *run) readPrivately() error {
	g := r.Session.Reading
	switch {
	case r.Session.Private:
		return nil
	case g == nil:
		return r.beginReading()
	case g.Begins && !r.Session.Read:
		return r.readMailbox()
	case !g.Done:
		return r.readTables(g)
	case !g.Scheduled:
		return r.planQueries(g)
	default:
		return r.askForBodies(g)
	}
}

// beginReading takes the newest list.
func (r *run) beginReading() error {
	r.progress("mailbox", 0)
	note, err := r.ask(get("/v1/mailbox/tables/note"))
	if codeOf(err) == "not-found" {
		return refuse("mailbox-stale", "the gateway has no signed list of the mailbox's tables")
	}
	if err != nil {
		return err
	}
	list, err := r.net.signedMailList(string(note), r.Profile.Replicas)
	if err != nil {
		return refuse("gateway-misbehaved", err.Error())
	}
	if now := r.moment.Now; now > longestAge && list.Closed < (now-longestAge+second-1)/second {
		return refuse("mailbox-stale", "the newest signed list of the mailbox's tables is more than an hour old")
	}
	g := &reading{List: *list}
	r.Session.Reading = g
	switch m := r.Mail; {
	case m == nil || m.Bucket != r.ownBucket():
		r.beginAnew(g)
	case isSetBack(&m.List, list):
		r.startAgain()
		r.beginAnew(g)
	default:
		g.Next, g.Done = m, list.Closed <= m.List.Closed
	}
	return r.commitReading(g)
}

func (r *run) beginAnew(g *reading) {
	*g = reading{List: g.List, Begins: true}
	r.Session.Read = false
}

// startAgain: nothing is known of the mailbox any more, nor of what this wallet posted.
func (r *run) startAgain() {
	r.Place, r.Mail, r.Session.Bodies = nil, nil, nil
	for i := range r.Deliveries {
		r.Deliveries[i].Stage = min(r.Deliveries[i].Stage, stagePosted)
	}
}

// commitReading commits a state whose length does not depend on what is the wallet's.
func (r *run) commitReading(g *reading) error {
	g.Pad = make([]byte, readingPad-g.length()%readingPad)
	return r.commit()
}

// length is that of what depends on what is the wallet's.
func (g *reading) length() int {
	n := len(g.Kept) + 32*len(g.Overdue)
	if g.Next != nil {
		n += waitingBytes * len(g.Next.Waiting)
	}
	if g.Chain != nil {
		n += waitingBytes * len(g.Chain.Own)
	}
	return n
}

// readTables reads one page of headers or of messages, of one node after the other.
func (r *run) readTables(g *reading) error {
	own := r.ownBucket()
	if g.Chain == nil {
		if !r.nextNode(g, own) {
			g.Done = true
			return r.commitReading(g)
		}
	}
	c := g.Chain
	switch {
	case !c.Ended && c.Reached < g.List.Closed:
		return r.readHeaderPage(g, c)
	case !c.Ended:
		return r.endOfChain(g, c, c.leadsTo(g.List.state(c.Node)))
	}
	upto := g.List.Closed
	if c.Node == own {
		upto = later(upto)
	}
	if int(c.Whole) < len(c.Found) && c.Found[c.Whole].Closed <= upto {
		return r.readRecordPage(g, c, upto)
	}
	if c.Node == own {
		g.reachOwn(c, upto)
	}
	g.Next.reach(c)
	g.Chain = nil
	return r.commitReading(g)
}

// nextNode goes to the next node of the wallet's tree that has tables which it has not read.
func (r *run) nextNode(g *reading, own uint8) bool {
	if g.Begins {
		if g.Node == own {
			return false
		}
		g.Node = own
		g.Next = &mailPlace{Bucket: own}
		g.Chain = &tableChain{Node: own, After: later(g.List.Closed)}
		g.Chain.Reached = g.Chain.After
		return true
	}
	place := r.Mail
	for g.Node++; g.Node <= highestNode; g.Node++ {
		if !readsNode(own, g.Node) {
			continue
		}
		after, known := place.List.Closed, place.List.state(g.Node)
		if g.Node == own && g.List.Closed-after > daySeconds {
			// what waited a day before can be read whole only, and is, whether or not anything waited
			after = later(after)
			g.Chain = &tableChain{Node: own, After: after, Reached: after}
			return true
		}
		if g.List.state(g.Node) != known || g.Node == own {
			g.Chain = &tableChain{Node: g.Node, After: after, Reached: after, State: &known}
			if g.List.state(g.Node) == known {
				g.Chain.Ended = true // the time of its last tables moves on nevertheless
			}
			return true
		}
	}
	return false
}

func (r *run) readHeaderPage(g *reading, c *tableChain) error {
	if c.Pages++; c.Pages > maxHeaderPages {
		return errHeaders
	}
	q := get(fmt.Sprintf("/v1/mailbox/tables/%d/headers?after=%d&upto=%d", c.Node, c.Reached, g.List.Closed))
	q.limit = limitHeaders
	body, err := r.ask(q)
	if err != nil {
		return err
	}
	page, err := readHeaders(body)
	if err != nil || page.reached <= c.Reached || page.reached > g.List.Closed {
		return errHeaders
	}
	posted, mine := r.posted(), newDetector(r.keys.receiving)
	for i := range page.tables {
		t := &page.tables[i]
		if t.Closed <= c.Reached || t.Closed > page.reached {
			return errHeaders
		}
		if c.State == nil {
			c.State = &page.before
			if c.State.Closed > c.After {
				return r.endOfChain(g, c, false) // the first tables are left out, or have expired
			}
		}
		before := *c.State
		after, err := before.after(c.Node, &t.mailTable)
		if err != nil {
			return errHeaders
		}
		c.Reached, c.State = t.Closed, &after
		c.Found = append(c.Found, foundTable{t.mailTable, before})
		for record := range t.Records {
			header := t.headers[int(record)*headerBytes : int(record+1)*headerBytes]
			name, found := headerOf(header), mine.detects(header)
			if _, ok := posted[name]; ok || found {
				c.Own = append(c.Own, waitingMail{Closed: t.Closed, Record: record, Header: name})
			}
		}
	}
	c.Reached = page.reached
	return r.commitReading(g)
}

// leadsTo reports whether the tables lead to a state.
func (c *tableChain) leadsTo(wanted mailState) bool {
	if c.State == nil {
		return wanted.Closed <= c.After
	}
	return *c.State == wanted
}

// endOfChain goes on where the tables are those of the list. Otherwise the gateway has shown others, or the list does not continue that
// of the place: the mailbox came back from a backup, and what the wallet posted may be lost.
func (r *run) endOfChain(g *reading, c *tableChain, right bool) error {
	switch {
	case !right && (c.Checks || g.Begins):
		return errHeaders
	case right && c.Checks && r.Mail.List.Closed >= c.After && c.continues(g, r.Mail.List.state(c.Node)):
		return errHeaders // the list does continue the place: other headers were shown before
	case right && c.Checks:
		r.startAgain()
		r.beginAnew(g)
		return r.commitReading(g)
	case right && (g.Begins || c.continues(g, r.Mail.List.state(c.Node))):
		c.Ended = true
		if g.Begins {
			c.Whole = uint32(len(c.Found)) // the mailbox was read whole
		} else if len(c.Found) > 0 {
			c.Last = c.Found[0].First - 1
		}
		return r.commitReading(g)
	}
	after := later(g.List.Closed)
	g.Chain = &tableChain{Node: c.Node, After: after, Reached: after, Checks: true}
	return r.commitReading(g)
}

// continues reports whether tables that begin before the place go on from its state.
func (c *tableChain) continues(g *reading, known mailState) bool {
	if len(c.Found) == 0 {
		return g.List.state(c.Node) == known
	}
	return c.Found[0].Before == known || *c.State == known || slices.ContainsFunc(c.Found, func(t foundTable) bool { return t.Before == known })
}

func (r *run) readRecordPage(g *reading, c *tableChain, upto uint64) error {
	body, err := r.ask(get(fmt.Sprintf("/v1/mailbox/tables/%d/records?after=%d&upto=%d&limit=%d", c.Node, c.Last, g.List.Closed, recordsAtOnce)))
	if err != nil {
		return err
	}
	bad := refuse("gateway-misbehaved", "the messages of a table are not those of its list")
	page, err := readRecords(body)
	if err != nil || len(page) == 0 || len(page) > recordsAtOnce {
		return bad
	}
	posted, mine := r.posted(), newDetector(r.keys.receiving)
	for i := range page {
		if int(c.Whole) == len(c.Found) || c.Found[c.Whole].Closed > upto {
			break
		}
		t, one := &c.Found[c.Whole].mailTable, &page[i]
		if one.number <= c.Last || c.Sums.Records == 0 && one.number != t.First || t.Records > longestTable {
			return bad
		}
		c.Last = one.number
		c.Sums.add(one.blob)
		name, found := headerOf(one.blob), mine.detects(one.blob[:headerBytes])
		sent, own := posted[name]
		switch {
		case !own && !found:
		case len(g.Kept) < maxKept*blobSize:
			g.Kept = append(g.Kept, one.blob...)
		case own && sent == digestOf(one.blob):
			g.Overdue = append(g.Overdue, name)
		default:
			g.Next.Overdue++
		}
		if c.Sums.Records == t.Records {
			if !c.Sums.areOf(t) {
				return bad
			}
			c.Sums = tableSums{}
			c.Whole++
		}
	}
	return r.commitReading(g)
}

// reachOwn is the place behind tables of the wallet's bucket. What waited in those that were read whole waits no longer.
func (g *reading) reachOwn(c *tableChain, whole uint64) {
	p := *g.Next
	p.List, p.Tables, p.Waiting = g.List, nil, nil
	day, from := later(g.List.Closed), uint64(amountLimit)
	if len(c.Found) > 0 {
		from = c.Found[0].Closed
	}
	if g.Begins {
		c.Own = nil // read with the mailbox, by this command or an earlier one
	}
	known := slices.Concat(g.Next.Waiting, c.Own)
	var waiting []waitingMail
	for _, one := range g.Next.Waiting {
		if one.Closed < from {
			waiting = append(waiting, one)
		}
	}
	for _, one := range c.Own {
		if one.Closed > whole {
			waiting = append(waiting, one)
		}
	}
	left := map[[32]byte]bool{}
	for _, one := range waiting {
		switch {
		case one.Closed > day && len(p.Waiting) < maxWaiting:
			p.Waiting = append(p.Waiting, one)
			left[one.Header] = true
		case !one.Replaced: // a replaced one is posted again
			p.Overdue++
		}
	}
	for _, one := range known {
		if !one.Replaced && !left[one.Header] {
			g.Overdue = append(g.Overdue, one.Header)
		}
	}
	for _, t := range g.Next.Tables {
		if t.Closed < from && t.Closed > day {
			p.Tables = append(p.Tables, t)
		}
	}
	for i := range c.Found {
		if t := &c.Found[i]; t.Closed > day {
			p.Tables = append(p.Tables, dayTable{t.Closed, t.Records})
		}
	}
	g.Next = &p
}

func (p *mailPlace) reach(c *tableChain) {
	for i := range c.Found {
		p.Number = max(p.Number, c.Found[i].First)
	}
}

// without drops what waits under some headers.
func (p *mailPlace) without(headers [][32]byte) {
	p.Waiting = slices.DeleteFunc(slices.Clone(p.Waiting), func(w waitingMail) bool { return slices.Contains(headers, w.Header) })
}

// posted has the digests of what this wallet posted to its bucket and has not seen, by the names of their headers.
func (r *run) posted() map[[32]byte][32]byte {
	all := map[[32]byte][32]byte{}
	for i := range r.Deliveries {
		if d := &r.Deliveries[i]; d.Stage != stageSeen && d.Message.Header != [32]byte{} {
			all[d.Message.Header] = d.Message.Digest
		}
	}
	return all
}

// planQueries plans the schedule anew, before a query leaves.
func (r *run) planQueries(g *reading) error {
	drawn := 0
	pause := func() uint64 {
		drawn++
		return 1 + binary.BigEndian.Uint64(r.draws()("query-pause", 8, u32(uint32(drawn))))%longestQuiet
	}
	queries, next := queriesAt(r.NextQuery, r.Opened != r.state.Session, r.moment.Now, pause)
	g.Queries, g.Scheduled = uint8(queries), true
	r.NextQuery, r.Opened = next, r.state.Session
	g.Next.without(r.Session.Bodies)
	return r.commitReading(g)
}

// askedFor is a query that was made.
type askedFor struct {
	draws  draws // of its moment
	number int
	wanted *waitingMail
	closed uint64
	record uint32
	answer []byte // none where the query failed
}

// askForBodies makes the queries. Each asks for the oldest waiting message, or for a random one. What comes is opened behind the last
// request: that takes time which depends on what is the wallet's, and the gateway sees when each request comes.
func (r *run) askForBodies(g *reading) error {
	place := g.Next
	var asked []askedFor
	for i := range int(g.Queries) {
		if len(place.Tables) == 0 {
			break
		}
		one := askedFor{draws: r.draws(), number: i}
		one.closed, one.record = place.anyRecord(one.draws, i)
		if i < len(place.Waiting) {
			one.wanted = &place.Waiting[i]
			one.closed, one.record = one.wanted.Closed, one.wanted.Record
		}
		q := post("/v1/mailbox/queries", nil, "")
		q.spends = true
		var failed error
		q.write = func() []byte {
			var body []byte
			if body, _, failed = r.query(place, &one); failed != nil {
				return nil
			}
			return body
		}
		body, err := r.once(q)
		switch {
		case failed != nil:
			return failed
		case err != nil && codeOf(err) == "":
			return err
		case err == nil:
			one.answer = body
		}
		asked = append(asked, one)
	}
	return r.openBodies(g, asked)
}

// anyRecord is a random message of the last day.
func (p *mailPlace) anyRecord(d draws, number int) (closed uint64, record uint32) {
	total := uint64(0)
	for i := range p.Tables {
		total += uint64(p.Tables[i].Records)
	}
	at := binary.BigEndian.Uint64(d("query-record", 8, u32(uint32(number)))) % total
	for i := range p.Tables {
		t := &p.Tables[i]
		if at < uint64(t.Records) {
			return t.Closed, uint32(at)
		}
		at -= uint64(t.Records)
	}
	return 0, 0
}

type shareJSON struct {
	Authority uint8 `json:"authority"`
	Key       b64   `json:"encapsulatedKey"`
	Share     b64   `json:"sealedShare"`
}

// askedShare is what opens one answer.
type askedShare struct {
	authority uint8
	key       []byte
}

// query makes a query, each share sealed to its authority. Everything random is drawn from the moment's entropy, for this record of
// these tables: a generator that repeats itself does not give the same bits to two queries.
func (r *run) query(place *mailPlace, one *askedFor) (body []byte, shares []askedShare, err error) {
	replicas := r.Profile.Replicas
	servers := (len(replicas)-1)/3 + 1
	bit, err := bitOf(place.Tables, one.closed, one.record)
	if err != nil {
		return nil, nil, err
	}
	state := place.List.state(place.Bucket)
	of := [][]byte{binary.BigEndian.AppendUint64(nil, place.List.Closed), state.Digest[:], u32(uint32(one.number)), u32(uint32(bit))}
	below := func(label string, limit int) int {
		return int(binary.BigEndian.Uint64(one.draws(label, 8, of...)) % uint64(limit))
	}
	order := make([]uint8, len(replicas))
	for i := range order {
		order[i] = uint8(i + 1)
	}
	for i := range servers {
		j := i + below(fmt.Sprintf("query-authority-%d", i), len(order)-i)
		order[i], order[j] = order[j], order[i]
	}
	random := one.draws("query-seeds", seedLength*(servers-1), of...)
	defer clear(random)
	split, err := splitQuery(bit, bitBytes(place.Tables), below("query-long", servers), slices.Collect(slices.Chunk(random, seedLength)))
	if err != nil {
		return nil, nil, err
	}
	tables := &mailQuery{place.Bucket, later(place.List.Closed), place.List.Closed, state.Digest}
	var all struct {
		Shares []shareJSON `json:"shares"`
	}
	for i, share := range split {
		content := tables.encode(share)
		ephemeral, err := ecdh.X25519().NewPrivateKey(one.draws("query-key", keyBytes, append(of[:len(of):len(of)], []byte{order[i]}, content)...))
		if err != nil {
			return nil, nil, err
		}
		enc, sealed, key, err := r.net.sealShare(replicas[order[i]-1][:keyBytes], order[i], ephemeral, content)
		if err != nil {
			return nil, nil, err
		}
		all.Shares = append(all.Shares, shareJSON{order[i], enc, sealed})
		shares = append(shares, askedShare{order[i], key})
	}
	body, err = json.Marshal(&all)
	return body, shares, err
}

// sum is the message that answers add up to, or nothing when one is missing or cannot be read, which shows nothing of the record.
func sumOfAnswers(body []byte, shares []askedShare) []byte {
	var j struct {
		Answers []struct {
			Authority uint8 `json:"authority"`
			Sealed    b64   `json:"sealedAnswer"`
		} `json:"answers"`
	}
	if json.Unmarshal(body, &j) != nil || len(j.Answers) != len(shares) {
		return nil
	}
	var answers [][]byte
	for i := range shares {
		answer, err := openProof(shares[i].key, j.Answers[i].Sealed)
		if err != nil || j.Answers[i].Authority != shares[i].authority {
			return nil
		}
		answers = append(answers, answer)
	}
	sum, err := sumOf(answers)
	if err != nil {
		return nil
	}
	return sum
}

// openBodies opens what queries brought, and takes it with what was read whole and the new place, in one commit. A body that did not
// come, has another header or does not open waits behind the others.
func (r *run) openBodies(g *reading, asked []askedFor) error {
	place, posted := *g.Next, r.posted()
	var blobs [][]byte
	whole := map[[32]byte]bool{}
	for blob := range slices.Chunk(g.Kept, blobSize) {
		blobs = append(blobs, blob)
		whole[headerOf(blob)] = true
	}
	var again []waitingMail
	var got [][32]byte
	count := 0
	for i := range asked {
		one := &asked[i]
		if one.wanted == nil {
			continue
		}
		count++
		waits := *one.wanted
		var blob []byte
		if one.answer != nil {
			_, shares, err := r.query(&place, one)
			if err != nil {
				return err
			}
			blob = sumOfAnswers(one.answer, shares)
		}
		if blob == nil || headerOf(blob) != waits.Header {
			again = append(again, waits)
			continue
		}
		sent, own := posted[waits.Header]
		if own && sent == digestOf(blob) || r.net.openBlob(r.keys.receiving, blob) != nil {
			blobs, got = append(blobs, blob), append(got, waits.Header)
			continue
		}
		waits.Replaced = waits.Replaced || own
		again = append(again, waits)
	}
	place.Waiting = append(slices.Clone(place.Waiting[count:]), again...)
	place.without(got) // a message that was posted twice is in tables twice
	if err := r.accept(&page{blobs: blobs}); err != nil {
		return err
	}
	for i := range r.Deliveries {
		if d := &r.Deliveries[i]; d.Stage != stageSeen && slices.Contains(g.Overdue, d.Message.Header) && !whole[d.Message.Header] {
			r.isThere(d)
		}
	}
	if err := r.endOfMailbox(&place); err != nil {
		return err
	}
	r.Mail, r.Session.Reading, r.Session.Private = &place, nil, true
	return r.commit()
}

// longestWait is the time after which a posted message is in a table, if it is not lost.
const longestWait = 60 * 60 * second

// isLost reports whether a message is that a private reading should have shown: it is covered, not found, and does not wait.
func (d *delivery) isLost(p *mailPlace) bool {
	if slices.ContainsFunc(p.Waiting, func(w waitingMail) bool { return w.Header == d.Message.Header }) {
		return false
	}
	return max(d.First, d.Again)+longestWait < second*p.List.Closed || d.Number != 0 && d.Number <= p.Number
}
