package io.solidus.wire.token;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.generators.RSAKeyPairGenerator;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.RSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;

/**
 * The private key of one day's tokens: RFC 9578 section 6.2. It signs what it cannot read, so who
 * may have how many tokens is for the caller to decide. The same request gets the same answer.
 */
@Spec("A-05")
public final class TokenIssuer {
  /** Of a composite that passes as a prime: below 2^-100. */
  private static final int CERTAINTY = 100;

  private final RSAPrivateCrtKeyParameters privateKey;
  private final TokenKey publicKey;

  private TokenIssuer(RSAPrivateCrtKeyParameters privateKey) {
    if (!privateKey.getPublicExponent().equals(TokenKey.EXPONENT)) {
      throw ProtocolException.malformed("a key of tokens has the exponent 65537");
    }
    this.privateKey = privateKey;
    this.publicKey = TokenKey.of(privateKey.getModulus());
  }

  /** Makes a new key, in about a second. */
  public static TokenIssuer generate(SecureRandom random) {
    RSAKeyPairGenerator generator = new RSAKeyPairGenerator();
    generator.init(
        new RSAKeyGenerationParameters(
            TokenKey.EXPONENT, random, Byte.SIZE * TokenKey.MODULUS_BYTES, CERTAINTY));
    return new TokenIssuer((RSAPrivateCrtKeyParameters) generator.generateKeyPair().getPrivate());
  }

  /**
   * Reads a key.
   *
   * @param pkcs8 PrivateKeyInfo in DER
   * @throws ProtocolException malformed-request for any other bytes
   */
  public static TokenIssuer of(byte[] pkcs8) {
    try {
      AsymmetricKeyParameter key = PrivateKeyFactory.createKey(pkcs8);
      if (key instanceof RSAPrivateCrtKeyParameters rsa) {
        return new TokenIssuer(rsa);
      }
    } catch (IOException | IllegalArgumentException e) {
      // refused below; the cause may quote the key
    }
    throw ProtocolException.malformed("this is no private key for tokens");
  }

  /** PrivateKeyInfo in DER; the caller overwrites it after use. */
  public byte[] pkcs8() {
    try {
      return PrivateKeyInfoFactory.createPrivateKeyInfo(privateKey).getEncoded();
    } catch (IOException e) {
      throw new IllegalStateException("the key has no encoding", e);
    }
  }

  public TokenKey publicKey() {
    return publicKey;
  }

  /**
   * Signs.
   *
   * @return 256 bytes, RFC 9578's TokenResponse
   * @throws ProtocolException malformed-request for a request under another key, or out of range
   */
  public byte[] sign(TokenRequest request) {
    if (request.shortKeyId() != publicKey.shortId()) {
      throw ProtocolException.malformed("the request is for another key");
    }
    BigInteger blinded = new BigInteger(1, request.blinded());
    if (blinded.signum() == 0 || blinded.compareTo(privateKey.getModulus()) >= 0) {
      throw ProtocolException.malformed("the blinded message is out of range");
    }
    try {
      return BlindRsa.sign(privateKey, request.blinded());
    } catch (CryptoException e) {
      throw new IllegalStateException("the signature did not verify", e);
    }
  }

  @Override
  public String toString() {
    return "TokenIssuer[redacted]";
  }
}
