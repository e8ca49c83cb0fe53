package io.solidus.operator.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pages show of the services' answers, and what forms send to them. */
@Tag("process")
class PagesTest {
  private static final String ID = "5f0c1a4e-8f0a-4a57-9a52-6c1d8f0b7a11";
  private static final String OTHER = "5f0c1a4e-8f0a-4a57-9a52-6c1d8f0b7a12";
  private static final String PROPOSAL = "5f0c1a4e-8f0a-4a57-9a52-6c1d8f0b7a13";
  private static final String SCRIPT = "<script>alert(1)</script>";
  private static final String CASES = "/admin/v1/kyc/cases";
  private static final String APPROVALS = "/admin/v1/approvals";

  private static ConsoleFixture console;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    // tokens that end at once are renewed for every call
    console = new ConsoleFixture(directory, Duration.ofSeconds(61), Map.of());
    console.answer(
        "/admin/v1/kyc/queues",
        200,
        "{\"queues\":[{\"status\":\"review\",\"count\":3,\"oldest\":\"2026-01-01T00:00:00Z\"}]}");
    console.answer(
        APPROVALS, 200, "{\"proposals\":[" + proposal("pat", "pending") + "],\"next\":0}");
    console.answer(
        APPROVALS + "/queues",
        200,
        "{\"queues\":[{\"kind\":\"policy\",\"count\":2,\"oldest\":\"2026-01-01T00:00:00Z\"},{\"kind\":\"list-import\",\"count\":5,\"oldest\":\"2026-01-02T00:00:00Z\"}]}");
    console.answer(APPROVALS + "/" + PROPOSAL, 200, proposal("pat", "pending"));
    console.answer("/admin/v1/policies", 200, "{\"policies\":[" + POLICY + "],\"next\":0}");
    console.answer(CASES, 200, "{\"cases\":[" + SUMMARY + "],\"next\":null}");
    console.answer(CASES + "/" + ID, 200, file("review"));
    console.answer(
        CASES + "/" + ID + "/duplicates",
        200,
        "{\"file\":"
            + file("possible-duplicate")
            + ",\"others\":["
            + file("approved").replace(ID, OTHER)
            + "]}");
    console.answer(
        "/admin/v1/kyc/alerts",
        200,
        "{\"alerts\":[{\"caseId\":\""
            + ID
            + "\",\"givenName\":\"A\",\"familyName\":\"B\",\"openMatches\":1}],\"next\":null}");
    console.answer("/admin/v1/sanctions/lists", 200, "{\"lists\":[" + VERSION + "]}");
    console.answer(
        "/admin/v1/sanctions/lists/un/versions",
        200,
        "{\"versions\":[" + VERSION + "],\"next\":0}");
    console.answer(
        "/admin/v1/sanctions/addresses",
        200,
        "{\"addresses\":[{\"key\":\"ab\",\"address\":\"sld1x\",\"subject\":\""
            + SCRIPT
            + "\",\"reason\":\"r\",\"listedAt\":\"2026-01-01T00:00:00Z\"}],\"next\":null}");
    console.answer(
        "/admin/v1/sanctions/checkpoints",
        200,
        "{\"checkpoints\":[{\"version\":1,\"size\":0,\"listDigest\":\"ab\",\"note\":\"n\"}],\"next\":0}");
    console.answer(
        "/admin/v1/registration/events",
        200,
        "{\"events\":[{\"position\":1,\"sequence\":1,\"at\":\"2026-01-01T00:00:00Z\",\"service\":\"registration\",\"actor\":\"kim\",\"kind\":\"viewed\",\"object\":\""
            + ID
            + "\"}],\"next\":0}");
    console.answer("/admin/v1/registration/events/download", 200, "at,actor\n");
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static final String SUMMARY =
      "{\"caseId\":\""
          + ID
          + "\",\"status\":\"review\",\"givenName\":\""
          + SCRIPT
          + "\",\"familyName\":\"=1+1\",\"matches\":1,\"screeningAttempts\":1,\"createdAt\":\"2026-01-01T00:00:00Z\",\"decidedBy\":null,\"decidedAt\":null}";

  private static final String POLICY =
      "{\"version\":1,\"period\":202601,\"maxPerTransferMinor\":100000,\"maxPerPeriodMinor\":200000,\"maxHeldMinor\":300000,\"maxEscrowMinor\":0,\"maxTransfersPerPeriod\":100,\"mintCapPerDayMinor\":1000000,\"effectiveAtMillis\":1767225600000,\"note\":\"n\"}";

  private static final String VERSION =
      "{\"list\":\"un\",\"version\":1,\"fileDigest\":\"ab\",\"fileBytes\":1,\"published\":\"2026-01-01\",\"entries\":10,\"names\":12,\"malformed\":0,\"malformedAt\":[],\"importedBy\":\"sam\",\"importedAt\":\"2026-01-01T00:00:00Z\",\"acceptedBy\":\"lee\"}";

