package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
)

func call(args ...string) (out, errOut string, err error) {
	var o, e bytes.Buffer
	err = run(args, &console{out: &o, err: &e, started: time.Now(), compile: keys.Compile, compileShapes: keys.CompileShapes})
	return o.String(), e.String(), err
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"help"}, {"setup"}, {"setup", "verify"}, {"committee"}, {"committee", "seal", "--dir", "x"}, {"refresh", "help"},
		{"key"}, {"key", "--out", "x", "surplus"}, {"setup", "init", "--no-such-flag"}, {"committee", "init", "--dir", "x"},
		{"refresh", "init", "--dir", "x", "--network", "n", "--cards", "c", "--key", "k"},
		// without the coordinator's key a folder would name its own
		{"setup", "contribute", "--dir", "x", "--name", "n", "--key", "k"}, {"setup", "verify", "--dir", "x"},
		{"setup", "verify", "--dir", "x", "--coordinator", "c", "--coordinator", "d"},
		{"setup", "seal", "--dir", "x", "--committee", "c", "--out", "o", "--key", "k", "--coordinator", "c"},
		{"setup", "seal", "--dir", "x", "--committee", "c", "--out", "o", "--key", "k", "--committee-coordinator", "c"},
		{"setup", "seal-shapes", "--dir", "x", "--keys", "k", "--manifest-key", "m", "--out", "o", "--key", "k"},
		{"setup", "seal-shapes", "--dir", "x", "--keys", "k", "--coordinator", "c", "--out", "o", "--key", "k"},
		{"committee", "deal", "--dir", "x", "--secrets", "s", "--first-record", "r"},
		{"committee", "complain", "--dir", "x", "--secrets", "s"},
		{"committee", "justify", "--dir", "x", "--secrets", "s"}, {"committee", "reveal", "--dir", "x", "--secrets", "s"},
		{"committee", "open", "--dir", "x", "--secrets", "s"}, {"committee", "finish", "--dir", "x", "--secrets", "s", "--out", "o"},
		{"committee", "status", "--dir", "x"}, {"committee", "verify", "--dir", "x"}, {"refresh", "verify", "--dir", "x"},
		{"refresh", "seal", "--dir", "x", "--keys", "k", "--manifest-key", "m", "--out", "o", "--key", "k"},
		{"recover", "help", "--dir", "x", "--secrets", "s", "--share", "h"},
		// and without the first record's digest an authority would deal to anyone
		{"committee", "deal", "--dir", "x", "--secrets", "s", "--coordinator", "c"},
	} {
		_, errOut, err := call(args...)
		if !errors.Is(err, errUsage) || errOut == "" {
			t.Errorf("%q: %v, %q", args, err, errOut)
		}
	}
	if _, _, err := call("recover", "help", "--help"); !errors.Is(err, errHelp) {
		t.Error(err)
	}
}

func TestRefusalsHaveTheirCodes(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	_, _, err := call("key", "--out", key)
	if err != nil {
		t.Fatal(err)
	}
	public := strings.Repeat("ab", 32)
	open := filepath.Join(dir, "open")
	raw, err := os.ReadFile(key)
	if err != nil || os.WriteFile(open, raw, 0o644) != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want ceremony.Code
		args []string
	}{
		{ceremony.Exists, []string{"key", "--out", key}},
		{ceremony.Missing, []string{"setup", "verify", "--dir", dir, "--coordinator", public}},
		{ceremony.Missing, []string{"committee", "status", "--dir", dir, "--coordinator", public}},
		{ceremony.Malformed, []string{"committee", "status", "--dir", dir, "--coordinator", ""}},
		{ceremony.Malformed, []string{"committee", "status", "--dir", dir, "--coordinator", "zz"}},
		{ceremony.Permissions, []string{"setup", "init", "--dir", filepath.Join(dir, "x"), "--network", "net-1", "--beacon", "b", "--key", open}},
		{ceremony.Exists, []string{"rehearse", "--dir", dir}},
	} {
		if _, _, err := call(c.args...); ceremony.CodeOf(err) != c.want {
			t.Errorf("%q: %v, want %s", c.args, err, c.want)
		}
	}
}

