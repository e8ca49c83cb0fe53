package io.solidus.operator.issuance.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.operator.issuance.BankSays;
import io.solidus.operator.issuance.IssuanceFixture;
import io.solidus.operator.issuance.WalletAndCommittee;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A bank that sends messages, and a desk whose books follow it. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatementTest {
  private static final String ANNA = IssuanceFixture.APPROVERS.get(0);
  private static final String BEN = IssuanceFixture.APPROVERS.get(1);
  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
  private static final String PAYOUT =
      "{\"creditorName\":\"Bob\",\"iban\":\"DE02120300000000202051\",\"reference\":\"out\"}";

  @TempDir Path dir;
  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private IssuanceFixture desk;

  @BeforeEach
  void start() throws Exception {
    desk = open(Map.of());
  }

  private IssuanceFixture open(Map<String, Object> more) throws Exception {
    return open(more, TestPostgres.newDatabase());
  }

  private IssuanceFixture open(Map<String, Object> more, TestDatabase database) throws Exception {
    Map<String, Object> bank = new LinkedHashMap<>();
    bank.put("solidus.issuance.bank.account", BankSays.ACCOUNT);
    bank.put("solidus.issuance.bank.name", "Central Bank of Examples");
    bank.put("solidus.issuance.bank.bic", "COBADEFFXXX");
    bank.putAll(more);
    return new IssuanceFixture(parties, dir, false, database, bank);
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void moneyOnTheStatementBacksAFundingThatItsApproversSee() {
    assertThat(
            send(new BankSays("S1", today)
                    .entry("R1", true, 7_000, null, "for my wallet")
                    .statement(0))
                .status())
        .isEqualTo(201);
    assertThat(differences()).containsExactly("unknown-credit R1 7000");
    assertThat(books(today)).containsExactly(7_000L, 7_000L, 0L);
    JsonNode line = lines(today).path(0);
    assertThat(line.path("counterparty").asString()).isEqualTo("Ingeborg Payer");

    long lineId = line.path("lineId").asLong();
    assertThat(fund("wrong-amount", 6_999, lineId).code()).isEqualTo("line-taken");
    Answer funded = fund("from-line", 7_000, lineId);
    assertThat(funded.status()).as(funded.body()).isEqualTo(201);
    assertThat(fund("again", 7_000, lineId).code())
        .as("money backs one funding")
        .isEqualTo("line-taken");
    JsonNode seen = desk.rest.get("/admin/v1/fundings/from-line", desk.as(ANNA, "approver")).json();
    assertThat(seen.path("statementLine").path("reference").asString()).isEqualTo("R1");
    assertThat(seen.path("statementLine").path("payer").path("name").asString())
        .isEqualTo("Ingeborg Payer");
    assertThat(bankBalance()).isEqualTo(7_000);
    assertThat(differences()).isEmpty();

    MintRequest mint = parties.mint(2_000);
    desk.requestMint("from-line", funded.json().path("accessToken").asString(), mint);
    desk.approve(ANNA, mint);
    desk.approve(BEN, mint);
    reverse("from-line", true);
    assertThat(bankBalance()).as("the money is still at the bank").isEqualTo(7_000);
    assertThat(fund("rightful", 7_000, lineId).status()).isEqualTo(201);
  }

  @Test
  void aFundingThatALineNamesIsMatched() {
    desk.fund("DEPOSIT-9", 500);
    desk.fund("DEPOSIT-10", 500);
    send(
        new BankSays("S1", today)
            .entry("R1", true, 500, null, "thanks, DEPOSIT-9 of Monday")
            .entry("R2", true, 499, "DEPOSIT-10", null)
            .entry("R3", true, 500, "DEPOSIT-9", null)
            .statement(0));
    assertThat(names(today)).containsExactly("funding", "amount-differs", "duplicate-funding");
    assertThat(differences()).containsExactly("amount-differs R2 499", "duplicate-funding R3 500");
    assertThat(bankBalance()).as("and 500 that nobody has seen").isEqualTo(1_999);
    assertThat(books(today)).containsExactly(1_499L, 1_999L, 0L);
    send(new BankSays("S2", today.plusDays(4)).statement(1_499));
    assertThat(differences()).contains("missing-money DEPOSIT-10 500");
  }

  @Test
  void payoutsGoOutInAFileSettleAndComeBack() {
    desk.issue(parties, "money", 10_000);
    TransferRequest first = redeem(2_000);
    TransferRequest second = redeem(300);
    String batch = release();
    assertThat(outcome(first, "settled").code()).isEqualTo("bank-decides");
    Answer file = desk.rest.get("/admin/v1/payout-batches/" + batch + "/message", desk.operator());
    assertThat(file.status()).isEqualTo(200);
    assertThat(file.contentType()).startsWith("application/xml");
    assertThat(file.body())
        .contains(
            "<MsgId>" + batch + "</MsgId>", "<CtrlSum>23.00</CtrlSum>", "DE02120300000000202051");

    assertThat(send(BankSays.refusal("A1", batch, endToEnd(second), "AC04")).status())
        .isEqualTo(201);
    assertThat(state(second)).isEqualTo("failed");
    assertThat(state(first)).isEqualTo("sent");
    send(
        new BankSays("S1", today)
            .entry("R0", true, 10_000, "money", null)
            .entry("R1", false, 2_000, endToEnd(first), null)
            .entry("R2", false, 150, null, "bank charges")
            .statement(0));
    assertThat(state(first)).isEqualTo("settled");
    assertThat(names(today)).containsExactly("settled", "unknown-debit", "funding");
    assertThat(books(today)).containsExactly(7_850L, 7_850L, 0L);

    LocalDate next = today.plusDays(1);
    send(
        new BankSays("S2", next)
            .entry("R3", false, 2_000, endToEnd(first), null)
            .entry("R4", true, 2_000, endToEnd(first), null, "AC04")
            .entry("R5", false, 300, endToEnd(second), null)
            .statement(7_850));
    assertThat(names(next)).containsExactly("duplicate-payment", "unexpected-payment", "returned");
    assertThat(state(first)).isEqualTo("returned");
    assertThat(state(second)).isEqualTo("failed");
    assertThat(books(next)).containsExactly(7_550L, 7_550L, 0L);
    assertThat(outcome(first, "accepted").code())
        .as("paying again what may have been paid twice")
        .isEqualTo("payout-disputed");
    closeDifferences();
    assertThat(outcome(first, "accepted").status()).isEqualTo(200);
  }

  /** Attack: money is sent back, and its line backs a funding. */
  @Test
  void moneyThatWasSentBackBacksNoFunding() {
    send(new BankSays("S1", today).entry("R1", true, 500, null, "by mistake").statement(0));
    send(
        new BankSays("S2", today.plusDays(1))
            .entry("R2", false, 500, null, "back to you")
            .statement(500));
    assertThat(differences()).containsExactly("unknown-credit R1 500", "unknown-debit R2 -500");
    Map<String, Object> netting =
        Map.of("kind", "netting", "creditLineId", line("R1"), "debitLineId", line("R2"));
    Answer proposed = assign(netting);
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    assertThat(fund("again", 500, line("R1")).code())
        .as("while the proposal waits")
        .isEqualTo("line-taken");
    String path = "/admin/v1/bank/assignments/" + proposed.json().path("assignmentId").asString();
    assertThat(
            desk.rest
                .post(
                    path + "/approval",
                    Map.of(),
                    desk.as(IssuanceFixture.RECORDER, "money-approver", "issuance-operator"))
                .code())
        .isEqualTo("forbidden");
    assertThat(desk.rest.post(path + "/approval", Map.of(), desk.as(ANNA, "approver")).status())
        .isEqualTo(200);
    assertThat(desk.rest.post(path + "/refusal", Map.of(), desk.as(ANNA, "approver")).code())
        .isEqualTo("assignment-decided");
    assertThat(fund("again", 500, line("R1")).code()).isEqualTo("line-taken");
    assertThat(assign(netting).code()).isEqualTo("assignment-open");
    assertThat(balance("suspense")).isZero();
    assertThat(balance("receivable")).isZero();
    assertThat(differences()).isEmpty();
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql(
                    "INSERT INTO funding (funding_id, amount_minor, holder_tag, token_hash, recorded_by, recorded_at) SELECT 'sql', 500,"
                        + " sha256('a'), sha256('b'), 'eve', now(); INSERT INTO funding_line (funding_id, line_id) VALUES ('sql', "
                        + line("R1")
                        + ")")
                .update())
        .hasMessageContaining("a line backs a funding");
  }

  /** The bank pays what it had refused: a dead end, and before it an invitation to pay twice. */
  @Test
  void aDebitAfterARefusalSettlesThePayout() {
    desk.issue(parties, "money", 1_000);
    TransferRequest paid = redeem(300);
    String batch = release();
    send(BankSays.refusal("A1", batch, endToEnd(paid), "AC04"));
    assertThat(state(paid)).isEqualTo("failed");
    send(
        new BankSays("S1", today)
            .entry("R0", true, 1_000, "money", null)
            .entry("R1", false, 300, endToEnd(paid), null)
            .statement(0));
    assertThat(differences()).containsExactly("unexpected-payment R1 -300");
    assertThat(outcome(paid, "accepted").code()).isEqualTo("payout-disputed");
    approved(
        assign(Map.of("kind", "payment", "debitLineId", line("R1"), "leadSerial", lead(paid))));
    assertThat(state(paid)).isEqualTo("settled");
    assertThat(differences()).isEmpty();
    assertThat(balance("payouts")).isZero();
    assertThat(balance("receivable")).isZero();
    assertThat(
            assign(Map.of("kind", "payment", "debitLineId", line("R1"), "leadSerial", lead(paid)))
                .code())
        .isEqualTo("assignment-open");
    assertThat(
            desk.rest
                .get("/admin/v1/bank/open-lines", desk.as("otto", "auditor"))
                .json()
                .path("lines"))
        .isEmpty();
  }

  @Test
  void aDebitWithAChargePaysAndCosts() {
    desk.issue(parties, "money", 1_000);
    TransferRequest paid = redeem(300);
    release();
    send(
        new BankSays("S1", today)
            .entry("R0", true, 1_000, "money", null)
            .entry("R1", false, 305, endToEnd(paid), null)
            .statement(0));
    assertThat(differences()).containsExactly("amount-differs R1 -305");
    approved(
        assign(Map.of("kind", "payment", "debitLineId", line("R1"), "leadSerial", lead(paid))));
    assertThat(differences()).as("5 are open").hasSize(1);
    assertThat(assign(Map.of("kind", "charge", "debitLineId", line("R1"), "amountMinor", 6)).code())
        .isEqualTo("assignment-open");
    approved(assign(Map.of("kind", "charge", "debitLineId", line("R1"))));
    assertThat(differences()).isEmpty();
    assertThat(state(paid)).isEqualTo("settled");
    assertThat(balance("charges")).isEqualTo(5);
    assertThat(balance("transit")).isZero();
    assertThat(balance("receivable")).isZero();
  }

  @Test
  void aReturnMayBeListedBeforeItsDebit() {
    desk.issue(parties, "money", 1_000);
    TransferRequest one = redeem(300);
    TransferRequest two = redeem(100);
    release();
    send(
        new BankSays("N1", today)
            .entry("E1", true, 98, endToEnd(two), null, "AC04")
            .notification());
    send(
        new BankSays("S1", today)
            .entry("R0", true, 1_000, "money", null)
            .entry("E1", true, 98, endToEnd(two), null, "AC04")
            .entry("R1", true, 300, endToEnd(one), null, "AC04")
            .entry("R2", false, 300, endToEnd(one), null)
            .entry("R3", false, 100, endToEnd(two), null)
            .statement(0));
    assertThat(state(one)).isEqualTo("returned");
    assertThat(differences()).containsExactly("amount-differs E1 98");
    assertThat(state(two)).isEqualTo("settled");
    approved(assign(Map.of("kind", "return", "creditLineId", line("E1"), "leadSerial", lead(two))));
    assertThat(state(two)).isEqualTo("returned");
    assertThat(balance("charges")).as("what the bank kept").isEqualTo(2);
    assertThat(balance("suspense")).isZero();
    assertThat(balance("payouts")).isEqualTo(-400);
    assertThat(outcome(two, "accepted").status()).isEqualTo(200);
  }

  private Answer assign(Map<String, Object> what) {
    Map<String, Object> body = new LinkedHashMap<>(what);
    body.put("reason", "the bank's letter");
    return desk.rest.post("/admin/v1/bank/assignments", body, desk.operator());
  }

  private void approved(Answer proposed) {
    assertThat(proposed.status()).as(proposed.body()).isEqualTo(201);
    Answer answer =
        desk.rest.post(
            "/admin/v1/bank/assignments/"
                + proposed.json().path("assignmentId").asString()
                + "/approval",
            Map.of(),
            desk.as(ANNA, "approver"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private long line(String reference) {
    return desk.database
        .jdbc()
        .sql("SELECT line_id FROM bank_line WHERE reference = ?")
        .param(reference)
        .query(Long.class)
        .single();
  }

  private long balance(String account) {
    return desk.database
        .jdbc()
        .sql("SELECT (debit_minor - credit_minor)::bigint FROM ledger_account WHERE name = ?")
        .param(account)
        .query(Long.class)
        .single();
  }

  private void closeDifferences() {
    desk.rest
        .get("/admin/v1/bank/differences?open=true", desk.operator())
        .json()
        .path("differences")
        .forEach(difference ->
            desk.rest.post(
                "/admin/v1/bank/differences/"
                    + difference.path("differenceId").asString()
                    + "/closing",
                Map.of("note", "explained"),
                desk.as(ANNA, "approver")));
  }

  @Test
  void aBatchBookedAsOneEntrySettlesAllAndARefusedOneFailsAll() {
    desk.issue(parties, "money", 10_000);
    TransferRequest a = redeem(100);
    TransferRequest b = redeem(200);
    String batch = release();
    send(BankSays.refusal("A1", batch, null, "FF01"));
    assertThat(state(a)).isEqualTo("failed");
    outcome(a, "accepted");
    outcome(b, "accepted");
    String again = release();
    String entry =
        "<Ntry><Amt Ccy=\"EUR\">3.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>"
            + "<AcctSvcrRef>B1</AcctSvcrRef><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd><NtryDtls><Btch><MsgId>"
            + again
            + "</MsgId></Btch></NtryDtls></Ntry>";
    send(
        new BankSays("S1", today)
            .entry("R0", true, 10_000, "money", null)
            .raw(entry, -300)
            .statement(0));
    assertThat(state(a)).isEqualTo("settled");
    assertThat(state(b)).isEqualTo("settled");
    assertThat(books(today)).containsExactly(9_700L, 9_700L, 0L);
  }

  @Test
  void nothingIsBookedTwice() {
    String notification =
        new BankSays("N1", today).entry("R1", true, 40, null, null).notification();
    assertThat(send(notification).status()).isEqualTo(201);
    Answer repeated = send(notification);
    assertThat(repeated.status()).isEqualTo(200);
    assertThat(repeated.json().path("repeated").asBoolean()).isTrue();
    assertThat(
            send(new BankSays("N1", today).entry("R9", true, 40, null, null).notification()).code())
        .as("another message with the id")
        .isEqualTo("message-differs");
    assertThat(bankBalance()).isEqualTo(40);
    send(new BankSays("S1", today).entry("R1", true, 40, null, null).statement(0));
    assertThat(books(today)).containsExactly(40L, 40L, 0L);
    assertThat(send(new BankSays("S1b", today).statement(40)).code()).isEqualTo("statement-exists");

    LocalDate next = today.plusDays(1);
    send(new BankSays("S2", next).entry("R1", true, 40, null, null).statement(40));
    assertThat(bankBalance()).isEqualTo(40);
    assertThat(books(next)).containsExactly(80L, 40L, -40L);
    assertThat(differences()).contains("duplicate-line R1 40", "balance-differs " + next + " -40");
  }

  @Test
  void whatIsMissingHasANameAndLosesItWhenItComes() {
    desk.issue(parties, "money", 1_000);
    TransferRequest paid = redeem(60);
    release();
    send(new BankSays("N1", today).entry("R7", true, 5, null, null).notification());
    send(
        new BankSays("S1", today.plusDays(4)).entry("R0", true, 1_000, "money", null).statement(0));
    assertThat(differences())
        .containsExactlyInAnyOrder(
            "unknown-credit R7 5",
            "missing-settlement " + endToEnd(paid) + " 60",
            "missing-line R7 5");
    send(
        new BankSays("S2", today.plusDays(6))
            .entry("R1", false, 60, endToEnd(paid), null)
            .entry("R7", true, 5, null, null)
            .statement(1_001));
    assertThat(differences())
        .containsExactlyInAnyOrder(
            "unknown-credit R7 5",
            "missing-statement " + today.plusDays(4) + " to " + today.plusDays(6) + " 1",
            "balance-differs " + today.plusDays(6) + " -1");
    JsonNode open = desk.rest.get("/admin/v1/bank/differences?open=true", desk.operator()).json();
    String path =
        "/admin/v1/bank/differences/"
            + open.path("differences").path(0).path("differenceId").asString()
            + "/closing";
    assertThat(desk.rest.post(path, Map.of("note", ""), desk.as(ANNA, "approver")).code())
        .isEqualTo("malformed-request");
    assertThat(
            desk.rest.post(path, Map.of("note", "explained"), desk.as(ANNA, "approver")).status())
        .isEqualTo(200);
    assertThat(desk.rest.post(path, Map.of("note", "again"), desk.as(ANNA, "approver")).code())
        .isEqualTo("difference-closed");
  }

  @Test
  void messagesAreRefusedWithTheirCodes() {
    String good = new BankSays("S1", today).statement(0);
    assertThat(send(good.replace("<Document", "<!DOCTYPE Document><Document")).code())
        .isEqualTo("bank-message-invalid");
    assertThat(send(new BankSays("S1", today).statement(0, 1)).code())
        .isEqualTo("bank-message-inconsistent");
    assertThat(send(good.replace("EUR", "USD")).code()).isEqualTo("bank-message-unsupported");
    assertThat(send("x".repeat(8 * 1024 * 1024 + 1)).code()).isEqualTo("body-too-large");
    assertThat(desk.count("bank_message")).isZero();
  }

  @Test
  void whereFundingsNeedALineNoneIsRecordedWithout() throws Exception {
    try (IssuanceFixture strict = open(Map.of("solidus.issuance.bank.fundings-need-line", true))) {
      assertThat(strict.recordFunding("by-hand", 10).code()).isEqualTo("line-needed");
    }
  }

  @Test
  void aMembersBatchNamesTheBanksOfPayees() throws Exception {
    desk.close();
    desk =
        open(
            Map.of(
                "solidus.issuance.bank.message",
                "pacs.008",
                "solidus.issuance.bank.agents.DE12030000",
                "BYLADEM1001"));
    desk.issue(parties, "money", 1_000);
    redeem(60);
    redeem(70, PAYOUT.replace("DE02120300000000202051", "GB82WEST12345698765432"));
    Answer proposed = desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
    assertThat(proposed.json().path("leftOut")).hasSize(1);
    String batch = proposed.json().path("batch").path("batchId").asString();
    desk.rest.post(
        "/admin/v1/payout-batches/" + batch + "/release", Map.of(), desk.as(BEN, "approver"));
    assertThat(
            desk.rest.get("/admin/v1/payout-batches/" + batch + "/message", desk.operator()).body())
        .contains("pacs.008.001.08", "BYLADEM1001", "<UETR>");
  }

  /** Attack: the settings lose a bank between proposal and release. */
  @Test
  void aBatchThatCannotBeWrittenIsNotReleased() throws Exception {
    desk.close();
    Map<String, Object> member =
        Map.of(
            "solidus.issuance.bank.message",
            "pacs.008",
            "solidus.issuance.bank.agents.DE12030000",
            "BYLADEM1001");
    TestDatabase database = TestPostgres.newDatabase();
    desk = open(member, database);
    desk.issue(parties, "money", 1_000);
    TransferRequest paid = redeem(60);
    String batch =
        desk.rest
            .post("/admin/v1/payout-batches", Map.of(), desk.operator())
            .json()
            .path("batch")
            .path("batchId")
            .asString();
    desk.close();
    Path key = Files.copy(dir.resolve("redemption"), dir.resolve("kept-" + System.nanoTime()));
    Map<String, Object> without = new LinkedHashMap<>();
    without.put("solidus.issuance.redemption-key-file", key);
    without.put("solidus.issuance.bank.message", "pacs.008");
    desk = open(without, database);
    String path = "/admin/v1/payout-batches/" + batch;
    assertThat(desk.rest.post(path + "/release", Map.of(), desk.as(BEN, "approver")).code())
        .isEqualTo("agent-unknown");
    assertThat(state(paid)).isEqualTo("accepted");
    assertThat(desk.rest.post(path + "/withdrawal", Map.of(), desk.operator()).status())
        .isEqualTo(200);
    assertThat(desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator()).code())
        .isEqualTo("nothing-to-pay");
    desk.close();
    without.putAll(member);
    desk = open(without, database);
    release();
    assertThat(state(paid)).isEqualTo("sent");
  }

  /** Settings of which no schema approves would show only after the payouts were sent. */
  @Test
  void settingsWithWhichNothingCanBeWrittenStopTheStart() {
    for (Map<String, Object> wrong :
        List.of(
            Map.<String, Object>of("solidus.issuance.bank.bic", "12345678"),
            Map.<String, Object>of("solidus.issuance.bank.name", "Bank \u0001"),
            Map.<String, Object>of("solidus.issuance.bank.account", "9".repeat(35)),
            Map.<String, Object>of("solidus.issuance.bank.clearing-system", "TARGET"),
            Map.<String, Object>of("solidus.issuance.bank.agents.DE12030000", "short"))) {
      assertThatThrownBy(() -> open(wrong).close()).as(wrong.toString()).isNotNull();
    }
  }

  /** Attack: a statement of the service's own role instead of a message. */
  @Test
  void theDatabaseKeepsWhatTheBankSaid() {
    send(new BankSays("S1", today).entry("R1", true, 40, null, null).statement(0));
    desk.fund("by-hand", 40);
    for (String sql :
        List.of(
            "UPDATE bank_message SET closing_minor = 1",
            "UPDATE bank_line SET amount_minor = 1",
            "UPDATE bank_difference SET amount_minor = 1",
            "DELETE FROM bank_line",
            "TRUNCATE bank_message CASCADE",
            "TRUNCATE bank_difference",
            "TRUNCATE funding_line")) {
      assertThatThrownBy(() -> desk.database.jdbc().sql(sql).update())
          .as(sql)
          .hasMessageContaining("PL/pgSQL function");
    }
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql(
                    "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
                        + " VALUES ('unknown-credit', int8send(999), 'settlement', 'suspense', 1, now())")
                .update())
        .hasMessageContaining("needs the row");
  }

  private Answer send(String xml) {
    String[] operator = desk.operator();
    return desk.rest.post(
        "/admin/v1/bank/messages",
        xml,
        operator[0],
        operator[1],
        "Content-Type",
        "application/xml");
  }

  private Answer fund(String fundingId, long amountMinor, long lineId) {
    return desk.rest.post(
        "/admin/v1/fundings",
        Map.of(
            "fundingId",
            fundingId,
            "amountMinor",
            amountMinor,
            "accountReference",
            "DE02120300000000202051",
            "lineId",
            lineId),
        desk.operator());
  }

  private void reverse(String fundingId, boolean recall) {
    Answer proposed =
        desk.rest.post(
            "/admin/v1/fundings/" + fundingId + "/reversals",
            Map.of("reason", "wrong holder", "recall", recall),
            desk.operator());
    Answer approved =
        desk.rest.post(
            "/admin/v1/funding-reversals/"
                + proposed.json().path("reversalId").asString()
                + "/approval",
            Map.of(),
            desk.as(BEN, "approver"));
    assertThat(approved.status()).as(approved.body()).isEqualTo(200);
  }

  private TransferRequest redeem(long amountMinor) {
    return redeem(amountMinor, PAYOUT);
  }

  private TransferRequest redeem(long amountMinor, String payout) {
    TransferRequest request =
        parties.withdraw(parties.account(100_000), amountMinor, desk.payoutBlock(payout));
    assertThat(desk.redeem(request, parties.sign(request.statement(), 1, 2, 3)).status())
        .isEqualTo(200);
    return request;
  }

  private String release() {
    Answer proposed = desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
    String batch = proposed.json().path("batch").path("batchId").asString();
    Answer released =
        desk.rest.post(
            "/admin/v1/payout-batches/" + batch + "/release", Map.of(), desk.as(BEN, "approver"));
    assertThat(released.status()).as(released.body()).isEqualTo(200);
    return batch;
  }

  private Answer outcome(TransferRequest request, String status) {
    return desk.rest.post(
        "/admin/v1/redemptions/" + lead(request) + "/outcome",
        Map.of("status", status),
        desk.operator());
  }

  private static String lead(TransferRequest request) {
    return Base64Url.encode(request.statement().leadSerial().bytes());
  }

  private String state(TransferRequest request) {
    return payout(request).path("status").asString();
  }

  private String endToEnd(TransferRequest request) {
    return payout(request).path("endToEndId").asString();
  }

  private JsonNode payout(TransferRequest request) {
    return desk.rest.get("/v1/redemptions/" + lead(request)).json();
  }

  private List<String> differences() {
    return desk.rest
        .get("/admin/v1/bank/differences?open=true", desk.as("otto", "auditor"))
        .json()
        .path("differences")
        .valueStream()
        .map(d ->
            d.path("name").asString()
                + " "
                + d.path("subject").asString()
                + " "
                + d.path("amountMinor").asString())
        .toList();
  }

  /** Closing balance of the bank, balance of the books, and what is unexplained. */
  private List<Long> books(LocalDate day) {
    JsonNode statement =
        desk.rest.get("/admin/v1/bank/statements/" + day, desk.as("otto", "auditor")).json();
    return List.of(
        statement.path("closingMinor").asLong(),
        statement.path("booksMinor").asLong(),
        statement.path("unexplainedMinor").asLong());
  }

  private JsonNode lines(LocalDate day) {
    return desk.rest
        .get("/admin/v1/bank/statements/" + day + "/lines", desk.as("otto", "auditor"))
        .json()
        .path("lines");
  }

  private List<String> names(LocalDate day) {
    return lines(day).valueStream().map(line -> line.path("name").asString()).toList();
  }

  private long bankBalance() {
    return desk.rest
        .get("/admin/v1/supply", desk.as("otto", "auditor"))
        .json()
        .path("bankBalanceMinor")
        .asLong();
  }
}
