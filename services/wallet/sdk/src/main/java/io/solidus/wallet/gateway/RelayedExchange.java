package io.solidus.wallet.gateway;

import io.solidus.protocol.Relay;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.ohttp.BinaryField;
import io.solidus.wire.ohttp.BinaryHttpException;
import io.solidus.wire.ohttp.BinaryRequest;
import io.solidus.wire.ohttp.BinaryResponse;
import io.solidus.wire.ohttp.HttpDate;
import io.solidus.wire.ohttp.ObliviousHttp;
import io.solidus.wire.ohttp.SizeClass;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Sends requests to a gateway through a relay (RFC 9458), which sees none of them, while the
 * gateway sees no address of the wallet. It never goes around the relay.
 */
@Spec("F-63")
public final class RelayedExchange {
  private static final String DATE = "date";
  private static final int BAD_REQUEST = 400;
  private static final int MAX_PROBLEM_BYTES = 16 << 10;

  private final HttpClient http;
  private final Relay relay;
  private final Clock clock;
  private final Duration timeout;

  /**
   * @param timeout of one exchange with the relay
   * @throws WalletException {@code insecure-address} for plain HTTP to another machine
   */
  public RelayedExchange(HttpClient http, Relay relay, Clock clock, Duration timeout) {
    Connections.requireSafe(relay.address());
    this.http = http;
    this.relay = relay;
    this.clock = clock;
    this.timeout = timeout;
  }

  /**
   * An answer.
   *
   * @param sealed whether the gateway sealed it; the relay's own words are not
   */
  record Reply(boolean sealed, int status, HttpHeaders headers, byte[] content) {}

  /**
   * Sends a request. A gateway whose clock differs says its time, with which the wallet asks once
   * more; the next request has the wallet's own again, because the time could be one wallet's mark.
   */
  Reply send(
      String method, String authority, String path, Map<String, String> headers, byte[] content)
      throws IOException, InterruptedException {
    Instant now = clock.instant();
    Reply reply = send(request(method, authority, path, headers, content, now));
    Optional<Instant> theirs = wrongDate(reply);
    return theirs.isPresent()
        ? send(request(method, authority, path, headers, content, theirs.get()))
        : reply;
  }

  private static BinaryRequest request(
      String method,
      String authority,
      String path,
      Map<String, String> headers,
      byte[] content,
      Instant time) {
    List<BinaryField> fields = new ArrayList<>();
    headers.forEach(
        (name, value) -> fields.add(new BinaryField(name.toLowerCase(Locale.ROOT), value)));
    // whole minutes, so that few wallets have a clock of their own
    fields.add(new BinaryField(DATE, HttpDate.of(time.truncatedTo(ChronoUnit.MINUTES))));
    return new BinaryRequest(method, authority, path, fields, content);
  }

  private static Optional<Instant> wrongDate(Reply reply) {
    return reply.sealed() && reply.status() == BAD_REQUEST
        ? reply.headers().firstValue(DATE).flatMap(HttpDate::parse)
        : Optional.empty();
  }

  private Reply send(BinaryRequest request) throws IOException, InterruptedException {
    ObliviousHttp.Sent sealed;
    try {
      sealed = ObliviousHttp.seal(relay.key(), request.encode());
    } catch (HpkeException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED, "the key of the relay's requests cannot be used", e);
    }
    HttpRequest outer =
        HttpRequest.newBuilder(relay.address())
            .timeout(timeout)
            .header("User-Agent", RestClient.AGENT)
            .header("Content-Type", ObliviousHttp.REQUEST_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(sealed.message()))
            .build();
    HttpResponse<InputStream> response =
        http.send(outer, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() != 200) {
        return new Reply(
            false, response.statusCode(), response.headers(), body.readNBytes(MAX_PROBLEM_BYTES));
      }
      byte[] answer = body.readNBytes(SizeClass.MAX_RESPONSE + 1);
      BinaryResponse inner = BinaryResponse.decode(sealed.open(answer));
      return new Reply(true, inner.status(), headers(inner), inner.content());
    } catch (BinaryHttpException e) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED, "the relay sent no answer of the gateway", e);
    }
  }

  private static HttpHeaders headers(BinaryResponse answer) {
    Map<String, List<String>> headers = new HashMap<>();
    answer.fields().forEach(field -> headers.putIfAbsent(field.name(), List.of(field.value())));
    return HttpHeaders.of(headers, (name, value) -> true);
  }
}
