package io.solidus.prover;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A native object by its id. Closing is idempotent; calls in progress end first or fail with
 * UNKNOWN_HANDLE.
 */
final class Handle implements AutoCloseable {
  private final long id;
  private final AtomicBoolean closed = new AtomicBoolean();

  Handle(long id) {
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
      Call.of(Operation.HANDLE_CLOSE).u64(id).send();
    }
  }
}
