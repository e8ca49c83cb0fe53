package io.solidus.wallet.request;

import io.solidus.protocol.ProtocolException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * 16 bytes of a payment request that its payee drew at random: its id, or its one-time tag.
 *
 * @param hex 32 hexadecimal digits, lower case
 */
public record RequestToken(String hex) {
  public static final int BYTES = 16;
  private static final Pattern SHAPE = Pattern.compile("[0-9a-f]{32}");

  /**
   * @throws ProtocolException malformed-request for another text
   */
  public RequestToken {
    if (!isValid(hex)) {
      throw ProtocolException.malformed("an id or tag of a request has 32 hexadecimal digits");
    }
  }

  /** Whether this is the text of a token. */
  public static boolean isValid(String hex) {
    return SHAPE.matcher(hex).matches();
  }

  public static RequestToken random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return of(bytes);
  }

  /**
   * The token of these bytes.
   *
   * @throws ProtocolException malformed-request for another number of bytes
   */
  public static RequestToken of(byte[] bytes) {
    return new RequestToken(HexFormat.of().formatHex(bytes));
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
