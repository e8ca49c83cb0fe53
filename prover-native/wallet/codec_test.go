package wallet

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// What decode takes is what encode gives: a state and a message have one encoding.
//
//spec:id W-31
func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), encode(&event{Version: Version, Kind: eventResume}))
	f.Add(uint8(1), encode(&state{Version: Version, Task: &task{command{ID: "a"}, 1}, Journal: []answer{{Kind: effectHTTP, Body: []byte("b")}}}))
	f.Add(uint8(2), encode(&wallet{Coins: []ownedCoin{{Text: "c"}}, Account: &account{Held: 1}}))
	f.Add(uint8(3), encode([]effect{{effectTell, encode(&tell{What: "ended"})}}))
	f.Add(uint8(2), encode(&wallet{Seen: make(traces, 32), Archive: archive{Count: 1, Pages: [][32]byte{{3}}}}))
	f.Add(uint8(2), encode(&wallet{Mail: &mailPlace{Waiting: []waitingMail{{}}}, Session: knowledge{Reading: &reading{Chain: &tableChain{}}}}))
	f.Add(uint8(9), encode(&[]record{{Payment: "d", Memo: []byte{memoVersion}}}))
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		into := []any{&event{}, &state{}, &wallet{}, &[]effect{}, &reply{}, &creation{}, &view{}, &bankAccount{}, &funding{}, &[]record{},
			&keptReply{}, &pageQuestion{}, &pageView{}, &archivePage{}, &services{}, &reading{}}[which%16]
		if decode(b, into) == nil && !bytes.Equal(encode(into), b) {
			t.Error("two encodings of one value")
		}
	})
}

// No event and no state make the core panic. Package cabi would turn a panic into an error, and the state would be stuck.
func FuzzStep(f *testing.F) {
	w := newWorld()
	create := &event{Version: Version, Kind: eventCreate, Body: encode(&creation{w.profile, testPhrase})}
	after, _, err := Step(nil, encode(create))
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range []*event{
		{Kind: eventCommand, Body: encode(&command{ID: "r", Kind: commandRestore})}, {Kind: eventReply, Body: encode(&reply{ID: 1, Status: 200})},
		{Kind: eventLook}, {Kind: eventCancel}, {Kind: eventResume}, {Kind: eventKept, Body: encode(&keptReply{1, true})},
		{Kind: eventPage, Body: encode(&pageQuestion{})},
	} {
		e.Version = Version
		f.Add(after, encode(e))
	}
	f.Fuzz(func(_ *testing.T, before, happened []byte) { _, _, _ = Step(before, happened) })
}

// Answers of a gateway are anybody's bytes.
func FuzzAnswers(f *testing.F) {
	w := newWorld()
	f.Add([]byte(`{"states":[{"serial":"AA","requests":[{"request":{}}]}],"signed":[{}]}`))
	f.Add([]byte(`{"entries":[{"sequence":1,"blob":"AA"}],"next":1,"at":null}`))
	f.Add(w.checkpoint())
	k := w.secrets(testPhrase)
	cc, _, err := w.net.firstCoin(k)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = w.net.judge(k, &cc, make([]byte, 32), b, 0)
		_, _ = readPage(b, 0)
		_, _ = readBucket(b, 0)
		_, _ = readHeaders(b)
		_, _ = readRecords(b)
		_, _ = w.net.readMailList(string(b))
		_ = sumOfAnswers(b, make([]askedShare, 2))
		_, _ = w.net.readRequest(b)
		_, _ = w.net.readPolicy(&rules{}, string(b), nil)
		_, _ = w.net.readCheckpoint(&rules{}, string(b), nil)
		_, _ = w.net.readAddress(string(b))
		_, _ = w.net.readRequestText(string(b))
		_, _ = w.net.readFields(b)
		_, _ = w.net.attestedCore(string(b))
		_ = w.net.takesClaims(b)
		_, _ = w.net.signatures(&signable{points: make([]suite.G1, 1), bases: &suite.Outputs{Cms: make([]suite.Field, 1)}}, b, 0)
		_, _ = decodeParcel(b)
		if m, err := decodeMemo(b); err == nil && !bytes.Equal(m.encode(), b) {
			t.Error("a memo that is written again has other bytes")
		}
		_ = w.net.openBlob(k.receiving, b)
	})
}

