package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Points;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Malformed requests: the gateway refuses them and sends nothing to an authority. */
@Tag("process")
class BadRequestsTest {
  private static final Generators RANDOM = new Generators(21);
  private static GatewayFixture gateway;

  @BeforeAll
  static void start() {
    gateway = GatewayFixture.shared();
  }

  @AfterAll
  static void noTransferReachedAnAuthority() {
    assertThat(gateway.authorities)
        .allSatisfy(authority -> assertThat(authority.transfers).isEmpty());
  }

  @Test
  void wrongLengths() {
    String shorter = Base64Url.encode(new byte[95]);
    for (int wrong : new int[] {63, 65, 96}) {
      refused(
          body -> evidence(body).put("rk", Base64Url.encode(new byte[wrong])), "malformed-request");
    }
    // the second is the length of an unregulated transfer's proof
    for (int wrong :
        new int[] {
          Family.TRANSFER.proofBytes() - 1, Family.TRANSFER_UNREGULATED.proofBytes(), 772
        }) {
      refused(
          body -> evidence(body).put("proof", Base64Url.encode(new byte[wrong])),
          "malformed-request");
    }
    refused(
        body -> evidence(body).put("rkSignature", Base64Url.encode(new byte[97])),
        "malformed-request");
    refused(body -> serials(body).set(0, Base64Url.encode(new byte[31])), "malformed-request");
    refused(body -> output(body).put("k", shorter), "malformed-request");
    refused(body -> output(body).put("cm", Base64Url.encode(new byte[33])), "malformed-request");
    refused(
        body -> attachments(body).put("payoutBlock", Base64Url.encode(new byte[511])),
        "malformed-request");
    refused(body -> attachments(body).put("memoBlock", ""), "malformed-request");
  }

  @Test
  void invalidPoints() {
    byte[] notCanonical = new byte[G1Point.BYTES];
    Arrays.fill(notCanonical, (byte) 0xff);
    refused(
        body -> evidence(body).put("rk", Base64Url.encode(Arrays.copyOf(notCanonical, 64))),
        "malformed-request");
    refused(body -> output(body).put("k", Base64Url.encode(notCanonical)), "malformed-request");
    String identity = Base64Url.encode(new byte[G1Point.BYTES]);
    refused(
        body -> evidence(body).put("rk", Base64Url.encode(Points.keyIdentity())), "identity-point");
    refused(body -> output(body).put("k", identity), "identity-point");
    refused(
        body -> ((ObjectNode) evidence(body).path("shows").path(1)).put("h", identity),
        "identity-point");
  }

  @Test
  void nonCanonicalFieldElements() {
    byte[] modulus = io.solidus.protocol.FieldElement.MODULUS.toByteArray();
    refused(body -> serials(body).set(1, Base64Url.encode(modulus)), "malformed-request");
    refused(body -> output(body).put("cm", Base64Url.encode(modulus)), "malformed-request");
  }

  @Test
  void familiesNumbersAndCounts() {
    for (int family : new int[] {0, 1, 2, 4, 5, 6, 99}) {
      refused(body -> statement(body).put("family", family), "malformed-request");
    }
    refused(body -> statement(body).put("withdrawnMinor", -1), "malformed-request");
    refused(body -> statement(body).put("period", -1), "malformed-request");
    refused(body -> statement(body).put("period", 4294967296L), "malformed-request");
    refused(body -> statement(body).put("withdrawnMinor", 1.5), "malformed-request");
    refused(body -> statement(body).put("withdrawnMinor", "1"), "malformed-request");
    refused(body -> serials(body).remove(0), "malformed-request");
    refused(body -> ((ArrayNode) statement(body).path("outputs")).remove(0), "malformed-request");
    refused(body -> ((ArrayNode) evidence(body).path("shows")).remove(0), "malformed-request");
    refused(body -> evidence(body).put("circuitVersion", -1), "malformed-request");
  }

  /** Without a shape in its keys the gateway refuses its family like an unknown one. */
  @Test
  @Spec("V-40")
  void otherShapesWithoutTheirKeys() {
    for (Family shape : new Family[] {Family.CLAIM_16, Family.PAY_8}) {
      TransferRequest request = RANDOM.transferRequest(TestCommittee.NETWORK, shape);
      RestProbe.Answer answer = gateway.rest.post("/v1/transfers", TestRequests.json(request));
      assertProblem(answer, 400, "malformed-request");
      assertThat(answer.body()).contains("does not accept the statement's family");
    }
  }

