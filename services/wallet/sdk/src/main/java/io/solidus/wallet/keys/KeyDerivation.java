package io.solidus.wallet.keys;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Spec;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * HKDF-SHA-512 (RFC 5869) over the seed. The network is in the salt, so one phrase gives unrelated
 * keys on every network; the label and each length-prefixed part are in the info, so no two uses
 * share an output.
 */
@Spec("W-01")
final class KeyDerivation implements AutoCloseable {
  /**
   * Reducing 64 uniform bytes leaves a bias below 2^-134 for F (377 bits) and 2^-258 for the
   * scalars (253 bits).
   */
  private static final int WIDE_BYTES = 64;

  private static final byte[] SALT_PREFIX = "solidus/wallet/v1".getBytes(StandardCharsets.US_ASCII);

  private final byte[] pseudoRandomKey;

  private KeyDerivation(byte[] pseudoRandomKey) {
    this.pseudoRandomKey = pseudoRandomKey;
  }

  static KeyDerivation of(SeedPhrase phrase, NetworkId network) {
    byte[] seed = phrase.seed("");
    byte[] digest = network.digest().bytes();
    byte[] salt =
        ByteBuffer.allocate(SALT_PREFIX.length + digest.length)
            .put(SALT_PREFIX)
            .put(digest)
            .array();
    try {
      return new KeyDerivation(new HKDFBytesGenerator(new SHA512Digest()).extractPRK(salt, seed));
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  byte[] bytes(String label, int length, byte[]... parts) {
    HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA512Digest());
    hkdf.init(HKDFParameters.skipExtractParameters(pseudoRandomKey, info(label, parts)));
    byte[] out = new byte[length];
    hkdf.generateBytes(out, 0, length);
    return out;
  }

  FieldElement field(String label, byte[]... parts) {
    return FieldElement.of(reduced(label, FieldElement.MODULUS, FieldElement.BYTES, parts));
  }

  /** Never zero: the label is drawn again with a mark, which no run will ever see. */
  Scalar scalar(String label, byte[]... parts) {
    byte[] value = reduced(label, Scalar.ORDER, Scalar.BYTES, parts);
    for (String retry = label + "'"; isZero(value); retry += "'") {
      value = reduced(retry, Scalar.ORDER, Scalar.BYTES, parts);
    }
    try {
      return Scalar.of(value);
    } finally {
      Arrays.fill(value, (byte) 0);
    }
  }

  @Override
  public void close() {
    Arrays.fill(pseudoRandomKey, (byte) 0);
  }

  private byte[] reduced(String label, BigInteger modulus, int length, byte[]... parts) {
    byte[] wide = bytes(label, WIDE_BYTES, parts);
    byte[] reduced = new BigInteger(1, wide).mod(modulus).toByteArray();
    Arrays.fill(wide, (byte) 0);
    byte[] out = new byte[length];
    int skip = Math.max(0, reduced.length - length); // a leading sign byte
    System.arraycopy(reduced, skip, out, length - (reduced.length - skip), reduced.length - skip);
    Arrays.fill(reduced, (byte) 0);
    return out;
  }

  private static byte[] info(String label, byte[]... parts) {
    byte[] name = label.getBytes(StandardCharsets.US_ASCII);
    int length = 1 + name.length + Arrays.stream(parts).mapToInt(part -> 2 + part.length).sum();
    ByteBuffer info = ByteBuffer.allocate(length).put((byte) name.length).put(name);
    for (byte[] part : parts) {
      info.putShort((short) part.length).put(part);
    }
    return info.array();
  }

  private static boolean isZero(byte[] value) {
    int any = 0;
    for (byte b : value) {
      any |= b;
    }
    return any == 0;
  }
}
