package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Committee;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Transfers with authorities that sign with their real shares, or misbehave. */
@Tag("process")
class TransferQuorumTest {
  @RegisterExtension private static final GatewayFixture gateway = new GatewayFixture();

  private final Generators random = new Generators(System.nanoTime());

  @Test
  void answersWithAQuorumWhoseCombinationVerifies() {
    TransferRequest request = TestRequests.transfer(random);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(answer.json().path("core").asString(""))
        .isEqualTo(request.statement().core(TestCommittee.NETWORK).hex());
    assertThat(answer.json().path("faulty").size()).isZero();
  }

  @Test
  void marksTransfersAsDoubtfulAfterAnInvalidProof() {
    try (GatewayFixture own = new GatewayFixture()) {
      own.authorities.forEach(authority -> authority.refusal = RejectionCode.SERIAL_CONFLICT);
      own.rest.post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)));
      own.authorities.forEach(authority -> authority.refusal = RejectionCode.PROOF_INVALID);
      assertThat(
              own.rest
                  .post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)))
                  .code())
          .isEqualTo("proof-invalid");
      own.authorities.forEach(authority -> authority.refusal = null);
      assertThat(
              own.rest
                  .post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)))
                  .status())
          .isEqualTo(200);
      Eventually.holds(
          () -> assertThat(own.authority(1).doubtful).containsExactly(false, false, true));
    }
  }

  @ParameterizedTest
  @CsvSource({"SERIALS_NOT_DISTINCT,contradicts-quorum", "PROOF_INVALID,disputes-evidence"})
  void reportsAnAuthorityThatContradictsAQuorum(RejectionCode code, String reason) {
    double before = gateway.faults(2, reason);
    gateway.authority(2).refusal = code;
    TransferRequest request = TestRequests.transfer(random);
    assertVerifies(request, submit(request));
    Eventually.holds(() -> assertThat(gateway.faults(2, reason)).isEqualTo(before + 1));
  }

  @Test
  void aRepeatedTransferGetsTheSameSignature() {
    TransferRequest request = TestRequests.transfer(random);
    assertThat(submit(request).json().path("combined"))
        .isEqualTo(submit(request).json().path("combined"));
  }

  /** Whichever authority misbehaves and however: the wallet gets its certificate. */
  @ParameterizedTest
  @EnumSource(AuthorityBehaviour.class)
  void oneFaultyAuthorityDoesNotAffectTheWallet(AuthorityBehaviour behaviour) {
    for (int faulty = 1; faulty <= TestCommittee.N; faulty++) {
      gateway.reset();
      int index = faulty;
      double before = gateway.answers(index, "faulty");
      gateway.authority(index).behaviour = behaviour;
      TransferRequest request = TestRequests.transfer(random);
      RestProbe.Answer answer =
          submit(request); // a held or silent authority answers later or never
      assertVerifies(request, answer);
      if (behaviour.faulty()) {
        Eventually.holds(() -> assertThat(gateway.answers(index, "faulty")).isEqualTo(before + 1));
        assertThat(authoritiesOf(answer)).doesNotContain(index);
      } else {
        assertThat(gateway.answers(index, "faulty")).isEqualTo(before);
      }
    }
  }

  @Test
  void namesAFaultyAuthorityInTheAnswerThatCameBeforeTheQuorum() {
    gateway.authority(3).behaviour = AuthorityBehaviour.RANDOM_POINT;
    gateway.authority(4).behaviour = AuthorityBehaviour.HELD;
    double before = gateway.answers(3, "faulty");
    TransferRequest request = TestRequests.transfer(random);
    CompletableFuture<RestProbe.Answer> submitted =
        CompletableFuture.supplyAsync(() -> submit(request));
    Eventually.holds(() -> assertThat(gateway.answers(3, "faulty")).isEqualTo(before + 1));
    gateway.authority(4).release();
    RestProbe.Answer answer = submitted.join();
    assertVerifies(request, answer);
    assertThat(answer.json().path("faulty").path(0).asInt(0)).isEqualTo(3);
  }

  @Test
  void twoFaultyOfFourAuthoritiesPreventAQuorum() {
    gateway.authority(1).behaviour = AuthorityBehaviour.WRONG_SHARE;
    gateway.authority(2).behaviour = AuthorityBehaviour.IDENTITY;
    RestProbe.Answer answer = submit(TestRequests.transfer(random));
    assertProblem(answer, RejectionCode.NO_QUORUM);
    assertThat(answer.header("Retry-After")).isNotEmpty();
  }

  /** A reason counts when f+1 authorities give it; the reason of one authority does not. */
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
  void aReasonOfFPlusOneAuthoritiesReachesTheWallet(RejectionCode code) {
    gateway.authority(1).refusal = code;
    assertVerifies(TestRequests.transfer(random));
    gateway.authority(2).refusal = code;
    RestProbe.Answer answer = submit(TestRequests.transfer(random));
    assertProblem(answer, code);
    assertThat(answer.json().path("retryable").asBoolean(!code.retryable()))
        .isEqualTo(code.retryable());
  }

  @Test
  void differentReasonsGiveNoQuorum() {
    gateway.authority(1).refusal = RejectionCode.PROOF_INVALID;
    gateway.authority(2).refusal = RejectionCode.STALE_POLICY;
    assertProblem(submit(TestRequests.transfer(random)), RejectionCode.NO_QUORUM);
  }

  @Test
  void answersPermanentRefusalsWithoutWaitingForASilentAuthority() {
    gateway.authority(1).refusal = RejectionCode.SERIAL_CONFLICT;
    gateway.authority(2).refusal = RejectionCode.SERIAL_CONFLICT;
    gateway.authority(3).behaviour = AuthorityBehaviour.WITHHOLDS;
    assertProblem(submit(TestRequests.transfer(random)), RejectionCode.SERIAL_CONFLICT);
  }

  /** Two authorities sign, two have a newer policy: f+1 partial signatures make these sign too. */
  @Test
  void finishesATransferDuringAPolicyChange() {
    for (int index : List.of(3, 4)) {
      gateway.authority(index).refusal = RejectionCode.STALE_POLICY;
      gateway.authority(index).acceptsCertificate = true;
    }
    TransferRequest request = TestRequests.transfer(random);
    assertVerifies(request, submit(request));
    assertThat(
            gateway.authority(3).received(request).getLast().certificate().size()
                + gateway.authority(4).received(request).getLast().certificate().size())
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void theCertificateForTheFinishRuleHasVerifiedPartialsOnly() {
    gateway.authority(1).behaviour = AuthorityBehaviour.RANDOM_POINT;
    gateway.authority(4).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(4).acceptsCertificate = true;
    TransferRequest request = TestRequests.transfer(random);
    assertVerifies(request, submit(request));
    assertThat(gateway.authority(4).received(request).getLast().certificate())
        .extracting(io.solidus.protocol.PartialSignature::authority)
        .containsExactly(2, 3);
  }

  @Test
  void appliesTheFinishRuleWithoutAnAuthorityThatIsSilent() {
    gateway.silence(4);
    gateway.authority(3).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(3).acceptsCertificate = true;
    TransferRequest request = TestRequests.transfer(random);
    assertVerifies(request, submit(request));
    assertThat(gateway.authority(3).received(request))
        .extracting(sent -> sent.certificate().size())
        .containsExactly(0, 2);
  }

  @Test
  void doesNotCombineAShareOfAnotherEpochAndReportsNoFault() {
    gateway.authority(2).shareEpoch = 1;
    double before = gateway.answers(2, "faulty");
    TransferRequest request = TestRequests.transfer(random);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(authoritiesOf(answer)).doesNotContain(2);
    assertThat(gateway.answers(2, "faulty")).isEqualTo(before);
  }

  @Test
  void findsAStoredTransferAndCollectsItAgain() {
    TransferRequest request = TestRequests.transfer(random);
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
  void theGatewaysOwnTraceReachesEveryAuthority() {
    String callers = "0af7651916cd43dd8448eb211c80319c";
    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/transfers",
            TestRequests.json(TestRequests.transfer(random)),
            "traceparent",
            "00-" + callers + "-b7ad6b7169203331-01");
    String trace = answer.header("X-Trace-Id");
    assertThat(trace).hasSize(32).isNotEqualTo(callers);
    Eventually.holds(() ->
        gateway.authorities.forEach(
            authority -> assertThat(authority.traces).anyMatch(p -> p.contains(trace))));
  }

  private static RestProbe.Answer submit(TransferRequest request) {
    return gateway.rest.post("/v1/transfers", TestRequests.json(request));
  }

  private static void assertVerifies(TransferRequest request) {
    assertVerifies(request, submit(request));
  }

  private static void assertVerifies(TransferRequest request, RestProbe.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Committee committee = TestCommittee.regulated().committee();
    assertThat(answer.json().path("partials").size()).isEqualTo(committee.quorum());
    Outputs outputs = Outputs.of(TestCommittee.NETWORK, request.statement());
    assertThat(answer.json().path("combined").size()).isEqualTo(outputs.coins().size());
    for (int i = 0; i < outputs.coins().size(); i++) {
      G1Point combined =
          new G1Point(
              Base64Url.decode(answer.json().path("combined").path(i).asString(""), "combined"));
      assertThat(TestCommittee.regulated().suite().verifyBlinded(committee, outputs, i, combined))
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
