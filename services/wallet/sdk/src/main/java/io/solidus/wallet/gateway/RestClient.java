package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON over HTTP with a deadline and a size limit for every reply. A refusal (problem+json, RFC
 * 9457) with a known code becomes a {@link ProtocolException}. A missing or malformed reply becomes
 * a {@link WalletException}.
 */
public final class RestClient {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_JSON_BYTES = 1 << 20;

  /** Heartbeats of an hour, and one event. */
  private static final int MAX_EVENT_BYTES = 1 << 14;

  /** The JDK's own would tell its version. */
  static final String AGENT = "solidus-wallet";

  private final HttpClient http;
  private final URI base;
  private final String service;
  private final Duration timeout;
  private final @Nullable RelayedExchange relay;

  /**
   * A client of one service.
   *
   * @param service name for error texts
   * @param timeout for one exchange, the body of the reply included
   * @throws WalletException {@code insecure-address} for plain HTTP to another machine
   */
  public RestClient(HttpClient http, URI base, String service, Duration timeout) {
    this(http, base, service, timeout, null);
  }

  /**
   * A client of one service.
   *
   * @param service name for error texts
   * @param timeout for one exchange, the body of the reply included
   * @param relay through which all requests go; null for none
   * @throws WalletException {@code insecure-address} for plain HTTP to another machine
   */
  public RestClient(
      HttpClient http,
      URI base,
      String service,
      Duration timeout,
      @Nullable RelayedExchange relay) {
    Connections.requireSafe(base);
    this.http = http;
    this.base = base;
    this.service = service;
    this.timeout = timeout;
    this.relay = relay;
  }

  /**
   * A request.
   *
   * @param body null for GET
   */
  private record Call(String path, Map<String, String> headers, byte @Nullable [] body) {}

  /**
   * An answer as it came, also a refusal.
   *
   * @param service whether the service gave it; otherwise a relay says something for itself
   * @param pause that was asked for; null for none
   * @param content of a service directly at most one byte more than was asked for
   */
  record Raw(boolean service, int status, @Nullable RetryAfter pause, byte[] content) {}

  public JsonNode get(String path, Map<String, String> headers) {
    return parse(exchange(new Call(path, headers, null), MAX_JSON_BYTES));
  }

  public JsonNode get(String path) {
    return get(path, Map.of());
  }

  public byte[] getBytes(String path, int maxBytes) {
    return getBytes(path, Map.of(), maxBytes);
  }

  public byte[] getBytes(String path, Map<String, String> headers, int maxBytes) {
    return exchange(new Call(path, headers, null), maxBytes);
  }

  public String getText(String path) {
    return new String(getBytes(path, MAX_JSON_BYTES), StandardCharsets.UTF_8);
  }

  public JsonNode post(String path, JsonNode body, Map<String, String> headers) {
    return post(path, body, headers, MAX_JSON_BYTES);
  }

