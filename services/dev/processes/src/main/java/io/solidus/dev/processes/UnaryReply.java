package io.solidus.dev.processes;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Receives the reply of a unary call and passes it, or the failure, to a callback once. */
public final class UnaryReply<T> implements StreamObserver<T> {

  private final BiConsumer<@Nullable T, Status> done;
  private @Nullable T reply;

  /**
   * Creates the observer of one call.
   *
   * @param done gets the reply, or null and the status of the failure
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
