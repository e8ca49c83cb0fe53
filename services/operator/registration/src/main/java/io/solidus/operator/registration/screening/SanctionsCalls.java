package io.solidus.operator.registration.screening;

import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.security.BearerToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls to the sanctions service. Whoever asks about an applicant asks with the same details:
 * {@link ScreenedName#of}.
 */
final class SanctionsCalls implements AutoCloseable {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;

  private final URI root;
  private final @Nullable BearerToken token;
  private final BoundedCalls http;
  private final JsonMapper json =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * Limits of a call.
   *
   * @param timeout of the whole call
   * @param maxBytes of the answer
   */
  record Limits(Duration timeout, int maxBytes) {}

  /**
   * @param http closed with this object
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   */
  SanctionsCalls(HttpClient http, URI base, @Nullable BearerToken token) {
    String text = base.toString();
    this.root = URI.create((text.endsWith("/") ? text : text + "/") + "admin/v1/sanctions/");
    this.token = token;
    this.http = new BoundedCalls(http);
  }

  /**
   * @throws ScreeningUnavailableException when there is no well-formed answer with status 200
   */
  <T> T get(String path, Limits limits, Class<T> type) {
    return parse(fetch(HttpRequest.newBuilder(root.resolve(path)).GET(), limits, OK), type);
  }

  /**
   * @throws ScreeningUnavailableException when there is no well-formed answer with status 200
   */
  <T> T post(String path, Object body, Limits limits, Class<T> type) {
    return parse(fetch(json(path, "POST", body), limits, OK), type);
  }

  /**
   * @throws ScreeningUnavailableException when the answer is not 204
   */
  void put(String path, Object body, Limits limits) {
    fetch(json(path, "PUT", body), limits, NO_CONTENT);
  }

  private HttpRequest.Builder json(String path, String method, Object body) {
    return HttpRequest.newBuilder(root.resolve(path))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
  }

  private byte[] fetch(HttpRequest.Builder request, Limits limits, int status) {
    request.header("Accept", "application/json");
    BoundedCalls.Answer answer;
    try {
      if (token != null) {
        request.header("Authorization", "Bearer " + token.value());
      }
      answer = http.send(request, limits.timeout(), limits.maxBytes());
    } catch (NoAnswerException e) {
      throw new ScreeningUnavailableException("the sanctions service " + e.getMessage());
    } catch (IOException e) {
      throw new ScreeningUnavailableException("there is no token for the sanctions service");
    }
    if (answer.status() != status) {
      throw new ScreeningUnavailableException("the sanctions service answered " + answer.status());
    }
    return answer.body();
  }

  private <T> T parse(byte[] body, Class<T> type) {
    T answer;
    try {
      answer = json.readValue(body, type);
    } catch (JacksonException e) {
      throw new ScreeningUnavailableException("the sanctions service's answer cannot be read");
    }
    if (answer == null) {
      throw incomplete();
    }
    return answer;
  }

  static ScreeningUnavailableException incomplete() {
    return new ScreeningUnavailableException("the sanctions service's answer is incomplete");
  }

  @Override
  public void close() {
    http.close();
  }
}
