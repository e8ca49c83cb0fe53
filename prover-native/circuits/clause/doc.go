// Package clause holds the clauses that several statements share, each twice: as constraints and as a plain check on
// native values. The plain checks are what a wallet runs before it proves, and the reference that the circuits are tested
// against.
//
// Rules C-01 to C-03 of docs/spec/04-circuits.md state them.
//
// Owner: rk = pk_auth + alpha B is public and signs the statement's core, so that only the holder of a + alpha can use the
// proof. The validator checks that rk lies in the subgroup of order l.
//
// Blinded coin: the circuit sees c_m alone. Its base h is a hash to the group of all that the statement fixes, recomputed by
// the validator.
//
// Link: ties the points of shown signatures and blinded coins, which no circuit computes with, to the messages that it computes.
package clause
