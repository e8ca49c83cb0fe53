// Package keys makes, signs, loads and uses the keys of a network: Groth16 keys of its circuits and the committee.
//
// A key directory holds
//
//	manifest.json            purpose of the keys and digest of every file; signed byte by byte
//	manifest.sig             Ed25519 signature over the manifest's bytes, in hexadecimal
//	shapes.json, .sig        circuits beside those of the manifest, signed with its key; most directories have none
//	manifest.pub             the key it was signed with; a convenience of development directories, never trusted
//	<circuit>.pk, .vk        proving and verifying keys in the library's raw form
//	simulator.json           trapdoors and the committee's key; load-test directories only, readable by the owner only
//	shares/authority-<i>.json  an authority's secrets; never in ceremony directories, readable by the owner only
//
// [Open] trusts only the pinned manifest key. It checks the signature before it parses, then network, kind and class. It
// compares each circuit's digest with the circuit compiled here, and reads files only within the size and digest that the
// manifest states. Proving keys are read without the library's own check of every point, which would take longer than the
// proof. Their digest is compared before a byte is parsed, so the bytes are those that the manifest's signer signed, and a
// wrong proving key can only make proofs that do not verify, never wrong proofs that do. Verifying keys are small and decide
// what is accepted. They are checked point by point all the same.
//
// A file of shapes names circuits that a network added later. The manifest lists exactly the circuits of its kind, so it could not.
// A reader passes over names that it does not know. Without the file a network has the families of its manifest only.
//
// [Make] is for development: one process draws the secrets of the set-up and of the committee, so its owner can forge. The
// class of the keys records this. [MakeLoadTest] makes verifying keys whose trapdoors are kept, for simulated proofs in load
// tests, and no proving keys. The simulator itself is package simulate, which no shipped program imports. Neither makes the
// ceremony class. [Seal] and [Reseal] do, from the results of many participants (packages ceremony/setup and dkg), and a
// manifest of that class names the transcripts. Under the production profile ([inProduction]) this package deals no keys and
// opens only keys of the ceremony class, whichever classes a caller allows.
package keys
