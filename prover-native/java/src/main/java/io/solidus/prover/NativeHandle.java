package io.solidus.prover;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The id of an object in the native library. Closing is idempotent. Calls in progress end first or
 * fail with UNKNOWN_HANDLE.
 */
final class NativeHandle implements AutoCloseable {
  private final long id;
  private final AtomicBoolean closed = new AtomicBoolean();

  NativeHandle(long id) {
    this.id = id;
  }

  long id() {
    if (closed.get()) {
      throw new NativeException(NativeErrorCode.UNKNOWN_HANDLE, "the object is closed");
    }
    return id;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      NativeRequest.of(Operation.HANDLE_CLOSE).u64(id).send();
    }
  }
}
