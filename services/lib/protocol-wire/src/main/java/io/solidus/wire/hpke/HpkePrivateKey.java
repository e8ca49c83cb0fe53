package io.solidus.wire.hpke;

import io.solidus.protocol.EncryptionKey;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;

/** An X25519 private key (RFC 7748). {@link #close()} overwrites this object's copy of it. */
public final class HpkePrivateKey implements AutoCloseable {
  public static final int BYTES = Hpke.KEY_BYTES;

  private final byte[] secret;
  private final EncryptionKey publicKey;
  private boolean closed;

  private HpkePrivateKey(byte[] secret) {
    this.secret = secret;
    this.publicKey =
        EncryptionKey.of(new X25519PrivateKeyParameters(secret).generatePublicKey().getEncoded());
  }

  /**
   * Makes a key of its bytes.
   *
   * @param bytes 32 bytes; the caller overwrites them
   */
  public static HpkePrivateKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new HpkeException("an X25519 private key has " + BYTES + " bytes");
    }
    return new HpkePrivateKey(bytes.clone());
  }

  public static HpkePrivateKey generate(SecureRandom random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return new HpkePrivateKey(secret);
  }

  public EncryptionKey publicKey() {
    return publicKey;
  }

  /** Returns a copy; the caller overwrites it after use. */
  public synchronized byte[] bytes() {
    requireOpen();
    return secret.clone();
  }

  synchronized AsymmetricCipherKeyPair pair() {
    requireOpen();
    return new AsymmetricCipherKeyPair(
        new X25519PublicKeyParameters(publicKey.bytes()), new X25519PrivateKeyParameters(secret));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the key is closed");
    }
  }

  @Override
  public synchronized void close() {
    Arrays.fill(secret, (byte) 0);
    closed = true;
  }

  @Override
  public String toString() {
    return "HpkePrivateKey[redacted]";
  }
}
