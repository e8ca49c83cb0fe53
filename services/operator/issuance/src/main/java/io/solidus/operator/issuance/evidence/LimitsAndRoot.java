package io.solidus.operator.issuance.evidence;

import io.solidus.protocol.FieldElement;
import io.solidus.prover.Limits;

/** What a regulated transfer was proved against. */
public record LimitsAndRoot(Limits limits, FieldElement root) {}
