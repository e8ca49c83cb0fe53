package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Signature;

/** A compliance coin with its signature: the start of the next transfer. */
record SignedComplianceCoin(ComplianceCoin coin, FieldElement message, Signature signature) {}
