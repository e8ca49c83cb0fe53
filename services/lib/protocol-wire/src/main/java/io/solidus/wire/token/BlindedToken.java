package io.solidus.wire.token;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import java.math.BigInteger;
import java.security.SecureRandom;

/**
 * A token that a wallet is getting: it keeps the blinding until the issuer has signed. The same
 * arguments make the same request, so a wallet that draws them from its phrase can ask again.
 */
@Spec("A-04")
public final class BlindedToken {
  /** Of the salt of the signature's encoding. */
  public static final int SALT_BYTES = BlindRsa.SALT_BYTES;

  private static final int EXCESS_BYTES = 32;

  /** Of what a factor is made of; so many more than the modulus has that no factor is likelier. */
  public static final int FACTOR_BYTES = TokenKey.MODULUS_BYTES + EXCESS_BYTES;

  private final TokenKey key;
  private final Digest32 nonce;
  private final Digest32 challenge;
  private final BigInteger factor;
  private final TokenRequest request;

  /**
   * Blinds a token.
   *
   * @param nonce 32 random bytes
   * @param salt 48 random bytes
   * @param factor 288 random bytes, which are read as a number modulo the key's
   */
  public BlindedToken(
      TokenKey key, TokenChallenge challenge, Digest32 nonce, byte[] salt, byte[] factor) {
    this(key, challenge.digest(), nonce, salt, reduced(factor, key));
  }

  BlindedToken(TokenKey key, Digest32 challenge, Digest32 nonce, byte[] salt, BigInteger factor) {
    if (salt.length != SALT_BYTES) {
      throw new IllegalArgumentException("a salt has " + SALT_BYTES + " bytes");
    }
    this.key = key;
    this.nonce = nonce;
    this.challenge = challenge;
    this.factor = factor;
    this.request =
        new TokenRequest(
            key.shortId(),
            BlindRsa.blind(
                key.parameters(), Token.signed(nonce, challenge, key.id()), salt, factor));
  }

  /** Blinds a token of fresh random bytes. */
  public static BlindedToken draw(TokenKey key, TokenChallenge challenge, SecureRandom random) {
    return new BlindedToken(
        key,
        challenge,
        Digest32.of(drawn(random, Digest32.BYTES)),
        drawn(random, SALT_BYTES),
        drawn(random, FACTOR_BYTES));
  }

  private static byte[] drawn(SecureRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static BigInteger reduced(byte[] factor, TokenKey key) {
    if (factor.length != FACTOR_BYTES) {
      throw new IllegalArgumentException("a factor is made of " + FACTOR_BYTES + " bytes");
    }
    BigInteger modulus = key.parameters().getModulus();
    BigInteger reduced = new BigInteger(1, factor).mod(modulus);
    if (!reduced.gcd(modulus).equals(BigInteger.ONE)) {
      throw new IllegalArgumentException("the factor is not prime to the modulus");
    }
    return reduced;
  }

  public TokenRequest request() {
    return request;
  }

  BigInteger factor() {
    return factor;
  }

  /**
   * Unblinds what the issuer signed.
   *
   * @param signed 256 bytes, the issuer's answer
   * @throws ProtocolException signature-invalid when the token does not verify under the key
   */
  public Token finish(byte[] signed) {
    if (signed.length == TokenKey.MODULUS_BYTES) {
      Token token =
          new Token(nonce, challenge, key.id(), BlindRsa.unblind(key.parameters(), signed, factor));
      if (token.isSignedBy(key)) {
        return token;
      }
    }
    throw new ProtocolException(
        RejectionCode.SIGNATURE_INVALID, "the issuer's signature on a token is not valid");
  }

  @Override
  public String toString() {
    return "BlindedToken[redacted]";
  }
}
