package io.solidus.prover;

import io.solidus.protocol.FieldElement;

/**
 * What a transfer below a recover was proved under.
 *
 * @param limits of the policy
 * @param root of the sanction checkpoint
 */
public record RecoverTerms(Limits limits, FieldElement root) {}
