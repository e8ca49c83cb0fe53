package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.dev.sandbox.operators.Staff;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Login and logout, the keyboard, and every page of the navigation. */
@Tag("process")
@ExtendWith(RunningConsole.class)
class ConsoleTest {
  private final Bank bank;

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
      for (String path : List.of("/logged-out", "/login-failed")) {
        officer.open(path);
        Accessibility.require(officer.page());
      }
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
  void formOfAnEndedSessionLosesNothing() throws Exception {
    try (Officer officer = bank.officer("operator-ida")) {
      officer.login();
      officer.open("/fundings");
      officer.field("Funding").fill("half-filled");
      officer.field("Amount").fill("12.50");
      officer.field("Sender's account").fill("DE89370400440532013000");
      officer
          .context()
          .clearCookies(new BrowserContext.ClearCookiesOptions().setName("solidus-console"));

      officer.button("Record the funding").click();
      officer.loginIfAsked();

      assertThat(officer.page().getByText("Nothing was sent yet")).isVisible();
      assertThat(officer.field("Funding")).hasValue("half-filled");
      assertThat(officer.field("Amount")).hasValue("12.50");
      officer.button("Record the funding").click();
      assertThat(officer.page().getByText("The funding is recorded.")).isVisible();
    }
  }
}
