package io.solidus.authority.spend.batch;

/** Receives the events of a {@link Batcher}, for its meters. Must not throw. */
public interface BatchObserver {

  BatchObserver NONE = new BatchObserver() {};

  /** A worker starts on a batch. */
  default void started(int size) {}

  /**
   * A worker took a request.
   *
   * @param nanos since the request arrived
   */
  default void waited(long nanos) {}

  /** A request was rejected because too many wait. */
  default void refused() {}

  /** A request left the queue without work because its caller had cancelled. */
  default void abandoned() {}
}
