package io.solidus.wire.token;

import java.math.BigInteger;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.engines.RSABlindingEngine;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.RSABlindingParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.PSSSigner;
import org.bouncycastle.crypto.signers.RSABlindSignatureServer;
import org.bouncycastle.util.BigIntegers;

/**
 * RSABSSA-SHA384-PSS-Deterministic of RFC 9474, with keys of any length.
 *
 * <p>Bouncy Castle has a client too. It draws blinding factors below half of the modulus, so that
 * whoever signs can tell for half of the signatures from which request they do not come. The caller
 * of this class draws the factor.
 */
final class BlindRsa {
  static final int SALT_BYTES = 48;

  private BlindRsa() {}

  /**
   * Encodes and blinds a message.
   *
   * @param salt 48 random bytes
   * @param factor uniform below the modulus, and prime to it
   */
  static byte[] blind(RSAKeyParameters key, byte[] message, byte[] salt, BigInteger factor) {
    PSSSigner encoder = new PSSSigner(new RSABlindingEngine(), new SHA384Digest(), salt);
    encoder.init(
        true,
        // nothing is drawn, because the salt is given
        new ParametersWithRandom(new RSABlindingParameters(key, factor), NoRandom.INSTANCE));
    encoder.update(message, 0, message.length);
    try {
      return encoder.generateSignature();
    } catch (CryptoException e) {
      throw new IllegalStateException("the message does not fit the key", e);
    }
  }

  /**
   * Signs what a client blinded, and verifies the result.
   *
   * @param blinded as long as the modulus, and below it
   * @throws CryptoException when it is not
   */
  static byte[] sign(RSAKeyParameters privateKey, byte[] blinded) throws CryptoException {
    byte[] signed = new RSABlindSignatureServer(privateKey).blindSign(blinded);
    // the engine drops leading zeros
    return BigIntegers.asUnsignedByteArray(blinded.length, new BigInteger(1, signed));
  }

  /**
   * Unblinds; whether the signature verifies is for the caller to see.
   *
   * @param signed as long as the modulus
   */
  static byte[] unblind(RSAKeyParameters key, byte[] signed, BigInteger factor) {
    BigInteger modulus = key.getModulus();
    BigInteger signature =
        new BigInteger(1, signed).multiply(BigIntegers.modOddInverse(modulus, factor)).mod(modulus);
    return BigIntegers.asUnsignedByteArray(signed.length, signature);
  }

  static boolean verifies(RSAKeyParameters key, byte[] message, byte[] signature) {
    PSSSigner verifier = new PSSSigner(new RSAEngine(), new SHA384Digest(), SALT_BYTES);
    verifier.init(false, key);
    verifier.update(message, 0, message.length);
    return verifier.verifySignature(signature);
  }
}
