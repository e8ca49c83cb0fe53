package io.solidus.authority.spend.rules;

import io.solidus.protocol.FieldElement;
import io.solidus.prover.Limits;

/** The public values a transfer's proof has to be verified with: never taken from the request. */
public record Admission(Limits limits, FieldElement root) {}
