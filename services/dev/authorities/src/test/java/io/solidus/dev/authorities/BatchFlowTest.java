package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A flood of real transfers, good and bad ones among each other, with the real signer. */
class BatchFlowTest {

  private static final int GOOD = 8;
  private static final int FLOOD = 64;

  private static RegulatedWorld world;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create();
    // one worker, so that requests gather
    world.authority.with("solidus.validator.batch.workers", 1);
    world.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  /**
   * @param expected null when it has to be signed
   */
  private record Sent(
      TransferRequest request, RejectionCode expected, CompletableFuture<SubmitReply> reply) {}

  @Test
  void everyTransferOfAFloodIsAnsweredAsItWouldBeAlone() {
    List<TransferRequest> good = new ArrayList<>();
    for (int i = 0; i < GOOD; i++) {
      good.add(world.draft(world.walletOn(0), i % 2).prove(world.rules()));
    }
    TestWallet doubleSpender = world.walletOn(0);
    TransferRequest first = world.draft(doubleSpender, 1).prove(world.rules());
    Replies.signed(world.submit(first));
    TransferRequest second = world.draft(doubleSpender, 0).prove(world.rules());
    TransferRequest neverSent = world.draft(world.walletOn(0), 1).prove(world.rules());

    List<TransferRequest> requests = new ArrayList<>();
    List<RejectionCode> expected = new ArrayList<>();
    for (int i = 0; requests.size() < FLOOD; i++) {
      TransferRequest one = good.get(i % GOOD);
      switch (i / GOOD) {
        case 0, 1 -> add(requests, expected, one, null);
        case 2 ->
            add(
                requests,
                expected,
                withAnotherOutput(neverSent, i),
                RejectionCode.SIGNATURE_INVALID);
        case 3 ->
            add(
                requests,
                expected,
                Altered.versions(neverSent, 50, 1, neverSent.evidence().circuitVersion()),
                RejectionCode.UNKNOWN_POLICY);
        case 4 -> add(requests, expected, second, RejectionCode.SERIAL_CONFLICT);
        case 5 ->
            add(
                requests,
                expected,
                withPointOffCurve(neverSent, i),
                RejectionCode.POINT_NOT_ON_CURVE);
        case 6 ->
            add(
                requests,
                expected,
                Altered.proof(neverSent, one.evidence().proof()),
                RejectionCode.PROOF_INVALID);
        default -> add(requests, expected, one, null);
      }
    }
    List<Sent> sent = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      sent.add(new Sent(requests.get(i), expected.get(i), new CompletableFuture<>()));
    }
    Collections.shuffle(sent, new Random(11));
    sent.forEach(BatchFlowTest::send);
    for (Sent one : sent) {
      SubmitReply reply = one.reply().orTimeout(60, TimeUnit.SECONDS).join();
      if (one.expected() == null) {
        Replies.signed(reply);
        assertThat(world.submit(one.request()).toByteArray()).isEqualTo(reply.toByteArray());
      } else {
        Replies.rejected(one.expected(), reply);
      }
    }
    var sizes =
        world
            .authority
            .shard(0)
            .getBean(MeterRegistry.class)
            .get("solidus.validator.batch.size")
            .tag("kind", "transfer");
    assertThat(sizes.summary().max()).as("requests gathered").isGreaterThan(1);
    Replies.signed(world.submit(neverSent));
  }

  @Test
  void aCopyWithABrokenProofDoesNotHaveTheOwnersTransferRefused() {
    TransferRequest owners = world.draft(world.walletOn(0), 1).prove(world.rules());
    TransferRequest other = world.draft(world.walletOn(0), 1).prove(world.rules());
    TransferRequest copy = Altered.proof(owners, other.evidence().proof());
    List<Sent> sent = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      sent.add(new Sent(copy, RejectionCode.PROOF_INVALID, new CompletableFuture<>()));
      if (i == 6) {
        sent.add(new Sent(owners, null, new CompletableFuture<>()));
      }
    }
    sent.forEach(BatchFlowTest::send);
    for (Sent one : sent) {
      SubmitReply reply = one.reply().orTimeout(60, TimeUnit.SECONDS).join();
      // once the owner has her answer, everybody who sends the core gets it
      if (one.expected() == null || reply.hasSigned()) {
        Replies.signed(reply);
      } else {
        Replies.rejected(one.expected(), reply);
      }
    }
  }

  @Test
  void aCallerWhoHasGoneCostsNothing() {
    TransferRequest request = world.draft(world.walletOn(0), 1).prove(world.rules());
    var meters = world.authority.shard(0).getBean(MeterRegistry.class);
    double before =
        meters.get("solidus.validator.abandoned").tag("kind", "transfer").counter().count();
    // whoever is quicker than the only worker is cancelled in the queue; some of very many are
    Await.until(
        "a cancelled call was dropped",
        () -> {
          for (int i = 0; i < 50; i++) {
            var call =
                ValidatorServiceGrpc.newFutureStub(world.authority.shardChannel(0))
                    .submitTransfer(Codecs.toWire(Altered.versions(request, 50, 1, 1)));
            call.cancel(true);
          }
          return meters.get("solidus.validator.abandoned").tag("kind", "transfer").counter().count()
              > before;
        });
    Replies.signed(world.submit(request));
  }

  @Test
  void aMessageTooLongToBeARequestIsNotQueued() {
    var huge = Codecs.toWire(world.draft(world.walletOn(0), 1).prove(world.rules())).toBuilder();
    var partial = PartialSignature.newBuilder().addPoints(ByteString.copyFrom(new byte[96]));
    for (int i = 0; i < 700; i++) {
      huge.addCertificate(partial);
    }
    Replies.rejected(
        RejectionCode.MALFORMED_REQUEST, world.authority.validator(0).submitTransfer(huge.build()));
  }

  private static void add(
      List<TransferRequest> requests,
      List<RejectionCode> expected,
      TransferRequest request,
      RejectionCode code) {
    requests.add(request);
    expected.add(code);
  }

  /** Another core of the same serial numbers, which her key has not signed. */
  private static TransferRequest withAnotherOutput(TransferRequest request, int seed) {
    BlindedCoin coin = request.statement().outputs().getFirst();
    return Altered.output(request, 0, new BlindedCoin(FieldElement.ofLong(1_000 + seed), coin.k()));
  }

  private static TransferRequest withPointOffCurve(TransferRequest request, int seed) {
    return Altered.output(
        request, 0, new BlindedCoin(FieldElement.ofLong(2_000 + seed), Points.offCurve()));
  }

  private static void send(Sent one) {
    int shard = Authority.ownerOf(one.request().statement().leadSerial());
    ValidatorServiceGrpc.newStub(world.authority.shardChannel(shard))
        .submitTransfer(
            Codecs.toWire(one.request()),
            new StreamObserver<>() {
              @Override
              public void onNext(SubmitReply reply) {
                one.reply().complete(reply);
              }

              @Override
              public void onError(Throwable failure) {
                one.reply().completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                one.reply().completeExceptionally(new StatusRuntimeException(Status.INTERNAL));
              }
            });
  }
}
