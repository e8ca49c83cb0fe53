package io.solidus.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console offers a bank's staff and the centre's, on a platform with two banks. */
@Tag("process")
class BankStaffTest {
  private static final String ID = "5f0c1a4e-8f0a-4a57-9a52-6c1d8f0b7a11";
  private static final String CASE = "/admin/v1/kyc/cases/" + ID;

  private static final String FUNDING =
      """
      {"fundingId":"F-1","bank":"second","status":"open","amountMinor":100,"currency":"EUR","remainingMinor":0,
       "accountReference":"DE1","recordedBy":"ida","recordedAt":"2026-03-01T10:00:00Z"}
      """;

  private static ConsoleFixture console;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    console =
        new ConsoleFixture(
            directory,
            Duration.ofMinutes(10),
            Map.of(
                "solidus.banks.known[0].id", "first",
                "solidus.banks.known[0].name", "First Bank",
                "solidus.banks.known[1].id", "second",
                "solidus.banks.known[1].name", "Second <Bank>"));
    console.answer("/admin/v1/fundings", 200, "{\"fundings\":[" + FUNDING + "]}");
    console.answer("/admin/v1/fundings/F-1", 200, FUNDING);
    console.answer(
        "/admin/v1/mints",
        200,
        """
        {"mints":[{"mintId":"m","status":"awaiting-approval","fundingId":"F-1","valueMinor":100,"currency":"EUR",
         "statement":{"mintId":"m","valueMinor":100,"coin":{"cm":"cm","k":"k"}},"approvals":[],
         "requestedAt":"2026-03-01T10:00:00Z"}]}
        """);
    console.answer("/admin/v1/supply", 403, "{\"code\":\"central-staff-only\"}");
    console.answer("/admin/v1/bank/statements", 403, "{\"code\":\"central-staff-only\"}");
    console.answer("/admin/v1/bank/differences", 403, "{\"code\":\"central-staff-only\"}");
    console.answer(
        "/admin/v1/redemptions",
        200,
        """
        {"redemptions":[{"leadSerial":"lead","bank":null,"status":"accepted","attempt":1,"statusAt":"2026-03-01T10:00:00Z",
         "amountMinor":500,"currency":"EUR","endToEndId":"E1","acceptedAt":"2026-03-01T10:00:00Z",
         "creditorName":"Bob","iban":"DE1","ibanValid":true,"hold":"none","reference":""}]}
        """);
    String batch =
        """
        {"batchId":"B1","bank":"second","status":"pending","count":1,"totalMinor":500,"currency":"EUR","proposedBy":"ida",
         "proposedAt":"2026-03-01T10:00:00Z"}
        """;
    console.answer("/admin/v1/payout-batches", 200, "{\"batches\":[" + batch + "]}");
    console.answer("/admin/v1/payout-batches/B1", 200, "{\"batch\":" + batch + ",\"payouts\":[]}");
    console.answer(
        "/admin/v1/kyc/cases",
        200,
        "{\"cases\":[{\"caseId\":\""
            + ID
            + "\",\"status\":\"review\",\"bank\":\"second\",\"givenName\":\"A\",\"familyName\":\"B\",\"matches\":0,\"createdAt\":\"2026-01-01T00:00:00Z\"}]}");
    console.answer(CASE, 200, file());
  }

  private static String file() {
    return """
    {"caseId":"%s","status":"possible-duplicate","bank":"second","personId":"p","person":{"givenName":"A","familyName":"B",
     "birthDate":"1990-05-17","nationality":"FR","documentNumber":"A123"},"apk":"ab","matches":[],"screenings":[],
     "createdAt":"2026-01-01T00:00:00Z","events":[],"changes":[],"documents":["A123"],
     "duplicates":[{"caseId":null,"acrossBanks":true,"waits":true,"sameDocument":false,"likeness":0,"verdict":null,"opinions":[]}]}
    """
        .formatted(ID);
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  @Test
  void aBanksStaffAreOfferedWhatTheyMayOpen() throws Exception {
    try (Browser bea = console.loggedIn("bea");
        Browser anna = console.loggedIn("anna")) {
      String start = bea.open("/").body();
      assertThat(start)
          .contains("Logged in as <bdi>bea</bdi>, <bdi>Second &lt;Bank&gt;</bdi>")
          .contains(">Cases<", ">Fundings<", ">Mints<", ">Payouts<", ">Batches<", ">Health<")
          .doesNotContain(
              ">Bank<",
              ">Books<",
              ">Bank messages<",
              ">Unexplained lines<",
              ">Payers and payees<",
              ">Decisions<",
              ">Lists<",
              ">Policies<",
              ">Halt<",
              ">Audit log<",
              "Lists and addresses to decide",
              "Differences with the bank");
      assertThat(anna.open("/").body()).contains(">Bank<", ">Books<", ">Bank messages<");
    }
  }

  @Test
  void mintsNeedNothingOfTheCentre() throws Exception {
    try (Browser bea = console.loggedIn("bea")) {
      int before = console.calls().size();
      HttpResponse<String> page = bea.open("/mints");
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("EUR 1.00");
      assertThat(console.calls().subList(before, console.calls().size()))
          .noneMatch(call -> call.path().startsWith("/admin/v1/supply"));
    }
  }

  @Test
  void theCentreSaysForWhichBankItRecords() throws Exception {
    try (Browser ida = console.loggedIn("ida");
        Browser bea = console.loggedIn("bea")) {
      assertThat(ida.open("/fundings").body())
          .contains("<option value=\"first\">First Bank (first)</option>")
          .contains("name=\"bank\" required=\"required\"");
      Map<String, String> form = new HashMap<>();
      form.put("fundingId", "F-1");
      form.put("amount", "1.00");
      form.put("accountReference", "DE1");
      form.put("bank", "second");
      ida.post("/fundings", form);
      assertThat(lastBody()).contains("\"bank\":\"second\"");
      assertThat(ida.open("/batches").body())
          .contains("<option value=\"\">Accounts at no bank of the platform</option>");
      ida.post("/batches", Map.of("bank", "first"));
      assertThat(lastBody()).isEqualTo("{\"bank\":\"first\"}");
      ida.open("/batches");
      ida.post("/batches", Map.of("bank", ""));
      assertThat(lastBody()).isEqualTo("{}");

      assertThat(bea.open("/fundings").body())
          .contains("such as <bdi>second:invoice-7</bdi>")
          .doesNotContain("name=\"bank\"");
      assertThat(bea.open("/batches").body()).doesNotContain("name=\"bank\"");
    }
  }

  @Test
  void aFundingOfAnotherBanksNameIsExplained() throws Exception {
    try (Browser bea = console.loggedIn("bea")) {
      bea.open("/fundings");
      // the stand-in answers every call of the path with this
      String fundings = "/admin/v1/fundings";
      console.answer(fundings, 409, "{\"code\":\"funding-id-of-bank\",\"detail\":\"a fundingId\"}");
      HttpResponse<String> sent = bea.post(fundings.substring("/admin/v1".length()), funding());
      console.answer(fundings, 200, "{\"fundings\":[" + FUNDING + "]}");
      assertThat(bea.follow(sent).body())
          .contains("The name of the funding is not one of its bank")
          .contains("Begin it with the id of its bank and a colon")
          .contains("funding-id-of-bank")
          .doesNotContain("The state has changed");
    }
  }

  private static Map<String, String> funding() {
    return Map.of("fundingId", "invoice-7", "amount", "1.00", "accountReference", "DE1");
  }

  @Test
  void pagesSayWhoseSomethingIs() throws Exception {
    try (Browser ada = console.loggedIn("ada")) {
      for (String path :
          List.of("/fundings", "/fundings/F-1", "/batches", "/batches/B1", "/people")) {
        assertThat(ada.open(path).body()).as(path).contains("<bdi>Second &lt;Bank&gt;</bdi>");
      }
      assertThat(ada.open("/payouts").body()).contains("<bdi>no bank of the platform</bdi>");
    }
  }

  @Test
  void aDuplicateAtAnotherBankIsTheCentres() throws Exception {
    try (Browser bea = console.loggedIn("bea")) {
      HttpResponse<String> page = bea.open("/people/" + ID);
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body())
          .contains("Second &lt;Bank&gt;")
          .contains("at another bank may be of the same person")
          .contains("You can do nothing until then")
          .doesNotContain("Compare the files");
      console.answer(CASE, 200, file().replace("\"verdict\":null", "\"verdict\":\"decided\""));
      assertThat(bea.open("/people/" + ID).body())
          .contains("Two officers have decided")
          .doesNotContain("You can do nothing until then", "may be of the same person");
    } finally {
      console.answer(CASE, 200, file());
    }
  }

  @Test
  void aPageOfTheCentreSaysSo() throws Exception {
    try (Browser bea = console.loggedIn("bea")) {
      HttpResponse<String> page = bea.open("/bank");
      assertThat(page.statusCode()).isEqualTo(403);
      assertThat(page.body())
          .contains("the centre&#39;s staff")
          .contains("central-staff-only")
          .doesNotContain("Your role");
    }
  }

  private static String lastBody() {
    return console.calls().stream()
        .filter(call -> call.method().equals("POST"))
        .reduce((first, second) -> second)
        .orElseThrow()
        .body();
  }
}
