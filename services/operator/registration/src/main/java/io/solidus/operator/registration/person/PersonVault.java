package io.solidus.operator.registration.person;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts personal data for the database. Each case has a data key, which is sealed under a master
 * key. A value under a data key is the version 2, a nonce and AES-256-GCM ciphertext. A data key,
 * or a value from before there were any, is the version 1, the id of the master key, a nonce and
 * ciphertext. Case id and column are authenticated, so values cannot be moved between rows or
 * columns. The first master key seals; the others only open.
 */
public final class PersonVault {
  private static final byte VERSION = 1;
  private static final byte DATA_KEY_VERSION = 2;
  private static final int DATA_KEY_BYTES = 32;
  private static final String DATA_KEY = "data-key";
  private static final int KEY_ID_BYTES = 8;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int DATA_KEY_HEADER_BYTES = 1 + NONCE_BYTES;
  private static final int HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;
  private static final byte[] KEY_ID_LABEL = ascii("solidus/person-key-id/v1");

  private final List<VaultKey> keys;
  private final SecureRandom random = new SecureRandom();

  private record VaultKey(ByteBuffer id, SecretKey key) {}

  /** Takes keys of 32 bytes, the current one first. The caller overwrites them. */
  public PersonVault(List<byte[]> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("a vault needs at least one key");
    }
    this.keys = keys.stream().map(PersonVault::vaultKey).toList();
  }

  private static VaultKey vaultKey(byte[] bytes) {
    byte[] id = Arrays.copyOf(MacKey.of(bytes).mac(KEY_ID_LABEL).bytes(), KEY_ID_BYTES);
    return new VaultKey(ByteBuffer.wrap(id), new SecretKeySpec(bytes, "AES"));
  }

  /** A new data key of a case, sealed under the current master key. */
  public byte[] newDataKey(UUID caseId) {
    byte[] key = new byte[DATA_KEY_BYTES];
    random.nextBytes(key);
    return sealKey(caseId, key);
  }

  /**
   * Opens a data key.
   *
   * @throws IllegalStateException as {@link #open(UUID, String, byte[])}
   */
  public SecretKey openDataKey(UUID caseId, byte[] sealed) {
    byte[] key = open(caseId, DATA_KEY, sealed);
    try {
      return new SecretKeySpec(key, "AES");
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Seals a data key under the current master key. */
  public byte[] sealAgain(UUID caseId, byte[] sealed) {
    return sealKey(caseId, open(caseId, DATA_KEY, sealed));
  }

  private byte[] sealKey(UUID caseId, byte[] key) {
    try {
      return seal(caseId, DATA_KEY, key);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** The id of the master key that seals, 8 bytes. */
  public byte[] masterId() {
    return keys.getFirst().id().array().clone();
  }

  /** Whether a value is sealed under the master key itself. */
  public static boolean isUnderMasterKey(byte[] sealed) {
    return sealed.length > 0 && sealed[0] == VERSION;
  }

  /** Seals a value under a data key. */
  public byte[] seal(SecretKey dataKey, UUID caseId, String column, byte[] plain) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    ByteBuffer out = ByteBuffer.allocate(DATA_KEY_HEADER_BYTES + plain.length + TAG_BYTES);
    out.put(DATA_KEY_VERSION).put(nonce);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, dataKey, new GCMParameterSpec(8 * TAG_BYTES, nonce));
      cipher.updateAAD(associated(caseId, column));
      return out.put(cipher.doFinal(plain)).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-256-GCM is part of every Java platform", e);
    }
  }

  /**
   * Opens a value that is sealed under a data key.
   *
   * @throws IllegalStateException when the value was changed or moved
   */
  public byte[] open(SecretKey dataKey, UUID caseId, String column, byte[] sealed) {
    if (sealed.length < DATA_KEY_HEADER_BYTES + TAG_BYTES || sealed[0] != DATA_KEY_VERSION) {
      throw new IllegalStateException("a sealed value is malformed");
    }
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          dataKey,
          new GCMParameterSpec(8 * TAG_BYTES, sealed, 1, NONCE_BYTES));
      cipher.updateAAD(associated(caseId, column));
      return cipher.doFinal(sealed, DATA_KEY_HEADER_BYTES, sealed.length - DATA_KEY_HEADER_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a sealed value was changed", e);
    }
  }

  /** Seals a value under the master key. */
  public byte[] seal(UUID caseId, String column, byte[] plain) {
    VaultKey current = keys.getFirst();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + plain.length + TAG_BYTES);
    out.put(VERSION).put(current.id().duplicate()).put(nonce);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, current.key(), new GCMParameterSpec(8 * TAG_BYTES, nonce));
      cipher.updateAAD(associated(caseId, column));
      return out.put(cipher.doFinal(plain)).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-256-GCM is part of every Java platform", e);
    }
  }

  /**
   * Opens a value that is sealed under a master key.
   *
   * @throws IllegalStateException when the value was changed or moved, or its key is not configured
   */
  public byte[] open(UUID caseId, String column, byte[] sealed) {
    if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] != VERSION) {
      throw new IllegalStateException("a sealed value is malformed");
    }
    ByteBuffer keyId = ByteBuffer.wrap(sealed, 1, KEY_ID_BYTES);
    VaultKey key =
        keys.stream()
            .filter(k -> k.id().equals(keyId))
            .findFirst()
            .orElseThrow(() ->
                new IllegalStateException("a sealed value needs a key that is not configured"));
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          key.key(),
          new GCMParameterSpec(8 * TAG_BYTES, sealed, 1 + KEY_ID_BYTES, NONCE_BYTES));
      cipher.updateAAD(associated(caseId, column));
      return cipher.doFinal(sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a sealed value was changed", e);
    }
  }

  private static byte[] associated(UUID caseId, String column) {
    return ascii("solidus/kyc-case/v1/" + caseId + "/" + column);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return "PersonVault[redacted]";
  }
}
