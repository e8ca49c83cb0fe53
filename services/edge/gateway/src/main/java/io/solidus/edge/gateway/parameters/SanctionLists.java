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
 * The published lists, fetched once and kept. Wallets rebuild the root from them, so a wrong list
 * is only refused.
 */
@Component
class SanctionLists implements AutoCloseable {
  /** 531,440 keys of 20 bytes: what the tree has room for. */
  private static final int MAX_BYTES = 531_440 * 20;

  private static final int KEEP = 4;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;
  private final URI base;
  private final ReentrantLock fetching = new ReentrantLock();
  private final Map<Long, byte[]> kept = new LinkedHashMap<>();

  /**
   * @throws IllegalStateException when the clients believe one authority only, and the address is
   *     what the public one certifies
   */
  SanctionLists(
      GatewayProperties properties, HttpClientProperties certificates, HttpClients clients) {
    if (!certificates.sslBundle().isEmpty() && properties.sanctionsUrl().isEmpty()) {
      throw new IllegalStateException(
          "solidus.gateway.sanctions-url is not configured; with solidus.http-client.ssl-bundle the address that wallets use is not trusted");
    }
    this.http = clients.open(CONNECT_TIMEOUT);
    this.base =
        URI.create(
            properties.sanctionsUrl().isEmpty()
                ? properties.urls().sanctions()
                : properties.sanctionsUrl());
  }

  byte[] list(long version) {
    fetching.lock();
    try {
      byte[] known = kept.get(version);
      if (known != null) {
        return known;
      }
      byte[] fetched = fetch(version);
      if (kept.size() >= KEEP) {
        kept.remove(kept.keySet().iterator().next());
      }
      kept.put(version, fetched);
      return fetched;
    } finally {
      fetching.unlock();
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
          throw new ProtocolException(RejectionCode.NOT_FOUND, "there is no such list");
        }
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        if (response.statusCode() != 200 || bytes.length > MAX_BYTES) {
          throw new ProtocolException(
              RejectionCode.UNAVAILABLE, "the list cannot be had right now");
        }
        return bytes;
      }
    } catch (IOException away) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "the list cannot be had right now", away);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "the gateway is stopping", stopped);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
