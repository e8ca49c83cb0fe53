package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Signatures on minted coins and first compliance coins. */
@Tag("process")
class MintAndRegistrationTest {
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway = GatewayFixture.shared();
  }

  @BeforeEach
  void reset() {
    gateway.reset();
  }

  @Test
  void aMintGetsAQuorumsSignatureDespiteAFaultyAuthority() {
    gateway.authority(1).behaviour = AuthorityBehaviour.WRONG_SHARE;
    MintRequest mint = TestRequests.mint(random);
    RestProbe.Answer answer =
        gateway.rest.post("/v1/mints", WireJson.write(MintRequestJson.of(mint)));
    assertVerifies(answer, Outputs.of(TestCommittee.NETWORK, mint.statement()));
  }

  @Test
  void theReasonOfARefusedMintReachesTheCaller() {
    gateway.authority(1).refusal = RejectionCode.MINT_CAP_EXCEEDED;
    gateway.authority(2).refusal = RejectionCode.MINT_CAP_EXCEEDED;
    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/mints", WireJson.write(MintRequestJson.of(TestRequests.mint(random))));
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo("mint-cap-exceeded");
  }

  @Test
  void aRegistrationGetsAQuorumsSignature() {
    RegisterRequest request = TestRequests.register(random);
    RestProbe.Answer answer = register(request, note(request));
    assertVerifies(answer, Outputs.of(TestCommittee.NETWORK, request.statement()));
  }

  @Test
  void theReasonOfARefusedRegistrationReachesTheCaller() {
    gateway.authority(1).refusal = RejectionCode.ALREADY_REGISTERED;
    gateway.authority(4).refusal = RejectionCode.ALREADY_REGISTERED;
    RegisterRequest request = TestRequests.register(random);
    assertThat(register(request, note(request)).code()).isEqualTo("already-registered");
  }

  @Test
  void refusesAnAttestationThatIsNotANote() {
    RegisterRequest request = TestRequests.register(random);
    assertThat(register(request, "no note").code()).isEqualTo("malformed-request");
    assertThat(gateway.rest.post("/v1/registrations/signatures", "{}").code())
        .isEqualTo("malformed-request");
  }

  /** Strangers, who have no attestation or that of another registration. */
  @Test
  void noIssuerSeesARegistrationWithoutItsAttestation() {
    RegisterRequest request = TestRequests.register(random);
    NoteSigner stranger = NoteSigner.fromSeed(NoteTrust.REGISTRATION, random.bytes(32));
    assertThat(register(request, TestNotes.attestation(request, stranger)).code())
        .isEqualTo("attestation-invalid");
    assertThat(register(request, note(TestRequests.register(random))).code())
        .isEqualTo("attestation-invalid");
    assertThat(gateway.authorities).allMatch(authority -> authority.registrations.isEmpty());
    assertThat(register(request, note(request)).status()).isEqualTo(200);
    assertThat(gateway.authorities).anyMatch(authority -> !authority.registrations.isEmpty());
  }

  @Test
  void aKeyThatIsNotTheCoreIsRefusedAndReachesNoAuthority() {
    MintRequest mint = TestRequests.mint(random);
    String body = WireJson.write(MintRequestJson.of(mint));
    RestProbe.Answer wrong =
        gateway.rest.post("/v1/mints", body, "Idempotency-Key", "00".repeat(32));
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.code()).isEqualTo("idempotency-mismatch");
    RegisterRequest request = TestRequests.register(random);
    assertThat(register(request, note(request), "00".repeat(32)).code())
        .isEqualTo("idempotency-mismatch");
    assertThat(gateway.authorities).allMatch(authority -> authority.registrations.isEmpty());
    String core = mint.statement().core(TestCommittee.NETWORK).hex();
    assertThat(gateway.rest.post("/v1/mints", body, "Idempotency-Key", core).status())
        .isEqualTo(200);
    assertThat(
            register(request, note(request), request.statement().core(TestCommittee.NETWORK).hex())
                .status())
        .isEqualTo(200);
  }

  @Test
  void delegatedProofsNeedAProver() {
    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/proofs",
            Map.of(
                "family",
                3,
                "encapsulatedKey",
                Base64Url.encode(new byte[32]),
                "sealedWitness",
                "AA"));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.code()).isEqualTo("not-found");
  }

  private static RestProbe.Answer register(RegisterRequest request, String note, String... key) {
    return gateway.rest.post(
        "/v1/registrations/signatures",
        Map.of(
            "request",
            JsonMapper.shared().readTree(WireJson.write(RegisterRequestJson.of(request))),
            "attestationNote",
            note),
        key.length == 0 ? new String[0] : new String[] {"Idempotency-Key", key[0]});
  }

  private static String note(RegisterRequest request) {
    return TestNotes.attestation(request, TestNotes.REGISTRATION);
  }

  private static void assertVerifies(RestProbe.Answer answer, Outputs outputs) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    G1Point combined =
        new G1Point(
            Base64Url.decode(answer.json().path("combined").path(0).asString(""), "combined"));
    assertThat(
            TestCommittee.regulated()
                .suite()
                .verifyBlinded(TestCommittee.regulated().committee(), outputs, 0, combined))
        .isTrue();
  }
}
