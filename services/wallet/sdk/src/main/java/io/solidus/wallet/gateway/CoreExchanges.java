package io.solidus.wallet.gateway;

import io.solidus.wallet.core.CoreExchange;
import io.solidus.wallet.core.Exchanges;
import io.solidus.wallet.model.ServicePins;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a core's host over HTTP, with the rules of this library: HTTPS or this machine,
 * one limit for time and one for bytes, a pause that the service asked for.
 */
public final class CoreExchanges implements Exchanges {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int BAD_REQUEST = 400;

  private final HttpClient http;
  private final URI gateway;
  private final ServicePins services;
  private final @Nullable RelayedExchange relay;

  /**
   * @param http from {@link Connections#client}, with the keys of the network's services
   * @param services of the network, from its signed note
   * @param relay through which requests to the gateway go; null for none
   */
  public CoreExchanges(
      HttpClient http, URI gateway, ServicePins services, @Nullable RelayedExchange relay) {
    Connections.requireSafe(gateway);
    this.http = http;
    this.gateway = gateway;
    this.services = services;
    this.relay = relay;
  }

  @Override
  public CoreExchange.Answer send(CoreExchange exchange) {
    RestClient client = client(exchange);
    RestClient.Raw answer =
        client.raw(
            exchange.path(),
            exchange.headers(),
            exchange.method().equals("GET") ? null : exchange.body(),
            exchange.maxBytes());
    RetryAfter pause = answer.pause();
    int seconds = pause == null ? 0 : Math.toIntExact(pause.pause().toSeconds());
    return answer.service()
        ? new CoreExchange.Answer(answer.status(), seconds, answer.content())
        : new CoreExchange.Answer(ofTheRelay(answer.status()), seconds, new byte[0]);
  }

  private RestClient client(CoreExchange exchange) {
    Duration deadline = exchange.deadline();
    return switch (exchange.role()) {
      case GATEWAY ->
          new RestClient(
              http, gateway, "the gateway", deadline, isForAll(exchange.path()) ? null : relay);
      case REGISTRATION ->
          new RestClient(http, services.registration(), "the registration service", deadline);
      case ISSUANCE -> new RestClient(http, services.issuance(), "the issuance service", deadline);
    };
  }

  /** A sanction list is the same for all wallets, and too long for a relay. */
  private static boolean isForAll(String path) {
    return path.startsWith("/v1/sanctions/checkpoints/");
  }

  /** A relay may say that it is busy, and nothing else for the gateway. */
  private static int ofTheRelay(int status) {
    return status == TOO_MANY_REQUESTS || status >= SERVER_ERROR ? status : BAD_REQUEST;
  }
}
