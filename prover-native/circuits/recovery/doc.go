// Package recovery is the circuit of a recover: an owner whose own cores keep each other from completing replaces two of them, and
// all that is below them, by one new compliance coin.
//
// The cores are transfers or recovers, whose requests travel in the recover's own and are verified by themselves. The circuit opens the compliance
// coins that they would create and issues what is certainly left. It shows no signature: what the first core spends, the first
// core shows.
//
//   - [Circuit] is the constraint system ([Compile]), its public part is [Public], in the order of [Public.Vector].
//   - [Witness] is everything a prover knows; [Prepare] computes the outputs, [Bind] makes the link, [Assign] the assignment.
//   - [Check] is an independent reference on plain values.
//
// # Equations
//
// Rules of docs/spec/04-circuits.md state the clauses, and clauses.go implements them in that order.
//
// # What the validator adds
//
// The circuit relies on the verifier for the bits: kinds, credits, chain and covered follow from the statement (X-20 to X-24 of
// docs/spec/09-recover.md), and are 0 or 1. A credit bit is 1 for the coin of a transfer only, and for each coin once. The
// verifier checks rk, the link and its challenge as in every statement, and every request below this one.
package recovery
