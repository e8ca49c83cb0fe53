// Package baseline is the regulated transfer of the PaxPay paper as the paper prints it. It
// exists to be measured against: no validator, wallet or key store may load it, and a test
// of this package keeps every importer but cmd/solidus-bench out.
//
// The statement is that of Algorithm 10 (sections 5 and 6, Appendix B.1): two coins and the
// compliance coin are spent, a recipient coin, a redeem coin and the next compliance coin
// are created. Rules B-01 to B-11 of docs/spec/04-circuits.md state the clauses.
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
