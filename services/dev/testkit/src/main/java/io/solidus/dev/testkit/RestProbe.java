package io.solidus.dev.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls a service's REST API as a client does. */
public final class RestProbe {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final List<String> ADMIN = List.of("/admin", "/v3/api-docs", "/swagger-ui");

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final String base;
  private final String admin;

  /** A probe of a service on a local port. */
  public RestProbe(int port) {
    this(port, port);
  }

  /**
   * A probe of a service with an admin port, which it calls for paths of the admin API and its
   * description.
   */
  public RestProbe(int port, int adminPort) {
    this.base = "http://127.0.0.1:" + port;
    this.admin = "http://127.0.0.1:" + adminPort;
  }

  /** An answer. */
  public record Answer(int status, String body, HttpResponse<String> response) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    /** The stable code of a problem document; empty for other answers. */
    public String code() {
      return json().path("code").asString("");
    }

    public String contentType() {
      return response.headers().firstValue("Content-Type").orElse("");
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  /**
   * Posts a body.
   *
   * @param body a JSON text, or a value to write as JSON
   */
  public Answer post(String path, Object body, String... headers) {
    return send("POST", path, body, headers);
  }

  /**
   * Sends a request.
   *
   * @param headers name, value, name, value ...
   */
  public Answer send(String method, String path, @Nullable Object body, String... headers) {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(
                body instanceof String text ? text : JsonMapper.shared().writeValueAsString(body));
    return exchange(method, path, publisher, headers);
  }

  private String door(String path) {
    return ADMIN.stream().anyMatch(path::startsWith) ? admin : base;
  }

  /** Sends a binary body, or one without a declared length. */
  public Answer exchange(
      String method, String path, HttpRequest.BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(door(path) + path)).timeout(LIMIT).method(method, body);
    boolean typed = false;
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
      typed |= headers[i].equalsIgnoreCase("Content-Type");
    }
    if (!typed) {
      request.header("Content-Type", "application/json");
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body(), response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
