package io.solidus.operator.issuance.screening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.BankSays;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.operator.issuance.IssuanceFixture;
import io.solidus.operator.issuance.WalletAndCommittee;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Listed persons who pay in or are to be paid out. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScreeningTest {
  private static final String ANNA = IssuanceFixture.APPROVERS.get(0);
  private static final String BEN = IssuanceFixture.APPROVERS.get(1);

  @TempDir Path dir;
  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private IssuanceFixture desk;

  @BeforeEach
  void start() throws Exception {
    desk =
        new IssuanceFixture(
            parties,
            dir,
            false,
            TestPostgres.newDatabase(),
            Map.of(
                "screening",
                true,
                "solidus.issuance.bank.account",
                BankSays.ACCOUNT,
                "solidus.issuance.bank.name",
                "Central Bank of Examples",
                "solidus.issuance.bank.bic",
                "COBADEFFXXX"));
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  /** Attack: who is listed is paid out. */
  @Test
  void aListedPayeeIsNotPaidUntilTwoPersonsSayThatSheIsAnother() {
    desk.issue(parties, "money", 1_000);
    desk.sanctions.list("Bob", "d1");
    TransferRequest bob = redeem(60, "Bob");
    TransferRequest alice = redeem(70, "Alice");
    Answer proposed = propose();
    assertThat(proposed.json().path("batch").path("totalMinor").asLong())
        .as("Alice alone")
        .isEqualTo(70);
    assertThat(proposed.json().path("leftOut")).hasSize(1);
    release(proposed);
    assertThat(state(alice)).isEqualTo("sent");
    assertThat(propose().code()).isEqualTo("nothing-to-pay");

    assertThat(waiting("screenings-open")).isEqualTo(1);
    JsonNode open = open();
    assertThat(open.path("name").asString()).isEqualTo("Bob");
    assertThat(open.path("verdict").asString()).isEqualTo("match");
    assertThat(open.path("basis").asString()).contains("\"version\":3");
    assertThat(open.path("matches").path(0).path("name").asString()).isEqualTo("Bad Person");
    String path = "/admin/v1/screenings/" + open.path("screeningId").asString() + "/disposition";
    assertThat(desk.rest.post(path + "/approval", Map.of(), desk.as(ANNA, "approver")).code())
        .as("nobody has said anything")
        .isEqualTo("screening-decided");
    say(path, "other-person");
    assertThat(waiting("screenings-open")).isZero();
    assertThat(waiting("screenings-proposed")).isEqualTo(1);
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
    Answer again = propose();
    assertThat(again.status()).as(again.body()).isEqualTo(201);

    desk.sanctions.list("Bob", "d2");
    String batch =
        "/admin/v1/payout-batches/" + again.json().path("batch").path("batchId").asString();
    assertThat(desk.rest.post(batch + "/release", Map.of(), desk.as(BEN, "approver")).code())
        .as("the list says something else of him since")
        .isEqualTo("screening-match");
    assertThat(state(bob)).isEqualTo("accepted");
    assertThat(desk.rest.post(batch + "/withdrawal", Map.of(), desk.operator()).status())
        .isEqualTo(200);
    assertThat(propose().code()).isEqualTo("nothing-to-pay");
    String second =
        "/admin/v1/screenings/" + open().path("screeningId").asString() + "/disposition";
    say(second, "listed");
    desk.rest.post(second + "/approval", Map.of(), desk.as(ANNA, "approver"));
    assertThat(propose().code()).as("for good").isEqualTo("nothing-to-pay");
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql("UPDATE screening SET status = 'other-person' WHERE status = 'listed'")
                .update())
        .hasMessageContaining("never changed");
    assertThatThrownBy(() ->
            desk.database
                .jdbc()
                .sql(
                    "INSERT INTO screening (subject_kind, subject, verdict, basis, matches, sealed, screened_at, status)"
                        + " VALUES ('payout', 'x', 'match', '', sha256('a'), 'a', now(), 'other-person')")
                .update())
        .hasMessageContaining("begin undecided");
  }

  /** Attack: the sanctions service is away, and everybody passes. */
  @Test
  void whileNobodyCanBeScreenedNobodyIsPaid() {
    desk.issue(parties, "money", 1_000);
    TransferRequest alice = redeem(70, "Alice");
    desk.sanctions.answerScreenings(false);
    assertThat(propose().status()).isEqualTo(503);
    desk.sanctions.answerScreenings(true);
    Answer proposed = propose();
    assertThat(proposed.status()).isEqualTo(201);
    desk.sanctions.answerScreenings(false);
    assertThat(
            desk.rest
                .post(
                    "/admin/v1/payout-batches/"
                        + proposed.json().path("batch").path("batchId").asString()
                        + "/release",
                    Map.of(),
                    desk.as(BEN, "approver"))
                .status())
        .isEqualTo(503);
    assertThat(state(alice)).isEqualTo("accepted");
    desk.sanctions.answerScreenings(true);
    release(proposed);
    assertThat(state(alice)).isEqualTo("sent");
  }

  /** Attack: who is listed pays in, and gets coins. */
  @Test
  void noCoinIsIssuedForAListedPayer() {
    String token = desk.fund("DEPOSIT-1", 500);
    send(
        new BankSays("N1", LocalDate.now(ZoneOffset.UTC))
            .entry("R1", true, 500, "DEPOSIT-1", null)
            .notification());
    MintRequest mint = parties.mint(500);
    desk.requestMint("DEPOSIT-1", token, mint);
    desk.sanctions.answerScreenings(false);
    assertThat(desk.approve(ANNA, mint).status()).isEqualTo(503);
    desk.sanctions.answerScreenings(true);
    desk.sanctions.list("Ingeborg Payer", "d1");
    assertThat(desk.approve(ANNA, mint).code()).isEqualTo("screening-match");
    String path = "/admin/v1/screenings/" + open().path("screeningId").asString() + "/disposition";
    say(path, "other-person");
    assertThat(desk.rest.post(path + "/refusal", Map.of(), desk.as(ANNA, "approver")).status())
        .isEqualTo(200);
    assertThat(desk.approve(ANNA, mint).code()).isEqualTo("screening-match");
    say(path, "other-person");
    desk.rest.post(path + "/approval", Map.of(), desk.as(BEN, "approver"));
    assertThat(desk.approve(ANNA, mint).status()).isEqualTo(200);
    assertThat(desk.approve(BEN, mint).status()).isEqualTo(200);
    assertThat(desk.supply().getFirst()).isEqualTo(500);
    assertThat(
            desk.database
                .jdbc()
                .sql("SELECT string_agg(s::text, '') FROM screening s")
                .query(String.class)
                .single())
        .doesNotContain("Ingeborg");
  }

  /** Attack: what somebody said of a match long ago is confirmed when nobody remembers why. */
  @Test
  void whatIsSaidOfAMatchExpires() {
    desk.issue(parties, "money", 1_000);
    redeem(70, "Bob");
    desk.sanctions.list("Bob", "d1");
    propose();
    String path = "/admin/v1/screenings/" + open().path("screeningId").asString() + "/disposition";
    say(path, "other-person");
    desk.clock.forward(Duration.ofDays(8));
    assertThat(desk.rest.post(path + "/approval", Map.of(), desk.as(BEN, "approver")).code())
        .isEqualTo("proposal-expired");
    desk.rest.post(path + "/refusal", Map.of(), desk.operator());
    say(path, "other-person");
    assertThat(desk.rest.post(path + "/approval", Map.of(), desk.as(BEN, "approver")).status())
        .isEqualTo(200);
  }

  private void say(String path, String said) {
    Answer answer =
        desk.rest.post(path, Map.of("said", said, "reason", "another birth date"), desk.operator());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private JsonNode open() {
    JsonNode open =
        desk.rest
            .get("/admin/v1/screenings?open=true", desk.as("otto", "auditor"))
            .json()
            .path("screenings");
    assertThat(open).hasSize(1);
    return open.path(0);
  }

  private long waiting(String queue) {
    for (JsonNode each :
        desk.rest.get("/admin/v1/issuance/queues", desk.operator()).json().path("queues")) {
      if (each.path("name").asString().equals(queue)) {
        return each.path("count").asLong();
      }
    }
    return -1;
  }

  private Answer propose() {
    return desk.rest.post("/admin/v1/payout-batches", Map.of(), desk.operator());
  }

  private void release(Answer proposed) {
    Answer released =
        desk.rest.post(
            "/admin/v1/payout-batches/"
                + proposed.json().path("batch").path("batchId").asString()
                + "/release",
            Map.of(),
            desk.as(BEN, "approver"));
    assertThat(released.status()).as(released.body()).isEqualTo(200);
  }

  private void send(String xml) {
    String[] operator = desk.operator();
    Answer handedIn =
        desk.rest.post(
            "/admin/v1/bank/messages",
            xml,
            operator[0],
            operator[1],
            "Content-Type",
            "application/xml");
    assertThat(handedIn.status()).as(handedIn.body()).isEqualTo(201);
    desk.rest.post(
        "/admin/v1/bank/messages/"
            + handedIn.json().path("message").path("message").path("uploadId").asString()
            + "/approval",
        Map.of("previewDigest", handedIn.json().at("/message/previewDigest").asString()),
        desk.as(BEN, "approver"));
  }

  private TransferRequest redeem(long amountMinor, String payee) {
    TransferRequest request =
        parties.withdraw(
            parties.account(100_000),
            amountMinor,
            desk.payoutBlock(
                "{\"creditorName\":\"" + payee + "\",\"iban\":\"DE02120300000000202051\"}"));
    assertThat(desk.redeem(request, parties.sign(request.statement(), 1, 2, 3)).status())
        .isEqualTo(200);
    return request;
  }

  private String state(TransferRequest request) {
    return desk.rest
        .get("/v1/redemptions/" + Base64Url.encode(request.statement().leadSerial().bytes()))
        .json()
        .path("status")
        .asString();
  }
}
