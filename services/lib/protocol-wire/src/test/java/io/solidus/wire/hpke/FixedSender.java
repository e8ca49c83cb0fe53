package io.solidus.wire.hpke;

import io.solidus.protocol.EncryptionKey;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;

/** The sending side with an ephemeral key that a test of known answers gives. */
public final class FixedSender {
  private FixedSender() {}

  public static HpkeSender of(
      EncryptionKey recipient, byte[] info, Hpke.Aead aead, byte[] ephemeral) {
    X25519PrivateKeyParameters key = new X25519PrivateKeyParameters(ephemeral);
    return Hpke.sender(
        recipient, info, aead, new AsymmetricCipherKeyPair(key.generatePublicKey(), key));
  }
}