// A complete rehearsal: a set-up by three, a committee of four, sealed. Then a refresh with one silent member, sealed again.
func TestARehearsal(t *testing.T) {
	dir := t.TempDir()
	out, errOut, err := call("rehearse", "--dir", dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, errOut)
	}
	if !strings.Contains(out, "keys-1: epoch 1") || !strings.Contains(out, "keys-2: shape rehearsal-shape") {
		t.Errorf("%q", out)
	}
	m, _, err := keys.ReadManifest(filepath.Join(dir, "keys-1"))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Transcripts) != 3 || m.Class != "ceremony" || len(m.Circuits) != 2 {
		t.Errorf("%+v", m)
	}
	for i := range 4 {
		name := filepath.Join(dir, "share-"+string(rune('1'+i))+".json")
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", name, err)
		}
	}
	private, err := ceremony.ReadKey(filepath.Join(dir, "coordinator.key"))
	if err != nil {
		t.Fatal(err)
	}
	coordinator := hex.EncodeToString(private.Public().(ed25519.PublicKey))
	// later verifications of the folder
	for _, args := range [][]string{
		{"committee", "verify", "--dir", filepath.Join(dir, "committee")}, {"refresh", "verify", "--dir", filepath.Join(dir, "refresh")},
	} {
		out, _, err := call(append(args, "--coordinator", coordinator)...)
		if err != nil || !strings.Contains(out, "transcript sha256") {
			t.Errorf("%q: %v, %q", args, err, out)
		}
	}
	// the set-up of a rehearsal is not accepted for the real circuits
	_, _, err = call("setup", "verify", "--dir", filepath.Join(dir, "setup"), "--coordinator", coordinator)
	if ceremony.CodeOf(err) != ceremony.WrongCircuit {
		t.Error(err)
	}
	anotherEnd(t, dir, coordinator)
	shapesOfOthers(t, dir, coordinator)
}

