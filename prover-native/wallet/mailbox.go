package wallet

import (
	"bytes"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

const (
	day       = 24 * 60 * 60 * second
	retention = 90 * day
	copyAge   = 60 * day
	maxCopies = 10
	maxDelay  = 3 * second
)

// bucket is the part of the mailbox that an address reads.
func (n *network) bucket(bits uint8, apk [32]byte) uint8 {
	digest := n.Digest()
	sum := sha256.Sum256(slices.Concat([]byte("solidus/mailbox-bucket/v1"), digest[:], apk[:]))
	return 1<<bits | sum[0]>>(8-bits)
}

// readMailbox reads on from the place in the state, once in a command. Each page is a commit.
func (r *run) readMailbox() error {
	if r.Session.Read {
		return nil
	}
	after := uint64(0)
	if r.Place != nil {
		after = r.Place.Sequence
	}
	r.progress("mailbox", after)
	p, err := r.page(after)
	if err != nil {
		return err
	}
	if r.Place != nil && !bytes.Equal(p.at, r.Place.Digest[:]) {
		if r.Session.Again {
			return refuse("gateway-misbehaved", "the mailbox changed twice while it was read")
		}
		r.Session.Again = true
		r.startAgain()
		return r.commit()
	}
	if err := r.accept(p); err != nil {
		return err
	}
	if len(p.blobs) < pageLength {
		r.Session.Read = true
		if r.Mail != nil {
			r.Mail.without(r.Session.Bodies)
			r.Mail.Overdue = 0
		}
		if err := r.endOfMailbox(nil); err != nil {
			return err
		}
	}
	return r.commit()
}

func (r *run) page(after uint64) (*page, error) {
	if bits := r.Profile.MailboxBits; bits > 0 {
		own := r.net.bucket(bits, bytes32(&r.keys.apk))
		body, err := r.ask(get(fmt.Sprintf("/v1/mailbox/buckets/%d?after=%d&limit=%d", own, after, pageLength)))
		if err != nil {
			return nil, err
		}
		return readBucket(body, after)
	}
	body, err := r.ask(get(fmt.Sprintf("/v1/mailbox?after=%d&limit=%d", after, pageLength)))
	if err != nil {
		return nil, err
	}
	return readPage(body, after)
}

// accept takes the coins of a page and the new place.
func (r *run) accept(p *page) error {
	for _, blob := range p.blobs {
		digest, own := digestOf(blob), false
		for i := range r.Deliveries {
			if d := &r.Deliveries[i]; d.Stage != stageSeen && d.Message.Digest == digest && (d.Stage == stagePosted || r.isPrivate()) {
				r.isThere(d)
				own = true
			}
		}
		content := r.net.openBlob(r.keys.receiving, blob)
		if r.isPrivate() && (own || content != nil) {
			r.Session.Bodies = append(r.Session.Bodies, headerOf(blob))
			r.Session.Bodies = r.Session.Bodies[max(0, len(r.Session.Bodies)-maxWaiting):]
		}
		if content == nil {
			continue
		}
		if parcel, err := decodeParcel(content); err == nil {
			if err := r.take(parcel); err != nil {
				return err
			}
		}
	}
	if p.next > 0 {
		r.Place = &place{p.next, p.digest}
	}
	return nil
}

// isThere: the mailbox has the message, also where its post got no answer.
func (r *run) isThere(d *delivery) {
	d.Stage = stageSeen
	if d.First == 0 {
		d.First = r.moment.Now
	}
}

// take keeps what a parcel brings, if it is valid and new.
func (r *run) take(p *parcel) error {
	if p.Kind == parcelFirstSignature || p.Kind == parcelCase {
		if r.Account != nil || !r.Restoring {
			return nil
		}
		if p.Kind == parcelCase {
			r.takeCase(p)
			return nil
		}
		if !slices.Contains(r.Session.FirstSignatures, p.Signature) {
			return r.takeFirst(p.Signature)
		}
		return nil
	}
	coin := ownedCoin{p.Origin, p.Value, p.Rho, p.Signature, min(p.Time, r.moment.Now), p.Text}
	if coin.Value == 0 || r.hasSeen(coin.Rho) {
		return nil
	}
	message, err := r.net.coinMessage(r.keys, &coin)
	if err != nil {
		return err
	}
	signature, err := decodeSignature(&coin.Signature)
	if err != nil || r.net.scheme.Verify(r.net.committee, &message, &signature) != nil {
		return nil //nolint:nilerr // the committee did not sign it
	}
	if err := r.requireRoom(0, 1, roomForCoins); err != nil {
		return err
	}
	r.Coins = append(r.Coins, coin)
	r.see(coin.Rho)
	r.progress("received", coin.Value)
	return nil
}

// takeCase keeps a case that this wallet opened.
func (r *run) takeCase(p *parcel) {
	if p.Tag != r.keys.caseTag(&p.Case) {
		return
	}
	if r.Registration == nil {
		r.Registration = &registration{}
	}
	if cases := r.Registration.Cases; !slices.Contains(cases, p.Case) && len(cases) < maxCases {
		r.Registration.Cases = append(r.Registration.Cases, p.Case)
	}
}

// takeFirst keeps a signature that is the first compliance coin's.
func (r *run) takeFirst(b [signatureBytes]byte) error {
	_, message, err := r.net.firstCoin(r.keys)
	if err != nil {
		return err
	}
	signature, err := decodeSignature(&b)
	if err == nil && r.net.scheme.Verify(r.net.committee, &message, &signature) == nil {
		r.Session.FirstSignatures = append(r.Session.FirstSignatures, b)
	}
	return nil
}

// forgetExpired drops the messages that were posted and that no mailbox keeps any longer, and reports whether there were any. What
// waits to be posted stays: the host's clock alone says that its time is over, and the payee may not have it.
func (r *run) forgetExpired() bool {
	before := len(r.Deliveries)
	r.Deliveries = slices.DeleteFunc(r.Deliveries, func(d delivery) bool {
		return d.Stage != stageWaiting && d.First != 0 && d.First+retention < r.moment.Now
	})
	return len(r.Deliveries) < before
}

// endOfMailbox: what was posted and not seen is lost, and waits again; a coin that the mailbox will forget gets a copy. The place is that
// of a private reading, or none after all was read.
func (r *run) endOfMailbox(private *mailPlace) error {
	now := r.moment.Now
	fresh := map[[32]byte]bool{}
	for i := range r.Deliveries {
		d := &r.Deliveries[i]
		if d.Stage == stagePosted && r.readsBucketOf(d.Payee) && (private == nil || d.isLost(private)) {
			d.Stage = stageWaiting
		}
		if d.Transfer == 0 && (d.First == 0 || d.First+copyAge >= now) {
			fresh[d.Copy] = true
		}
	}
	copies := 0
	for i := range r.Coins {
		c := &r.Coins[i]
		if c.Time+copyAge >= now || fresh[c.Rho] || copies == maxCopies || r.history() > maxHistory+roomForCopies {
			continue // without room the owner is told at the next payment
		}
		if err := r.keepCoin(c); err != nil {
			return err
		}
		copies++
	}
	return nil
}

// readsBucketOf reports whether a message for an address comes back when this wallet reads its part of the mailbox.
func (r *run) readsBucketOf(apk [32]byte) bool {
	bits := r.Profile.MailboxBits
	return r.net.bucket(bits, apk) == r.net.bucket(bits, bytes32(&r.keys.apk))
}

// seal draws the ephemeral key from the event's entropy and the content.
func (r *run) seal(to [32]byte, p *parcel) (*message, error) {
	content := p.encode()
	m := &message{
		To: to, Secret: [32]byte(r.draws()("parcel", keyBytes, to[:], content)), Parcel: bytes.TrimRight(content, "\x00"),
	}
	blob, err := m.blob(r.net)
	if err != nil {
		return nil, err
	}
	m.Digest, m.Header = digestOf(blob), headerOf(blob)
	return m, nil
}

// blob is the message as it is posted.
func (m *message) blob(n *network) ([]byte, error) {
	content := make([]byte, parcelBytes)
	if len(m.Parcel) > copy(content, m.Parcel) {
		return nil, fault.New(fault.Internal, "a parcel of the state")
	}
	ephemeral, err := ecdh.X25519().NewPrivateKey(m.Secret[:])
	if err != nil {
		return nil, err
	}
	return n.sealBlob(m.To[:], ephemeral, content)
}

// deliver posts what waits. What cannot be posted now stays for a later command.
func (r *run) deliver() error {
	if r.isOut(roleGateway) {
		return nil
	}
	for i := range r.Deliveries {
		d := &r.Deliveries[i]
		if d.Stage != stageWaiting {
			continue
		}
		r.progress("delivery", 0)
		delay := binary.BigEndian.Uint64(r.draws()("delay", 8, d.Message.Digest[:])) % maxDelay
		if err := r.sleep(delay); err != nil {
			return err
		}
		err := r.post(d)
		if isOutage(err) {
			// next time the others come first: it may be this message that the gateway fails at
			r.Deliveries = behindOthers(r.Deliveries, i)
			return r.goesOut(roleGateway)
		}
		if codeOf(err) != "" {
			continue
		}
		if err != nil {
			return err
		}
		d.Stage, d.Again = stagePosted, r.moment.Now
		if d.First == 0 {
			d.First = r.moment.Now
		}
		return r.commit()
	}
	return nil
}

func (r *run) post(d *delivery) error {
	blob, err := d.Message.blob(r.net)
	if err != nil {
		return err
	}
	body := struct {
		Blob   b64    `json:"blob"`
		Bucket *uint8 `json:"bucket,omitempty"`
	}{Blob: blob}
	if bits := r.Profile.MailboxBits; bits > 0 {
		bucket := r.net.bucket(bits, d.Payee)
		body.Bucket = &bucket
	}
	raw, err := json.Marshal(&body)
	if err != nil {
		return err
	}
	q := post("/v1/mailbox", raw, hex.EncodeToString(r.keys.derive("post-key", keyBytes, blob)))
	q.impatient, q.spends = true, true
	answer, err := r.once(q)
	var j struct {
		Sequence uint64 `json:"sequence"`
	}
	if err == nil && json.Unmarshal(answer, &j) == nil && j.Sequence < amountLimit {
		d.Number = j.Sequence
	}
	d.Message.Header = headerOf(blob)
	return err
}

// delivery is a payee's coin. Its signature is randomised: as signed it has a base that shows the transfer.
func (r *run) delivery(p *plan, payment int, signed *suite.Signature) (*delivery, error) {
	t := r.draws().scalar("parcel-t", p.core[:], u32(uint32(payment)))
	randomised, err := r.net.scheme.Randomise(signed, &t)
	if err != nil {
		return nil, err
	}
	signature, err := encodeSignature(&randomised)
	if err != nil {
		return nil, err
	}
	m := p.memo.payments()[payment]
	coin := &parcel{
		Kind: parcelPayment, Origin: uint8(p.origin(payment)), Value: m.Paid, Rho: bytes32(&p.Rho[outputOf(payment)]), Signature: signature,
		Time: p.memo.Time, Text: m.Text,
	}
	sealed, err := r.seal(m.PayeeKey, coin)
	if err != nil {
		return nil, fault.New(fault.Internal, "a parcel")
	}
	return &delivery{Payee: m.Payee, Message: *sealed}, nil
}