  private static final String IMPORT =
      "{\"id\":\""
          + OTHER
          + "\",\"kind\":\"list-import\",\"payload\":{\"list\":\"un\",\"entries\":10,\"before\":12,\"removed\":2,\"objections\":[\"no-end-mark\"],\"reason\":\"it"
          + " is whole\"},\"proposedBy\":\"sam\",\"proposedAt\":\"2026-01-01T00:00:00Z\",\"expiresAt\":\"2026-01-08T00:00:00Z\",\"state\":\"pending\",\"decidedBy\":null,\"decidedAt\":null,\"outcome\":null}";

  private static String proposal(String by, String state) {
    return "{\"id\":\""
        + PROPOSAL
        + "\",\"kind\":\"policy\",\"payload\":"
        + POLICY.replace("100000,", "90000,")
        + ",\"proposedBy\":\""
        + by
        + "\",\"proposedAt\":\"2026-01-01T00:00:00Z\",\"expiresAt\":\"2026-01-08T00:00:00Z\",\"state\":\""
        + state
        + "\",\"decidedBy\":null,\"decidedAt\":null,\"outcome\":null}";
  }

  private static String file(String status) {
    return "{\"caseId\":\""
        + ID
        + "\",\"status\":\""
        + status
        + "\",\"personId\":\"p\",\"person\":{\"givenName\":\""
        + SCRIPT
        + "\",\"familyName\":\"\u202Eelpmaxe\",\"birthDate\":\"1990-05-17\",\"nationality\":\"FR\",\"documentNumber\":\"A123\"},\"apk\":\"ab\",\"core\":\"cd\",\"matches\":[{\"list\":\"un\",\"reference\":\"QDi.1\",\"name\":\""
        + SCRIPT
        + "\",\"score\":0.93,\"birthYear\":\"agrees\",\"key\":\"un:QDi.1\",\"entryDigest\":\"ee\",\"explanation\":[{\"part\":\"name\",\"asked\":\"alice\",\"listed\":\"alise\",\"how\":\"spelling\",\"value\":0.9},{\"part\":\"document\",\"asked\":\"\",\"listed\":\"\",\"how\":\"equal\",\"value\":0.2}],\"disposition\":null}],\"screenings\":[{\"at\":\"2026-01-01T00:00:00Z\",\"lists\":\"un"
        + " 1\",\"matcher\":\"2\",\"threshold\":0.82,\"verdict\":\"match\",\"matches\":1}],\"screenedAt\":null,\"screeningAttempts\":1,\"refusalCode\":null,\"reason\":null,\"decidedBy\":null,\"decidedAt\":null,\"attestationNote\":null,\"createdAt\":\"2026-01-01T00:00:00Z\",\"events\":[{\"at\":\"2026-01-01T00:00:00Z\",\"actor\":\"kim\",\"action\":\"viewed\"}],\"duplicates\":[{\"caseId\":\""
        + OTHER
        + "\",\"waits\":true,\"sameDocument\":true,\"likeness\":0.9,\"verdict\":null,\"opinions\":[]}],\"changes\":[{\"changeId\":\""
        + OTHER
        + "\",\"person\":{\"givenName\":\"A\",\"familyName\":\"B\",\"birthDate\":\"1990-05-17\",\"nationality\":\"FR\",\"documentNumber\":\"A124\"},\"reason\":\"marriage\",\"proposedBy\":\"kai\",\"proposedAt\":\"2026-01-01T00:00:00Z\",\"verdict\":null,\"decidedBy\":null,\"decidedAt\":null}],\"documents\":[\"A123\",\"A000\"]}";
  }

  /** The file of an organisation, with a match of its director and a proposed change. */
  private static String organisationFile(String shop) {
    String organisation =
        "{\"legalName\":\""
            + SCRIPT
            + " GmbH\",\"latinName\":null,\"legalForm\":\"GmbH\",\"register\":\"Amtsgericht Berlin\",\"registrationNumber\":\"HRB 12345\",\"country\":\"DE\",\"founded\":\"2001-02-03\",\"lei\":null,\"noOtherOwner\":true,\"people\":["
            + "{\"person\":{\"givenName\":\"Ada\",\"familyName\":\"Owner\",\"birthDate\":\"1980-05-17\",\"nationality\":\"DE\",\"documentNumber\":\"C01\"},\"sharePercent\":60.50,\"representative\":false},"
            + "{\"person\":{\"givenName\":\"Bea\",\"familyName\":\"Director\",\"birthDate\":\"1970-05-17\",\"nationality\":\"FR\",\"documentNumber\":\"C02\"},\"sharePercent\":null,\"representative\":true}]}";
    String person = "\"person\":{\"givenName\":\"";
    String file = file("review").replace(ID, shop);
    int from = file.indexOf(person);
    int to = file.indexOf("},\"apk\"", from);
    file =
        file.substring(0, from)
            + "\"kind\":\"organisation\",\"person\":null,\"organisation\":"
            + organisation
            + ",\"approvals\":[{\"officer\":\"kai\",\"reason\":\"extract seen\",\"at\":\"2026-01-01T00:00:00Z\"}]"
            + file.substring(to + 1);
    file = file.replace("\"explanation\":", "\"concerns\":\"Bea Director\",\"explanation\":");
    int change = file.indexOf(person, file.indexOf("\"changeId\""));
    return file.substring(0, change)
        + "\"person\":null,\"organisation\":"
        + organisation.replace("60.50", "99")
        + file.substring(file.indexOf("},\"reason\"", change) + 1);
  }

