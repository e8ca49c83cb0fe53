package io.solidus.operator.issuance.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.BankSays;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.operator.issuance.IssuanceFixture;
import io.solidus.operator.issuance.PristineTables;
import io.solidus.operator.issuance.WalletAndCommittee;
import io.solidus.platform.outbox.CommitOrder;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
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

  /** Serves all tests that need no settings of their own, each with empty tables. */
  private IssuanceFixture shared;

  private PristineTables tables;
  private IssuanceFixture desk;

  @BeforeAll
  void startShared(@TempDir Path folder) throws Exception {
    shared = open(Map.of(), TestPostgres.newDatabase(), folder);
    tables = new PristineTables(shared.database);
  }

  @AfterAll
  void stopShared() {
    shared.close();
  }

  @BeforeEach
  void start() {
    tables.restore();
    shared.clock.reset();
    desk = shared;
  }

  private IssuanceFixture open(Map<String, Object> more) throws Exception {
    return open(more, TestPostgres.newDatabase());
  }

  private IssuanceFixture open(Map<String, Object> more, TestDatabase database) throws Exception {
    return open(more, database, dir);
  }

  private IssuanceFixture open(Map<String, Object> more, TestDatabase database, Path folder)
      throws Exception {
    Map<String, Object> bank = new LinkedHashMap<>();
    bank.put("solidus.issuance.bank.account", BankSays.ACCOUNT);
    bank.put("solidus.issuance.bank.name", "Central Bank of Examples");
    bank.put("solidus.issuance.bank.bic", "COBADEFFXXX");
    bank.putAll(more);
    return new IssuanceFixture(parties, folder, false, database, bank);
  }

  @AfterEach
  void stop() {
    if (desk != shared) {
      desk.close();
    }
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
    desk.clock.forward(Duration.ofDays(4));
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
    desk.clock.forward(Duration.ofDays(1));
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

  /** Attack: one person's message bends the books. */
  @Test
  void nobodyBooksAMessageAlone() {
    desk.fund("DEPOSIT-1", 500);
    String statement =
        new BankSays("S1", today)
            .entry("R1", true, 500, null, "DEPOSIT-1")
            .entry("R2", false, 30, null, "charges")
            .statement(0);
    Answer handedIn = handIn(statement);
    assertThat(handedIn.status()).as(handedIn.body()).isEqualTo(201);
    JsonNode preview = handedIn.json().path("message").path("preview");
    assertThat(preview.path("entries").toString())
        .isEqualTo("[{\"name\":\"unknown-debit\",\"count\":1,\"sumMinor\":30}]");
    assertThat(preview.path("lines")).hasSize(2);
    assertThat(preview.path("differences").path(0).path("name").asString())
        .isEqualTo("unknown-debit");
    assertThat(preview.path("unexplainedMinor").asLong()).isZero();
    assertThat(handedIn.body()).doesNotContain("Ingeborg");
    assertThat(desk.count("bank_message") + desk.count("bank_line")).isZero();
    assertThat(bankBalance()).isEqualTo(500);
    assertThat(handIn(statement).status()).as("the same again").isEqualTo(200);

    String[] both = desk.as(IssuanceFixture.RECORDER, "money-approver", "issuance-operator");
    assertThat(decide(handedIn, "approval", both).code()).isEqualTo("forbidden");
    reverse("DEPOSIT-1", false);
    assertThat(decide(handedIn, "approval", desk.as(ANNA, "approver")).code())
        .as("it would do something else now")
        .isEqualTo("preview-changed");
    assertThat(desk.count("bank_line")).isZero();
    assertThat(decide(handedIn, "approval", desk.as(ANNA, "approver")).status()).isEqualTo(200);
    assertThat(names(today)).containsExactly("unknown-debit", "unknown-credit");
    assertThat(decide(handedIn, "refusal", desk.as(ANNA, "approver")).code())
        .isEqualTo("upload-decided");
    assertThat(
            desk.database
                .jdbc()
                .sql("SELECT count(content) FROM bank_upload")
                .query(Long.class)
                .single())
        .as("the bank's files are not kept")
        .isZero();
  }

  /** Attack: a forged day that two persons took for true, and that nothing corrects. */
  @Test
  void twoPersonsReverseAWrongStatement() {
    desk.issue(parties, "money", 1_000);
    desk.fund("DEPOSIT-1", 70);
    TransferRequest paid = redeem(300);
    TransferRequest back = redeem(200);
    TransferRequest kept = redeem(100);
    String batch = release();
    send(new BankSays("N1", today).entry("R0", true, 1_000, "money", null).notification());
    Answer refusal = handIn(BankSays.refusal("A1", batch, endToEnd(kept), "AC04"));
    decide(refusal, "approval", desk.as(BEN, "approver"));
    Answer forged =
        handIn(
            new BankSays("S1", today)
                .entry("R0", true, 1_000, "money", null)
                .entry("R1", false, 300, endToEnd(paid), null)
                .entry("R2", false, 200, endToEnd(back), null)
                .entry("R3", true, 200, endToEnd(back), null, "AC04")
                .entry("R4", true, 70, null, "DEPOSIT-1")
                .entry("R5", true, 9, null, "unknown")
                .entry("R6", false, 4, null, "unknown")
                .statement(0));
    assertThat(decide(forged, "approval", desk.as(BEN, "approver")).status()).isEqualTo(200);
    assertThat(List.of(state(paid), state(back), state(kept)))
        .containsExactly("settled", "returned", "failed");

    assertThat(outcome(kept, "accepted").status()).isEqualTo(200);
    assertThat(reverseMessage(refusal).code())
        .as("the payout waits for another attempt")
        .isEqualTo("message-used");
    Answer used = assign(Map.of("kind", "charge", "debitLineId", line("R6")));
    assertThat(reverseMessage(forged).code()).isEqualTo("message-used");
    desk.rest.post(
        "/admin/v1/bank/assignments/" + used.json().path("assignmentId").asString() + "/refusal",
        Map.of(),
        desk.operator());
    long bank = bankBalance();
    Answer reversed = reverseMessage(forged);
    assertThat(reversed.status()).as(reversed.body()).isEqualTo(200);
    assertThat(List.of(state(paid), state(back))).containsExactly("sent", "sent");
    assertThat(bankBalance()).isEqualTo(bank + 300 - 9 + 4);
    assertThat(balance("suspense")).isZero();
    assertThat(balance("receivable")).isZero();
    assertThat(balance("transit")).isEqualTo(-500);
    assertThat(differences()).isEmpty();

    send(
        new BankSays("S1", today)
            .entry("R0", true, 1_000, "money", null)
            .entry("R1", false, 300, endToEnd(paid), null)
            .entry("R4", true, 70, null, "DEPOSIT-1")
            .statement(0));
    assertThat(books(today)).containsExactly(770L, 770L, 0L);
    assertThat(state(paid)).isEqualTo("settled");
    assertThat(names(today)).containsExactly("funding", "settled", "funding");
    assertThatThrownBy(
            () -> desk.database.jdbc().sql("UPDATE bank_message SET reversed = true").update())
        .hasMessageContaining("two persons");
    assertThatThrownBy(
            () -> desk.database.jdbc().sql("UPDATE bank_line SET voided = true").update())
        .hasMessageContaining("two persons");
  }

  /** Attack: a colleague's click renews the preview while the approver reads the former one. */
  @Test
  void nobodyBooksAPreviewThatSheHasNotSeen() {
    desk.fund("DEPOSIT-1", 500);
    BankSays says = new BankSays("S1", today).entry("R0", true, 500, null, "DEPOSIT-1");
    for (int i = 0; i < 250; i++) {
      says.entry("A" + i, true, 1, null, null);
    }
    Answer handedIn = handIn(says.entry("LAST", true, 700, null, "DEPOSIT-2").statement(0));
    String seen = preview(handedIn).path("previewDigest").asString();
    String[] anna = desk.as(ANNA, "approver");
    assertThat(desk.rest.post(message(handedIn) + "/approval", Map.of(), anna).code())
        .isEqualTo("malformed-request");
    // what the last of 252 lines is matched with changes
    assertThat(desk.recordFunding("DEPOSIT-2", 700).status()).isEqualTo(201);
    assertThat(decide(handedIn, "approval", seen, desk.as(BEN, "approver")).code())
        .isEqualTo("preview-changed");
    assertThat(preview(handedIn).path("previewDigest").asString()).isNotEqualTo(seen);
    assertThat(decide(handedIn, "approval", seen, anna).code())
        .as("she has not seen the renewed one")
        .isEqualTo("preview-changed");
    assertThat(desk.count("bank_line")).isZero();
    JsonNode first = preview(handedIn);
    assertThat(first.at("/preview/lines")).hasSize(200);
    assertThat(first.path("next").asLong()).isEqualTo(200);
    JsonNode rest =
        desk.rest.get(message(handedIn) + "?cursor=200", desk.as("otto", "auditor")).json();
    assertThat(rest.at("/preview/lines")).hasSize(52);
    assertThat(rest.at("/preview/lines/51/subject").asString()).isEqualTo("DEPOSIT-2");
    assertThat(rest.path("next").isNull()).isTrue();
    assertThat(rest.path("previewDigest")).isEqualTo(first.path("previewDigest"));
    assertThat(desk.rest.get(message(handedIn) + "?cursor=-1", anna).code())
        .isEqualTo("malformed-request");
    assertThat(decide(handedIn, "approval", anna).status()).isEqualTo(200);
  }

  private Answer reverseMessage(Answer handedIn) {
    String upload = handedIn.json().path("message").path("message").path("uploadId").asString();
    desk.rest.post(
        "/admin/v1/bank/messages/" + upload + "/reversals",
        Map.of("reason", "the bank knows nothing of it"),
        desk.operator());
    JsonNode pending =
        desk.rest
            .get("/admin/v1/bank/message-reversals?status=pending", desk.operator())
            .json()
            .path("reversals")
            .path(0);
    String path = "/admin/v1/bank/message-reversals/" + pending.path("reversalId").asString();
    Answer approved = desk.rest.post(path + "/approval", Map.of(), desk.as(ANNA, "approver"));
    if (approved.status() != 200) {
      desk.rest.post(path + "/refusal", Map.of(), desk.operator());
    }
    return approved;
  }

  /** Attack: a statement of a day to come, which nothing corrects until then. */
  @Test
  void aMessageOfADayToComeIsRefused() {
    assertThat(handIn(new BankSays("S1", today.plusDays(1)).statement(0)).code())
        .isEqualTo("message-in-future");
    assertThat(
            handIn(
                    new BankSays("N1", today.plusYears(1))
                        .entry("R1", true, 5, null, null)
                        .notification())
                .code())
        .isEqualTo("message-in-future");
  }

  /** Attack: a line that fills the bound of the books. */
  @Test
  void aCreditThatFillsTheBooksHasACode() {
    send(new BankSays("N1", today).entry("R1", true, 1L << 53, null, null).notification());
    assertThat(
            handIn(new BankSays("N2", today).entry("R2", true, 5, null, null).notification())
                .code())
        .isEqualTo("books-full");
  }

  /** Attack: a message that waited until nobody remembers it. */
  @Test
  void aMessageThatNobodyDecidesExpires() {
    Answer refused = handIn(new BankSays("S1", today).statement(0));
    assertThat(decide(refused, "refusal", desk.operator()).status()).isEqualTo(200);
    assertThat(decide(refused, "approval", desk.as(ANNA, "approver")).code())
        .isEqualTo("upload-decided");
    Answer late = handIn(new BankSays("S1", today).statement(0));
    assertThat(late.status()).isEqualTo(201);
    desk.clock.forward(Duration.ofDays(8));
    assertThat(decide(late, "approval", desk.as(ANNA, "approver")).code())
        .isEqualTo("proposal-expired");
    assertThat(
            desk.rest
                .get("/admin/v1/bank/messages?status=expired", desk.as("otto", "auditor"))
                .json()
                .path("messages")
                .valueStream()
                .map(message -> message.path("decidedBy").asString()))
        .containsExactly("system:time");
    assertThat(handIn(new BankSays("S1", today).statement(0)).status()).isEqualTo(201);
  }

  /** Attack: one movement, told with its transactions and as a whole, is booked twice. */
  @Test
  void anEntryIsOneHoweverItsTransactionsAreTold() {
    String whole =
        "<Ntry><Amt Ccy=\"EUR\">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>"
            + today
            + "</Dt></BookgDt><AcctSvcrRef>%s</AcctSvcrRef><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd>%s</Ntry>";
    String details =
        "<NtryDtls><TxDtls><Refs><AcctSvcrRef>T1</AcctSvcrRef></Refs><Amt Ccy=\"EUR\">1.00</Amt></TxDtls>"
            + "<TxDtls><Refs><AcctSvcrRef>T2</AcctSvcrRef></Refs><Amt Ccy=\"EUR\">2.00</Amt></TxDtls></NtryDtls>";
    send(
        new BankSays("N1", today)
            .raw(whole.formatted("B1", details), 300)
            .raw(whole.formatted("B2", ""), 300)
            .notification());
    assertThat(bankBalance()).isEqualTo(600);
    send(
        new BankSays("S1", today)
            .raw(whole.formatted("B1", ""), 300)
            .raw(whole.formatted("B2", details), 300)
            .statement(0));
    assertThat(books(today)).containsExactly(600L, 600L, 0L);
    assertThat(lines(today)).hasSize(3);
    assertThat(differences())
        .containsExactlyInAnyOrder(
            "unknown-credit B1/1 100", "unknown-credit B1/2 200", "unknown-credit B2 300");
    desk.clock.forward(Duration.ofDays(1));
    send(new BankSays("N2", today.plusDays(1)).entry("R7", true, 70, null, null).notification());
    send(
        new BankSays("S2", today.plusDays(1))
            .raw(
                whole
                    .formatted("x", "")
                    .replace("<AcctSvcrRef>x</AcctSvcrRef>", "")
                    .replace("<Ntry>", "<Ntry><NtryRef>1</NtryRef>")
                    .replace("3.00", "0.70"),
                70)
            .statement(600));
    assertThat(differences())
        .as("it may be the notified one")
        .contains("uncertain-line " + today.plusDays(1) + "#1 70");
  }

  /** Attack: an entry has two references; each message tells another one of them. */
  @Test
  void anEntryIsOneByEitherOfItsReferencesInAnyOrder() {
    send(
        new BankSays("N1", today)
            .raw(entry("E1", "T1"), 300)
            .raw(entry("T2", null), 300)
            .raw(entry("E3", null), 300)
            .notification());
    send(
        new BankSays("S1", today)
            .raw(entry(null, "T1"), 300)
            .raw(entry("E2", "T2"), 300)
            .raw(entry("E3", "T3"), 300)
            .statement(0));
    assertThat(books(today)).containsExactly(900L, 900L, 0L);
    send(
        new BankSays("N2", today)
            .raw(entry("E2", null), 300)
            .raw(entry(null, "T3"), 300)
            .notification());
    assertThat(bankBalance()).isEqualTo(900);
    assertThat(differences())
        .containsExactlyInAnyOrder(
            "unknown-credit E1 300", "unknown-credit T2 300", "unknown-credit E3 300");
    for (String sql :
        List.of(
            "DELETE FROM bank_entry_key",
            "UPDATE bank_entry_key SET entry = 'x'",
            "TRUNCATE bank_entry_key",
            "INSERT INTO bank_line (message, entry, reference, credit, amount_minor, booked_on, sealed, name)"
                + " SELECT max(sequence), 'T1', 'T1/1', true, 300, now(), 'a', 'unknown-credit' FROM bank_message")) {
      assertThatThrownBy(() -> desk.database.jdbc().sql(sql).update())
          .as(sql)
          .hasMessageContaining("PL/pgSQL function");
    }
  }

  /** A payment and its charge are two entries with the reference of one transaction. */
  @Test
  void twoEntriesOfOneTransactionAreBothBooked() {
    send(
        new BankSays("S1", today)
            .raw(entry("E1", "T1"), 300)
            .raw(entry("E2", "T1").replace("3.00", "0.70"), 70)
            .statement(0));
    assertThat(books(today)).containsExactly(370L, 370L, 0L);
    send(
        new BankSays("N2", today)
            .raw(entry("E3", "T1").replace("3.00", "0.40"), 40)
            .notification());
    assertThat(bankBalance()).isEqualTo(410);
  }

  /** Money comes, goes back and comes again, and the bank gives all of it one transaction's id. */
  @Test
  void moneyThatComesAgainIsBookedAgain() {
    send(new BankSays("S1", today.minusDays(2)).raw(entry("E1", "T1"), 300).statement(0));
    send(
        new BankSays("S2", today.minusDays(1))
            .raw(entry("E2", "T1").replace("CRDT", "DBIT"), -300)
            .statement(300));
    send(
        new BankSays("S3", today)
            .raw(entry("E3", "T1"), 300)
            .raw(entry("E4", "T1"), 300)
            .statement(0));
    assertThat(books(today)).containsExactly(600L, 600L, 0L);
    assertThat(differences().stream().filter(d -> d.startsWith("balance"))).isEmpty();
  }

  @Test
  void moneyThatANotificationTellsAgainIsBookedOnce() {
    send(new BankSays("S1", today.minusDays(2)).raw(entry("E1", "T1"), 300).statement(0));
    send(
        new BankSays("S2", today.minusDays(1))
            .raw(entry("E2", "T1").replace("CRDT", "DBIT"), -300)
            .statement(300));
    send(new BankSays("N3", today).raw(entry("E3", "T1"), 300).notification());
    assertThat(bankBalance()).isEqualTo(300);
    send(new BankSays("S3", today).raw(entry("E3", "T1"), 300).statement(0));
    assertThat(books(today)).containsExactly(300L, 300L, 0L);
    assertThat(desk.count("bank_line")).isEqualTo(3);
  }

  /** A statement told another reference of what a notification had booked, and was wrong. */
  @Test
  void aReversedStatementLeavesTheReferencesOfWhatStaysBooked() {
    send(new BankSays("N1", today).raw(entry("E1", null), 300).notification());
    Answer wrong = send(new BankSays("S1", today).raw(entry("E1", "T1"), 300).statement(0));
    assertThat(reverseMessage(wrong).status()).isEqualTo(200);
    send(new BankSays("N2", today).raw(entry("T1", null), 300).notification());
    assertThat(bankBalance()).isEqualTo(300);
    send(new BankSays("S2", today).raw(entry("E1", "T1"), 300).statement(0));
    assertThat(books(today)).containsExactly(300L, 300L, 0L);
    assertThat(desk.count("bank_line")).isEqualTo(1);
  }

  private String entry(@Nullable String own, @Nullable String transaction) {
    return "<Ntry><Amt Ccy=\"EUR\">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>"
        + today
        + "</Dt></BookgDt>"
        + (own == null ? "" : "<AcctSvcrRef>" + own + "</AcctSvcrRef>")
        + "<BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd>"
        + (transaction == null
            ? ""
            : "<NtryDtls><TxDtls><Refs><AcctSvcrRef>"
                + transaction
                + "</AcctSvcrRef></Refs></TxDtls></NtryDtls>")
        + "</Ntry>";
  }

  /** Attack: money is recorded against a line while two persons reverse its message. */
  @Test
  void aLineThatIsBeingReversedBacksNoFunding() throws Exception {
    Answer handedIn =
        handIn(
            new BankSays("S1", today)
                .entry("R1", true, 70, null, null)
                .entry("R2", true, 90, null, null)
                .statement(0));
    decide(handedIn, "approval", desk.as(BEN, "approver"));
    long line = line("R1");
    // what somebody does who took no lock
    desk.database
        .jdbc()
        .sql(
            "INSERT INTO funding (funding_id, amount_minor, sealed_reference, token_hash, recorded_by, recorded_at)"
                + " VALUES ('planted', 90, 'a', sha256('a'), 'ida', now());"
                + "INSERT INTO funding_line (funding_id, line_id) SELECT 'planted', line_id FROM bank_line WHERE reference = 'R2'")
        .update();
    DataSource source = desk.database.dataSource();
    JdbcClient sql = JdbcClient.create(source);
    // the books are locked while the reversal works
    CompletableFuture<Answer> funded =
        new TransactionTemplate(new JdbcTransactionManager(source))
            .execute(status -> {
              CommitOrder.enter(sql, "ledger_entry");
              CompletableFuture<Answer> waiting =
                  CompletableFuture.supplyAsync(() -> fund("late", 70, line));
              Await.until(
                  "the funding waits",
                  () ->
                      desk.database
                          .jdbc()
                          .sql(
                              "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                          .query(Boolean.class)
                          .single());
              sql.sql(
                      "INSERT INTO message_reversal (message, reason, proposed_by, proposed_at) SELECT max(sequence), 'r', 'a', now() FROM bank_message;"
                          + "UPDATE message_reversal SET status = 'approved', decided_by = 'b', decided_at = now();"
                          + "UPDATE bank_message SET reversed = true;"
                          + "UPDATE bank_line SET voided = true")
                  .update();
              return waiting;
            });
    assertThat(funded.get(60, TimeUnit.SECONDS).code()).isEqualTo("line-taken");
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql(
                    "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
                        + " VALUES ('credit-assigned', 'planted', 'suspense', 'fundings', 90, now())")
                .update())
        .hasMessageContaining("needs the row");
  }

  /** Attack: one person in two spellings decides what two persons decide. */
  @Test
  void oneSubjectInTwoSpellingsIsOnePersonForTheDatabase() {
    send(new BankSays("S1", today).entry("R1", false, 70, null, null).statement(0));
    TestDatabase database = desk.database;
    for (String sql :
        List.of(
            "INSERT INTO message_reversal (message, reason, proposed_by, proposed_at) SELECT max(sequence), 'r', 'ida', now() FROM bank_message;"
                + "UPDATE message_reversal SET status = 'approved', decided_by = 'I d a', decided_at = now()",
            "INSERT INTO bank_upload (type, message_id, digest, content, preview, proposed_by, proposed_at)"
                + " VALUES ('camt.054.001.08', 'm', sha256('a'), 'a', '', 'ida', now());"
                + "UPDATE bank_upload SET status = 'approved', decided_by = 'IDA', decided_at = now(), content = NULL"
                + " WHERE status = 'pending'",
            "INSERT INTO line_assignment (kind, debit_line, amount_minor, reason, proposed_by, proposed_at)"
                + " SELECT 'charge', max(line_id), 70, 'r', 'ida', now() FROM bank_line;"
                + "UPDATE line_assignment SET status = 'approved', decided_by = 'idA', decided_at = now()",
            "INSERT INTO screening (subject_kind, subject, verdict, basis, matches, sealed, screened_at, status)"
                + " VALUES ('payout', 'x', 'match', '', sha256('a'), 'a', now(), 'open');"
                + "UPDATE screening SET status = 'proposed', said = 'listed', reason = 'r', proposed_by = 'ida', proposed_at = now();"
                + "UPDATE screening SET status = said, decided_by = 'ida ', decided_at = now()")) {
      assertThatThrownBy(() -> database.jdbc().sql(sql).update())
          .as(sql)
          .hasMessageContaining("of_two_persons");
    }
  }

  /** Attack: a message as long as it may be locks the books. Prints the time. */
  @Test
  void aLargeStatementLocksTheBooksForSecondsAtMost() {
    BankSays says = new BankSays("S1", today);
    for (int i = 0; i < 8_000; i++) {
      says.entry("R" + i, i % 2 == 0, 100, null, null);
    }
    long begin = System.nanoTime();
    Answer handedIn = handIn(says.statement(0));
    long seen = System.nanoTime();
    assertThat(handedIn.status()).as(handedIn.body()).isEqualTo(201);
    Answer booked = decide(handedIn, "approval", desk.as(BEN, "approver"));
    assertThat(booked.status()).as(booked.body()).isEqualTo(200);
    System.out.printf(
        "8,000 lines: %d ms to hand in, %d ms to book%n",
        (seen - begin) / 1_000_000, (System.nanoTime() - seen) / 1_000_000);
    assertThat(Duration.ofNanos(System.nanoTime() - seen)).isLessThan(Duration.ofSeconds(30));
  }

  /** Attack: money is sent back, and its line backs a funding. */
  @Test
  void moneyThatWasSentBackBacksNoFunding() {
    send(new BankSays("S1", today).entry("R1", true, 500, null, "by mistake").statement(0));
    desk.clock.forward(Duration.ofDays(1));
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

  /** The bank refuses a payout, an operator tries it again, and then the first attempt was paid. */
  @Test
  void whatMayHaveBeenPaidIsNotSentAgain() {
    desk.issue(parties, "money", 1_000);
    TransferRequest paid = redeem(300);
    String batch = release();
    send(BankSays.refusal("A1", batch, endToEnd(paid), "AC04"));
    assertThat(outcome(paid, "accepted").status()).isEqualTo(200);
    String second =
        desk.rest
            .post("/admin/v1/payout-batches", Map.of(), desk.operator())
            .json()
            .path("batch")
            .path("batchId")
            .asString();
    send(
        new BankSays("S1", today)
            .entry("R0", true, 1_000, "money", null)
            .entry("R1", false, 300, endToEnd(paid), null)
            .statement(0));
    assertThat(differences()).containsExactly("unexpected-payment R1 -300");

    String path = "/admin/v1/payout-batches/" + second;
    assertThat(desk.rest.post(path + "/release", Map.of(), desk.as(BEN, "approver")).code())
        .isEqualTo("payout-disputed");
    assertThat(desk.rest.post(path + "/withdrawal", Map.of(), desk.operator()).status())
        .isEqualTo(200);
    assertThat(desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator()).code())
        .isEqualTo("nothing-to-pay");
    assertThat(state(paid)).isEqualTo("accepted");
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
    desk.clock.forward(Duration.ofDays(1));
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
    desk.clock.forward(Duration.ofDays(6));
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
            "UPDATE bank_upload SET digest = sha256('other')",
            "TRUNCATE bank_upload CASCADE",
            "INSERT INTO bank_message (type, message_id, report_id, digest, day, opening_minor, closing_minor, pending, imported_by,"
                + " imported_at) VALUES ('camt.053.001.08', 'X', 'X', sha256('x'), '2026-01-01', 0, 0, 0, 'eve', now())",
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

  /** Hands a message in and has another person book it; the answer is that to the first. */
  private Answer send(String xml) {
    Answer handedIn = handIn(xml);
    if (handedIn.status() == 201) {
      Answer booked = decide(handedIn, "approval", desk.as(BEN, "approver"));
      assertThat(booked.status()).as(booked.body()).isEqualTo(200);
    }
    return handedIn;
  }

  private Answer handIn(String xml) {
    String[] operator = desk.operator();
    return desk.rest.post(
        "/admin/v1/bank/messages",
        xml,
        operator[0],
        operator[1],
        "Content-Type",
        "application/xml");
  }

  /** Decides on what the desk shows now. */
  private Answer decide(Answer handedIn, String decision, String[] as) {
    return decide(handedIn, decision, preview(handedIn).path("previewDigest").asString(), as);
  }

  private Answer decide(Answer handedIn, String decision, String previewDigest, String[] as) {
    return desk.rest.post(
        message(handedIn) + "/" + decision, Map.of("previewDigest", previewDigest), as);
  }

  private JsonNode preview(Answer handedIn) {
    return desk.rest.get(message(handedIn), desk.operator()).json();
  }

  private static String message(Answer handedIn) {
    return "/admin/v1/bank/messages/"
        + handedIn.json().path("message").path("message").path("uploadId").asString();
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
