package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.BankSays;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The bank's messages: refused, booked, taken back, and what they leave unexplained. */
final class BankPrelude {
  private static final String BANK = "/admin/v1/bank";

  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
  private final Desk desk;

  BankPrelude(Desk desk) {
    this.desk = desk;
  }

  void explain() {
    String wrong = lines(new BankSays("PRELUDE-N", today)).notification();
    decide(handIn(wrong), "refusal");
    String upload = handIn(wrong);
    decide(upload, "approval");
    for (String decision : List.of("/refusal", "/approval")) {
      JsonNode reversal =
          desk.propose(
              BANK + "/messages/" + upload + "/reversals", Map.of("reason", "of another bank"));
      desk.decide(BANK + "/message-reversals/" + reversal.path("reversalId").asString() + decision);
    }
    book(lines(new BankSays("PRELUDE-S", today)).statement(0));
    desk.read(BANK + "/statements/" + today);
    assertThat(desk.read(BANK + "/statements/" + today + "/lines").path("lines")).hasSize(2);
    assign();
    closeDifference();
  }

  private static BankSays lines(BankSays says) {
    return says.entry("PRELUDE-C", true, 700, null, "unknown")
        .entry("PRELUDE-D", false, 300, null, "unknown");
  }

  /** A debit is the bank's charge. */
  private void assign() {
    JsonNode debit =
        desk.read(BANK + "/open-lines")
            .path("lines")
            .valueStream()
            .map(open -> open.path("line"))
            .filter(line -> line.path("reference").asString().equals("PRELUDE-D"))
            .findFirst()
            .orElseThrow();
    Map<String, Object> charge =
        Map.of(
            "kind",
            "charge",
            "debitLineId",
            debit.path("lineId").asLong(),
            "reason",
            "the bank's letter");
    for (String decision : List.of("/refusal", "/approval")) {
      JsonNode proposed = desk.propose(BANK + "/assignments", charge);
      desk.decide(BANK + "/assignments/" + proposed.path("assignmentId").asString() + decision);
    }
  }

  private void closeDifference() {
    JsonNode difference = desk.read(BANK + "/differences?open=true").path("differences").path(0);
    desk.decide(
        BANK + "/differences/" + difference.path("differenceId").asString() + "/closing",
        Map.of("note", "explained on the phone"));
  }

  /** Hands a message in and has another person book it. */
  void book(String message) {
    decide(handIn(message), "approval");
  }

  private String handIn(String message) {
    JsonNode handedIn =
        desk.handIn(
            BANK + "/messages", message.getBytes(StandardCharsets.UTF_8), "application/xml");
    return handedIn.path("message").path("message").path("uploadId").asString();
  }

  private void decide(String upload, String decision) {
    JsonNode seen = desk.read(BANK + "/messages/" + upload);
    desk.decide(
        BANK + "/messages/" + upload + "/" + decision,
        Map.of("previewDigest", seen.path("previewDigest").asString()));
  }
}
