package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Protobuf codecs: every message that decodes was in canonical form. */
class CodecsFuzzTest {
  private static final List<UnaryOperator<byte[]>> CODECS =
      List.of(
          b -> Codecs.toBytes(Codecs.transferRequest(b)),
          b -> Codecs.toBytes(Codecs.recoverRequest(b)),
          b -> Codecs.toBytes(Codecs.registerRequest(b)),
          b -> Codecs.toBytes(Codecs.mintRequest(b)),
          b -> Codecs.toBytes(Codecs.partialSignature(b)));

  private static List<byte[]> good() {
    return List.of(
        Codecs.toBytes(Seeds.transfer(Family.TRANSFER)),
        Codecs.toBytes(Seeds.transfer(Family.TRANSFER_UNREGULATED)),
        Codecs.toBytes(Seeds.recover()),
        Codecs.toBytes(Seeds.register()),
        Codecs.toBytes(Seeds.mint()),
        Codecs.toBytes(Seeds.partial(3)));
  }

  static Stream<byte[]> messages() {
    return Stream.concat(
        good().stream(),
        Stream.of(
            Codecs.toBytes(Seeds.transfer(Family.CLAIM_16)),
            Codecs.toBytes(Seeds.transfer(Family.PAY_8)),
            new byte[0],
            new byte[] {8, 1},
            new byte[] {(byte) 0x0b, (byte) 0x0b, (byte) 0x0b}));
  }

  @MethodSource("messages")
  @FuzzTest
  void readsMessages(byte @NotNull [] bytes) {
    for (UnaryOperator<byte[]> codec : CODECS) {
      Hostile.decoded(bytes.length, ProtocolException.class, () -> codec.apply(bytes.clone()))
          .ifPresent(again -> assertThat(again).isEqualTo(bytes));
    }
  }

  static Stream<Arguments> patches() {
    return Stream.of(
        Arguments.of(0, 0, new byte[] {1}),
        Arguments.of(1, 40, new byte[] {0, (byte) 0x80}),
        Arguments.of(3, 3, new byte[] {2}));
  }

  /** Inputs close to well-formed messages. */
  @MethodSource("patches")
  @FuzzTest
  void readsChangedMessages(int which, int offset, byte @NotNull [] patch) {
    List<byte[]> all = good();
    readsMessages(Hostile.patched(all.get(Math.floorMod(which, all.size())), offset, patch));
  }

  @Test
  void seedsAreWellFormed() {
    for (byte[] message : good()) {
      assertThat(
              CODECS.stream()
                  .filter(codec ->
                      Hostile.decoded(0, ProtocolException.class, () -> codec.apply(message))
                          .isPresent()))
          .hasSize(1);
    }
  }
}
