// Package mint is the statement of an issue of money: a blinded coin of a public value for an address that stays hidden.
// Who may issue is settled outside, by the signatures of two approvers over the mint's core.
//
// Public inputs, in this order: value, D, c_m, h, k (points as x, y: seven values).
//
//	[M-01] 0 <= value < 2^64
//	[M-02] apk != 0
//	[M-04] hm = H(3; value; apk, rho), in an unregulated network H(9; value; apk, rho)
//
// [M-04]: the two kinds of network have their own coin tags, and a network has one kind; each kind is a circuit of its own.
// Without the bound on q in [C-03] the coin could be unspendable, since the transfer's circuit enforces it.
//
// The validator checks before the proof: k in G1 and not the identity, h = HashToG1(c_m, D), D from the mint id and the
// value, the approvers' signatures, the mint id's reservation and the cap.
package mint
