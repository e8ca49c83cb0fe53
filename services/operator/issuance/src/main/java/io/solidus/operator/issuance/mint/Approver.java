package io.solidus.operator.issuance.mint;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.ProtocolException;

/**
 * A person who may approve mints.
 *
 * @param name the name in the validators' trust settings
 * @param key the public key; only the approver has the private key
 * @param subject the {@code sub} of the approver's access tokens
 */
public record Approver(String name, Ed25519PublicKey key, String subject) {

  /**
   * Reads an approver from the settings.
   *
   * @throws IllegalStateException when the key is not an Ed25519 public key
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
