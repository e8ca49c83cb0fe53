package io.solidus.wallet.model;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;

/**
 * A finished transfer with the opening of its history commitment: {@code com = H(entry; previous
 * com, paid | in1 | in2 | withdrawn | origins | escrow | period, recipient, randomness)}. In an
 * unregulated network there is none: period, randomness and com are zero.
 */
public record TransferRecord(
    TxCore core,
    SerialNumber lead,
    Period period,
    Memo memo,
    FieldElement randomness,
    FieldElement com) {}
