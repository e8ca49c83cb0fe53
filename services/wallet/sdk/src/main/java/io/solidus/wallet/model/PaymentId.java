package io.solidus.wallet.model;

import io.solidus.protocol.TxCore;

/**
 * The transfer of a payment that an application named. The payee does not see the name.
 *
 * @param id the application's name
 */
public record PaymentId(String id, TxCore core) {}
