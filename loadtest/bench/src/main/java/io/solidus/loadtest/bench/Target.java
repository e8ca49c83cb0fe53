package io.solidus.loadtest.bench;

/**
 * What a load is sent to.
 *
 * @param <T> a prepared request
 */
interface Target<T> {

  /** Sends a request and returns at once. For one thread only. */
  void send(T request, Answers answers);

  /** What came back for one request; from any thread. */
  interface Answers {
    /** The request was served; called once at most. */
    void served();

    /** One of those asked refused, or did not answer. */
    void refused(String reason);

    /** Nothing more will come back; called once. */
    void finished();
  }
}
