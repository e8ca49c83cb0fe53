package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.dev.sandbox.operators.Staff;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.wallet.gateway.Person;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Login and logout, the keyboard, and every page of the navigation. */
@Tag("process")
@ExtendWith(RunningConsole.class)
class ConsoleTest {
  private final Bank bank;

  @TempDir private Path folder;

  ConsoleTest(Bank bank) {
    this.bank = bank;
  }

  @Test
  void everyPageOfEverybodyIsAccessibleAndQuiet() throws Exception {
    Set<String> examined = new TreeSet<>();
    // the auditor sees every page; the others have the forms
    for (String person : Staff.roles().keySet()) {
      visitEveryPage(person, examined);
    }
  }

  private void visitEveryPage(String person, Set<String> examined) throws Exception {
    try (Officer officer = bank.officer(person)) {
      officer.login();
      for (String path : navigation(officer)) {
        officer.open(path);
        assertThat(officer.page().locator("h1")).hasCount(1);
        String forms = officer.page().locator("main form").count() + " forms";
        if (examined.add(path + " " + forms)) {
          Accessibility.require(officer.page());
        }
      }
      officer.requireNoComplaints();
    }
  }

  private static Set<String> navigation(Officer officer) {
    officer.open("/");
    List<?> paths =
        (List<?>)
            officer
                .page()
                .locator("nav a")
                .evaluateAll("links => links.map(link => new URL(link.href).pathname)");
    Set<String> pages = new LinkedHashSet<>();
    paths.forEach(path -> pages.add(Objects.toString(path)));
    assertThat(pages).contains("/");
    return pages;
  }

  @Test
  void pagesWithoutALoginAreAccessible() throws Exception {
    try (Officer officer = bank.officer("operator-ida")) {
      for (String path : List.of("/logged-out", "/login/oauth2/code/console?state=old")) {
        officer.open(path);
        Accessibility.require(officer.page());
      }
      assertThat(officer.link("Log in")).isVisible();
      officer.login();
      officer.open("/no-such-page");
      Accessibility.require(officer.page());
      assertThat(officer.heading("There is no such page")).isVisible();
    }
  }

  @Test
  void keyboardAloneLogsInAndReachesTheContent() throws Exception {
    try (Officer officer = bank.officer("operator-ida")) {
      officer.loginByKeyboard();
      Page page = officer.page();
      page.keyboard().press("Tab");
      assertThat(officer.link("Skip to the content")).isFocused();
      assertThat(officer.link("Skip to the content")).isInViewport();
      page.keyboard().press("Enter");
      assertThat(page.locator("main")).isFocused();
      page.keyboard().press("Tab");
      assertThat(
              page.evaluate(
                  "() => getComputedStyle(document.activeElement).outlineStyle + ' ' + document.activeElement.tagName"))
          .as("the focus is visible")
          .isNotEqualTo("none BODY")
          .asString()
          .startsWith("solid");
      officer.requireNoComplaints();
    }
  }

  @Test
  void backAfterLogoutShowsNothing() throws Exception {
    try (Officer officer = bank.officer("operator-ida")) {
      officer.login();
      Page page = officer.open("/fundings");
      assertThat(officer.heading("Fundings")).isVisible();
      officer.button("Log out").click();
      assertThat(officer.heading("You are logged out")).isVisible();

      page.goBack();
      page.waitForLoadState();

      assertThat(page.content()).doesNotContain("Record received money");
      assertThat(officer.heading("Fundings")).isHidden();
    }
  }

  @Test
  void namesOfTwoHundredLettersFitIntoNarrowPages() throws Exception {
    SandboxOptions options = bank.sandbox().options();
    String given = "W".repeat(100);
    String family = "M".repeat(99);
    try (Officer kim = bank.officer("operator-kim").login();
        Officer ida = bank.officer("operator-ida").login();
        Customer long200 =
            Customer.enter(options, bank.sandbox().installation(), folder.resolve("w"))) {
      long200
          .wallet()
          .register(new Person(given, family, LocalDate.of(1970, 1, 2), "FR", "D".repeat(40)));
      String file = kim.findCase(given + " " + family);
      Accessibility.require(kim.page());
      kim.open(file);
      Accessibility.require(kim.page());
      ida.open("/fundings");
      ida.field("Bank").selectOption("default");
      ida.field("Funding").fill("F".repeat(64));
      ida.field("Amount").fill("99,999,999.99");
      ida.field("Sender's account").fill("A".repeat(140));
      ida.button("Record the funding").click();
      assertThat(ida.page().getByText("The funding is recorded.")).isVisible();
      Accessibility.require(ida.page());
      ida.page().locator("#reason").fill("R".repeat(500));
      ida.button("Propose the reversal").click();
      assertThat(ida.page().getByText("The reversal is proposed.")).isVisible();
      ida.open("/fundings");
      Accessibility.require(ida.page());
      ida.open("/reversals");
      Accessibility.require(ida.page());
      ida.requireNoComplaints();
      kim.requireNoComplaints();
    }
  }

  @Test
  void theAuditLogIsDownloadedInBothForms() throws Exception {
    try (Officer ida = bank.officer("operator-ida").login();
        Officer ada = bank.officer("auditor-ada").login()) {
      ida.open("/fundings");
      ada.open("/audit?service=issuance&actor=operator-ida");
      Accessibility.require(ada.page());
      String csv = download(ada, "Download as CSV", "audit-issuance.csv");
      assertThat(csv).startsWith("position,sequence,at,service,actor,kind,object\r\n");
      assertThat(csv.lines().skip(1))
          .isNotEmpty()
          .allMatch(row -> row.contains(",issuance,operator-ida,"))
          .noneMatch(row -> row.matches("(?s).*(^|,)\"?[=+@-].*"));
      String lines = download(ada, "Download as JSON lines", "audit-issuance.jsonl");
      assertThat(lines.lines())
          .hasSizeGreaterThanOrEqualTo((int) csv.lines().count() - 1)
          .allMatch(row ->
              JsonMapper.shared().readTree(row).path("actor").asString("").equals("operator-ida"));
      ada.requireNoComplaints();
    }
  }

  private String download(Officer officer, String link, String name) throws IOException {
    Download download = officer.page().waitForDownload(() -> officer.link(link).click());
    assertThat(download.suggestedFilename()).isEqualTo(name);
    Path file = folder.resolve(name);
    download.saveAs(file);
    // fails on bytes that are no UTF-8
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  @Test
  void formOfAnEndedSessionLosesNothing() throws Exception {
    try (Officer officer = bank.officer("operator-ida")) {
      officer.login();
      officer.open("/fundings");
      officer.field("Bank").selectOption("default");
      officer.field("Funding").fill("half-filled");
      officer.field("Amount").fill("12.50");
      officer.field("Sender's account").fill("DE89370400440532013000");
      officer
          .context()
          .clearCookies(new BrowserContext.ClearCookiesOptions().setName("solidus-console"));

      officer.button("Record the funding").click();
      officer.loginIfAsked();

      assertThat(officer.page().getByText("Nothing was sent yet")).isVisible();
      assertThat(officer.field("Bank")).hasValue("default");
      assertThat(officer.field("Funding")).hasValue("half-filled");
      assertThat(officer.field("Amount")).hasValue("12.50");
      officer.button("Record the funding").click();
      assertThat(officer.page().getByText("The funding is recorded.")).isVisible();
    }
  }
}
