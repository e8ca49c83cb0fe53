package io.solidus.operator.issuance;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TestTokens;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The whole service on a port with its own database, and the calls of its clients. */
public final class IssuanceFixture implements AutoCloseable {
  public static final String RECORDER = "operator-ida";
  public static final List<String> APPROVERS =
      List.of("approver-anna", "approver-ben", "approver-cem");

  public final TestDatabase database;
  public final FakeSanctions sanctions;
  public final RestProbe rest;

  /** The service's clock. */
  public final MovableClock clock = new MovableClock();

  final TestTokens tokens = TestTokens.create();
  private final Map<String, Ed25519PrivateKey> approverKeys = new HashMap<>();
  private final ConfigurableApplicationContext context;

  /**
   * Starts the service on a new database.
   *
   * @param recorderMayApprove whether the operator is an approver too
   */
  public IssuanceFixture(WalletAndCommittee parties, Path dir, boolean recorderMayApprove)
      throws IOException {
    this(parties, dir, recorderMayApprove, TestPostgres.newDatabase(), Map.of());
  }

  /**
   * Starts the service.
   *
   * @param more further properties
   */
  public IssuanceFixture(
      WalletAndCommittee parties,
      Path dir,
      boolean recorderMayApprove,
      TestDatabase database,
      Map<String, Object> more)
      throws IOException {
    this.database = database;
    this.sanctions = new FakeSanctions(parties.tree.root());
    Map<String, Object> properties = new LinkedHashMap<>(database.springProperties());
    properties.putAll(tokens.springProperties());
    properties.putAll(sanctions.springProperties());
    properties.put("server.port", 0);
    properties.put("solidus.admin.port", 0);
    properties.put("solidus.platform.kafka", false);
    properties.put("solidus.network.id", TestCommittee.NETWORK.value());
    properties.put("solidus.network.kind", "regulated");
    properties.put("solidus.network.keys-dir", TestCommittee.regulated().keysDir());
    properties.put("solidus.network.manifest-key", TestCommittee.regulated().manifestKeyBase64());
    properties.put("solidus.network.allowed-key-classes", "development");
    properties.put("solidus.issuance.check-deadline", "2m");
    properties.put("solidus.issuance.rules-timeout", "2m");
    properties.put("solidus.issuance.redemption-key-file", random(dir, "redemption"));
    for (String approver : APPROVERS) {
      addApprover(properties, approver, approver);
    }
    if (recorderMayApprove) {
      addApprover(properties, RECORDER, RECORDER);
    }
    if (Boolean.TRUE.equals(more.get("screening"))) {
      properties.putAll(sanctions.screeningProperties());
    }
    properties.putAll(more);
    this.context =
        ServiceLauncher.builder(IssuanceApplication.class, "issuance")
            .initializers(starting ->
                ((GenericApplicationContext) starting)
                    .registerBean("clock", Clock.class, () -> clock))
            .run(
                properties.entrySet().stream()
                    .map(property -> "--" + property.getKey() + "=" + property.getValue())
                    .toArray(String[]::new));
    this.rest = new RestProbe(ServicePorts.http(context), ServicePorts.admin(context));
  }

  private void addApprover(Map<String, Object> properties, String name, String subject) {
    byte[] seed = new byte[32];
    new SecureRandom().nextBytes(seed);
    Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(seed);
    approverKeys.put(name, key);
    properties.put("solidus.issuance.approvers." + name + ".public-key", key.publicKey().base64());
    properties.put("solidus.issuance.approvers." + name + ".subject", subject);
  }

  private static Path random(Path dir, String name) throws IOException {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Files.write(dir.resolve(name), bytes);
  }

  /** The address of the admin API. */
  public URI admin() {
    return URI.create("http://127.0.0.1:" + ServicePorts.admin(context));
  }

  /** A component of the service. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public String[] as(String subject, String... roles) {
    return new String[] {
      "Authorization", "Bearer " + tokens.tokenAt(clock.instant(), subject, roles)
    };
  }

  public String[] operator() {
    return as(RECORDER, "issuance-operator");
  }

  /** Records a funding and returns its access token. */
  public String fund(String fundingId, long amountMinor) {
    Answer answer = recordFunding(fundingId, amountMinor);
    if (answer.status() != 201) {
      throw new AssertionError(answer.body());
    }
    return answer.json().path("accessToken").asString();
  }

