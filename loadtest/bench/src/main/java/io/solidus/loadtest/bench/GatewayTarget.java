package io.solidus.loadtest.bench;

import io.solidus.wire.json.WireJson;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/** Sends requests to a gateway. One is served when the status says so; a refusal has a code. */
final class GatewayTarget implements Target<HttpRequest>, AutoCloseable {

  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final int OK = 2;

  static {
    // the client closes idle connections before a gateway does, so that no request meets a closing
    // connection
    System.setProperty("jdk.httpclient.keepalive.timeout", "5");
  }

  private final URI gateway;
  private final InetAddress from;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;

  /**
   * Opens a client.
   *
   * @param from address of this machine, by which the gateway knows the senders
   */
  GatewayTarget(URI gateway, InetAddress from) {
    this.gateway = gateway;
    this.from = from;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(from)
            .executor(threads)
            .build();
  }

  InetAddress from() {
    return from;
  }

  HttpRequest post(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  HttpRequest get(String path) {
    return request(path).build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(gateway.resolve(path)).timeout(DEADLINE);
  }

  @Override
  public void send(HttpRequest request, Answers answers) {
    CompletableFuture<HttpResponse<Optional<String>>> unused =
        client
            .sendAsync(request, GatewayTarget::reason)
            .whenComplete((response, failure) -> {
              if (failure != null) {
                answers.refused("no answer");
              } else if (response.body().isEmpty()) {
                answers.served();
              } else {
                answers.refused(response.body().orElseThrow());
              }
              answers.finished();
            });
  }

  /** Reads the code of a refusal, and discards the body of any other answer. */
  private static HttpResponse.BodySubscriber<Optional<String>> reason(
      HttpResponse.ResponseInfo info) {
    if (info.statusCode() / 100 == OK) {
      return HttpResponse.BodySubscribers.replacing(Optional.empty());
    }
    return HttpResponse.BodySubscribers.mapping(
        HttpResponse.BodySubscribers.ofByteArray(),
        body -> Optional.of(code(new String(body, StandardCharsets.UTF_8))));
  }

  private static String code(String body) {
    try {
      return WireJson.read(body, JsonNode.class).path("code").asString("no code");
    } catch (RuntimeException e) {
      return "no code";
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
