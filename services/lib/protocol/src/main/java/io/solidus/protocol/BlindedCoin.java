package io.solidus.protocol;

/**
 * What a committee signs without seeing the coin: c_m = H(s, m) and k = h^m g1^b, where h =
 * HashToG1(c_m, D) is recomputed by whoever needs it (paper, Appendix B.1).
 */
public record BlindedCoin(FieldElement cm, G1Point k) {}
