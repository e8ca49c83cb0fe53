package fault

// The blocks of numbers have gaps, so that a new code can stand beside related codes. The number of a code that is gone is not
// used again.
const (
	OK Code = 0

	// Calls and handles.
	Internal         Code = 1
	MalformedRequest Code = 2
	UnknownOperation Code = 3
	RequestTooLarge  Code = 4
	UnknownHandle    Code = 5
	LibraryMissing   Code = 6
	LibraryMismatch  Code = 7
	Overloaded       Code = 8
	DeadlineExceeded Code = 9
	Cancelled        Code = 10

	// Encodings.
	FieldNotCanonical  Code = 20
	ScalarNotCanonical Code = 21
	ScalarZero         Code = 22
	PointNotCanonical  Code = 23
	IdentityPoint      Code = 24
	PointNotOnCurve    Code = 25
	PointNotInSubgroup Code = 26
	BadLength          Code = 27
	BadNetworkID       Code = 28

	// Threshold signatures.
	IndexOutOfRange  Code = 41
	DuplicateIndex   Code = 42
	QuorumSize       Code = 43
	PartialInvalid   Code = 44
	CommitteeInvalid Code = 45
	ShareInvalid     Code = 46
	SignatureInvalid Code = 47

	// Statements and evidence.
	WrongFamily           Code = 60
	WrongSerialCount      Code = 61
	WrongOutputCount      Code = 62
	WrongShowCount        Code = 63
	SerialsNotDistinct    Code = 64
	UnknownCircuit        Code = 66
	ProofLength           Code = 67
	ProofHasCommitments   Code = 68
	ProofEncoding         Code = 69
	ShownSignatureInvalid Code = 70
	KeySignatureInvalid   Code = 71
	ProofInvalid          Code = 72
	OwnerZero             Code = 73
	LinkInvalid           Code = 74

	// Keys and manifests.
	KeysMissing        Code = 90
	KeysTruncated      Code = 91
	KeysOversized      Code = 92
	KeysDigest         Code = 93
	KeysSignature      Code = 94
	KeysNetwork        Code = 95
	KeysKind           Code = 96
	KeysClass          Code = 97
	KeysMismatch       Code = 98
	KeysManifest       Code = 99
	KeysCommitmentKeys Code = 100
	KeysInfinitePoint  Code = 101
	KeysDegenerate     Code = 102
	KeysPublicInputs   Code = 103
	KeysNoCircuit      Code = 104
	KeysBusy           Code = 105
	KeysPermissions    Code = 106
	KeysInconsistent   Code = 107
	KeysTranscripts    Code = 108

	// Witnesses: what a prover finds before it proves.
	WitnessInvalid    Code = 120
	InsufficientFunds Code = 121
	OverLimitTransfer Code = 122
	OverLimitPeriod   Code = 123
	OverLimitCount    Code = 124
	OverLimitHeld     Code = 125
	PeriodBackwards   Code = 126
	Listed            Code = 127
	ListNotSorted     Code = 128
	ListDuplicate     Code = 129
	ListSentinel      Code = 130
	ListTooLarge      Code = 131
	MembershipPath    Code = 132
)

