// Package register is the statement of a registration (the paper's Algorithm 11): the first, empty compliance coin of an
// address, blinded. The attestation of the person behind the address is a matter of the validator, which reserves the
// person and the address once each.
//
// Public inputs, in this order: apk, D, c_m, rk (x, y), then a, c and z_1 of the link: eight values.
//
// Rules, C-01 to C-03 and C-06 of docs/spec/04-circuits.md state the clauses.
//
// The seed rho ties the coin to the address through D, so that two registrations never share a blinded coin.
//
// The validator checks before the proof: rk and k in their subgroups and not the identity, h recomputed, the link with its
// challenge, D from apk, apk != 0, the signature under rk.
package register
