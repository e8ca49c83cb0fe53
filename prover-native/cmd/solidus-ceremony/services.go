package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode"

	"solidus.io/prover/ceremony"
)

// optionalLines may follow the others, in this order.
var optionalLines = regexp.MustCompile(`\n(mailbox-bits: [1-6]\n)?(relay: https://[^ \n]+\nrelay-key: [0-9a-f]{82}\n)?$`)

const (
	servicesSigner  = "solidus-services"
	maxServicesText = 32 << 10
)

// servicesLines are the lines of the text after the kind and the network, in this order.
// A line mailbox-bits may follow, with 1 to 6, and then the lines relay and relay-key.
var servicesLines = []string{"version", "currency", "gateways", "registration", "sanctions", "issuance", "redemption-key", "tls-keys"}

// signServices signs the addresses and certificates' keys of a network's services with the manifest's key, for its wallets.
func signServices(c *console, args []string) error {
	var text, key, out string
	if err := options(c, "services", args, func(f *flag.FlagSet) {
		f.StringVar(&text, "text", "", "file with the text of F-30")
		f.StringVar(&key, "key", "", "the signing key of the manifest")
		f.StringVar(&out, "out", "", "file for the note: services.note in the folder of keys that wallets get")
	}, "text", "key", "out"); err != nil {
		return err
	}
	raw, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	if err := checkServices(string(raw)); err != nil {
		return err
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	return os.WriteFile(out, []byte(servicesNote(string(raw), private)), 0o644)
}

// checkServices looks at the form only: wallets refuse what the values must not be.
func checkServices(text string) error {
	lines := strings.Split(optionalLines.ReplaceAllString(text, "\n"), "\n")
	if len(text) > maxServicesText || len(lines) != len(servicesLines)+3 || lines[0] != "solidus/services/v1" || lines[len(lines)-1] != "" {
		return ceremony.Refuse(ceremony.Malformed, "the text has the line solidus/services/v1, the network, and the lines %s",
			strings.Join(servicesLines, ", "))
	}
	for i, name := range servicesLines {
		if !strings.HasPrefix(lines[i+2], name+": ") {
			return ceremony.Refuse(ceremony.Malformed, "line %d is not %s", i+3, name)
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
		return ceremony.Refuse(ceremony.Malformed, "the text has control characters")
	}
	return nil
}

// servicesNote returns the signed note (F-24, F-25).
func servicesNote(text string, key ed25519.PrivateKey) string {
	public, _ := key.Public().(ed25519.PublicKey)
	hash := sha256.Sum256(append([]byte(servicesSigner+"\n\x01"), public...))
	signature := append(hash[:4:4], ed25519.Sign(key, []byte(text))...)
	return fmt.Sprintf("%s\n\u2014 %s %s\n", text, servicesSigner, base64.StdEncoding.EncodeToString(signature))
}
