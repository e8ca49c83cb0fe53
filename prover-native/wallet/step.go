package wallet

import (
	"crypto/hkdf"
	"crypto/sha512"
	"errors"
	"reflect"
	"slices"

	"solidus.io/prover/fault"
)

// Step makes the next state and the effects of an event. It depends on nothing else, but for the weights of batch verifications,
// which decide nothing. An event that is refused with an error changed nothing; a refused command is told by an effect.
//
//spec:id W-30
func Step(before, happened []byte) (after, effects []byte, err error) {
	m := &machine{}
	if err := decode(happened, &m.event); err != nil {
		return nil, nil, err
	}
	if m.event.Version != Version {
		return nil, nil, fault.Newf(fault.MalformedRequest, "an event of version %d", m.event.Version)
	}
	if err := m.open(before); err != nil {
		return nil, nil, err
	}
	defer m.wipe()
	if err := m.handle(); err != nil {
		return nil, nil, err
	}
	return appendValue(make([]byte, 0, m.state.length()+4096), reflect.ValueOf(&m.state).Elem()), encode(m.effects), nil
}

// machine works on one event.
type machine struct {
	event   event
	state   state
	net     *network
	keys    *secrets
	effects []effect
	// given is the wallet in the caller's state, which is the caller's to clear.
	given []byte
}

func (m *machine) wipe() {
	if m.keys != nil {
		m.keys.wipe()
	}
	if w := m.state.Wallet; len(w) > 0 && (len(m.given) == 0 || &w[0] != &m.given[0]) {
		clear(w)
	}
}

// open reads the state and what follows from it.
func (m *machine) open(before []byte) error {
	// what a wallet begins with
	var w struct {
		Profile profile
		Seed    [seedBytes]byte
	}
	defer func() { clear(w.Seed[:]) }()
	if m.event.Kind == eventCreate {
		if len(before) != 0 {
			return fault.New(fault.MalformedRequest, "there is a wallet already")
		}
		var c creation
		if err := decode(m.event.Body, &c); err != nil {
			return err
		}
		seed, err := seedOf(c.Phrase)
		if err != nil {
			return fault.New(fault.MalformedRequest, err.Error())
		}
		w.Profile, w.Seed = c.Profile, [seedBytes]byte(seed)
		clear(seed)
		m.state = state{
			Version: Version, Session: m.event.Session, Next: 1,
			Wallet: encode(&wallet{Profile: w.Profile, Seed: w.Seed, Restoring: true}),
		}
	} else {
		if err := decodeState(before, &m.state); err != nil {
			return err
		}
		m.given = m.state.Wallet
		if err := m.state.fromFormer(); err != nil {
			return err
		}
		if m.state.Version != Version {
			return fault.Newf(fault.MalformedRequest, "a state of version %d", m.state.Version)
		}
		if err := decodeFirst(m.state.Wallet, &w); err != nil {
			return err
		}
	}
	net, err := w.Profile.open()
	if err != nil {
		return fault.New(fault.KeysManifest, err.Error())
	}
	m.net = net
	m.keys, err = newSecrets(net.Network, w.Seed[:])
	return err
}

func (m *machine) handle() error {
	at := moment{m.event.Now, m.event.Entropy}
	if m.state.Session != m.event.Session && m.event.Kind != eventPage {
		// The state may be old, and an effect of another process brings nothing any more.
		m.state.Session = m.event.Session
		if err := m.forget(at); err != nil {
			return err
		}
	}
	switch m.event.Kind {
	case eventCreate:
		return m.look()
	case eventCommand:
		return m.command(at)
	case eventReply:
		var b reply
		if err := decode(m.event.Body, &b); err != nil {
			return err
		}
		if b.Status < 200 || b.Status >= 300 {
			b.Body = b.Body[:min(len(b.Body), maxProblem)]
		}
		return m.answered(b.ID, answer{At: at, Kind: effectHTTP, Status: b.Status, RetryAfter: b.RetryAfter, Body: b.Body})
	case eventProof:
		var b proofReply
		if err := decode(m.event.Body, &b); err != nil {
			return err
		}
		return m.answered(b.ID, answer{At: at, Kind: effectProve, Body: b.Reply})
	case eventWake:
		var b wakeReply
		if err := decode(m.event.Body, &b); err != nil {
			return err
		}
		return m.answered(b.ID, answer{At: at, Kind: effectWake})
	case eventKept:
		var b keptReply
		if err := decode(m.event.Body, &b); err != nil {
			return err
		}
		a := answer{At: at, Kind: effectArchive}
		if b.Kept {
			a.Status = kept
		}
		return m.answered(b.ID, a)
	case eventPage:
		var b pageQuestion
		if err := decode(m.event.Body, &b); err != nil {
			return err
		}
		return m.shownPage(&b)
	case eventServices:
		var b services
		if err := decode(m.event.Body, &b); err != nil {
			return err
		}
		return m.takeServices(at, &b)
	}
	if len(m.event.Body) != 0 {
		return fault.New(fault.MalformedRequest, "an event without a body")
	}
	switch m.event.Kind {
	case eventResume:
		return m.resume()
	case eventLook:
		return m.look()
	case eventCancel:
		return m.cancel(at)
	default:
		return fault.Newf(fault.MalformedRequest, "an event of kind %d", m.event.Kind)
	}
}

