package wallet

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// profile is what a wallet pins: it comes with the application.
type profile struct {
	Network     string
	ManifestKey [32]byte
	// Classes are the names of the classes of keys that the wallet takes.
	Classes []string
	// Manifest and Signature are the content of manifest.json and manifest.sig.
	Manifest  []byte
	Signature []byte
	// TransferKey is the content of transfer.vk.
	TransferKey []byte
	// RegisterKey and MintKey are those of register.vk and mint.vk, or empty in a wallet that does neither.
	RegisterKey []byte
	MintKey     []byte
	// MailboxBits is that of the network's services.
	MailboxBits uint8
	// Currency is the network's, three letters.
	Currency string
	// ProverKey is the key of a prover that makes the wallet's proofs, from its owner, or empty where the host makes them.
	ProverKey []byte
	// Shapes, ShapesSignature and ClaimKey are the content of shapes.json, shapes.sig and claim-16.vk, or empty.
	Shapes          []byte
	ShapesSignature []byte
	ClaimKey        []byte
	// OnlyDevice is the owner's word that no other device has the wallet's words.
	OnlyDevice bool
	// RecoverKey is the content of recover.vk, or empty in a wallet whose host proves no recover.
	RecoverKey []byte
	// Origin is the gateway's host name, which blind tokens are for, or empty in a wallet that fetches none.
	Origin string
	// Replicas are those of the gateway's mailbox, of the network's services: with them the wallet reads by private queries.
	Replicas []replica
}

// maxMailboxBits bounds how small a crowd a network may read its mailbox in.
const maxMailboxBits = 6

// network is a verified profile.
type network struct {
	*statement.Network
	digest    [32]byte // of the manifest
	committee *suite.Committee
	former    []keys.Former
	scheme    suite.Scheme
	verifier  *statement.Verifier
	circuit   uint32
	// mintCircuit and registerCircuit are 0 where the profile has no keys of them.
	mintCircuit     uint32
	registerCircuit uint32
	claimCircuit    uint32
	recoverCircuit  uint32
}

// circuitOf is 0 for a family whose proofs this wallet does not verify.
func (n *network) circuitOf(family statement.Family) uint32 {
	switch family {
	case statement.FamilyTransfer:
		return n.circuit
	case statement.FamilyClaim16:
		return n.claimCircuit
	default:
		return 0
	}
}

// verifies reports whether this wallet has the key of a version of a family's circuit.
func (n *network) verifies(family statement.Family, circuit uint32) bool {
	return circuit != 0 && circuit == n.circuitOf(family)
}

// verified is the network of the last profile: a check of the committee and its keys takes as long as a signature. No result
// depends on whether it is there.
var verified struct {
	sync.Mutex
	profile [32]byte
	network *network
}

// open verifies a profile.
func (p *profile) open() (*network, error) {
	digest := sha256.Sum256(encode(p))
	verified.Lock()
	defer verified.Unlock()
	if verified.network != nil && verified.profile == digest {
		return verified.network, nil
	}
	n, err := p.verify()
	if err == nil {
		verified.profile, verified.network = digest, n
	}
	return n, err
}

func (p *profile) verify() (*network, error) {
	if p.MailboxBits > maxMailboxBits {
		return nil, refuse("manifest-untrusted", "buckets of too few wallets")
	}
	if p.Origin != "" && !issuerForm.MatchString(p.Origin) {
		return nil, refuse("manifest-untrusted", "not the host name of a gateway")
	}
	if len(p.ProverKey) != 0 && (len(p.ProverKey) != keyBytes || checkEncryptionKey(p.ProverKey) != nil) {
		return nil, refuse("manifest-untrusted", "not the key of a prover")
	}
	if err := checkReplicas(p.Replicas); err != nil {
		return nil, err
	}
	set, key, err := keys.OpenPinned(p.expectation(), p.Manifest, p.Signature, statement.FamilyTransfer, p.TransferKey)
	if err != nil {
		return nil, refuse("manifest-untrusted", err.Error())
	}
	if len(p.Replicas) != 0 && len(p.Replicas) != len(set.Committee.Members) {
		return nil, refuse("manifest-untrusted", "not one replica for each authority")
	}
	n := &network{
		Network: set.Network, digest: set.Digest, committee: set.Committee, former: set.Former, scheme: set.Network.Scheme(), circuit: key.Version,
	}
	all := statement.Keys{Transfer: key}
	for _, more := range []struct {
		file    []byte
		family  statement.Family
		into    **statement.CircuitKey
		version *uint32
	}{
		{p.RegisterKey, statement.FamilyRegister, &all.Register, &n.registerCircuit}, {p.MintKey, statement.FamilyMint, &all.Mint, &n.mintCircuit},
		{p.RecoverKey, statement.FamilyRecover, &all.Recover, &n.recoverCircuit},
	} {
		if len(more.file) == 0 {
			continue
		}
		_, opened, err := keys.OpenPinned(p.expectation(), p.Manifest, p.Signature, more.family, more.file)
		if err != nil {
			return nil, refuse("manifest-untrusted", err.Error())
		}
		*more.into, *more.version = opened, opened.Version
	}
	if len(p.ClaimKey) != 0 {
		if all.Claim16, err = set.OpenPinnedShape(p.expectation(), p.Shapes, p.ShapesSignature, statement.FamilyClaim16, p.ClaimKey); err != nil {
			return nil, refuse("manifest-untrusted", err.Error())
		}
		n.claimCircuit = all.Claim16.Version
	}
	n.verifier, err = statement.NewVerifier(set.Network, set.Kind, set.Committee, all)
	return n, err
}

