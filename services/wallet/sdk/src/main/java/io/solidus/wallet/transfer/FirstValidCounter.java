package io.solidus.wallet.transfer;

import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.util.function.IntFunction;

/**
 * Finds the first counter whose derived randomness gives outputs that the circuits accept. About
 * every second counter does.
 */
public final class FirstValidCounter {
  /** So many failures in a row have a probability of about 2^-256. */
  private static final int MAX = 256;

  private FirstValidCounter() {}

  /**
   * The result of the first counter, from 0 on, for which {@code derive} does not fail with {@code
   * RETRY_SEED}.
   */
  public static <T> T find(IntFunction<T> derive) {
    for (int counter = 0; counter < MAX; counter++) {
      try {
        return derive.apply(counter);
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
    throw new IllegalStateException("no derived randomness fits the circuit's bound");
  }
}
