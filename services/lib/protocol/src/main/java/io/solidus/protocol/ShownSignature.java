package io.solidus.protocol;

/**
 * A coin's signature, re-randomised and blinded for one presentation: (h', M', s'') with e(h', X)
 * e(M', Y) = e(s'', g2).
 */
public record ShownSignature(G1Point h, G1Point m, G1Point s) {}
