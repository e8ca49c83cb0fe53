// Package setup makes the Groth16 keys of a network's circuits with many participants: the secrets of the keys stay unknown
// as long as one of them forgot hers.
//
// The arithmetic and the files are those of gnark's mpcsetup for BW6-761, so that gnark alone can replay a transcript.
// Phase 1 makes powers of tau for the largest circuit, phase 2 goes on from there for each circuit. The transcript is a
// folder:
//
//	ceremony.json             what it is for: network, circuits and their digests, how many have to contribute, the beacon
//	                          that is announced; signed by the coordinator
//	phase1/001.json, .bin     a contribution, signed by its contributor; each record names the one before it
//	phase1/beacon.json        a public random value from after the last contribution, and where phase 2 begins
//	phase2/000-<circuit>.bin  where phase 2 begins, which everybody can compute from phase 1
//	phase2/001.json, 001-<circuit>.bin
//	phase2/beacon.json        its digest is the digest of the whole transcript
//
// Nothing of a contribution is believed. A file has the one size that follows from the circuits, measured before it is read;
// every point is a compressed one, on its curve, not the identity, and in the subgroup by this repository's exact tests; the
// file is the one way to write its content; it follows on the one before it by gnark's equations; and no secret has a value
// that everybody knows.
package setup
