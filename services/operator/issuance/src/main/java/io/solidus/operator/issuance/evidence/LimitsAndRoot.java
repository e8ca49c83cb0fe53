package io.solidus.operator.issuance.evidence;

import io.solidus.protocol.FieldElement;
import io.solidus.prover.Limits;

/** The policy limits and the sanction root that a regulated transfer was proved against. */
public record LimitsAndRoot(Limits limits, FieldElement root) {}
