package vectors

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
)

// The Java tests of the wallet make this file and check its other operations, through the native library. Manifests are read
// by package keys alone.
//
//spec:id F-29
func TestManifests(t *testing.T) {
	raw, err := os.ReadFile("wallet.json")
	if err != nil {
		t.Fatal(err)
	}
	var all file
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	accepted, refused := 0, 0
	for _, v := range all.Cases {
		if v.Op != "manifest" {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			digest, err := readManifest(t, args{t, v.In})
			switch {
			case v.Error != "":
				refused++
				if err == nil {
					t.Error("it is not refused")
				}
			case err != nil:
				t.Error(err)
			default:
				accepted++
				if digest != v.Out {
					t.Errorf("digest %s, want %s", digest, v.Out)
				}
			}
		})
	}
	if accepted == 0 || refused == 0 {
		t.Errorf("%d manifests accepted, %d refused", accepted, refused)
	}
}

// readManifest verifies a manifest as [keys.Open] does before it reads the files of keys, which the vectors do not have.
func readManifest(t *testing.T, in args) (digest string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"manifest.json": in.text("manifest"), "manifest.sig": in.text("signature")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kind, err := statement.ParseKind(in.text("kind"))
	if err != nil {
		t.Fatal(err)
	}
	var allowed []keys.Class
	for _, name := range in.m["classes"].([]any) {
		class, err := keys.ParseClass(name.(string))
		if err != nil {
			t.Fatal(err)
		}
		allowed = append(allowed, class)
	}
	want := keys.Expectation{
		Network: in.text("network"), Kind: kind, Allowed: keys.Classes(allowed...), ManifestKey: in.bytes("manifestKey"),
	}
	sum, err := keys.Admit(dir, want)
	if err != nil {
		return "", err
	}
	m, err := keys.PinnedManifest(dir, want.ManifestKey)
	if err != nil {
		return "", err
	}
	_, err = m.Committee.Decode()
	return hex.EncodeToString(sum.Manifest[:]), err
}
