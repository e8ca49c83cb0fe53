package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.signer.SignLogSupervisor;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckOutcome;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.SignOutcome;
import io.solidus.wire.v1.SignTransfer;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SignerServiceGrpc.SignerServiceBlockingStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Checks that the signer gives each transfer of a batch the answer that it would get alone. The
 * tests run in order, because time windows only close.
 */
@Tag("process")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SignerBatchTest {

  private static final int GOOD = 4;

  private static RegulatedNetwork network;
  private static List<TransferRequest> good;
  private static TransferRequest unreserved;

  /** Transfers that are signed after their window closed, or not at all. */
  private static List<TransferRequest> late;

  private static List<TransferRequest> later;
  private static TransferRequest held;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create().start();
    good = IntStream.range(0, GOOD).mapToObj(i -> network.transfer(i % 2, i % 2)).toList();
    unreserved = network.transfer(0, 1);
    late = List.of(network.transfer(0, 0), network.transfer(1, 1));
    held = network.transfer(0, 1);
    later = IntStream.range(0, 3).mapToObj(i -> network.transfer(i % 2, i % 2)).toList();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  @Order(1)
  void acceptsCallsOfShardsOnly() {
    assertDenied(() -> network.authority.signer().checkTransfers(checks(good)));
    assertDenied(
        () -> network.authority.signer().signTransfers(SignTransfersRequest.getDefaultInstance()));
  }

  @Test
  @Order(2)
  void signsOnlyWhatItHasChecked() {
    good.forEach(SignerBatchTest::reserve);
    assertThat(sign(good.stream().map(SignerBatchTest::byCore).toList()))
        .allMatch(SignOutcome::getForgotten);
  }

  @Test
  @Order(3)
  void aDoubtfulTransferGetsTheSameVerdict() {
    CheckTransfersRequest.Builder marked = CheckTransfersRequest.newBuilder();
    good.forEach(
        request -> marked.addRequests(Codecs.toWire(request).toBuilder().setDoubtful(true)));
    assertThat(check(marked.build()))
        .extracting(CheckOutcome::getCore)
        .containsExactlyElementsOf(good.stream().map(SignerBatchTest::core).toList());
  }

  @Test
  @Order(3)
  void anInvalidTransferAtAnyPositionAffectsNoOther() {
    List<TransferRequest> invalid =
        List.of(
            Altered.proof(good.get(0), flipped(good.get(1).evidence().proof())),
            Altered.proof(good.get(0), good.get(1).evidence().proof()),
            Altered.show(good.get(0), 1, good.get(1).evidence().shows().get(1)),
            Altered.keySignature(good.get(0), good.get(1).evidence().rkSignature()),
            Altered.randomisedKey(good.get(0), Points.keyOfSmallOrder()),
            Altered.versions(good.get(0), 2, 1, 1),
            Altered.versions(good.get(0), 1, 1, 9),
            Altered.output(good.get(0), 0, good.get(1).statement().outputs().get(0)),
            new RandomTransfers(network.keys.network()).next());
    for (TransferRequest one : invalid) {
      List<String> seen = new ArrayList<>();
      for (int position = 0; position <= GOOD; position++) {
        List<TransferRequest> batch = new ArrayList<>(good);
        batch.add(position, one);
        List<CheckOutcome> outcomes = check(batch);
        for (int i = 0; i < batch.size(); i++) {
          if (i != position) {
            assertThat(outcomes.get(i).getCore()).isEqualTo(core(batch.get(i)));
          }
        }
        assertThat(outcomes.get(position).hasRejected()).isTrue();
        seen.add(outcomes.get(position).getRejected().getCode());
      }
      String alone = check(List.of(one)).getFirst().getRejected().getCode();
      assertThat(seen).as("the same code as alone").containsOnly(alone);
    }
  }

  @Test
  @Order(4)
  void findsAWrongProofInANewBatch() {
    restart();
    List<TransferRequest> batch = new ArrayList<>(good);
    batch.set(2, Altered.proof(good.get(2), good.get(3).evidence().proof()));
    List<CheckOutcome> outcomes = check(batch);
    assertThat(outcomes.stream().map(CheckOutcome::hasCore))
        .containsExactly(true, true, false, true);
    assertThat(outcomes.get(2).getRejected().getCode())
        .isEqualTo(RejectionCode.PROOF_INVALID.code());
    assertThat(check(good)).as("valid evidence for the same core").allMatch(CheckOutcome::hasCore);
  }

  @Test
  @Order(5)
  void aMalformedTransferAffectsNoOther() {
    CheckTransfersRequest request =
        checks(good).toBuilder()
            .addRequests(0, io.solidus.wire.v1.TransferRequest.getDefaultInstance())
            .addRequests(io.solidus.wire.v1.TransferRequest.getDefaultInstance())
            .build();
    List<CheckOutcome> outcomes = shard().checkTransfers(request).getChecks().getOutcomesList();
    assertThat(outcomes).hasSize(GOOD + 2);
    assertThat(outcomes.subList(1, GOOD + 1)).allMatch(CheckOutcome::hasCore);
    assertThat(List.of(outcomes.getFirst(), outcomes.getLast()))
        .allMatch(o -> o.getRejected().getCode().equals(RejectionCode.MALFORMED_REQUEST.code()));
  }

  @Test
  @Order(6)
  @Spec("V-08")
  void signsWhatItCheckedAndRepeatsTheSameBytes() {
    check(good);
    List<SignTransfer> cores = good.stream().map(SignerBatchTest::byCore).toList();
    List<SignOutcome> first = sign(cores);
    for (int i = 0; i < GOOD; i++) {
      assertSignature(good.get(i), first.get(i));
    }
    assertThat(sign(cores.reversed()).reversed()).isEqualTo(first);
    List<SignTransfer> twice = new ArrayList<>(cores);
    twice.addAll(cores);
    List<SignOutcome> expected = new ArrayList<>(first);
    expected.addAll(first);
    assertThat(sign(twice)).isEqualTo(expected);
  }

  @Test
  @Order(7)
  void rejectsOnlyTheUnreservedTransfer() {
    List<TransferRequest> batch = new ArrayList<>(good);
    batch.add(2, unreserved);
    check(batch);
    List<SignOutcome> outcomes = sign(batch.stream().map(SignerBatchTest::byCore).toList());
    assertThat(outcomes.get(2).getRejected().getCode()).isEqualTo(RejectionCode.UNAVAILABLE.code());
    for (int i = 0; i < batch.size(); i++) {
      if (i != 2) {
        assertSignature(batch.get(i), outcomes.get(i));
      }
    }
    assertThat(sign(List.of(byCore(unreserved)))).allMatch(SignOutcome::hasRejected);
    // two of its three serial numbers are not enough
    unreserved.statement().serials().subList(0, 2).forEach(s -> reserve(s, unreserved));
    assertThat(sign(List.of(byCore(unreserved))).getFirst().getRejected().getCode())
        .isEqualTo(RejectionCode.UNAVAILABLE.code());
  }

  @Test
  @Order(8)
  void simultaneousBatchesGetTheSameBytes() throws ExecutionException, InterruptedException {
    restart();
    List<SignTransfer> full = good.stream().map(SignerBatchTest::byRequest).toList();
    List<Future<List<SignOutcome>>> replies = new ArrayList<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(6)) {
      for (int i = 0; i < 6; i++) {
        int distance = i;
        replies.add(callers.submit(() -> sign(rotated(full, distance))));
      }
    }
    List<SignOutcome> expected = sign(full);
    for (int i = 0; i < 6; i++) {
      assertThat(replies.get(i).get()).isEqualTo(rotated(expected, i));
    }
    assertThat(expected).allMatch(SignOutcome::hasSigned);
  }

  @Test
  @Order(9)
  void rejectsARequestOfAnotherCore() {
    restart();
    SignTransfer mixed =
        byCore(good.get(0)).toBuilder().setRequest(Codecs.toWire(good.get(1))).build();
    SignTransfer noCore = SignTransfer.newBuilder().setRequest(Codecs.toWire(good.get(2))).build();
    List<SignOutcome> outcomes = sign(List.of(mixed, noCore, byRequest(good.get(3))));
    assertThat(outcomes.subList(0, 2))
        .allMatch(o -> o.getRejected().getCode().equals(RejectionCode.MALFORMED_REQUEST.code()));
    assertSignature(good.get(3), outcomes.get(2));
  }

  @Test
  @Order(10)
  void acceptsOneToTwoHundredAndFiftySixTransfers() {
    assertThat(
            shard()
                .checkTransfers(CheckTransfersRequest.getDefaultInstance())
                .getRejected()
                .getCode())
        .isEqualTo(RejectionCode.MALFORMED_REQUEST.code());
    List<TransferRequest> most = IntStream.range(0, 256).mapToObj(i -> good.get(i % GOOD)).toList();
    assertThat(check(most)).hasSize(256).allMatch(CheckOutcome::hasCore);
    List<TransferRequest> tooMany =
        IntStream.range(0, 257).mapToObj(i -> good.get(i % GOOD)).toList();
    assertThat(shard().checkTransfers(checks(tooMany)).getRejected().getCode())
        .isEqualTo(RejectionCode.MALFORMED_REQUEST.code());
  }

  @Test
  @Order(11)
  void rejectsWholeCallsWhenTheQueueIsFull() throws ExecutionException, InterruptedException {
    network
        .authority
        .with("solidus.signer.verify-threads", 1)
        .with("solidus.signer.verify-queue", 256);
    restart();
    CheckTransfersRequest most =
        checks(IntStream.range(0, 256).mapToObj(i -> certified(good.get(i % GOOD))).toList());
    List<Future<CheckTransfersReply>> replies = new ArrayList<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 8; i++) {
        replies.add(callers.submit(() -> shard().checkTransfers(most)));
      }
    }
    int rejected = 0;
    for (Future<CheckTransfersReply> future : replies) {
      CheckTransfersReply reply = future.get();
      if (reply.hasRejected()) {
        assertThat(reply.getRejected().getCode()).isEqualTo(RejectionCode.OVERLOADED.code());
        assertThat(reply.getRejected().getRetryable()).isTrue();
        rejected++;
      } else {
        assertThat(reply.getChecks().getOutcomesList())
            .hasSize(256)
            .allMatch(CheckOutcome::hasCore);
      }
    }
    // one call is verified and one waits, so all eight fit only when each waits for the one before
    assertThat(rejected).isBetween(1, 7);
    assertThat(check(good)).as("the queue has space again").allMatch(CheckOutcome::hasCore);
  }

  /** With a certificate, which nobody needs in time: equal ones share no verification. */
  private static TransferRequest certified(TransferRequest request) {
    return Altered.certificate(request, network.keys.partial(1, request.statement()));
  }

  @Test
  @Order(12)
  void signsACheckedTransferAfterTheWindowClosed() {
    restart();
    check(late);
    network.publishPolicy(2, RegulatedNetwork.PERIOD, 900);
    network.clock.forward(Duration.ofMinutes(10).plusSeconds(5));
    network.awaitReady();
    assertThat(check(late))
        .allMatch(o -> o.getRejected().getCode().equals(RejectionCode.STALE_POLICY.code()));
    late.forEach(SignerBatchTest::reserve);
    assertThat(sign(late.stream().map(SignerBatchTest::byCore).toList()))
        .allMatch(SignOutcome::hasSigned);
    assertThat(sign(late.stream().map(SignerBatchTest::byRequest).toList()))
        .allMatch(SignOutcome::hasSigned);
  }

  /**
   * A refresh of the shares: what this signer signed in a former epoch is signed anew whatever the
   * age of its evidence, and only that.
   */
  @Test
  @Order(13)
  @Spec("V-21")
  void admitsWhatItHasSignedAfterTheWindowClosed() {
    restart();
    assertThat(check(good)).allMatch(CheckOutcome::hasCore);
    TransferRequest wrong = Altered.proof(good.get(0), good.get(1).evidence().proof());
    assertThat(check(List.of(wrong)).getFirst().getRejected().getCode())
        .as("the proof is verified as always")
        .isEqualTo(RejectionCode.PROOF_INVALID.code());
    assertThat(check(later))
        .as("never signed")
        .allMatch(o -> o.getRejected().getCode().equals(RejectionCode.STALE_POLICY.code()));
  }

  /** The authority reserved a core in time and stopped before it signed. */
  @Test
  @Order(14)
  @Spec("V-23")
  void admitsWhatItsAuthorityHoldsAfterTheWindowClosed() {
    reserve(held);
    assertThat(check(List.of(held)).getFirst().hasCore()).isTrue();
  }

  @Test
  @Order(15)
  void checksTheWindowAgainAfterARestartUnlessACertificateFinishesTheTransfer() {
    restart();
    assertThat(sign(later.stream().map(SignerBatchTest::byCore).toList()))
        .allMatch(SignOutcome::getForgotten);
    TestCommittee others = network.keys;
    TransferRequest finished =
        Altered.certificate(
            later.get(1),
            others.partial(2, later.get(1).statement()),
            others.partial(4, later.get(1).statement()));
    TransferRequest unfinished =
        Altered.certificate(
            later.get(2),
            others.partial(2, later.get(2).statement()),
            others.partial(4, later.get(1).statement()));
    List<CheckOutcome> checks = check(List.of(finished, unfinished));
    assertThat(checks.get(0).hasCore()).as("before it is reserved").isTrue();
    assertThat(checks.get(1).getRejected().getCode()).isEqualTo(RejectionCode.STALE_POLICY.code());
    reserve(later.get(1));
    List<SignOutcome> outcomes =
        sign(List.of(byRequest(later.get(0)), byRequest(finished), byRequest(unfinished)));
    assertThat(outcomes.get(0).getRejected().getCode())
        .isEqualTo(RejectionCode.STALE_POLICY.code());
    assertSignature(later.get(1), outcomes.get(1));
    assertThat(outcomes.get(2).getRejected().getCode())
        .isEqualTo(RejectionCode.STALE_POLICY.code());
  }

  @Test
  @Order(16)
  @Spec("V-08")
  void rejectsEveryCallAfterASignLogFailure() {
    List<SignTransfer> known = List.of(byCore(later.get(1)));
    assertThat(sign(known)).allMatch(SignOutcome::hasSigned);
    network
        .database
        .jdbc()
        .sql("UPDATE authority.sign_log_anchor SET sequence = sequence + 1")
        .update();
    assertThat(sign(known))
        .allMatch(
            outcome -> outcome.getRejected().getCode().equals(RejectionCode.UNAVAILABLE.code()));
    assertRejectsCalls();
  }

  @Test
  @Order(17)
  void rejectsWholeCallsWhileTheSignerIsNotReady() {
    network.authority.stopSigner();
    network.authority.startSigner();
    Await.until(
        "the signer has found that its log lacks a record",
        () ->
            network
                .authority
                .signerContext()
                .getBean(SignLogSupervisor.class)
                .problem()
                .filter(problem -> !problem.contains("still being verified"))
                .isPresent());
    assertRejectsCalls();
  }

  private static void assertRejectsCalls() {
    CheckTransfersReply checked = shard().checkTransfers(checks(good));
    assertThat(checked.getRejected().getCode()).isEqualTo(RejectionCode.UNAVAILABLE.code());
    SignTransfersReply signed =
        shard()
            .signTransfers(
                SignTransfersRequest.newBuilder().addTransfers(byRequest(good.get(0))).build());
    assertThat(signed.getRejected().getCode()).isEqualTo(RejectionCode.UNAVAILABLE.code());
  }

  private static void restart() {
    network.authority.stopSigner();
    network.authority.startSigner();
    network.awaitReady();
  }

  private static List<CheckOutcome> check(List<TransferRequest> requests) {
    return check(checks(requests));
  }

  private static List<CheckOutcome> check(CheckTransfersRequest request) {
    List<CheckOutcome> outcomes;
    do {
      CheckTransfersReply reply = shard().checkTransfers(request);
      assertThat(reply.hasChecks()).as("not %s", reply.getRejected().getCode()).isTrue();
      outcomes = reply.getChecks().getOutcomesList();
      // a call does not wait long for suspicious transfers; their verdicts are remembered
    } while (outcomes.stream().anyMatch(SignerBatchTest::isOverloaded));
    return outcomes;
  }

  private static boolean isOverloaded(CheckOutcome outcome) {
    return outcome.getRejected().getCode().equals(RejectionCode.OVERLOADED.code());
  }

  private static List<SignOutcome> sign(List<SignTransfer> transfers) {
    SignTransfersReply reply =
        shard().signTransfers(SignTransfersRequest.newBuilder().addAllTransfers(transfers).build());
    assertThat(reply.hasSignatures()).as("not %s", reply.getRejected().getCode()).isTrue();
    return reply.getSignatures().getOutcomesList();
  }

  private static CheckTransfersRequest checks(List<TransferRequest> requests) {
    return CheckTransfersRequest.newBuilder()
        .addAllRequests(requests.stream().map(Codecs::toWire).toList())
        .build();
  }

  private static SignTransfer byCore(TransferRequest request) {
    return SignTransfer.newBuilder().setCore(core(request)).build();
  }

  private static SignTransfer byRequest(TransferRequest request) {
    return byCore(request).toBuilder().setRequest(Codecs.toWire(request)).build();
  }

  private static ByteString core(TransferRequest request) {
    return ByteString.copyFrom(request.statement().core(network.keys.network()).bytes());
  }

  private static void assertSignature(TransferRequest request, SignOutcome outcome) {
    assertThat(outcome.hasSigned()).as("signed, not %s", outcome.getRejected().getCode()).isTrue();
    PartialSignature partial = Codecs.toDomain(outcome.getSigned());
    Outputs outputs = Outputs.of(network.keys.network(), request.statement());
    for (int i = 0; i < request.statement().outputs().size(); i++) {
      assertThat(
              network
                  .keys
                  .suite()
                  .checkPartial(
                      network.keys.committee().member(1), outputs, i, partial.points().get(i)))
          .isTrue();
    }
  }

  /** Reserves the serial numbers as the shards do before they call the signer. */
  private static void reserve(TransferRequest request) {
    request.statement().serials().forEach(serial -> reserve(serial, request));
  }

  private static void reserve(SerialNumber serial, TransferRequest request) {
    TxCore core = request.statement().core(network.keys.network());
    network
        .database
        .jdbc()
        .sql("INSERT INTO shard_" + TestAuthority.ownerOf(serial) + ".serials VALUES (?, ?)")
        .params(serial.bytes(), core.bytes())
        .update();
  }

  private static <T> List<T> rotated(List<T> list, int by) {
    List<T> rotated = new ArrayList<>(list);
    Collections.rotate(rotated, by);
    return rotated;
  }

  private static byte[] flipped(byte[] proof) {
    byte[] other = proof.clone();
    other[3] ^= 1;
    return other;
  }

  private static SignerServiceBlockingStub shard() {
    InternalToken token = InternalToken.derive(network.keys.noteKeySeed(1));
    return network.authority.signer().withInterceptors(InternalCalls.show(token));
  }

  private static void assertDenied(Runnable call) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }
}
