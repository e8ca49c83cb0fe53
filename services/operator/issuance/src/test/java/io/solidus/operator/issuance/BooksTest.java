package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The books follow the bank's account, and nobody can stop or bend them. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BooksTest {
  private static final String ANNA = IssuanceFixture.APPROVERS.get(0);
  private static final String BEN = IssuanceFixture.APPROVERS.get(1);
  private static final String PAYOUT =
      "{\"creditorName\":\"Bob\",\"iban\":\"DE02120300000000202051\",\"reference\":\"out\"}";
  private static final String WRONG_IBAN =
      "{\"creditorName\":\"Bob\",\"iban\":\"DE03120300000000202051\",\"reference\":\"out\"}";
  private static final long MOST = 1L << 53;

  @TempDir Path dir;
  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private IssuanceFixture desk;

  @BeforeEach
  void start() throws Exception {
    Path anchor = Files.createFile(dir.resolve("anchor-" + System.nanoTime()));
    desk =
        new IssuanceFixture(
            parties,
            dir,
            true,
            TestPostgres.newDatabase(),
            Map.of("solidus.issuance.anchor-file", anchor));
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  /** Attack: one operator records money until a sum overflows (audit O19). */
  @Test
  void noSequenceOfFundingsStopsTheDesk() {
    assertThat(desk.recordFunding("real", 1_000).status()).isEqualTo(201);
    for (int i = 0; i < 1_024; i++) {
      assertThat(desk.recordFunding("f" + i, MOST).code()).isEqualTo("books-full");
    }
    desk.issue(parties, "after", 500);
    assertThat(desk.supply().getFirst()).isEqualTo(500);
  }

  /** Attack: two persons record and reverse until the turnover exceeds 64 bits. */
  @Test
  void noTurnoverStopsTheDesk() {
    for (int i = 0; i < 520; i++) {
      assertThat(desk.recordFunding("f" + i, MOST).status()).isEqualTo(201);
      assertThat(reverse("f" + i, false).status()).isEqualTo(200);
    }
    desk.issue(parties, "after", 500);
    assertThat(bankBalance()).isEqualTo(500);
  }

  /** Attack: a zero character, which the database refuses, where a list is filtered. */
  @Test
  void aFilterThatIsNoWordIsMalformed() {
    for (String filter :
        List.of(
            "fundings?reference=",
            "funding-reversals?status=",
            "payout-batches?status=",
            "payee-corrections?status=",
            "bank/assignments?status=",
            "bank/messages?status=",
            "bank/message-reversals?status=")) {
      assertThat(desk.rest.get("/admin/v1/" + filter + "%00", desk.operator()).code())
          .as(filter)
          .isEqualTo("malformed-request");
      assertThat(desk.rest.get("/admin/v1/" + filter + "pending", desk.operator()).status())
          .as(filter)
          .isEqualTo(200);
    }
  }

  @Test
  void aWrongFundingIsReversedByTwoPersonsAndBacksNoMint() {
    String token = desk.fund("typed-wrong", 9_000);
    Answer proposed = propose("typed-wrong", false);
    assertThat(proposed.status()).isEqualTo(201);
    assertThat(propose("typed-wrong", false).code()).isEqualTo("reversal-exists");
    String path = "/admin/v1/funding-reversals/" + proposed.json().path("reversalId").asString();
    assertThat(
            desk.rest
                .post(
                    path + "/approval",
                    Map.of(),
                    desk.as(IssuanceFixture.RECORDER, "approver", "issuance-operator"))
                .code())
        .as("the proposer, who is an approver too")
        .isEqualTo("forbidden");
    assertThat(bankBalance()).isEqualTo(9_000);
    assertThat(desk.rest.post(path + "/approval", Map.of(), desk.as(ANNA, "approver")).status())
        .isEqualTo(200);
    assertThat(desk.rest.post(path + "/approval", Map.of(), desk.as(ANNA, "approver")).code())
        .isEqualTo("reversal-decided");
    assertThat(bankBalance()).isZero();
    assertThat(desk.requestMint("typed-wrong", token, parties.mint(1)).code())
        .isEqualTo("insufficient-funds");
    JsonNode funding = funding("typed-wrong");
    assertThat(funding.path("status").asString()).isEqualTo("reversed");
    assertThat(funding.path("remainingMinor").asLong()).isZero();
  }

  @Test
  void whatWasIssuedIsNotReversedButBecomesAClaim() {
    MintRequest mint = parties.mint(3_000);
    String token = desk.fund("recalled", 5_000);
    desk.requestMint("recalled", token, mint);
    assertThat(reverse("recalled", true).code()).isEqualTo("funding-waits");
    desk.approve(ANNA, mint);
    desk.approve(BEN, mint);
    refuseAll();
    assertThat(reverse("recalled", false).code()).isEqualTo("funding-issued");
    refuseAll();
    assertThat(reverse("recalled", true).status()).isEqualTo(200);
    assertThat(bankBalance()).isZero();
    assertThat(balance("receivable")).isEqualTo(3_000);
    assertThat(balance("fundings")).isZero();
    assertThat(balance("circulation")).isEqualTo(-3_000);
  }

  @Test
  void theBankBalanceFollowsPayoutsThroughTheirStates() {
    desk.issue(parties, "money", 10_000);
    TransferRequest paid = redeem(2_000, PAYOUT);
    TransferRequest wrong = redeem(300, WRONG_IBAN);
    assertThat(bankBalance()).isEqualTo(10_000);
    assertThat(balance("payouts")).isEqualTo(-2_300);

    Answer proposed = desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    assertThat(proposed.json().path("leftOut")).hasSize(1);
    assertThat(proposed.json().path("batch").path("totalMinor").asLong()).isEqualTo(2_000);
    String batch =
        "/admin/v1/payout-batches/" + proposed.json().path("batch").path("batchId").asString();
    JsonNode seen = desk.rest.get(batch, desk.as(ANNA, "approver")).json().path("payouts").path(0);
    assertThat(seen.path("iban").asString()).isEqualTo("DE02120300000000202051");
    assertThat(desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator()).code())
        .as("what is in a batch is in no second one")
        .isEqualTo("nothing-to-pay");
    assertThat(
            desk.rest
                .post(
                    batch + "/release",
                    Map.of(),
                    desk.as(IssuanceFixture.RECORDER, "approver", "issuance-operator"))
                .code())
        .as("the proposer, who is an approver too")
        .isEqualTo("forbidden");
    assertThat(report(paid, "settled", null).code()).isEqualTo("payout-state");
    assertThat(desk.rest.post(batch + "/release", Map.of(), desk.as(BEN, "approver")).status())
        .isEqualTo(200);
    assertThat(desk.rest.post(batch + "/withdrawal", Map.of(), desk.operator()).code())
        .isEqualTo("batch-decided");
    assertThat(state(paid)).isEqualTo("sent");
    assertThat(balance("transit")).isEqualTo(-2_000);
    assertThat(bankBalance()).isEqualTo(10_000);

    assertThat(report(paid, "settled", null).status()).isEqualTo(200);
    assertThat(report(paid, "settled", null).code()).isEqualTo("payout-state");
    assertThat(bankBalance()).isEqualTo(8_000);
    assertThat(report(paid, "returned", null).code()).isEqualTo("malformed-request");
    assertThat(report(paid, "returned", "AC04 closed account").status()).isEqualTo(200);
    assertThat(bankBalance()).isEqualTo(10_000);
    assertThat(balance("payouts")).isEqualTo(-2_300);

    assertThat(report(paid, "accepted", null).status()).isEqualTo(200);
    release();
    assertThat(report(paid, "failed", "AM04 no cover").status()).isEqualTo(200);
    assertThat(balance("transit")).isZero();
    assertThat(report(paid, "accepted", null).status()).isEqualTo(200);
    release();
    assertThat(report(paid, "settled", null).status()).isEqualTo(200);
    assertThat(bankBalance()).isEqualTo(8_000);
    assertThat(state(paid)).isEqualTo("settled");
    assertThat(state(wrong)).isEqualTo("accepted");
    assertThat(balance("payouts")).isEqualTo(-300);
  }

  /** Attack: wallets fill the oldest places with accounts whose check digits are wrong. */
  @Test
  void noNumberOfWrongAccountsStopsPayouts() {
    desk.issue(parties, "money", 10_000);
    // as an earlier version kept them: nobody has looked at their accounts
    desk.database
        .jdbc()
        .sql(
            "INSERT INTO redemption (lead_serial, core, amount_minor, end_to_end_id, sealed_payout, request, partials, accepted_at)"
                + " SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), decode(lpad(to_hex(i), 64, '0'), 'hex'), 1, 'SLDX' || i, ?, '\\x00', ARRAY['\\x00'::bytea], now()"
                + " FROM generate_series(1, 1100) i")
        .param(desk.payoutBlock(WRONG_IBAN))
        .update();
    TransferRequest right = redeem(40, PAYOUT);
    redeem(50, WRONG_IBAN);
    Answer proposed = desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    assertThat(proposed.json().path("batch").path("totalMinor").asLong()).isEqualTo(40);
    assertThat(proposed.json().path("leftOut")).hasSize(1000);
    String path =
        "/admin/v1/payout-batches/" + proposed.json().path("batch").path("batchId").asString();
    assertThat(desk.rest.post(path + "/release", Map.of(), desk.as(BEN, "approver")).status())
        .isEqualTo(200);
    assertThat(state(right)).isEqualTo("sent");
    JsonNode held =
        desk.rest
            .get("/admin/v1/redemptions?held=true&limit=200&cursor=1000", desk.operator())
            .json()
            .path("redemptions");
    assertThat(held).hasSize(101);
    assertThat(held.valueStream().map(node -> node.path("hold").asString()))
        .containsOnly("iban-invalid");
  }

  /** Attack: one person sends somebody's money to an account of her own. */
  @Test
  void twoPersonsCorrectAPayee() {
    desk.issue(parties, "money", 1_000);
    TransferRequest wrong = redeem(300, WRONG_IBAN);
    assertThat(correct(wrong, "DE03120300000000202051").code()).isEqualTo("malformed-request");
    Answer proposed = correct(wrong, "GB82WEST12345698765432");
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    assertThat(correct(wrong, "GB82WEST12345698765432").code()).isEqualTo("correction-exists");
    String path =
        "/admin/v1/payee-corrections/"
            + proposed.json().path("correctionId").asString()
            + "/approval";
    assertThat(
            desk.rest
                .post(
                    path,
                    Map.of(),
                    desk.as(IssuanceFixture.RECORDER, "approver", "issuance-operator"))
                .code())
        .isEqualTo("forbidden");
    assertThat(desk.rest.post(path, Map.of(), desk.as(ANNA, "approver")).status()).isEqualTo(200);
    assertThat(desk.rest.post(path, Map.of(), desk.as(ANNA, "approver")).code())
        .isEqualTo("correction-decided");
    release();
    assertThat(correct(wrong, "GB82WEST12345698765432").code()).isEqualTo("payout-state");
    JsonNode sent =
        desk.rest
            .get("/admin/v1/redemptions?status=sent", desk.as(BEN, "approver"))
            .json()
            .path("redemptions")
            .path(0);
    assertThat(sent.path("iban").asString()).isEqualTo("GB82WEST12345698765432");
    assertThat(sent.path("reference").asString()).isEqualTo("out");
  }

  private Answer correct(TransferRequest request, String iban) {
    return desk.rest.post(
        "/admin/v1/redemptions/" + lead(request) + "/payee",
        Map.of("creditorName", "Robert", "iban", iban, "reason", "he telephoned"),
        desk.operator());
  }

  /** Attack: an approval of what was right once. */
  @Test
  void whatNobodyApprovedInTimeExpires() {
    desk.issue(parties, "money", 1_000);
    MintRequest mint = parties.mint(10);
    desk.requestMint("late", desk.fund("late", 10), mint);
    redeem(40, PAYOUT);
    TransferRequest wrong = redeem(50, WRONG_IBAN);
    String reversal =
        "/admin/v1/funding-reversals/"
            + propose("money", true).json().path("reversalId").asString();
    String correction =
        "/admin/v1/payee-corrections/"
            + correct(wrong, "GB82WEST12345698765432").json().path("correctionId").asString();
    String batch =
        "/admin/v1/payout-batches/"
            + desk.rest
                .post("/admin/v1/payout-batches", Map.of(), desk.operator())
                .json()
                .path("batch")
                .path("batchId")
                .asString();
    desk.clock.forward(Duration.ofDays(8));
    for (String late :
        List.of(reversal + "/approval", correction + "/approval", batch + "/release")) {
      assertThat(desk.rest.post(late, Map.of(), desk.as(ANNA, "approver")).code())
          .as(late)
          .isEqualTo("proposal-expired");
    }
    assertThat(desk.approve(ANNA, mint).code()).isEqualTo("proposal-expired");
    for (String end :
        List.of(reversal + "/refusal", correction + "/refusal", batch + "/withdrawal")) {
      assertThat(desk.rest.post(end, Map.of(), desk.operator()).status()).as(end).isEqualTo(200);
    }
  }

  @Test
  void aWithdrawnBatchFreesItsPayouts() {
    desk.issue(parties, "money", 1_000);
    TransferRequest paid = redeem(40, PAYOUT);
    Answer proposed = desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
    String batch =
        "/admin/v1/payout-batches/" + proposed.json().path("batch").path("batchId").asString();
    assertThat(desk.rest.post(batch + "/withdrawal", Map.of(), desk.operator()).status())
        .isEqualTo(200);
    assertThat(desk.rest.post(batch + "/release", Map.of(), desk.as(BEN, "approver")).code())
        .isEqualTo("batch-decided");
    assertThat(state(paid)).isEqualTo("accepted");
    release();
    assertThat(state(paid)).isEqualTo("sent");
  }

  @Test
  void fundingsAreListedByDateStatusAndReferenceAndReadByWhoVouchesForThem() {
    desk.fund("list-a", 10);
    desk.fund("list-b", 20);
    desk.fund("other", 30);
    reverse("list-b", false);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    assertThat(ids("reference=list-")).containsExactly("list-a", "list-b");
    assertThat(ids("reference=list-&status=reversed")).containsExactly("list-b");
    assertThat(ids("status=open")).containsExactly("list-a", "other");
    assertThat(ids("from=" + today.plusDays(1))).isEmpty();
    assertThat(ids("to=" + today.minusDays(1))).isEmpty();
    assertThat(ids("from=" + today.minusDays(1) + "&to=" + today.plusDays(1))).hasSize(3);
    Answer first = desk.rest.get("/admin/v1/fundings?limit=2", desk.operator());
    assertThat(ids("cursor=" + first.json().path("next").asString())).containsExactly("other");
    assertThat(desk.rest.get("/admin/v1/fundings?status=odd", desk.operator()).code())
        .isEqualTo("malformed-request");
    JsonNode vouched = desk.rest.get("/admin/v1/fundings/list-a", desk.as(ANNA, "approver")).json();
    assertThat(vouched.path("accountReference").asString()).isEqualTo("DE89370400440532013000");
    assertThat(vouched.path("currency").asString()).isEqualTo("EUR");
  }

  @Test
  void theBooksOfADayAndTheirEntriesAreRead() {
    desk.issue(parties, "day", 700);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Answer day = desk.rest.get("/admin/v1/books/days/" + today, desk.as("otto", "auditor"));
    assertThat(day.json().path("currency").asString()).isEqualTo("EUR");
    assertThat(day.json().path("entries")).hasSize(2);
    JsonNode yesterday =
        desk.rest
            .get("/admin/v1/books/days/" + today.minusDays(1), desk.as("otto", "auditor"))
            .json();
    yesterday
        .path("accounts")
        .forEach(account -> assertThat(account.path("closingMinor").asLong()).isZero());
    assertThat(
            desk.rest
                .get("/admin/v1/books/days/" + today.plusDays(2), desk.as("otto", "auditor"))
                .code())
        .isEqualTo("not-found");
    Answer entries = desk.rest.get("/admin/v1/books/entries", desk.as("otto", "auditor"));
    assertThat(entries.json().path("entries").valueStream().map(e -> e.path("kind").asString()))
        .containsExactly("funding", "issue");
  }

  /** Attack: a statement of the service's own role instead of an entry. */
  @Test
  void theDatabaseRefusesStatesWithoutTheirCause() {
    desk.issue(parties, "money", 1_000);
    redeem(60, PAYOUT);
    refused("UPDATE payout SET state = 'sent'", "two persons released");
    refused("UPDATE payout SET state = 'settled'", "two persons, who say which line");
    refused("UPDATE payout SET state = 'failed'", "does not go");
    refused("UPDATE payout SET attempt = 2", "attempted again");
    refused("UPDATE funding SET reversed = true", "two persons");
    refused(
        "INSERT INTO payout_batch (batch_id, proposed_by, proposed_at, status, decided_by, decided_at)"
            + " VALUES ('X', 'eve', now(), 'released', 'ben', now())",
        "begin undecided");
    desk.database
        .jdbc()
        .sql(
            "INSERT INTO payout_batch (batch_id, proposed_by, proposed_at) VALUES ('X', 'eve', now())")
        .update();
    refused(
        "UPDATE payout_batch SET status = 'released', decided_by = 'eve', decided_at = now()",
        "four_eyes");
    refused(
        "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
            + " VALUES ('payout-failed', '\\x00', 'transit', 'payouts', 1, now())",
        "settled_is_sent");
    refused(
        "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
            + " VALUES ('funding-recalled', 'money', 'receivable', 'settlement', 1000, now())",
        "two persons");
    for (String table :
        List.of(
            "ledger_entry",
            "ledger_account",
            "operator_event",
            "funding",
            "funding_reversal",
            "mint",
            "mint_approval",
            "redemption",
            "payout",
            "payout_batch",
            "payout_batch_item",
            "authority_totals",
            "payee_correction",
            "line_assignment",
            "books")) {
      refused("TRUNCATE " + table + " CASCADE", "never changed");
    }
  }

  @Test
  void booksOfAnotherCurrencyAreRefused() {
    assertThatThrownBy(() ->
            new IssuanceFixture(
                    parties, dir, false, desk.database, Map.of("solidus.issuance.currency", "USD"))
                .close())
        .hasStackTraceContaining("the books are in EUR");
  }

  private void refused(String sql, String message) {
    assertThatThrownBy(() -> desk.database.jdbc().sql(sql).update()).hasMessageContaining(message);
  }

  private Answer propose(String fundingId, boolean recall) {
    return desk.rest.post(
        "/admin/v1/fundings/" + fundingId + "/reversals",
        Map.of("reason", "typed wrong", "recall", recall),
        desk.operator());
  }

  private Answer reverse(String fundingId, boolean recall) {
    Answer proposed = propose(fundingId, recall);
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    return desk.rest.post(
        "/admin/v1/funding-reversals/"
            + proposed.json().path("reversalId").asString()
            + "/approval",
        Map.of(),
        desk.as(ANNA, "approver"));
  }

  private void refuseAll() {
    desk.rest
        .get("/admin/v1/funding-reversals?status=pending", desk.operator())
        .json()
        .path("reversals")
        .forEach(reversal ->
            desk.rest.post(
                "/admin/v1/funding-reversals/"
                    + reversal.path("reversalId").asString()
                    + "/refusal",
                Map.of(),
                desk.operator()));
  }

  private void release() {
    Answer proposed = desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    assertThat(
            desk.rest
                .post(
                    "/admin/v1/payout-batches/"
                        + proposed.json().path("batch").path("batchId").asString()
                        + "/release",
                    Map.of(),
                    desk.as(BEN, "approver"))
                .status())
        .isEqualTo(200);
  }

  private TransferRequest redeem(long amountMinor, String payout) {
    TransferRequest request =
        parties.withdraw(parties.account(100_000), amountMinor, desk.payoutBlock(payout));
    List<PartialSignature> partials = parties.sign(request.statement(), 1, 2, 3);
    assertThat(desk.redeem(request, partials).status()).isEqualTo(200);
    return request;
  }

  private static String lead(TransferRequest request) {
    return Base64Url.encode(request.statement().leadSerial().bytes());
  }

  private Answer report(
      TransferRequest request, String status, @org.jspecify.annotations.Nullable String reason) {
    return desk.rest.post(
        "/admin/v1/redemptions/" + lead(request) + "/outcome",
        reason == null ? Map.of("status", status) : Map.of("status", status, "reason", reason),
        desk.operator());
  }

  private String state(TransferRequest request) {
    return desk.rest.get("/v1/redemptions/" + lead(request)).json().path("status").asString();
  }

  private List<String> ids(String query) {
    return desk.rest
        .get("/admin/v1/fundings?" + query, desk.as("otto", "auditor"))
        .json()
        .path("fundings")
        .valueStream()
        .map(funding -> funding.path("fundingId").asString())
        .toList();
  }

  private JsonNode funding(String fundingId) {
    return desk.rest.get("/admin/v1/fundings/" + fundingId, desk.operator()).json();
  }

  private long bankBalance() {
    return desk.rest
        .get("/admin/v1/supply", desk.as("otto", "auditor"))
        .json()
        .path("bankBalanceMinor")
        .asLong();
  }

  private long balance(String account) {
    return desk.rest
        .get("/admin/v1/books/days/" + LocalDate.now(ZoneOffset.UTC), desk.as("otto", "auditor"))
        .json()
        .path("accounts")
        .valueStream()
        .filter(node -> node.path("account").asString().equals(account))
        .findFirst()
        .orElseThrow()
        .path("closingMinor")
        .asLong();
  }
}
