package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"solidus.io/prover/ceremony"
)

// optionalLines may follow the others, in this order.
var optionalLines = regexp.MustCompile(`\n(mailbox-bits: [1-6]\n)?(relay: https://[^ \n]+\nrelay-key: [0-9a-f]{82}\n)?(replica-keys: ([^ \n]+(?: [^ \n]+)*)\n)?$`)

const (
	servicesSigner  = "solidus-services"
	maxServicesText = 60 << 10 // the note with its signature has at most 64 KiB (F-30)
)

// servicesLines are the lines of the text after the kind and the network, in this order.
// A line mailbox-bits may follow, with 1 to 6, then the lines relay and relay-key, then the line replica-keys.
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
	if keys := optionalLines.FindStringSubmatch(text)[4]; keys != "" {
		gateways := strings.Fields(strings.TrimPrefix(lines[4], "gateways: "))
		if err := checkReplicas(strings.Fields(keys), gateways); err != nil {
			return err
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
		return ceremony.Refuse(ceremony.Malformed, "the text has control characters")
	}
	return nil
}

// replicaKeys are those of one replica: X25519, then Ed25519.
var replicaKeys = regexp.MustCompile(`^[0-9a-f]{128}$`)

// checkReplicas looks at the groups of F-64: for each mailbox its gateways, which the only one leaves out, and the keys of its replicas.
func checkReplicas(values, gateways []string) error {
	var sizes []int
	seen, named := map[string]bool{}, 0
	once := func(value, what string) error {
		if seen[value] {
			return ceremony.Refuse(ceremony.Malformed, "replica-keys have a %s twice: %s", what, value)
		}
		seen[value] = true
		return nil
	}
	for i, value := range values {
		if slices.Contains(gateways, value) {
			if err := once(value, "gateway"); err != nil {
				return err
			}
			named++
			if i == 0 || replicaKeys.MatchString(values[i-1]) {
				sizes = append(sizes, 0)
			}
			continue
		}
		if !replicaKeys.MatchString(value) {
			return ceremony.Refuse(ceremony.Malformed, "replica-keys have neither the keys of a replica nor one of the gateways: %s", value)
		}
		if sizes == nil {
			sizes = []int{0}
		}
		sizes[len(sizes)-1]++
		for _, key := range []string{value[:64], value[64:]} {
			if err := once(key, "key"); err != nil {
				return err
			}
		}
	}
	if named != 0 && (named != len(gateways) || len(sizes) < 2 || replicaKeys.MatchString(values[0])) {
		return ceremony.Refuse(ceremony.Malformed, "replica-keys name no gateway, or each of them and several mailboxes")
	}
	for _, n := range sizes {
		if n < 4 || n > 100 || n%3 != 1 || n != sizes[0] {
			return ceremony.Refuse(ceremony.Malformed, "replica-keys are those of 3f+1 authorities, not of %d", n)
		}
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
