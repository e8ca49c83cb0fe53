package io.solidus.wallet.session;

import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.util.function.IntFunction;

/**
 * The first counter whose derived randomness gives outputs that the circuits accept; about every
 * second does.
 */
final class Draws {
  private static final int MAX = 256;

  private Draws() {}

  static <T> T first(IntFunction<T> draw) {
    for (int counter = 0; counter < MAX; counter++) {
      try {
        return draw.apply(counter);
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
    throw new IllegalStateException("no draw of randomness fits the circuit's bound");
  }
}
