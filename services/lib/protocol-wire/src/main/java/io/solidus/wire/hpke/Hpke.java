package io.solidus.wire.hpke;

import io.solidus.protocol.EncryptionKey;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.hpke.HPKE;
import org.bouncycastle.crypto.hpke.HPKEContextWithEncapsulation;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;
import org.jspecify.annotations.Nullable;

/**
 * Hybrid public key encryption, RFC 9180 in base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256,
 * AES-256-GCM unless the caller names another. One context seals any number of messages, in order,
 * and exports secrets that both sides know. {@link #seal} and {@link #open} are for a single
 * message.
 */
public final class Hpke {
  /** Length of public, private and encapsulated keys. */
  public static final int KEY_BYTES = EncryptionKey.BYTES;

  /** By how much a ciphertext is longer than its plaintext. */
  public static final int TAG_BYTES = 16;

  /** How messages are encrypted. */
  public enum Aead {
    AES_128_GCM(HPKE.aead_AES_GCM128),
    AES_256_GCM(HPKE.aead_AES_GCM256);

    private final short id;

    Aead(short id) {
      this.id = id;
    }
  }

  private Hpke() {}

  /**
   * Seals one message under a fresh context.
   *
   * @param info the purpose of the message; both sides use the same
   * @param aad authenticated and not encrypted
   * @throws HpkeException when the recipient's key is of small order
   */
  public static SealedMessage seal(
      EncryptionKey recipient, byte[] info, byte[] aad, byte[] plaintext) {
    HpkeSender sender = sender(recipient, info);
    return new SealedMessage(sender.encapsulatedKey(), sender.seal(aad, plaintext));
  }

  /**
   * Opens one message.
   *
   * @throws HpkeException when the message cannot be opened for any reason
   */
  public static byte[] open(HpkePrivateKey key, byte[] info, byte[] aad, SealedMessage message) {
    return receiver(key, message.encapsulatedKey(), info).open(aad, message.ciphertext());
  }

  /**
   * Makes the sending side of a fresh context.
   *
   * @throws HpkeException when the recipient's key is of small order
   */
  public static HpkeSender sender(EncryptionKey recipient, byte[] info) {
    return sender(recipient, info, Aead.AES_256_GCM);
  }

  /**
   * As {@link #sender(EncryptionKey, byte[])}.
   *
   * @throws HpkeException when the recipient's key is of small order
   */
  public static HpkeSender sender(EncryptionKey recipient, byte[] info, Aead aead) {
    return sender(recipient, info, aead, null);
  }

  /**
   * Makes the receiving side of a context.
   *
   * @throws HpkeException when the encapsulated key has the wrong length or is of small order
   */
  public static HpkeReceiver receiver(HpkePrivateKey key, byte[] encapsulatedKey, byte[] info) {
    return receiver(key, encapsulatedKey, info, Aead.AES_256_GCM);
  }

  /**
   * As {@link #receiver(HpkePrivateKey, byte[], byte[])}.
   *
   * @throws HpkeException when the encapsulated key has the wrong length or is of small order
   */
  public static HpkeReceiver receiver(
      HpkePrivateKey key, byte[] encapsulatedKey, byte[] info, Aead aead) {
    if (encapsulatedKey.length != KEY_BYTES) {
      throw new HpkeException("an encapsulated key has " + KEY_BYTES + " bytes");
    }
    try {
      return new HpkeReceiver(suite(aead).setupBaseR(encapsulatedKey, key.pair(), info));
    } catch (RuntimeException e) {
      throw new HpkeException("the encapsulated key cannot be used");
    }
  }

  /**
   * @param ephemeral null for a fresh key; a test of known answers gives one
   */
  static HpkeSender sender(
      EncryptionKey recipient,
      byte[] info,
      Aead aead,
      @Nullable AsymmetricCipherKeyPair ephemeral) {
    X25519PublicKeyParameters key = new X25519PublicKeyParameters(recipient.bytes());
    try {
      HPKEContextWithEncapsulation context =
          ephemeral == null
              ? suite(aead).setupBaseS(key, info)
              : suite(aead).setupBaseS(key, info, ephemeral);
      return new HpkeSender(context);
    } catch (RuntimeException e) {
      throw new HpkeException("the recipient's key cannot be used");
    }
  }

  static HPKE suite(Aead aead) {
    return new HPKE(HPKE.mode_base, HPKE.kem_X25519_SHA256, HPKE.kdf_HKDF_SHA256, aead.id);
  }
}
