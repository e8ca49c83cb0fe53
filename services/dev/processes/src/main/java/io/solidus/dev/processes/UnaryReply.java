package io.solidus.dev.processes;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the one reply of a call and tells what came of it, once, on the thread that learns it.
 */
public final class UnaryReply<T> implements StreamObserver<T> {

  private final BiConsumer<@Nullable T, Status> done;
  private @Nullable T reply;

  /**
   * @param done gets the reply, or null and why there is none
   */
  public UnaryReply(BiConsumer<@Nullable T, Status> done) {
    this.done = done;
  }

  @Override
  public void onNext(T value) {
    reply = value;
  }

  @Override
  public void onError(Throwable failure) {
    done.accept(null, Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    done.accept(reply, Status.OK);
  }
}
