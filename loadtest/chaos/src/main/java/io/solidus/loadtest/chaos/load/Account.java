package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Signature;

/** A holder's compliance coin with its signature: what the next transfer starts from. */
record Account(ComplianceCoin coin, FieldElement message, Signature signature) {}
