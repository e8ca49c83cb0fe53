package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sends a flood of real transfers, valid and invalid ones mixed, to shards with the real signer.
 */
@Tag("process")
class BatchFlowTest {

  private static final int GOOD = 8;
  private static final int FLOOD = 64;

  private static RegulatedNetwork network;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    // one worker, so that requests form batches
    network.authority.with("solidus.validator.batch.workers", 1);
    network.start();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  /**
   * A sent request.
   *
   * @param expected the code of the rejection; null when the transfer must be signed
   */
  private record Sent(
      TransferRequest request,
      @Nullable RejectionCode expected,
      CompletableFuture<SubmitReply> reply) {}

  @Test
  void everyTransferOfAFloodGetsTheAnswerItWouldGetAlone() {
    List<TransferRequest> good = new ArrayList<>();
    for (int i = 0; i < GOOD; i++) {
      good.add(network.transfer(0, i % 2));
    }
    TestWallet doubleSpender = network.walletOn(0);
    TransferRequest first = network.draft(doubleSpender, 1).prove(network.rules());
    Replies.signed(network.submit(first));
    TransferRequest second = network.draft(doubleSpender, 0).prove(network.rules());
    TransferRequest neverSent = network.transfer(0, 1);

    List<TransferRequest> requests = new ArrayList<>();
    List<@Nullable RejectionCode> expected = new ArrayList<>();
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
      SubmitReply reply = one.reply().orTimeout(5, TimeUnit.MINUTES).join();
      if (one.expected() == null) {
        Replies.signed(reply);
        assertThat(network.submit(one.request()).toByteArray()).isEqualTo(reply.toByteArray());
      } else {
        Replies.rejected(one.expected(), reply);
      }
    }
    var sizes =
        network
            .authority
            .shard(0)
            .getBean(MeterRegistry.class)
            .get("solidus.validator.batch.size")
            .tag("kind", "transfer");
    assertThat(sizes.summary().max()).as("requests formed batches").isGreaterThan(1);
    Replies.signed(network.submit(neverSent));
  }

  @Test
  void aCopyWithAWrongProofDoesNotBlockTheOwnersTransfer() {
    TransferRequest owners = network.transfer(0, 1);
    TransferRequest other = network.transfer(0, 1);
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
      SubmitReply reply = one.reply().orTimeout(5, TimeUnit.MINUTES).join();
      // of several pieces of evidence each is verified apart, and its verdict remembered
      while (reply.getRejected().getCode().equals(RejectionCode.OVERLOADED.code())) {
        reply = network.submit(one.request());
      }
      // after the owner's answer every sender of the core gets it
      if (one.expected() == null || reply.hasSigned()) {
        Replies.signed(reply);
      } else {
        Replies.rejected(one.expected(), reply);
      }
    }
  }

  @Test
  void aMessageThatIsTooLongIsNotQueued() {
    var huge = Codecs.toWire(network.transfer(0, 1)).toBuilder();
    var partial = PartialSignature.newBuilder().addPoints(ByteString.copyFrom(new byte[96]));
    for (int i = 0; i < 700; i++) {
      huge.addCertificate(partial);
    }
    Replies.rejected(
        RejectionCode.MALFORMED_REQUEST,
        network.authority.validator(0).submitTransfer(huge.build()));
  }

  private static void add(
      List<TransferRequest> requests,
      List<@Nullable RejectionCode> expected,
      TransferRequest request,
      @Nullable RejectionCode code) {
    requests.add(request);
    expected.add(code);
  }

  /** Another core of the same serial numbers, without a valid key signature. */
  private static TransferRequest withAnotherOutput(TransferRequest request, int seed) {
    BlindedCoin coin = request.statement().outputs().getFirst();
    return Altered.output(request, 0, new BlindedCoin(FieldElement.ofLong(1_000 + seed), coin.k()));
  }

  private static TransferRequest withPointOffCurve(TransferRequest request, int seed) {
    return Altered.output(
        request, 0, new BlindedCoin(FieldElement.ofLong(2_000 + seed), Points.offCurve()));
  }

  private static void send(Sent one) {
    int shard = TestAuthority.ownerOf(one.request().statement().leadSerial());
    ValidatorServiceGrpc.newStub(network.authority.shardChannel(shard))
        .submitTransfer(
            Codecs.toWire(one.request()),
            new StreamObserver<>() {
              @Override
              public void onNext(SubmitReply reply) {
                one.reply().complete(reply);
              }

              @Override
              public void onError(Throwable e) {
                one.reply().completeExceptionally(e);
              }

              @Override
              public void onCompleted() {
                one.reply().completeExceptionally(new StatusRuntimeException(Status.INTERNAL));
              }
            });
  }
}
