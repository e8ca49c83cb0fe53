package wallet

import (
	"encoding/json"
	"errors"
	"regexp"
)

// refusal is a failure of a rule, a service or the network, with a code of the how-to.
type refusal struct {
	code, detail string
	// after is how long a service asks to wait, in milliseconds.
	after uint64
	// silent is the role of the service that did not answer, or 0.
	silent uint8
	// answered says that a service refused what it was asked.
	answered bool
}

func refuse(code, detail string) error { return &refusal{code: code, detail: detail} }

func (r *refusal) Error() string { return r.code + ": " + r.detail }

// codeOf is the code of a refusal, and empty for every other error.
func codeOf(err error) string {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return ""
}

// silentOf is the role of the service whose silence an error is, or 0.
func silentOf(err error) uint8 {
	var r *refusal
	if errors.As(err, &r) {
		return r.silent
	}
	return 0
}

// isAnswered reports whether an error is a service's refusal. Silence is none, and no error about an answer that was a success is:
// what was asked for may have completed.
func isAnswered(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.answered
}

// isOutage reports whether an error is about a service, and not about what it was asked: the next question would fail alike.
func isOutage(err error) bool {
	code := codeOf(err)
	return code == "gateway-unreachable" || code == "unavailable" || code == "overloaded"
}

// retryable are the codes of services under which the same may succeed later.
var retryable = map[string]bool{
	"stale-policy": true, "unknown-policy": true, "stale-period": true, "stale-checkpoint": true, "unknown-checkpoint": true,
	"heartbeat-stale": true, "overloaded": true, "unavailable": true, "no-quorum": true, "shard-moved": true,
}

// otherRules are those after which the same core is proved under newer rules.
var otherRules = map[string]bool{
	"stale-policy": true, "unknown-policy": true, "stale-period": true, "stale-checkpoint": true, "unknown-checkpoint": true,
}

// spoilt are refusals that new evidence for the same core may resolve: a lying authority may have spoilt what a look-up showed.
var spoilt = map[string]bool{
	"malformed-request": true, "unknown-version": true, "identity-point": true, "point-not-on-curve": true,
	"point-not-in-subgroup": true, "proof-invalid": true, "signature-invalid": true, "shown-signature-invalid": true,
}

var codeForm = regexp.MustCompile(`^[a-z][a-z-]{0,39}$`)

// problemOf reads a refusal of a service.
func problemOf(status uint16, retryAfter uint32, body []byte) error {
	var problem struct {
		Code string `json:"code"`
	}
	r := &refusal{code: "gateway-misbehaved", detail: "an answer that is no refusal and no result", after: 1000 * uint64(retryAfter), answered: true}
	switch {
	case status == 429:
		r.code = "overloaded"
	case status >= 500:
		r.code = "unavailable" // a proxy before the service has no codes
	}
	if json.Unmarshal(body, &problem) == nil && codeForm.MatchString(problem.Code) {
		r.code, r.detail = problem.Code, "the service refuses"
	}
	return r
}
