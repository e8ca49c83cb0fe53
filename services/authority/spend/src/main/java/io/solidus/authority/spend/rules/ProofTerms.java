package io.solidus.authority.spend.rules;

import io.solidus.protocol.FieldElement;
import io.solidus.prover.Limits;

/**
 * The public values to verify a transfer's proof with, taken from the policy and the checkpoint in
 * force and never from the request.
 *
 * @param limits of the policy
 * @param root of the sanction checkpoint
 */
public record ProofTerms(Limits limits, FieldElement root) {}
