package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TwoRoles;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintApprovalJson;
import io.solidus.wire.json.MintStatementJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** From money at the parties to two approvals, with real proofs and PostgreSQL. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MintTest {
  private static final String ANNA = IssuanceFixture.APPROVERS.get(0);
  private static final String BEN = IssuanceFixture.APPROVERS.get(1);
  private static final String CEM = IssuanceFixture.APPROVERS.get(2);

  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private TwoRoles roles;
  private IssuanceFixture desk;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    TestDatabase database = TestPostgres.newDatabase();
    roles = TwoRoles.migrated(database, "issuance");
    desk = new IssuanceFixture(parties, dir, true, database, roles.serviceProperties());
  }

  @AfterAll
  void stop() {
    desk.close();
  }

  @Test
  void theServicesRoleCanNeitherDropTriggersNorEmptyTables() {
    roles.refusesWhatOwnersDo(
        "operator_event", "ledger_entry", "ledger_account", "mint", "mint_approval", "payout");
    roles.refuses(
        "UPDATE ledger_entry SET amount_minor = 1",
        "DELETE FROM ledger_entry",
        "DELETE FROM operator_event",
        "UPDATE mint_approval SET subject = 'nobody'",
        "DROP TRIGGER ledger_entry_needs_cause ON ledger_entry",
        "ALTER TABLE ledger_account DROP CONSTRAINT turnstile",
        "CREATE OR REPLACE FUNCTION refuse_direct_posting() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'");
  }

  @Test
  void issuesAMintWithTwoApprovals() {
    MintRequest request = parties.mint(5_000);
    String token = desk.fund("happy", 8_000);
    long issuedBefore = desk.supply().getFirst();

    Answer taken = desk.requestMint("happy", token, request);
    assertThat(taken.status()).isEqualTo(202);
    assertThat(taken.json().path("status").asString()).isEqualTo("awaiting-approval");
    assertThat(desk.supply().getFirst()).isEqualTo(issuedBefore);

    assertThat(desk.approve(ANNA, request).json().path("status").asString())
        .isEqualTo("awaiting-approval");
    Answer state = desk.rest.get("/v1/mints/" + IssuanceFixture.id(request));
    assertThat(state.json().path("approvals")).isEmpty();

    assertThat(desk.approve(BEN, request).json().path("status").asString()).isEqualTo("approved");
    List<MintApproval> approvals =
        approvals(desk.rest.get("/v1/mints/" + IssuanceFixture.id(request)));
    assertThat(approvals).extracting(MintApproval::approver).containsExactlyInAnyOrder(ANNA, BEN);
    assertThat(approvals)
        .extracting(MintApproval::signature)
        .contains(
            desk.signatureOf(ANNA, request.statement()),
            desk.signatureOf(BEN, request.statement()));
    assertThat(desk.supply().getFirst()).isEqualTo(issuedBefore + 5_000);
    assertThat(remaining("happy")).isEqualTo(3_000);
  }

  private static List<MintApproval> approvals(Answer state) {
    assertThat(state.json().path("status").asString()).isEqualTo("approved");
    List<MintApproval> approvals = new ArrayList<>();
    state
        .json()
        .path("approvals")
        .forEach(node ->
            approvals.add(
                JsonMapper.shared().treeToValue(node, MintApprovalJson.class).toDomain()));
    return approvals;
  }

  private long remaining(String fundingId) {
    return desk.rest
        .get("/admin/v1/fundings/" + fundingId, desk.operator())
        .json()
        .path("remainingMinor")
        .asLong();
  }

  @Test
  void approversSeeTheStatementTheySign() {
    MintRequest request = parties.mint(70);
    desk.requestMint("seen", desk.fund("seen", 70), request);
    Answer view =
        desk.rest.get("/admin/v1/mints/" + IssuanceFixture.id(request), desk.as(ANNA, "approver"));
    assertThat(view.json().path("fundingId").asString()).isEqualTo("seen");
    assertThat(view.json().path("valueMinor").asLong()).isEqualTo(70);
    MintStatement statement =
        JsonMapper.shared()
            .treeToValue(view.json().path("statement"), MintStatementJson.class)
            .toDomain();
    assertThat(statement).isEqualTo(request.statement());
    Answer list =
        desk.rest.get(
            "/admin/v1/mints?status=awaiting-approval&limit=200", desk.as(ANNA, "approver"));
    assertThat(list.json().path("mints").valueStream().map(mint -> mint.path("mintId").asString()))
        .contains(IssuanceFixture.id(request));
    assertThat(desk.rest.get("/admin/v1/mints?status=odd", desk.as(ANNA, "approver")).code())
        .isEqualTo("malformed-request");
  }

  /**
   * Without the check the desk books the money as issued, and no validator ever signs the coin: an
   * approved mint cannot be undone.
   */
  @Test
  void noMintAboveTheDaysCapIsTakenOrApproved() {
    String token = desk.fund("capped", 20_000);
    long issuedBefore = desk.supply().getFirst();
    MintRequest request = parties.mint(10_000);
    try {
      desk.sanctions.capMints(9_999);
      assertThat(desk.requestMint("capped", token, request).code()).isEqualTo("mint-cap-exceeded");
      assertThat(remaining("capped")).as("nothing is reserved").isEqualTo(20_000);

      desk.sanctions.capMints(10_000);
      assertThat(desk.requestMint("capped", token, request).status()).isEqualTo(202);
      assertThat(desk.approve(ANNA, request).status()).isEqualTo(200);
      desk.sanctions.capMints(9_999);
      assertThat(desk.approve(BEN, request).code()).isEqualTo("mint-cap-exceeded");
      assertThat(desk.supply().getFirst()).as("nothing is issued").isEqualTo(issuedBefore);
    } finally {
      desk.sanctions.capMints(FakeSanctions.CAP);
    }
    assertThat(desk.approve(BEN, request).status()).isEqualTo(200);
    assertThat(desk.supply().getFirst()).isEqualTo(issuedBefore + 10_000);
  }

  @Test
  void aRepeatedRequestReservesOnce() {
    MintRequest request = parties.mint(600);
    String token = desk.fund("again", 1_000);
    Answer first = desk.requestMint("again", token, request);
    Answer second = desk.requestMint("again", token, request);
    assertThat(second.status()).isEqualTo(202);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(remaining("again")).isEqualTo(400);
  }

  @Test
  void refusesAnotherMintWithAUsedId() {
    MintRequest request = parties.mint(10);
    String token = desk.fund("used", 100);
    desk.requestMint("used", token, request);
    MintRequest other =
        with(
            new MintStatement(
                request.statement().mintId(), new Amount(10), parties.mint(10).statement().coin()),
            request);
    assertThat(desk.requestMint("used", token, other).code()).isEqualTo("mint-conflict");
    assertThat(desk.requestMint("used-2", desk.fund("used-2", 100), request).code())
        .isEqualTo("mint-conflict");
    assertThat(remaining("used")).isEqualTo(90);
  }

  private static MintRequest with(MintStatement statement, MintRequest request) {
    return new MintRequest(statement, request.circuitVersion(), request.proof(), List.of());
  }

  @Test
  void refusesAValueThatDiffersFromTheProvedOne() {
    MintRequest request = parties.mint(10);
    MintStatement more =
        new MintStatement(request.statement().mintId(), new Amount(11), request.statement().coin());
    assertThat(desk.requestMint("liar", desk.fund("liar", 100), with(more, request)).code())
        .isEqualTo("proof-invalid");
    assertThat(remaining("liar")).isEqualTo(100);
  }

  @Test
  void refusesMintsAboveTheFunding() {
    String token = desk.fund("small", 100);
    assertThat(desk.requestMint("small", token, parties.mint(101)).code())
        .isEqualTo("insufficient-funds");
    assertThat(desk.requestMint("small", token, parties.mint(60)).status()).isEqualTo(202);
    assertThat(desk.requestMint("small", token, parties.mint(41)).code())
        .isEqualTo("insufficient-funds");
    assertThat(desk.requestMint("small", token, parties.mint(40)).status()).isEqualTo(202);
    assertThat(remaining("small")).isZero();
  }

  @Test
  void concurrentRequestsNeverOverdrawAFunding() throws Exception {
    String token = desk.fund("race", 100);
    List<MintRequest> requests =
        List.of(parties.mint(60), parties.mint(60), parties.mint(60), parties.mint(60));
    List<Integer> statuses =
        inParallel(
            requests.stream()
                .<Callable<Integer>>map(r -> () -> desk.requestMint("race", token, r).status())
                .toList());
    assertThat(statuses).containsOnlyOnce(202).containsOnly(202, 422);
    assertThat(remaining("race")).isEqualTo(40);
  }

  private static <T> List<T> inParallel(List<Callable<T>> calls) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(calls)) {
        results.add(result.get());
      }
      return results;
    }
  }

  @Test
  void refusesAWrongAccessTokenAndAnUnknownFundingAlike() {
    MintRequest request = parties.mint(10);
    desk.fund("locked", 100);
    String foreign = desk.fund("foreign", 100);
    Answer wrong = desk.requestMint("locked", foreign, request);
    Answer unknown = desk.requestMint("nowhere", foreign, request);
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(unknown.json().path("detail")).isEqualTo(wrong.json().path("detail"));
    assertThat(unknown.code()).isEqualTo(wrong.code()).isEqualTo("unauthorized");
  }

  @Test
  void repeatedApprovalsByOneApproverCountOnce() {
    MintRequest request = parties.mint(20);
    desk.requestMint("once", desk.fund("once", 20), request);
    assertThat(desk.approve(ANNA, request).status()).isEqualTo(200);
    Answer again = desk.approve(ANNA, request);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("status").asString()).isEqualTo("awaiting-approval");
    assertThat(again.json().path("approvals")).hasSize(1);
    assertThat(again.json().path("approvals").path(0).path("signature").isNull()).isTrue();
  }

  @Test
  void refusesAnotherApproversSignatureOrName() {
    MintRequest request = parties.mint(20);
    desk.requestMint("keys", desk.fund("keys", 20), request);
    byte[] bens = desk.signatureOf(BEN, request.statement());
    assertThat(desk.approve(ANNA, ANNA, bens, request).code()).isEqualTo("approval-invalid");
    assertThat(desk.approve(ANNA, BEN, bens, request).code()).isEqualTo("forbidden");
    assertThat(
            desk.approve("stranger", ANNA, desk.signatureOf(ANNA, request.statement()), request)
                .code())
        .isEqualTo("forbidden");
    byte[] overAnother = desk.signatureOf(ANNA, parties.mint(20).statement());
    assertThat(desk.approve(ANNA, ANNA, overAnother, request).code()).isEqualTo("approval-invalid");
  }

  @Test
  void theOperatorWhoRecordedTheFundingCannotApproveItsMint() {
    MintRequest request = parties.mint(20);
    desk.requestMint("own", desk.fund("own", 20), request);
    assertThat(desk.approve(IssuanceFixture.RECORDER, request).code()).isEqualTo("forbidden");
    desk.approve(ANNA, request);
    assertThat(desk.approve(IssuanceFixture.RECORDER, request).code()).isEqualTo("forbidden");
    assertThat(
            desk.rest
                .get("/v1/mints/" + IssuanceFixture.id(request))
                .json()
                .path("status")
                .asString())
        .isEqualTo("awaiting-approval");
  }

  @Test
  void concurrentApprovalsIssueOnce() throws Exception {
    MintRequest request = parties.mint(30);
    desk.requestMint("parallel", desk.fund("parallel", 30), request);
    long before = desk.supply().getFirst();
    List<Integer> statuses =
        inParallel(
            List.of(
                () -> desk.approve(ANNA, request).status(),
                () -> desk.approve(BEN, request).status(),
                () -> desk.approve(CEM, request).status(),
                () -> desk.approve(ANNA, request).status()));
    assertThat(statuses).doesNotContain(500);
    assertThat(desk.supply().getFirst()).isEqualTo(before + 30);
    assertThat(approvals(desk.rest.get("/v1/mints/" + IssuanceFixture.id(request)))).hasSize(2);
  }

  @Test
  void aRefusedMintFreesItsValueAndCannotBeApproved() {
    MintRequest request = parties.mint(50);
    String token = desk.fund("refused", 50);
    desk.requestMint("refused", token, request);
    desk.approve(ANNA, request);
    Answer refused =
        desk.rest.post(
            "/admin/v1/mints/" + IssuanceFixture.id(request) + "/refusal",
            Map.of("reason", "the holder changed the plan"),
            desk.operator());
    assertThat(refused.json().path("status").asString()).isEqualTo("refused");
    assertThat(desk.approve(BEN, request).code()).isEqualTo("mint-conflict");
    assertThat(remaining("refused")).isEqualTo(50);
    assertThat(desk.requestMint("refused", token, parties.mint(50)).status()).isEqualTo(202);
  }

  @Test
  void refusesAFundingWithAUsedIdAndReplacesItsToken() {
    String lost = desk.fund("twice", 100);
    assertThat(desk.recordFunding("twice", 100).code()).isEqualTo("funding-conflict");
    Answer replaced = desk.rest.post("/admin/v1/fundings/twice/access-token", "", desk.operator());
    String token = replaced.json().path("accessToken").asString();
    assertThat(desk.requestMint("twice", lost, parties.mint(1)).code()).isEqualTo("unauthorized");
    assertThat(desk.requestMint("twice", token, parties.mint(1)).status()).isEqualTo(202);
    assertThat(desk.rest.post("/admin/v1/fundings/twice/access-token", "", desk.operator()).code())
        .isEqualTo("funding-conflict");
    assertThat(
            desk.rest
                .post(
                    "/admin/v1/fundings/twice/access-token",
                    "",
                    desk.as("olaf", "issuance-operator"))
                .code())
        .isEqualTo("forbidden");
  }

  @Test
  void refusesAFundingWithoutAmountOrHolder() {
    assertThat(desk.recordFunding("zero", 0).code()).isEqualTo("malformed-request");
    assertThat(desk.recordFunding("white space", 5).code()).isEqualTo("malformed-request");
    assertThat(
            desk.rest
                .post(
                    "/admin/v1/fundings",
                    Map.of("fundingId", "nobody", "amountMinor", 5),
                    desk.operator())
                .code())
        .isEqualTo("malformed-request");
  }

  @Test
  void refusesAnIdempotencyKeyOfAnotherMint() {
    Map<String, Object> mint =
        Map.of(
            "mintId",
            IssuanceFixture.id(parties.mint(1)),
            "valueMinor",
            1,
            "cm",
            "",
            "k",
            "",
            "circuitVersion",
            1,
            "proof",
            "");
    assertThat(
            desk.rest
                .post("/v1/mints", Map.of("fundingId", "x", "accessToken", "y", "mint", mint))
                .code())
        .isEqualTo("malformed-request");
    MintRequest request = parties.mint(1);
    Answer answer =
        desk.rest.post(
            "/v1/mints",
            Map.of(
                "fundingId",
                "x",
                "accessToken",
                "y",
                "mint",
                Map.of(
                    "mintId",
                    IssuanceFixture.id(request),
                    "valueMinor",
                    1,
                    "cm",
                    Base64Url.encode(request.statement().coin().cm().bytes()),
                    "k",
                    Base64Url.encode(request.statement().coin().k().bytes()),
                    "circuitVersion",
                    request.circuitVersion(),
                    "proof",
                    Base64Url.encode(request.proof()))),
            "Idempotency-Key",
            "another-key");
    assertThat(answer.code()).isEqualTo("idempotency-mismatch");
  }

  @Test
  void theDatabaseRefusesToIssueWithOneApproval() {
    MintRequest request = parties.mint(20);
    desk.requestMint("guarded", desk.fund("guarded", 20), request);
    byte[] id = request.statement().mintId().bytes();
    desk.approve(ANNA, request);
    var jdbc = desk.database.jdbc();
    assertThatThrownBy(() ->
            jdbc.sql("UPDATE mint SET status = 'approved', decided_at = now() WHERE mint_id = ?")
                .param(id)
                .update())
        .hasMessageContaining("two approvals");
    assertThatThrownBy(() ->
            jdbc.sql(
                    "INSERT INTO mint_approval (mint_id, recorded_by, approver, subject, signature, approved_at)"
                        + " VALUES (?, ?, 'x', ?, ?, now())")
                .params(id, IssuanceFixture.RECORDER, IssuanceFixture.RECORDER, new byte[64])
                .update())
        .hasMessageContaining("mint_four_eyes");
    assertThatThrownBy(() ->
            jdbc.sql("UPDATE ledger_account SET credit_minor = 0 WHERE name = 'circulation'")
                .update())
        .hasMessageContaining("ledger entries only");
    assertThatThrownBy(() -> jdbc.sql("DELETE FROM ledger_entry").update())
        .hasMessageContaining("never changed");
    assertThatThrownBy(() ->
            jdbc.sql("UPDATE funding SET amount_minor = 9 WHERE funding_id = 'guarded'").update())
        .hasMessageContaining("only its reservations");
  }

  /** Attack: a defect or an intruder issues or pays out by the ledger alone. */
  @Test
  void theLedgerTakesNoEntryWithoutItsCause() {
    MintRequest request = parties.mint(20);
    desk.requestMint("causes", desk.fund("causes", 50), request);
    desk.approve(ANNA, request);
    String mint = request.statement().mintId().hex();
    String issue = "'issue', '\\x" + mint + "', 'fundings', 'circulation', ";
    var jdbc = desk.database.jdbc();
    for (String entry :
        List.of(
            "'funding', convert_to('nobody', 'UTF8'), 'settlement', 'fundings', 5",
            "'issue', decode(repeat('07', 32), 'hex'), 'fundings', 'circulation', 5",
            issue + "20")) {
      assertThatThrownBy(() -> enter(jdbc, entry))
          .as(entry)
          .hasMessageContaining("needs the row that causes it");
    }
    long before = desk.supply().getFirst();
    desk.approve(BEN, request);
    assertThat(desk.supply().getFirst()).isEqualTo(before + 20);
    assertThatThrownBy(() ->
            enter(
                jdbc, "'redemption', decode(repeat('07', 32), 'hex'), 'circulation', 'payouts', 5"))
        .hasMessageContaining("needs the row that causes it");
  }

  private static void enter(JdbcClient jdbc, String entry) {
    jdbc.sql(
            "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
                + " VALUES ("
                + entry
                + ", now())")
        .update();
  }

  /** Attack: TRUNCATE, which triggers on rows do not see. */
  @Test
  void noTableOfTheBooksIsEmptied() {
    for (String table :
        List.of(
            "funding",
            "mint",
            "mint_approval",
            "ledger_account",
            "ledger_entry",
            "redemption",
            "operator_event")) {
      assertThatThrownBy(() -> desk.database.jdbc().sql("TRUNCATE " + table + " CASCADE").update())
          .as(table)
          .hasMessageContaining("never changed");
    }
  }

  @Test
  void storesNeitherTokensNorAccountsUnencrypted() {
    String token = desk.fund("sealed", 100);
    String rows =
        desk.database
            .jdbc()
            .sql("SELECT string_agg(f::text, '|') FROM funding f")
            .query(String.class)
            .single();
    assertThat(rows)
        .doesNotContain(token)
        .doesNotContain("DE89370400440532013000")
        .doesNotContain(hex("DE89370400440532013000"));
    Answer view = desk.rest.get("/admin/v1/fundings/sealed", desk.operator());
    assertThat(view.json().path("accountReference").asString()).isEqualTo("DE89370400440532013000");
    assertThat(view.body()).doesNotContain(token);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }
}
