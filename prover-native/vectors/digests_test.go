package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const vectorNetwork = "solidus-vectors"

func networkDigest(id string) []byte {
	digest := sha256.Sum256([]byte("solidus/network/v1\x00" + id))
	return digest[:]
}

var network = networkDigest(vectorNetwork)

// sum is SHA-256 over a domain, the network and the parts.
func sum(domain string, parts ...[]byte) []byte {
	digest := sha256.Sum256(bytes.Join(append([][]byte{[]byte(domain), network}, parts...), nil))
	return digest[:]
}

func inputDigest(family byte, body []byte) []byte {
	return field(reduced(r, []byte("solidus/D/v2"), network, []byte{family}, body))
}

func core(family byte, body []byte) []byte { return sum("solidus/core/v2", []byte{family}, body) }

func u64(x uint64) []byte { return binary.BigEndian.AppendUint64(nil, x) }

func u32(x uint32) []byte { return binary.BigEndian.AppendUint32(nil, x) }

// families of the statements.
const (
	familyRegister    = 1
	familyMint        = 2
	familyTransfer    = 3
	familyUnregulated = 4
)

// sampleTransfer is the public data of a transfer that digests cover.
type sampleTransfer struct {
	serials, cms, ks [][]byte
	period           uint32
	withdrawn        uint64
	context          []byte
}

func newSampleTransfer(label string, serials int, period uint32, withdrawn uint64) *sampleTransfer {
	s := &sampleTransfer{period: period, withdrawn: withdrawn, context: sum("a context for " + label)}
	for i := range serials {
		s.serials = append(s.serials, field(draw(label+" serial "+decimal(uint64(i)), r)))
	}
	for i := range 2 {
		s.cms = append(s.cms, field(draw(label+" cm "+decimal(uint64(i)), r)))
		s.ks = append(s.ks, generatorG1.multiply(draw(label+" k "+decimal(uint64(i)), r)).g1())
	}
	return s
}

func hexes(list [][]byte) []string {
	var out []string
	for _, b := range list {
		out = append(out, hexOf(b))
	}
	return out
}

func (s *sampleTransfer) in(family string) in {
	return in{
		"network": vectorNetwork, "family": family, "serials": hexes(s.serials), "cm": hexes(s.cms), "k": hexes(s.ks),
		"period": decimal(uint64(s.period)), "withdrawn": decimal(s.withdrawn), "context": hexOf(s.context),
	}
}

func (s *sampleTransfer) inputBody() []byte {
	body := []byte{byte(len(s.serials))}
	body = append(body, bytes.Join(s.serials, nil)...)
	return append(append(body, u64(s.withdrawn)...), s.context...)
}

func (s *sampleTransfer) coreBody() []byte {
	body := []byte{byte(len(s.serials))}
	body = append(append(body, bytes.Join(s.serials, nil)...), byte(len(s.cms)))
	for i := range s.cms {
		body = append(append(body, s.cms[i]...), s.ks[i]...)
	}
	return append(append(append(body, u32(s.period)...), u64(s.withdrawn)...), s.context...)
}

func (s *sampleTransfer) add(f *file, name, family string, number byte) {
	f.good("inputDigest", name, s.in(family), inputDigest(number, s.inputBody()))
	f.good("core", name, s.in(family), core(number, s.coreBody()))
}

func TestStatement(t *testing.T) {
	f := &file{Name: "statement", About: "SHA-2 digests: context and core; reduced to field elements: serial number of a mint and D"}
	addContexts(f)
	addOwners(f)
	newSampleTransfer("ordinary", 3, 202606, 20).add(f, "transfer", "transfer", familyTransfer)
	newSampleTransfer("large", 3, 1<<32-1, 1<<64-1).add(f, "transfer, largest integers", "transfer", familyTransfer)
	newSampleTransfer("plain", 2, 0, 0).add(f, "unregulated", "transfer-unregulated", familyUnregulated)
	exchanged := newSampleTransfer("ordinary", 3, 202606, 20)
	exchanged.serials[1], exchanged.serials[2] = exchanged.serials[2], exchanged.serials[1]
	exchanged.add(f, "transfer, serial numbers exchanged", "transfer", familyTransfer)
	f.sort()
	check(t, f, statementOperations)
}

