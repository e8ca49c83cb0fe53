package io.solidus.operator.console.api;

import io.solidus.operator.console.login.LoginNeededException;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One service's admin API for one person. It may be used on any thread, during her request.
 *
 * <p>Every call has a deadline, and answers have a limit. A refusal, or no answer, is an {@link
 * ApiProblem}; an ended access token is a {@link LoginNeededException}. Both are shown to her by
 * the frame, so pages catch them only to do something else.
 */
public final class Api {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();
  private static final int UNAUTHORIZED = 401;

  /** The header of a document's part that has the cursor of the next one. */
  private static final String NEXT = "Solidus-Next";

  private final String name;
  private final URI base;
  private final String token;
  private final boolean tokenIsNew;
  private final BoundedCalls http;
  private final Limits limits;

  /** Limits of calls; {@code upload} is for those that carry a file. */
  record Limits(Duration call, Duration upload, int answerBytes) {}

  Api(String name, URI base, String token, boolean tokenIsNew, BoundedCalls http, Limits limits) {
    this.name = name;
    this.base = base;
    this.token = token;
    this.tokenIsNew = tokenIsNew;
    this.http = http;
    this.limits = limits;
  }

  /** Reads an object. Fields that {@code type} does not name are left out. */
  public <T> T get(String path, Class<T> type) {
    return JSON.readValue(bytes(path), type);
  }

  /** Reads any JSON. */
  public JsonNode get(String path) {
    return JSON.readTree(bytes(path));
  }

  /** Reads a document as it is, such as a file to download. */
  public byte[] bytes(String path) {
    return send(request(path).GET(), limits.call()).body();
  }

  /**
   * A part of a document.
   *
   * @param next the cursor of the next part; 0 at the end
   */
  public record Part(byte[] body, long next) {}

  /**
   * Reads a part of a document that is too long for one answer.
   *
   * @param cursor 0 for the first part
   * @param path with a query
   */
  public Part part(String path, long cursor) {
    BoundedCalls.Answer answer = send(request(path + "&cursor=" + cursor).GET(), limits.upload());
    return new Part(answer.body(), answer.headers().firstValueAsLong(NEXT).orElse(0));
  }

  /**
   * Sends an object.
   *
   * @return the answer, a missing node when it has no body
   */
  public JsonNode post(String path, Object body) {
    return json(
        send(
            request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))),
            limits.call()));
  }

  /** Sends an object and reads the answer. */
  public <T> T post(String path, Object body, Class<T> answer) {
    return JSON.treeToValue(post(path, body), answer);
  }

  /**
   * Sends an object that has one effect however often it is sent.
   *
   * @param key the same for each try
   */
  public JsonNode post(String path, Object body, String key) {
    return json(
        send(
            request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))),
            limits.call()));
  }

  /** Asks to delete, with one effect however often it is asked. */
  public JsonNode delete(String path, String key) {
    return json(send(request(path).header("Idempotency-Key", key).DELETE(), limits.call()));
  }

  /** A text as a part of a path or a query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Sends a file. */
  public JsonNode postFile(String path, String contentType, Supplier<InputStream> content) {
    return json(
        send(
            request(path)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofInputStream(content)),
            limits.upload()));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Bearer " + token)
        .header("Accept", "*/*");
  }

  private BoundedCalls.Answer send(HttpRequest.Builder request, Duration limit) {
    BoundedCalls.Answer answer;
    try {
      answer = http.send(request, limit, limits.answerBytes());
    } catch (NoAnswerException e) {
      throw ApiProblem.noAnswer(name);
    }
    // a token that is refused right after the login will be refused after the next one too
    if (answer.status() == UNAUTHORIZED && !tokenIsNew) {
      throw new LoginNeededException();
    }
    if (answer.status() / 100 != 2) {
      throw ApiProblem.of(name, answer.status(), answer.body());
    }
    return answer;
  }

  private static JsonNode json(BoundedCalls.Answer answer) {
    byte[] body = answer.body();
    return body.length == 0 ? JSON.missingNode() : JSON.readTree(body);
  }
}
