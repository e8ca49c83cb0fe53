package io.solidus.dev.fuzz.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads streams of server-sent events. */
final class Events {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String EVENT = "event: ";

  private final HttpClient http;
  private final URI base;

  Events(HttpClient http, URI base) {
    this.http = http;
    this.base = base;
  }

  /**
   * The name of a stream's first event. The stream is read to the end of the event, and closed.
   *
   * @throws IOException when there is none
   */
  String first(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT).build();
    HttpResponse<InputStream> answer =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      CompletableFuture<String> name = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              name.complete(read(body));
            } catch (IOException | RuntimeException e) {
              name.completeExceptionally(e);
            }
          });
      return name.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static String read(InputStream body) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    String name = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(EVENT)) {
        name = line.substring(EVENT.length());
      } else if (line.isEmpty() && !name.isEmpty()) {
        return name;
      }
    }
    throw new IOException("the stream ended without an event");
  }
}
