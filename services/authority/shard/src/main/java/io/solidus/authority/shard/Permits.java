package io.solidus.authority.shard;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Never more at a time than there are permits; the rest come back later. */
final class Permits {

  private Permits() {}

  static <A> A within(Semaphore permits, Supplier<A> work) {
    if (!permits.tryAcquire()) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "too many requests are being worked on");
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }
}
