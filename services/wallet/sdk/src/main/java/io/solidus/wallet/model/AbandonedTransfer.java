package io.solidus.wallet.model;

import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;

/**
 * A transfer that no validator held when its rules ran out, and that was given up. Its compliance
 * coin is spent by another core; the draws up to its memo's counter are never used again.
 *
 * @param reason why it could not be finished any more
 */
public record AbandonedTransfer(
    TxCore core, SerialNumber lead, Period period, Memo memo, RejectionCode reason) {}
