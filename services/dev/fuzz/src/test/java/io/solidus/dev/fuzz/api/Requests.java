package io.solidus.dev.fuzz.api;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests to a route: as the document describes them, and with errors. */
final class Requests {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BODY_LIMIT = 64 * 1024;
  private static final List<String> CONTENT_TYPES =
      List.of(
          "text/plain",
          "application/xml",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          "multipart/form-data; boundary=x",
          "application/json; charset=utf-16",
          "application/json; charset=nonsense",
          "application/yaml",
          "application/octet-stream",
          "application/cbor",
          "application/json;;;",
          "application/*",
          "*/*",
          "nonsense",
          "application/problem+json",
          "image/png");
  private static final List<String> ACCEPTS =
      List.of(
          "application/xml",
          "text/html",
          "nonsense",
          "*/*;q=0",
          "application/json;q=0.1, text/html",
          "application/octet-stream",
          ";");

  private final Random random;
  private final Values values;

  Requests(Random random, Values values) {
    this.random = random;
    this.values = values;
  }

  /** A request as the document describes it. */
  HttpRequest shaped(Route route, @Nullable String authorization) {
    byte[] body = route.body() == null ? null : json(values.plausible(route, route.body(), 0));
    return build(
            route,
            authorization,
            address(route, false, true),
            body,
            route.contentType(),
            route.method())
        .build();
  }

  /** A request as the document describes it, without optional parameters of the query. */
  HttpRequest bare(Route route, @Nullable String authorization) {
    byte[] body = route.body() == null ? null : json(values.plausible(route, route.body(), 0));
    String address = address(route, false, false);
    return build(route, authorization, address, body, route.contentType(), route.method()).build();
  }

  /** A request of the document's examples alone. */
  HttpRequest example(Route route, @Nullable String authorization) {
    String address = route.path();
    StringBuilder query = new StringBuilder();
    for (Route.Parameter parameter : route.parameters()) {
      String value = encoded(parameter.example().asString(""));
      if (parameter.in().equals("path")) {
        address = address.replace("{" + parameter.name() + "}", value);
      } else if (parameter.in().equals("query") && parameter.required()) {
        query
            .append(query.isEmpty() ? '?' : '&')
            .append(parameter.name())
            .append('=')
            .append(value);
      }
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + route.port() + address + query))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .method(route.method(), HttpRequest.BodyPublishers.ofByteArray(json(route.example())));
    return authorization == null
        ? request.build()
        : request.header("Authorization", authorization).build();
  }

  /** A request with an error in most cases. */
  HttpRequest hostile(Route route, @Nullable String authorization) {
    String contentType = route.contentType();
    byte[] body = route.body() == null ? null : json(values.plausible(route, route.body(), 0));
    boolean spoilAddress = false;
    String method = route.method();
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 ->
          body =
              route.body() == null
                  ? null
                  : json(values.spoiled(values.plausible(route, route.body(), 0)));
      case 4 -> body = junk();
      case 5 -> contentType = CONTENT_TYPES.get(random.nextInt(CONTENT_TYPES.size()));
      case 6 ->
          method =
              List.of(
                      "GET",
                      "PUT",
                      "POST",
                      "DELETE",
                      "PATCH",
                      "OPTIONS",
                      "HEAD",
                      "TRACE",
                      "PROPFIND")
                  .get(random.nextInt(9));
      default -> spoilAddress = true;
    }
    if (body == null && random.nextInt(4) == 0) {
      body = junk();
    }
    return withOddHeaders(
            build(
                route,
                authorization,
                address(route, spoilAddress, true),
                body,
                contentType,
                method))
        .build();
  }

  private HttpRequest.Builder withOddHeaders(HttpRequest.Builder request) {
    if (random.nextInt(12) == 0) {
      request.header("Accept", ACCEPTS.get(random.nextInt(ACCEPTS.size())));
    }
    if (random.nextInt(20) == 0) {
      request
          .header("X-HTTP-Method-Override", "DELETE")
          .header("Content-Encoding", "gzip")
          .header("traceparent", "00-" + "0".repeat(32) + "-zz");
    }
    return request;
  }

  private HttpRequest.Builder build(
      Route route,
      @Nullable String authorization,
      String address,
      byte @Nullable [] body,
      @Nullable String contentType,
      String method) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + route.port() + address))
            .timeout(LIMIT)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (body != null && contentType != null) {
      request.header("Content-Type", contentType);
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    for (Route.Parameter parameter : route.parameters()) {
      if (parameter.in().equals("header") && (parameter.required() || random.nextBoolean())) {
        request.header(parameter.name(), headerValue());
      }
    }
    return request;
  }

  private String headerValue() {
    return (random.nextBoolean() ? values.text() : values.hostileText())
        .replaceAll("[^\\x20-\\x7e]", "?");
  }

  /** The route's path and query with percent-encoded parameters. */
  private String address(Route route, boolean hostile, boolean withOptional) {
    String path = route.path();
    StringBuilder query = new StringBuilder();
    for (Route.Parameter parameter : route.parameters()) {
      String value = encoded(hostile ? values.hostileText() : plausible(route, parameter));
      if (parameter.in().equals("path")) {
        path = path.replace("{" + parameter.name() + "}", value);
      } else if (parameter.in().equals("query")
          && (parameter.required() || (withOptional && random.nextInt(3) > 0))) {
        query
            .append(query.isEmpty() ? '?' : '&')
            .append(encoded(parameter.name()))
            .append('=')
            .append(value);
        if (hostile && random.nextInt(4) == 0) {
          query.append('&').append(encoded(parameter.name())).append("=again");
        }
      }
    }
    if (hostile && random.nextInt(6) == 0) {
      String name = random.nextBoolean() ? "" : encoded(values.hostileText());
      query.append(query.isEmpty() ? '?' : '&').append(name).append("=1");
    }
    return path.replaceAll("\\{[^}]*}", encoded(values.text())) + query;
  }

  private String plausible(Route route, Route.Parameter parameter) {
    Optional<JsonNode> named = values.named(parameter.name());
    JsonNode value = named.orElseGet(() -> values.plausible(route, parameter.schema(), 0));
    return value.isValueNode() ? value.asString() : values.text();
  }

  private static String encoded(String text) {
    String out = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    return out.isEmpty() ? "%20" : out;
  }

  private static byte[] json(JsonNode tree) {
    return JSON.writeValueAsBytes(tree);
  }

  /** A body that no document describes. */
  private byte[] junk() {
    return switch (random.nextInt(12)) {
      case 0 -> new byte[0];
      case 1 -> utf8("[".repeat(20_000));
      case 2 -> utf8("{\"a\":".repeat(5000));
      case 3 -> utf8("{\"a\":1}{\"b\":2}");
      case 4 -> new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '{', '}'};
      case 5 -> new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', ':', '1', '}'};
      case 6 -> utf8("{\"" + "k".repeat(40_000) + "\":1}");
      case 7 -> "{}".getBytes(StandardCharsets.UTF_16);
      case 8 -> utf8("\"" + "x".repeat(BODY_LIMIT + random.nextInt(10_000)) + "\"");
      case 9 -> utf8("{\"a\":" + "9".repeat(10_000) + "}");
      case 10 -> utf8("null");
      default -> {
        byte[] noise = new byte[random.nextInt(2000)];
        random.nextBytes(noise);
        yield noise;
      }
    };
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
