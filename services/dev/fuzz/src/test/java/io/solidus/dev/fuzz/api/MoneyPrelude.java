package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.demo.Actor;
import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.testkit.BankSays;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.wallet.Payment;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Money that comes in, becomes a coin, and goes out to a payee about whom there are doubts. */
final class MoneyPrelude {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final String IBAN = "DE02120300000000202051";
  private static final String REDEMPTIONS = "/admin/v1/redemptions/";
  private static final String BATCHES = "/admin/v1/payout-batches";

  private final Desk desk;
  private final BankPrelude bank;
  private final Operators operators;

  MoneyPrelude(Desk desk, BankPrelude bank, Operators operators) {
    this.desk = desk;
    this.bank = bank;
    this.operators = operators;
  }

  /** One mint is refused and one is approved. */
  void mint(Actor actor, long amountMinor) throws IOException {
    MintId refused = request(actor, "prelude-refused", amountMinor);
    desk.decide(
        "/admin/v1/mints/" + Base64Url.encode(refused.bytes()) + "/refusal",
        Map.of("reason", "the payer asks for her money"));
    MintId approved = request(actor, "prelude-minted", amountMinor);
    operators.approveMint(approved);
    assertThat(actor.wallet().awaitMint(approved, LIMIT)).isPresent();
  }

  private MintId request(Actor actor, String fundingId, long amountMinor) throws IOException {
    JsonNode funding = operators.recordFunding(fundingId, amountMinor);
    return actor
        .wallet()
        .requestMint(fundingId, funding.path("accessToken").asString(), new Amount(amountMinor));
  }

  Payment withdraw(Actor actor, long amountMinor) {
    Payment payment =
        actor.wallet().withdraw(new Amount(amountMinor), new PayoutInstruction("Ada", IBAN, "out"));
    assertThat(payment.redeemed()).isTrue();
    return payment;
  }

  /** From the payee's account to a batch that the bank refuses. */
  void payOut(Payment payment) {
    String lead = Base64Url.encode(payment.lead().bytes());
    desk.read("/v1/redemptions/" + lead);
    correctPayee(lead);
    passScreening();
    String batch = proposeBatch();
    desk.read(BATCHES + "/" + batch);
    desk.decide(BATCHES + "/" + batch + "/withdrawal");
    batch = proposeBatch();
    desk.decide(BATCHES + "/" + batch + "/release");
    desk.read(BATCHES + "/" + batch + "/message");
    bank.book(BankSays.refusal("PRELUDE-STATUS", batch, null, "AC04"));
    JsonNode again = desk.propose(REDEMPTIONS + lead + "/outcome", Map.of("status", "accepted"));
    assertThat(again.path("attempt").asInt()).isEqualTo(2);
  }

  /** To a listed name, so that the next batch leaves the payout out. */
  private void correctPayee(String lead) {
    Map<String, Object> payee =
        Map.of(
            "creditorName",
            KycPrelude.LISTED_GIVEN + " " + KycPrelude.LISTED_FAMILY,
            "iban",
            IBAN,
            "reason",
            "the payee's letter");
    for (String decision : List.of("/refusal", "/approval")) {
      JsonNode proposed = desk.propose(REDEMPTIONS + lead + "/payee", payee);
      desk.decide(
          "/admin/v1/payee-corrections/" + proposed.path("correctionId").asString() + decision);
    }
  }

  private void passScreening() {
    assertThat(desk.tryToPropose(BATCHES, Map.of()).code()).isEqualTo("nothing-to-pay");
    JsonNode open = desk.read("/admin/v1/screenings?open=true").path("screenings");
    assertThat(open).hasSize(1);
    String path =
        "/admin/v1/screenings/" + open.path(0).path("screeningId").asString() + "/disposition";
    for (String decision : List.of("/refusal", "/approval")) {
      desk.propose(path, Map.of("said", "other-person", "reason", "another birth date"));
      desk.decide(path + decision);
    }
  }

  private String proposeBatch() {
    return desk.propose(BATCHES, Map.of()).path("batch").path("batchId").asString();
  }

  /** A funding is taken back. */
  void reverseFunding() throws IOException {
    operators.recordFunding("prelude-reversed", 4_000);
    JsonNode reversal =
        desk.propose(
            "/admin/v1/fundings/prelude-reversed/reversals",
            Map.of("reason", "wrong holder", "recall", false));
    desk.decide(
        "/admin/v1/funding-reversals/" + reversal.path("reversalId").asString() + "/approval");
  }
}
