package cabi

import "solidus.io/prover/suite"

// committeeBytes bounds a request with a whole committee.
const committeeBytes = small + suite.MaxAuthorities*memberBytes

// treeBytes bounds a request with a sanction list: as many keys as the tree has room for.
const treeBytes = small + 20*600_000

// operations is the interface of the bridge. Numbers are never reused. A changed layout needs a new Bridge.
var operations = []operation{
	{1, "VERSION", small, version},
	{2, "PANIC", small, panicOnPurpose},
	{3, "HANDLE_CLOSE", small, closeHandle},

	{10, "PUBLIC_KEY", small, publicKey},
	{11, "APK", small, apk},
	{12, "SERIAL", small, serial},
	{13, "RHOS", small, rhos},
	{14, "COIN_MESSAGE", small, coinMessage},
	{15, "COMPLIANCE_MESSAGE", small, complianceMessage},
	{16, "HISTORY", small, history},
	{17, "BLIND", small, blind},
	{18, "BLIND_BASE", small, blindBase},
	{19, "CHECK_PARTIAL", small, checkPartial},
	{20, "COMBINE", committeeBytes, combine},
	{21, "UNBLIND", small, unblind},
	{22, "RANDOMISE", small, randomise},
	{23, "VERIFY", small, verify},
	{24, "SHOW", small, show},
	{25, "VERIFY_SHOWN", small, verifyShown},
	{26, "RANDOMISED_KEY", small, randomisedKey},
	{27, "SIGN_CORE", small, signCore},
	{28, "VERIFY_CORE", small, verifyCore},
	{29, "CHECK_COMMITTEE", committeeBytes, checkCommittee},
	{30, "VERIFY_BLINDED", small, verifyBlinded},
	{31, "SERIAL_KEY", small, serialKey},
	{32, "COMMITMENT", small, commitment},

	{40, "SHARE_OPEN", small, shareOpen},
	{41, "SHARE_SIGN", small, shareSign},
	{42, "SHARE_MATCHES", small, shareMatches},
	{43, "SHARE_SIGN_ALL", maxBatch * small, shareSignAll},

	{50, "PREPARE_TRANSFER", small, prepareTransfer},
	{51, "PREPARE_REGISTER", small, prepareRegister},
	{52, "PREPARE_MINT", small, prepareMint},
	{53, "PREPARE_UNREGULATED", small, prepareUnregulated},
	{54, "PREPARE_RECOVER", small, prepareRecover},
	{55, "PREPARE_SHAPE", small, prepareShape},

	{60, "KEYS_OPEN", small, keysOpen},
	{61, "KEYS_INFO", small, keysInfo},
	{62, "KEYS_WARM_UP", small, keysWarmUp},
	{63, "KEYS_MAKE", small, keysMake},
	{64, "KEYS_FINGERPRINT", small, keysFingerprint},
	{65, "KEYS_REFRESH", small, keysRefresh},
	{66, "KEYS_SHAPES", small, keysShapes},

	{70, "PROVE", small, prove},

	{80, "VERIFIER_OPEN", committeeBytes, verifierOpen},
	{81, "VERIFY_TRANSFER", small, verifyTransfer},
	{82, "VERIFY_UNREGULATED", small, verifyUnregulated},
	{83, "VERIFY_REGISTER", small, verifyRegister},
	{84, "VERIFY_MINT", small, verifyMint},
	{85, "VERIFY_TRANSFERS", maxBatch * small, verifyTransfers},
	{86, "VERIFY_RECOVER", recoverBytes, verifyRecover},
	{87, "RECOVER_RESERVATION", recoverBytes, recoverReservation},

	{90, "TREE_BUILD", treeBytes, treeBuild},
	{91, "TREE_PATH", small, treePath},

	{100, "WALLET_STEP", walletBytes, walletStep},
}

// byNumber is filled at start, because the functions of the list refer to the list.
var byNumber []*operation

func init() {
	for i := range operations {
		op := &operations[i]
		for len(byNumber) <= op.Number {
			byNumber = append(byNumber, nil)
		}
		byNumber[op.Number] = op
	}
}

func version(r *reader, w *writer) error {
	if err := r.end(); err != nil {
		return err
	}
	w.u32(Bridge)
	w.text(Version)
	return nil
}

// panicOnPurpose is for tests of an installation: the process must survive it.
func panicOnPurpose(*reader, *writer) error {
	panic("on purpose")
}

func closeHandle(r *reader, _ *writer) error {
	id := r.u64()
	if err := r.end(); err != nil {
		return err
	}
	return handles.close(id)
}
