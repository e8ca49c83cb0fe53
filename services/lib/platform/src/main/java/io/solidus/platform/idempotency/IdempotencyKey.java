package io.solidus.platform.idempotency;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of the header {@code Idempotency-Key} (draft-ietf-httpapi-idempotency-key-header): the
 * caller's name for one request, however often it is sent. The draft writes it as a string of RFC
 * 9651, in quotes; the same characters without quotes count as well.
 *
 * @param value 8 to 128 characters of A-Z a-z 0-9 _ -
 */
public record IdempotencyKey(String value) {
  /** The name of the header. */
  public static final String HEADER = "Idempotency-Key";

  public static final int MIN_CHARS = 8;
  public static final int MAX_CHARS = 128;

  private static final String CHARS = "[A-Za-z0-9_-]{" + MIN_CHARS + "," + MAX_CHARS + "}";

  /** What a header may be, as a regular expression (ECMA-262) for descriptions of calls. */
  public static final String FORMS = CHARS + "|\"" + CHARS + "\"";

  /** As {@link #FORMS}, where the key is the core of the request. */
  public static final String CORE_FORMS = "[0-9a-f]{64}|\"[0-9a-f]{64}\"";

  private static final Pattern FORM = Pattern.compile(FORMS);

  /**
   * Reads a header.
   *
   * @param header null when the request has none
   * @throws ProtocolException malformed-request for another form
   */
  public static Optional<IdempotencyKey> of(@Nullable String header) {
    if (header == null) {
      return Optional.empty();
    }
    if (!FORM.matcher(header).matches()) {
      throw ProtocolException.malformed(
          "an Idempotency-Key has 8 to 128 characters of A-Z a-z 0-9 _ -, with or without quotes");
    }
    return Optional.of(
        new IdempotencyKey(
            header.startsWith("\"") ? header.substring(1, header.length() - 1) : header));
  }

  /**
   * Refuses a header that is not the core of the request. A core already names one request, so
   * these calls keep no second list of keys.
   *
   * @param header null when the request has none
   * @throws ProtocolException idempotency-mismatch, or malformed-request as with {@link #of}
   */
  public static void requireCore(@Nullable String header, TxCore core) {
    of(header)
        .filter(key -> !key.value().equals(core.hex()))
        .ifPresent(key -> {
          throw new ProtocolException(
              RejectionCode.IDEMPOTENCY_MISMATCH,
              "the Idempotency-Key of this call is the request's core, in hexadecimal");
        });
  }

  /** The refusal of a key that came with another body before. */
  public static ProtocolException usedForAnother() {
    return new ProtocolException(
        RejectionCode.IDEMPOTENCY_MISMATCH, "this Idempotency-Key was used with another body");
  }

  /** SHA-256 of the key, for stores: a caller may have written anything into a key. */
  public Digest32 digest() {
    return Digest32.sha256(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** Shows nothing of the key. */
  @Override
  public String toString() {
    return "IdempotencyKey[...]";
  }
}
