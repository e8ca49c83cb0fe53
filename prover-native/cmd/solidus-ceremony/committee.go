package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/dkg"
	"solidus.io/prover/keys"
	"solidus.io/prover/suite"
)

const maxShareFile = 4096

// coordinatorOption describes an option that is always needed: a folder names its own coordinator.
const coordinatorOption = "the public key that the coordinator read out, in hexadecimal"

func committeeCommand(purpose dkg.Purpose) command {
	step := func(name string, work func(c *console, a *dkg.Authority) error) command {
		return func(c *console, args []string) error { return committeeStep(c, string(purpose)+" "+name, args, work) }
	}
	commands := map[string]command{
		"card":   committeeCard,
		"init":   func(c *console, args []string) error { return committeeInit(c, purpose, args) },
		"close":  committeeClose,
		"status": committeeStatus,
		"verify": committeeVerify,
		"finish": committeeFinish,
		"deal":   func(c *console, args []string) error { return committeeDeal(c, string(purpose)+" deal", args) },
		"complain": step("complain", func(c *console, a *dkg.Authority) error {
			against, err := a.Complain()
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "complaints: %v\n", against)
			return nil
		}),
		"justify": step("justify", func(c *console, a *dkg.Authority) error {
			n, err := a.Justify()
			return shares(c, n, err)
		}),
		"reveal": step("reveal", func(_ *console, a *dkg.Authority) error { return a.Reveal() }),
		"open": step("open", func(c *console, a *dkg.Authority) error {
			n, err := a.Open()
			return shares(c, n, err)
		}),
	}
	if purpose != dkg.MakeKey {
		commands["seal"] = committeeSeal
	}
	if purpose == dkg.Recover {
		commands["help"] = committeeHelp
	}
	return func(c *console, args []string) error { return choose(commands, c, args) }
}

func shares(c *console, n int, err error) error {
	if err == nil {
		fmt.Fprintf(c.out, "shares published: %d\n", n)
	}
	return err
}

func committeeCard(c *console, args []string) error {
	var name, network, secrets, share, out string
	if err := options(c, "card", args, func(f *flag.FlagSet) {
		f.StringVar(&name, "name", "", "the authority's name")
		f.StringVar(&network, "network", "", "network id")
		f.StringVar(&secrets, "secrets", "", "file for the secrets of this ceremony, to be destroyed after it")
		f.StringVar(&share, "share", "", "the share that is to be refreshed, whose note key is kept")
		f.StringVar(&out, "out", "", "file for the card, which goes to the coordinator")
	}, "name", "network", "secrets", "out"); err != nil {
		return err
	}
	var seed []byte
	if share != "" {
		old, s, err := readShare(share)
		if err != nil {
			return err
		}
		old.Close()
		seed = s
		defer suite.Wipe(seed)
	}
	s, err := dkg.NewSecrets(seed)
	if err != nil {
		return err
	}
	defer s.Close()
	card, err := dkg.NewCard(s, name, network)
	if err != nil {
		return err
	}
	if err := s.Save(secrets); err != nil {
		return err
	}
	if err := ceremony.WriteNew(out, card, 0o644); err != nil {
		return err
	}
	fmt.Fprintln(c.out, ceremony.Digest(card))
	return nil
}

func readShare(path string) (*suite.Share, []byte, error) {
	raw, err := ceremony.ReadPrivate(path, maxShareFile)
	if err != nil {
		return nil, nil, err
	}
	defer suite.Wipe(raw)
	return keys.DecodeShare(raw)
}

func committeeInit(c *console, purpose dkg.Purpose, args []string) error {
	var dir, network, cards, key, previous, manifestKey string
	p := dkg.Plan{Purpose: purpose}
	required := []string{"dir", "network", "cards", "key"}
	if purpose != dkg.MakeKey {
		required = append(required, "keys", "manifest-key")
	}
	if err := options(c, string(purpose)+" init", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the bulletin folder")
		f.StringVar(&network, "network", "", "network id")
		f.StringVar(&cards, "cards", "", "the authorities' cards, separated by commas, in the order of their indices")
		f.StringVar(&key, "key", "", "the coordinator's signing key")
		if purpose != dkg.MakeKey {
			f.StringVar(&previous, "keys", "", "the sealed keys with the committee that there is")
			f.StringVar(&manifestKey, "manifest-key", "", "the key of their manifest, in hexadecimal")
		}
		if purpose == dkg.Recover {
			f.IntVar(&p.Lost, "lost", 0, "index of the authority whose share is lost")
		}
	}, required...); err != nil {
		return err
	}
	p.Network = network
	for _, path := range strings.Split(cards, ",") {
		card, err := ceremony.Read(path, ceremony.MaxRecord)
		if err != nil {
			return err
		}
		p.Cards = append(p.Cards, card)
	}
	if purpose != dkg.MakeKey {
		m, _, err := pinned(previous, manifestKey)
		if err != nil {
			return err
		}
		if m.Network != network {
			return ceremony.Refuse(ceremony.OtherCeremony, "these keys belong to the network %s", m.Network)
		}
		if p.Previous, err = m.Committee.Decode(); err != nil {
			return err
		}
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	if err := dkg.Begin(dir, &p, private); err != nil {
		return err
	}
	b, err := dkg.OpenBoard(dir, private.Public().(ed25519.PublicKey))
	if err != nil {
		return err
	}
	describeBeginning(c, b)
	return nil
}