// RFC 8452, appendix C.2 (AES-256), and appendix A (POLYVAL).
func TestSIV(t *testing.T) {
	bytesOf := func(s string) []byte { return must(hex.DecodeString(s)) }
	if got := polyval(bytesOf("25629347589242761d31f826ba4b757b"), bytesOf("4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362")); hex.EncodeToString(got) != "f7a3b47b846119fae5b7866cf5e5b77e" {
		t.Errorf("POLYVAL %x", got)
	}
	key := append([]byte{1}, make([]byte, 31)...)
	nonce := append([]byte{3}, make([]byte, sivNonce-1)...)
	for plain, want := range map[string]string{
		"":                 "07f5f4169bbf55a8400cd47ea6fd400f",
		"0100000000000000": "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28",
	} {
		sealed := sealSIV(key, nonce, bytesOf(plain), nil)
		if hex.EncodeToString(sealed) != want {
			t.Errorf("%q: %x", plain, sealed)
		}
		opened, err := openSIV(key, nonce, sealed, nil)
		if err != nil || !bytes.Equal(opened, bytesOf(plain)) {
			t.Error(err)
		}
		sealed[0] ^= 1
		if _, err := openSIV(key, nonce, sealed, nil); err == nil {
			t.Error("an altered memo opens")
		}
	}
	if sivTag != aes.BlockSize {
		t.Error("the length of a tag")
	}
}

// The vectors of page 8 that this core has the operations for: the core, the library and the TypeScript are held to one behaviour.
func TestVectors(t *testing.T) {
	raw := must(os.ReadFile("../vectors/wallet.json"))
	var all struct {
		Cases []struct {
			Name, Op, Out, Error string
			In                   map[string]any
		}
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, c := range all.Cases {
		operation := vectorOperations[c.Op]
		if operation == nil {
			continue
		}
		count[c.Op]++
		t.Run(c.Op+"/"+c.Name, func(t *testing.T) {
			got, err := operation(vectorInput(c.In))
			if c.Error != "" {
				if err == nil {
					t.Errorf("it is not refused as %s", c.Error)
				} else if code := codeOf(err); code != "" && code != c.Error {
					t.Errorf("%s, want %s", code, c.Error)
				}
				return
			}
			if err != nil || got != c.Out {
				t.Errorf("%v: %.80s, want %.80s", err, got, c.Out)
			}
		})
	}
	for op := range vectorOperations {
		if count[op] == 0 {
			t.Errorf("no vector of %s", op)
		}
	}
}

type vectorInput map[string]any

func (in vectorInput) text(name string) string { s, _ := in[name].(string); return s }

func (in vectorInput) bytes(name string) []byte { return must(hex.DecodeString(in.text(name))) }

func (in vectorInput) array(name string) [32]byte { return [32]byte(in.bytes(name)) }

func (in vectorInput) number(name string) uint64 {
	return must(strconv.ParseUint(in.text(name), 10, 64))
}

func (in vectorInput) list(name string) (all []string) {
	items, _ := in[name].([]any)
	for _, one := range items {
		all = append(all, one.(string))
	}
	return all
}

func (in vectorInput) network() *network {
	n := must(statement.NewNetwork(in.text("network")))
	return &network{Network: n, scheme: n.Scheme()}
}

func (in vectorInput) secrets() (*secrets, error) {
	seed, err := seedOf(in.text("phrase"))
	if err != nil {
		return nil, err
	}
	return newSecrets(in.network().Network, seed)
}

func (in vectorInput) memo() *memo {
	m := &memo{
		Counter: uint16(in.number("counter")), Time: in.number("atMillis"), Paid: in.number("paid"), Payee: in.array("apk"), PayeeKey: in.array("encryptionKey"),
		Mailbox: in.text("mailbox"), Withdrawn: in.number("withdrawn"), Unfinished: uint32(in.number("unfinished")), Text: in.text("reference"), Rest: in.bytes("lines"),
	}
	for i, rho := range in.list("rhos") {
		origin, value := must(strconv.Atoi(in.list("origins")[i])), must(strconv.ParseUint(in.list("values")[i], 10, 64))
		m.Claimed = append(m.Claimed, claimed{uint8(origin), value, [32]byte(must(hex.DecodeString(rho)))})
	}
	return m
}

func (in vectorInput) field(name string) suite.Field { return must(suite.DecodeField(in.bytes(name))) }

func ofSecrets(get func(k *secrets) []byte) func(in vectorInput) (string, error) {
	return func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		return hex.EncodeToString(get(k)), nil
	}
}