var catalogue = []Entry{
	{OK, "OK", "accepted"},
	{Internal, "INTERNAL", "a defect in the library; the call had no effect"},
	{MalformedRequest, "MALFORMED_REQUEST", "the request's bytes do not follow the operation's layout"},
	{UnknownOperation, "UNKNOWN_OPERATION", "the operation number is not known"},
	{RequestTooLarge, "REQUEST_TOO_LARGE", "the request is longer than the operation allows"},
	{UnknownHandle, "UNKNOWN_HANDLE", "the handle was never opened, has another type or is closed"},
	{LibraryMissing, "LIBRARY_MISSING", "the shared library could not be found or loaded"},
	{LibraryMismatch, "LIBRARY_MISMATCH", "the shared library speaks another version of the bridge"},
	{Overloaded, "OVERLOADED", "the queue of proofs is full; try later"},
	{DeadlineExceeded, "DEADLINE_EXCEEDED", "the proof was not finished in time"},
	{Cancelled, "CANCELLED", "the caller closed the prover"},
	{FieldNotCanonical, "FIELD_NOT_CANONICAL", "a field element is not below the modulus"},
	{ScalarNotCanonical, "SCALAR_NOT_CANONICAL", "a scalar is not below the group order"},
	{ScalarZero, "SCALAR_ZERO", "a scalar that must not be zero is zero"},
	{PointNotCanonical, "POINT_NOT_CANONICAL", "a coordinate is not below the modulus"},
	{IdentityPoint, "IDENTITY_POINT", "a point is the identity"},
	{PointNotOnCurve, "POINT_NOT_ON_CURVE", "a point is not on its curve"},
	{PointNotInSubgroup, "POINT_NOT_IN_SUBGROUP", "a point is not in the subgroup of prime order"},
	{BadLength, "BAD_LENGTH", "an encoding has the wrong length"},
	{BadNetworkID, "BAD_NETWORK_ID", "a network id is not 3 to 32 characters of a-z, 0-9 and -"},
	{IndexOutOfRange, "INDEX_OUT_OF_RANGE", "a signer's index is not in 1..N"},
	{DuplicateIndex, "DUPLICATE_INDEX", "a signer appears twice"},
	{QuorumSize, "QUORUM_SIZE", "the number of partial signatures is not 2f+1"},
	{PartialInvalid, "PARTIAL_INVALID", "a partial signature does not verify for this signer and coin"},
	{CommitteeInvalid, "COMMITTEE_INVALID", "the committee's public keys do not belong together"},
	{ShareInvalid, "SHARE_INVALID", "a key share is not usable"},
	{SignatureInvalid, "SIGNATURE_INVALID", "a signature does not verify"},
	{WrongFamily, "WRONG_FAMILY", "this network or operation does not accept the statement's family"},
	{WrongSerialCount, "WRONG_SERIAL_COUNT", "the family has another number of serial numbers"},
	{WrongOutputCount, "WRONG_OUTPUT_COUNT", "the family has another number of outputs"},
	{WrongShowCount, "WRONG_SHOW_COUNT", "the family has another number of shown signatures"},
	{SerialsNotDistinct, "SERIALS_NOT_DISTINCT", "two serial numbers of the statement are equal"},
	{UnknownCircuit, "UNKNOWN_CIRCUIT", "the circuit version is not the one of the loaded keys"},
	{ProofLength, "PROOF_LENGTH", "the proof has another length than proofs of its family"},
	{ProofHasCommitments, "PROOF_HAS_COMMITMENTS", "the proof carries commitments"},
	{ProofEncoding, "PROOF_ENCODING", "a point of the proof is not canonical, not on the curve or the identity"},
	{ShownSignatureInvalid, "SHOWN_SIGNATURE_INVALID", "a shown signature does not verify under the committee key"},
	{KeySignatureInvalid, "KEY_SIGNATURE_INVALID", "the signature under the randomised key does not verify"},
	{ProofInvalid, "PROOF_INVALID", "the proof does not verify"},
	{OwnerZero, "OWNER_ZERO", "an address key is zero"},
	{LinkInvalid, "LINK_INVALID", "the link between the proof and the statement's points does not hold"},
	{KeysMissing, "KEYS_MISSING", "a file of the key directory is missing or unreadable"},
	{KeysTruncated, "KEYS_TRUNCATED", "a key file is shorter than the manifest says"},
	{KeysOversized, "KEYS_OVERSIZED", "a key file is longer than the manifest or the limit says"},
	{KeysDigest, "KEYS_DIGEST", "a key file's digest is not the manifest's"},
	{KeysSignature, "KEYS_SIGNATURE", "the manifest's signature does not verify under the pinned key"},
	{KeysNetwork, "KEYS_NETWORK", "the keys belong to another network"},
	{KeysKind, "KEYS_KIND", "the keys belong to a network of another kind"},
	{KeysClass, "KEYS_CLASS", "keys of this class are not allowed here"},
	{KeysMismatch, "KEYS_MISMATCH", "the keys were made for other circuits or another committee; make them again"},
	{KeysManifest, "KEYS_MANIFEST", "the manifest does not follow its format"},
	{KeysCommitmentKeys, "KEYS_COMMITMENT_KEYS", "a key carries commitment keys"},
	{KeysInfinitePoint, "KEYS_INFINITE_POINT", "a point of a verifying key is the identity"},
	{KeysDegenerate, "KEYS_DEGENERATE", "gamma equals delta in a verifying key"},
	{KeysPublicInputs, "KEYS_PUBLIC_INPUTS", "a verifying key has another number of public inputs than its circuit"},
	{KeysNoCircuit, "KEYS_NO_CIRCUIT", "the manifest has no keys for this circuit"},
	{KeysBusy, "KEYS_BUSY", "another process is making keys in this directory"},
	{KeysPermissions, "KEYS_PERMISSIONS", "a file with secrets can be read by others"},
	{KeysInconsistent, "KEYS_INCONSISTENT", "a proving key and its verifying key do not belong together"},
	{KeysTranscripts, "KEYS_TRANSCRIPTS", "the keys do not come from the pinned ceremonies"},
	{WitnessInvalid, "WITNESS_INVALID", "the witness does not satisfy the statement"},
	{InsufficientFunds, "INSUFFICIENT_FUNDS", "the inputs do not cover what is paid and withdrawn"},
	{OverLimitTransfer, "OVER_LIMIT_TRANSFER", "the amount exceeds the limit of one transfer"},
	{OverLimitPeriod, "OVER_LIMIT_PERIOD", "the amount exceeds what the period still allows"},
	{OverLimitCount, "OVER_LIMIT_COUNT", "the period's number of transfers is used up"},
	{OverLimitHeld, "OVER_LIMIT_HELD", "the balance would grow beyond the holding limit"},
	{PeriodBackwards, "PERIOD_BACKWARDS", "the period lies before the compliance coin's"},
	{Listed, "LISTED", "the address is on the sanction list"},
	{ListNotSorted, "LIST_NOT_SORTED", "the sanction list is not in ascending order"},
	{ListDuplicate, "LIST_DUPLICATE", "the sanction list holds a key twice"},
	{ListSentinel, "LIST_SENTINEL", "the sanction list holds a boundary value"},
	{ListTooLarge, "LIST_TOO_LARGE", "the sanction list has more keys than the tree has room for"},
	{MembershipPath, "MEMBERSHIP_PATH", "a path does not lead to the root"},
}