// describeBeginning prints what the authorities compare over a second channel before they deal.
func describeBeginning(c *console, b *dkg.Board) {
	in := b.Init()
	fmt.Fprintf(c.out, "ceremony     %s (%s) of %s, epoch %d, coordinator %x\n",
		in.Ceremony, in.Purpose, in.Network, in.Epoch, b.Coordinator())
	for i, card := range in.Cards {
		fmt.Fprintf(c.out, "authority %d  card sha256 %s, %s\n", i+1, ceremony.Digest([]byte(card)), b.Name(i+1))
	}
	if in.Lost != 0 {
		fmt.Fprintf(c.out, "lost share   of authority %d, which gets a share of the key under this card\n", in.Lost)
	}
	fmt.Fprintf(c.out, "first record sha256 %s\n", b.FirstRecord())
}

func pinned(dir, manifestKey string) (*keys.Manifest, ed25519.PublicKey, error) {
	key, err := publicKey(manifestKey)
	if err != nil {
		return nil, nil, err
	}
	m, err := keys.PinnedManifest(dir, key)
	return m, key, err
}

func board(dir, coordinator string) (*dkg.Board, error) {
	key, err := publicKey(coordinator)
	if err != nil {
		return nil, err
	}
	return dkg.OpenBoard(dir, key)
}

// memberOptions are the options of the commands of an authority.
type memberOptions struct{ dir, secrets, coordinator, share, out, late, first string }

// memberNeeds are the options that each of these commands needs.
func memberNeeds(more ...string) []string {
	return append([]string{"dir", "secrets", "coordinator"}, more...)
}

func (o *memberOptions) define(f *flag.FlagSet) {
	f.StringVar(&o.dir, "dir", "", "the bulletin folder")
	f.StringVar(&o.secrets, "secrets", "", "the authority's secrets of this ceremony, with their journal beside them")
	f.StringVar(&o.coordinator, "coordinator", "", coordinatorOption)
	f.StringVar(&o.late, "late", "", "rounds in which this authority's message is known to have come too late, separated by commas")
}

func (o *memberOptions) defineShare(f *flag.FlagSet) {
	f.StringVar(&o.share, "share", "", "the share that is refreshed")
}

// as opens the board for the authority with these secrets.
func (o *memberOptions) as(work func(a *dkg.Authority, old *suite.Share) error) error {
	b, err := board(o.dir, o.coordinator)
	if err != nil {
		return err
	}
	s, err := dkg.LoadSecrets(o.secrets)
	if err != nil {
		return err
	}
	defer s.Close()
	a, err := dkg.Join(b, s, strings.Split(o.late, ",")...)
	if err != nil {
		return err
	}
	var old *suite.Share
	if o.share != "" {
		var seed []byte
		if old, seed, err = readShare(o.share); err != nil {
			return err
		}
		suite.Wipe(seed)
		defer old.Close()
	}
	return work(a, old)
}

func committeeStep(c *console, name string, args []string, work func(*console, *dkg.Authority) error) error {
	var o memberOptions
	if err := options(c, name, args, o.define, memberNeeds()...); err != nil {
		return err
	}
	return o.as(func(a *dkg.Authority, _ *suite.Share) error { return work(c, a) })
}

// committeeDeal needs the digest of the first record, which the authorities compared. It pins all cards, so all who get shares.
func committeeDeal(c *console, name string, args []string) error {
	var o memberOptions
	if err := options(c, name, args, func(f *flag.FlagSet) {
		o.define(f)
		f.StringVar(&o.first, "first-record", "", "the digest of the first record, as status prints it and the authorities compared it")
	}, memberNeeds("first-record")...); err != nil {
		return err
	}
	return o.as(func(a *dkg.Authority, _ *suite.Share) error {
		if a.FirstRecord() != o.first {
			return ceremony.Refuse(ceremony.WrongDigest, "the first record has SHA-256 %s", a.FirstRecord())
		}
		return a.Deal()
	})
}

func committeeHelp(c *console, args []string) error {
	var o memberOptions
	if err := options(c, "recover help", args, func(f *flag.FlagSet) {
		o.define(f)
		o.defineShare(f)
	}, memberNeeds("share")...); err != nil {
		return err
	}
	return o.as(func(a *dkg.Authority, old *suite.Share) error { return a.Help(old) })
}

