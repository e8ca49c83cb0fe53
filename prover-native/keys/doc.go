// Package keys makes, signs, loads and uses the keys of a network: Groth16 keys of its circuits and the committee.
//
// A key directory holds
//
//	manifest.json            what the keys are for and the digest of every file; signed as it stands
//	manifest.sig             Ed25519 signature over the manifest's bytes, in hexadecimal
//	manifest.pub             the key it was signed with; a convenience of development directories, never trusted
//	<circuit>.pk, .vk        proving and verifying keys in the library's raw form
//	simulator.json           trapdoors and the committee's key; load-test directories only, readable by the owner only
//	shares/authority-<i>.json  an authority's secrets; never in ceremony directories, readable by the owner only
//
// [Open] trusts nothing but the pinned manifest key: it checks the signature before it parses, then network, kind and
// class, compares each circuit's digest with the circuit compiled here, and reads files only within the size and digest
// that the manifest states. Proving keys are read without the library's own checks of every point, which would take
// longer than the proof: the bytes are those the manifest's signer vouched for, digest compared before a byte is parsed,
// and a wrong proving key can only make proofs that do not verify, never wrong proofs that do. Verifying keys are small,
// decide what is accepted, and are checked point by point all the same.
//
// [Make] is the development path: one process draws the secrets of the set-up and of the committee, so whoever runs it can
// forge. Its class says so. [MakeLoadTest] makes verifying keys whose trapdoors are kept, for simulated proofs in load tests,
// and no proving keys; the simulator itself is package simulate, which nothing that is shipped imports. Neither makes the
// ceremony class: [Seal] and [Reseal] do, from what many participants made (packages ceremony/setup and dkg), and a manifest
// of that class names the transcripts. Under the production profile ([inProduction]) nothing is dealt here, and nothing but
// the ceremony class opens, whatever a caller allows.
package keys
