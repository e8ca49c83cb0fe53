// Package transfer is the circuit of a regulated transfer in account form, with everything a prover needs around it.
//
// A transfer spends a compliance coin and up to two received coins (zero-value dummies where fewer), creates one coin for a
// recipient (of value 0 for a pure claim) and the next compliance coin. Signatures are shown outside the circuit: it proves
// M' = m h' + o g1 for the messages it opens, a validator checks e(h', X) e(M', Y) = e(S', g2).
//
//   - [Circuit] is the constraint system ([Compile]), its public part is [Public], in the order of [Public.Vector].
//   - [Prepare] computes the outputs of a transfer before it is signed or proved; [ErrRetrySeed] asks for another seed.
//   - [Witness] is everything a prover knows; [Witness.Assign] turns it into an assignment, [Witness.Check] judges it.
//   - [Check] is an independent reference: integers and native curve arithmetic, no constraint.
//
// # Equations
//
// Public inputs are the fields of [Public], everything else is witness. H is package hash, ladders and links
// are package gadgets ([G-01] to [G-08]). "in n bits" means 0 <= x < 2^n; a difference is taken in F, so that a negative one is
// out of range. A prime marks a new value.
//
//	Owner
//	[T-01] pk = rk - alpha g1, pk != O
//	[T-02] (apk, snk) = lanes of H(1; 0; nk, pk), apk != 0
//	[T-03] apkR != 0
//	Serial numbers
//	[T-04] snCc = H(2; 0; snk, rho_cc)
//	[T-05] sn_i = H(2; 0; snk, rho_i)                                 i = 1, 2
//	What is spent
//	[T-06] dummy_i in {0, 1}, dummy_i v_i = 0                         i = 1, 2
//	[T-07] v_i in 64 bits                                             i = 1, 2
//	[T-08] old period, sent, count, held in 32, 64, 32, 64 bits
//	Limits
//	[T-09] paid in 64 bits, VSent - paid in 64 bits
//	[T-10] withdrawn in 64 bits
//	[T-11] period in 32 bits, period - old period in 32 bits; same = 1 if they are equal, else 0
//	[T-12] sent' = same sent + paid; sent' in 64 bits, VTotal - sent' in 64 bits
//	[T-13] count' = same count + 1; count' in 32 bits, VCount - count' in 32 bits
//	Balance
//	[T-14] held' = held + v_1 + v_2 - paid - withdrawn in 64 bits
//	[T-15] sel in {0, 1}; (sel ? VHeld : held) - held' in 64 bits
//	Outputs
//	[T-17] hm_0 = H(3; paid; apkR, rho'_0)
//	[T-19] hm_1 = H(4; period, sent', count', held'; apk, rho'_1, com')
//	[T-20] c_m,j = H(7; 0; s_j, hm_j)                                 j = 0, 1
//	[T-21] hm_j = q r + m_j over the integers, q < 2^124              j = 0, 1
//	[T-22] k_j = m_j h_j + b_j g1                                     j = 0, 1
//	Shown signatures
//	[T-23] H(4; old period, sent, count, held; apk, rho_cc, com) = q r + m_cc
//	[T-24] M'_cc = m_cc h'_cc + o_cc g1
//	[T-25] (1 - dummy_i) (H(3; v_i; apk, rho_i) - q r - m_i) = 0       i = 1, 2
//	[T-26] M'_i = m_i h'_i + o_i g1                                   i = 1, 2
//	Sanctions
//	[T-27] apk is absent under root
//	[T-28] apkR is absent under root
//
// A dummy's rho is free, and its serial number is reserved like any other. snk depends on pk as well as on nk, so nobody's dummy
// reaches the serial numbers of another owner, even where that owner's nk is known.
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
