package io.solidus.edge.gateway.parameters;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClientProperties;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.stereotype.Component;

/**
 * Fetches published sanction lists from the sanctions service and keeps the last four. Wallets
 * rebuild the root from the list, so a wallet rejects a wrong list.
 *
 * <p>Anybody can ask. So a list that is there is returned without waiting for any fetch, only
 * versions that a countersigned checkpoint named are fetched, one fetch serves all who ask
 * meanwhile, and its failure is the answer for a while.
 */
@Component
class SanctionListProxy implements AutoCloseable {
  private static final int MAX_BYTES = SanctionList.MAX_KEYS * SanctionKey.BYTES;

  private static final int MAX_LISTS = 4;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** For the whole answer of the sanctions service, its body included. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** How long a failed fetch is the answer. */
  private static final Duration FAILURE_KEPT = Duration.ofSeconds(2);

  private static final String UNAVAILABLE = "the sanction list is unavailable right now";

  private final CountersignedNotes notes;
  private final Admission admission;
  private final BoundedCalls http;
  private final URI base;
  private final LruMap<Long, Fetch> fetches = new LruMap<>(MAX_LISTS);

  /**
   * Opens the HTTP client.
   *
   * @throws IllegalStateException as {@link #address}
   */
  SanctionListProxy(
      GatewayProperties properties,
      HttpClientProperties certificates,
      HttpClients clients,
      CountersignedNotes notes,
      Admission admission) {
    this.base = address(properties, certificates);
    this.notes = notes;
    this.admission = admission;
    this.http = new BoundedCalls(clients.open(CONNECT_TIMEOUT));
  }

  /**
   * The address of the sanctions service.
   *
   * @throws IllegalStateException when HTTP clients trust the internal certificate authority only
   *     and the address is the wallets', whose certificate comes from a public one
   */
  static URI address(GatewayProperties properties, HttpClientProperties certificates) {
    if (!certificates.sslBundle().isEmpty() && properties.sanctionsUrl().isEmpty()) {
      throw new IllegalStateException(
          "solidus.gateway.sanctions-url is missing; with solidus.http-client.ssl-bundle the"
              + " certificate of the address for wallets is not trusted");
    }
    return URI.create(
        properties.sanctionsUrl().isEmpty()
            ? properties.urls().sanctions()
            : properties.sanctionsUrl());
  }

  /**
   * The sorted 20-byte keys of the list.
   *
   * @throws ProtocolException not-found for a version that no countersigned checkpoint named or
   *     that the sanctions service does not have; unavailable when that service cannot be reached;
   *     overloaded while too many wait for lists
   */
  FixedContent list(long version) {
    Optional<FixedContent> list = fetches.find(version).flatMap(Fetch::list);
    return list.orElseGet(() -> admission.run(Admission.RequestClass.LIST, () -> awaited(version)));
  }

  private FixedContent awaited(long version) {
    if (!notes.namesList(version)) {
      throw new ProtocolException(
          RejectionCode.NOT_FOUND, "no checkpoint in force named a sanction list of this version");
    }
    Fetch mine = new Fetch();
    Fetch fetch = join(version, mine);
    if (fetch == mine) {
      mine.run(version);
    }
    return fetch.await();
  }

  /** The fetch of this version that serves the caller: one that is there, or the caller's own. */
  private synchronized Fetch join(long version, Fetch mine) {
    Optional<Fetch> there = fetches.find(version).filter(Fetch::serves);
    if (there.isEmpty()) {
      fetches.remember(version, mine);
    }
    return there.orElse(mine);
  }

  private FixedContent download(long version) {
    URI list = base.resolve("/v1/sanctions/checkpoints/" + version + "/list");
    BoundedCalls.Answer answer;
    try {
      answer = http.send(HttpRequest.newBuilder(list), TIMEOUT, MAX_BYTES);
    } catch (NoAnswerException e) {
      throw unavailable(e);
    }
    if (answer.isNotFound()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no sanction list has this version");
    }
    if (!answer.isOk()) {
      throw new ProtocolException(RejectionCode.UNAVAILABLE, UNAVAILABLE);
    }
    byte[] keys = answer.body();
    return FixedContent.of(keys, Digest32.sha256(keys));
  }

  private static ProtocolException unavailable(Exception cause) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, UNAVAILABLE, cause);
  }

  @Override
  public void close() {
    http.close();
  }

  /** One fetch of one version: running, done, or failed. */
  private final class Fetch {
    private final CompletableFuture<FixedContent> result = new CompletableFuture<>();
    private volatile long failedAt;

    void run(long version) {
      try {
        result.complete(download(version));
      } catch (RuntimeException | Error e) {
        failedAt = System.nanoTime();
        result.completeExceptionally(e);
      }
    }

    Optional<FixedContent> list() {
      return result.state() == Future.State.SUCCESS
          ? Optional.of(result.resultNow())
          : Optional.empty();
    }

    /** False for a failure that is to be tried again. */
    boolean serves() {
      return !result.isCompletedExceptionally()
          || System.nanoTime() - failedAt < FAILURE_KEPT.toNanos();
    }

    FixedContent await() {
      try {
        return result.get(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw unavailable(e);
      } catch (TimeoutException e) {
        throw unavailable(e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof ProtocolException refusal ? refusal : unavailable(e);
      }
    }
  }
}
