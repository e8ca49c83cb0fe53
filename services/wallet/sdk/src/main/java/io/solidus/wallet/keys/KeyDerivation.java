package io.solidus.wallet.keys;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Spec;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * HKDF-SHA-512 (RFC 5869) over the seed. The salt contains the network, so one phrase gives
 * unrelated keys on every network. The info contains the label and each part with its length, so no
 * two uses share an output.
 */
@Spec("W-01")
final class KeyDerivation implements AutoCloseable {
  /** Reducing 64 uniform bytes leaves a bias below 2^-256, for r (255 bits) and for l (252). */
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

  @Spec("F-02")
  byte[] bytes(String label, int length, byte[]... parts) {
    HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA512Digest());
    hkdf.init(HKDFParameters.skipExtractParameters(pseudoRandomKey, info(label, parts)));
    byte[] out = new byte[length];
    hkdf.generateBytes(out, 0, length);
    return out;
  }

  FieldElement field(String label, byte[]... parts) {
    return FieldElement.of(reduced(label, FieldElement.MODULUS, parts));
  }

  Scalar scalar(String label, byte[]... parts) {
    return notZero(Scalar::of, Scalar.ORDER, label, parts);
  }

  KeyScalar keyScalar(String label, byte[]... parts) {
    return notZero(KeyScalar::of, KeyScalar.ORDER, label, parts);
  }

  /** The label of a retry has a prime appended (probability about 2^-252). */
  private <T> T notZero(Function<byte[], T> make, BigInteger order, String label, byte[]... parts) {
    byte[] value = reduced(label, order, parts);
    for (String retry = label + "'"; isZero(value); retry += "'") {
      value = reduced(retry, order, parts);
    }
    try {
      return make.apply(value);
    } finally {
      Arrays.fill(value, (byte) 0);
    }
  }

  @Override
  public void close() {
    Arrays.fill(pseudoRandomKey, (byte) 0);
  }

  /** A number below a modulus of at most 255 bits: 32 bytes. */
  private byte[] reduced(String label, BigInteger modulus, byte[]... parts) {
    byte[] wide = bytes(label, WIDE_BYTES, parts);
    byte[] reduced = new BigInteger(1, wide).mod(modulus).toByteArray();
    Arrays.fill(wide, (byte) 0);
    byte[] out = new byte[FieldElement.BYTES];
    System.arraycopy(reduced, 0, out, out.length - reduced.length, reduced.length);
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
