package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

/** A position in the list of cases, opaque to API clients. */
public record Cursor(Instant createdAt, UUID id) {
  static final Cursor START = new Cursor(Instant.EPOCH, new UUID(0, 0));
  static final Cursor END = new Cursor(Instant.parse("9999-01-01T00:00:00Z"), new UUID(-1, -1));
  private static final int MAX_CHARS = 128;

  static Cursor of(KycCase last) {
    return new Cursor(last.createdAt(), last.id());
  }

  public String encode() {
    String text = createdAt + "/" + id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads an encoded cursor.
   *
   * @throws ProtocolException malformed-request
   */
  public static Cursor decode(String encoded) {
    try {
      if (encoded.length() <= MAX_CHARS) {
        String text = new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.US_ASCII);
        int split = text.indexOf('/');
        if (split > 0) {
          return new Cursor(
              Instant.parse(text.substring(0, split)), UUID.fromString(text.substring(split + 1)));
        }
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      // refused below
    }
    throw ProtocolException.malformed("the cursor is invalid");
  }
}
