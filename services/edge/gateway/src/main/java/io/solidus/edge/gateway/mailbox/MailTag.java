package io.solidus.edge.gateway.mailbox;

import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The one-time tag of a payment request. Whoever saw the request knows it, and nobody guesses it.
 *
 * @param hex 32 hexadecimal digits, lower case
 */
record MailTag(String hex) {
  static final int BYTES = 16;
  private static final Pattern SHAPE = Pattern.compile("[0-9a-f]{32}");

  /**
   * @throws ProtocolException malformed-request for another text
   */
  MailTag {
    if (!SHAPE.matcher(hex).matches()) {
      throw ProtocolException.malformed("a tag has 32 hexadecimal digits in lower case");
    }
  }

  static MailTag of(byte[] bytes) {
    return new MailTag(HexFormat.of().formatHex(bytes));
  }

  /**
   * Reads a member of a body.
   *
   * @throws ProtocolException malformed-request for another value than 16 bytes in base64url
   */
  static MailTag ofBase64Url(String value) {
    return of(Base64Url.decode(value, "tag"));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  /** Not for logs: a tag and a connection together tell who was paid. */
  @Override
  public String toString() {
    return "MailTag[redacted]";
  }
}
