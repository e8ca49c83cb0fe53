package io.solidus.wire.hpke;

import java.util.Arrays;

/**
 * A sealed message.
 *
 * @param encapsulatedKey 32 bytes
 * @param ciphertext 16 bytes longer than the plaintext
 */
public record SealedMessage(byte[] encapsulatedKey, byte[] ciphertext) {

  public SealedMessage {
    encapsulatedKey = encapsulatedKey.clone();
    ciphertext = ciphertext.clone();
  }

  @Override
  public byte[] encapsulatedKey() {
    return encapsulatedKey.clone();
  }

  @Override
  public byte[] ciphertext() {
    return ciphertext.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SealedMessage that
        && Arrays.equals(encapsulatedKey, that.encapsulatedKey)
        && Arrays.equals(ciphertext, that.ciphertext);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(encapsulatedKey) + Arrays.hashCode(ciphertext);
  }

  @Override
  public String toString() {
    return "SealedMessage[" + ciphertext.length + " bytes]";
  }
}
