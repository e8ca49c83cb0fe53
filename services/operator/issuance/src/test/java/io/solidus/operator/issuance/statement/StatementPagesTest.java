package io.solidus.operator.issuance.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.BankSays;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TwoRoles;
import io.solidus.operator.issuance.IssuanceFixture;
import io.solidus.operator.issuance.WalletAndCommittee;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A bank that sends the pages of a statement in messages of their own. */
@Tag("process")
class StatementPagesTest {
  private static final String[] BANK = {
    "solidus.issuance.bank.account", "solidus.issuance.bank.name", "solidus.issuance.bank.bic"
  };

  @TempDir Path dir;
  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
  private IssuanceFixture desk;
  private String[] ida;

  @BeforeEach
  void start() throws Exception {
    TestDatabase database = TestPostgres.newDatabase();
    Map<String, Object> properties =
        new HashMap<>(TwoRoles.migrated(database, "issuance").serviceProperties());
    properties.putAll(
        Map.of(BANK[0], BankSays.ACCOUNT, BANK[1], "Central Bank", BANK[2], "COBADEFFXXX"));
    desk = new IssuanceFixture(WalletAndCommittee.SHARED, dir, false, database, properties);
    ida = desk.operator();
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void pagesInAnyOrderAreOneMessage() {
    Answer second = handIn(page(2, false, 100, "R2", 20), ida);
    assertThat(second.status()).as(second.body()).isEqualTo(202);
    assertThat(second.json().path("heldPage").asInt()).isEqualTo(2);
    assertThat(second.json().path("message").isNull()).isTrue();
    handIn(page(3, true, 120, "R3", 3), ida);
    assertThat(desk.count("bank_upload")).isZero();
    Answer whole = handIn(page(1, false, 0, "R1", 100), ida);
    assertThat(whole.status()).as(whole.body()).isEqualTo(201);
    JsonNode preview = whole.json().at("/message/preview");
    assertThat(preview.path("lines").valueStream().map(l -> l.path("reference").asString()))
        .containsExactly("R1", "R2", "R3");
    assertThat(preview.path("openingMinor").asLong()).isZero();
    assertThat(preview.path("closingMinor").asLong()).isEqualTo(123);
    assertThat(desk.count("bank_page")).isZero();
    approve(whole);
    assertThat(desk.count("bank_line")).isEqualTo(3);
    for (int i = 1; i < 3; i++) {
      handIn(page(i, false, i == 1 ? 0 : 100, "R" + i, i == 1 ? 100 : 20), ida);
    }
    Answer again = handIn(page(3, true, 120, "R3", 3), ida);
    assertThat(again.json().path("repeated").asBoolean()).as(again.body()).isTrue();
    assertThat(desk.count("bank_page")).isZero();
    handIn(page(1, false, 0, "R8", 5), ida);
    assertThat(handIn(page(2, true, 5, "R9", 7), ida).code())
        .as("page 1 has the id of another message")
        .isEqualTo("message-differs");
    assertThat(desk.count("bank_page")).isZero();
  }

  private void approve(Answer whole) {
    Answer booked =
        desk.rest.post(
            "/admin/v1/bank/messages/"
                + whole.json().at("/message/message/uploadId").asString()
                + "/approval",
            Map.of("previewDigest", whole.json().at("/message/previewDigest").asString()),
            desk.as(IssuanceFixture.APPROVERS.getFirst(), "money-approver"));
    assertThat(booked.status()).as(booked.body()).isEqualTo(200);
  }

  @Test
  void pagesOfAMessageAreThoseOfItsStatement() {
    assertThat(handIn(message(page(1, false, 0, "R1", 5)), ida).status()).isEqualTo(202);
    Answer whole = handIn(message(page(2, true, 5, "R2", 7)), ida);
    assertThat(whole.status()).as(whole.body()).isEqualTo(201);
    assertThat(whole.json().at("/message/preview/closingMinor").asLong()).isEqualTo(12);
  }

  /** The header numbers the pages of a message, and our statement is whole in its second one. */
  @Test
  void aPageOfAMessageOfSeveralAccountsWaitsForNothing() {
    String page = message(page(2, false, 0, "R1", 5));
    String others =
        page.substring(page.indexOf("<Stmt>"), page.indexOf("</BkToCstmrStmt>"))
            .replace(BankSays.ACCOUNT, "DE02120300000000202051");
    assertThat(handIn(page.replace("</Stmt>", "</Stmt>" + others), ida).code())
        .isEqualTo("bank-message-unsupported");
    assertThat(desk.count("bank_page")).isZero();
  }

  /** Attack: who handed in a page approves the statement that has it. */
  @Test
  void onePersonHandsInAllPages() {
    handIn(page(1, false, 0, "R1", 5), desk.as("Operator-Ben", "issuance-operator"));
    assertThat(handIn(page(2, true, 5, "R2", 7), ida).status())
        .as("the page of another is discarded")
        .isEqualTo(202);
    assertThat(desk.count("bank_page")).isEqualTo(1);
    assertThat(events("statement pages of another discarded")).containsExactly("operator-ida S");
    handIn(page(1, false, 0, "R1", 5), desk.as("Operator-Ben", "issuance-operator"));
    assertThat(desk.count("bank_upload")).isZero();
    assertThat(
            handIn(
                    page(2, true, 5, "R2", 7),
                    desk.as("operator-ben", "issuance-operator", "money-approver"))
                .status())
        .as("in another spelling")
        .isEqualTo(201);
  }

  private List<String> events(String action) {
    return desk.database
        .jdbc()
        .sql("SELECT actor || ' ' || subject FROM operator_event WHERE action = ?")
        .param(action)
        .query(String.class)
        .list();
  }

  @Test
  void aWrongPageIsReplaced() {
    handIn(page(1, false, 0, "R1", 6), ida);
    assertThat(handIn(page(2, true, 5, "R2", 7), ida).code())
        .as("the sums are wrong")
        .isEqualTo("bank-message-inconsistent");
    assertThat(handIn(page(1, false, 0, "R1", 5), ida).status()).isEqualTo(201);
    handIn(page(2, true, 5, "R7", 7).replace("<Id>S</Id>", "<Id>T</Id>"), ida);
    assertThat(handIn(page(3, true, 12, "R9", 5).replace("<Id>S</Id>", "<Id>T</Id>"), ida).code())
        .as("a page after the last one")
        .isEqualTo("pages-differ");
  }

  /** The bank sends a draft of three pages, and the statement with two. */
  @Test
  void theLastPageTakesThePlaceOfWhatFollowedIt() {
    handIn(page(1, false, 0, "R8", 5), ida);
    handIn(page(3, true, 12, "R9", 5), ida);
    Answer whole = handIn(page(2, true, 5, "R7", 7), ida);
    assertThat(whole.status()).as(whole.body()).isEqualTo(201);
    assertThat(whole.json().at("/message/preview/closingMinor").asLong()).isEqualTo(12);
    assertThat(desk.count("bank_page")).isZero();
  }

  /** Attack: pages without an end fill the desk. */
  @Test
  void pagesThatWaitAreBoundedAndExpire() {
    for (int i = 1; i <= HeldPages.MAX_HELD; i++) {
      assertThat(handIn(page(i, false, 0, "R1", 5), ida).status()).isEqualTo(202);
    }
    assertThat(handIn(page(51, false, 0, "R1", 5), ida).code()).isEqualTo("pages-waiting");
    desk.clock.forward(Duration.ofDays(8));
    ida = desk.operator();
    assertThat(handIn(page(51, true, 0, "R1", 5), ida).status())
        .as("the others have expired")
        .isEqualTo(202);
    assertThat(desk.count("bank_page")).isEqualTo(1);
    assertThat(events("statement pages expired")).containsExactly("system:time S");
    assertThat(handIn(page(1001, true, 0, "R1", 5), ida).code())
        .isEqualTo("bank-message-unsupported");
    for (String column : List.of("encode(content, 'escape')", "report_id")) {
      assertThat(
              desk.database
                  .jdbc()
                  .sql("SELECT " + column + " FROM bank_page")
                  .query(String.class)
                  .single())
          .doesNotContain("Ingeborg");
    }
  }

  /** A page with one line, in a message of its own. */
  private String page(int number, boolean last, long opening, String reference, long minor) {
    return new BankSays("M" + number, today)
        .entry(reference, true, minor, null, null)
        .statement(opening)
        .replace(
            "<Stmt><Id>M" + number + "</Id>",
            "<Stmt><Id>S</Id><StmtPgntn>" + numbers(number, last) + "</StmtPgntn>");
  }

  /** The same with its number in the header. */
  private static String message(String page) {
    int begin = page.indexOf("<StmtPgntn>");
    int end = page.indexOf("</StmtPgntn>");
    String numbers = page.substring(begin + "<StmtPgntn>".length(), end);
    return (page.substring(0, begin) + page.substring(end + "</StmtPgntn>".length()))
        .replace("</GrpHdr>", "<MsgPgntn>" + numbers + "</MsgPgntn></GrpHdr>");
  }

  private static String numbers(int number, boolean last) {
    return "<PgNb>" + number + "</PgNb><LastPgInd>" + last + "</LastPgInd>";
  }

  private Answer handIn(String xml, String[] as) {
    return desk.rest.post(
        "/admin/v1/bank/messages", xml, as[0], as[1], "Content-Type", "application/xml");
  }
}
