// Package suite is the threshold blind signature of coins and the key signature of transfers.
//
// # Coin signatures
//
// Pointcheval-Sanders over BLS12-377 with a (2f+1, N = 3f+1) Shamir-shared key (x, y). A coin's message
// hash hm in F stands for the exponent m with hm = Q*r + m, Q < 2^124.
//
//	[S-02] Blind    h = HashToG1(c_m || D)   k = h^m * g1^b        the wallet sends (c_m, k) and the statement behind D
//	[S-03] Sign     s_i = h^{x_i} * k^{y_i}                        an authority computes h itself
//	[S-04] Check    e(s_i, g2) = e(h, X_i) e(k, Y_i)               before anything is combined or unblinded
//	[S-05] Combine  s = prod s_i^{lambda_i} = h^x * k^y            any 2f+1 partials
//	[S-06] Unblind  (h, s * Y1^{-b}) = (h, h^{x + y m})
//	[S-09] Show     h' = h^t, M' = h'^m * g1^o, s'' = s^t * Y1^o
//	[S-10]          checked by e(h', X) e(M', Y) = e(s'', g2)
//
// Three rules keep the key safe, and the API leaves no way around them. Signing takes c_m, D and k and never
// h, so two statements can never share a base. No operation raises a caller's point to a share other than
// the k of that equation. g1^x is never computed: with it every shown signature could be forged.
//
// # Points
//
// The identity has no encoding and is refused everywhere. A point is decoded in three separable steps:
// canonical coordinates, curve equation, subgroup. Pairings do not see components in G1's cofactor, so no
// result counts before the subgroup of every point was checked.
//
// # Timing
//
// The field library is not constant time. Signing therefore never uses a share's scalars directly: each signature
// splits them into two fresh random summands. Wallet-side operations run on the owner's own machine.
package suite
