package io.solidus.edge.gateway.parameters;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClientProperties;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;

/**
 * Fetches published sanction lists from the sanctions service and keeps the last four. Wallets
 * rebuild the root from the list, so a wallet rejects a wrong list.
 */
@Component
class SanctionListProxy implements AutoCloseable {
  private static final int MAX_BYTES = SanctionList.MAX_KEYS * SanctionKey.BYTES;

  private static final int MAX_LISTS = 4;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final BoundedCalls http;
  private final URI base;
  private final ReentrantLock lock = new ReentrantLock();
  private final LruMap<Long, byte[]> lists = new LruMap<>(MAX_LISTS);

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
    this.http = new BoundedCalls(clients.open(CONNECT_TIMEOUT));
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
      byte[] list = lists.find(version).orElseGet(() -> fetch(version));
      lists.remember(version, list);
      return list;
    } finally {
      lock.unlock();
    }
  }

  private byte[] fetch(long version) {
    URI list = base.resolve("/v1/sanctions/checkpoints/" + version + "/list");
    BoundedCalls.Answer answer;
    try {
      answer = http.send(HttpRequest.newBuilder(list), TIMEOUT, MAX_BYTES);
    } catch (NoAnswerException e) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "the sanction list is unavailable right now", e);
    }
    if (answer.isNotFound()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no sanction list has this version");
    }
    if (!answer.isOk()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "the sanction list is unavailable right now");
    }
    return answer.body();
  }

  @Override
  public void close() {
    http.close();
  }
}
