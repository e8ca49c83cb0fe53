package io.solidus.protocol;

/**
 * A coin that a committee signs without seeing it: c_m = H(s, m) and k = h^m g1^b. Not part of it
 * is h = HashToG1(c_m, D), which signers and verifiers recompute (paper, Appendix B.1).
 */
public record BlindedCoin(FieldElement cm, G1Point k) {}
