package io.solidus.wallet.keys;

import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A seed phrase of 24 BIP-39 words (256 bits and an 8-bit checksum). The phrase alone restores a
 * wallet.
 */
public final class SeedPhrase implements AutoCloseable {
  public static final int WORDS = 24;
  static final int ENTROPY_BYTES = 32;
  static final int SEED_BYTES = 64;
  private static final int BITS_PER_WORD = 11;
  private static final int ROUNDS = 2048;

  private final byte[] entropy;

  private SeedPhrase(byte[] entropy) {
    this.entropy = entropy;
  }

  /** A new phrase with entropy from {@code random}. */
  public static SeedPhrase generate(SecureRandom random) {
    byte[] entropy = new byte[ENTROPY_BYTES];
    random.nextBytes(entropy);
    return new SeedPhrase(entropy);
  }

  /** The phrase of 32 bytes of entropy, which are copied. */
  public static SeedPhrase ofEntropy(byte[] entropy) {
    if (entropy.length != ENTROPY_BYTES) {
      throw new IllegalArgumentException("32 bytes of entropy expected");
    }
    return new SeedPhrase(entropy.clone());
  }

  /**
   * Reads 24 words separated by white space, in any case.
   *
   * @throws WalletException {@code seed-phrase-invalid}; the detail has the position of an unknown
   *     word, never the word
   */
  public static SeedPhrase parse(String phrase) {
    String[] words =
        Normalizer.normalize(phrase, Normalizer.Form.NFKD)
            .strip()
            .toLowerCase(Locale.ROOT)
            .split("\\s+", -1);
    if (words.length != WORDS) {
      throw invalid("a seed phrase has " + WORDS + " words, not " + words.length);
    }
    byte[] bits = new byte[ENTROPY_BYTES + 1];
    for (int i = 0; i < WORDS; i++) {
      int index = WordList.indexOf(words[i]);
      if (index < 0) {
        throw invalid("word " + (i + 1) + " is not in the word list");
      }
      writeBits(bits, i * BITS_PER_WORD, index);
    }
    byte[] entropy = Arrays.copyOf(bits, ENTROPY_BYTES);
    if (bits[ENTROPY_BYTES] != checksum(entropy)) {
      Arrays.fill(entropy, (byte) 0);
      throw invalid("the words do not belong together: one is wrong or out of order");
    }
    return new SeedPhrase(entropy);
  }

  /** The 24 words in lower case, separated by spaces; for showing them once to the owner. */
  public String words() {
    byte[] bits = Arrays.copyOf(entropy, ENTROPY_BYTES + 1);
    bits[ENTROPY_BYTES] = checksum(entropy);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      text.append(i == 0 ? "" : " ").append(WordList.word(readBits(bits, i * BITS_PER_WORD)));
    }
    Arrays.fill(bits, (byte) 0);
    return text.toString();
  }

  /** A copy of the 32 bytes of entropy; the caller clears it. */
  public byte[] entropy() {
    return entropy.clone();
  }

  /** The 64-byte seed of BIP-39 (PBKDF2-HMAC-SHA-512 of the words); the caller clears it. */
  @Spec("F-01")
  byte[] seed(String extraPassphrase) {
    char[] password = words().toCharArray();
    PBEKeySpec spec =
        new PBEKeySpec(
            password,
            Normalizer.normalize("mnemonic" + extraPassphrase, Normalizer.Form.NFKD)
                .getBytes(StandardCharsets.UTF_8),
            ROUNDS,
            SEED_BYTES * 8);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks PBKDF2 with HMAC-SHA-512", e);
    } finally {
      spec.clearPassword();
      Arrays.fill(password, '\0');
    }
  }

  @Override
  public void close() {
    Arrays.fill(entropy, (byte) 0);
  }

  @Override
  public String toString() {
    return "SeedPhrase[redacted]";
  }

  private static byte checksum(byte[] entropy) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(entropy)[0];
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void writeBits(byte[] bits, int offset, int value) {
    for (int i = 0; i < BITS_PER_WORD; i++) {
      if ((value >> (BITS_PER_WORD - 1 - i) & 1) != 0) {
        bits[(offset + i) / 8] |= (byte) (0x80 >> (offset + i) % 8);
      }
    }
  }

  private static int readBits(byte[] bits, int offset) {
    int value = 0;
    for (int i = offset; i < offset + BITS_PER_WORD; i++) {
      value = value << 1 | (bits[i / 8] >> (7 - i % 8) & 1);
    }
    return value;
  }

  private static WalletException invalid(String detail) {
    return new WalletException(WalletError.SEED_PHRASE_INVALID, detail);
  }
}