  /**
   * Posts a JSON body.
   *
   * @param maxBytes limit of the reply
   */
  public JsonNode post(String path, JsonNode body, Map<String, String> headers, int maxBytes) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Content-Type", "application/json");
    return parse(exchange(new Call(path, all, JSON.writeValueAsBytes(body)), maxBytes));
  }

  /**
   * The answer as it came, for a caller that reads refusals itself.
   *
   * @param body null for GET
   * @throws WalletException {@code gateway-unreachable} when no answer came in time
   */
  Raw raw(String path, Map<String, String> headers, byte @Nullable [] body, int maxBytes) {
    Call call = new Call(path, headers, body);
    return inTime(() -> send(call, maxBytes));
  }

  /**
   * Waits for the first event of a stream of server-sent events.
   *
   * @return whether one came; false as well when the stream ends or cannot be opened. Behind a
   *     relay none is: it would show this device's address to the service
   */
  boolean awaitEvent(String path, Duration patience) {
    if (relay != null) {
      return false;
    }
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(timeout)
            .header("User-Agent", AGENT)
            .header("Accept", "text/event-stream")
            .GET()
            .build();
    FutureTask<Boolean> stream = new FutureTask<>(() -> firstEvent(request));
    Thread.ofVirtual().name("events").start(stream);
    try {
      return stream.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      stream.cancel(true);
    }
  }

  private boolean firstEvent(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() != 200) {
        return false;
      }
      StringBuilder line = new StringBuilder();
      for (int read = 0; read < MAX_EVENT_BYTES; read++) {
        int next = body.read();
        if (next < 0) {
          return false;
        }
        if (next != '\n') {
          line.append((char) next);
        } else if (line.toString().startsWith("event:")) {
          return true;
        } else {
          line.setLength(0);
        }
      }
      return false;
    }
  }

  /** The header that makes a repeated request for the same core idempotent. */
  static Map<String, String> idempotencyKey(TxCore core) {
    return idempotencyKey(core.value());
  }

  /** As {@link #idempotencyKey(TxCore)}, for a request without a core: the digest names it. */
  static Map<String, String> idempotencyKey(Digest32 request) {
    return Map.of("Idempotency-Key", request.hex());
  }

  /** A value encoded as one segment of a path. */
  public static String segment(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private HttpRequest request(Call call) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(base.resolve(call.path()))
            .timeout(timeout)
            .header("User-Agent", AGENT);
    call.headers().forEach(builder::header);
    byte[] body = call.body();
    return body == null
        ? builder.GET().build()
        : builder.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
  }

  private byte[] exchange(Call call, int maxBytes) {
    return inTime(() -> accepted(send(call, maxBytes), maxBytes));
  }

  private Raw send(Call call, int maxBytes) throws IOException, InterruptedException {
    return relay == null ? direct(call, maxBytes) : relayed(relay, call);
  }

  /**
   * Sends the request and reads the whole reply within the timeout. The client's own timeout ends
   * with the headers, so the exchange runs on a thread of its own.
   */
  private <T> T inTime(Callable<T> work) {
    FutureTask<T> exchange = new FutureTask<>(work);
    Thread.ofVirtual().name("exchange").start(exchange);
    try {
      return exchange.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw unreachable(service + " at " + base + " did not answer in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable("interrupted while waiting for " + service, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ProtocolException refusal) {
        throw refusal;
      }
      if (e.getCause() instanceof WalletException failure) {
        throw failure;
      }
      throw unreachable(service + " at " + base + " cannot be reached", e.getCause());
    } finally {
      exchange.cancel(true);
    }
  }

  private Raw direct(Call call, int maxBytes) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(request(call), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      return new Raw(
          true,
          response.statusCode(),
          RetryAfter.of(response.headers()),
          body.readNBytes(maxBytes + 1));
    }
  }

  private Raw relayed(RelayedExchange exchange, Call call)
      throws IOException, InterruptedException {
    byte[] body = call.body();
    RelayedExchange.Reply reply =
        exchange.send(
            body == null ? "GET" : "POST",
            base.getRawAuthority(),
            call.path(),
            call.headers(),
            body == null ? new byte[0] : body);
    return new Raw(reply.sealed(), reply.status(), RetryAfter.of(reply.headers()), reply.content());
  }

  /**
   * What a relay says for itself. It must not speak for the gateway: from what a wallet does after
   * a code that it chose, it would learn what the request was.
   */
  private static RuntimeException ofTheRelay(int status, @Nullable RetryAfter pause) {
    String answered = "the relay answered with status " + status;
    if (status == 429) {
      return refused(RejectionCode.OVERLOADED, answered, pause);
    }
    return status >= 500
        ? refused(RejectionCode.UNAVAILABLE, answered, pause)
        : new WalletException(WalletError.GATEWAY_MISBEHAVED, answered);
  }

  private byte[] accepted(Raw answer, int maxBytes) {
    if (!answer.service()) {
      throw ofTheRelay(answer.status(), answer.pause());
    }
    if (answer.content().length > maxBytes) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED, service + " sent more than " + maxBytes + " bytes");
    }
    if (answer.status() / 100 != 2) {
      throw refusal(service, answer.status(), answer.content(), answer.pause());
    }
    return answer.content();
  }

  private static WalletException unreachable(String detail, @Nullable Throwable cause) {
    return new WalletException(WalletError.GATEWAY_UNREACHABLE, detail, cause);
  }

  private JsonNode parse(byte[] content) {
    try {
      return JSON.readTree(content);
    } catch (JacksonException e) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED, service + " sent a reply that is not JSON", e);
    }
  }

  private static RuntimeException refusal(
      String sender, int status, byte[] content, @Nullable RetryAfter pause) {
    Optional<JsonNode> problem = problem(content);
    Optional<RejectionCode> code =
        problem.flatMap(p -> RejectionCode.of(p.path("code").asString("")));
    String detail =
        problem
            .map(p -> p.path("detail").asString(""))
            .filter(text -> !text.isBlank())
            .orElse("no detail given");
    if (code.isPresent()) {
      return refused(code.get(), detail, pause);
    }
    String answered = sender + " answered with status " + status;
    if (status == 429) {
      return refused(RejectionCode.OVERLOADED, answered, pause);
    }
    return status >= 500
        ? refused(RejectionCode.UNAVAILABLE, answered, pause)
        : new WalletException(WalletError.GATEWAY_MISBEHAVED, answered + " and no known code");
  }

  private static ProtocolException refused(
      RejectionCode code, String detail, @Nullable RetryAfter pause) {
    return pause == null
        ? new ProtocolException(code, detail)
        : new ProtocolException(code, detail, pause);
  }

  private static Optional<JsonNode> problem(byte[] content) {
    try {
      JsonNode node = JSON.readTree(content);
      return node != null && node.isObject() ? Optional.of(node) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