  @Test
  void namesThatAreScriptsAreText() throws IOException {
    try (Browser kim = console.loggedIn("kim");
        Browser sam = console.loggedIn("sam")) {
      for (String path :
          List.of("/people", "/people/" + ID, "/people/" + ID + "/duplicates", "/people/alerts")) {
        HttpResponse<String> page = kim.get(path);
        assertThat(page.statusCode()).as(path).isEqualTo(200);
        assertThat(page.body()).as(path).doesNotContain("<script>alert");
      }
      HttpResponse<String> file = kim.get("/people/" + ID);
      assertThat(file.body()).contains("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;");
      assertThat(sam.get("/addresses").body()).contains("<bdi>&lt;script&gt;");
    }
  }

  @Test
  void everyPageOfEveryRoleIsComplete() throws IOException {
    try (Browser sam = console.loggedIn("sam");
        Browser pat = console.loggedIn("pat");
        Browser lee = console.loggedIn("lee");
        Browser ada = console.loggedIn("ada")) {
      Map<Browser, List<String>> pages =
          Map.of(
              sam, List.of("/", "/lists", "/lists/un", "/addresses", "/checkpoints", "/decisions"),
              pat, List.of("/", "/policies", "/policies/halt", "/decisions/" + PROPOSAL),
              lee, List.of("/", "/decisions", "/decisions/" + PROPOSAL, "/policies"),
              ada,
                  List.of(
                      "/",
                      "/audit",
                      "/audit?service=issuance",
                      "/people",
                      "/people/" + ID,
                      "/lists",
                      "/policies"));
      for (Map.Entry<Browser, List<String>> each : pages.entrySet()) {
        for (String path : each.getValue()) {
          HttpResponse<String> page = each.getKey().get(path);
          assertThat(page.statusCode()).as(path + page.body()).isEqualTo(200);
          assertThat(page.body()).as(path).contains("<h1").endsWith("</html>\n");
        }
      }
      assertThat(ada.get("/people/" + ID).body()).doesNotContain("Approve the case");
      assertThat(lee.get("/decisions/" + PROPOSAL).body())
          .contains("Accept the proposal")
          .contains("900.00");
      assertThat(pat.get("/decisions/" + PROPOSAL).body()).doesNotContain("Accept the proposal");
    }
  }

  @Test
  void anImportIsShownWithWhatItChangesAndWhomItHits() throws IOException {
    console.answer(APPROVALS + "/" + OTHER, 200, IMPORT);
    console.answer(
        "/admin/v1/sanctions/lists/un/imports/" + OTHER + "/delta",
        200,
        "{\"changes\":[{\"reference\":\"QDi.1\",\"change\":\"removed\",\"before\":[{\"reference\":\"QDi.1\",\"kind\":\"PERSON\",\"names\":[\""
            + SCRIPT
            + "\"],\"weakNames\":[],\"birthYears\":[{\"from\":1960,\"to\":1962}],\"details\":{\"birthDates\":[],\"documents\":[\"A1\"],\"nationalities\":[],\"gender\":\"\"}}],\"after\":[]}],\"next\":null}");
    try (Browser lee = console.loggedIn("lee")) {
      assertThat(lee.get("/decisions/" + OTHER).body())
          .contains("The file has no end mark")
          .contains("it is whole")
          .contains("not known yet")
          .contains("born 1960–1962; document A1")
          .contains("name=\"confirmation\"")
          .doesNotContain("<script>alert");
      console.answer(
          "/admin/v1/sanctions/imports/" + OTHER + "/customers",
          200,
          "{\"screened\":1000,\"hit\":1,\"cases\":[\""
              + ID
              + "\"],\"foundAt\":\"2026-01-01T00:00:00Z\"}");
      assertThat(lee.get("/decisions/" + OTHER).body()).contains("1 of 1000").contains(ID);
    }
  }

