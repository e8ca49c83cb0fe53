package ceremony

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type statement struct {
	Name  string   `json:"name"`
	Value int      `json:"value"`
	List  []string `json:"list,omitempty"`
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want Code) {
	t.Helper()
	if err == nil || CodeOf(err) != want {
		t.Fatalf("got %v, want %s", err, want)
	}
}

func signed(t testing.TB) (ed25519.PrivateKey, []byte) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	raw, err := Sign(key, "test/statement", &statement{Name: "Ada <&> é", Value: 7, List: []string{"x"}})
	must(t, err)
	return key, raw
}

//spec:id K-01
func TestARecordIsReadAsItWasSigned(t *testing.T) {
	key, raw := signed(t)
	var got statement
	signer, err := Open(raw, "test/statement", &got)
	must(t, err)
	if !signer.Equal(key.Public()) || got.Name != "Ada <&> é" || got.Value != 7 || got.List[0] != "x" {
		t.Fatalf("%+v", got)
	}
}

// There is one way to write a record, so its digest says what it says.
//
//spec:id K-01
func TestEveryOtherWayIsRefused(t *testing.T) {
	key, raw := signed(t)
	text := string(raw)
	unknown := signBody(key, `{"name":"a","value":7,"more":1}`)
	twice := signBody(key, `{"name":"a","value":7,"value":7}`)
	spaced := signBody(key, `{"name":"a", "value":7}`)
	written := signBody(key, `{"name":"a","value":7.0}`)
	escaped := signBody(key, `{"name":"\u0061","value":7}`)
	for name, c := range map[string]struct {
		want Code
		raw  string
	}{
		"white space":          {Malformed, strings.Replace(text, `,"body"`, `, "body"`, 1)},
		"no new line":          {Malformed, strings.TrimSpace(text)},
		"two lines":            {Malformed, text + text},
		"upper case":           {Malformed, upperKey(text)},
		"an unknown member":    {Malformed, strings.Replace(text, `{"kind"`, `{"more":1,"kind"`, 1)},
		"another kind":         {Malformed, strings.Replace(text, "test/statement", "test/other", 1)},
		"another value":        {WrongSignature, strings.Replace(text, `"value":7`, `"value":8`, 1)},
		"no JSON":              {Malformed, "{"},
		"nothing":              {Malformed, ""},
		"an unknown in it":     {Malformed, unknown},
		"a member twice":       {Malformed, twice},
		"white space in it":    {Malformed, spaced},
		"a number in it":       {Malformed, written},
		"an escape in it":      {Malformed, escaped},
		"longer than a record": {WrongSize, strings.Repeat("x", MaxRecord+1)},
	} {
		var got statement
		if _, err := Open([]byte(c.raw), "test/statement", &got); CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func upperKey(text string) string {
	at := strings.Index(text, `"key":"`) + len(`"key":"`)
	return text[:at] + strings.ToUpper(text[at:at+64]) + text[at+64:]
}

// signBody signs a body that is not written as this package would.
func signBody(key ed25519.PrivateKey, body string) string {
	raw, err := encode(&record{
		Kind: "test/statement", Body: []byte(body), Key: hex.EncodeToString(key.Public().(ed25519.PublicKey)),
		Signature: hex.EncodeToString(ed25519.Sign(key, signedBytes("test/statement", []byte(body)))),
	})
	if err != nil {
		panic(err)
	}
	return strings.Replace(string(raw), strings.ReplaceAll(body, ", ", ","), body, 1)
}

func FuzzOpen(f *testing.F) {
	_, raw := signed(f)
	f.Add(raw)
	f.Add([]byte(`{"kind":"test/statement","body":{},"key":"","signature":""}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var got statement
		if _, err := Open(b, "test/statement", &got); err == nil && !bytes.Equal(b, raw) {
			t.Fatal("accepted")
		}
	})
}

func TestTexts(t *testing.T) {
	for _, s := range []string{"", " a", "a ", "a\nb", "a\x1b[2J", "\xff", strings.Repeat("a", 81), "a\u202eb"} {
		if CheckName(s) == nil {
			t.Errorf("%q is a name", s)
		}
	}
	must(t, CheckName("Banque de l'Été, 2nd"))
	must(t, CheckTime(Now()))
	for _, s := range []string{"", "2026-01-01", "2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00.5Z"} {
		if CheckTime(s) == nil {
			t.Errorf("%q is a time", s)
		}
	}
	for _, s := range []string{"", "AB", "0", "zz", "0000"} {
		if CheckHex(s, 1) == nil {
			t.Errorf("%q is a byte", s)
		}
	}
	must(t, CheckHex("ab", 1))
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "file")
	must(t, WriteNew(path, []byte("four"), 0o644))
	refused(t, WriteNew(path, []byte("more"), 0o644), Exists)
	b, err := ReadExactly(path, 4)
	must(t, err)
	if string(b) != "four" {
		t.Fatal(string(b))
	}
	_, err = ReadExactly(path, 3)
	refused(t, err, WrongSize)
	_, err = Read(path, 3)
	refused(t, err, WrongSize)
	_, err = ReadPrivate(path, 4)
	refused(t, err, Permissions)
	_, err = Read(filepath.Join(dir, "none"), 4)
	refused(t, err, Missing)
	_, err = Read(dir, 1<<20)
	refused(t, err, Malformed)
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(path, link))
	_, err = Read(link, 1<<20)
	refused(t, err, Malformed)
	names, err := List(filepath.Join(dir, "sub"))
	must(t, err)
	if len(names) != 1 {
		t.Errorf("%q is left behind", names)
	}
}

func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	public, err := MakeKey(path)
	must(t, err)
	key, err := ReadKey(path)
	must(t, err)
	if !key.Public().(ed25519.PublicKey).Equal(public) {
		t.Fatal("another key")
	}
	_, err = MakeKey(path)
	refused(t, err, Exists)
	must(t, os.Chmod(path, 0o640))
	_, err = ReadKey(path)
	refused(t, err, Permissions)
	other := filepath.Join(t.TempDir(), "other")
	must(t, WriteNew(other, []byte(`{"format":"other","seed":"00"}`), 0o600))
	_, err = ReadKey(other)
	refused(t, err, Malformed)
}
