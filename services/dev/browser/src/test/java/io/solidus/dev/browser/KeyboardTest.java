package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.wallet.gateway.Person;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Decisions about people and rules with Tab, Enter, Space and arrow keys alone; those about lists
 * and money go so in {@link MoneyTest}.
 */
@Tag("process")
@ExtendWith(RunningConsole.class)
class KeyboardTest {
  /** An invented person of the sandbox's list. */
  private static final Person LISTED =
      new Person("Andrei", "Vaskell", LocalDate.of(1964, 3, 9), "FR", "KEYBOARD1");

  private static final Person ONCE =
      new Person("Ottilie", "Keyboardsson", LocalDate.of(1977, 7, 7), "FR", "KEYBOARD2");
  private static final Person AGAIN =
      new Person("Ottilie", "Keyboardson", LocalDate.of(1977, 7, 7), "FR", "KEYBOARD3");

  private final Bank bank;

  @TempDir private Path folder;

  KeyboardTest(Bank bank) {
    this.bank = bank;
  }

  @Test
  void aMatchIsSaidToBeAnotherPersonAndConfirmed() throws Exception {
    try (Officer kim = bank.officer("operator-kim").login();
        Officer lee = bank.officer("supervisor-lee").login();
        Customer listed = enter("listed")) {
      listed.wallet().register(LISTED);
      kim.open(kim.findCase("Andrei Vaskell"));
      kim.choose(kim.page().locator("#match-0-false"), 0);
      kim.type(kim.page().locator("#match-0-reason"), "the photograph differs");
      kim.press(kim.button("Record").first());
      kim.requireOutcome("What you found out about the match is recorded.");

      lee.open("/people/confirmations");
      lee.press(lee.link("Andrei Vaskell"));
      lee.choose(lee.page().locator("#confirm-0-false"), 0);
      lee.type(lee.page().locator("#confirm-0-reason"), "seen too");
      lee.press(lee.button("Confirm").first());
      lee.requireOutcome("Your word on the match is recorded.");

      // the third choice of what the applicant reads
      kim.open(kim.findCase("Andrei Vaskell"));
      kim.choose(kim.page().locator("input[name=code]").first(), 2);
      kim.type(kim.page().locator("#refuse-reason"), "the document has expired");
      kim.press(kim.button("Refuse the case"));
      kim.requireOutcome("The case is refused.");
      assertThat(kim.page().getByText("The document has expired.", exact())).isVisible();
      kim.requireNoComplaints();
      lee.requireNoComplaints();
    }
  }

  @Test
  void twoFilesAreComparedAndTwoOfficersDecide() throws Exception {
    try (Officer kim = bank.officer("operator-kim").login();
        Officer kai = bank.officer("operator-kai").login();
        Customer once = enter("once");
        Customer again = enter("again")) {
      once.wallet().register(ONCE);
      String first = kim.findCase("Ottilie Keyboardsson");
      again.wallet().register(AGAIN);
      String second = kim.findCase("Ottilie Keyboardson");
      for (Officer officer : new Officer[] {kim, kai}) {
        officer.open(second);
        officer.press(officer.link("Compare the files"));
        if (officer == kim) {
          Accessibility.require(kim.page());
          Pictures.take(kim.page(), "console-duplicate");
        }
        officer.choose(officer.page().locator("#one-0"), 0);
        officer.type(officer.page().locator("#reason-0"), "the same face");
        officer.press(officer.button("Give the verdict"));
        officer.requireOutcome("Your verdict is recorded.");
        officer.requireNoComplaints();
      }
      kim.open(second);
      assertThat(kim.page().locator("h1 + p .tag")).hasText("Refused");
      kim.open(first);
      kim.type(kim.page().locator("#approve-reason"), "the passport was seen");
      kim.press(kim.button("Approve the case"));
      kim.requireOutcome("The case is approved.");
    }
  }

  @Test
  void aPolicyIsPreviewedProposedAndAccepted() throws Exception {
    try (Officer pat = bank.officer("operator-pat").login();
        Officer lee = bank.officer("supervisor-lee").login()) {
      pat.open("/policies");
      Keyboard.tabTo(pat.page(), pat.field("Month"));
      pat.page().keyboard().press("ArrowDown");
      pat.press(pat.button("Show what changes"));
      // the answer takes the focus, and a live region says it
      assertThat(pat.page().locator("#preview [data-focus]")).isFocused();
      assertThat(pat.page().locator("#announce")).hasText("What changes is shown");
      Accessibility.require(pat.page());
      pat.page().locator("h1").evaluate("it => { it.tabIndex = -1; it.focus(); }");
      pat.press(pat.button("Propose the policy"));
      pat.requireOutcome("The policy waits for another person, under Decisions.");

      lee.open("/decisions");
      Locator proposal =
          lee.page()
              .locator("tbody tr")
              .filter(new Locator.FilterOptions().setHasText("operator-pat"));
      lee.press(proposal.getByText("Policy"));
      Pictures.take(lee.page(), "console-policy");
      lee.press(lee.button("Accept the proposal"));
      lee.requireOutcome("The proposal is accepted.");
      Accessibility.require(lee.page());
      pat.requireNoComplaints();
      lee.requireNoComplaints();
    }
  }

  private Customer enter(String wallet) {
    SandboxOptions options = bank.sandbox().options();
    return Customer.enter(options, bank.sandbox().installation(), folder.resolve(wallet));
  }

  private static Page.GetByTextOptions exact() {
    return new Page.GetByTextOptions().setExact(true);
  }
}