  @Test
  void aRefusedCaseCanBeErasedAndAnErasedOneSaysSo() throws IOException {
    String refused = CASES + "/" + OTHER;
    console.answer(refused, 200, file("refused").replace(ID, OTHER));
    console.answer(refused + "/export", 200, "{\"cases\":[]}");
    try (Browser kim = console.loggedIn("kim")) {
      assertThat(kim.get("/people/" + OTHER).body())
          .contains("Erase the personal data, for good", "Download what she may know")
          .doesNotContain("Suspend the registration");
      HttpResponse<String> export = kim.get("/people/" + OTHER + "/export");
      assertThat(export.body()).isEqualTo("{\"cases\":[]}");
      assertThat(export.headers().firstValue("Content-Disposition"))
          .hasValueSatisfying(value -> assertThat(value).startsWith("attachment"));
      console.answer(
          refused,
          200,
          file("refused")
              .replace(ID, OTHER)
              .replace(
                  "\"birthDate\":\"1990-05-17\",\"nationality\":\"FR\"",
                  "\"birthDate\":null,\"nationality\":null")
              .replace("\"documents\":", "\"erasedAt\":\"2026-02-01T00:00:00Z\",\"documents\":"));
      assertThat(kim.get("/people/" + OTHER).body())
          .contains("The personal data was erased on")
          .doesNotContain("Erase the personal data, for good", "Propose a change");
    }
  }

  @Test
  void aSearchLeavesNothingInTheAddress() throws IOException {
    console.answer("/admin/v1/kyc/search", 200, "{\"cases\":[" + SUMMARY + "],\"cut\":false}");
    console.answer("/admin/v1/kyc/confirmations", 200, "{\"alerts\":[],\"next\":null}");
    console.answer("/admin/v1/kyc/steps", 200, "{\"steps\":[],\"next\":null}");
    try (Browser kim = console.loggedIn("kim")) {
      kim.open("/people/search");
      HttpResponse<String> found = kim.post("/people/search", Map.of("name", "=1+1", "caseId", ""));
      assertThat(found.statusCode()).isEqualTo(200);
      assertThat(found.uri().getQuery()).isNull();
      assertThat(found.body()).contains("/people/" + ID).doesNotContain("<script>alert");
      assertThat(console.calls())
          .anyMatch(
              call -> call.path().endsWith("/search") && call.body().equals("{\"name\":\"=1+1\"}"));
      assertThat(kim.get("/people/confirmations").statusCode()).isEqualTo(200);
      assertThat(kim.get("/people/steps").statusCode()).isEqualTo(200);
    }
  }

  /** The services record each reading of a list of names as a look at these persons. */
  @Test
  void theFirstPageReadsNoNames() throws IOException {
    console.answer("/admin/v1/issuance/queues", 200, "{\"queues\":[]}");
    for (String person : List.of("kim", "lee", "ida", "anna")) {
      try (Browser browser = console.loggedIn(person)) {
        int before = console.calls().size();
        browser.get("/");
        browser.getAsHtmx("/live/queues");
        assertThat(
                console.calls().subList(before, console.calls().size()).stream()
                    .map(ConsoleFixture.Call::path))
            .as(person)
            .isNotEmpty()
            .noneMatch(path ->
                path.matches(
                    "/admin/v1/(approvals|redemptions|payee-corrections|screenings|fundings|kyc/(?!queues))(\\?.*|$)"));
      }
    }
  }

  @Test
  void eachRolesProposalsAreCounted() throws IOException {
    try (Browser lee = console.loggedIn("lee")) {
      assertThat(lee.get("/").body())
          .containsPattern("Lists and addresses to decide</a></th>\\s*<td[^>]*><strong>5<")
          .containsPattern("Policies to decide</a></th>\\s*<td[^>]*><strong>2<");
    }
  }

  /** A service, where its API begins, and pages that need it. */
  private record Service(String name, List<String> api, List<String> pages) {}

