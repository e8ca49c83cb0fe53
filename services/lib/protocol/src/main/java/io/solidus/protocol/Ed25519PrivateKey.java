package io.solidus.protocol;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/** An Ed25519 signing key (RFC 8032), made from its 32-byte seed. */
public final class Ed25519PrivateKey {
  public static final int SEED_BYTES = 32;

  /** The bytes before the seed in a PrivateKeyInfo (RFC 8410). */
  private static final byte[] PKCS8_PREFIX =
      Bytes.fromHex("302e020100300506032b657004220420", "prefix");

  private final PrivateKey key;
  private final Ed25519PublicKey publicKey;

  private Ed25519PrivateKey(PrivateKey key, Ed25519PublicKey publicKey) {
    this.key = key;
    this.publicKey = publicKey;
  }

  /**
   * Makes the key of a seed.
   *
   * @param seed 32 bytes; the caller overwrites them
   */
  public static Ed25519PrivateKey fromSeed(byte[] seed) {
    byte[] copy = Bytes.fixed(seed, SEED_BYTES, "an Ed25519 seed");
    byte[] encoded = Arrays.copyOf(PKCS8_PREFIX, PKCS8_PREFIX.length + SEED_BYTES);
    System.arraycopy(copy, 0, encoded, PKCS8_PREFIX.length, SEED_BYTES);
    try {
      PrivateKey key =
          KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded));
      return new Ed25519PrivateKey(key, publicKeyOf(copy));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Ed25519 is part of every supported Java platform", e);
    } finally {
      Arrays.fill(encoded, (byte) 0);
      Arrays.fill(copy, (byte) 0);
    }
  }

  public Ed25519PublicKey publicKey() {
    return publicKey;
  }

  /** Returns a 64-byte signature. */
  public byte[] sign(byte[] message) {
    try {
      java.security.Signature signer = java.security.Signature.getInstance("Ed25519");
      signer.initSign(key);
      signer.update(message);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Ed25519 signing failed", e);
    }
  }

  @Override
  public String toString() {
    return "Ed25519PrivateKey[redacted]";
  }

  /**
   * Derives the public key. The JDK does so only while it generates a pair, so the generator gets
   * the seed as its randomness.
   */
  private static Ed25519PublicKey publicKeyOf(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    generator.initialize(NamedParameterSpec.ED25519, new SeedAsRandomness(seed));
    byte[] encoded = generator.generateKeyPair().getPublic().getEncoded();
    byte[] raw =
        Arrays.copyOfRange(encoded, encoded.length - Ed25519PublicKey.BYTES, encoded.length);
    return new Ed25519PublicKey(raw);
  }

  private static final class SeedAsRandomness extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] seed;

    SeedAsRandomness(byte[] seed) {
      this.seed = seed;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      if (bytes.length != seed.length) {
        throw new IllegalStateException("the key generator asks for " + bytes.length + " bytes");
      }
      System.arraycopy(seed, 0, bytes, 0, seed.length);
    }
  }
}
