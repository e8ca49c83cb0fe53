package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A shard that is asked for more than it can do says so at once, and loses nothing that it took.
 */
class OverloadTest {

  private static final int QUEUE = 4;

  private static RegulatedWorld world;
  private static FakeSigner signer;
  private static RandomTransfers transfers;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create();
    signer = new FakeSigner(world.keys.network());
    transfers = new RandomTransfers(world.keys.network());
    world.authority.with("solidus.validator.batch.workers", 1);
    world.authority.with("solidus.validator.batch.max", 2);
    world.authority.with("solidus.validator.batch.queue", QUEUE);
    world.authority.with("solidus.validator.batch.max-wait", "1h");
    world.startShards(signer.address());
  }

  @AfterAll
  static void stop() {
    world.close();
    signer.close();
  }

  @Test
  void refusesAtOnceWhatDoesNotFitAndFinishesWhatItTook() throws Exception {
    signer.hold();
    List<ListenableFuture<SubmitReply>> taken = new ArrayList<>();
    TransferRequest refused = next();
    try {
      taken.add(send(next()));
      Await.until("the worker is busy", () -> waiting() == 0 && batches() > 0);
      for (int i = 0; i < QUEUE; i++) {
        taken.add(send(next()));
      }
      Await.until("the queue is full", () -> waiting() == QUEUE);
      SubmitReply reply = world.submit(refused);
      Replies.rejected(RejectionCode.OVERLOADED, reply);
      assertThat(reply.getRejected().getRetryAfterMillis()).isPositive();
      assertThat(state(refused.statement().leadSerial()))
          .as("look-ups go on")
          .isEqualTo(SerialState.Status.STATUS_UNSPENT);
    } finally {
      signer.release();
    }
    for (ListenableFuture<SubmitReply> reply : taken) {
      Replies.signed(reply.get(60, TimeUnit.SECONDS));
    }
    Replies.signed(world.submit(refused));
    assertThat(
            meters().get("solidus.validator.overloaded").tag("kind", "transfer").counter().count())
        .isEqualTo(1);
  }

  private static TransferRequest next() {
    return transfers.spending(owned(), owned(), owned());
  }

  private static SerialNumber owned() {
    return transfers.serial(Authority.ownedBy(0));
  }

  private static ListenableFuture<SubmitReply> send(TransferRequest request) {
    return ValidatorServiceGrpc.newFutureStub(world.authority.shardChannel(0))
        .submitTransfer(Codecs.toWire(request));
  }

  private static SerialState.Status state(SerialNumber serial) {
    LookUpSerialsRequest request =
        LookUpSerialsRequest.newBuilder().addSerials(ByteString.copyFrom(serial.bytes())).build();
    return world.authority.validator(0).lookUpSerials(request).getStates(0).getStatus();
  }

  private static double waiting() {
    return meters().get("solidus.validator.queue.length").tag("kind", "transfer").gauge().value();
  }

  private static long batches() {
    return meters().get("solidus.validator.batch.size").tag("kind", "transfer").summary().count();
  }

  private static MeterRegistry meters() {
    return world.authority.shard(0).getBean(MeterRegistry.class);
  }
}
