package keys

import (
	"crypto/ed25519"
	"path/filepath"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
)

var productions = []struct{ variable, value string }{
	{"SOLIDUS_PROFILE", "production"},
	{"SOLIDUS_PROFILE", "Prod"},
	{"SPRING_PROFILES_ACTIVE", "production"},
	{"SPRING_PROFILES_ACTIVE", "PRODUCTION"},
	{"SPRING_PROFILES_ACTIVE", "json-logs, production"},
}

func TestNoDealerInProduction(t *testing.T) {
	useSmallCircuits(t)
	plan := Plan{Network: testNetwork, Kind: statement.Regulated, Class: Development, Validators: 4}
	for _, p := range productions {
		t.Run(p.variable+"="+p.value, func(t *testing.T) {
			t.Setenv(p.variable, p.value)
			dir := filepath.Join(t.TempDir(), "keys")
			_, err := Make(dir, plan)
			refused(t, err, fault.KeysClass)
			simulated := plan
			simulated.Class = LoadTest
			_, err = MakeLoadTest(dir, simulated, nil)
			refused(t, err, fault.KeysClass)
		})
	}
	for _, other := range []string{"", "json-logs", "production-like"} {
		t.Setenv("SPRING_PROFILES_ACTIVE", other)
		if _, err := Make(filepath.Join(t.TempDir(), "keys"), plan); err != nil {
			t.Errorf("profile %q: %v", other, err)
		}
	}
}

// Whatever classes a caller allows, the production profile allows only one.
func TestProductionOpensCeremonyKeysOnly(t *testing.T) {
	development, want := directory(t)
	want.Allowed = Classes(Development, LoadTest, Ceremony)
	s, _ := sealed(t)
	key := signer(t)
	dir := filepath.Join(t.TempDir(), "sealed")
	must(t, Seal(dir, s, key))
	for _, p := range productions {
		t.Run(p.variable+"="+p.value, func(t *testing.T) {
			t.Setenv(p.variable, p.value)
			_, err := Open(development, want)
			refused(t, err, fault.KeysClass)
			_, err = Admit(development, want)
			refused(t, err, fault.KeysClass)
			sealed := want
			sealed.ManifestKey = key.Public().(ed25519.PublicKey)
			_, err = Open(dir, sealed)
			must(t, err)
		})
	}
	_, err := Open(development, want)
	must(t, err)
}
