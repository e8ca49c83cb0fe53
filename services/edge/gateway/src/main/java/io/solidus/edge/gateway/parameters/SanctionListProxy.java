package io.solidus.edge.gateway.parameters;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.http.HttpClientProperties;
import io.solidus.platform.http.HttpClients;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;

/**
 * Fetches published sanction lists from the sanctions service and keeps the last four. Wallets
 * rebuild the root from the list, so a wallet rejects a wrong list.
 */
@Component
class SanctionListProxy implements AutoCloseable {
  /** 531,440 keys of 20 bytes, the capacity of the tree. */
  private static final int MAX_BYTES = 531_440 * 20;

  private static final int MAX_LISTS = 4;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;
  private final URI base;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, byte[]> lists = new LinkedHashMap<>();

  /**
   * Opens the HTTP client.
   *
   * @throws IllegalStateException when HTTP clients trust the internal certificate authority only
   *     and the address is the wallets', whose certificate comes from a public one
   */
  SanctionListProxy(
      GatewayProperties properties, HttpClientProperties certificates, HttpClients clients) {
    if (!certificates.sslBundle().isEmpty() && properties.sanctionsUrl().isEmpty()) {
      throw new IllegalStateException(
          "solidus.gateway.sanctions-url is missing; with solidus.http-client.ssl-bundle the"
              + " certificate of the address for wallets is not trusted");
    }
    this.http = clients.open(CONNECT_TIMEOUT);
    this.base =
        URI.create(
            properties.sanctionsUrl().isEmpty()
                ? properties.urls().sanctions()
                : properties.sanctionsUrl());
  }

  /**
   * The sorted 20-byte keys of the list.
   *
   * @throws ProtocolException not-found, or unavailable when the sanctions service cannot be
   *     reached
   */
  byte[] list(long version) {
    lock.lock();
    try {
      byte[] known = lists.get(version);
      if (known != null) {
        return known;
      }
      byte[] fetched = fetch(version);
      if (lists.size() >= MAX_LISTS) {
        lists.remove(lists.keySet().iterator().next());
      }
      lists.put(version, fetched);
      return fetched;
    } finally {
      lock.unlock();
    }
  }

  private byte[] fetch(long version) {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve("/v1/sanctions/checkpoints/" + version + "/list"))
            .timeout(Duration.ofSeconds(20))
            .build();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() == 404) {
          throw new ProtocolException(RejectionCode.NOT_FOUND, "no sanction list has this version");
        }
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        if (response.statusCode() != 200 || bytes.length > MAX_BYTES) {
          throw new ProtocolException(
              RejectionCode.UNAVAILABLE, "the sanction list is unavailable right now");
        }
        return bytes;
      }
    } catch (IOException e) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "the sanction list is unavailable right now", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "the gateway is stopping", e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
