package io.solidus.protocol;

/**
 * A coin that a committee signs without seeing it: c_m = H(s, m) and k = h^m g1^b. Not part of it
 * is its base h, which signers and verifiers recompute from the statement's {@link Outputs}.
 */
public record BlindedCoin(FieldElement cm, G1Point k) {}
