package io.solidus.dev.sandbox.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Stops and starts authorities of the running sandbox. */
final class ControlClient {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI base;
  private final String token;

  ControlClient(int port, String token) {
    this.base = URI.create("http://127.0.0.1:" + port);
    this.token = token;
  }

  void kill(int authority) throws IOException {
    post("/authorities/" + authority + "/kill");
  }

  void start(int authority) throws IOException {
    post("/authorities/" + authority + "/start");
  }

  private void post(String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(
            "the sandbox's control port answered "
                + response.statusCode()
                + " "
                + response.body().strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
