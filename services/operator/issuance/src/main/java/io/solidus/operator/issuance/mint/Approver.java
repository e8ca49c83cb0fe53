package io.solidus.operator.issuance.mint;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.ProtocolException;

/**
 * One who may approve mints.
 *
 * @param name in the validators' trust
 * @param key whose private half never leaves her
 * @param subject the {@code sub} of her access tokens
 */
public record Approver(String name, Ed25519PublicKey key, String subject) {

  /**
   * @throws IllegalStateException for a key that is no key
   */
  public static Approver parse(String name, String publicKey, String subject) {
    try {
      return new Approver(name, Ed25519PublicKey.fromBase64(publicKey), subject);
    } catch (ProtocolException e) {
      throw new IllegalStateException(
          "solidus.issuance.approvers." + name + ".public-key is not a base64 Ed25519 public key",
          e);
    }
  }
}