// shapesOfOthers tries what a dishonest holder of a transcript or of the manifest's key could do with the shapes of a rehearsal.
func shapesOfOthers(t *testing.T, dir, coordinator string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	key, err := keys.ManifestKey(at("keys"))
	if err != nil {
		t.Fatal(err)
	}
	manifest := hex.EncodeToString(key)
	small := func(args ...string) (string, error) {
		var o, e bytes.Buffer
		err := run(args, &console{out: &o, err: &e, started: time.Now(), compile: smallCircuits, compileShapes: smallShapes})
		return o.String(), err
	}
	seal := func(transcript, from, out, signer string) error {
		_, err := small("setup", "seal-shapes", "--dir", at(transcript), "--coordinator", coordinator, "--keys", at(from),
			"--manifest-key", manifest, "--out", at(out), "--key", at(signer))
		return err
	}
	// everybody who seals gets the same bytes, from the manifest of the beginning too
	if err := seal("shapes", "keys-1", "again", "manifest.key"); err != nil {
		t.Fatal(err)
	}
	if err := seal("shapes", "keys", "before", "manifest.key"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shapes.json", "shapes.sig", "rehearsal-shape.pk", "rehearsal-shape.vk"} {
		want, err := os.ReadFile(filepath.Join(at("keys-2"), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"again", "before"} {
			if got, err := os.ReadFile(filepath.Join(at(other), name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of %s: %v", name, other, err)
			}
		}
	}
	for name, c := range map[string]struct {
		err  error
		code ceremony.Code
		keys fault.Code
	}{
		"replayed into keys that have it": {err: seal("shapes", "keys-2", "x1", "manifest.key"), keys: fault.KeysMismatch},
		"signed by another key":           {err: seal("shapes", "keys-1", "x2", "coordinator.key"), keys: fault.KeysSignature},
		"the set-up of the manifest":      {err: seal("setup", "keys-1", "x3", "manifest.key"), code: ceremony.OtherCeremony},
		"into a folder without keys":      {err: seal("shapes", "setup", "x4", "manifest.key"), keys: fault.KeysMissing},
	} {
		if c.err == nil || c.code != "" && ceremony.CodeOf(c.err) != c.code || c.keys != 0 && fault.CodeOf(c.err) != c.keys {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	// shapes are no circuits of a manifest
	_, err = small("setup", "seal", "--dir", at("shapes"), "--coordinator", coordinator, "--committee", at("committee"),
		"--committee-coordinator", coordinator, "--out", at("x5"), "--key", at("manifest.key"))
	if ceremony.CodeOf(err) != ceremony.OtherCeremony {
		t.Error(err)
	}
	// another network, another manifest's key, and no shape
	begin := []string{"setup", "init", "--minimum", "3", "--beacon", "b", "--key", at("coordinator.key"), "--keys", at("keys")}
	for _, c := range []struct {
		network, key, shapes string
		code                 ceremony.Code
	}{
		{"another", manifest, "rehearsal-shape", ceremony.OtherCeremony}, {"rehearsal", coordinator, "rehearsal-shape", ""},
		{"rehearsal", manifest, "rehearsal-a", ceremony.WrongCircuit}, {"rehearsal", manifest, ",", ceremony.WrongCircuit},
	} {
		_, err := small(append(begin, "--dir", at("x6"), "--network", c.network, "--manifest-key", c.key, "--shapes", c.shapes)...)
		if err == nil || ceremony.CodeOf(err) != c.code {
			t.Errorf("%+v: %v", c, err)
		}
	}
	verify := func(transcript, sealed string) (string, error) {
		return small("setup", "verify", "--dir", at(transcript), "--coordinator", coordinator, "--keys", at(sealed), "--manifest-key", manifest)
	}
	if out, err := verify("setup", "keys-2"); err != nil || !strings.Contains(out, "every key in manifest.json") {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := verify("shapes", "keys-2"); err != nil || !strings.Contains(out, "every key in shapes.json") {
		t.Errorf("%q, %v", out, err)
	}
	both := []string{"setup", "verify", "--dir", at("setup"), "--dir", at("shapes"), "--keys", at("keys-2"), "--manifest-key", manifest}
	for _, coordinators := range [][]string{{coordinator}, {coordinator, coordinator}} {
		args := both
		for _, one := range coordinators {
			args = append(args, "--coordinator", one)
		}
		out, err := small(args...)
		if err != nil || !strings.Contains(out, "every key in manifest.json") || !strings.Contains(out, "every key in shapes.json") {
			t.Errorf("%q, %v", out, err)
		}
	}
	if _, err := small(append(both, "--coordinator", coordinator, "--coordinator", manifest)...); ceremony.CodeOf(err) != ceremony.WrongSigner {
		t.Errorf("another coordinator of the second folder: %v", err)
	}
	if _, err := verify("shapes", "keys-1"); ceremony.CodeOf(err) != ceremony.WrongResult {
		t.Errorf("keys without the shapes: %v", err)
	}
	otherKeysBesideTheTranscript(t, dir, verify)
}

// otherKeysBesideTheTranscript is what whoever has the manifest's key can do: name the transcript beside keys of their own. Only a
// replay shows it.
func otherKeysBesideTheTranscript(t *testing.T, dir string, verify func(transcript, sealed string) (string, error)) {
	t.Helper()
	liar := filepath.Join(dir, "liar")
	if err := os.CopyFS(liar, os.DirFS(filepath.Join(dir, "keys-2"))); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(liar, "shapes.json"))
	if err != nil {
		t.Fatal(err)
	}
	vk, err := os.ReadFile(filepath.Join(liar, "rehearsal-a.vk"))
	if err != nil || os.WriteFile(filepath.Join(liar, "rehearsal-shape.vk"), vk, 0o600) != nil {
		t.Fatal(err)
	}
	var shapes keys.Shapes
	if err := json.Unmarshal(raw, &shapes); err != nil {
		t.Fatal(err)
	}
	shapes.Circuits[0].VerifyingKey.SHA256, shapes.Circuits[0].VerifyingKey.Size = ceremony.Digest(vk), int64(len(vk))
	raw, err = json.Marshal(&shapes)
	if err != nil {
		t.Fatal(err)
	}
	private, err := ceremony.ReadKey(filepath.Join(dir, "manifest.key"))
	if err != nil {
		t.Fatal(err)
	}
	signature := hex.EncodeToString(ed25519.Sign(private, raw))
	if os.WriteFile(filepath.Join(liar, "shapes.json"), raw, 0o600) != nil ||
		os.WriteFile(filepath.Join(liar, "shapes.sig"), []byte(signature), 0o600) != nil {
		t.Fatal("writing")
	}
	if _, err := verify("shapes", "liar"); ceremony.CodeOf(err) != ceremony.WrongResult {
		t.Errorf("other keys beside the transcript: %v", err)
	}
}

// anotherEnd lets the coordinator of a rehearsal end the reveal round once more, without the message of authority 2.
func anotherEnd(t *testing.T, dir, coordinator string) {
	t.Helper()
	fork := filepath.Join(dir, "fork")
	if err := os.CopyFS(fork, os.DirFS(filepath.Join(dir, "committee"))); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"4-reveal-closed.json", "4-reveal/002-*", "5-*", "6-*"} {
		names, err := filepath.Glob(filepath.Join(fork, pattern))
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, _, err := call("committee", "close", "--dir", fork, "--key", filepath.Join(dir, "coordinator.key")); err != nil {
		t.Fatal(err)
	}
	member := []string{"--dir", fork, "--secrets", filepath.Join(dir, "1.secrets"), "--coordinator", coordinator}
	_, _, err := call(append([]string{"committee", "open"}, member...)...)
	if ceremony.CodeOf(err) != ceremony.OtherEnding || !strings.Contains(err.Error(), "Do not run again") {
		t.Error(err)
	}
	_, _, err = call(append([]string{"committee", "deal", "--first-record", strings.Repeat("0", 64)}, member...)...)
	if ceremony.CodeOf(err) != ceremony.OtherEnding {
		t.Error(err)
	}
}

// An authority deals to the members of the first record that the authorities compared, and of no other.
func TestADealNeedsTheFirstRecord(t *testing.T) {
	dir := t.TempDir()
	var cards []string
	at := func(name string) string { return filepath.Join(dir, name) }
	coordinator, _, err := call("key", "--out", at("coordinator.key"))
	for i := range 4 {
		n := string(rune('1' + i))
		card := []string{"committee", "card", "--name", "Bank " + n, "--network", "net-1", "--secrets", at(n), "--out", at(n + ".json")}
		_, _, cardErr := call(card...)
		err = errors.Join(err, cardErr)
		cards = append(cards, at(n+".json"))
	}
	if err != nil {
		t.Fatal(err)
	}
	plan := []string{"--dir", at("b"), "--network", "net-1", "--cards", strings.Join(cards, ","), "--key", at("coordinator.key")}
	out, _, err := call(append([]string{"committee", "init"}, plan...)...)
	if err != nil {
		t.Fatal(err)
	}
	_, first, _ := strings.Cut(strings.TrimSpace(out), "first record sha256 ")
	coordinator = strings.TrimSpace(coordinator)
	args := []string{"committee", "deal", "--dir", at("b"), "--secrets", at("1"), "--coordinator", coordinator, "--first-record"}
	if _, _, err := call(append(args, strings.Repeat("0", 64))...); ceremony.CodeOf(err) != ceremony.WrongDigest {
		t.Error(err)
	}
	if _, _, err := call(append(args, first)...); err != nil {
		t.Error(err)
	}
}