// committeeFinish stores the share and then confirms it. It can be repeated: an existing share must be the same.
func committeeFinish(c *console, args []string) error {
	var o memberOptions
	if err := options(c, "finish", args, func(f *flag.FlagSet) {
		o.define(f)
		o.defineShare(f)
		f.StringVar(&o.out, "out", "", "file for the new share")
	}, memberNeeds("out")...); err != nil {
		return err
	}
	return o.as(func(a *dkg.Authority, old *suite.Share) error {
		raw, err := a.Finish(old)
		if err != nil {
			return err
		}
		defer suite.Wipe(raw)
		err = ceremony.WriteNew(o.out, raw, 0o600)
		if ceremony.CodeOf(err) == ceremony.Exists {
			err = sameFile(o.out, raw)
		}
		if err != nil {
			return err
		}
		share, seed, err := readShare(o.out) // confirms the share that is on the disk
		if err != nil {
			return err
		}
		suite.Wipe(seed)
		defer share.Close()
		return a.Confirm(share)
	})
}

func sameFile(path string, want []byte) error {
	got, err := ceremony.ReadPrivate(path, maxShareFile)
	if err != nil {
		return err
	}
	defer suite.Wipe(got)
	if !bytes.Equal(got, want) {
		return ceremony.Refuse(ceremony.Exists, "the file already holds another share")
	}
	return nil
}

func committeeClose(c *console, args []string) error {
	var dir, key string
	if err := options(c, "close", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the bulletin folder")
		f.StringVar(&key, "key", "", "the coordinator's signing key")
	}, "dir", "key"); err != nil {
		return err
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	b, err := dkg.OpenBoard(dir, private.Public().(ed25519.PublicKey))
	if err != nil {
		return err
	}
	if err := showPending(c, b); err != nil {
		return err
	}
	return b.Close(private)
}

func showPending(c *console, b *dkg.Board) error {
	pending, err := b.Pending()
	if err != nil {
		return err
	}
	for _, p := range pending {
		if p.Err != nil {
			fmt.Fprintf(c.out, "passed over  %s: %v\n", p.File, p.Err)
		} else {
			fmt.Fprintf(c.out, "message      of authority %d, sha256 %s\n", p.Author, p.SHA256)
		}
	}
	return nil
}

func committeeStatus(c *console, args []string) error {
	var dir, coordinator string
	if err := options(c, "status", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the bulletin folder")
		f.StringVar(&coordinator, "coordinator", "", coordinatorOption)
	}, "dir", "coordinator"); err != nil {
		return err
	}
	b, err := board(dir, coordinator)
	if err != nil {
		return err
	}
	describeBeginning(c, b)
	fmt.Fprintf(c.out, "open round   %s\n", or(b.Round(), "none: the ceremony is over"))
	return showPending(c, b)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func committeeVerify(c *console, args []string) error {
	var dir, coordinator, out string
	if err := options(c, "verify", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the bulletin folder")
		f.StringVar(&coordinator, "coordinator", "", coordinatorOption)
		f.StringVar(&out, "out", "", "file for the committee's public keys")
	}, "dir", "coordinator"); err != nil {
		return err
	}
	b, err := board(dir, coordinator)
	if err != nil {
		return err
	}
	o, err := b.Outcome()
	if o != nil {
		describeOutcome(c, b, o)
	}
	if err != nil {
		return err
	}
	if o.Committee != nil && out != "" {
		if err := writeCommittee(out, o.Committee); err != nil {
			return err
		}
	}
	if o.Digest == "" {
		fmt.Fprintf(c.out, "ok so far; the open round is %s\n", b.Round())
		return nil
	}
	fmt.Fprintf(c.out, "ok           transcript sha256 %s\n", o.Digest)
	return nil
}

func writeCommittee(path string, c *suite.Committee) error {
	entry, err := keys.EncodeCommittee(c)
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(&entry, "", "  ")
	if err != nil {
		return err
	}
	return ceremony.WriteNew(path, append(raw, '\n'), 0o644)
}

func describeOutcome(c *console, b *dkg.Board, o *dkg.Outcome) {
	describeBeginning(c, b)
	fmt.Fprintf(c.out, "dealers      %v\n", o.Qualified)
	for _, list := range []struct {
		what string
		of   map[int]string
	}{{"excluded", o.Excluded}, {"opened", o.Opened}, {"not confirmed", o.WrongConfirmations}} {
		for _, index := range slices.Sorted(maps.Keys(list.of)) {
			fmt.Fprintf(c.out, "%-12s authority %d: %s\n", list.what, index, list.of[index])
		}
	}
	for round, authors := range o.Equivocators {
		fmt.Fprintf(c.out, "two messages in %s by %v\n", round, authors)
	}
	if len(o.Confirmed) > 0 {
		fmt.Fprintf(c.out, "confirmed    %v\n", o.Confirmed)
	}
}
