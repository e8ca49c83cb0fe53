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
//	[G-01] AssertRange     0 <= x < 2^n
//	[G-02] IsZero          z = 1 if x = 0 else 0; the inverse wire is determined in both cases
//	[G-03] Windows         digits d_i in {+-1, +-3, +-5, +-7}, i < 85: value sum d_i 8^i
//	[G-04] AddFixedBase    R = P + (sum d_i 8^i) g1, R != O
//	[G-05] Ladder          R = s1 Q + s2 phi(Q) + (sum d_i 8^i) g1, s1, s2 < 2^127, R != O
//	[G-06] Opening, link   hm = q r + s1 + lambda s2 over the integers, q < 2^124
//	[G-07] Opening, point  R = m Q + b g1 with m = s1 + lambda s2
//	[G-08] Absence         apk = key 2^217 + low, low < 2^217; low key < key < high key (differences - 1 in 160 bits);
//	                       leaf H(8; low key, high key) leads to root, one of three positions per level
//
// [E-10], [G-06] and wrapping: q r + s1 + lambda s2 < 2^124 r + 2^127 (1 + lambda) < p, so the equation in F is one over the integers. m is
// below 1.85 r and not unique (m and m + r with q and q - 1), but m Q is: the coin and its signature are the same. hm + p
// would need q >= 2^124. Creation draws until hm / r < 2^124, which holds for 69 % of hashes ([ErrRetrySeed]).
package gadgets
