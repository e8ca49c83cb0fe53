package io.solidus.dev.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Runs a decoder on hostile input: it must return a value or throw its documented exception, with
 * memory bounded by the input's length. Any other exception is a finding.
 */
public final class Hostile {
  /** The constant part, for tables, class loading and exceptions. */
  private static final long ALLOCATION = 32L << 20;

  private static final long PER_BYTE = 2048;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Hostile() {}

  /**
   * Decodes an input within the memory limit.
   *
   * @param length the input's length in bytes
   * @param decode a repeatable call
   * @return empty if the input was refused as documented
   */
  public static <T> Optional<T> decoded(
      int length, Class<? extends Exception> refusal, Callable<T> decode) {
    long limit = ALLOCATION + PER_BYTE * length;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Optional<T> value = call(refusal, decode);
    if (THREADS.getCurrentThreadAllocatedBytes() - before > limit) {
      // the first input of a kind also loads and instruments classes
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
    } catch (Exception e) {
      if (!refusal.isInstance(e)) {
        throw sneaky(e);
      }
      return Optional.empty();
    }
  }

  /**
   * XORs {@code patch} over {@code bytes} from {@code offset} on, so that a fuzzer stays near
   * well-formed inputs.
   */
  public static byte[] patched(byte[] bytes, int offset, byte[] patch) {
    byte[] out = bytes.clone();
    for (int i = 0; i < patch.length && out.length > 0; i++) {
      out[Math.floorMod(offset + i, out.length)] ^= patch[i];
    }
    return out;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
    throw (E) e;
  }
}
