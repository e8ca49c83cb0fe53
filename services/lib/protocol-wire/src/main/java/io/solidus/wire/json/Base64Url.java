package io.solidus.wire.json;

import io.solidus.protocol.ProtocolException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Base64url without padding (RFC 4648, section 5); one byte string has exactly one accepted text.
 */
public final class Base64Url {
  private Base64Url() {}

  public static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
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
      // refused below, like every other text that is not the canonical one
    }
    throw ProtocolException.malformed("the field '" + field + "' is not base64url without padding");
  }
}
