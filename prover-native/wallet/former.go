package wallet

// The versions of states that this core still reads. Nothing writes them. Earlier layouts had the number 3 too: read is the last one only,
// that of commit 54d6d0f1.
const (
	version3 = 3
	version4 = 4
)

// The records of version 3 that have other members now.

type profile3 struct {
	Network         string
	ManifestKey     [32]byte
	Classes         []string
	Manifest        []byte
	Signature       []byte
	TransferKey     []byte
	RegisterKey     []byte
	MintKey         []byte
	MailboxBits     uint8
	Currency        string
	ProverKey       []byte
	Shapes          []byte
	ShapesSignature []byte
	ClaimKey        []byte
	OnlyDevice      bool
}

type link3 struct {
	Coin    account
	Request []byte
	Lone    bool
}

type walk3 struct {
	Links     []link3
	Ended     bool
	Adopted   bool
	Overtaken [][32]byte
	Found     uint64
}

type knowledge3 struct {
	Connected       bool
	Free            bool
	Fresh           bool
	Read            bool
	Again           bool
	Until           uint64
	Begun           bool
	Refused         string
	Out             uint8
	Unkept          bool
	Claims          uint8
	FirstSignatures [][signatureBytes]byte
	Walk            *walk3
}

type named3 struct {
	Core    [32]byte
	Payment string
}

type wallet3 struct {
	Profile      profile3
	Seed         [seedBytes]byte
	Restoring    bool
	Session      knowledge3
	Account      *account
	Coins        []ownedCoin
	Seen         traces
	Transfers    []record
	Archive      archive
	Abandoned    []record
	InFlight     *inFlight
	Named        []named3
	Deliveries   []delivery4
	Redemptions  []redemption
	Mints        []pendingMint
	Registration *registration
	Place        *place
	Policy       *mark
	Checkpoint   *mark
	Rules        *ruleTexts
	Ended        []ended
}

// toVersion5 reads a state of version 3. The command at work begins again from what was committed, as in another session: what it
// found out has another form now.
func (f *wallet3) toVersion5() *wallet {
	p := &f.Profile
	w := &wallet{
		Profile: profile{
			Network: p.Network, ManifestKey: p.ManifestKey, Classes: p.Classes, Manifest: p.Manifest, Signature: p.Signature, TransferKey: p.TransferKey,
			RegisterKey: p.RegisterKey, MintKey: p.MintKey, MailboxBits: p.MailboxBits, Currency: p.Currency, ProverKey: p.ProverKey, Shapes: p.Shapes,
			ShapesSignature: p.ShapesSignature, ClaimKey: p.ClaimKey, OnlyDevice: p.OnlyDevice,
		},
		Seed: f.Seed, Restoring: f.Restoring, Account: f.Account, Coins: f.Coins, Seen: f.Seen, Transfers: f.Transfers, Archive: f.Archive,
		Abandoned: f.Abandoned, InFlight: f.InFlight, Deliveries: fromDeliveries4(f.Deliveries), Redemptions: f.Redemptions, Mints: f.Mints,
		Registration: f.Registration, Place: f.Place, Policy: f.Policy, Checkpoint: f.Checkpoint, Rules: f.Rules, Ended: f.Ended,
	}
	for i := range f.Named {
		w.Named = append(w.Named, record{Core: f.Named[i].Core, Payment: f.Named[i].Payment})
	}
	return w
}

// The records of version 4 that have other members now.

type profile4 struct {
	Network         string
	ManifestKey     [32]byte
	Classes         []string
	Manifest        []byte
	Signature       []byte
	TransferKey     []byte
	RegisterKey     []byte
	MintKey         []byte
	MailboxBits     uint8
	Currency        string
	ProverKey       []byte
	Shapes          []byte
	ShapesSignature []byte
	ClaimKey        []byte
	OnlyDevice      bool
	RecoverKey      []byte
	Origin          string
}

type knowledge4 struct {
	Connected       bool
	Free            bool
	Fresh           bool
	Read            bool
	Again           bool
	Until           uint64
	Begun           bool
	Refused         string
	Out             uint8
	Unkept          bool
	Claims          uint8
	FirstSignatures [][signatureBytes]byte
	Walk            *walk
	Recovery        *freeing4
	Recoveries      uint8
}

type knownState4 struct {
	Serial [32]byte
	Free   uint8
	Held   [][32]byte
}

