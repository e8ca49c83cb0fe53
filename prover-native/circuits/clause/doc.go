// Package clause holds the clauses that several statements share, each twice: as constraints and as a plain check on
// native values. The plain checks are what a wallet runs before it proves, and the reference that the circuits are tested
// against.
//
// Rules C-01 to C-03 of docs/spec/04-circuits.md state them.
//
// Owner: rk = pk_auth + alpha g1 is public and signs the statement's core, so that only the holder of a + alpha can use the
// proof. rk lies in G1 because the validator checked it; the ladder then yields a finite pk_auth in G1.
//
// Blinded coin: h is public and a hash to the group of (c_m, D), recomputed by the validator.
//
// A shown signature: h' is public and checked by the validator to be in G1 and not the identity; the signature behind
// (h', M') is checked outside by pairing.
package clause
