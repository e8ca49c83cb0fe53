package io.solidus.protocol;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * An Ed25519 signing key (RFC 8032), made from its 32-byte seed. Bouncy Castle signs and verifies:
 * the JDK's own Ed25519 takes 8 to 18 times as long, and an authority signs every answer.
 */
public final class Ed25519PrivateKey implements AutoCloseable {
  public static final int SEED_BYTES = Ed25519.SECRET_KEY_SIZE;

  private final byte[] seed;
  private final Ed25519PublicKey publicKey;
  private volatile boolean closed;

  private Ed25519PrivateKey(byte[] seed) {
    this.seed = seed;
    byte[] encoded = new byte[Ed25519PublicKey.BYTES];
    Ed25519.generatePublicKey(seed, 0, encoded, 0);
    this.publicKey = new Ed25519PublicKey(encoded);
  }

  /**
   * Makes the key of a seed.
   *
   * @param seed 32 bytes; the caller overwrites them
   */
  public static Ed25519PrivateKey fromSeed(byte[] seed) {
    return new Ed25519PrivateKey(Bytes.fixed(seed, SEED_BYTES, "an Ed25519 seed"));
  }

  public Ed25519PublicKey publicKey() {
    return publicKey;
  }

  /**
   * Returns a 64-byte signature.
   *
   * @throws IllegalStateException when the key is closed
   */
  public byte[] sign(byte[] message) {
    byte[] signature = new byte[Ed25519PublicKey.SIGNATURE_BYTES];
    Ed25519.sign(seed, 0, publicKey.bytes, 0, message, 0, message.length, signature, 0);
    VarHandle.fullFence();
    if (closed) {
      throw new IllegalStateException("the signing key is closed");
    }
    return signature;
  }

  /**
   * Overwrites the seed. A signature that is being made meanwhile is discarded. Bouncy Castle
   * leaves the expanded key of each signature to the garbage collector.
   */
  @Override
  public void close() {
    closed = true;
    // a signer that sees a zero of the seed also sees that the key is closed
    VarHandle.fullFence();
    Arrays.fill(seed, (byte) 0);
  }

  @Override
  public String toString() {
    return "Ed25519PrivateKey[redacted]";
  }
}
