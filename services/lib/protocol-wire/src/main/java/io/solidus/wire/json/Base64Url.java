package io.solidus.wire.json;

import io.solidus.protocol.ProtocolException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Base64url without padding (RFC 4648, section 5). Exactly one text is accepted for a byte string.
 */
public final class Base64Url {
  private Base64Url() {}

  public static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Decodes a field.
   *
   * @throws ProtocolException malformed-request when missing or not canonical
   */
  public static byte[] decode(@Nullable String text, String field) {
    String present = Fields.required(text, field);
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(present);
      if (encode(bytes).equals(present)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // refused below, as every other text that is not canonical
    }
    throw ProtocolException.malformed("the field '" + field + "' is not base64url without padding");
  }
}
