package io.solidus.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A payment address: the address key of the coin's owner, the encryption key that its opening is
 * sealed to, and the mailbox where its owner looks for it.
 *
 * <p>Text form: Bech32m with prefix "sld" over F4Jumble of version 2 (1 byte), the network tag
 * (16), apk (32), encryption key (32), the mailbox with its length (1 + 0 to 63) and padding (16).
 * After a change of any character the padding is wrong, also when the checksum is made anew. An
 * address of one network is refused in another.
 *
 * @param encryptionKey canonical and not of small order; to another key nobody can seal a coin
 */
public record Address(Apk apk, EncryptionKey encryptionKey, Mailbox mailbox) {
  public static final String HRP = "sld";

  /** The version of addresses that are written and read. */
  public static final byte VERSION = 2;

  /** Version 1 was shorter, was not jumbled and began with this byte. */
  private static final byte FIRST_VERSION = 1;

  private static final int NETWORK_BYTES = 16;
  private static final int BODY_BYTES =
      1 + NETWORK_BYTES + FieldElement.BYTES + EncryptionKey.BYTES + 1;

  /** The prefix and zeros, so that the prefix is bound too. */
  private static final byte[] PADDING = Arrays.copyOf(Bytes.utf8(HRP), 16);

  /**
   * @throws ProtocolException malformed-request for an encryption key that nobody can seal to
   */
  public Address {
    if (!encryptionKey.isUsable()) {
      throw ProtocolException.malformed("an address has an encryption key that cannot be used");
    }
  }

  /** An address whose mailbox is the network's. */
  public Address(Apk apk, EncryptionKey encryptionKey) {
    this(apk, encryptionKey, Mailbox.NETWORK);
  }

  @Spec("F-13")
  public String encode(NetworkId network) {
    byte[] host = Bytes.utf8(mailbox.host());
    byte[] body =
        ByteBuffer.allocate(BODY_BYTES + host.length + PADDING.length)
            .put(VERSION)
            .put(network.tag())
            .put(apk.bytes())
            .put(encryptionKey.bytes())
            .put((byte) host.length)
            .put(host)
            .put(PADDING)
            .array();
    return Bech32m.encode(HRP, F4Jumble.jumble(body));
  }

  /**
   * Reads an address in its text form.
   *
   * @throws ProtocolException malformed-request, unknown-version or wrong-network
   */
  public static Address decode(NetworkId network, String text) {
    Bech32m.Decoded decoded = Bech32m.decode(text);
    if (!decoded.hrp().equals(HRP)) {
      throw ProtocolException.malformed("not an address of this system");
    }
    ByteBuffer in = ByteBuffer.wrap(body(decoded.toBytes()));
    if (in.get() != VERSION) {
      throw unknownVersion();
    }
    if (!Arrays.equals(take(in, NETWORK_BYTES), network.tag())) {
      throw new ProtocolException(RejectionCode.WRONG_NETWORK, "an address of another network");
    }
    Apk apk = Apk.of(take(in, FieldElement.BYTES));
    EncryptionKey key = EncryptionKey.of(take(in, EncryptionKey.BYTES));
    if (Byte.toUnsignedInt(in.get()) != in.remaining()) {
      throw ProtocolException.malformed("an address has a wrong length");
    }
    // a byte that is not ASCII becomes a character that no host's name has
    String host = new String(take(in, in.remaining()), StandardCharsets.US_ASCII);
    return new Address(apk, key, new Mailbox(host));
  }

  /** The bytes of an address without the padding, which is verified. */
  private static byte[] body(byte[] payload) {
    if (payload.length < BODY_BYTES + PADDING.length) {
      throw payload.length > 0 && payload[0] == FIRST_VERSION
          ? unknownVersion()
          : ProtocolException.malformed("an address has a wrong length");
    }
    byte[] bytes = F4Jumble.unjumble(payload);
    int end = bytes.length - PADDING.length;
    if (!Arrays.equals(bytes, end, bytes.length, PADDING, 0, PADDING.length)) {
      throw ProtocolException.malformed("a character of an address is wrong");
    }
    return Arrays.copyOf(bytes, end);
  }

  private static byte[] take(ByteBuffer in, int length) {
    byte[] out = new byte[length];
    in.get(out);
    return out;
  }

  private static ProtocolException unknownVersion() {
    return new ProtocolException(RejectionCode.UNKNOWN_VERSION, "an address of another version");
  }
}
