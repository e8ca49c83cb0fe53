// Package transfer is the circuit of a regulated transfer in account form, with everything a prover needs around it.
//
// A transfer spends a compliance coin and up to two received coins (zero-value dummies where fewer), creates one coin for a
// recipient (of value 0 for a pure claim), or an escrow, and the next compliance coin. Signatures are shown outside the circuit.
// A link ties the shown points and the blinded coins to the messages that the circuit computes.
// A transfer of many has the same clauses for another [Shape]: more coins, or more recipients. Its types begin with Many.
//
//   - [Circuit] is the constraint system ([Compile]), its public part is [Public], in the order of [Public.Vector].
//   - [Prepare] computes the outputs of a transfer before it is signed or proved.
//   - [Witness] is everything a prover knows; [Witness.Bind] makes the link, [Witness.Assign] turns both into an assignment.
//   - [Check] is an independent reference: integers and native curve arithmetic, no constraint.
//
// # Equations
//
// Public inputs are the fields of [Public], everything else is witness. H is package hash, the link and the addition of keys are package gadgets.
// Rules T-01 to T-34 of docs/spec/04-circuits.md state them, and clauses.go implements them in that order.
//
// A dummy's rho is free, and its serial number is reserved like any other. snk depends on pk as well as on nk, so a dummy
// never has a serial number of another owner, even if the prover has that owner's nk.
//
// Withdrawals do not count as paid, and every transfer counts as one in count', claims and withdrawals included; so does each
// further payment of a transfer of many that is not 0.
//
// # What the validator adds
//
// The circuit relies on the verifier for: rk canonical, on the curve, in the subgroup and not the identity; the challenge
// recomputed from core, D, rk, all linked points and bases, T and a; the link's equation; D recomputed from the serial numbers,
// withdrawn and the context; all serial numbers of a statement distinct; VSent, VTotal, VHeld and VEscrow below 2^64 and VCount
// below 2^32; the signature under rk; the shown signatures. Ranges of withdrawn, period, sent' and count' are nevertheless proved
// here, so that what a new compliance coin packs never depends on a policy value.
package transfer
