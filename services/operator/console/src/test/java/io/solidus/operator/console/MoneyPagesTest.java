package io.solidus.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.console.ConsoleFixture.Call;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of the money side over answers of a stand-in. */
class MoneyPagesTest {
  private static final String SCRIPT = "<img src=x onerror=alert(1)>";
  private static final String ESCAPED = "&lt;img src=x onerror=alert(1)&gt;";

  private static ConsoleFixture console;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    console = new ConsoleFixture(directory);
    String funding =
        """
        {"fundingId":"F-1","status":"open","amountMinor":123450,"currency":"EUR","remainingMinor":0,
         "holderPersonTag":null,"accountReference":"%s","recordedBy":"ida","recordedAt":"2026-03-01T10:00:00Z",
         "statementLine":{"lineId":7,"reference":"R7","bookedOn":"2026-03-01","amountMinor":123450,
           "payer":{"name":"%s","account":"DE1","text":null}}}
        """
            .formatted(SCRIPT, SCRIPT);
    console.answer("/admin/v1/fundings", 200, page("fundings", funding));
    console.answer("/admin/v1/fundings/F-1", 200, funding);
    String mint =
        """
        {"mintId":"-abc","status":"awaiting-approval","fundingId":"F-1","valueMinor":123450,"currency":"EUR",
         "statement":{"mintId":"-abc","valueMinor":123450,"coin":{"cm":"cmcm","k":"kk"}},
         "approvals":[{"approver":"ben","signature":null}],"requestedAt":"2026-03-01T10:00:00Z","reason":null}
        """;
    console.answer("/admin/v1/mints", 200, page("mints", mint));
    console.answer("/admin/v1/mints/-abc", 200, mint);
    String payout =
        """
        {"leadSerial":"lead","core":"00","status":"failed","attempt":2,"statusReason":"AC01","statusAt":"2026-03-01T10:00:00Z",
         "batchId":null,"amountMinor":500,"currency":"EUR","endToEndId":"E1","acceptedAt":"2026-03-01T10:00:00Z",
         "creditorName":"%s","iban":"DE1","ibanValid":false,"hold":"iban-invalid","reference":"=1+1"}
        """
            .formatted(SCRIPT);
    console.answer("/admin/v1/redemptions", 200, page("redemptions", payout));
    String batch =
        """
        {"batchId":"B1","status":"released","count":1,"totalMinor":500,"currency":"EUR","proposedBy":"ida",
         "proposedAt":"2026-03-01T10:00:00Z","decidedBy":"anna","decidedAt":"2026-03-01T11:00:00Z"}
        """;
    console.answer("/admin/v1/payout-batches", 200, page("batches", batch));
    console.answer(
        "/admin/v1/payout-batches/B1",
        200,
        "{\"batch\":" + batch + ",\"payouts\":[" + payout + "]}");
    console.answer("/admin/v1/payout-batches/B1/message", 200, "<Document/>");
    String decided =
        """
        "reason":"%s","status":"pending","proposedBy":"ida","proposedAt":"2026-03-01T10:00:00Z","decidedBy":null,"decidedAt":null}
        """
            .formatted(SCRIPT);
    console.answer(
        "/admin/v1/payee-corrections",
        200,
        page(
            "corrections",
            "{\"correctionId\":3,\"leadSerial\":\"lead\",\"creditorName\":\"Bob\",\"iban\":\"DE1\","
                + decided));
    console.answer(
        "/admin/v1/funding-reversals",
        200,
        page("reversals", "{\"reversalId\":4,\"fundingId\":\"F-1\",\"recall\":false," + decided));
    console.answer(
        "/admin/v1/bank/assignments",
        200,
        page(
            "assignments",
            "{\"assignmentId\":5,\"kind\":\"charge\",\"debitLineId\":9,\"amountMinor\":150,"
                + decided));
    String line =
        """
        {"lineId":9,"reference":"R9","credit":false,"amountMinor":150,"bookedOn":"2026-03-01","endToEndId":null,
         "name":"unknown-debit","subject":null,"counterparty":"%s","account":null,"text":null}
        """
            .formatted(SCRIPT);
    console.answer(
        "/admin/v1/bank/open-lines",
        200,
        page("lines", "{\"line\":" + line + ",\"openMinor\":150}"));
    console.answer(
        "/admin/v1/bank/differences",
        200,
        page(
            "differences",
            """
            {"differenceId":6,"name":"unknown-credit","lineId":7,"subject":"R7","amountMinor":5,
             "noticedAt":"2026-03-01T10:00:00Z","closedBy":null,"closedAt":null,"note":null}
            """));
    String statement =
        """
        {"day":"2026-03-01","messageId":"M1","statementId":"S1","openingMinor":0,"closingMinor":100,"booksMinor":90,
         "unexplainedMinor":10,"pending":0,"importedBy":"ida","importedAt":"2026-03-01T10:00:00Z"}
        """;
    console.answer("/admin/v1/bank/statements", 200, page("statements", statement));
    console.answer("/admin/v1/bank/statements/2026-03-01", 200, statement);
    console.answer("/admin/v1/bank/statements/2026-03-01/lines", 200, page("lines", line));
    console.answer(
        "/admin/v1/bank/messages/8",
        200,
        """
        {"message":{"uploadId":8,"type":"camt.053.001.08","messageId":"M8","status":"pending","proposedBy":"ida",
          "proposedAt":"2026-03-01T10:00:00Z","decidedBy":null,"decidedAt":null},
         "previewDigest":"digest-8","next":200,
         "preview":{"day":"2026-03-01","openingMinor":0,"closingMinor":100,"pending":0,"skipped":0,"unexplainedMinor":0,
          "sums":[],"entries":[],"payouts":[],"differences":[],
          "lines":[{"reference":"%s","credit":true,"amountMinor":100,"bookedOn":"2026-03-01","name":"funding","subject":"F-1"}]}}
        """
            .formatted(SCRIPT));
    console.answer("/admin/v1/bank/messages/8/approval", 200, "{}");
    console.answer(
        "/admin/v1/supply",
        200,
        """
        {"currency":"EUR","issuedMinor":1,"redeemedMinor":0,"outstandingMinor":1,"bankBalanceMinor":1}
        """);
    console.answer(
        "/admin/v1/books/days/2026-03-01",
        200,
        """
        {"day":"2026-03-01","currency":"EUR","accounts":[{"account":"settlement","openingMinor":0,"closingMinor":-5}],
         "entries":[{"kind":"issue","count":1,"sumMinor":5}]}
        """);
    console.answer(
        "/admin/v1/authority-totals/2026-03-01",
        200,
        """
        {"authorities":[{"authority":1,"mintedMinor":1,"withdrawnMinor":0,"mintedInAllMinor":1,"withdrawnInAllMinor":0,
         "pastDeskMinor":0}]}
        """);
  }

  private static String page(String list, String item) {
    return "{\"" + list + "\":[" + item + "],\"next\":7}";
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  @Test
  void everyPageShowsWhatTheServiceSaysAndRunsNoneOfIt() throws Exception {
    Map<String, String> pages =
        Map.ofEntries(
            Map.entry("/fundings", "EUR 1,234.50"),
            Map.entry("/fundings/F-1", ESCAPED),
            Map.entry("/mints", "ben"),
            Map.entry("/mints/-abc", ESCAPED),
            Map.entry("/payouts", ESCAPED),
            Map.entry("/payees", ESCAPED),
            Map.entry("/batches", "B1"),
            Map.entry("/batches/B1", ESCAPED),
            Map.entry("/reversals", ESCAPED),
            Map.entry("/lines", ESCAPED),
            Map.entry("/bank", "unknown credit"),
            Map.entry("/bank/messages/8", ESCAPED),
            Map.entry("/bank/statements/2026-03-01", ESCAPED),
            Map.entry("/books?day=2026-03-01", "−0.05"),
            Map.entry("/my-key", "approver-key.js"));
    for (String person : List.of("ida", "anna", "ada")) {
      try (Browser browser = console.loggedIn(person)) {
        for (Map.Entry<String, String> page : pages.entrySet()) {
          HttpResponse<String> answer = browser.open(page.getKey());

          assertThat(answer.statusCode()).as(person + " " + page.getKey()).isEqualTo(200);
          if (!page.getKey().equals("/my-key")) {
            assertThat(answer.body())
                .as(person + " " + page.getKey())
                .contains(page.getValue())
                .doesNotContain(SCRIPT);
          }
        }
      }
    }
  }

  @Test
  void theNavigationSaysOfWhichPageThisIsAPart() throws Exception {
    try (Browser browser = console.loggedIn("ida")) {
      assertThat(browser.open("/batches").body())
          .contains("href=\"/batches\" aria-current=\"page\"")
          .containsOnlyOnce("aria-current");
      assertThat(browser.open("/bank/messages").body())
          .contains("href=\"/bank/messages\" aria-current=\"page\"")
          .containsOnlyOnce("aria-current");
      assertThat(browser.open("/batches/B1").body())
          .contains("href=\"/batches\" aria-current=\"true\"")
          .containsOnlyOnce("aria-current");
      assertThat(browser.open("/bank/statements/2026-03-01").body())
          .contains("href=\"/bank\" aria-current=\"true\"")
          .containsOnlyOnce("aria-current");
    }
  }

  @Test
  void theFileOfABatchIsADownload() throws Exception {
    try (Browser browser = console.loggedIn("ida")) {
      HttpResponse<String> file = browser.open("/batches/B1/file");

      assertThat(file.body()).isEqualTo("<Document/>");
      assertThat(file.headers().firstValue("Content-Disposition").orElse(""))
          .isEqualTo("attachment; filename=\"B1.xml\"");
      assertThat(file.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    }
  }

  @Test
  void anAmountIsReadAsItIsWrittenOrNotAtAll() throws Exception {
    try (Browser browser = console.loggedIn("ida")) {
      for (String amount : List.of("1e3", "1.234", "-5", "0", "1234,50", "", "99999999999999999")) {
        browser.open("/fundings");
        int before = sent();
        HttpResponse<String> answer = browser.follow(browser.post("/fundings", funding(amount)));

        assertThat(answer.body()).as(amount).contains("The amount is not readable");
        assertThat(sent()).as(amount).isEqualTo(before);
      }
      browser.open("/fundings");
      browser.follow(browser.post("/fundings", funding("1,234.50")));
      assertThat(console.calls())
          .filteredOn(call -> call.method().equals("POST"))
          .last()
          .extracting(Call::body)
          .asString()
          .contains("\"amountMinor\":123450");
    }
  }

  /** Attack: a colleague has the preview renewed while the approver reads it. */
  @Test
  void anApprovalNamesThePreviewThatWasShown() throws Exception {
    try (Browser browser = console.loggedIn("anna")) {
      assertThat(browser.open("/bank/messages/8").body())
          .contains("name=\"previewDigest\" value=\"digest-8\"")
          .contains("/bank/messages/8?cursor=200&amp;shown=digest-8");
      assertThat(browser.open("/bank/messages/8?cursor=200&shown=digest-7").body())
          .as("the rest of a renewed preview")
          .contains("name=\"previewDigest\" value=\"digest-7\"");
      browser.follow(
          browser.post("/bank/messages/8/approval", Map.of("previewDigest", "digest-7")));
      assertThat(console.calls())
          .filteredOn(call -> call.method().equals("POST"))
          .last()
          .extracting(Call::body)
          .isEqualTo("{\"previewDigest\":\"digest-7\"}");
    }
  }

  private static Map<String, String> funding(String amount) {
    return Map.of("fundingId", "F-1", "amount", amount, "accountReference", "DE1");
  }

  private static int sent() {
    return (int) console.calls().stream().filter(call -> call.method().equals("POST")).count();
  }
}
