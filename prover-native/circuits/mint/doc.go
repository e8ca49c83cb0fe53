// Package mint is the statement of an issue of money: a blinded coin of a public value for an address that stays hidden.
// Who may issue is settled outside, by the signatures of two approvers over the mint's core.
//
// Public inputs, in this order: value, D, c_m, then a, c and z_1 of the link: six values.
//
// Rules M-01, M-02, M-04, C-02, C-03 and C-06 of docs/spec/04-circuits.md state the clauses.
//
// The two kinds of network have their own coin tags, and a network has one kind; each kind is a circuit of its own.
//
// The validator checks before the proof: k in G1 and not the identity, h recomputed, the link with its challenge, D from the
// mint id and the value, the approvers' signatures, the mint id's reservation and the cap.
package mint