  /** A transfer to one payee with the memo block of one to several. */
  @Test
  @Spec("F-82")
  void aMemoBlockOfAnotherFamily() {
    refused(
        body ->
            attachments(body)
                .put("memoBlock", Base64Url.encode(new byte[Attachments.LONG_MEMO_BYTES])),
        "malformed-request");
  }

  @Test
  void oneSerialTwice() {
    refused(body -> serials(body).set(1, serials(body).path(2)), "serials-not-distinct");
    refused(body -> serials(body).set(1, serials(body).path(0)), "serials-not-distinct");
  }

  @Test
  void attachmentsOfAnotherStatement() {
    refused(
        body -> attachments(body).put("memoBlock", Base64Url.encode(new byte[1024])),
        "context-mismatch");
  }

  @Test
  void missingExtraAndRepeatedNames() {
    refused(body -> body.remove("statement"), "malformed-request");
    refused(body -> body.remove("evidence"), "malformed-request");
    refused(body -> body.remove("attachments"), "malformed-request");
    refused(body -> body.put("more", 1), "malformed-request");
    refused(body -> statement(body).put("more", 1), "malformed-request");
    assertProblem(gateway.rest.post("/v1/transfers", "{}"), 400, "malformed-request");
    assertProblem(gateway.rest.post("/v1/transfers", ""), 400, "malformed-request");
    assertProblem(
        gateway.rest.post("/v1/transfers", "{\"statement\":{},\"statement\":{}}"),
        400,
        "malformed-request");
  }

  @Test
  void oversizedBodies() {
    ObjectNode body = body(TestRequests.transfer(RANDOM));
    body.put("more", "x".repeat(70_000));
    assertProblem(gateway.rest.post("/v1/transfers", body.toString()), 413, "body-too-large");
    assertProblem(
        gateway.rest.post("/v1/mailbox", "\"" + "x".repeat(70_000) + "\""), 413, "body-too-large");
  }

  @Test
  void anIdempotencyKeyOtherThanTheCore() {
    String body = TestRequests.json(TestRequests.transfer(RANDOM));
    assertProblem(
        gateway.rest.post("/v1/transfers", body, "Idempotency-Key", "00".repeat(32)),
        422,
        "idempotency-mismatch");
  }

  @Test
  void anInvalidLeadSerial() {
    assertProblem(gateway.rest.get("/v1/transfers/" + "00".repeat(32)), 400, "malformed-request");
    assertProblem(
        gateway.rest.get("/v1/transfers/" + "00".repeat(32) + "?lead=AAAA"),
        400,
        "malformed-request");
  }

  @Test
  void servesNothingButTheApi() {
    assertProblem(gateway.rest.get("/v1/elsewhere"), 404, "not-found");
    assertProblem(gateway.rest.get("/admin/v1/anything"), 401, "unauthorized");
    assertThat(gateway.rest.get("/elsewhere").status()).isEqualTo(401);
    assertThat(gateway.rest.get("/actuator/env").status()).isGreaterThanOrEqualTo(400);
    assertThat(gateway.rest.get("/actuator/health/readiness").status()).isEqualTo(200);
  }

  private static void refused(Consumer<ObjectNode> change, String code) {
    ObjectNode body = body(TestRequests.transfer(RANDOM));
    change.accept(body);
    assertProblem(gateway.rest.post("/v1/transfers", body.toString()), 400, code);
  }

  private static ObjectNode body(TransferRequest request) {
    return (ObjectNode) JsonMapper.shared().readTree(TestRequests.json(request));
  }

  private static ObjectNode statement(ObjectNode body) {
    return (ObjectNode) body.path("statement");
  }

  private static ObjectNode evidence(ObjectNode body) {
    return (ObjectNode) body.path("evidence");
  }

  private static ObjectNode attachments(ObjectNode body) {
    return (ObjectNode) body.path("attachments");
  }

  private static ArrayNode serials(ObjectNode body) {
    return (ArrayNode) statement(body).path("serials");
  }

  private static ObjectNode output(ObjectNode body) {
    return (ObjectNode) statement(body).path("outputs").path(0);
  }

  private static void assertProblem(RestProbe.Answer answer, int status, String code) {
    assertThat(answer.code()).as(answer.body()).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.contentType()).startsWith("application/problem+json");
  }
}