func (p *profile) expectation() keys.Expectation {
	var classes []keys.Class
	for _, name := range p.Classes {
		if class, err := keys.ParseClass(name); err == nil {
			classes = append(classes, class)
		}
	}
	return keys.Expectation{
		Network: p.Network, Kind: statement.Regulated, Allowed: keys.Classes(classes...), ManifestKey: p.ManifestKey[:],
	}
}

// trusts reports whether a gateway serves the wallet's manifest, one that it names as former, or one that the pinned key signed
// and that names the wallet's as former. Of the last one it returns the profile with that manifest, if the profile's circuits are
// those of it: then the wallet takes it, and knows the committee of the newer epoch.
//
//spec:id W-62
func (n *network) trusts(p *profile, manifest, signature []byte) (trusted bool, newer *profile) {
	if bytes.Equal(manifest, p.Manifest) {
		return true, nil
	}
	served := sha256.Sum256(manifest)
	for i := range n.former {
		if n.former[i].Manifest == served {
			return true, nil
		}
	}
	set, err := keys.OpenManifest(p.expectation(), manifest, signature)
	if err != nil || !slices.ContainsFunc(set.Former, func(f keys.Former) bool { return f.Manifest == n.digest }) {
		return false, nil
	}
	with := *p
	with.Manifest, with.Signature = manifest, signature
	if _, err := with.open(); err != nil {
		return true, nil // other circuits than this program's: it goes on as before
	}
	return true, &with
}

// at is the committee of an epoch.
func (n *network) at(epoch uint32) *suite.Committee {
	if n.committee.Epoch == epoch {
		return n.committee
	}
	for i := range n.former {
		if n.former[i].Committee.Epoch == epoch {
			return n.former[i].Committee
		}
	}
	return nil
}

// stateKeys are the keys that an authority's signatures of states count with at a time in milliseconds.
func (n *network) stateKeys(authority int, now uint64) (all []ed25519.PublicKey) {
	if member, err := n.committee.Member(authority); err == nil {
		all = append(all, member.NoteKey[:])
	}
	for i := range n.former {
		if member, err := n.former[i].Committee.Member(authority); err == nil && before(now, n.former[i].NoteKeysUntil) {
			all = append(all, member.NoteKey[:])
		}
	}
	return all
}

// voteKey is the key of an authority's votes in an epoch at a time: one that the authority no longer has counts until it ends.
func (n *network) voteKey(authority int, epoch uint32, now uint64) ed25519.PublicKey {
	committee := n.at(epoch)
	if committee == nil {
		return nil
	}
	member, err := committee.Member(authority)
	if err != nil {
		return nil
	}
	key := member.NoteKey
	if present, err := n.committee.Member(authority); err == nil && present.NoteKey == key {
		return key[:]
	}
	for i := range n.former {
		if was, err := n.former[i].Committee.Member(authority); err == nil && was.NoteKey == key {
			if !before(now, n.former[i].NoteKeysUntil) {
				return nil
			}
			return key[:]
		}
	}
	return nil
}

func before(millis uint64, end time.Time) bool { return int64(millis) < end.UnixMilli() }

// field reads an element from the wallet's own state.
func field(b [32]byte) (suite.Field, error) {
	e, err := suite.DecodeField(b[:])
	if err != nil {
		return e, fault.New(fault.MalformedRequest, "an element of the state")
	}
	return e, nil
}

func bytes32(e *suite.Field) [32]byte { return [32]byte(suite.EncodeField(e)) }
