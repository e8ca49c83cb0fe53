// Package gadgets holds the parts that the circuits share. The base field of BLS12-377 is the circuit's field F, so group
// operations are native; r is the group order, lambda = x^2 - 1 the eigenvalue of phi(x, y) = (w x, y) on G1, and
// r = lambda^2 + lambda + 1. None of the gadgets uses a commitment, and each leaves every wire determined by the inputs.
//
// # Completeness of the addition formulas
//
// The formulas divide without a zero check, and 0/0 would leave a wire free. Every accumulator therefore carries a component
// +-T all the way, T = (0, 1) of order 3, which lies on the curve and not in G1: acc = A +- T with A in G1, while every
// addend B is a finite point of G1. Then acc != +-B, 2 acc + B != 0 and acc + B != +-acc, so no denominator vanishes, whatever the
// witness is. At the end T is taken off again: (A + T) + (-T) is exact for A != O and unsatisfiable for A = O, because the
// slope would be 2/0. So a ladder's result is a finite point of G1 other than O.
//
// This holds for base points in G1 \ {O}. That a public base point is one is the VALIDATOR's duty (strict curve, subgroup and
// identity check before the proof); on other points wires come loose.
//
// # Equations
//
// Rules G-01 to G-08 of docs/spec/04-circuits.md state them.
//
// The link of a message to its exponent (G-06) does not wrap: q r + s1 + lambda s2 < 2^124 r + 2^127 (1 + lambda) < p, so the
// equation in F is one over the integers. m is below 1.85 r and not unique (m and m + r with q and q - 1), but m Q is: the coin
// and its signature are the same. hm + p would need q >= 2^124. Creation draws until hm / r < 2^124, which holds for 69 % of
// hashes ([ErrRetrySeed]).
package gadgets