// takeServices puts what newer services say in the place of what the profile has. The command at work begins again.
func (m *machine) takeServices(at moment, s *services) error {
	w, err := m.wallet()
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	if w.Profile.MailboxBits == s.MailboxBits && slices.Equal(w.Profile.Replicas, s.Replicas) {
		return nil
	}
	w.Profile.MailboxBits, w.Profile.Replicas = s.MailboxBits, s.Replicas
	if m.net, err = w.Profile.open(); err != nil {
		return fault.New(fault.KeysManifest, err.Error())
	}
	m.state.Wallet = encode(w)
	if err := m.forget(at); err != nil || m.state.Task == nil {
		return err
	}
	return m.run()
}

// forget drops what the command at work has found out.
func (m *machine) forget(at moment) error {
	w, err := m.wallet()
	if err != nil {
		return err
	}
	w.Session = knowledge{}
	m.state.Wallet, m.state.Base, m.state.Journal, m.state.Waiting = encode(w), at, nil, nil
	return nil
}

func decodeWallet(b []byte, into *wallet) error {
	if err := decode(b, into); err != nil {
		return err
	}
	if err := into.Seen.check(); err != nil {
		return err
	}
	return into.Archive.Traces.check()
}

func (m *machine) wallet() (*wallet, error) {
	w := &wallet{}
	return w, decodeWallet(m.state.Wallet, w)
}

// command begins a command. The same id again asks for nothing new.
func (m *machine) command(at moment) error {
	var c command
	if err := decode(m.event.Body, &c); err != nil {
		return err
	}
	if c.ID == "" || len(c.ID) > maxCommandID || c.Kind < commandRestore || c.Kind > lastCommand || len(m.event.Body) > maxCommand {
		return fault.New(fault.MalformedRequest, "a command")
	}
	if m.state.Task != nil {
		if m.state.Task.ID == c.ID {
			return m.resume()
		}
		m.tell(&tell{Command: c.ID, What: "ended", Code: "busy"})
		return nil
	}
	w, err := m.wallet()
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(w.Ended, func(e ended) bool { return e.ID == c.ID && e.Code == "" }); i >= 0 {
		m.tell(&tell{Command: c.ID, What: "ended"})
		return nil
	}
	if err := m.forget(at); err != nil {
		return err
	}
	m.state.Task = &task{c, at.Now}
	return m.run()
}

// answered goes on with the answer to an effect. An answer to another than the one that is waited for is old, and nothing.
func (m *machine) answered(id uint64, a answer) error {
	if w := m.state.Waiting; w == nil || w.ID != id || w.Kind != a.Kind {
		return nil
	}
	asked := m.state.Waiting.Body
	m.state.Waiting = nil
	m.state.Journal = append(m.state.Journal, a)
	if a.Kind == effectHTTP && a.Status != 0 {
		if err := m.answeredToken(asked); err != nil {
			return err
		}
	}
	return m.run()
}

// cancel ends the command at work. What it has committed stays: a transfer in flight is finished by the next command.
func (m *machine) cancel(at moment) error {
	if m.state.Task == nil {
		return nil
	}
	return m.end(at, "cancelled")
}

// resume asks again for the effect that is waited for, or begins again where another process asked for it.
func (m *machine) resume() error {
	if m.state.Task != nil && m.state.Waiting == nil {
		return m.run()
	}
	m.askAgain()
	return nil
}

