package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.protocol.ProtocolException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;

/** Bytes of a message with some changed, and some cut off. */
final class MutatedBytes {

  private MutatedBytes() {}

  /** For any bytes, the decoder returns a value of these very bytes or refuses. */
  static <T> void decodeOrRefuse(
      byte[] good, int tries, Function<byte[], T> decoder, Function<T, byte[]> encoder) {
    Random random = new Random(11);
    int accepted = 0;
    for (int i = 0; i < tries; i++) {
      byte[] bytes = good.clone();
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      byte[] cut =
          random.nextInt(10) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
      Throwable outcome = catchThrowable(() -> decoder.apply(cut));
      if (outcome == null) {
        accepted++;
        assertThat(encoder.apply(decoder.apply(cut))).isEqualTo(cut);
      } else {
        assertThat(outcome).isInstanceOf(ProtocolException.class);
      }
    }
    assertThat(accepted).isPositive();
  }
}
