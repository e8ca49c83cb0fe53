package io.solidus.wallet.model;

import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;

/**
 * A transfer that was given up, because no validator held it when its rules expired. Another core
 * spends its compliance coin. The counters of derived randomness up to its memo's counter are never
 * used again.
 *
 * @param reason the refusal that made it impossible to finish
 */
public record AbandonedTransfer(
    TxCore core, SerialNumber lead, Period period, Memo memo, RejectionCode reason) {}
