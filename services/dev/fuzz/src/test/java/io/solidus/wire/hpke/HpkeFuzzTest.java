package io.solidus.wire.hpke;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import io.solidus.protocol.Family;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HPKE messages: only the message that the sender sealed opens. */
class HpkeFuzzTest {
  private static final HpkePrivateKey KEY = HpkePrivateKey.generate(new SecureRandom());
  private static final byte[] INFO = "fuzz".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] AAD = new byte[32];
  private static final SealedMessage GOOD = Hpke.seal(KEY.publicKey(), INFO, AAD, new byte[100]);

  static Stream<Arguments> sealed() {
    byte[] smallOrder = new byte[32];
    smallOrder[0] = 1;
    return Stream.of(
        Arguments.of(new byte[32], new byte[116]),
        Arguments.of(smallOrder, new byte[16]),
        Arguments.of(new byte[0], new byte[0]),
        Arguments.of(new byte[33], new byte[15]));
  }

  @MethodSource("sealed")
  @FuzzTest
  void opensNothingElse(byte @NotNull [] encapsulated, byte @NotNull [] ciphertext) {
    SealedMessage message = new SealedMessage(encapsulated, ciphertext);
    int length = encapsulated.length + ciphertext.length;
    assertThat(
            Hostile.decoded(length, HpkeException.class, () -> Hpke.open(KEY, INFO, AAD, message)))
        .isEmpty();
    assertThat(
            Hostile.decoded(
                length,
                HpkeException.class,
                () -> ProofEnvelope.open(KEY, Seeds.NETWORK, Family.TRANSFER, message)))
        .isEmpty();
  }

  static Stream<Arguments> patches() {
    return Stream.of(
        Arguments.of(0, new byte[] {1}),
        Arguments.of(31, new byte[] {(byte) 0x80}),
        Arguments.of(147, new byte[] {1}),
        Arguments.of(5, new byte[0]));
  }

  /**
   * The key schedule covers all bytes of the encapsulated key, including the bit that X25519
   * ignores.
   */
  @MethodSource("patches")
  @FuzzTest
  void opensOnlyWhatWasSealed(int offset, byte @NotNull [] patch) {
    byte[] all = Arrays.copyOf(GOOD.encapsulatedKey(), 32 + GOOD.ciphertext().length);
    System.arraycopy(GOOD.ciphertext(), 0, all, 32, GOOD.ciphertext().length);
    byte[] changed = Hostile.patched(all, offset, patch);
    SealedMessage message =
        new SealedMessage(
            Arrays.copyOf(changed, 32), Arrays.copyOfRange(changed, 32, changed.length));
    boolean opened =
        Hostile.decoded(
                changed.length, HpkeException.class, () -> Hpke.open(KEY, INFO, AAD, message))
            .isPresent();
    assertThat(opened).isEqualTo(Arrays.equals(all, changed));
  }
}
