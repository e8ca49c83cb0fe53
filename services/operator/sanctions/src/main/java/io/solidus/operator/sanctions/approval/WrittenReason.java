package io.solidus.operator.sanctions.approval;

import io.solidus.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;

/** What a person writes to explain a proposal or a decision. */
public final class WrittenReason {
  private static final int MAX_CHARS = 2000;

  private WrittenReason() {}

  /**
   * Requires a text.
   *
   * @param field its name in the request
   * @throws ProtocolException malformed-request unless it has 1 to 2000 characters, not all blank
   */
  public static String require(@Nullable String text, String field) {
    if (text == null || text.isBlank() || text.length() > MAX_CHARS) {
      throw ProtocolException.malformed(field + " must have 1 to " + MAX_CHARS + " characters");
    }
    return text;
  }
}
