package io.solidus.wallet.store;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * The encryption of the wallet's file. Layout, big endian:
 *
 * <pre>
 * "SOLIDUSW" 8 | format u16 | memory KiB u32 | passes u32 | lanes u8 | salt 32 | HMAC-SHA-256 of all before it 32
 * | nonce 12 | AES-256-GCM ciphertext and tag, with all before the nonce as associated data | SHA-256 of all before it 32
 * </pre>
 *
 * Argon2id gives 64 bytes: the cipher's key and the header's HMAC key. Three checks distinguish
 * three failures: damage (the digest), a wrong passphrase (the header's HMAC), and a deliberate
 * change (the GCM tag).
 */
final class StoreCipher implements AutoCloseable {
  static final int FORMAT = 1;
  private static final byte[] MAGIC = "SOLIDUSW".getBytes(StandardCharsets.US_ASCII);
  private static final int SALT_BYTES = 32;
  private static final int MAC_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int DIGEST_BYTES = 32;
  private static final int OPEN_HEADER_BYTES = 8 + 2 + 4 + 4 + 1 + SALT_BYTES;
  private static final int HEADER_BYTES = OPEN_HEADER_BYTES + MAC_BYTES;

  private final byte[] header;
  private final byte[] key;
  private final SecureRandom random = new SecureRandom();

  private StoreCipher(byte[] header, byte[] key) {
    this.header = header;
    this.key = key;
  }

  static StoreCipher create(char[] passphrase, PassphraseCost cost) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    byte[] open =
        ByteBuffer.allocate(OPEN_HEADER_BYTES)
            .put(MAGIC)
            .putShort((short) FORMAT)
            .putInt(cost.memoryKib())
            .putInt(cost.passes())
            .put((byte) cost.lanes())
            .put(salt)
            .array();
    byte[] keys = derive(passphrase, cost, salt);
    byte[] header = ByteBuffer.allocate(HEADER_BYTES).put(open).put(headerMac(keys, open)).array();
    return new StoreCipher(header, cipherKey(keys));
  }

  /**
   * Checks the file's digest, header and passphrase; {@link #decrypt} then decrypts the content.
   */
  static StoreCipher open(byte[] file, char[] passphrase) {
    requireIntact(file);
    ByteBuffer in = ByteBuffer.wrap(file, MAGIC.length, OPEN_HEADER_BYTES - MAGIC.length);
    int format = Short.toUnsignedInt(in.getShort());
    if (format != FORMAT) {
      throw new WalletException(
          WalletError.STORE_VERSION,
          "the wallet file has format " + format + "; this program reads " + FORMAT);
    }
    PassphraseCost cost = cost(in);
    byte[] salt = new byte[SALT_BYTES];
    in.get(salt);
    byte[] keys = derive(passphrase, cost, salt);
    byte[] header = Arrays.copyOf(file, HEADER_BYTES);
    byte[] expected = headerMac(keys, Arrays.copyOf(header, OPEN_HEADER_BYTES));
    if (!MessageDigest.isEqual(
        expected, Arrays.copyOfRange(header, OPEN_HEADER_BYTES, HEADER_BYTES))) {
      Arrays.fill(keys, (byte) 0);
      throw new WalletException(
          WalletError.WRONG_PASSPHRASE, "the passphrase does not open this wallet");
    }
    return new StoreCipher(header, cipherKey(keys));
  }

  /** The whole file with the content encrypted under a new random nonce. */
  byte[] encrypt(byte[] content) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, content, 0, content.length);
    ByteBuffer file =
        ByteBuffer.allocate(HEADER_BYTES + NONCE_BYTES + sealed.length + DIGEST_BYTES);
    file.put(header).put(nonce).put(sealed);
    return file.put(sha256(file.array(), file.position())).array();
  }

  byte[] decrypt(byte[] file) {
    int start = HEADER_BYTES + NONCE_BYTES;
    byte[] nonce = Arrays.copyOfRange(file, HEADER_BYTES, start);
    return cipher(Cipher.DECRYPT_MODE, nonce, file, start, file.length - DIGEST_BYTES - start);
  }

  @Override
  public void close() {
    Arrays.fill(key, (byte) 0);
  }

  private byte[] cipher(int mode, byte[] nonce, byte[] data, int offset, int length) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * 8, nonce));
      cipher.updateAAD(header);
      return cipher.doFinal(data, offset, length);
    } catch (AEADBadTagException e) {
      throw corrupt("the wallet file was changed by someone who does not hold its passphrase");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks AES-256-GCM", e);
    }
  }

  private static void requireIntact(byte[] file) {
    if (file.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES + DIGEST_BYTES
        || !Arrays.equals(MAGIC, 0, MAGIC.length, file, 0, MAGIC.length)) {
      throw corrupt("this is not a wallet file, or it is cut short");
    }
    byte[] digest = Arrays.copyOfRange(file, file.length - DIGEST_BYTES, file.length);
    if (!Arrays.equals(digest, sha256(file, file.length - DIGEST_BYTES))) {
      throw corrupt("the wallet file is damaged: its digest does not match");
    }
  }

  private static PassphraseCost cost(ByteBuffer in) {
    try {
      return new PassphraseCost(in.getInt(), in.getInt(), in.get());
    } catch (IllegalArgumentException e) {
      throw corrupt("the wallet file's header is out of bounds");
    }
  }

  private static byte[] derive(char[] passphrase, PassphraseCost cost, byte[] salt) {
    ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(passphrase));
    byte[] password = new byte[encoded.remaining()];
    encoded.get(password);
    int start = encoded.arrayOffset();
    Arrays.fill(encoded.array(), start, start + encoded.capacity(), (byte) 0);
    try {
      Argon2BytesGenerator argon2 = new Argon2BytesGenerator();
      argon2.init(
          new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
              .withVersion(Argon2Parameters.ARGON2_VERSION_13)
              .withMemoryAsKB(cost.memoryKib())
              .withIterations(cost.passes())
              .withParallelism(cost.lanes())
              .withSalt(salt)
              .build());
      byte[] keys = new byte[64];
      argon2.generateBytes(password, keys);
      return keys;
    } finally {
      Arrays.fill(password, (byte) 0);
    }
  }

  private static byte[] headerMac(byte[] keys, byte[] open) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(keys, 32, 32, "HmacSHA256"));
      return mac.doFinal(open);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] cipherKey(byte[] keys) {
    byte[] key = Arrays.copyOf(keys, 32);
    Arrays.fill(keys, (byte) 0);
    return key;
  }

  private static byte[] sha256(byte[] data, int length) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(data, 0, length);
      return sha256.digest();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static WalletException corrupt(String detail) {
    return new WalletException(WalletError.STORE_CORRUPT, detail);
  }
}
