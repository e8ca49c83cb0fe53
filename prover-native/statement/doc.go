// Package statement defines what a request states, and verifies it.
//
// A statement has three digests. D binds its inputs and is a public input of its circuit: outputs derive their randomness and
// their base points from it. The core identifies the request: it covers inputs and outputs. The spend key signs the core, and
// a validator reserves serial numbers for it. The context covers two blocks that are sent along with a transfer: a sealed
// payout instruction and a sealed memo.
//
//	D       = F(SHA-256("solidus/D/v1"       || network digest || family || body))
//	core    =   SHA-256("solidus/core/v1"    || network digest || family || body)
//	context =   SHA-256("solidus/context/v1" || network digest || payout block || memo block)
//	serial of a mint = SHA-512("solidus/mint-serial/v1" || network digest || mint id) mod p
//
//	               body of D                                      body of the core
//	register       apk                                            apk || c_m || k
//	mint           mint id || value                               mint id || value || c_m || k
//	transfer       count || serials || withdrawn || context       count || serials || count || (c_m || k)*
//	                                                              || period || withdrawn || context
//
// Everything else in a request (limits, sanction root, shown signatures, proof, circuit version) is evidence. It may be
// renewed for the same core.
//
// Verification goes from cheap to expensive, and each rule has its own code: shape and counts, distinct serial numbers,
// circuit version, proof shape, points, key signature, shown signatures, proof.
package statement
