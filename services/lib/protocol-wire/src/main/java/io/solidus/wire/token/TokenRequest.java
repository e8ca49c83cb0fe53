package io.solidus.wire.token;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.nio.ByteBuffer;

/**
 * What a wallet asks the issuer to sign: RFC 9578 section 6.1. It says nothing about the token.
 *
 * @param shortKeyId the last byte of the key's id
 * @param blinded 256 bytes
 */
@Spec("A-03")
public record TokenRequest(int shortKeyId, byte[] blinded) {
  public static final int BYTES = Short.BYTES + 1 + TokenKey.MODULUS_BYTES;

  public TokenRequest {
    blinded = blinded.clone();
    if (shortKeyId < 0
        || shortKeyId > Byte.toUnsignedInt((byte) -1)
        || blinded.length != TokenKey.MODULUS_BYTES) {
      throw malformed();
    }
  }

  /**
   * Reads the structure.
   *
   * @throws ProtocolException malformed-request for another length or type
   */
  public static TokenRequest decode(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw malformed();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getShort() != TokenChallenge.TYPE) {
      throw malformed();
    }
    int shortKeyId = Byte.toUnsignedInt(in.get());
    byte[] blinded = new byte[TokenKey.MODULUS_BYTES];
    in.get(blinded);
    return new TokenRequest(shortKeyId, blinded);
  }

  private static ProtocolException malformed() {
    return ProtocolException.malformed(
        "a request for a token has " + BYTES + " bytes and the type " + TokenChallenge.TYPE);
  }

  @Override
  public byte[] blinded() {
    return blinded.clone();
  }

  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .putShort((short) TokenChallenge.TYPE)
        .put((byte) shortKeyId)
        .put(blinded)
        .array();
  }

  @Override
  public String toString() {
    return "TokenRequest[" + shortKeyId + "]";
  }
}
