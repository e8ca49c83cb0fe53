// Package hash is the one hash of the system, natively and in a circuit: Poseidon2 over F, the scalar field of BLS12-381, with
// a domain tag for every use and the network in every tag.
//
// # Permutation
//
// Width t = 3, S-box x^5, RF = 8 full and RP = 56 partial rounds: the instance that the designers publish for this field, with
// their matrices and their round keys, which a Grain LFSR draws uniformly from F. Its known answer is a test. The round numbers
// follow the Poseidon2 paper (section 7.1 and its round script) for security level M = 128, a modulus of n = 255 bits, degree
// d = 5 and t = 3:
//
//	statistical     RF >= 6, because M <= (n - 1 - log2(d-1)) (t+1)
//	interpolation   RF + RP >= 1 + ceil(M / log2 d) + ceil(log_d t) = 1 + 56 + 1 = 58
//	Groebner        RF + RP >= min(M/3, n/2) / log2 d = 18.4, and t - 1 + min(M/(t+1), n/2) / log2 d = 15.8
//
// The cheapest pair is (6, 52); the paper's margin (two more full rounds, 7.5 % more partial ones) makes it (8, 56). A test
// recomputes the formulas. The paper's inner matrix for t = 3 has the eigenvalue 1, so the usual sufficient condition against
// infinite subspace trails (irreducible minimal polynomials) does not apply to it; a test excludes such trails directly: none
// runs through more than three partial rounds.
//
// The library's permutation is not used, because its round keys are 256-bit hashes reduced modulo r, which is not uniform.
//
// # Sponge
//
// Lane 0 is the capacity, lanes 1 and 2 the rate. The start state is
//
//	lane 0 = (network tag * 2^8 + tag) * 2^112 + packed,   packed < 2^112,   lanes 1, 2 = 0
//
// and the inputs are added to the rate two at a time, a permutation after each pair. The number of inputs is fixed per
// tag (for a link and for details by packed), so no padding is needed. The output is lane 1; [Hasher.Address] and [Hasher.Rhos] take lanes 1
// and 2. Small integers of an object ride in packed, which is injective only if each of them keeps its width: a circuit
// range-checks what it packs. The start states of one tag and network are at most 2^112 of 2^255 values, so running the
// permutation backwards hits one with probability 2^-143 a trial.
//
// A tree node is Node3(a, b, c) = perm(a, b, c)[0] + a, a truncated permutation with feed-forward. It has no tag; trees have
// a fixed depth, so a node is never read as a leaf.
package hash
