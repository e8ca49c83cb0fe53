package io.solidus.operator.issuance.books;

import io.solidus.protocol.ProtocolException;

/** The reason that a person gives for what she proposes or refuses. */
public final class Reason {
  private static final int MAX_CHARS = 500;

  private Reason() {}

  /**
   * Requires a reason.
   *
   * @throws ProtocolException malformed-request unless it has 1 to 500 characters, not all blank,
   *     and no control characters but tabulators and ends of lines: PostgreSQL keeps no U+0000
   */
  public static void require(String reason) {
    if (reason.isBlank() || reason.length() > MAX_CHARS) {
      throw ProtocolException.malformed("a reason must have 1 to " + MAX_CHARS + " characters");
    }
    if (!reason.codePoints().allMatch(Reason::isText)) {
      throw ProtocolException.malformed("a reason must have no control characters");
    }
  }

  /** A code point that is a surrogate has no pair. */
  private static boolean isText(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (!Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE);
  }
}