func (in vectorInput) funding() *funding {
	return &funding{ID: in.text("fundingId"), Ordinal: uint32(in.number("ordinal"))}
}

func ofMint(get func(p *mintPlan) string) func(in vectorInput) (string, error) {
	return func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		n := in.network()
		return get(must(n.planMint(k, n.mintID(k, in.funding()), in.number("value")))), nil
	}
}

var vectorOperations = map[string]func(in vectorInput) (string, error){
	"seed": func(in vectorInput) (string, error) {
		seed, err := seedOf(in.text("phrase"))
		return hex.EncodeToString(seed), err
	},
	"nullifierKey":     ofSecrets(func(k *secrets) []byte { return suite.EncodeField(&k.nk) }),
	"spendKey":         ofSecrets(func(k *secrets) []byte { return k.a.Bytes() }),
	"encryptionSecret": ofSecrets(func(k *secrets) []byte { return k.receiving.Bytes() }),
	"encryptionKey":    ofSecrets(func(k *secrets) []byte { return k.receiving.PublicKey().Bytes() }),
	"memoKey":          ofSecrets(func(k *secrets) []byte { return k.memoKey }),
	"memoBlock": func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		sn := in.field("sn")
		block := k.sealMemo(&sn, in.memo())
		content, err := k.openMemo(&sn, block, sivLabel)
		if err != nil {
			return "", err
		}
		_, err = decodeMemo(content)
		return hex.EncodeToString(block), err
	},
	"mintId": func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		id := in.network().mintID(k, in.funding())
		return hex.EncodeToString(id[:]), nil
	},
	"mintStatement": ofMint(func(p *mintPlan) string { return string(must(json.Marshal(must(p.json())))) }),
	"mintWitness":   ofMint(func(p *mintPlan) string { return hex.EncodeToString(p.witness()) }),
	"registerStatement": func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		return string(must(json.Marshal(must(must(in.network().planRegister(k)).json())))), nil
	},
	"registerWitness": func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		alpha := must(jubjub.DecodeScalar(in.bytes("alpha")))
		return hex.EncodeToString(must(in.network().planRegister(k)).witness(&alpha)), nil
	},
	"caseTag": func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		tag := k.caseTag(&registrationCase{in.text("caseId"), in.text("accessToken")})
		return hex.EncodeToString(tag[:]), nil
	},
	"address": func(in vectorInput) (string, error) {
		return in.network().writeAddress(&address{in.array("apk"), in.array("encryptionKey"), in.text("mailbox")}), nil
	},
	"readAddress": func(in vectorInput) (string, error) {
		a, err := in.network().readAddress(in.text("text"))
		if err != nil {
			return "", err
		}
		return in.network().writeAddress(a), nil
	},
	"parcelText": func(in vectorInput) (string, error) {
		own := must(ecdh.X25519().NewPrivateKey(in.bytes("encryptionSecret")))
		p, err := decodeParcel(in.network().openBlob(own, in.bytes("blob")))
		if err != nil {
			return "", err
		}
		// once or more often for a run of wrong bytes
		return regexp.MustCompile("\uFFFD+").ReplaceAllString(p.Text, "\uFFFD"), nil
	},
	"sealedWitness": func(in vectorInput) (string, error) {
		own, family := must(ecdh.X25519().NewPrivateKey(in.bytes("proverSecret"))), uint8(in.number("family"))
		witness, key, err := in.network().openWitness(own, family, in.bytes("encapsulatedKey"), in.bytes("sealedWitness"))
		if err != nil {
			return "", err
		}
		if !bytes.Equal(key, in.bytes("proofKey")) {
			return "", errors.New("another key of the proof")
		}
		// and this core seals what that opens
		ephemeral := must(ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{3}, keyBytes)))
		enc, sealed, ours, err := in.network().sealWitness(own.PublicKey().Bytes(), ephemeral, family, witness)
		if err != nil {
			return "", err
		}
		witness, key, err = in.network().openWitness(own, family, enc, sealed)
		if err == nil && !bytes.Equal(key, ours) {
			err = errors.New("another key of the proof")
		}
		return hex.EncodeToString(witness), err
	},
	"payoutBlock": func(in vectorInput) (string, error) {
		own := must(ecdh.X25519().NewPrivateKey(in.bytes("issuerSecret")))
		a := &bankAccount{[32]byte(own.PublicKey().Bytes()), in.text("creditorName"), in.text("iban"), in.text("reference")}
		if err := a.normalise(); err != nil {
			return "", err
		}
		if text := in.network().openPayout(own, in.bytes("block")); text != string(must(a.instruction())) {
			return "", fmt.Errorf("the block has %s", text)
		}
		return string(must(a.instruction())), nil
	},
	"sealedProof": func(in vectorInput) (string, error) {
		aead := must(cipher.NewGCM(newAES(in.bytes("proofKey"))))
		sealed := aead.Seal(in.bytes("nonce"), in.bytes("nonce"), in.bytes("proof"), nil)
		made, err := openProof(in.bytes("proofKey"), sealed)
		if err != nil || !bytes.Equal(made, in.bytes("proof")) {
			return "", errors.New("it does not open")
		}
		return hex.EncodeToString(sealed), nil
	},
	"readRequest": func(in vectorInput) (string, error) {
		n := in.network()
		q, err := n.readRequestText(in.text("text"))
		if err != nil {
			return "", err
		}
		lines := []string{"payee " + n.writeAddress(q.payee)}
		add := func(has bool, name, value string) {
			if has {
				lines = append(lines, name+" "+value)
			}
		}
		add(q.amount != 0, "amount", strconv.FormatUint(q.amount, 10))
		add(q.currency != "", "currency", q.currency)
		add(q.expires != 0, "expires", strconv.FormatUint(q.expires, 10))
		add(q.id != nil, "id", hex.EncodeToString(q.id))
		add(q.tag != nil, "tag", hex.EncodeToString(q.tag))
		add(q.label != "", "label", q.label)
		if q.refund != nil {
			add(true, "refund", n.writeAddress(q.refund))
		}
		add(q.signer != nil, "signer", hex.EncodeToString(q.signer))
		return strings.Join(lines, "\n"), nil
	},
	"readNote": func(in vectorInput) (string, error) {
		text, _, err := readNote(in.text("note"))
		return text, err
	},
	"transferStatement": func(in vectorInput) (string, error) {
		k, err := in.secrets()
		if err != nil {
			return "", err
		}
		a := &account{
			Rho: in.array("ccRho"), Period: uint32(in.number("ccPeriod")), Sent: in.number("ccSent"), Count: uint32(in.number("ccCount")),
			Held: in.number("ccHeld"), Com: in.array("ccCom"),
		}
		coin := must(a.coin())
		p, err := in.network().planTransfer(k, &coin, statement.FamilyTransfer, uint32(in.number("period")), in.memo(), in.bytes("payoutBlock"))
		if err != nil {
			return "", err
		}
		s, err := writeStatement(p.statement)
		return string(must(json.Marshal(s))), err
	},
}
