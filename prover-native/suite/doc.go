// Package suite is the threshold blind signature of coins, the link of signatures to proofs and the key signature of transfers.
//
// # Coin signatures
//
// Pointcheval-Sanders over BLS12-381 with a (2f+1, N = 3f+1) Shamir-shared key (x, y). Exponents are elements of F, the field of
// the circuits, so the exponent of a coin is its message hash.
//
// Rules S-01 to S-11 of docs/spec/02-objects.md state each step.
//
// Three rules keep the key safe, and the API leaves no way around them. Signing takes a statement's outputs and k and never h,
// so two statements can never share a base. No operation raises a caller's point to a share other than the k of that equation.
// g1^x is never computed: with it every shown signature could be forged.
//
// # Link
//
// A link shows outside a circuit that the points of a statement hide the messages which the circuit computed: [DrawLink],
// [LinkStatement], [VerifyLinks]. Rules L-01 to L-04 of docs/spec/03-showing.md state each step and why it is sound.
//
// # Key signatures
//
// Schnorr's scheme over Jubjub, whose coordinates lie in F: [SignCore], [VerifyKeyClaims].
//
// # Points
//
// The identity has no encoding and is refused everywhere. A point is decoded in three separable steps:
// canonical coordinates, curve equation, subgroup. Pairings do not see components in G1's cofactor, so no
// result counts before the subgroup of every point was checked.
//
// # Timing
//
// The field library is not constant time. Signing therefore never uses a share's scalars directly: each signature
// splits them into two fresh random summands. Wallet-side operations run on the owner's own machine.
package suite
