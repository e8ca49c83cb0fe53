package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"solidus.io/prover/fault"
)

func call(args ...string) (out, errOut string, err error) {
	var o, e bytes.Buffer
	err = run(args, &o, &e)
	return o.String(), e.String(), err
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"help"}, {"setup"}, {"show"}, {"verify"}, {"show", "--dir", "x", "surplus"}, {"setup", "--no-such-flag", "--dir", "x"},
	} {
		_, errOut, err := call(args...)
		if !errors.Is(err, errUsage) || errOut == "" {
			t.Errorf("%q: %v, %q", args, err, errOut)
		}
	}
}

func TestRefusalsHaveTheirCodes(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[fault.Code][]string{
		fault.KeysClass:        {"setup", "--network", "cli-test", "--class", "ceremony", "--dir", dir},
		fault.KeysKind:         {"setup", "--network", "cli-test", "--kind", "both", "--dir", dir},
		fault.CommitteeInvalid: {"setup", "--network", "cli-test", "--validators", "5", "--dir", dir},
		fault.BadNetworkID:     {"setup", "--network", "CLI", "--dir", dir},
		fault.KeysMissing:      {"show", "--dir", dir},
		fault.KeysSignature:    {"verify", "--dir", dir},
	} {
		out, _, err := call(args...)
		if fault.CodeOf(err) != want || out != "" {
			t.Errorf("%q: %v, want %v", args, err, want)
		}
	}
	_, _, err := call("verify", "--dir", dir, "--key", "zz")
	if fault.CodeOf(err) != fault.KeysSignature || !strings.Contains(err.Error(), "manifest key") {
		t.Error(err)
	}
}
