package io.solidus.wallet.model;

import io.solidus.protocol.Address;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.ProtocolException;
import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * Somebody whom the owner of the wallet knows, under a name that the owner gave.
 *
 * @param name 1 to 100 characters without control and format characters, in the composed form of
 *     Unicode (NFC), without white space at its ends
 * @param requestKey the key that signs the contact's payment requests; null when it is not known
 */
public record Contact(String name, Address address, @Nullable Ed25519PublicKey requestKey) {
  public static final int MAX_NAME = 100;

  /**
   * @throws ProtocolException malformed-request for another name
   */
  public Contact {
    name = normalised(name);
    int length = name.codePointCount(0, name.length());
    if (length == 0 || length > MAX_NAME || name.codePoints().anyMatch(Contact::isControl)) {
      throw ProtocolException.malformed(
          "a contact's name has 1 to "
              + MAX_NAME
              + " characters, none of them a control or format character");
    }
  }

  /** The name as a contact has it. */
  public static String normalised(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC).strip();
  }

  private static boolean isControl(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}
