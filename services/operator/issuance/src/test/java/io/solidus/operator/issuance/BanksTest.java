package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.BankRoutes;
import io.solidus.dev.testkit.BankSays;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The staff of one bank try to read and decide the fundings and payouts of another one. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BanksTest {
  private static final String FIRST = "first";
  private static final String SECOND = "second";
  private static final String MISSING = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  /** One account of each bank, and one of none. */
  private static final Map<String, String> ACCOUNTS =
      Map.of(FIRST, "DE02120300000000202051", SECOND, "GB82WEST12345698765432");

  private static final Map<String, Object> PROPERTIES =
      Map.of(
          "solidus.banks.known[0].id",
          FIRST,
          "solidus.banks.known[0].accounts",
          "DE12030000",
          "solidus.banks.known[1].id",
          SECOND,
          "solidus.banks.known[1].accounts",
          "GBWEST",
          "solidus.issuance.bank.account",
          BankSays.ACCOUNT,
          "solidus.issuance.bank.name",
          "Central Bank of Examples",
          "solidus.issuance.bank.bic",
          "COBADEFFXXX");

  private static final String NOBODYS = "FR1420041010050500013M02606";

  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private IssuanceFixture desk;

  /** What a bank has: one of each. */
  private record Things(
      String mint, String reversal, String lead, String correction, String batch) {}

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    desk = new IssuanceFixture(parties, dir, false, TestPostgres.newDatabase(), PROPERTIES);
  }

  @AfterAll
  void stop() {
    desk.close();
  }

  @Test
  void anotherBanksFundingsAndPayoutsAnswerAsThoseThatDoNotExist() {
    Things first = things(FIRST);
    Things second = things(SECOND);
    assertThat(queues(FIRST)).containsEntry("payee-corrections", 1L).hasSize(4);
    assertThat(queues(null))
        .containsEntry("payee-corrections", 2L)
        .containsEntry("screenings-open", 0L)
        .containsEntry("payouts-held", 0L);
    new BankRoutes(AccessTest.ROUTES, FIRST, SECOND)
        .object("fundingId", "first:money", "second:money", "missing")
        .object("mintId", first.mint(), second.mint(), MISSING)
        .object("reversalId", first.reversal(), second.reversal(), "999999")
        .object("leadSerial", first.lead(), second.lead(), MISSING)
        .object("correctionId", first.correction(), second.correction(), "999999")
        .object("batchId", first.batch(), second.batch(), "SLD-MISSING")
        .list("GET /admin/v1/fundings", "first:money", "first:other")
        .list("GET /admin/v1/funding-reversals", "first:other")
        .list("GET /admin/v1/mints", first.mint())
        .list("GET /admin/v1/redemptions", first.lead(), account(FIRST))
        .list("GET /admin/v1/payee-corrections", first.lead())
        .list("GET /admin/v1/payout-batches", first.batch())
        .list("GET /admin/v1/issuance/queues")
        .open("POST /admin/v1/fundings")
        .open("POST /admin/v1/payout-batches")
        .central("GET /admin/v1/supply")
        .central("GET /admin/v1/books/days/{day}")
        .central("GET /admin/v1/books/entries")
        .central("GET /admin/v1/authority-totals/{day}")
        .central("POST /admin/v1/bank/messages")
        .central("GET /admin/v1/bank/statements")
        .central("GET /admin/v1/bank/statements/{day}")
        .central("GET /admin/v1/bank/statements/{day}/lines")
        .central("GET /admin/v1/bank/open-lines")
        .central("GET /admin/v1/bank/differences")
        .central("POST /admin/v1/bank/differences/{differenceId}/closing")
        .central("POST /admin/v1/bank/assignments")
        .central("GET /admin/v1/bank/assignments")
        .central("POST /admin/v1/bank/assignments/{assignmentId}/approval")
        .central("POST /admin/v1/bank/assignments/{assignmentId}/refusal")
        .central("GET /admin/v1/bank/messages")
        .central("GET /admin/v1/bank/messages/{uploadId}")
        .central("POST /admin/v1/bank/messages/{uploadId}/approval")
        .central("POST /admin/v1/bank/messages/{uploadId}/refusal")
        .central("POST /admin/v1/bank/messages/{uploadId}/reversals")
        .central("GET /admin/v1/bank/message-reversals")
        .central("POST /admin/v1/bank/message-reversals/{messageReversalId}/approval")
        .central("POST /admin/v1/bank/message-reversals/{messageReversalId}/refusal")
        .central("GET /admin/v1/screenings")
        .central("POST /admin/v1/screenings/{screeningId}/disposition")
        .central("POST /admin/v1/screenings/{screeningId}/disposition/approval")
        .central("POST /admin/v1/screenings/{screeningId}/disposition/refusal")
        .central("GET /admin/v1/issuance/events")
        .central("GET /admin/v1/issuance/events/download")
        .central("GET /admin/v1/issuance/events/sealed")
        .central("GET /admin/v1/issuance/events/notes")
        .attack(desk.rest, desk.tokens);
  }

  /** How many wait in each queue of a bank, or of all, and that nobody's look is recorded. */
  private Map<String, Long> queues(@Nullable String bank) {
    long before = events();
    Answer answer =
        desk.rest.get(
            "/admin/v1/issuance/queues",
            bank == null ? desk.operator() : as(bank, "ida", "issuance-operator"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("Ada", "DE89");
    assertThat(events()).isEqualTo(before);
    Map<String, Long> counts = new HashMap<>();
    answer
        .json()
        .path("queues")
        .forEach(queue -> {
          long count = queue.path("count").asLong();
          counts.put(queue.path("name").asString(), count);
          assertThat(queue.path("oldest").isString()).isEqualTo(count > 0);
        });
    return counts;
  }

  private long events() {
    return desk.database
        .jdbc()
        .sql("SELECT count(*) FROM operator_event")
        .query(Long.class)
        .single();
  }

  @Test
  void aBankRecordsForItselfAlone() {
    assertThat(fund(FIRST, "first:own-1", Map.of()).status()).isEqualTo(201);
    assertThat(fund(FIRST, "first:own-2", Map.of("bank", SECOND)).code()).isEqualTo("unknown-bank");
    assertThat(fund(FIRST, "first:own-3", Map.of("lineId", 1)).code())
        .isEqualTo("central-staff-only");
    assertThat(fund(null, "first:own-4", Map.of()).code()).isEqualTo("bank-needed");
    assertThat(fund(null, "third:own-5", Map.of("bank", "third")).code()).isEqualTo("unknown-bank");
    assertThat(fund(null, "second:own-6", Map.of("bank", SECOND)).status()).isEqualTo(201);
    assertThat(
            desk.rest
                .get("/admin/v1/fundings/second:own-6", desk.as("otto", "auditor"))
                .json()
                .path("bank")
                .asString())
        .isEqualTo(SECOND);
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql("UPDATE funding SET bank = 'first' WHERE funding_id = 'second:own-6'")
                .update())
        .hasMessageContaining("stay with their bank");
  }

  /** Attack: a bank records money under the word of another bank's customer, and gets it. */
  @Test
  void aBankRecordsNoMoneyUnderTheWordsOfAnotherBank() {
    assertThat(fund(FIRST, "second:INVOICE-7", Map.of()).code()).isEqualTo("funding-id-of-bank");
    assertThat(fund(FIRST, "INVOICE-7", Map.of()).code()).isEqualTo("funding-id-of-bank");
    assertThat(fund(FIRST, "firstINVOICE-7", Map.of()).code()).isEqualTo("funding-id-of-bank");
    assertThat(fund(null, "INVOICE-7", Map.of("bank", FIRST)).code())
        .as("the centre too")
        .isEqualTo("funding-id-of-bank");
    for (String planted : List.of("second:INVOICE-8", "INVOICE-9")) {
      desk.database
          .jdbc()
          .sql(
              "INSERT INTO funding (funding_id, amount_minor, sealed_reference, token_hash, recorded_by, recorded_at, bank)"
                  + " VALUES (?, 10000, 'a', sha256('a'), 'ida', now(), 'first')")
          .param(planted)
          .update();
    }
    assertThat(fund(SECOND, "second:INVOICE-7", Map.of()).status()).isEqualTo(201);
    LocalDate day = LocalDate.now(ZoneOffset.UTC);
    assertThat(
            names(
                desk,
                new BankSays("N1", day)
                    .entry("R7", true, 10_000, null, "thanks, second:INVOICE-7")
                    .entry("R8", true, 10_000, "second:INVOICE-8", null)
                    .entry("R9", true, 10_000, null, "INVOICE-9")))
        .containsExactly("funding second:INVOICE-7", "unknown-credit ", "unknown-credit ");
  }

  /** Attack: the bank of words that name none records what payers write beside another bank's. */
  @Test
  void theUnnamedBankGetsNoMoneyOfAnotherBank(@TempDir Path dir) throws Exception {
    Map<String, Object> properties = new HashMap<>(PROPERTIES);
    properties.put("solidus.banks.unnamed", FIRST);
    try (IssuanceFixture unnamed =
        new IssuanceFixture(parties, dir, false, TestPostgres.newDatabase(), properties)) {
      for (String id : List.of("thanks", "Invoice", "INVOICE-9")) {
        assertThat(fund(unnamed, FIRST, id, Map.of()).status()).isEqualTo(201);
      }
      assertThat(fund(unnamed, FIRST, "SECOND:INVOICE-7", Map.of()).code())
          .isEqualTo("funding-id-of-bank");
      assertThat(fund(unnamed, SECOND, "second:INVOICE-7", Map.of()).status()).isEqualTo(201);
      assertThat(fund(unnamed, SECOND, "second:INVOICE-8", Map.of()).status()).isEqualTo(201);
      assertThat(fund(unnamed, FIRST, "first:INVOICE-8", Map.of()).status()).isEqualTo(201);
      assertThat(
              names(
                  unnamed,
                  new BankSays("N1", LocalDate.now(ZoneOffset.UTC))
                      .entry("R7", true, 10_000, null, "thanks, second:INVOICE-7")
                      .entry("R8", true, 9_000, "Invoice", "second:INVOICE-8")
                      .entry("R9", true, 10_000, null, "Invoice SECOND:INVOICE-7")
                      .entry("R10", true, 10_000, "first:INVOICE-8", "second:INVOICE-8")
                      .entry("R11", true, 10_000, null, "Invoice-9 INVOICE-9")))
          .containsExactly(
              "funding second:INVOICE-7",
              "amount-differs second:INVOICE-8",
              "unknown-credit ",
              "unknown-credit ",
              "funding INVOICE-9");
    }
  }

  /** What a message would do, by its lines. */
  private static List<String> names(IssuanceFixture desk, BankSays says) {
    String[] operator = desk.operator();
    Answer handedIn =
        desk.rest.post(
            "/admin/v1/bank/messages",
            says.notification(),
            operator[0],
            operator[1],
            "Content-Type",
            "application/xml");
    assertThat(handedIn.status()).as(handedIn.body()).isEqualTo(201);
    return handedIn
        .json()
        .at("/message/preview/lines")
        .valueStream()
        .map(line -> line.path("name").asString() + " " + line.path("subject").asString(""))
        .toList();
  }

  @Test
  void aBatchPaysTheCustomersOfOneBank() {
    issue(FIRST, "first:batch");
    String nobodys = redeem(NOBODYS);
    String firsts = redeem(account(FIRST));
    Answer seconds = post(SECOND, "/admin/v1/payout-batches", Map.of());
    assertThat(
            seconds.status() == 201
                ? payouts(seconds.json().at("/batch/batchId").asString())
                : seconds.code())
        .doesNotContain(firsts)
        .doesNotContain(nobodys);
    assertThat(post(SECOND, "/admin/v1/payout-batches", Map.of("bank", FIRST)).code())
        .isEqualTo("unknown-bank");
    String centres = batch(null, Map.of());
    assertThat(payouts(centres)).contains(nobodys).doesNotContain(firsts);
    String own = batch(FIRST, Map.of());
    assertThat(payouts(own)).contains(firsts).doesNotContain(nobodys);
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql(
                    "INSERT INTO payout_batch_item (batch_id, position, lead_serial, attempt)"
                        + " VALUES (?, 999, ?, 1)")
                .params(centres, Base64Url.decode(firsts, "leadSerial"))
                .update())
        .hasMessageContaining("of one bank");
  }

  private String batch(@Nullable String bank, Map<String, Object> body) {
    Answer answer = post(bank, "/admin/v1/payout-batches", body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().at("/batch/batchId").asString();
  }

  private String payouts(String batch) {
    return desk.rest.get("/admin/v1/payout-batches/" + batch, desk.as("otto", "auditor")).body();
  }

  private static String account(String bank) {
    return Objects.requireNonNull(ACCOUNTS.get(bank));
  }

  private Things things(String bank) {
    MintRequest mint = issue(bank, bank + ":money");
    fund(bank, bank + ":other", Map.of());
    String reversal =
        post(
                bank,
                "/admin/v1/fundings/" + bank + ":other/reversals",
                Map.of("reason", "typed twice"))
            .json()
            .path("reversalId")
            .asString();
    redeem(account(bank));
    String batch =
        post(bank, "/admin/v1/payout-batches", Map.of()).json().at("/batch/batchId").asString();
    String lead = redeem(account(bank));
    String correction =
        post(
                bank,
                "/admin/v1/redemptions/" + lead + "/payee",
                Map.of(
                    "creditorName",
                    "Ada",
                    "iban",
                    "DE89370400440532013000",
                    "reason",
                    "a letter came"))
            .json()
            .path("correctionId")
            .asString();
    return new Things(IssuanceFixture.id(mint), reversal, lead, correction, batch);
  }

  /** Money of a bank's customer, and coins for a part of it. */
  private MintRequest issue(String bank, String money) {
    MintRequest mint = parties.mint(1_000);
    desk.requestMint(money, token(fund(bank, money, Map.of())), mint);
    for (String approver : IssuanceFixture.APPROVERS.subList(0, 2)) {
      Answer approved =
          desk.rest.post(
              "/admin/v1/mints/" + IssuanceFixture.id(mint) + "/approvals",
              Map.of(
                  "approver",
                  approver,
                  "signature",
                  Base64Url.encode(desk.signatureOf(approver, mint.statement()))),
              as(bank, approver, "money-approver"));
      assertThat(approved.status()).as(approved.body()).isEqualTo(200);
    }
    return mint;
  }

  /** The lead serial number of a withdrawal to an account. */
  private String redeem(String account) {
    TransferRequest request =
        parties.withdraw(
            parties.account(10_000),
            100,
            desk.payoutBlock("{\"creditorName\":\"Ada\",\"iban\":\"" + account + "\"}"));
    Answer answer = desk.redeem(request, parties.sign(request.statement(), 1, 2, 3));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return Base64Url.encode(request.statement().leadSerial().bytes());
  }

  /** Records money; a null bank is the centre. */
  private Answer fund(@Nullable String bank, String id, Map<String, Object> more) {
    return fund(desk, bank, id, more);
  }

  private static Answer fund(
      IssuanceFixture desk, @Nullable String bank, String id, Map<String, Object> more) {
    Map<String, Object> body = new HashMap<>(more);
    body.put("fundingId", id);
    body.put("amountMinor", 10_000);
    body.put("accountReference", "DE89370400440532013000");
    return post(desk, bank, "/admin/v1/fundings", body);
  }

  private static String token(Answer funded) {
    assertThat(funded.status()).as(funded.body()).isEqualTo(201);
    return funded.json().path("accessToken").asString();
  }

  private Answer post(@Nullable String bank, String path, Map<String, Object> body) {
    return post(desk, bank, path, body);
  }

  private static Answer post(
      IssuanceFixture desk, @Nullable String bank, String path, Map<String, Object> body) {
    return desk.rest.post(
        path,
        body,
        bank == null
            ? desk.operator()
            : as(desk, bank, IssuanceFixture.RECORDER, "issuance-operator"));
  }

  private String[] as(String bank, String subject, String role) {
    return as(desk, bank, subject, role);
  }

  private static String[] as(IssuanceFixture desk, String bank, String subject, String role) {
    return new String[] {"Authorization", "Bearer " + desk.tokens.ofBank(bank, subject, role)};
  }
}
