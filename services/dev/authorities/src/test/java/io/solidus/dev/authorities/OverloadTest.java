package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.Vote;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that a shard rejects requests above its limits at once, finishes the requests it accepted,
 * and drops requests of cancelled calls.
 */
@Tag("process")
class OverloadTest {

  private static final int QUEUE = 4;

  private static RegulatedNetwork network;
  private static FakeSigner signer;
  private static RandomTransfers transfers;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    signer = new FakeSigner(network.keys.network());
    transfers = new RandomTransfers(network.keys.network());
    network.authority.with("solidus.validator.batch.workers", 1);
    network.authority.with("solidus.validator.batch.max", 2);
    network.authority.with("solidus.validator.batch.queue", QUEUE);
    network.authority.with("solidus.validator.batch.max-wait", "1h");
    network.startShards(signer.address());
  }

  @AfterAll
  static void stop() {
    network.close();
    signer.close();
  }

  @Test
  void rejectsWhatDoesNotFitAndFinishesWhatItAccepted() throws Exception {
    long before = batches();
    signer.hold();
    List<ListenableFuture<SubmitReply>> accepted = new ArrayList<>();
    TransferRequest rejected = next();
    try {
      accepted.add(send(next()));
      Await.until("the worker is busy", () -> waiting() == 0 && batches() > before);
      for (int i = 0; i < QUEUE; i++) {
        accepted.add(send(next()));
      }
      Await.until("the queue is full", () -> waiting() == QUEUE);
      SubmitReply reply = network.submit(rejected);
      Replies.rejected(RejectionCode.OVERLOADED, reply);
      assertThat(reply.getRejected().getRetryAfterMillis()).isPositive();
      assertThat(state(rejected.statement().leadSerial()))
          .as("look-ups continue")
          .isEqualTo(SerialState.Status.STATUS_UNSPENT);
    } finally {
      signer.release();
    }
    for (ListenableFuture<SubmitReply> reply : accepted) {
      Replies.signed(reply.get(5, TimeUnit.MINUTES));
    }
    Replies.signed(network.submit(rejected));
    assertThat(counter("overloaded")).isEqualTo(1);
  }

  /**
   * Attack: certificates cost their sender nothing. They take no worker and no permit of others.
   */
  @Test
  void certificatesAreWorkedOnApart() throws Exception {
    String apart = "transfer-apart";
    List<ListenableFuture<SubmitReply>> accepted = new ArrayList<>();
    long before = batches(apart);
    signer.hold();
    try {
      accepted.add(send(certified()));
      Await.until("the worker apart is busy", () -> batches(apart) > before);
      accepted.add(send(certified()));
      Await.until("the queue apart is full", () -> waiting(apart) == 1);
      Replies.rejected(RejectionCode.OVERLOADED, network.submit(certified()));
      assertThat(waiting()).isZero();

      long others = batches();
      accepted.add(send(next()));
      Await.until("a worker takes a usual transfer", () -> batches() > others);
    } finally {
      signer.release();
    }
    for (ListenableFuture<SubmitReply> reply : accepted) {
      Replies.signed(reply.get(5, TimeUnit.MINUTES));
    }
  }

  private static TransferRequest certified() {
    TransferRequest request = next();
    int points = request.statement().outputs().size();
    return Altered.certificate(
        request,
        new PartialSignature(
            1,
            0,
            Collections.nCopies(points, Points.offCurve()),
            new Vote(TestRandom.bytes(Vote.BYTES))));
  }

  @Test
  void aCancelledCallIsDroppedFromTheQueue() throws Exception {
    TransferRequest cancelled = next();
    ListenableFuture<SubmitReply> first;
    long before = batches();
    signer.hold();

    try {
      first = send(next());
      Await.until("the worker is busy", () -> waiting() == 0 && batches() > before);

      ListenableFuture<SubmitReply> second = send(cancelled);
      Await.until("the call is queued", () -> waiting() == 1);
      second.cancel(true);
      // a later call on the same connection, so that the shard has received the cancellation
      network.authority.status(0);
    } finally {
      signer.release();
    }
    Replies.signed(first.get(5, TimeUnit.MINUTES));

    Await.until("the call is dropped", () -> counter("abandoned") == 1);
    assertThat(state(cancelled.statement().leadSerial()))
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  private static TransferRequest next() {
    return transfers.spending(owned(), owned(), owned());
  }

  private static SerialNumber owned() {
    return transfers.serial(TestAuthority.ownedBy(0));
  }

  private static ListenableFuture<SubmitReply> send(TransferRequest request) {
    return ValidatorServiceGrpc.newFutureStub(network.authority.shardChannel(0))
        .submitTransfer(Codecs.toWire(request));
  }

  private static SerialState.Status state(SerialNumber serial) {
    LookUpSerialsRequest request =
        LookUpSerialsRequest.newBuilder().addSerials(ByteString.copyFrom(serial.bytes())).build();
    return network.authority.validator(0).lookUpSerials(request).getStates(0).getStatus();
  }

  private static double waiting() {
    return waiting("transfer");
  }

  private static double waiting(String kind) {
    return meters().get("solidus.validator.queue.length").tag("kind", kind).gauge().value();
  }

  private static long batches() {
    return batches("transfer");
  }

  private static long batches(String kind) {
    return meters().get("solidus.validator.batch.size").tag("kind", kind).summary().count();
  }

  private static double counter(String name) {
    return meters().get("solidus.validator." + name).tag("kind", "transfer").counter().count();
  }

  private static MeterRegistry meters() {
    return network.authority.shard(0).getBean(MeterRegistry.class);
  }
}
