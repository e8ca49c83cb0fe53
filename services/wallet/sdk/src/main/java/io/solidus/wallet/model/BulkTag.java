package io.solidus.wallet.model;

import io.solidus.protocol.Address;
import io.solidus.protocol.Digest32;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * The name of a list of payments in 16 bytes, then its content in 16 bytes. So a wallet notices
 * that another list is to be paid under the same name.
 */
public record BulkTag(Digest32 value) {
  private static final byte[] NAME_DOMAIN =
      "solidus/bulk-name/v1\0".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LIST_DOMAIN =
      "solidus/bulk-list/v1\0".getBytes(StandardCharsets.US_ASCII);
  private static final int NAME_BYTES = 16;

  /** The tag of this list under the application's name for it. */
  public static BulkTag of(String id, List<PaymentOrder> orders) {
    MessageDigest name = sha256();
    name.update(NAME_DOMAIN);
    name.update(id.getBytes(StandardCharsets.UTF_8));
    MessageDigest list = sha256();
    list.update(LIST_DOMAIN);
    for (PaymentOrder order : orders) {
      Address to = order.to();
      byte[] host = to.mailbox().host().getBytes(StandardCharsets.US_ASCII);
      byte[] reference = order.reference().getBytes(StandardCharsets.UTF_8);
      list.update(to.apk().bytes());
      list.update(to.encryptionKey().bytes());
      list.update((byte) host.length);
      list.update(host);
      list.update(ByteBuffer.allocate(Long.BYTES).putLong(order.amount().minor()).array());
      list.update((byte) reference.length);
      list.update(reference);
    }
    byte[] tag = Arrays.copyOf(name.digest(), Digest32.BYTES);
    System.arraycopy(list.digest(), 0, tag, NAME_BYTES, Digest32.BYTES - NAME_BYTES);
    return new BulkTag(Digest32.of(tag));
  }

  /** Whether both lists were paid under the same name. */
  public boolean hasSameName(BulkTag other) {
    return Arrays.equals(value.bytes(), 0, NAME_BYTES, other.value.bytes(), 0, NAME_BYTES);
  }

  /** The name in hexadecimal digits, which those of {@link #value} begin with. */
  String nameHex() {
    return value.hex().substring(0, 2 * NAME_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
