package io.solidus.wallet.model;

import io.solidus.protocol.TxCore;

/**
 * The transfer of a payment that an application named. The payee does not see the name.
 *
 * @param id the application's name, or that of a line of a list ({@link BulkLines#name})
 */
public record PaymentId(String id, TxCore core) {
  /** The beginning of names that no application chooses. */
  static final String RESERVED = "\u0000";

  private static final int MAX_LENGTH = 128;

  /** Whether an application may choose this name. */
  public static boolean isValid(String id) {
    return !id.isEmpty() && id.length() <= MAX_LENGTH && !id.startsWith(RESERVED);
  }
}