type freeing4 struct {
	Coin      account
	Back      bool
	Known     []knownCore
	Asked     [][32]byte
	Looked    bool
	Answers   []knownState4
	Phase     uint8
	Rounds    uint8
	Refused   [][32]byte
	Doubted   *doubt
	Made      []knownCore
	Sent      [32]byte
	Before    [32]byte
	KnownThen [][32]byte
	Code      string
	Spoilt    [][32]byte
	Given     [][32]byte
	Turns     uint8
	Passed    *passed
}

type message4 struct {
	To     [32]byte
	Secret [32]byte
	Parcel []byte
	Digest [32]byte
}

type delivery4 struct {
	Transfer uint32
	Copy     [32]byte
	Payee    [32]byte
	Message  message4
	Stage    uint8
	First    uint64
}

type wallet4 struct {
	Profile      profile4
	Seed         [seedBytes]byte
	Restoring    bool
	Session      knowledge4
	Account      *account
	Coins        []ownedCoin
	Seen         traces
	Transfers    []record
	Archive      archive
	Abandoned    []record
	InFlight     *inFlight
	Named        []record
	Deliveries   []delivery4
	Redemptions  []redemption
	Mints        []pendingMint
	Registration *registration
	Place        *place
	Policy       *mark
	Checkpoint   *mark
	Rules        *ruleTexts
	Ended        []ended
	Recovers     []recoverRecord
	Registered   *registrationCase
	Tokens       []spendable
	TokenDay     uint64
	TokenRetry   uint64
	Shown        *shownToken
}

// fromDeliveries4: a message has no number and no name of its header until it is posted again.
func fromDeliveries4(all []delivery4) (out []delivery) {
	for i := range all {
		d, m := &all[i], &all[i].Message
		out = append(out, delivery{
			Transfer: d.Transfer, Copy: d.Copy, Payee: d.Payee, Message: message{To: m.To, Secret: m.Secret, Parcel: m.Parcel, Digest: m.Digest},
			Stage: d.Stage, First: d.First,
		})
	}
	return out
}

// toVersion5 reads a state of version 4. The command at work begins again, as above.
func (f *wallet4) toVersion5() *wallet {
	p := &f.Profile
	return &wallet{
		Profile: profile{
			Network: p.Network, ManifestKey: p.ManifestKey, Classes: p.Classes, Manifest: p.Manifest, Signature: p.Signature, TransferKey: p.TransferKey,
			RegisterKey: p.RegisterKey, MintKey: p.MintKey, MailboxBits: p.MailboxBits, Currency: p.Currency, ProverKey: p.ProverKey, Shapes: p.Shapes,
			ShapesSignature: p.ShapesSignature, ClaimKey: p.ClaimKey, OnlyDevice: p.OnlyDevice, RecoverKey: p.RecoverKey, Origin: p.Origin,
		},
		Seed: f.Seed, Restoring: f.Restoring, Account: f.Account, Coins: f.Coins, Seen: f.Seen, Transfers: f.Transfers, Archive: f.Archive,
		Abandoned: f.Abandoned, InFlight: f.InFlight, Named: f.Named, Deliveries: fromDeliveries4(f.Deliveries), Redemptions: f.Redemptions,
		Mints: f.Mints, Registration: f.Registration, Place: f.Place, Policy: f.Policy, Checkpoint: f.Checkpoint, Rules: f.Rules, Ended: f.Ended,
		Recovers: f.Recovers, Registered: f.Registered, Tokens: f.Tokens, TokenDay: f.TokenDay, TokenRetry: f.TokenRetry, Shown: f.Shown,
	}
}

// fromFormer reads a state of a former version, and leaves every other one as it is.
func (s *state) fromFormer() error {
	var w *wallet
	switch s.Version {
	case version3:
		var f wallet3
		defer func() { clear(f.Seed[:]) }()
		if err := decode(s.Wallet, &f); err != nil {
			return err
		}
		w = f.toVersion5()
	case version4:
		var f wallet4
		defer func() { clear(f.Seed[:]) }()
		if err := decode(s.Wallet, &f); err != nil {
			return err
		}
		w = f.toVersion5()
	default:
		return nil
	}
	s.Version, s.Wallet, s.Journal, s.Waiting = Version, encode(w), nil, nil
	clear(w.Seed[:])
	return nil
}
