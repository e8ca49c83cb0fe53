package io.solidus.dev.sandbox.operators;

import io.solidus.dev.openid.OpenIdClient;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of one operator to one service: JSON over HTTP with an access token. */
public final class AdminClient {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LOGIN_AGAIN = Duration.ofMinutes(5);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final URI base;
  private final OpenIdClient provider;
  private final String person;
  private final String password;
  private String token = "";
  private long loggedIn;

  /**
   * A client for one person, who logs in at the first call.
   *
   * @param base the service's address
   */
  public AdminClient(URI base, OpenIdClient provider, String person, String password) {
    this.base = base;
    this.provider = provider;
    this.person = person;
    this.password = password;
  }

  /** An answer; its JSON body is null if there is none. */
  public record Answer(int status, @Nullable JsonNode body) {
    public boolean ok() {
      return status / 100 == 2;
    }

    /** The body of a successful answer. @throws IOException with the problem's code otherwise */
    public JsonNode orThrow(String what) throws IOException {
      if (!ok() || body == null) {
        throw new IOException(
            what
                + ": status "
                + status
                + " "
                + (body == null ? "" : body.path("code").asString("")));
      }
      return body;
    }
  }

  public Answer get(String path) throws IOException {
    return send(request(path).GET().build());
  }

  public Answer post(String path, Object body) throws IOException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build());
  }

  /** Posts an XML document. */
  Answer postXml(String path, byte[] document) throws IOException {
    return send(
        request(path)
            .header("Content-Type", "application/xml")
            .POST(HttpRequest.BodyPublishers.ofByteArray(document))
            .build());
  }

  /**
   * Fetches a document.
   *
   * @throws IOException when the answer is another status than 200
   */
  byte[] document(String path) throws IOException {
    try {
      HttpResponse<byte[]> response =
          http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IOException(path + ": status " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }

  /** Sends the bytes of a file. */
  public Answer postFile(String path, Path file) throws IOException {
    try {
      return send(
          request(path)
              .header("Content-Type", "application/octet-stream")
              .POST(HttpRequest.BodyPublishers.ofFile(file))
              .build());
    } catch (FileNotFoundException missing) {
      throw new IOException("there is no file " + file, missing);
    }
  }

  private HttpRequest.Builder request(String path) throws IOException {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(LIMIT)
        .header("Authorization", "Bearer " + token());
  }

  private synchronized String token() throws IOException {
    long now = System.nanoTime();
    if (token.isEmpty() || now - loggedIn > LOGIN_AGAIN.toNanos()) {
      token = provider.login(person, password, "").access();
      loggedIn = now;
    }
    return token;
  }

  private Answer send(HttpRequest request) throws IOException {
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      boolean json = response.headers().firstValue("Content-Type").orElse("").contains("json");
      return new Answer(
          response.statusCode(),
          json && response.body().length > 0 ? JSON.readTree(response.body()) : null);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }
}
