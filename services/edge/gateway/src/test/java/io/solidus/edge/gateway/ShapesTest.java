package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway whose folder of keys has shapes: claims of 16 and payments to eight. */
@Tag("process")
class ShapesTest {
  @RegisterExtension
  private static final GatewayFixture gateway =
      new GatewayFixture(
          Map.of(
              "solidus.network.keys-dir", TestCommittee.withShapes().keysDir(),
              "solidus.network.manifest-key", TestCommittee.withShapes().manifestKeyBase64()));

  private final Generators random = new Generators(System.nanoTime());

  @Test
  @Spec("V-40")
  void theCapabilitiesListTheShapes() {
    assertThat(gateway.rest.get("/v1/capabilities").json().path("families").valueStream())
        .extracting(family -> family.path("code").asInt(0))
        .contains(3, 7, 8);
  }

  @Test
  void ninePointsAreCombinedAndVerify() {
    TransferRequest request = TestRequests.transfer(random, Family.PAY_8);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(answer.json().path("faulty").size()).isZero();
  }

  /** Attack: an authority signs a part of the nine outputs, or in another order. */
  @ParameterizedTest
  @EnumSource(names = {"TOO_FEW_POINTS", "SWAPPED_POINTS", "RANDOM_POINT"})
  @Spec({"V-08", "E-15"})
  void anAnswerWithAnotherPointCountsForNoneOfTheNine(AuthorityBehaviour behaviour) {
    double before = gateway.answers(2, "faulty");
    gateway.authority(2).behaviour = behaviour;
    TransferRequest request = TestRequests.transfer(random, Family.PAY_8);
    RestProbe.Answer answer = submit(request);
    assertVerifies(request, answer);
    assertThat(answer.json().path("partials").valueStream())
        .extracting(partial -> partial.path("authority").asInt(0))
        .doesNotContain(2);
    Eventually.holds(() -> assertThat(gateway.answers(2, "faulty")).isEqualTo(before + 1));
  }

  /** The finish rule, with nine points in each partial signature. */
  @Test
  @Spec({"V-11", "V-41"})
  void votesWithNinePointsFinishATransfer() {
    gateway.authority(4).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(4).acceptsCertificate = true;
    gateway.silence(1);
    TransferRequest request = TestRequests.transfer(random, Family.PAY_8);
    assertVerifies(request, submit(request));
    assertThat(gateway.authority(4).received(request).getLast().certificate())
        .hasSizeBetween(
            TestCommittee.regulated().committee().weakQuorum(),
            TestCommittee.regulated().committee().certificateVotes())
        .allSatisfy(partial -> assertThat(partial.points()).hasSize(9))
        .extracting(PartialSignature::authority)
        .doesNotContain(4);
  }

  private static RestProbe.Answer submit(TransferRequest request) {
    return gateway.rest.post("/v1/transfers", TestRequests.json(request));
  }

  private static void assertVerifies(TransferRequest request, RestProbe.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Committee committee = TestCommittee.regulated().committee();
    Outputs outputs = Outputs.of(TestCommittee.NETWORK, request.statement());
    assertThat(answer.json().path("combined").size()).isEqualTo(9);
    for (int i = 0; i < 9; i++) {
      G1Point combined =
          new G1Point(
              Base64Url.decode(answer.json().path("combined").path(i).asString(""), "combined"));
      assertThat(TestCommittee.regulated().suite().verifyBlinded(committee, outputs, i, combined))
          .as("output %d", i)
          .isTrue();
    }
  }
}
