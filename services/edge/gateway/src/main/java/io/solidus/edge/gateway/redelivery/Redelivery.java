package io.solidus.edge.gateway.redelivery;

import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.committee.Authorities;
import io.solidus.platform.time.Periodically;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Sends finished requests to the authorities that were away, with f+1 partial signatures as a
 * certificate, until they have answered: so an authority that comes back catches up without anybody
 * asking for it. One worker per authority, so that a frozen one delays nobody else.
 */
@Component
public class Redelivery implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Redelivery.class);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);
  private static final int BATCH = 50;
  private static final int MAX_ATTEMPTS = 2000;

  private final PendingDeliveries pending;
  private final Authorities authorities;
  private final NetworkId network;
  private final List<Periodically> workers;
  private volatile boolean running;

  Redelivery(
      PendingDeliveries pending,
      Authorities authorities,
      NetworkId network,
      MeterRegistry metrics) {
    this.pending = pending;
    this.authorities = authorities;
    this.network = network;
    this.workers =
        authorities.indexes().stream()
            .map(index ->
                new Periodically(
                    "redelivery-" + index, PAUSE, PAUSE_AFTER_FAILURE, () -> pass(index)))
            .toList();
    metrics.gauge("solidus.gateway.deliveries.pending", pending, PendingDeliveries::count);
  }

  /** Remembers a finished transfer for the authorities that have not signed it. */
  public void remember(TransferRequest finished, List<Integer> missing) {
    if (!missing.isEmpty()) {
      pending.add(
          finished.statement().core(network),
          finished.statement().family(),
          Codecs.toBytes(finished),
          missing);
    }
  }

  /** Remembers a finished mint for the authorities that have not signed it. */
  public void remember(MintRequest finished, List<Integer> missing) {
    if (!missing.isEmpty()) {
      pending.add(
          finished.statement().core(network), Family.MINT, Codecs.toBytes(finished), missing);
    }
  }

  @Override
  public void start() {
    running = true;
    workers.forEach(Periodically::start);
  }

  @Override
  public void stop() {
    running = false;
    Periodically.stopAll(workers);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void pass(int authority) {
    for (PendingDeliveries.Row row : pending.due(authority, BATCH)) {
      if (!running || !deliver(row)) {
        break; // the others of this authority would wait as long
      }
    }
    pending.recount(authority);
  }

  /** Whether the authority answered at all. */
  private boolean deliver(PendingDeliveries.Row row) {
    try {
      if (settled(send(row)) || row.attempts() >= MAX_ATTEMPTS) {
        pending.done(row);
      } else {
        pending.later(row);
      }
      return true;
    } catch (StatusRuntimeException away) {
      pending.later(row);
      return false;
    } catch (ProtocolException unreadable) {
      LOG.warn("a stored request cannot be read and is dropped: {}", unreadable.code().code());
      pending.done(row);
      return true;
    }
  }

  private SubmitReply send(PendingDeliveries.Row row) {
    if (row.family() == Family.MINT.code()) {
      MintRequest request = Codecs.mintRequest(row.request());
      return authorities.submit(
          row.authority(),
          request.statement().serial(network),
          shard -> shard.submitMint(Codecs.toWire(request)));
    }
    TransferRequest request = Codecs.transferRequest(row.request());
    return authorities.submit(
        row.authority(),
        request.statement().leadSerial(),
        shard -> shard.submitTransfer(Codecs.toWire(request)));
  }

  /** Signed, or refused for good. */
  private static boolean settled(SubmitReply reply) {
    return switch (reply.getOutcomeCase()) {
      case SIGNED -> true;
      case REJECTED ->
          RejectionCode.of(reply.getRejected().getCode())
              .map(code -> !code.retryable())
              .orElse(false);
      case OUTCOME_NOT_SET -> false;
    };
  }
}
