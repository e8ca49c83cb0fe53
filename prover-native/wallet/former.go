package wallet

// formerVersion is that of the states which this core still reads. Nothing writes them. Earlier layouts had the number 3 too: read is the
// last one only, that of commit 54d6d0f1.
const formerVersion = 3

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
	Deliveries   []delivery
	Redemptions  []redemption
	Mints        []pendingMint
	Registration *registration
	Place        *place
	Policy       *mark
	Checkpoint   *mark
	Rules        *ruleTexts
	Ended        []ended
}

// fromFormer reads a state of version 3. The command at work begins again from what was committed, as in another session: what it
// found out has another form now.
func (s *state) fromFormer() error {
	var f wallet3
	defer func() { clear(f.Seed[:]) }()
	if err := decode(s.Wallet, &f); err != nil {
		return err
	}
	p := &f.Profile
	w := wallet{
		Profile: profile{
			Network: p.Network, ManifestKey: p.ManifestKey, Classes: p.Classes, Manifest: p.Manifest, Signature: p.Signature, TransferKey: p.TransferKey,
			RegisterKey: p.RegisterKey, MintKey: p.MintKey, MailboxBits: p.MailboxBits, Currency: p.Currency, ProverKey: p.ProverKey, Shapes: p.Shapes,
			ShapesSignature: p.ShapesSignature, ClaimKey: p.ClaimKey, OnlyDevice: p.OnlyDevice,
		},
		Seed: f.Seed, Restoring: f.Restoring, Account: f.Account, Coins: f.Coins, Seen: f.Seen, Transfers: f.Transfers, Archive: f.Archive,
		Abandoned: f.Abandoned, InFlight: f.InFlight, Deliveries: f.Deliveries, Redemptions: f.Redemptions, Mints: f.Mints, Registration: f.Registration,
		Place: f.Place, Policy: f.Policy, Checkpoint: f.Checkpoint, Rules: f.Rules, Ended: f.Ended,
	}
	for i := range f.Named {
		w.Named = append(w.Named, record{Core: f.Named[i].Core, Payment: f.Named[i].Payment})
	}
	s.Version, s.Wallet, s.Journal, s.Waiting = Version, encode(&w), nil, nil
	clear(w.Seed[:])
	return nil
}
