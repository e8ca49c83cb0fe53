package wallet

import (
	"crypto/sha256"

	"solidus.io/prover/fault"
)

// state is what the host keeps, sealed. Everything but the wallet is about the command at work.
//
//spec:id W-34
type state struct {
	Version uint8
	Session [16]byte
	Next    uint64 // the number of the next effect
	Wallet  []byte
	Base    moment
	Task    *task
	Journal []answer
	Waiting *waiting
}

// task is the command at work, and when it began.
type task struct {
	command
	Began uint64
}

// moment is the time and the entropy of an event.
type moment struct {
	Now     uint64
	Entropy [32]byte
}

// next is for what follows a commit within one event.
func (m moment) next() moment {
	m.Entropy = sha256.Sum256(append([]byte("solidus/wallet-core/next/v1"), m.Entropy[:]...))
	return m
}

// answer is what an effect brought.
type answer struct {
	At         moment
	Kind       uint8
	Status     uint16
	RetryAfter uint32
	Body       []byte
}

// waiting is the effect that the command waits for.
type waiting struct {
	ID   uint64
	Kind uint8
	Body []byte
}

// wallet is what commits change.
type wallet struct {
	Profile   profile
	Seed      [seedBytes]byte
	Restoring bool
	Session   knowledge
	Account   *account
	Coins     []ownedCoin
	// Seen are traces of every coin that was ever accepted or claimed.
	Seen traces
	// Transfers are the newest ones; the others are in the archive.
	Transfers []record
	Archive   archive
	Abandoned []record
	InFlight  *inFlight
	// Named are payments whose transfers another one or a recover of this wallet took the place of: if one is signed after all, it
	// is still named, and one that a recover burnt is not made again under its name. So are payments of requests that look-ups showed
	// beside a recover. A memo is missing where version 3 had none.
	Named      []record
	Deliveries []delivery
	// Redemptions are withdrawals whose payout is not asked for.
	Redemptions []redemption
	// Mints are those that the bank has not approved.
	Mints []pendingMint
	// Registration is one without a first compliance coin.
	Registration *registration
	Place        *place
	Policy       *mark
	Checkpoint   *mark
	Rules        *ruleTexts
	// Ended are the last commands that ended, the newest last.
	Ended []ended
	// Recovers are those that the account went through, the oldest first.
	Recovers []recoverRecord
	// Registered is the case of a registered wallet, for whose token the registration service signs blind tokens.
	Registered *registrationCase
	// Tokens are those that were fetched and not shown. TokenDay is the day behind that of the last batch, in days since 1970. After a
	// failure none are asked for before TokenRetry.
	Tokens     []spendable
	TokenDay   uint64
	TokenRetry uint64
	Shown      *shownToken
	// Mail is where the wallet is that reads in private. NextQuery is when the next query is made, and Opened the session that was the
	// last one to make that of an opening.
	Mail      *mailPlace
	NextQuery uint64
	Opened    [16]byte
}

// knowledge is what a command found out, and the next one asks for again: a state may be old.
type knowledge struct {
	Connected bool   // the gateway serves the pinned network
	Free      bool   // the compliance coin is free
	Fresh     bool   // Rules are the newest
	Read      bool   // the mailbox was read to its end
	Again     bool   // it is another than before, and is read from its start
	Until     uint64 // when a sent transfer is tried no more
	Begun     bool   // a restore reads from the start
	Refused   string // what the command at work asked for was refused with this code
	Out       uint8  // services that are out of order, a bit for each role: nothing that waits is tried there
	Unkept    bool   // the host keeps no pages of history
	Claims    uint8  // what the gateway said of claims of many coins
	// FirstSignatures are candidates for the first compliance coin's.
	FirstSignatures [][signatureBytes]byte
	Walk            *walk
	// Recovery frees a locked account, the so many-eth in this command.
	Recovery   *freeing
	Recoveries uint8
	// Tokened says that it was found out whether tokens are fetched: those that are spent later change nothing in it.
	Tokened bool
	// Reading is a private one that is at work; Private says that it has ended. Bodies are headers of own messages that were read whole.
	Reading *reading
	Private bool
	Bodies  [][32]byte
}

// walk is the way along the chain of compliance coins.
type walk struct {
	Links     []link
	Ended     bool
	Cut       bool // before its end, so the coin behind the last link is not known to be free
	Adopted   bool // the signature that the first of the links spends is here
	Overtaken [][32]byte
	Found     uint64
	// Beside are coins behind transfers that a recover may have burnt: what spent them may have paid requests.
	Beside []account
}

// link is a transfer or a recover of this wallet that a look-up showed.
type link struct {
	Coin    account // before it, without a signature
	Request []byte
	Others  [][]byte // of a recover, with other evidence
	// Lone says that no other core out of the coin can still be signed.
	Lone    bool
	Recover bool
}

