// Package baseline is the regulated transfer of the PaxPay paper as the paper prints it. It
// exists to be measured against: no validator, wallet or key store may load it, and a test
// of this package keeps every importer but cmd/solidus-bench out.
//
// The statement is that of Algorithm 10 (sections 5 and 6, Appendix B.1): two coins and the
// compliance coin are spent, a recipient coin, a redeem coin and the next compliance coin
// are created. Clauses, as numbered in the tests:
//
//	[B-01] serial numbers of both coins and of the compliance coin are PRF_ask(rho)
//	[B-02] rho of every new coin is PRF_seed(sn_1 || sn_2 || j), j = 1, 2, 3
//	[B-03] every blinded coin is (c_m, h, h^m g1^b) of its coin, c_m = PRF_s(m)
//	[B-04] every spent coin carries a valid PS signature, checked by pairing inside
//	[B-05] spent coins, redeem coin and both compliance coins belong to apk = PRF_ask(0)
//	[B-06] the values of the spent coins equal those of the new coins
//	[B-07] v_cc' = v_cc + v_recipient
//	[B-08] com' = INCR(com, (apk_recipient, v_recipient), r)
//	[B-09] v_recipient <= V_sent
//	[B-10] v_cc' <= V_total
//	[B-11] sender and recipient lie strictly between two neighbours of the sanction list
//
// Where the paper leaves a choice, this package takes the cheaper one for the prover, so
// that a comparison never flatters the other side:
//
//   - Hash: MiMC (x^5, 163 rounds, Miyaguchi-Preneel) for everything, no domain tags.
//   - PRF: by SUM as in footnote 7, PRF_x(m_1..m_k) = H(m_1..m_k + x), not by concatenation.
//     The sum is unsafe for c_m (s' = s + m - m' opens it to another message).
//   - Message to exponent: the low 252 bits of the canonical hash.
//   - Public key (X, Y): constants of the circuit.
//   - Ranges: 64 bits for every new value and both limit differences. The paper prints none;
//     without them a negative value mints money.
//   - Sanction list: sorted binary tree of depth 20 with two paths per identity, leaves are
//     the addresses themselves, sentinels 0 and p-1, unused places p-1.
//
// The signing key is a single one derived from a public label, so nothing signed here can
// be worth anything.
package baseline