func addContexts(f *file) {
	zeroPayout, zeroMemo := make([]byte, 512), make([]byte, 1024)
	payout, memo := pattern(512), pattern(1024)
	for name, x := range map[string][2][]byte{
		"no payout": {zeroPayout, memo}, "payout and memo": {payout, memo}, "nothing": {zeroPayout, zeroMemo},
	} {
		f.good("context", name, contextIn(x[0], x[1]), sum("solidus/context/v1", x[0], x[1]))
	}
	f.bad("context", "short payout", contextIn(payout[:511], memo), fault.BadLength)
	f.bad("context", "long memo", contextIn(payout, append(memo, 0)), fault.BadLength)
	f.bad("context", "no blocks", contextIn(nil, nil), fault.BadLength)
}

func contextIn(payout, memo []byte) in {
	return in{"network": vectorNetwork, "payout": hexOf(payout), "memo": hexOf(memo)}
}

// pattern is a block in which every byte depends on its place.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i/256)
	}
	return b
}

// addOwners adds registrations and mints.
func addOwners(f *file) {
	apk, cm := field(draw("apk", r)), field(draw("cm", r))
	k := generatorG1.multiply(draw("k", r)).g1()
	register := in{"network": vectorNetwork, "family": "register", "apk": hexOf(apk), "cm": hexOf(cm), "k": hexOf(k)}
	f.good("inputDigest", "register", register, inputDigest(familyRegister, apk))
	f.good("core", "register", register, core(familyRegister, bytes.Join([][]byte{apk, cm, k}, nil)))

	id := sum("a mint")
	serial := field(reduced(r, []byte("solidus/mint-serial/v2"), network, id))
	f.good("mintSerial", "ordinary", in{"network": vectorNetwork, "mintId": hexOf(id)}, serial)
	for _, value := range []uint64{0, 12345, 1<<64 - 1} {
		mint := in{
			"network": vectorNetwork, "family": "mint", "mintId": hexOf(id), "value": decimal(value), "cm": hexOf(cm), "k": hexOf(k),
		}
		body := append(append([]byte(nil), id...), u64(value)...)
		f.good("inputDigest", "mint of "+decimal(value), mint, inputDigest(familyMint, body))
		f.good("core", "mint of "+decimal(value), mint, core(familyMint, bytes.Join([][]byte{body, cm, k}, nil)))
	}
}

var statementOperations = map[string]operation{
	"context": func(a args) ([]byte, error) {
		c, err := a.network().Context(a.bytes("payout"), a.bytes("memo"))
		return c[:], err
	},
	"mintSerial": func(a args) ([]byte, error) {
		sn := a.network().MintSerial([32]byte(a.bytes("mintId")))
		return suite.EncodeField(&sn), nil
	},
	"inputDigest": func(a args) ([]byte, error) {
		var d suite.Field
		switch n := a.network(); a.text("family") {
		case "register":
			d = a.register().InputDigest(n)
		case "mint":
			d = a.mint().InputDigest(n)
		default:
			d = a.transfer().InputDigest(n)
		}
		return suite.EncodeField(&d), nil
	},
	"core": func(a args) (out []byte, err error) {
		var c [32]byte
		switch n := a.network(); a.text("family") {
		case "register":
			c, err = a.register().Core(n)
		case "mint":
			c, err = a.mint().Core(n)
		default:
			c, err = a.transfer().Core(n)
		}
		return c[:], err
	},
}

func (a args) network() *statement.Network {
	a.t.Helper()
	n, err := statement.NewNetwork(a.text("network"))
	if err != nil {
		a.t.Fatal(err)
	}
	return n
}

func (a args) register() *statement.Register {
	return &statement.Register{Apk: a.field("apk"), Coin: statement.BlindedCoin{Cm: a.field("cm"), K: a.g1("k")}}
}

func (a args) mint() *statement.Mint {
	return &statement.Mint{
		MintID: [32]byte(a.bytes("mintId")), Value: a.integer("value"),
		Coin: statement.BlindedCoin{Cm: a.field("cm"), K: a.g1("k")},
	}
}

func (a args) transfer() *statement.Transfer {
	s := &statement.Transfer{
		Family: statement.FamilyTransfer, Period: uint32(a.integer("period")), Withdrawn: a.integer("withdrawn"),
		Context: [32]byte(a.bytes("context")),
	}
	if a.text("family") == "transfer-unregulated" {
		s.Family = statement.FamilyTransferUnregulated
	}
	for _, b := range a.list("serials") {
		s.Serials = append(s.Serials, decodeField(a.t, b))
	}
	ks := a.list("k")
	for i, b := range a.list("cm") {
		s.Outputs = append(s.Outputs, statement.BlindedCoin{Cm: decodeField(a.t, b), K: decodeG1(a.t, ks[i])})
	}
	return s
}
