// Package setup makes the Groth16 keys of a network's circuits with many participants. The secrets of the keys stay unknown
// as long as one participant destroyed its own.
//
// The arithmetic and the files are those of gnark's mpcsetup for BLS12-381, so that gnark alone can replay a transcript. Phase
// 1 makes powers of tau for the largest circuit. Phase 2 continues from there for each circuit. The transcript is a folder:
//
//	ceremony.json             the purpose: network, circuits and their digests, the minimum of contributions, the announced
//	                          source of the beacons; signed by the coordinator
//	phase1/001.json, .bin     a contribution, signed by its contributor; each record names the one before it
//	phase1/beacon.json        a public random value from after the last contribution, and the start of phase 2
//	phase2/000-<circuit>.bin  the start of phase 2, which every reader can compute from phase 1
//	phase2/001.json, 001-<circuit>.bin
//	phase2/beacon.json        its digest is the digest of the whole transcript
//
// A contribution is fully checked. A file has the one size that follows from the circuits, which is compared before it is
// read. Every point is compressed, on its curve, not the identity, and in the subgroup by this repository's exact tests. The
// file is the only valid encoding of its content. It follows from the file before it by gnark's equations. No secret has a
// publicly known value.
package setup
