// Package transfer is the circuit of a regulated transfer in account form, with everything a prover needs around it.
//
// A transfer spends a compliance coin and up to two received coins (zero-value dummies where fewer), creates one coin for a
// recipient (of value 0 for a pure claim) and the next compliance coin. Signatures are shown outside the circuit: it proves
// M' = m h' + o g1 for the messages it opens, a validator checks e(h', X) e(M', Y) = e(S', g2).
//
//   - [Circuit] is the constraint system ([Compile]), its public part is [Public], in the order of [Public.Vector].
//   - [Prepare] computes the outputs of a transfer before it is signed or proved; [ErrRetrySeed] asks for another seed.
//   - [Witness] is everything a prover knows; [Witness.Assign] turns it into an assignment, [Witness.Check] checks it.
//   - [Check] is an independent reference: integers and native curve arithmetic, no constraint.
//
// # Equations
//
// Public inputs are the fields of [Public], everything else is witness. H is package hash, ladders and links are package gadgets.
// Rules T-01 to T-28 of docs/spec/04-circuits.md state them, and clauses.go implements them in that order.
//
// A dummy's rho is free, and its serial number is reserved like any other. snk depends on pk as well as on nk, so a dummy
// never has a serial number of another owner, even if the prover has that owner's nk.
//
// Withdrawals do not count as paid, and every transfer counts as one in count', claims and withdrawals included.
//
// # What the validator adds
//
// The circuit relies on the verifier for: rk, h_j, k_j, h'_*, M'_* canonical, on the curve, in G1 and not O; h_j recomputed from
// (c_m,j, D); D recomputed from the serial numbers, withdrawn and the context; all serial numbers of a statement distinct; VSent,
// VTotal, VHeld below 2^64 and VCount below 2^32; the signature under rk; the shown signatures. Ranges of withdrawn, period,
// sent' and count' are nevertheless proved here, so that what a new compliance coin packs never depends on a policy value.
package transfer