// recoverRecord is a recover that completed.
type recoverRecord struct {
	Core     [32]byte
	Lead     [32]byte
	Time     uint64
	Burnt    uint64
	Returned uint64
	Lost     uint64 // value of claimed coins that it did not count
	Below    [][32]byte
	// Transfers is the number of transfers before it.
	Transfers uint32
}

// record is a transfer in the history, which its memo describes: here without the zeros behind its content.
type record struct {
	Core    [32]byte
	Lead    [32]byte
	Payment string
	Memo    []byte
}

func (t *record) memo() (*memo, error) {
	whole := make([]byte, memoBytes)
	if len(t.Memo) > 0 && t.Memo[0] == severalVersion {
		whole = make([]byte, severalBytes)
	}
	if len(t.Memo) > copy(whole, t.Memo) {
		return nil, fault.New(fault.MalformedRequest, "a memo of the state")
	}
	return decodeMemo(whole)
}

// inFlight is a transfer that was sent, or is about to be, as it is sent.
type inFlight struct {
	Request []byte
	Payment string
	// Policy and Checkpoint are the newest that it was ever proved under.
	Policy     uint64
	Checkpoint uint64
	Renewed    bool
}

// Stages of a delivery.
const (
	stageWaiting = 0
	stagePosted  = 1
	stageSeen    = 2
)

// delivery is a message of this wallet.
type delivery struct {
	// Transfer is the place of its record from 1, 0 for the copy of an own coin.
	Transfer uint32
	Copy     [32]byte
	Payee    [32]byte // apk
	Message  message
	Stage    uint8
	First    uint64 // when it was posted first
	Again    uint64 // when it was posted last
	Number   uint64 // its number in the mailbox, if the gateway has said it
}

// message is a sealed parcel as it is sealed again, which gives the same bytes: a state has a quarter of them.
type message struct {
	To     [32]byte // the encryption key
	Secret [32]byte // the ephemeral one
	Parcel []byte   // without the zeros behind its content
	Digest [32]byte // of the sealed bytes
	Header [32]byte // of their header; zeros where a former state had none
}

// redemption is a signed withdrawal, with what the issuance service pays it out for.
type redemption struct {
	Transfer uint32 // the place of its record from 1
	Core     [32]byte
	Request  []byte
	Partials []byte // as the gateway gave them, those of 2f+1 authorities
}

type place struct {
	Sequence uint64
	Digest   [32]byte
}

type ruleTexts struct {
	Policy     string
	Checkpoint string
	List       []byte
}

type ended struct {
	ID   string
	Code string
}

const maxEnded = 16

// A step reads and writes the whole state, and a phone has to keep it before each effect. So a state takes so many transfers
// outside the archive and so many coins, and then refuses instead of becoming slow or larger than the bridge takes.
const (
	maxTransfers = 10_000
	maxSeen      = 200_000
	maxRecovers  = 1_000
)

// The bridge takes 48 MiB for a state and an event, and a host keeps no more. The longest event brings a list of sanctions of
// 10.2 MiB (limitList), while the state has the list before it. So what the wallet has beside its list is at most maxHistory when
// something new begins, and a state that is handed to the host is at most maxState: there is room for the answers of one journal.
const (
	maxHistory = 20 << 20
	maxState   = 36 << 20
	// A wallet whose payments have filled its state still takes coins and follows its chain, and a coin still gets its copies in
	// the mailbox, so that the phrase finds it in another wallet.
	roomForCoins  = 2 << 20
	roomForCopies = 3 << 20
	// maxProblem is how much of a refusal is read. A refusal may come many times before the next commit.
	maxProblem = 64 << 10
)

// length is that of the state, nearly.
func (s *state) length() int {
	n := len(s.Wallet)
	for i := range s.Journal {
		n += len(s.Journal[i].Body)
	}
	if s.Waiting != nil {
		n += len(s.Waiting.Body)
	}
	return n
}

// history is the length of what was committed, without the list of sanctions and what a reading at work keeps.
func (r *run) history() int {
	n := len(r.state.Wallet)
	if g := r.Session.Reading; g != nil {
		n -= g.length() + len(g.Pad)
	}
	if r.Rules != nil {
		n -= len(r.Rules.List)
	}
	return n
}

// requireRoom refuses what would make the state longer than its bound, which is so much higher than that of a payment.
//
//spec:id W-47
func (r *run) requireRoom(transfers, coins, more int) error {
	if len(r.Transfers)+transfers > maxTransfers || len(r.Recovers) >= maxRecovers || r.Seen.count()+coins > maxSeen || r.history() > maxHistory+more {
		return refuse("history-full", "the history of this wallet is as long as this core takes; its money is moved to another phrase by the library")
	}
	return nil
}

func digestOf(b []byte) [32]byte { return sha256.Sum256(b) }
