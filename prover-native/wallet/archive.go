package wallet

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"solidus.io/prover/fault"
)

// The newest transfers are in the state. The others are in pages that the host keeps; the state has the digest of each page, and
// a trace of everything in it that no later command may do again. So a page that is lost or altered costs history, and no money.

// keptTransfers stay in the state, and pageTransfers leave it together. Tests have short pages.
var keptTransfers, pageTransfers = 20, 20

// The state has 32 to 48 bytes of each transfer in the archive. maxPage bounds the sealed bytes of a page.
const (
	maxArchived = 100_000
	maxPage     = 256 << 10
)

// archive is what the state knows of the pages.
type archive struct {
	Count  uint32     // transfers in them
	Pages  [][32]byte // SHA-256 of each, the oldest first
	Traces traces
}

// trace is a name that has to be known for ever, in 16 bytes: whoever finds two names with one trace has to have made both.
type trace [16]byte

// traces are one behind the other, because there may be very many.
type traces []byte

func (all traces) count() int { return len(all) / len(trace{}) }

func (all traces) has(t trace) bool {
	for at := 0; at < len(all); at += len(t) {
		if trace(all[at:at+len(t)]) == t {
			return true
		}
	}
	return false
}

// check refuses a state with a part of a trace.
func (all traces) check() error {
	if len(all)%len(trace{}) != 0 {
		return fault.New(fault.MalformedRequest, "a part of a trace")
	}
	return nil
}

// What traces are of.
const (
	traceCoin    = 1 // rho
	traceCore    = 2
	tracePayment = 3 // the application's id
	traceRequest = 4 // address key and id of a request that was paid
)

func traceOf(kind byte, parts ...[]byte) trace {
	h := sha256.New()
	h.Write(append([]byte("solidus/wallet-core/trace/v1\x00"), kind))
	for _, part := range parts {
		h.Write(u32(uint32(len(part))))
		h.Write(part)
	}
	return trace(h.Sum(nil)[:len(trace{})])
}

func coinTrace(rho [32]byte) trace { return traceOf(traceCoin, rho[:]) }

// hasSeen reports whether a coin was ever accepted or claimed.
func (w *wallet) hasSeen(rho [32]byte) bool { return w.Seen.has(coinTrace(rho)) }

func (w *wallet) see(rho [32]byte) {
	if t := coinTrace(rho); !w.Seen.has(t) {
		w.Seen = append(w.Seen, t[:]...)
	}
}

// isArchived reports whether a transfer in the archive has this name.
func (w *wallet) isArchived(kind byte, parts ...[]byte) bool {
	return len(w.Archive.Traces) > 0 && w.Archive.Traces.has(traceOf(kind, parts...))
}

// traces are those of a transfer that leaves the state.
func (t *record) traces() (all traces, err error) {
	add := func(t trace) { all = append(all, t[:]...) }
	add(traceOf(traceCore, t.Core[:]))
	if t.Payment != "" {
		add(traceOf(tracePayment, []byte(t.Payment)))
	}
	m, err := t.memo()
	if err != nil {
		return nil, err
	}
	for _, paid := range m.paidRequests() {
		add(traceOf(traceRequest, paid.payee[:], paid.id))
	}
	return all, nil
}

// paidRequest names a request that a payment may have paid.
type paidRequest struct {
	payee [32]byte
	id    []byte
}

// paidRequests are those whose id a text of the transfer begins with (F-39).
func (m *memo) paidRequests() (all []paidRequest) {
	for _, p := range m.payments() {
		text, _, _ := strings.Cut(p.Text, " ")
		id, err := hex.DecodeString(text)
		if p.Paid > 0 && err == nil && len(id) == tokenBytes && hex.EncodeToString(id) == text {
			all = append(all, paidRequest{p.Payee, id})
		}
	}
	return all
}

// archive hands the oldest page of transfers to the host. They leave the state when the host has kept it.
//
//spec:id W-60
func (r *run) archive() error {
	if len(r.Transfers) < keptTransfers+pageTransfers || r.Session.Unkept || r.Archive.Count+uint32(pageTransfers) > maxArchived {
		return nil
	}
	leaving := r.Transfers[:pageTransfers]
	var left traces
	for i := range leaving {
		m, err := leaving[i].memo()
		if err != nil {
			return err
		}
		if leaving[i].Payment == "" && m.Time >= r.state.Task.Began {
			return nil // it may be what the command at work asked for
		}
		more, err := leaving[i].traces()
		if err != nil {
			return err
		}
		left = append(left, more...)
	}
	number := uint32(len(r.Archive.Pages))
	page := r.keys.sealPage(number, leaving)
	a, err := r.await(effectArchive, func(id uint64) []byte { return encode(&archivePage{id, number, page}) })
	if err != nil {
		return err
	}
	if a.Status != kept {
		r.Session.Unkept = true // the next command asks again
		return r.commit()
	}
	r.Archive.Pages = append(r.Archive.Pages, sha256.Sum256(page))
	r.Archive.Traces = append(r.Archive.Traces, left...)
	r.Archive.Count += uint32(pageTransfers)
	r.Transfers = slices.Clone(r.Transfers[pageTransfers:])
	return r.commit()
}

const pageLabel = "solidus/wallet-core/archive/v1"

func pageNonce(number uint32) []byte {
	return binary.BigEndian.AppendUint32(make([]byte, sivNonce-4), number)
}

// sealPage makes the same bytes of the same transfers, so a page that is handed over again after a crash is the same page.
func (k *secrets) sealPage(number uint32, all []record) []byte {
	return sealSIV(k.derive("archive-key", keyBytes), pageNonce(number), encode(&all), []byte(pageLabel))
}

// openPage refuses what is not the page with this number.
func (k *secrets) openPage(number uint32, digest [32]byte, page []byte) (all []record, err error) {
	if sha256.Sum256(page) != digest {
		return nil, fault.New(fault.SignatureInvalid, "another page than the state has the digest of")
	}
	plain, err := openSIV(k.derive("archive-key", keyBytes), pageNonce(number), page, []byte(pageLabel))
	if err != nil {
		return nil, err
	}
	err = decode(plain, &all)
	return all, err
}

// shownPage answers a question for a page. One that is lost, or is another one, is told as such.
func (m *machine) shownPage(q *pageQuestion) error {
	if len(q.Page) > maxPage {
		return fault.New(fault.MalformedRequest, "a page is shorter")
	}
	w, err := m.wallet()
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	shown := &pageView{Number: q.Number}
	if int64(q.Number) >= int64(len(w.Archive.Pages)) {
		return fault.New(fault.MalformedRequest, "there is no such page")
	}
	all, err := m.keys.openPage(q.Number, w.Archive.Pages[q.Number], q.Page)
	if err != nil {
		shown.Code = "history-lost"
	}
	for i := range all {
		rows, err := m.net.viewTransfer(&all[i])
		if err != nil {
			return err
		}
		shown.History = append(shown.History, rows...)
	}
	m.effects = append(m.effects, effect{effectPage, encode(shown)})
	return nil
}
