package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Transfers against authorities that sign with their real shares, or do not. */
class TransferQuorumTest {
  private static GatewayUnderTest gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway = new GatewayUnderTest();
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @BeforeEach
  void reset() {
    gateway.reset();
  }

  @Test
  void answersWithAQuorumWhoseCombinationVerifies() {
    TransferRequest request = Requests.transfer(random);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(answer.json().path("core").asString(""))
        .isEqualTo(request.statement().core(TestCommittee.NETWORK).hex());
    assertThat(answer.json().path("faulty").size()).isZero();
  }

  @Test
  void whoeverSentAWrongProofIsDoubtfulFromThenOn() {
    try (GatewayUnderTest own = new GatewayUnderTest()) {
      own.authorities.forEach(authority -> authority.refusal = RejectionCode.SERIAL_CONFLICT);
      own.rest.post("/v1/transfers", Requests.json(Requests.transfer(random)));
      own.authorities.forEach(authority -> authority.refusal = RejectionCode.PROOF_INVALID);
      assertThat(own.rest.post("/v1/transfers", Requests.json(Requests.transfer(random))).code())
          .isEqualTo("proof-invalid");
      own.authorities.forEach(authority -> authority.refusal = null);
      assertThat(own.rest.post("/v1/transfers", Requests.json(Requests.transfer(random))).status())
          .isEqualTo(200);
      Eventually.holds(
          () -> assertThat(own.authority(1).doubtful).containsExactly(false, false, true));
    }
  }

  @ParameterizedTest
  @CsvSource({"SERIALS_NOT_DISTINCT,contradicts-quorum", "PROOF_INVALID,disputes-evidence"})
  void whoeverStandsAgainstAQuorumIsNamedForWhatThatShows(RejectionCode code, String reason) {
    double before = culprit(2, reason);
    gateway.authority(2).refusal = code;
    TransferRequest request = Requests.transfer(random);
    assertVerifies(request, submit(request));
    Eventually.holds(() -> assertThat(culprit(2, reason)).isEqualTo(before + 1));
  }

  private static double culprit(int authority, String reason) {
    return gateway
        .context
        .getBean(MeterRegistry.class)
        .counter(
            "solidus.gateway.culprits", "authority", Integer.toString(authority), "reason", reason)
        .count();
  }

  @Test
  void sameTransferAgainGetsTheSameSignature() {
    TransferRequest request = Requests.transfer(random);
    assertThat(submit(request).json().path("combined"))
        .isEqualTo(submit(request).json().path("combined"));
  }

  /**
   * Whichever authority misbehaves and however: the wallet notices nothing, and the culprit is
   * named.
   */
  @ParameterizedTest
  @EnumSource(Behaviour.class)
  void oneFaultyAuthorityCostsNothing(Behaviour behaviour) {
    for (int culprit = 1; culprit <= TestCommittee.N; culprit++) {
      gateway.reset();
      int index = culprit;
      double before = gateway.answers(index, "faulty");
      gateway.authority(index).behaviour = behaviour;
      TransferRequest request = Requests.transfer(random);
      Instant start = Instant.now();
      RestProbe.Answer answer = submit(request);
      assertVerifies(request, answer);
      assertThat(Duration.between(start, Instant.now()))
          .isLessThan(Duration.ofMillis(FakeAuthority.SLOW_MILLIS));
      if (behaviour.faulty()) {
        Eventually.holds(() -> assertThat(gateway.answers(index, "faulty")).isEqualTo(before + 1));
        assertThat(authoritiesOf(answer)).doesNotContain(index);
      } else {
        assertThat(gateway.answers(index, "faulty")).isEqualTo(before);
      }
    }
  }

  @Test
  void faultyAuthorityIsNamedInTheAnswerWhenItWasNeededForTheQuorum() {
    gateway.authority(3).behaviour = Behaviour.RANDOM_POINT;
    gateway.authority(4).behaviour = Behaviour.SLOW;
    TransferRequest request = Requests.transfer(random);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(answer.json().path("faulty").path(0).asInt(0)).isEqualTo(3);
  }

  @Test
  void twoFaultyOfFourMakeNoQuorum() {
    gateway.authority(1).behaviour = Behaviour.WRONG_SHARE;
    gateway.authority(2).behaviour = Behaviour.IDENTITY;
    RestProbe.Answer answer = submit(Requests.transfer(random));
    assertProblem(answer, RejectionCode.NO_QUORUM);
    assertThat(answer.header("Retry-After")).isNotEmpty();
  }

