package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
)

func call(args ...string) (out, errOut string, err error) {
	var o, e bytes.Buffer
	err = run(args, &console{out: &o, err: &e, started: time.Now(), compile: keys.Compile})
	return o.String(), e.String(), err
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"help"}, {"setup"}, {"setup", "verify"}, {"committee"}, {"committee", "seal", "--dir", "x"}, {"refresh", "help"},
		{"key"}, {"key", "--out", "x", "surplus"}, {"setup", "init", "--no-such-flag"}, {"committee", "init", "--dir", "x"},
		{"refresh", "init", "--dir", "x", "--network", "n", "--cards", "c", "--key", "k"},
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
		{ceremony.Missing, []string{"setup", "verify", "--dir", dir}},
		{ceremony.Missing, []string{"committee", "status", "--dir", dir}},
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
	if !strings.Contains(out, "keys-1: epoch 1") {
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
	// later verifications of the folder
	for _, args := range [][]string{
		{"committee", "verify", "--dir", filepath.Join(dir, "committee")}, {"refresh", "verify", "--dir", filepath.Join(dir, "refresh")},
	} {
		out, _, err := call(args...)
		if err != nil || !strings.Contains(out, "transcript sha256") {
			t.Errorf("%q: %v, %q", args, err, out)
		}
	}
	// the set-up of a rehearsal is not accepted for the real circuits
	if _, _, err := call("setup", "verify", "--dir", filepath.Join(dir, "setup")); ceremony.CodeOf(err) != ceremony.WrongCircuit {
		t.Error(err)
	}
}
