package io.solidus.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A payment address: the address key of the coin's owner and the encryption key that its opening is
 * sealed to.
 *
 * <p>Text form: Bech32m with prefix "sld" over version 1 (1 byte), the first 4 bytes of the network
 * digest, apk (48), encryption key (32). An address of one network is refused in another.
 */
public record Address(Apk apk, EncryptionKey encryptionKey) {
  public static final String HRP = "sld";
  private static final byte VERSION = 1;
  private static final int NETWORK_BYTES = 4;
  private static final int BYTES = 1 + NETWORK_BYTES + FieldElement.BYTES + EncryptionKey.BYTES;

  public String encode(NetworkId network) {
    byte[] payload =
        ByteBuffer.allocate(BYTES)
            .put(VERSION)
            .put(network.digest().bytes(), 0, NETWORK_BYTES)
            .put(apk.bytes())
            .put(encryptionKey.bytes())
            .array();
    return Bech32m.encode(HRP, payload);
  }

  /**
   * Reads an address in its text form.
   *
   * @throws ProtocolException malformed-request, unknown-version or wrong-network
   */
  public static Address decode(NetworkId network, String text) {
    Bech32m.Decoded decoded = Bech32m.decode(text);
    byte[] payload = decoded.toBytes();
    if (!decoded.hrp().equals(HRP) || payload.length == 0) {
      throw ProtocolException.malformed("not an address of this system");
    }
    if (payload[0] != VERSION) {
      throw new ProtocolException(RejectionCode.UNKNOWN_VERSION, "an address of another version");
    }
    if (payload.length != BYTES) {
      throw ProtocolException.malformed("an address has a wrong length");
    }
    if (!Arrays.equals(payload, 1, 1 + NETWORK_BYTES, network.digest().bytes(), 0, NETWORK_BYTES)) {
      throw new ProtocolException(RejectionCode.WRONG_NETWORK, "an address of another network");
    }
    int apkAt = 1 + NETWORK_BYTES;
    int keyAt = apkAt + FieldElement.BYTES;
    return new Address(
        Apk.of(Arrays.copyOfRange(payload, apkAt, keyAt)),
        new EncryptionKey(Arrays.copyOfRange(payload, keyAt, BYTES)));
  }
}
