package io.solidus.wallet.mailbox;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.HpkeReceiver;
import io.solidus.wire.hpke.HpkeSender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/**
 * Seals and opens mailbox blobs: {@code tag 2 | encapsulated key 32 | HPKE ciphertext}, 1200 bytes.
 * The tag is exported from the HPKE context, so only the addressee can compute it. It saves the
 * decryption of other wallets' blobs (one in 65,536 has a matching tag by chance).
 */
@Spec("F-08")
public final class ParcelCipher {
  public static final int BLOB_BYTES = 1200;

  private static final int DETECTION_BYTES = 2;

  /** The length of a blob's header: tag and encapsulated key, its first bytes. */
  public static final int HEADER_BYTES = DETECTION_BYTES + Hpke.KEY_BYTES;

  private static final int PLAIN_BYTES = BLOB_BYTES - HEADER_BYTES - Hpke.TAG_BYTES;
  private static final byte[] INFO = ascii("solidus/mailbox/v1");
  private static final byte[] DETECTION_LABEL = ascii("solidus/mailbox-detection/v1");

  private final byte[] associated;

  public ParcelCipher(NetworkId network) {
    this.associated = network.digest().bytes();
  }

  public byte[] seal(EncryptionKey addressee, Parcel parcel) {
    byte[] plain = ParcelCodec.encode(parcel, PLAIN_BYTES);
    HpkeSender sender = Hpke.sender(addressee, INFO);
    try {
      return ByteBuffer.allocate(BLOB_BYTES)
          .put(sender.export(DETECTION_LABEL, DETECTION_BYTES))
          .put(sender.encapsulatedKey())
          .put(sender.seal(associated, plain))
          .array();
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  /**
   * A blob that nobody can open. It is sealed like every other, to a key that nobody has, so nobody
   * can tell it from them.
   */
  public byte[] sealToNobody(SecureRandom random) {
    byte[] nobody = new byte[EncryptionKey.BYTES];
    random.nextBytes(nobody);
    nobody[nobody.length - 1] &= 0x7f;
    HpkeSender sender = Hpke.sender(new EncryptionKey(nobody), INFO);
    return ByteBuffer.allocate(BLOB_BYTES)
        .put(sender.export(DETECTION_LABEL, DETECTION_BYTES))
        .put(sender.encapsulatedKey())
        .put(sender.seal(associated, new byte[PLAIN_BYTES]))
        .array();
  }

  /** The parcel; empty when the blob is sealed to another wallet or its content is not a parcel. */
  public Optional<Parcel> open(HpkePrivateKey key, byte[] blob) {
    if (blob.length != BLOB_BYTES) {
      return Optional.empty();
    }
    Optional<HpkeReceiver> receiver = detect(key, Arrays.copyOf(blob, HEADER_BYTES));
    if (receiver.isEmpty()) {
      return Optional.empty();
    }
    try {
      return decode(
          receiver.get().open(associated, Arrays.copyOfRange(blob, HEADER_BYTES, blob.length)));
    } catch (HpkeException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether a blob with this header may be for this wallet: its own is, and one of 65,536 others.
   * The rest of the blob is not needed.
   */
  public boolean detects(HpkePrivateKey key, byte[] header) {
    return header.length == HEADER_BYTES && detect(key, header).isPresent();
  }

  private static Optional<HpkeReceiver> detect(HpkePrivateKey key, byte[] header) {
    byte[] tag = Arrays.copyOf(header, DETECTION_BYTES);
    byte[] encapsulated = Arrays.copyOfRange(header, DETECTION_BYTES, HEADER_BYTES);
    try {
      HpkeReceiver receiver = Hpke.receiver(key, encapsulated, INFO);
      boolean same = Arrays.equals(tag, receiver.export(DETECTION_LABEL, DETECTION_BYTES));
      return same ? Optional.of(receiver) : Optional.empty();
    } catch (HpkeException e) {
      return Optional.empty();
    }
  }

  /**
   * Anyone can seal arbitrary bytes to an address. They must not stop the wallet from reading the
   * mailbox.
   */
  private static Optional<Parcel> decode(byte[] plain) {
    try {
      return Optional.of(ParcelCodec.decode(plain));
    } catch (RuntimeException e) {
      return Optional.empty();
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
