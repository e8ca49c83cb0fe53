package io.solidus.operator.issuance.books;

import io.solidus.protocol.ProtocolException;

/** The reason that a person gives for what she proposes or refuses. */
public final class Reason {
  private static final int MAX_CHARS = 500;

  private Reason() {}

  /**
   * Requires a reason.
   *
   * @throws ProtocolException malformed-request unless it has 1 to 500 characters, not all blank
   */
  public static void require(String reason) {
    if (reason.isBlank() || reason.length() > MAX_CHARS) {
      throw ProtocolException.malformed("a reason must have 1 to " + MAX_CHARS + " characters");
    }
  }
}
