package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Decoders of witnesses, and of replies of the native library. */
class WitnessFuzzTest {
  private static final List<Consumer<byte[]>> WITNESSES =
      List.of(
          TransferWitness::fromBytes,
          RegisterWitness::fromBytes,
          MintWitness::fromBytes,
          UnregulatedWitness::fromBytes);

  static Stream<byte[]> witnesses() {
    byte[] long1 = new byte[4000];
    Arrays.fill(long1, (byte) 1);
    byte[] transfer = new byte[4000];
    transfer[0] = 2;
    transfer[1] = 3;
    return Stream.of(
        new byte[0],
        new byte[] {2, 1},
        new byte[] {2, 2},
        new byte[] {2, 3},
        new byte[] {2, 4},
        long1,
        transfer);
  }

  @MethodSource("witnesses")
  @FuzzTest
  void readsWitnesses(byte @NotNull [] bytes) {
    for (Consumer<byte[]> read : WITNESSES) {
      Hostile.decoded(
          bytes.length,
          NativeException.class,
          () -> {
            read.accept(bytes.clone());
            return true;
          });
    }
  }

  static Stream<byte[]> replies() {
    return Stream.of(
        new byte[] {0, 0},
        new byte[] {0, 1, 'x'},
        new byte[] {0, 0, 0, 0, 0, 1, 7},
        new byte[] {0, 0, -1, -1, -1, -1},
        new byte[] {-1, -1});
  }

  @MethodSource("replies")
  @FuzzTest
  void readsReplies(byte @NotNull [] bytes) {
    if (bytes.length < 2) {
      return; // the bridge itself always answers with a code
    }
    Hostile.decoded(bytes.length, NativeException.class, () -> NativeReply.of(bytes))
        .ifPresent(reply -> {
          Hostile.decoded(bytes.length, NativeException.class, reply::text);
          Hostile.decoded(bytes.length, NativeException.class, () -> reply.bytes(reply.u32()));
          assertThat(reply.rest().length).isLessThan(bytes.length);
        });
  }
}