  public Answer recordFunding(String fundingId, long amountMinor) {
    return rest.post(
        "/admin/v1/fundings",
        Map.of(
            "fundingId",
            fundingId,
            "amountMinor",
            amountMinor,
            "accountReference",
            "DE89370400440532013000"),
        operator());
  }

  /** Requests a mint as a wallet does. */
  public Answer requestMint(String fundingId, String accessToken, MintRequest request) {
    return rest.post(
        "/v1/mints",
        Map.of("fundingId", fundingId, "accessToken", accessToken, "mint", mintJson(request)),
        "Idempotency-Key",
        request.statement().core(TestCommittee.NETWORK).hex());
  }

  private static Map<String, Object> mintJson(MintRequest request) {
    return Map.of(
        "mintId", id(request),
        "valueMinor", request.statement().value().minor(),
        "cm", Base64Url.encode(request.statement().coin().cm().bytes()),
        "k", Base64Url.encode(request.statement().coin().k().bytes()),
        "circuitVersion", request.circuitVersion(),
        "proof", Base64Url.encode(request.proof()));
  }

  public static String id(MintRequest request) {
    return Base64Url.encode(request.statement().mintId().bytes());
  }

  public byte[] signatureOf(String approver, MintStatement statement) {
    return Objects.requireNonNull(approverKeys.get(approver), approver)
        .sign(MintApproval.message(TestCommittee.NETWORK, statement));
  }

  /** Approves with the approver's own name and key. */
  public Answer approve(String approver, MintRequest request) {
    return approve(approver, approver, signatureOf(approver, request.statement()), request);
  }

  public Answer approve(String subject, String approver, byte[] signature, MintRequest request) {
    return rest.post(
        "/admin/v1/mints/" + id(request) + "/approvals",
        Map.of("approver", approver, "signature", Base64Url.encode(signature)),
        as(subject, "approver"));
  }

  /** Records a funding, requests a mint of its value and approves it twice. */
  public MintRequest issue(WalletAndCommittee parties, String fundingId, long valueMinor) {
    MintRequest request = parties.mint(valueMinor);
    requestMint(fundingId, fund(fundingId, valueMinor), request);
    approve(APPROVERS.get(0), request);
    Answer approved = approve(APPROVERS.get(1), request);
    if (approved.status() != 200) {
      throw new AssertionError(approved.body());
    }
    return request;
  }

  public EncryptionKey redemptionKey() {
    return new EncryptionKey(
        Base64Url.decode(
            rest.get("/v1/redemption-key").json().path("publicKey").asString(), "publicKey"));
  }

  /** A payout block, sealed as a wallet does. */
  public byte[] payoutBlock(String json) {
    return seal(redemptionKey(), json);
  }

  public static byte[] seal(EncryptionKey key, String json) {
    byte[] plain =
        Arrays.copyOf(
            json.getBytes(StandardCharsets.UTF_8),
            Attachments.PAYOUT_BYTES - Hpke.KEY_BYTES - Hpke.TAG_BYTES);
    SealedMessage sealed =
        Hpke.seal(
            key,
            "solidus/payout/v1".getBytes(StandardCharsets.US_ASCII),
            TestCommittee.NETWORK.digest().bytes(),
            plain);
    return ByteBuffer.allocate(Attachments.PAYOUT_BYTES)
        .put(sealed.encapsulatedKey())
        .put(sealed.ciphertext())
        .array();
  }

  /** Requests a payout as a wallet does. */
  public Answer redeem(TransferRequest request, List<PartialSignature> partials) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("request", TransferRequestJson.of(request));
    body.put("partials", partials.stream().map(PartialSignatureJson::of).toList());
    return rest.post(
        "/v1/redemptions",
        body,
        "Idempotency-Key",
        request.statement().core(TestCommittee.NETWORK).hex());
  }

  /** The sums issued, redeemed and outstanding. */
  public List<Long> supply() {
    Answer answer = rest.get("/admin/v1/supply", as("auditor-otto", "auditor"));
    return List.of(
        answer.json().path("issuedMinor").asLong(),
        answer.json().path("redeemedMinor").asLong(),
        answer.json().path("outstandingMinor").asLong());
  }

  public long count(String table) {
    return database.jdbc().sql("SELECT count(*) FROM " + table).query(Long.class).single();
  }

  @Override
  public void close() {
    context.close();
    sanctions.close();
  }
}
