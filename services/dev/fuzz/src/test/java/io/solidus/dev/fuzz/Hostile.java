package io.solidus.dev.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * What every decoder owes to hostile input: a value or the one documented refusal, in memory that
 * the input's length bounds. Any other exception goes through and is a finding.
 */
public final class Hostile {
  /** A fixed part for tables, class loading and exceptions. */
  private static final long ALLOCATION = 32L << 20;

  private static final long PER_BYTE = 2048;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Hostile() {}

  /**
   * @param length of the input
   * @param decode must do the same when called again
   * @return empty when the input was refused as documented
   */
  public static <T> Optional<T> decoded(
      int length, Class<? extends Exception> refusal, Callable<T> decode) {
    long limit = ALLOCATION + PER_BYTE * length;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Optional<T> value = call(refusal, decode);
    if (THREADS.getCurrentThreadAllocatedBytes() - before > limit) {
      // the first input of its kind also pays for loading and instrumenting classes
      long again = THREADS.getCurrentThreadAllocatedBytes();
      value = call(refusal, decode);
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - again)
          .as("bytes allocated for an input of %d", length)
          .isLessThan(limit);
    }
    return value;
  }

  private static <T> Optional<T> call(Class<? extends Exception> refusal, Callable<T> decode) {
    try {
      return Optional.of(decode.call());
    } catch (Exception failure) {
      if (!refusal.isInstance(failure)) {
        throw sneaky(failure);
      }
      return Optional.empty();
    }
  }

  /**
   * {@code bytes} with {@code patch} laid over it from {@code offset} on, so that a fuzzer keeps
   * away from what is well formed.
   */
  public static byte[] patched(byte[] bytes, int offset, byte[] patch) {
    byte[] out = bytes.clone();
    for (int i = 0; i < patch.length && out.length > 0; i++) {
      out[Math.floorMod(offset + i, out.length)] ^= patch[i];
    }
    return out;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
    throw (E) failure;
  }
}
