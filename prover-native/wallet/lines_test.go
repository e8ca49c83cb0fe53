package wallet

import (
	"bytes"
	"slices"
	"testing"

	"solidus.io/prover/statement"
)

// lineOfAList is a payment of another wallet of the phrase with lines of a list behind its text, as the library writes them (F-05).
func lineOfAList(h *host) []byte {
	k := h.world.secrets(otherPhrase)
	return byAnother(h, statement.FamilyTransfer, &memo{
		Time: h.clock, Paid: paid, Payee: bytes32(&k.apk), PayeeKey: [32]byte(k.receiving.PublicKey().Bytes()), Text: "wages",
		Rest: slices.Concat([]byte{1}, bytes.Repeat([]byte{9}, 32), []byte{0, 2}),
	})
}

// A line of a list that the library paid is followed, whether all authorities have signed it or one alone has it: a wallet that
// passed it over would take a spent coin as its own, or make a second transfer out of a coin that is in flight.
func TestALineOfAListIsFollowed(t *testing.T) {
	h := funded(t)
	raw := lineOfAList(h)
	for _, alone := range []bool{false, true} {
		old := copied(h)
		if alone {
			old.world.shown = append(old.world.shown, raw)
		} else if status, _ := old.world.transfer(raw); status != 200 {
			t.Fatal(status)
		}
		restored := newHost(t, old.world.clone(), testPhrase)
		restored.clock = h.clock
		for name, one := range map[string]*host{"restored": restored, "old": old} {
			pay := payment(one.world)
			pay.Amount = 100
			for _, c := range []*command{{ID: "restore", Kind: commandRestore}, pay} {
				if code := one.command(c); code != "" {
					t.Fatalf("%s, alone %t: %s: %q", name, alone, c.ID, code)
				}
			}
			v := one.view()
			if v.total() != first+other-paid-100 || len(v.History) != 2 || v.History[0].Text != "wages" || one.world.reserved != 2 {
				t.Errorf("%s, alone %t: %+v, %d transfers", name, alone, v, one.world.reserved)
			}
			if p := payee(t, one.world).view(); p.total() != paid+100 {
				t.Errorf("%s, alone %t: the payee has %d", name, alone, p.total())
			}
		}
	}
}

// A text that is no UTF-8 is not repaired: written again, the memo would be another one, and its transfer a stranger's.
func TestAMemoWithoutUTF8Refuses(t *testing.T) {
	h := funded(t)
	m := must(h.world.net.readRequest(lineOfAList(h)))
	k := h.world.secrets(testPhrase)
	content := must(k.openMemo(&m.statement.Serials[0], m.Attachments.Memo, sivLabel))
	if _, err := decodeMemo(content); err != nil {
		t.Fatal(err)
	}
	content[bytes.Index(content, []byte("wages"))] = 0xff
	if _, err := decodeMemo(content); err == nil {
		t.Error("it is repaired")
	}
}
