// Package unregulated is the transfer without regulation, the paper's second variant (Algorithm 8) in coin form: two
// coins are spent, a recipient coin and a change coin are created, and an amount may leave the system. Its coins have their
// own tag and its networks have their own keys, so that no transfer of this package can bypass the limits of a regulated
// network.
//
// Public inputs, in this order: sn_1, sn_2, c_m of the recipient coin and of the change coin, rk (x, y), D, withdrawn, then a, c
// and z_1 to z_4 of the link: 14 values.
//
// Rules U-02 to U-11, C-01 to C-03 and C-06 of docs/spec/04-circuits.md state the clauses.
//
// Serial numbers (U-02): snk depends on both keys of the owner, so a dummy, whose rho is free, never has a serial number of
// another owner, even if the prover has that owner's nullifier key.
//
// Ranges (U-03): spent values are checked as well, since the value rides in the capacity lane of the coin's hash, where only
// its width keeps it apart from the tag. With it, the balance (U-04) over F is one over the integers.
//
// Dummy (U-05): an owner with one coin spends it together with a dummy of value zero; the dummy shows a second
// re-randomisation of the first coin's signature and burns a serial number of its own. The first coin is never a dummy, so a
// transfer always spends something that was signed.
//
// The paper binds the new coins to the spent ones by PRF over the serial numbers; here D, a digest of the serial numbers, the
// withdrawn amount and the context, does so, and enters h of every output together with the period and all c_m.
//
// The validator checks before the proof: sn_1 != sn_2 and neither spent, all points in their subgroups and none the identity, the
// bases h_j, D, the link with its challenge, the shown signatures, the signature under rk.
package unregulated
