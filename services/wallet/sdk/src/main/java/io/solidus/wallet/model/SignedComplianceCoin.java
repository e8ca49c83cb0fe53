package io.solidus.wallet.model;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Signature;

/** The compliance coin that the next transfer spends. */
public record SignedComplianceCoin(ComplianceCoin coin, Signature signature) {}
