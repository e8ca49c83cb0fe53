package io.solidus.authority.spend.batch;

/** What a batcher does, for its meters. Must not throw. */
public interface BatchWatcher {

  BatchWatcher NONE = new BatchWatcher() {};

  default void started(int size) {}

  /**
   * @param nanos from a request's arrival until a worker took it
   */
  default void waited(long nanos) {}

  /** A request was told to come back later. */
  default void refused() {}

  /** A request whose caller had gone left the queue without being worked on. */
  default void abandoned() {}
}
