package io.solidus.operator.sanctions;

import static io.solidus.operator.sanctions.SanctionsFixture.NETWORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.protocol.Address;
import io.solidus.protocol.Apk;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.SanctionTree;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two persons list an address. A signed checkpoint contains the whole list and is never withdrawn.
 */
@Tag("process")
class AddressesAndCheckpointsTest {
  private static SanctionsFixture service;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Apk apk(int n) {
    return new Apk(
        FieldElement.of(
            FieldElement.MODULUS.divide(BigInteger.valueOf(1000)).multiply(BigInteger.valueOf(n))));
  }

  private static SanctionCheckpoint newest() {
    Answer answer = service.rest.get("/v1/sanctions/checkpoint");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).startsWith("text/plain");
    SignedNote note =
        SignedNote.parse(answer.body()).requireSignedBy(SanctionsFixture.checkpointKey());
    return SanctionCheckpoint.parse(NETWORK, note.text());
  }

  private static HttpResponse<byte[]> listOf(long version, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create(
                service
                    .rest
                    .get("/v1/sanctions/checkpoint")
                    .response()
                    .uri()
                    .resolve("/v1/sanctions/checkpoints/" + version + "/list")
                    .toString()));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private static Answer propose(Map<String, Object> body, String... headers) {
    return service.rest.post(
        "/admin/v1/sanctions/addresses",
        body,
        headers.length == 0 ? service.sanctionsOperator() : headers);
  }

  private static List<String> listedKeys() {
    return service
        .database
        .jdbc()
        .sql("SELECT encode(key, 'hex') FROM sanctioned_address")
        .query(String.class)
        .list();
  }

  @Test
  void aNewNetworkStartsWithTheEmptyList() throws Exception {
    Answer first = service.rest.get("/v1/sanctions/checkpoints/1");
    SanctionCheckpoint checkpoint =
        SanctionCheckpoint.parse(
            NETWORK,
            SignedNote.parse(first.body())
                .requireSignedBy(SanctionsFixture.checkpointKey())
                .text());
    assertThat(checkpoint.size()).isZero();
    try (SanctionTree tree = SanctionTree.build(NETWORK, new byte[0])) {
      assertThat(checkpoint.root()).isEqualTo(tree.root());
    }
    assertThat(listOf(1).body()).isEmpty();
  }

  @Test
  void anApprovedAddressIsInTheNextCheckpoint() throws Exception {
    Apk listed = apk(500);
    long before = newest().version();
    Answer proposal = propose(Map.of("apk", listed.hex(), "reason", "court order"));
    assertThat(proposal.status()).isEqualTo(202);
    assertThat(proposal.json().path("state").asString()).isEqualTo("pending");
    String id = proposal.json().path("id").asString();
    String key = SanctionKey.of(listed).hex();
    assertThat(listedKeys()).doesNotContain(key);

    Answer approved = service.approve(id, service.approver());
    assertThat(approved.status()).isEqualTo(200);
    assertThat(approved.json().path("decidedBy").asString()).isEqualTo("anna");
    assertThat(listedKeys()).contains(key);
    assertThat(newest().version()).isEqualTo(before);

    Answer published = service.publishCheckpoint();
    assertThat(published.status()).isEqualTo(201);
    SanctionCheckpoint checkpoint = newest();
    assertThat(checkpoint.version()).isEqualTo(before + 1);
    byte[] bytes = listOf(checkpoint.version()).body();
    SanctionList list = SanctionList.fromBytes(bytes);
    assertThat(list.keys()).contains(SanctionKey.of(listed));
    assertThat(list.digest(NETWORK)).isEqualTo(checkpoint.listDigest());
    assertThat(checkpoint.size()).isEqualTo(list.keys().size());
    try (SanctionTree tree = SanctionTree.build(NETWORK, bytes)) {
      assertThat(tree.root()).isEqualTo(checkpoint.root());
    }
  }

  @Test
  void theAuthorOfAProposalCannotApproveIt() {
    Answer proposal = propose(Map.of("apk", apk(10).hex(), "reason", "r"));
    String id = proposal.json().path("id").asString();
    Answer self = service.approve(id, service.as("olga", "sanctions-operator", "approver"));
    assertThat(self.status()).isEqualTo(403);
    assertThat(listedKeys()).doesNotContain(SanctionKey.of(apk(10)).hex());
    assertThat(service.approve(id, service.policyOperator()).status()).isEqualTo(403);
    assertThat(service.approve(id, service.as("omar", "sanctions-operator")).status())
        .isEqualTo(200);
  }

  @Test
  void theDatabaseRefusesApprovalByTheAuthor() {
    Answer proposal = propose(Map.of("apk", apk(11).hex(), "reason", "r"));
    String id = proposal.json().path("id").asString();
    assertThatThrownBy(() ->
            service
                .database
                .jdbc()
                .sql(
                    "UPDATE proposal SET state = 'approved', decided_by = proposed_by WHERE id = ?::uuid")
                .param(id)
                .update())
        .hasMessageContaining("proposal_four_eyes");
  }

  @Test
  void concurrentApprovalsTakeEffectOnce() throws Exception {
    Answer proposal = propose(Map.of("apk", apk(20).hex(), "reason", "r"));
    String id = proposal.json().path("id").asString();
    List<Callable<Integer>> calls =
        IntStream.range(0, 12)
            .<Callable<Integer>>mapToObj(
                i -> () -> service.approve(id, service.as("approver-" + i, "approver")).status())
            .toList();
    try (ExecutorService pool = Executors.newFixedThreadPool(12)) {
      List<Integer> statuses =
          pool.invokeAll(calls).stream().map(AddressesAndCheckpointsTest::join).toList();
      assertThat(statuses).filteredOn(status -> status == 200).hasSize(1);
      assertThat(statuses).filteredOn(status -> status == 409).hasSize(11);
    }
  }

  private static int join(Future<Integer> call) {
    try {
      return call.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatWaitsIsCountedWithoutALook() {
    String waits =
        propose(Map.of("apk", apk(60).hex(), "subject", "Somebody", "reason", "r"))
            .json()
            .path("id")
            .asString();
    String looks = "/admin/v1/sanctions/events?kind=proposals+read&limit=500";
    String before = service.rest.get(looks, service.as("aud", "auditor")).body();
    Answer queues = service.rest.get("/admin/v1/approvals/queues", service.approver());
    assertThat(queues.status()).as(queues.body()).isEqualTo(200);
    assertThat(queues.body()).doesNotContain("Somebody", waits);
    assertThat(queues.json().path("queues").findValuesAsString("kind")).contains("address-listing");
    assertThat(queues.json().path("queues").path(0).path("count").asLong()).isPositive();
    assertThat(service.rest.get(looks, service.as("aud", "auditor")).body()).isEqualTo(before);
  }

  @Test
  void approvalsAreIdempotentAndRefusalsFinal() {
    String approved =
        propose(Map.of("apk", apk(30).hex(), "reason", "r")).json().path("id").asString();
    assertThat(service.approve(approved, service.approver()).status()).isEqualTo(200);
    assertThat(service.approve(approved, service.approver()).status()).isEqualTo(200);
    String refused =
        propose(Map.of("apk", apk(31).hex(), "reason", "r")).json().path("id").asString();
    Answer refusal =
        service.rest.post(
            "/admin/v1/approvals/" + refused + "/refusal",
            Map.of("reason", "not proven"),
            service.approver());
    assertThat(refusal.json().path("state").asString()).isEqualTo("refused");
    Answer late = service.approve(refused, service.as("bob", "approver"));
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.code()).isEqualTo("already-decided");
    assertThat(listedKeys()).doesNotContain(SanctionKey.of(apk(31)).hex());
  }

  @Test
  void anIdempotencyKeyBelongsToOneProposal() {
    String[] keyed = service.as(service.sanctionsOperator(), "Idempotency-Key", "listing-0001");
    Answer first = propose(Map.of("apk", apk(40).hex(), "reason", "r"), keyed);
    Answer again = propose(Map.of("apk", apk(40).hex(), "reason", "r"), keyed);
    assertThat(again.json().path("id")).isEqualTo(first.json().path("id"));
    assertThat(propose(Map.of("apk", apk(41).hex(), "reason", "r"), keyed).code())
        .isEqualTo("idempotency-mismatch");
  }

  @Test
  void takesABech32AddressAndDelistsByTwoPersonsToo() throws Exception {
    Apk apk = apk(50);
    String address =
        new Address(
                apk,
                EncryptionKey.of(
                    new byte[] {
                      9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
                      9, 9, 9, 9, 9, 9
                    }))
            .encode(NETWORK);
    Answer listing = propose(Map.of("address", address, "reason", "r"));
    assertThat(listing.status()).isEqualTo(202);
    service.approve(listing.json().path("id").asString(), service.approver());
    String key = SanctionKey.of(apk).hex();
    assertThat(listedKeys()).contains(key);

    Answer delisting =
        service.rest.send(
            "DELETE",
            "/admin/v1/sanctions/addresses/" + key + "?reason=appeal",
            (Object) null,
            service.sanctionsOperator());
    assertThat(delisting.status()).isEqualTo(202);
    assertThat(listedKeys()).contains(key);
    service.approve(delisting.json().path("id").asString(), service.approver());
    assertThat(listedKeys()).doesNotContain(key);
    assertThat(
            service
                .rest
                .send(
                    "DELETE",
                    "/admin/v1/sanctions/addresses/" + address + "?reason=x",
                    (Object) null,
                    service.sanctionsOperator())
                .status())
        .isEqualTo(404);
  }

  @Test
  void refusesInvalidAddresses() {
    assertThat(propose(Map.of("apk", "00".repeat(32), "reason", "r")).code())
        .isEqualTo("malformed-request");
    assertThat(propose(Map.of("apk", FieldElement.of(BigInteger.ONE).hex(), "reason", "r")).code())
        .isEqualTo("malformed-request");
    assertThat(propose(Map.of("apk", "ff".repeat(32), "reason", "r")).code())
        .isEqualTo("malformed-request");
    assertThat(
            propose(
                    Map.of(
                        "apk",
                        FieldElement.of(FieldElement.MODULUS.subtract(BigInteger.ONE)).hex(),
                        "reason",
                        "r"))
                .code())
        .isEqualTo("malformed-request");
    assertThat(propose(Map.of("reason", "r")).code()).isEqualTo("malformed-request");
    assertThat(propose(Map.of("apk", apk(1).hex())).code()).isEqualTo("malformed-request");
  }

  @Test
  void publishingWithoutAChangeKeepsTheVersion() {
    service.list(apk(60).hex());
    Answer first = service.publishCheckpoint();
    Answer again = service.publishCheckpoint();
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("version")).isEqualTo(first.json().path("version"));
    assertThat(again.json().path("note")).isEqualTo(first.json().path("note"));
  }

  @Test
  void concurrentPublishersMakeOneVersion() throws Exception {
    service.list(apk(70).hex());
    long before = newest().version();
    List<Callable<Integer>> calls =
        IntStream.range(0, 8)
            .<Callable<Integer>>mapToObj(i -> () -> service.publishCheckpoint().status())
            .toList();
    try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
      List<Integer> statuses =
          pool.invokeAll(calls).stream().map(AddressesAndCheckpointsTest::join).toList();
      assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
    }
    assertThat(newest().version()).isEqualTo(before + 1);
  }

  @Test
  void theListIsImmutableAndCacheable() throws Exception {
    long version = newest().version();
    HttpResponse<byte[]> whole = listOf(version);
    String etag = whole.headers().firstValue("ETag").orElseThrow();
    assertThat(etag).isEqualTo('"' + newest().listDigest().hex() + '"');
    assertThat(whole.headers().firstValue("Cache-Control").orElse(""))
        .contains("immutable")
        .contains("public");
    assertThat(whole.headers().firstValue("Content-Type").orElse(""))
        .isEqualTo("application/octet-stream");
    HttpResponse<byte[]> again = listOf(version, "If-None-Match", etag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(listOf(99_999).statusCode()).isEqualTo(404);
  }

  @Test
  void theDatabaseRefusesToChangeOrDeleteACheckpoint() {
    assertThatThrownBy(() -> service.database.jdbc().sql("DELETE FROM checkpoint").update())
        .hasMessageContaining("never changed");
    assertThatThrownBy(
            () -> service.database.jdbc().sql("UPDATE checkpoint SET note = 'x'").update())
        .hasMessageContaining("never changed");
  }

  @Test
  void heartbeatsContainTheNewestVersionAndTheTime() {
    long before = System.currentTimeMillis();
    Answer answer = service.rest.get("/v1/sanctions/heartbeat");
    assertThat(answer.header("Cache-Control")).contains("no-store");
    SignedNote note =
        SignedNote.parse(answer.body()).requireSignedBy(SanctionsFixture.checkpointKey());
    Heartbeat heartbeat = Heartbeat.parse(NETWORK, note.text());
    assertThat(heartbeat.checkpointVersion()).isLessThanOrEqualTo(newest().version()).isPositive();
    assertThat(heartbeat.atMillis()).isBetween(before, System.currentTimeMillis());
  }

  @Test
  void readingNeedsATokenWithTheRole() {
    assertThat(
            service
                .rest
                .get("/admin/v1/sanctions/addresses", service.as("aud", "auditor"))
                .status())
        .isEqualTo(200);
    assertThat(
            service
                .rest
                .get("/admin/v1/sanctions/checkpoints", service.as("aud", "auditor"))
                .status())
        .isEqualTo(200);
    assertThat(
            service
                .rest
                .get("/admin/v1/approvals?state=approved", service.as("aud", "auditor"))
                .status())
        .isEqualTo(200);
    assertThat(
            service
                .rest
                .get("/admin/v1/approvals?state=odd", service.as("aud", "auditor"))
                .status())
        .isEqualTo(400);
    assertThat(service.rest.get("/admin/v1/sanctions/addresses").status()).isEqualTo(401);
    assertThat(
            service
                .rest
                .get("/admin/v1/sanctions/addresses", service.as("w", "issuance-operator"))
                .status())
        .isEqualTo(403);
    assertThat(
            propose(Map.of("apk", apk(80).hex(), "reason", "r"), service.as("aud", "auditor"))
                .status())
        .isEqualTo(403);
  }
}
