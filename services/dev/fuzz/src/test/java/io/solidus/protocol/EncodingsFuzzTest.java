package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fixed-length encodings: a decoded value encodes to the same bytes. */
class EncodingsFuzzTest {
  private static final List<UnaryOperator<byte[]>> DECODERS =
      List.of(
          b -> FieldElement.of(b).bytes(),
          b -> SerialNumber.of(b).bytes(),
          b -> Apk.of(b).bytes(),
          b -> KeyPoint.of(b).bytes(),
          b -> G1Point.of(b).bytes(),
          b -> G2Point.of(b).bytes(),
          b -> Scalar.of(b).bytes(),
          b -> KeyScalar.of(b).bytes(),
          b -> Digest32.of(b).bytes(),
          b -> TxCore.of(b).bytes(),
          b -> MintId.of(b).bytes(),
          b -> EncryptionKey.of(b).bytes(),
          b -> SanctionKey.of(b).bytes(),
          b -> new Ed25519PublicKey(b).bytes());

  static Stream<byte[]> encodings() {
    byte[] r = Bytes.leftPadded(FieldElement.MODULUS, 32);
    byte[] aliasedKey = Seeds.key(1).bytes();
    System.arraycopy(r, 0, aliasedKey, 0, 32);
    byte[] aliased = Seeds.point(1).bytes();
    System.arraycopy(Bytes.leftPadded(G1Point.MODULUS, 48), 0, aliased, 0, 48);
    byte[] all = new byte[32];
    Arrays.fill(all, (byte) 0xff);
    byte[] identity = new byte[64];
    identity[63] = 1;
    return Stream.of(
        Seeds.field(5).bytes(),
        r,
        Bytes.leftPadded(KeyScalar.ORDER, 32),
        all,
        Seeds.key(1).bytes(),
        aliasedKey,
        identity,
        Seeds.point(1).bytes(),
        aliased,
        new byte[96],
        new byte[192],
        new byte[32],
        new byte[20],
        new byte[0]);
  }

  @MethodSource("encodings")
  @FuzzTest
  void fixedLengths(byte @NotNull [] bytes) {
    for (UnaryOperator<byte[]> decoder : DECODERS) {
      Hostile.decoded(bytes.length, ProtocolException.class, () -> decoder.apply(bytes.clone()))
          .ifPresent(again -> assertThat(again).isEqualTo(bytes));
    }
    if (bytes.length == FieldElement.BYTES) {
      boolean canonical = new BigInteger(1, bytes).compareTo(FieldElement.MODULUS) < 0;
      assertThat(
              Hostile.decoded(32, ProtocolException.class, () -> FieldElement.of(bytes))
                  .isPresent())
          .isEqualTo(canonical);
    }
  }

  static Stream<String> identifiers() {
    return Stream.of(
        "solidus-dev", "ab", "a".repeat(33), "A-b", "solidus\n", "\u0430bc", "EUR", "eur");
  }

  @MethodSource("identifiers")
  @FuzzTest
  void names(@NotNull String text) {
    Hostile.decoded(text.length(), ProtocolException.class, () -> new NetworkId(text))
        .ifPresent(id -> assertThat(id.value()).matches("[a-z0-9-]{3,32}").isEqualTo(text));
    Hostile.decoded(text.length(), ProtocolException.class, () -> new CurrencyCode(text))
        .ifPresent(code -> assertThat(code.value()).matches("[A-Z]{3}").isEqualTo(text));
    Hostile.decoded(
        text.length(), ProtocolException.class, () -> Ed25519PublicKey.fromBase64(text));
  }
}