func (m *machine) askAgain() {
	if w := m.state.Waiting; w != nil {
		m.effects = append(m.effects, effect{w.Kind, w.Body})
	}
}

func (m *machine) tell(t *tell) { m.effects = append(m.effects, effect{effectTell, encode(t)}) }

// How a run ends otherwise than with its command.
var (
	errWaiting   = errors.New("waiting for an effect")
	errCommitted = errors.New("committed")
)

// maxRuns bounds the commits between two effects.
const maxRuns = 1000

// run works on the command until it waits for an effect or has ended.
func (m *machine) run() error {
	for range maxRuns {
		w, err := m.wallet()
		if err != nil {
			return err
		}
		r := &run{machine: m, wallet: w, moment: m.state.Base}
		err = r.task()
		clear(w.Seed[:])
		switch {
		case errors.Is(err, errWaiting) && m.state.length() > maxState:
			// answers that nobody honest gives
			return m.end(r.moment, "gateway-misbehaved")
		case errors.Is(err, errWaiting):
			m.state.Next++
			m.askAgain()
			return nil
		case errors.Is(err, errCommitted):
			m.state.Base, m.state.Journal = r.moment.next(), nil
		case err == nil:
			return m.end(r.moment, "")
		case codeOf(err) != "":
			return m.end(r.moment, codeOf(err))
		default:
			var f *fault.Error
			if !errors.As(err, &f) {
				return err
			}
			return m.end(r.moment, "internal")
		}
	}
	return fault.New(fault.Internal, "a command that does not wait")
}

// end ends the command. Nothing of its last run stays that it did not commit.
func (m *machine) end(at moment, code string) error {
	w, err := m.wallet()
	if err != nil {
		return err
	}
	id := m.state.Task.ID
	w.Ended = append(w.Ended, ended{id, code})
	w.Ended = w.Ended[max(0, len(w.Ended)-maxEnded):]
	w.Session = knowledge{}
	m.state.Wallet, m.state.Base, m.state.Task, m.state.Journal, m.state.Waiting = encode(w), at, nil, nil, nil
	m.tell(&tell{Command: id, What: "ended", Code: code})
	return nil
}

// run is one run of a command over the journal.
type run struct {
	*machine
	*wallet
	moment moment
	cursor int
}

// commit makes what the run has changed the wallet. The command begins again on it, so a caller returns the error at once.
//
//spec:id W-35
func (r *run) commit() error {
	r.state.Wallet = encode(r.wallet)
	return errCommitted
}

// await asks for an effect, or takes its answer from the journal.
func (r *run) await(kind uint8, body func(id uint64) []byte) (*answer, error) {
	if r.cursor < len(r.state.Journal) {
		a := &r.state.Journal[r.cursor]
		if a.Kind != kind {
			return nil, fault.New(fault.Internal, "the journal is of another command")
		}
		r.cursor++
		r.moment = a.At
		return a, nil
	}
	r.state.Waiting = &waiting{ID: r.state.Next, Kind: kind, Body: body(r.state.Next)}
	return nil, errWaiting
}

// progress tells the page a step, when it is reached and not when it is run again.
func (r *run) progress(what string, count uint64) {
	if r.cursor == len(r.state.Journal) {
		r.tell(&tell{Command: r.state.Task.ID, What: what, Count: count})
	}
}

// draws are bytes of the last event's entropy and the seed.
func (r *run) draws() draws {
	entropy := r.moment.Entropy
	return func(label string, n int, parts ...[]byte) []byte {
		info := append([]byte("solidus/wallet-core/draw/v1"), byte(len(label)))
		info = append(info, label...)
		for _, part := range parts {
			info = append(append(info, u32(uint32(len(part)))...), part...)
		}
		out, err := hkdf.Key(sha512.New, slices.Concat(r.keys.prk, entropy[:]), nil, string(info), n)
		if err != nil {
			panic("HKDF gives up to 16,320 bytes")
		}
		return out
	}
}

func (m *machine) look() error {
	w, err := m.wallet()
	if err != nil {
		return err
	}
	defer clear(w.Seed[:])
	v, err := m.net.view(m.keys, w)
	if err != nil {
		return err
	}
	if m.state.Task != nil {
		v.Working = m.state.Task.ID
	}
	m.effects = append(m.effects, effect{effectView, encode(v)})
	return nil
}
