package io.solidus.edge.gateway.redelivery;

import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.PerAuthorityJob;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sends finished requests to the authorities that have not signed them, until they answer. A
 * transfer carries f+1 partial signatures as a certificate. So an authority that was unavailable
 * catches up without a wallet's request.
 */
@Component
public class RedeliveryService extends PerAuthorityJob {
  private static final Logger log = LoggerFactory.getLogger(RedeliveryService.class);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);
  private static final int BATCH = 50;
  private static final int MAX_ATTEMPTS = 2000;

  private final PendingDeliveryRepository pending;
  private final AuthorityClient authorities;
  private final NetworkId network;

  RedeliveryService(
      PendingDeliveryRepository pending,
      AuthorityClient authorities,
      NetworkId network,
      MeterRegistry metrics) {
    super("redelivery", authorities, PAUSE, PAUSE_AFTER_FAILURE);
    this.pending = pending;
    this.authorities = authorities;
    this.network = network;
    metrics.gauge("solidus.gateway.deliveries.pending", pending, PendingDeliveryRepository::count);
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

  /** Remembers a finished recover for the authorities that have not signed it. */
  public void remember(RecoverRequest finished, List<Integer> missing) {
    if (!missing.isEmpty()) {
      pending.add(
          finished.resolve(network).core(), Family.RECOVER, Codecs.toBytes(finished), missing);
    }
  }

  @Override
  protected void run(int authority) {
    for (PendingDeliveryRepository.Row row : pending.due(authority, BATCH)) {
      if (!isRunning() || !deliver(row)) {
        break; // the next row of an unavailable authority would wait as long
      }
    }
    pending.recount(authority);
  }

  /** Whether the authority answered at all. */
  private boolean deliver(PendingDeliveryRepository.Row row) {
    try {
      if (isFinal(send(row)) || row.attempts() >= MAX_ATTEMPTS) {
        pending.delete(row);
      } else {
        pending.postpone(row);
      }
      return true;
    } catch (StatusRuntimeException e) {
      pending.postpone(row);
      return false;
    } catch (ProtocolException e) {
      log.warn("a stored request cannot be read and is dropped: {}", e.code().code());
      pending.delete(row);
      return true;
    }
  }

  private SubmitReply send(PendingDeliveryRepository.Row row) {
    if (row.family() == Family.MINT.code()) {
      MintRequest request = Codecs.mintRequest(row.request());
      return authorities.submit(
          row.authority(),
          request.statement().serial(network),
          shard -> shard.submitMint(Codecs.toWire(request)));
    }
    if (row.family() == Family.RECOVER.code()) {
      RecoverRequest request = Codecs.recoverRequest(row.request());
      return authorities.submit(
          row.authority(),
          request.resolve(network).serials().getFirst(),
          shard -> shard.submitRecover(Codecs.toWire(request)));
    }
    TransferRequest request = Codecs.transferRequest(row.request());
    return authorities.submit(
        row.authority(),
        request.statement().leadSerial(),
        shard -> shard.submitTransfer(Codecs.toWire(request)));
  }

  /** Whether the authority signed, or refused for a permanent reason. */
  private static boolean isFinal(SubmitReply reply) {
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