  @Test
  void withOneServiceAwayTheOthersGoOn() throws IOException {
    List<Service> services =
        List.of(
            new Service(
                "registration",
                List.of("/admin/v1/kyc", "/admin/v1/registration"),
                List.of("/people", "/people/" + ID, "/audit?service=registration")),
            new Service(
                "sanctions",
                List.of("/admin/v1/sanctions", "/admin/v1/approvals", "/admin/v1/policies"),
                List.of("/lists", "/decisions", "/policies", "/audit?service=sanctions")),
            new Service(
                "issuance",
                List.of(
                    "/admin/v1/fundings",
                    "/admin/v1/mints",
                    "/admin/v1/supply",
                    "/admin/v1/books",
                    "/admin/v1/issuance"),
                List.of("/fundings", "/mints", "/books", "/audit?service=issuance")));
    try (Browser ada = console.loggedIn("ada");
        Browser kim = console.loggedIn("kim")) {
      for (Service service : services) {
        console.away(service.api().toArray(String[]::new));
        for (String path : service.pages()) {
          HttpResponse<String> page = ada.get(path);
          assertThat(page.statusCode()).as(path).isEqualTo(503);
          assertThat(page.headers().firstValue("Retry-After")).as(path).isPresent();
          assertThat(page.body())
              .as(path)
              .contains("The " + service.name() + " service does not answer")
              .contains("aria-label=\"Main\"");
        }
        assertThat(kim.get("/").statusCode()).as(service.name()).isEqualTo(200);
        assertThat(kim.get("/").body().contains("The service does not answer"))
            .as(service.name())
            .isEqualTo(service.name().equals("registration"));
      }
      console.away("/admin/v1/kyc/cases/" + ID + "/approve");
      kim.open("/people/" + ID);
      String page =
          kim.follow(kim.post("/people/" + ID + "/approve", Map.of("reason", "half filled")))
              .body();
      assertThat(page)
          .contains("The registration service does not answer")
          .contains("it may have arrived")
          .contains("data-keep=\"approve\"")
          .doesNotContain("data-done=");
    } finally {
      console.away();
    }
  }

