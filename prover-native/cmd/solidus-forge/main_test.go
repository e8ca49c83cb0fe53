package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"solidus.io/prover/cabi"
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/keys"
	"solidus.io/prover/simulate"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if err == nil || fault.CodeOf(err) != want {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func call(in []byte, args ...string) (out []byte, errOut string, err error) {
	var o, e bytes.Buffer
	err = run(args, &console{bytes.NewReader(in), &o, &e})
	return o.Bytes(), e.String(), err
}

var directory = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "solidus-forge-test")
	if err != nil {
		return "", err
	}
	_, _, err = call(nil, "keys", "--out", dir, "--network", "forge-test", "--n", "4")
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := directory(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func keyDir(t *testing.T) string {
	t.Helper()
	dir, err := directory()
	must(t, err)
	return dir
}

func opened(t *testing.T) (*keys.Set, *simulate.Simulator, *statement.Verifier) {
	t.Helper()
	set, s, err := open(keyDir(t))
	must(t, err)
	v, err := statement.NewVerifier(set.Network, set.Kind, set.Committee, set.VerifierKeys())
	must(t, err)
	return set, s, v
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"help"}, {"keys"}, {"keys", "--out", "x"}, {"serve"}, {"transfers", "--keys", "x"}, {"serve", "--keys", "x", "surplus"},
		{"transfers", "--count", "-1"},
	} {
		out, errOut, err := call(nil, args...)
		if !errors.Is(err, errUsage) || errOut == "" || len(out) != 0 {
			t.Errorf("%q: %v, %q", args, err, errOut)
		}
	}
}

// A directory of another class is refused even if it is properly signed.
func TestKeysOfOtherClassesAreNotOpened(t *testing.T) {
	for _, class := range []string{"development", "ceremony"} {
		dir := t.TempDir()
		must(t, os.CopyFS(dir, os.DirFS(keyDir(t))))
		raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		must(t, err)
		raw = bytes.Replace(raw, []byte("load-test"), []byte(class), 1)
		public, private, err := ed25519.GenerateKey(nil)
		must(t, err)
		for name, content := range map[string]string{
			"manifest.json": string(raw), "manifest.pub": hex.EncodeToString(public),
			"manifest.sig": hex.EncodeToString(ed25519.Sign(private, raw)),
		} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		for _, args := range [][]string{{"serve", "--keys", dir}, seriesArgs(dir, "-")} {
			if _, _, err := call(nil, args...); fault.CodeOf(err) != fault.KeysClass {
				t.Errorf("%s, %s: %v", class, args[0], err)
			}
		}
	}
}

func seriesArgs(dir, out string) []string {
	var root suite.Field
	root.SetUint64(77)
	return []string{
		"transfers", "--keys", dir, "--count", "3", "--seed", "s", "--period", "202611", "--out", out,
		"--root", hex.EncodeToString(suite.EncodeField(&root)), "--policy-version", "1", "--checkpoint-version", "2",
		"--max-per-transfer", "10", "--max-per-period", "20", "--max-held", "30", "--max-escrow", "5", "--max-transfers", "40",
	}
}

func TestTransfersToFileAndToOutputAgree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "series")
	_, said, err := call(nil, seriesArgs(keyDir(t), path)...)
	must(t, err)
	if !strings.Contains(said, "3 transfers") {
		t.Error(said)
	}
	file, err := os.ReadFile(path)
	must(t, err)
	out, _, err := call(nil, seriesArgs(keyDir(t), "-")...)
	must(t, err)
	if !bytes.Equal(file, out) || len(out) < 3*3000 {
		t.Fatalf("%d and %d bytes", len(file), len(out))
	}
	for option, n := range map[string]int{"--memo": statement.MemoBytes, "--payout": statement.PayoutBytes} {
		zero, _, err := call(nil, append(seriesArgs(keyDir(t), "-"), option, "zero")...)
		must(t, err)
		if bytes.Contains(out, make([]byte, n)) || !bytes.Contains(zero, make([]byte, n)) {
			t.Fatalf("%s: drawn zeros, or zeros that are none", option)
		}
	}
	short := filepath.Join(t.TempDir(), "payout")
	must(t, os.WriteFile(short, make([]byte, 511), 0o600))
	_, _, err = call(nil, append(seriesArgs(keyDir(t), "-"), "--payout", short)...)
	if fault.CodeOf(err) != fault.BadLength {
		t.Fatal(err)
	}
}

