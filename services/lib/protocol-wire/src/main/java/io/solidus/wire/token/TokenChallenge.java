package io.solidus.wire.token;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a token is good for: RFC 9577 section 2.1.
 *
 * @param issuer host name of who signs
 * @param context empty or 32 bytes
 * @param origin host name of the gateway where it is spent; empty for a token that counts anywhere
 */
@Spec("A-01")
public record TokenChallenge(String issuer, byte[] context, String origin) {
  /** Blind RSA with 2048 bits, the only type here. */
  public static final int TYPE = 2;

  private static final int MAX_NAME = 253;

  /**
   * @throws ProtocolException malformed-request for a name that is none, or a context of another
   *     length
   */
  public TokenChallenge {
    context = context.clone();
    if (issuer.isEmpty()
        || !isName(issuer)
        || !isName(origin)
        || (context.length != 0 && context.length != Digest32.BYTES)) {
      throw ProtocolException.malformed("a challenge names an issuer and an origin");
    }
  }

  private static boolean isName(String text) {
    return text.length() <= MAX_NAME
        && text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
  }

  @Override
  public byte[] context() {
    return context.clone();
  }

  /** The structure's bytes. */
  public byte[] encode() {
    byte[] from = issuer.getBytes(StandardCharsets.US_ASCII);
    byte[] at = origin.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(
            Short.BYTES + Short.BYTES + from.length + 1 + context.length + Short.BYTES + at.length)
        .putShort((short) TYPE)
        .putShort((short) from.length)
        .put(from)
        .put((byte) context.length)
        .put(context)
        .putShort((short) at.length)
        .put(at)
        .array();
  }

  /** SHA-256 of the bytes; tokens name their challenge by it. */
  public Digest32 digest() {
    return Digest32.sha256(encode());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenChallenge that && Arrays.equals(encode(), that.encode());
  }

  @Override
  public int hashCode() {
    return digest().hashCode();
  }

  @Override
  public String toString() {
    return "TokenChallenge[" + issuer + ", " + origin + "]";
  }
}
