package io.solidus.wallet.store;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
 * file:   "SOLIDUSW" 8 | format u16 | memory KiB u32 | passes u32 | lanes u8 | salt 32 | HMAC-SHA-256 of all before it 32 | entries
 * entry:  length u32 | length with all bits inverted u32 | nonce 12 | AES-256-GCM ciphertext and tag, length bytes
 *         | SHA-256 of all before it in the file 32
 * </pre>
 *
 * The associated data of an entry is the header and the digest of the entry before it, so that the
 * entries open only in their place. Argon2id gives 64 bytes: the cipher's key and the header's HMAC
 * key. Three checks distinguish three failures: damage (the digest), a wrong passphrase (the
 * header's HMAC), and a deliberate change (the GCM tag).
 *
 * <p>A crash can cut the last entry, whose write was not confirmed. That is no damage: the file
 * counts without it.
 */
final class StoreCipher implements AutoCloseable {
  static final int FORMAT = 2;
  private static final byte[] MAGIC = "SOLIDUSW".getBytes(StandardCharsets.US_ASCII);
  private static final int SALT_BYTES = 32;
  private static final int MAC_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int DIGEST_BYTES = 32;
  private static final int OPEN_HEADER_BYTES = 8 + 2 + 4 + 4 + 1 + SALT_BYTES;
  private static final int HEADER_BYTES = OPEN_HEADER_BYTES + MAC_BYTES;
  private static final int LENGTHS_BYTES = 8;

  /** Bytes of an entry besides its content. */
  private static final int ENTRY_BYTES = LENGTHS_BYTES + NONCE_BYTES + TAG_BYTES + DIGEST_BYTES;

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
   * The end of a file.
   *
   * @param all hashes all of the file's bytes
   * @param last digest of the last entry; empty before the first
   */
  record Tail(MessageDigest all, byte[] last) {
    private Tail after(byte[] bytes) {
      MessageDigest longer = copy(all);
      longer.update(bytes);
      return new Tail(longer, Arrays.copyOfRange(bytes, bytes.length - DIGEST_BYTES, bytes.length));
    }
  }

  /**
   * An entry to write.
   *
   * @param end the file's end once it is written
   */
  record Sealed(byte[] bytes, Tail end) {}

  /**
   * The content of a file.
   *
   * @param entries at least one; the caller clears them
   * @param length bytes of the file without a last entry that is not whole
   */
  record Content(List<byte[]> entries, Tail end, int length) {
    Content {
      entries = List.copyOf(entries);
    }
  }

  /** Where an entry lies. */
  private record Place(int start, int sealedBytes) {
    int sealedStart() {
      return start + LENGTHS_BYTES + NONCE_BYTES;
    }

    int digestStart() {
      return sealedStart() + sealedBytes;
    }

    int end() {
      return digestStart() + DIGEST_BYTES;
    }
  }

  /** Checks the file's digests, header and passphrase; {@link #read} then decrypts the content. */
  static StoreCipher open(byte[] file, char[] passphrase) {
    requireBeginning(file);
    List<Place> places = intact(file);
    ByteBuffer in = ByteBuffer.wrap(file, MAGIC.length, OPEN_HEADER_BYTES - MAGIC.length);
    requireFormat(Short.toUnsignedInt(in.getShort()) == FORMAT, file);
    if (places.isEmpty()) {
      throw corrupt("this is not a wallet file, or it is cut short");
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

  /** A whole file with the content as its only entry, under a new random nonce. */
  Sealed file(byte[] content) {
    MessageDigest all = sha256();
    all.update(header);
    Sealed entry = entry(new Tail(all, new byte[0]), content);
    byte[] bytes = Arrays.copyOf(header, HEADER_BYTES + entry.bytes().length);
    System.arraycopy(entry.bytes(), 0, bytes, HEADER_BYTES, entry.bytes().length);
    return new Sealed(bytes, entry.end());
  }

  /** The content as one more entry, under a new random nonce. */
  Sealed entry(Tail before, byte[] content) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, before.last(), content, 0, content.length);
    ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES + content.length);
    entry.putInt(sealed.length).putInt(~sealed.length).put(nonce).put(sealed);
    MessageDigest all = copy(before.all());
    all.update(entry.array(), 0, entry.position());
    byte[] bytes = entry.put(all.digest()).array();
    return new Sealed(bytes, before.after(bytes));
  }

  /** Decrypts a file that {@link #open} has checked. */
  Content read(byte[] file) {
    List<byte[]> entries = new ArrayList<>();
    byte[] last = new byte[0];
    int end = 0;
    for (Place place : intact(file)) {
      byte[] nonce = Arrays.copyOfRange(file, place.start() + LENGTHS_BYTES, place.sealedStart());
      entries.add(
          cipher(Cipher.DECRYPT_MODE, nonce, last, file, place.sealedStart(), place.sealedBytes()));
      last = Arrays.copyOfRange(file, place.digestStart(), place.end());
      end = place.end();
    }
    MessageDigest all = sha256();
    all.update(file, 0, end);
    return new Content(entries, new Tail(all, last), end);
  }

  @Override
  public void close() {
    Arrays.fill(key, (byte) 0);
  }

  private byte[] cipher(
      int mode, byte[] nonce, byte[] before, byte[] data, int offset, int length) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * 8, nonce));
      cipher.updateAAD(header);
      cipher.updateAAD(before);
      return cipher.doFinal(data, offset, length);
    } catch (AEADBadTagException e) {
      throw corrupt("the wallet file was changed by someone who does not hold its passphrase");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks AES-256-GCM", e);
    }
  }

  private static void requireBeginning(byte[] file) {
    if (file.length < HEADER_BYTES
        || !Arrays.equals(MAGIC, 0, MAGIC.length, file, 0, MAGIC.length)) {
      throw corrupt("this is not a wallet file, or it is cut short");
    }
    requireFormat(ByteBuffer.wrap(file).getShort(MAGIC.length) != 1, file); // it had no entries
  }

  private static void requireFormat(boolean known, byte[] file) {
    if (!known) {
      throw new WalletException(
          WalletError.STORE_VERSION,
          "the wallet file has format "
              + Short.toUnsignedInt(ByteBuffer.wrap(file).getShort(MAGIC.length))
              + "; this program reads "
              + FORMAT);
    }
  }

  /** The entries, without a last one that is not whole. */
  private static List<Place> intact(byte[] file) {
    List<Place> places = new ArrayList<>();
    MessageDigest all = sha256();
    all.update(file, 0, HEADER_BYTES);
    int at = HEADER_BYTES;
    while (file.length - at >= LENGTHS_BYTES) {
      ByteBuffer in = ByteBuffer.wrap(file, at, LENGTHS_BYTES);
      int sealedBytes = in.getInt();
      int inverted = in.getInt();
      if (inverted != ~sealedBytes
          && ((sealedBytes == 0 && inverted == 0) || isZero(file, in.position()))) {
        return places; // the file grew, and this part of the entry did not reach the disk
      }
      if (sealedBytes < TAG_BYTES || inverted != ~sealedBytes) {
        throw damaged();
      }
      if (sealedBytes > file.length - at - (ENTRY_BYTES - TAG_BYTES)) {
        return places;
      }
      Place place = new Place(at, sealedBytes);
      all.update(file, at, place.digestStart() - at);
      byte[] digest = copy(all).digest();
      if (!Arrays.equals(digest, 0, DIGEST_BYTES, file, place.digestStart(), place.end())) {
        if (place.end() == file.length && !places.isEmpty()) {
          return places;
        }
        throw damaged();
      }
      all.update(digest);
      places.add(place);
      at = place.end();
    }
    return places;
  }

  private static boolean isZero(byte[] file, int from) {
    for (int i = from; i < file.length; i++) {
      if (file[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static WalletException damaged() {
    return corrupt("the wallet file is damaged: its digest does not match");
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

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("this Java runtime's SHA-256 cannot be copied", e);
    }
  }

  private static WalletException corrupt(String detail) {
    return new WalletException(WalletError.STORE_CORRUPT, detail);
  }
}