func frame(b []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// replies splits what serve wrote.
func replies(t *testing.T, out []byte) (all []reply) {
	t.Helper()
	for len(out) > 0 {
		n := binary.BigEndian.Uint32(out)
		b := out[4 : 4+n]
		all = append(all, reply{fault.Code(binary.BigEndian.Uint16(b)), b[2:]})
		out = out[4+n:]
	}
	return all
}

type reply struct {
	code fault.Code
	rest []byte
}

func TestServe(t *testing.T) {
	_, s, v := opened(t)
	terms := simulate.Terms{Period: 202611, Payout: make([]byte, statement.PayoutBytes)}
	x, err := simulate.NewForger(s, [32]byte{1}, terms).Transfer(0, 0)
	must(t, err)
	proof := x.Evidence.Proof
	limits := statement.Limits{MaxHeld: 1}
	refused(t, v.VerifyTransfer(x.Statement, x.Evidence, &limits, &terms.Root), fault.ProofInvalid)
	encode := func() []byte {
		body, err := cabi.EncodeTransfer(&statement.Item{
			Statement: x.Statement, Evidence: x.Evidence, Limits: &limits, Root: &terms.Root,
		})
		must(t, err)
		return body
	}
	body := encode()
	x.Evidence.Proof = make([]byte, len(proof))
	withoutLink := encode()
	var in []byte
	for _, request := range [][]byte{
		append([]byte{formStatement, byte(statement.FamilyTransfer)}, body...),
		append([]byte{formStatement, byte(statement.FamilyTransferUnregulated)}, body...),
		append([]byte{formWitness, byte(statement.FamilyTransfer)}, body...),
		append([]byte{9, byte(statement.FamilyTransfer)}, body...),
		append([]byte{formStatement, byte(statement.FamilyTransfer)}, withoutLink...),
		{},
		append(append([]byte{formStatement, byte(statement.FamilyTransfer)}, body...), 0),
	} {
		in = append(in, frame(request)...)
	}
	out, _, err := call(in, "serve", "--keys", keyDir(t))
	must(t, err) // the input ended between two frames
	got := replies(t, out)
	want := []fault.Code{
		fault.OK, fault.WrongFamily, fault.MalformedRequest, fault.MalformedRequest, fault.ProofEncoding, fault.MalformedRequest,
		fault.MalformedRequest,
	}
	if len(got) != len(want) {
		t.Fatalf("%d replies", len(got))
	}
	for i := range want {
		if got[i].code != want[i] {
			t.Errorf("reply %d: %v, want %v", i, got[i].code, want[i])
		}
	}
	x.Evidence.Proof = got[0].rest
	must(t, v.VerifyTransfer(x.Statement, x.Evidence, &limits, &terms.Root))
	if bytes.Equal(got[0].rest[:groth.ProofBytes], proof[:groth.ProofBytes]) {
		t.Fatal("the proof is not fresh")
	}
	if !bytes.Equal(got[0].rest[groth.ProofBytes:], proof[groth.ProofBytes:]) {
		t.Fatal("another link")
	}
}

func TestServeEndsAtABrokenFrame(t *testing.T) {
	for name, c := range map[string]struct {
		in   []byte
		want fault.Code
	}{
		"too long":           {binary.BigEndian.AppendUint32(nil, maxFrame+1), fault.RequestTooLarge},
		"cut in the length":  {[]byte{0, 0}, fault.MalformedRequest},
		"cut in the content": {[]byte{0, 0, 0, 9, 1}, fault.MalformedRequest},
	} {
		out, _, err := call(c.in, "serve", "--keys", keyDir(t))
		if fault.CodeOf(err) != c.want || len(out) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, _, err := call(nil, "serve", "--keys", keyDir(t))
	must(t, err)
	if len(out) != 0 {
		t.Fatal("an answer to nothing")
	}
}
