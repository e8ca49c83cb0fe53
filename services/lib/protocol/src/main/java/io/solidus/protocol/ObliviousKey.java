package io.solidus.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A key to which wallets seal requests that go through a relay: a key configuration of RFC 9458
 * with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM.
 *
 * @param id 0 to 255: tells the gateway's keys apart
 */
public record ObliviousKey(int id, EncryptionKey key) {
  public static final int BYTES = 41;

  private static final int MAX_ID = 255;
  private static final byte[] KEM = {0x00, 0x20};
  private static final byte[] ALGORITHMS = {0x00, 0x04, 0x00, 0x01, 0x00, 0x01};

  public ObliviousKey {
    if (id < 0 || id > MAX_ID || !key.isUsable()) {
      throw ProtocolException.malformed("a key of requests through a relay cannot be used");
    }
  }

  public static ObliviousKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw malformed();
    }
    int keyAt = 1 + KEM.length;
    ObliviousKey key =
        new ObliviousKey(
            bytes[0] & MAX_ID,
            EncryptionKey.of(Arrays.copyOfRange(bytes, keyAt, keyAt + EncryptionKey.BYTES)));
    if (!Arrays.equals(key.bytes(), bytes)) {
      throw malformed();
    }
    return key;
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) id)
        .put(KEM)
        .put(key.bytes())
        .put(ALGORITHMS)
        .array();
  }

  private static ProtocolException malformed() {
    return ProtocolException.malformed("a key configuration has other algorithms");
  }
}
