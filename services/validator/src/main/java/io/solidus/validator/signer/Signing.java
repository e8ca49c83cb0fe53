package io.solidus.validator.signer;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Share;
import io.solidus.validator.authority.GrpcReplies;
import io.solidus.validator.signer.log.LogPosition;
import io.solidus.validator.signer.log.SignRecord;
import io.solidus.validator.signer.log.SpentRows;
import io.solidus.validator.signer.log.SpentRows.Spent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signs, and lets the signature out only when the sign-log holds it durably. Called with statements just checked. */
final class Signing {

  private static final Logger log = LoggerFactory.getLogger(Signing.class);

  /** What is signed: the outputs of one core under its D, with the serial numbers it spends. */
  record Order(Family family, TxCore core, List<SerialNumber> serials, InputDigest digest, List<BlindedCoin> outputs) {}

  private final SignerNetwork network;
  private final Committee committee;
  private final Share share;
  private final SpentRows reserved;
  private final LogHolder signLog;
  private final NativePool pool;
  private final Duration deadline;

  Signing(
      SignerNetwork network,
      Committee committee,
      Share share,
      SpentRows reserved,
      LogHolder signLog,
      NativePool pool,
      Duration deadline) {
    this.network = network;
    this.committee = committee;
    this.share = share;
    this.reserved = reserved;
    this.signLog = signLog;
    this.pool = pool;
    this.deadline = deadline;
  }

  PartialSignature sign(Order order) {
    signLog.requireReady();
    requireReserved(order);
    List<G1Point> points =
        pool.run(() -> order.outputs().stream().map(o -> share.sign(network.id(), o, order.digest())).toList());
    Digest32 digest = Digest32.sha256(points.stream().map(G1Point::bytes).toArray(byte[][]::new));
    record(new SignRecord(order.family(), order.core(), committee.epoch(), order.serials(), digest));
    return new PartialSignature(share.index(), committee.epoch(), points);
  }

  /**
   * Nothing is signed that is not durably reserved for exactly this core, whatever a shard or an issuer says: a mistaken or compromised
   * one cannot make this authority sign two cores that spend one serial number, or two first compliance coins of one person.
   */
  private void requireReserved(Order order) {
    long missing =
        order.family() == Family.REGISTER
            ? reserved.missingRegistrations(List.of(order.core()))
            : reserved.missing(order.serials().stream().map(serial -> new Spent(serial, order.core())).toList());
    if (missing > 0) {
      throw GrpcReplies.unavailable("what is to be signed is not reserved");
    }
  }

  private void record(SignRecord record) {
    CompletableFuture<LogPosition> durable =
        signLog.require().append(record).orElseThrow(
            () -> new ProtocolException(RejectionCode.OVERLOADED, "too many signatures are being recorded"));
    try {
      durable.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      log.error("a signature was not recorded and does not leave: {}", e.getCause().getClass().getSimpleName());
      throw GrpcReplies.unavailable("the signature could not be recorded");
    } catch (TimeoutException e) {
      throw GrpcReplies.unavailable("recording the signature took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw GrpcReplies.unavailable("interrupted");
    }
  }
}
