// Package statement defines what a request states, and verifies it.
//
// A statement has three digests. D binds its inputs and is a public input of its circuit: outputs derive their randomness from
// it, and their base points from it, the period and all commitments. The core identifies the request: it covers inputs and
// outputs. The spend key signs the core, the link's challenge covers it, and a validator reserves serial numbers for it. The
// context covers two blocks that are sent along with a transfer: a sealed payout instruction and a sealed memo.
//
//	D       = SHA-512("solidus/D/v2"       || network digest || family || body) mod r
//	core    = SHA-256("solidus/core/v2"    || network digest || family || body)
//	context = SHA-256("solidus/context/v1" || network digest || payout block || memo block)
//	serial of a mint = SHA-512("solidus/mint-serial/v2" || network digest || mint id) mod r
//
//	               body of D                                      body of the core
//	register       apk                                            apk || c_m || k
//	mint           mint id || value                               mint id || value || c_m || k
//	transfer       count || serials || withdrawn || context       count || serials || count || (c_m || k)*
//	                                                              || period || withdrawn || context
//	recover        count || serials || core || core || credits    the same || count || (c_m || k)*
//	               || context
//
// Everything else in a request (limits, sanction root, rk with its signature, shown signatures, proof, circuit version) is
// evidence. It may be renewed for the same core.
//
// A proof is a Groth16 proof and a link. The circuit sees commitments and serial numbers, and no point of G1: the link ties the
// shown signatures and the blinded coins to the messages that the circuit computed (package suite).
//
// Verification goes from cheap to expensive, and each rule has its own code: shape and counts, distinct serial numbers,
// circuit version, encoding of the proof and its link, points, rk and the form of its signature, subgroups, key signature, shown
// signatures, link, proof.
package statement
