package main

import (
	"crypto/ed25519"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"solidus.io/prover/ceremony"
)

const servicesText = `solidus/services/v1
solidus-test
version: 1
currency: EUR
gateways: https://pay.example https://pay-too.example
registration: https://office.example
sanctions: https://office.example
issuance: https://office.example
redemption-key: 0900000000000000000000000000000000000000000000000000000000000000
tls-keys: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
`

// SignedServicesTest of the wallet reads the same note.
const servicesSigned = servicesText + "\n\u2014 solidus-services " +
	"ntbjbPHxF+wGYU3eSsG5d0NeKCRLgWdMQDJoVTKkEQceN7B9x7fseOS4083OhKb8qJlflDLHvad0Qx+vHAZNh+vxbQg=\n"

func TestServicesAreSignedAsWalletsReadThem(t *testing.T) {
	if got := servicesNote(servicesText, ed25519.NewKeyFromSeed(make([]byte, 32))); got != servicesSigned {
		t.Fatalf("got %q", got)
	}
}

func TestServicesCommand(t *testing.T) {
	dir := t.TempDir()
	text, key, out := filepath.Join(dir, "text"), filepath.Join(dir, "key"), filepath.Join(dir, "services.note")
	public, err := ceremony.MakeKey(key)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(content string) error {
		if err := os.WriteFile(text, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return run([]string{"services", "--text", text, "--key", key, "--out", out}, &console{out: io.Discard, err: io.Discard})
	}
	if err := sign(servicesText); err != nil {
		t.Fatal(err)
	}
	if err := sign(servicesText + "mailbox-bits: 6\n"); err != nil {
		t.Fatal(err)
	}
	note, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(note), servicesText+"mailbox-bits: 6\n\n\u2014 solidus-services ") || len(public) != 32 {
		t.Fatal(string(note), err)
	}
	relay := "relay: https://relay.example/v1/ohttp\nrelay-key: " + strings.Repeat("0a", 41) + "\n"
	replica := func(n int) string {
		return strings.Repeat(string(rune('a'+n)), 64) + strings.Repeat(string(rune('1'+n)), 64)
	}
	replicas := "replica-keys: " + strings.Join([]string{replica(0), replica(1), replica(2), replica(3)}, " ") + "\n"
	other := func(n int) string {
		return strings.Repeat(string(rune('a'+n)), 63) + "0" + strings.Repeat(string(rune('1'+n)), 63) + "0"
	}
	others := strings.Join([]string{other(0), other(1), other(2), other(3)}, " ")
	const first, second = "https://pay.example ", "https://pay-too.example "
	mailboxes := strings.Replace(strings.TrimSuffix(replicas, "\n"), ": ", ": "+first, 1) + " " + second + others + "\n"
	for _, good := range []string{mailboxes, relay, "mailbox-bits: 6\n" + relay, replicas, "mailbox-bits: 6\n" + relay + replicas} {
		if err := sign(servicesText + good); err != nil {
			t.Fatal(good, err)
		}
	}
	for _, bad := range []string{
		servicesText + strings.Replace(mailboxes, second, "", 1), servicesText + strings.Replace(mailboxes, first, "", 1),
		servicesText + strings.Replace(mailboxes, second, first, 1), servicesText + strings.Replace(mailboxes, second, "https://third.example ", 1),
		servicesText + strings.Replace(mailboxes, other(3), replica(3), 1), servicesText + strings.Replace(mailboxes, " "+other(3), "", 1),
		servicesText + strings.Replace(replicas, ": ", ": "+first+second, 1),
		servicesText + relay + "mailbox-bits: 6\n", servicesText + relay + relay, servicesText + "relay: https://relay.example\n",
		servicesText + replicas + relay, servicesText + replicas + replicas, servicesText + strings.Replace(replicas, " "+replica(3), "", 1),
		servicesText + strings.Replace(replicas, replica(3), replica(2), 1), servicesText + strings.Replace(replicas, strings.Repeat("d", 64), strings.Repeat("a", 64), 1),
		servicesText + strings.Replace(replicas, "dddd", "ddd", 1), servicesText + strings.Replace(replicas, " d", "  d", 1),
		servicesText + strings.Replace(relay, "https", "http", 1), servicesText + strings.Replace(relay, "0a0a", "0a", 1),
		"", servicesText + "more: 1\n", strings.Replace(servicesText, "currency", "money", 1), strings.TrimSpace(servicesText),
		servicesText + "mailbox-bits: 7\n", servicesText + "mailbox-bits: 0\n", servicesText + "mailbox-bits: 1\nmailbox-bits: 1\n",
		strings.Replace(servicesText, "EUR", "EUR\t", 1), strings.Replace(servicesText, "/v1", "/v2", 1),
	} {
		if sign(bad) == nil {
			t.Errorf("signed %q", bad)
		}
	}
}
