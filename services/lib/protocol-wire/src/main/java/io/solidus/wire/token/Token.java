package io.solidus.wire.token;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wire.json.Base64Url;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token: RFC 9577 section 2.2. Whoever has it can spend it once.
 *
 * @param nonce 32 random bytes that the issuer never saw
 * @param challenge digest of the challenge that it answers
 * @param keyId of the key that signed it
 * @param authenticator the signature
 */
@Spec("A-06")
public record Token(Digest32 nonce, Digest32 challenge, Digest32 keyId, byte[] authenticator) {
  public static final int BYTES = Short.BYTES + 3 * Digest32.BYTES + TokenKey.MODULUS_BYTES;

  /** Of the header {@code Authorization}. */
  public static final String SCHEME = "PrivateToken";

  private static final int SIGNED_BYTES = BYTES - TokenKey.MODULUS_BYTES;

  /** Base64url of a token needs no padding: it has a multiple of three bytes. */
  private static final Pattern HEADER =
      Pattern.compile(SCHEME + " token=(\"?)([A-Za-z0-9_-]{472})\\1", Pattern.CASE_INSENSITIVE);

  public Token {
    authenticator = authenticator.clone();
    if (authenticator.length != TokenKey.MODULUS_BYTES) {
      throw malformed();
    }
  }

  /**
   * Reads the structure.
   *
   * @throws ProtocolException malformed-request for another length or type
   */
  public static Token decode(byte[] bytes) {
    if (bytes.length != BYTES || ByteBuffer.wrap(bytes).getShort() != TokenChallenge.TYPE) {
      throw malformed();
    }
    return new Token(
        digest(bytes, 0),
        digest(bytes, 1),
        digest(bytes, 2),
        Arrays.copyOfRange(bytes, SIGNED_BYTES, BYTES));
  }

  /** Reads the header {@code Authorization}; empty when it holds no token of this type. */
  public static Optional<Token> ofAuthorization(String header) {
    Matcher parts = HEADER.matcher(header);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(decode(Base64Url.decode(parts.group(2), "token")));
    } catch (ProtocolException e) {
      return Optional.empty();
    }
  }

  private static Digest32 digest(byte[] bytes, int index) {
    int from = Short.BYTES + index * Digest32.BYTES;
    return Digest32.of(Arrays.copyOfRange(bytes, from, from + Digest32.BYTES));
  }

  private static ProtocolException malformed() {
    return ProtocolException.malformed(
        "a token has " + BYTES + " bytes and the type " + TokenChallenge.TYPE);
  }

  @Override
  public byte[] authenticator() {
    return authenticator.clone();
  }

  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(signed(nonce, challenge, keyId))
        .put(authenticator)
        .array();
  }

  /** The value of the header {@code Authorization} that spends this token. */
  public String authorization() {
    return SCHEME + " token=\"" + Base64Url.encode(encode()) + "\"";
  }

  /** Whether the key signed this token. Needs nobody else. */
  public boolean isSignedBy(TokenKey key) {
    return keyId.equals(key.id())
        && BlindRsa.verifies(key.parameters(), signed(nonce, challenge, keyId), authenticator);
  }

  static byte[] signed(Digest32 nonce, Digest32 challenge, Digest32 keyId) {
    return ByteBuffer.allocate(SIGNED_BYTES)
        .putShort((short) TokenChallenge.TYPE)
        .put(nonce.bytes())
        .put(challenge.bytes())
        .put(keyId.bytes())
        .array();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Token that && Arrays.equals(encode(), that.encode());
  }

  @Override
  public int hashCode() {
    return nonce.hashCode();
  }

  /** Shows nothing: who reads a token can spend it. */
  @Override
  public String toString() {
    return "Token[redacted]";
  }
}