  @Test
  void absentAuthoritiesMakeNoQuorumWithinTheDeadline() {
    gateway.authority(1).behaviour = Behaviour.WITHHOLDS;
    gateway.authority(2).down();
    Instant start = Instant.now();
    assertProblem(submit(Requests.transfer(random)), RejectionCode.NO_QUORUM);
    assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(8));
    gateway.reset();
    gateway.awaitReachable(2);
  }

  /** A reason counts when f+1 authorities give it; one liar's reason does not. */
  @ParameterizedTest
  @EnumSource(
      value = RejectionCode.class,
      names = {
        "STALE_POLICY",
        "UNKNOWN_POLICY",
        "STALE_CHECKPOINT",
        "SERIAL_CONFLICT",
        "PROOF_INVALID",
        "UNKNOWN_VERSION",
        "POINT_NOT_ON_CURVE",
        "POINT_NOT_IN_SUBGROUP",
        "HEARTBEAT_STALE"
      })
  void reasonOfEnoughAuthoritiesReachesTheWallet(RejectionCode code) {
    gateway.authority(1).refusal = code;
    assertVerifies(Requests.transfer(random));
    gateway.authority(2).refusal = code;
    RestProbe.Answer answer = submit(Requests.transfer(random));
    assertProblem(answer, code);
    assertThat(answer.json().path("retryable").asBoolean(!code.retryable()))
        .isEqualTo(code.retryable());
  }

  @Test
  void differentReasonsAreNoReason() {
    gateway.authority(1).refusal = RejectionCode.PROOF_INVALID;
    gateway.authority(2).refusal = RejectionCode.STALE_POLICY;
    assertProblem(submit(Requests.transfer(random)), RejectionCode.NO_QUORUM);
  }

  @Test
  void finalRefusalsAreAnsweredWithoutWaitingForTheSlow() {
    gateway.authority(1).refusal = RejectionCode.SERIAL_CONFLICT;
    gateway.authority(2).refusal = RejectionCode.SERIAL_CONFLICT;
    gateway.authority(3).behaviour = Behaviour.WITHHOLDS;
    Instant start = Instant.now();
    assertProblem(submit(Requests.transfer(random)), RejectionCode.SERIAL_CONFLICT);
    assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(2));
  }

  /**
   * Two signed in time, two have moved on to a newer policy: with f+1 valid partial signatures
   * these finish too.
   */
  @Test
  void transferCaughtByAPolicyChangeIsFinished() {
    for (int index : List.of(3, 4)) {
      gateway.authority(index).refusal = RejectionCode.STALE_POLICY;
      gateway.authority(index).finishes = true;
    }
    TransferRequest request = Requests.transfer(random);
    assertVerifies(request, submit(request));
    assertThat(
            gateway.authority(3).transfers.getLast().certificate().size()
                + gateway.authority(4).transfers.getLast().certificate().size())
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void certificateSentOnHoldsVerifiedPartialsOnly() {
    gateway.authority(1).behaviour = Behaviour.RANDOM_POINT;
    gateway.authority(4).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(4).finishes = true;
    TransferRequest request = Requests.transfer(random);
    assertVerifies(request, submit(request));
    assertThat(gateway.authority(4).transfers.getLast().certificate())
        .extracting(io.solidus.protocol.PartialSignature::authority)
        .containsExactly(2, 3);
  }

  @Test
  void shareOfAnotherEpochIsNotCombinedAndNobodysFault() {
    gateway.authority(2).shareEpoch = 1;
    double before = gateway.answers(2, "faulty");
    TransferRequest request = Requests.transfer(random);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(authoritiesOf(answer)).doesNotContain(2);
    assertThat(gateway.answers(2, "faulty")).isEqualTo(before);
  }

  @Test
  void storedTransferIsFoundAndCollectedAgain() {
    TransferRequest request = Requests.transfer(random);
    JsonNode first = submit(request).json();
    String core = first.path("core").asString("");
    String lead = Base64Url.encode(request.statement().leadSerial().bytes());
    RestProbe.Answer again = gateway.rest.get("/v1/transfers/" + core + "?lead=" + lead);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("combined")).isEqualTo(first.path("combined"));
    String other = Base64Url.encode(random.serial().bytes());
    assertProblem(
        gateway.rest.get("/v1/transfers/" + core + "?lead=" + other), RejectionCode.NOT_FOUND);
    assertProblem(
        gateway.rest.get("/v1/transfers/" + "00".repeat(32) + "?lead=" + lead),
        RejectionCode.NOT_FOUND);
  }

  @Test
  void traceThatNoCallerChoosesReachesEveryAuthority() {
    String callers = "0af7651916cd43dd8448eb211c80319c";
    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/transfers",
            Requests.json(Requests.transfer(random)),
            "traceparent",
            "00-" + callers + "-b7ad6b7169203331-01");
    String trace = answer.header("X-Trace-Id");
    assertThat(trace).hasSize(32).isNotEqualTo(callers);
    Eventually.holds(() ->
        gateway.authorities.forEach(
            authority -> assertThat(authority.traces).anyMatch(p -> p.contains(trace))));
  }

  private static RestProbe.Answer submit(TransferRequest request) {
    return gateway.rest.post("/v1/transfers", Requests.json(request));
  }

  private static void assertVerifies(TransferRequest request) {
    assertVerifies(request, submit(request));
  }

  private static void assertVerifies(TransferRequest request, RestProbe.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Committee committee = TestCommittee.regulated().committee();
    assertThat(answer.json().path("partials").size()).isEqualTo(committee.quorum());
    InputDigest d = request.statement().inputDigest(TestCommittee.NETWORK);
    List<BlindedCoin> outputs = request.statement().outputs();
    assertThat(answer.json().path("combined").size()).isEqualTo(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      G1Point combined =
          new G1Point(
              Base64Url.decode(answer.json().path("combined").path(i).asString(""), "combined"));
      assertThat(
              TestCommittee.regulated()
                  .suite()
                  .verifyBlinded(committee, outputs.get(i), d, combined))
          .isTrue();
    }
  }

  private static List<Integer> authoritiesOf(RestProbe.Answer answer) {
    List<Integer> authorities = new ArrayList<>();
    answer
        .json()
        .path("partials")
        .forEach(partial -> authorities.add(partial.path("authority").asInt(0)));
    return authorities;
  }

  private static void assertProblem(RestProbe.Answer answer, RejectionCode code) {
    assertThat(answer.code()).as(answer.body()).isEqualTo(code.code());
    assertThat(answer.status()).isEqualTo(code.http());
    assertThat(answer.contentType()).startsWith("application/problem+json");
  }
}
