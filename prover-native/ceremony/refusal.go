package ceremony

import (
	"errors"
	"fmt"
)

// Code identifies one rule of a ceremony. Codes are stable: scripts and people depend on them.
type Code string

// The codes.
const (
	// Files and records.
	Missing        Code = "MISSING"         // a file is missing or cannot be read
	Exists         Code = "EXISTS"          // a file that would be written already exists
	WrongSize      Code = "WRONG_SIZE"      // a file does not have the size that follows from the ceremony
	WrongDigest    Code = "WRONG_DIGEST"    // a file is not the one that its record names
	Malformed      Code = "MALFORMED"       // bytes do not follow their format, or are not in its only valid encoding
	WrongSignature Code = "WRONG_SIGNATURE" // a record's signature does not verify
	WrongSigner    Code = "WRONG_SIGNER"    // a record is signed by the wrong key
	OtherCeremony  Code = "OTHER_CEREMONY"  // a record belongs to another ceremony
	ChainBroken    Code = "CHAIN_BROKEN"    // a record does not follow the one before it
	Repeated       Code = "REPEATED"        // a participant appears twice where each may appear once
	Surplus        Code = "SURPLUS"         // the folder holds a file that has no place in the ceremony
	WrongPhase     Code = "WRONG_PHASE"     // the ceremony is not, or no longer, at this step
	TooFew         Code = "TOO_FEW"         // fewer participants than the ceremony needs
	Permissions    Code = "PERMISSIONS"     // a file with secrets can be read by others

	// Contributions to the set-up.
	WrongCircuit  Code = "WRONG_CIRCUIT"  // the transcript is for other constraints than are compiled here
	IdentityPoint Code = "IDENTITY_POINT" // a point is the identity
	NotAPoint     Code = "NOT_A_POINT"    // an encoding is not canonical or not on its curve
	WrongSubgroup Code = "WRONG_SUBGROUP" // a point is not in the subgroup of prime order
	Degenerate    Code = "DEGENERATE"     // a contribution changes nothing, or a secret has a publicly known value
	WrongUpdate   Code = "WRONG_UPDATE"   // a contribution does not follow from the one before it
	WrongBeacon   Code = "WRONG_BEACON"   // a beacon's value is not usable
	WrongResult   Code = "WRONG_RESULT"   // a replay does not give the result that the transcript states

	// Committees.
	WrongMember   Code = "WRONG_MEMBER"   // a member does not belong to the committee
	WrongShare    Code = "WRONG_SHARE"    // a share is not the one it should be
	WrongProof    Code = "WRONG_PROOF"    // a proof of possession or of a known exponent does not verify
	Equivocation  Code = "EQUIVOCATION"   // an author signed two different messages in one round
	WrongPrevious Code = "WRONG_PREVIOUS" // the committee to refresh is not the expected one

	// A member's memory of its ceremony. No repetition cures these, except JournalBusy.
	OtherEnding    Code = "OTHER_ENDING"    // a round ended otherwise than in the folder that this member acted on
	JournalMissing Code = "JOURNAL_MISSING" // the journal does not lie beside the secrets
	JournalDamaged Code = "JOURNAL_DAMAGED" // a line of the journal is not as it was written
	JournalBehind  Code = "JOURNAL_BEHIND"  // the journal lacks something that this member did
	JournalBusy    Code = "JOURNAL_BUSY"    // another process uses the journal
)

// Refusal is the error of a rule that does not hold. The detail never contains a secret.
type Refusal struct {
	Code   Code
	Detail string
}

func (r *Refusal) Error() string {
	if r.Detail == "" {
		return string(r.Code)
	}
	return string(r.Code) + ": " + r.Detail
}

// Refuse makes a refusal.
func Refuse(code Code, format string, args ...any) error {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// CodeOf returns the code of err, and the empty code for an error that has none.
func CodeOf(err error) Code {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}
