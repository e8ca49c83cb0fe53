package wallet

import "testing"

// A proxy before a service has no codes, and what it says may be over in a moment.
//
//spec:id W-40
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		status uint16
		body   string
		code   string
		later  bool
	}{
		{409, `{"code":"serial-conflict"}`, "serial-conflict", false},
		{503, `{"code":"no-quorum"}`, "no-quorum", true},
		{500, `{"code":"internal"}`, "internal", false},
		{429, "", "overloaded", true},
		{500, "", "unavailable", true},
		{502, "<html>", "unavailable", true},
		{504, `{"code":"Not a code"}`, "unavailable", true},
		{400, "", "gateway-misbehaved", false},
		{302, `{}`, "gateway-misbehaved", false},
	} {
		err := problemOf(c.status, 7, []byte(c.body))
		if codeOf(err) != c.code || mayComeLater(err) != c.later || waitOf(err) != 7*second {
			t.Errorf("%d %s: %s, %v, %d", c.status, c.body, codeOf(err), mayComeLater(err), waitOf(err))
		}
	}
}