  @Test
  void aLongAuditLogIsDownloadedWholeOrNotAtAll() throws IOException {
    String path = "/admin/v1/sanctions/events/download?format=";
    console.answerPart(path + "csv&cursor=0", "at,actor\r\n1,\u00e9\r\n", "7");
    console.answerPart(path + "csv&cursor=7", "at,actor\r\n2,'=1+1\r\n", "0");
    console.answerPart(path + "jsonl&cursor=0", "{\"a\":1}\n", "7");
    try (Browser ada = console.loggedIn("ada")) {
      HttpResponse<String> csv = ada.get("/audit/download?service=sanctions&format=csv");
      assertThat(csv.body()).isEqualTo("at,actor\r\n1,\u00e9\r\n2,'=1+1\r\n");
      assertThat(csv.headers().firstValue("Content-Disposition").orElse(""))
          .isEqualTo("attachment; filename=\"audit-sanctions.csv\"");
      assertThatThrownBy(() -> ada.get("/audit/download?service=sanctions&format=jsonl"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anOrganisationIsShownWithWhoIsBehindIt() throws IOException {
    String shop = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b58";
    String file = organisationFile(shop);
    console.answer(CASES + "/" + shop, 200, file);
    console.answer(
        CASES + "/" + shop + "/duplicates",
        200,
        "{\"file\":" + file + ",\"others\":[" + file.replace(shop, OTHER) + "]}");
    console.answer(CASES + "/" + shop + "/approve", 200, "{}");
    try (Browser kim = console.loggedIn("kim")) {
      HttpResponse<String> page = kim.get("/people/" + shop);
      assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
      assertThat(page.body())
          .contains("Owners and representatives")
          .contains("60.5 %")
          .contains("HRB 12345")
          .contains(", of <bdi>Bea Director</bdi>")
          .contains("1970-05-17")
          .contains("Approved by <bdi>kai</bdi>")
          .contains("Two officers approve an organisation")
          .contains("99 %")
          .doesNotContain("<script>alert");
      assertThat(kim.get("/people/" + shop + "/duplicates").body())
          .contains("Is it one organisation?")
          .contains("Ada Owner, born 1980-05-17, DE, document C01, 60.5 %, does not represent it");
      kim.open("/people/" + shop);
      kim.post("/people/" + shop + "/approve", Map.of("reason", "seen", "organisation", "true"));
      assertThat(kim.get("/people/" + shop).body()).contains("With those of two officers");
      console.answer(CASES + "/" + shop + "/changes", 200, "{}");
      kim.post(
          "/people/" + shop + "/changes",
          Map.of(
              "legalName", "Shop GmbH",
              "legalForm", "GmbH",
              "register", "Amtsgericht Berlin",
              "registrationNumber", "HRB 1",
              "country", "DE",
              "founded", "2001-02-03",
              "people",
                  "Ada; Owner; 1980-05-17; DE; C01; 60.5; no; -\nBea; Director; 1970-05-17; FR; C02; -; yes",
              "reason", "new owner"));
      assertThat(console.calls())
          .anyMatch(call ->
              call.path().endsWith("/changes")
                  && call.body().contains("\"sharePercent\":\"60.5\"")
                  && call.body().contains("\"representative\":true")
                  && call.body().contains("\"legalName\":\"Shop GmbH\""));
    }
  }

  @Test
  void whoIsBehindAnOrganisationGetsWhatIsHeldOfHerAlone() throws IOException {
    String shop = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b65";
    String export = CASES + "/" + shop + "/export";
    console.answer(CASES + "/" + shop, 200, organisationFile(shop));
    console.answer(export, 200, "everybody");
    console.answerPart(export + "?member=2", "her alone", "");
    try (Browser kim = console.loggedIn("kim");
        Browser ada = console.loggedIn("ada")) {
      assertThat(kim.get("/people/" + shop).body())
          .contains("Download what the organisation may know", "names everybody behind it")
          .contains("/export?member=2\">Download what <bdi>Bea Director</bdi> may know");
      assertThat(kim.get("/people/" + shop + "/export?member=2").body()).isEqualTo("her alone");
      assertThat(kim.get("/people/" + shop + "/export").body()).isEqualTo("everybody");
      assertThat(ada.get("/people/" + shop).body()).doesNotContain("may know");
    }
  }

  @Test
  void whereANameFitsTwoTheMatchIsShownWithTheNameAlone() throws IOException {
    String shop = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b59";
    String twoOfOneName =
        organisationFile(shop)
            .replace("\"Bea\",\"familyName\":\"Director\"", "\"Ada\",\"familyName\":\"Owner\"")
            .replace("Bea Director", "Ada Owner");
    String name = "Name</th><td><bdi>Ada Owner</bdi></td>";
    try (Browser kim = console.loggedIn("kim")) {
      console.answer(CASES + "/" + shop, 200, twoOfOneName);
      assertThat(kim.get("/people/" + shop).body())
          .contains(name)
          .contains("Born</th><td>–</td>")
          .doesNotContain("Born</th><td>1980-05-17</td>", "Born</th><td>1970-05-17</td>");
      console.answer(
          CASES + "/" + shop,
          200,
          twoOfOneName.replace(
              "\"concerns\":\"Ada Owner\"",
              "\"concerns\":\"Ada Owner\",\"concernsBorn\":\"1970-05-17\""));
      assertThat(kim.get("/people/" + shop).body())
          .contains(name)
          .contains("Born</th><td>1970-05-17</td>")
          .contains("<bdi>C02</bdi></td>\n              <td><span>equal</span>");
    }
  }

  @Test
  void aLineOfPeopleThatCannotBeReadIsNotSent() throws IOException {
    String shop = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b60";
    console.answer(
        CASES + "/" + shop,
        200,
        organisationFile(shop)
            .replace("\"status\":\"review\"", "\"status\":\"approved\"")
            .replace("\"familyName\":\"Owner\"", "\"familyName\":\"Owner; born Smith\""));
    console.answer(CASES + "/" + shop + "/changes", 200, "{}");
    try (Browser kim = console.loggedIn("kim")) {
      String own = "Ada; Owner, born Smith; 1980-05-17; DE; C01; 60.5; no; -";
      assertThat(kim.get("/people/" + shop).body()).contains(own);
      for (String line :
          List.of(
              "Ada; Owner; born Smith; 1980-05-17; DE; C01; 60.5; no; -",
              "Ada; Owner; 1980-05-17; DE; C01; 60.5",
              "Ada; Owner; 1980-05-17; DE; C01; 60.5; y",
              "Ada; Owner; 1980-05-17; DE; C01; 60.5; ja; -")) {
        kim.open("/people/" + shop);
        int before = console.calls().size();
        HttpResponse<String> page =
            kim.follow(
                kim.post(
                    "/people/" + shop + "/changes",
                    Map.of("legalName", "Shop", "people", own + "\n" + line, "reason", "r")));
        assertThat(page.body())
            .as(line)
            .contains("The owners and representatives are not readable")
            .doesNotContain("data-done=");
        assertThat(console.calls().subList(before, console.calls().size()))
            .as(line)
            .noneMatch(call -> call.method().equals("POST"));
      }
      kim.open("/people/" + shop);
      assertThat(
              kim.follow(
                      kim.post(
                          "/people/" + shop + "/changes",
                          Map.of("legalName", "Shop", "people", own, "reason", "r")))
                  .body())
          .contains("The change waits for another officer.");
    }
  }

  @Test
  void anExpiredApprovalSaysSo() throws IOException {
    String shop = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b61";
    console.answer(
        CASES + "/" + shop,
        200,
        organisationFile(shop).replace("\"extract seen\",", "\"extract seen\",\"expired\":true,"));
    try (Browser kim = console.loggedIn("kim")) {
      assertThat(kim.get("/people/" + shop).body())
          .contains("Expired approval of")
          .doesNotContain("Approved by");
    }
  }

  @Test
  void anErasedOrganisationStaysOne() throws IOException {
    String shop = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b62";
    String file = organisationFile(shop).replace("\"status\":\"review\"", "\"status\":\"refused\"");
    int from = file.indexOf("\"organisation\":{");
    file =
        file.substring(0, from)
            + "\"organisation\":null"
            + file.substring(file.indexOf("]}", from) + 2);
    int change = file.indexOf("\"changes\":[");
    file =
        file.substring(0, change)
            + "\"erasedAt\":\"2026-02-01T00:00:00Z\",\"changes\":[],"
            + file.substring(file.indexOf("\"documents\":"));
    console.answer(CASES + "/" + shop, 200, file);
    console.answer(
        CASES + "/" + shop + "/duplicates",
        200,
        "{\"file\":" + file + ",\"others\":[" + file + "]}");
    try (Browser kim = console.loggedIn("kim")) {
      assertThat(kim.get("/people/" + shop).body())
          .contains("<h1><bdi>(erased)</bdi></h1>")
          .contains("<h2 id=\"h-person\">Organisation</h2>")
          .contains("The personal data was erased on")
          .doesNotContain("h-standing", "null");
      assertThat(kim.get("/people/" + shop + "/duplicates").body())
          .contains("Is it one organisation?");
      console.answer(
          "/admin/v1/kyc/steps",
          200,
          "{\"steps\":[{\"caseId\":\""
              + shop
              + "\",\"kind\":\"organisation\",\"name\":null,\"givenName\":null,\"familyName\":null,\"step\":{\"stepId\":\"s\",\"kind\":\"erase\",\"reason\":\"r\",\"proposedBy\":\"kai\",\"proposedAt\":\"2026-01-01T00:00:00Z\"}}],\"next\":null}");
      assertThat(kim.get("/people/steps").body())
          .contains("<bdi>(erased)</bdi>", "organisation</span>", "erasures");
    }
  }

  @Test
  void aVerdictIsGivenFromTheLaterCase() throws IOException {
    String earlier = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b63";
    String file =
        file("approved").replace(ID, earlier).replace("\"waits\":true", "\"waits\":false");
    console.answer(
        CASES + "/" + earlier + "/duplicates",
        200,
        "{\"file\":" + file + ",\"others\":[" + file("review").replace(ID, OTHER) + "]}");
    try (Browser kim = console.loggedIn("kim")) {
      assertThat(kim.get("/people/" + earlier + "/duplicates").body())
          .contains("href=\"/people/" + OTHER + "/duplicates\"")
          .doesNotContain("Give the verdict");
      assertThat(kim.get("/people/" + ID + "/duplicates").body())
          .contains("Give the verdict")
          .doesNotContain("from the later case");
    }
  }

  @Test
  void whatAlwaysFailsIsNotOffered() throws IOException {
    String closed = "7b1f9f56-54e5-4a3c-9f1c-1d2c7a4f0b64";
    console.answer(
        CASES + "/" + closed,
        200,
        file("approved")
            .replace(ID, closed)
            .replace("\"documents\":", "\"standing\":\"closed\",\"documents\":"));
    try (Browser pia = console.loggedIn("pia");
        Browser ada = console.loggedIn("ada");
        Browser kim = console.loggedIn("kim")) {
      assertThat(pia.get("/people/" + ID).body())
          .contains("Possible duplicates")
          .doesNotContain("Compare the files", "href=\"/people\"");
      assertThat(ada.get("/people/" + ID).body())
          .contains("Compare the files", "<p><a href=\"/people\">Cases</a></p>");
      assertThat(ada.get("/people/search").body())
          .contains("Officers search")
          .doesNotContain("name=\"birthDate\"");
      assertThat(kim.get("/people/search").body())
          .contains("name=\"birthDate\"")
          .doesNotContain("Officers search");
      assertThat(kim.get("/people/" + closed).body())
          .contains("Suspend, resume, close or erase")
          .doesNotContain("Propose a change");
    }
  }

  @Test
  void theNavigationMarksOnePage() throws IOException {
    try (Browser kim = console.loggedIn("kim");
        Browser pat = console.loggedIn("pat")) {
      for (String path :
          List.of("/people/search", "/people/alerts", "/people/confirmations", "/people/steps")) {
        assertThat(kim.get(path).body())
            .as(path)
            .contains("href=\"" + path + "\" aria-current=\"page\"")
            .containsOnlyOnce("aria-current");
      }
      assertThat(kim.get("/people/" + ID).body())
          .contains("href=\"/people\" aria-current=\"true\"")
          .containsOnlyOnce("aria-current");
      assertThat(pat.get("/policies/halt").body()).containsOnlyOnce("aria-current");
    }
  }

  @Test
  void queuesAreThoseOfTheRole() throws IOException {
    try (Browser kim = console.loggedIn("kim");
        Browser lee = console.loggedIn("lee")) {
      assertThat(kim.get("/").body())
          .contains("Cases with matches to review")
          .doesNotContain("Policies to decide");
      assertThat(lee.get("/").body())
          .contains("Policies to decide")
          .doesNotContain("Cases with matches to review");
    }
  }

  @Test
  void callsCarryTheTokenOfWhoeverIsLoggedInAndItIsRenewed() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      kim.get("/people");
      kim.get("/people");
      List<String> tokens =
          console.calls().stream()
              .filter(call -> call.path().startsWith(CASES + "?"))
              .map(ConsoleFixture.Call::authorization)
              .toList();
      assertThat(tokens).allMatch(token -> token.startsWith("Bearer ey"));
      assertThat(tokens.getLast()).isNotEqualTo(tokens.get(tokens.size() - 2));
    }
  }

  @Test
  void aRefusalIsShownOverTheNewestState() throws IOException {
    console.answer(
        CASES + "/" + ID + "/approve",
        409,
        "{\"code\":\"decision-conflict\",\"detail\":\"the case already has the opposite"
            + " decision\",\"status\":409,\"traceId\":\"t1\"}");
    try (Browser kim = console.loggedIn("kim")) {
      kim.open("/people/" + ID);
      HttpResponse<String> answer =
          kim.post("/people/" + ID + "/approve", Map.of("reason", "all is well"));
      assertThat(answer.statusCode()).isEqualTo(302);
      String page = kim.follow(answer).body();
      assertThat(page)
          .contains("The state has changed")
          .contains("decision-conflict")
          .contains("t1")
          .contains("data-keep=\"approve\"")
          .doesNotContain("data-done=");
      assertThat(console.calls())
          .anyMatch(
              call -> call.path().endsWith("/approve") && call.body().contains("\"all is well\""));
    }
  }

  @Test
  void whatSucceededIsForgottenByTheBrowser() throws IOException {
    console.answer(CASES + "/" + ID + "/refuse", 200, SUMMARY);
    try (Browser kim = console.loggedIn("kim")) {
      kim.open("/people/" + ID);
      String page =
          kim.follow(
                  kim.post(
                      "/people/" + ID + "/refuse",
                      Map.of("code", "come-to-the-bank", "reason", "a listed person")))
              .body();
      assertThat(page).contains("data-done=\"refuse\"").contains("The case is refused.");
    }
  }

  @Test
  void problemsOfAPageAreShownWithWhatToDo() throws IOException {
    Map<Integer, String> titles =
        Map.of(
            403, "Your role does not allow this",
            404, "This does not exist any more",
            409, "The state has changed",
            429, "Too much at once",
            503, "does not answer");
    try (Browser sam = console.loggedIn("sam")) {
      for (Map.Entry<Integer, String> each : titles.entrySet()) {
        console.answer(
            "/admin/v1/sanctions/lists/ofac/versions",
            each.getKey(),
            "{\"code\":\"a-code\",\"detail\":\"" + SCRIPT + "\"}");
        HttpResponse<String> page = sam.get("/lists/ofac");
        assertThat(page.statusCode()).isEqualTo(each.getKey());
        assertThat(page.body())
            .contains(each.getValue())
            .contains("a-code")
            .doesNotContain("<script>alert");
      }
    }
  }

  @Test
  void aTokenThatIsRefusedRightAfterTheLoginLeadsToNoCircle() throws IOException {
    console.answer(
        "/admin/v1/sanctions/lists/ofac-alt/versions", 401, "{\"code\":\"unauthorized\"}");
    try (Browser sam = console.loggedIn("sam")) {
      HttpResponse<String> page = sam.open("/lists/ofac-alt");
      assertThat(page.statusCode()).isEqualTo(401);
      assertThat(page.body()).contains("does not accept your login");
    }
  }

  @Test
  void anAnswerWithoutAnEndIsNoAnswer() throws IOException {
    console.answer("/admin/v1/sanctions/checkpoints", 200, "\"" + "x".repeat(70_000) + "\"");
    try (Browser sam = console.loggedIn("sam")) {
      HttpResponse<String> page = sam.get("/checkpoints");
      assertThat(page.statusCode()).isEqualTo(503);
      assertThat(page.body()).contains("no-answer");
    } finally {
      console.answer("/admin/v1/sanctions/checkpoints", 200, "{\"checkpoints\":[],\"next\":0}");
    }
  }

  @Test
  void aPreviewChangesNothing() throws IOException {
    try (Browser pat = console.loggedIn("pat")) {
      pat.open("/policies");
      HttpResponse<String> preview = pat.post("/policies/preview", limits("1000.00"));
      assertThat(preview.body()).contains("stays").contains("Most for one transfer");
      assertThat(pat.post("/policies/preview", limits("1,5")).statusCode()).isEqualTo(403);
      assertThat(console.calls())
          .noneMatch(call -> call.method().equals("POST") && call.path().endsWith("/policies"));
    }
  }

  private static Map<String, String> limits(String each) {
    return Map.of(
        "month", "2026-01",
        "maxPerTransferMinor", each,
        "maxPerPeriodMinor", "2000.00",
        "maxHeldMinor", "3000.00",
        "maxEscrowMinor", "0",
        "mintCapPerDayMinor", "10000.00",
        "maxTransfersPerPeriod", "100",
        "effective", "month");
  }
}
