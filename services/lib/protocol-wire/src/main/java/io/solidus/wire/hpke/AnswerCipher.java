package io.solidus.wire.hpke;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM with a random nonce before the ciphertext. A key serves one request, but the nonce is
 * not fixed, because a request may be proved twice and two proofs of one statement differ.
 */
final class AnswerCipher {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 8 * Hpke.TAG_BYTES;

  private AnswerCipher() {}

  static byte[] seal(byte[] key, byte[] answer, SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce);
      byte[] out = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(answer.length));
      cipher.doFinal(answer, 0, answer.length, out, NONCE_BYTES);
      return out;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-256-GCM is part of every Java platform", e);
    }
  }

  static byte[] open(byte[] key, byte[] sealed) {
    if (sealed.length < NONCE_BYTES + Hpke.TAG_BYTES) {
      throw new HpkeException("the answer cannot be opened");
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, Arrays.copyOf(sealed, NONCE_BYTES));
      return cipher.doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new HpkeException("the answer cannot be opened");
    }
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
