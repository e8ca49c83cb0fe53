package wallet

// What host and core hand each other. The members stand in the order of their encoding.

// Version is that of the state, the events and the effects.
const Version = 5

// event is what a host tells the core.
//
//spec:id W-32
type event struct {
	Version uint8
	// Session is drawn by the host's process when it opens a state.
	Session [16]byte
	// Now is in milliseconds since 1970.
	Now uint64
	// Entropy is from the machine's generator, fresh for each event.
	Entropy [32]byte
	Kind    uint8
	Body    []byte
}

// Kinds of events.
const (
	eventCreate  = 1  // creation, with an empty state
	eventCommand = 2  // command
	eventReply   = 3  // reply
	eventProof   = 4  // proofReply
	eventWake    = 5  // wakeReply
	eventResume  = 6  // no body
	eventLook    = 7  // no body
	eventCancel  = 8  // no body
	eventKept    = 9  // keptReply
	eventPage    = 10 // pageQuestion
	// eventServices is for a host whose signed services say something else than those of the wallet's creation.
	eventServices = 11 // services
)

// services are what the wallet knows of the network's signed services.
type services struct {
	MailboxBits uint8
	Replicas    []replica
}

// creation makes the state of a wallet from its words, which the core does not keep.
type creation struct {
	Profile profile
	Phrase  string
}

// command is what a person asked for.
type command struct {
	// ID is the application's, 1 to 64 bytes. A payment with an id is made once.
	ID     string
	Kind   uint8
	Payee  string
	Amount uint64
	Text   string
	// Details are the record of a kind that needs more.
	Details []byte
}

// Kinds of commands.
const (
	commandRestore  = 1
	commandReceive  = 2
	commandPay      = 3
	commandSettle   = 4
	commandWithdraw = 5 // bankAccount
	commandMint     = 6 // funding
	commandCollect  = 7
	commandRegister = 8 // a JSON object
	commandRecover  = 9
	// commandReceiveWhole reads the mailbox whole, which only the owner decides.
	commandReceiveWhole = 10
	lastCommand         = commandReceiveWhole
)

// bankAccount is where a withdrawal goes.
type bankAccount struct {
	// Key is the issuance service's, from the signed services.
	Key       [32]byte
	Creditor  string
	IBAN      string
	Reference string
}

// funding is what the bank has recorded for this wallet's owner.
type funding struct {
	ID      string
	Token   string
	Ordinal uint32
}

const (
	maxCommandID = 64
	// maxCommand bounds what the state keeps of the command at work.
	maxCommand = 2 * maxApplicant
)

// reply is what became of an exchange. Status 0 says that no answer came.
type reply struct {
	ID     uint64
	Status uint16
	// RetryAfter is in seconds, 0 without the header.
	RetryAfter uint32
	Body       []byte
}

// proofReply is the reply of the bridge's operation PROVE, or that of a delegate in its form.
type proofReply struct {
	ID    uint64
	Reply []byte
}

type wakeReply struct{ ID uint64 }

// keptReply says whether a page of history is on disk.
type keptReply struct {
	ID   uint64
	Kept bool
}

// kept is the status of an answer that it is.
const kept = 1

// pageQuestion asks for what is in a page, which the host brings as it kept it, or empty where it has lost it.
type pageQuestion struct {
	Number uint32
	Page   []byte
}

// effect is what the core asks of the host. The host performs it when the state that came with it is on disk.
//
//spec:id W-33
type effect struct {
	Kind uint8
	Body []byte
}

// Kinds of effects.
const (
	effectHTTP    = 1 // exchange
	effectProve   = 2 // proof
	effectWake    = 3 // wake
	effectTell    = 4 // tell
	effectView    = 5 // view
	effectArchive = 6 // archivePage
	effectPage    = 7 // pageView
)

// Roles of the service that an exchange is with, whose address and pins the host knows.
const (
	roleGateway      = 1
	roleRegistration = 2
	roleIssuance     = 3
)

type exchange struct {
	ID      uint64
	Role    uint8
	Method  string
	Path    string
	Headers []header
	Body    []byte
	// Limit is how many bytes of the answer's body are read.
	Limit uint32
	// Deadline is in milliseconds.
	Deadline uint32
}

type header struct{ Name, Value string }

type proof struct {
	ID      uint64
	Family  uint8
	Witness []byte
}

// archivePage is a page of history that the host keeps under its number, in the place of one that has the number already. It is
// sealed.
type archivePage struct {
	ID     uint64
	Number uint32
	Page   []byte
}

// pageView is a page of history. Code is empty, or history-lost where the page is not the one that the host was given.
type pageView struct {
	Number  uint32
	Code    string
	History []viewTransfer
}

type wake struct {
	ID uint64
	At uint64
}

// tell is something for the page: a step, with a count where it has one, or the end of a command.
type tell struct {
	Command string
	What    string
	// Code is empty where a command succeeded.
	Code  string
	Count uint64
}

// view is what a page shows. It is made on request and holds nothing that signs.
type view struct {
	Address     string
	Registered  bool
	Restoring   bool
	Held        uint64
	InFlight    bool
	Undelivered uint32
	// Unredeemed are withdrawals whose payout the issuance service has not accepted yet.
	Unredeemed uint32
	// Registering says that a registration case is open.
	Registering bool
	Mints       []viewMint
	Working     string // the id of the command at work
	Coins       []viewCoin
	// History are the newest transfers; so many older ones are in so many pages.
	History  []viewTransfer
	Archived uint32
	Pages    uint32
	// Recovers are those that this wallet's account went through, the newest last.
	Recovers []viewRecover
	Mail     viewMail
}

// viewMail is how far the wallet has read its mail.
type viewMail struct {
	// Private says that it reads by private queries. Otherwise receiving reads all that there is, and nothing else is here.
	Private bool
	// UpTo is the time up to which it knows what came, in milliseconds, 0 before its first private reading.
	UpTo uint64
	// Waiting are messages that may be payments and whose bodies it has not got, Overdue those that waited longer than a day.
	Waiting uint32
	Overdue uint32
	// NextQuery is when the next one is asked for, whether or not one waits.
	NextQuery uint64
}

// viewRecover is what a recover burnt and returned, and the value of the claimed coins that it did not count.
type viewRecover struct {
	Core     [32]byte
	Time     uint64
	Burnt    uint64
	Returned uint64
	Lost     uint64
}

// viewMint is a mint that waits for the bank.
type viewMint struct {
	ID      [32]byte
	Funding string
	Value   uint64
}

type viewCoin struct {
	Value uint64
	Time  uint64
	Text  string
}

type viewTransfer struct {
	Core      [32]byte
	Payment   string
	Time      uint64
	Paid      uint64
	Withdrawn uint64
	Claimed   uint64
	Payee     string
	Text      string
}
