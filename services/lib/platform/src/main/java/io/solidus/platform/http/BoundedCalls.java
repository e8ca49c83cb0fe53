package io.solidus.platform.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** HTTP calls with a limit on the time of the whole call and on the length of the body. */
public final class BoundedCalls implements AutoCloseable {
  private final HttpClient http;
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * An answer of any status, with its whole body.
   *
   * @param headers by name, whose case does not count
   */
  public record Answer(int status, byte[] body, HttpHeaders headers) {
    public boolean isOk() {
      return status == 200;
    }

    public boolean isNotFound() {
      return status == 404;
    }
  }

  /**
   * @param http closed with this object
   */
  public BoundedCalls(HttpClient http) {
    this.http = http;
  }

  /**
   * Sends a request and reads the whole body. The client's own timeout ends with the headers, so
   * the call runs on a thread of its own.
   *
   * @param timeout of the whole call
   * @param maxBytes of the body
   * @throws NoAnswerException when there is no whole answer within the limits
   */
  public Answer send(HttpRequest.Builder request, Duration timeout, int maxBytes)
      throws NoAnswerException {
    HttpRequest sent = request.build();
    Future<Answer> call;
    try {
      call = calls.submit(() -> exchange(sent, maxBytes));
    } catch (RejectedExecutionException e) {
      throw new NoAnswerException("was not called: this service is stopping", e);
    }
    try {
      return call.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new NoAnswerException("was not called to the end: this service is stopping", e);
    } catch (TimeoutException e) {
      call.cancel(true);
      throw new NoAnswerException("did not answer in time", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof NoAnswerException known
          ? known
          : new NoAnswerException("cannot be reached", e.getCause());
    }
  }

  private Answer exchange(HttpRequest request, int maxBytes)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      byte[] body = in.readNBytes(maxBytes + 1);
      if (body.length > maxBytes) {
        throw new NoAnswerException("answered with more than " + maxBytes + " bytes", null);
      }
      return new Answer(response.statusCode(), body, response.headers());
    }
  }

  @Override
  public void close() {
    calls.shutdownNow();
    http.shutdownNow();
  }
}
