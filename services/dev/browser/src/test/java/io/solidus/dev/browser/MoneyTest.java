package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.dev.sandbox.operators.SimulatedBank;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.model.PayoutInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the import of a list to a payout, through the console alone: each person at a browser of her
 * own.
 */
@Tag("process")
@ExtendWith(RunningConsole.class)
class MoneyTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long AMOUNT = 123_450;
  private static final long WITHDRAWN = 90_000;

  /** What a bank's page must show as it is written. */
  private static final String SCRIPT = "<img src=x onerror=\"document.title='broken'\">";

  private static final String FORMULA = "=HYPERLINK(\"http://x.example\",\"x\")";
  private static final String RIGHT_TO_LEFT = "محمد ‏בדיקה";

  private final Bank bank;

  @TempDir private Path folder;

  MoneyTest(Bank bank) {
    this.bank = bank;
  }

  @Test
  void fundingBecomesACoinAndThenAPayout() throws Exception {
    SandboxOptions options = bank.sandbox().options();
    try (Officer ida = bank.officer("operator-ida").login();
        Officer anna = bank.officer("approver-anna").login();
        Officer ben = bank.officer("approver-ben").login();
        Officer kim = bank.officer("operator-kim").login();
        Officer sam = bank.officer("operator-sam").login();
        Officer lee = bank.officer("supervisor-lee").login();
        Customer carla =
            Customer.enter(options, bank.sandbox().installation(), folder.resolve("w"))) {
      importOfTwo(sam, lee);
      register(carla, kim);

      String token = record(ida, "story-1", "1,234.50");
      MintId mint = carla.wallet().requestMint("story-1", token, Amount.of(AMOUNT));
      takeKey(anna, "approver-anna");
      takeKey(ben, "approver-ben");
      refuseAnotherAmount(anna);
      sign(anna, "story-1");
      sign(ben, "story-1");
      assertThat(carla.wallet().awaitMint(mint, LIMIT)).isPresent();

      assertThat(carla.wallet().claim()).isPresent();
      carla
          .wallet()
          .withdraw(
              Amount.of(WITHDRAWN),
              new PayoutInstruction(SCRIPT, "DE02120300000000202051", FORMULA));
      payOut(ida, anna);
      try (Officer sara = bank.officer("second-sara").login()) {
        sara.open("/payouts?status=all");
        assertThat(sara.page().getByText("No payout fits.")).isVisible();
        sara.open("/batches");
        assertThat(sara.page().getByText("No batch fits.")).isVisible();
      }
      for (Officer officer : List.of(ida, anna, ben, kim, sam, lee)) {
        assertThat(officer.page().title()).isNotEqualTo("broken");
        officer.requireNoComplaints();
      }
    }
  }

  @Test
  void whoProposedCannotApproveAndTheSecondOfTwoTabsIsTold() throws Exception {
    try (Officer dora = bank.officer("deputy-dora").login();
        Officer anna = bank.officer("approver-anna").login()) {
      record(dora, "tabs-1", "1,234.50");
      dora.field("Reason").fill("the money went back");
      dora.button("Propose the reversal").click();
      assertThat(dora.page().getByText("The reversal is proposed.")).isVisible();

      dora.open("/reversals");
      dora.button("Approve the reversal of tabs-1").click();
      assertThat(dora.page().getByRole(AriaRole.ALERT)).containsText("Code: forbidden");

      Page first = anna.open("/reversals");
      Page second = anna.newTab();
      anna.open("/reversals");
      anna.button("Approve the reversal of tabs-1").click();
      assertThat(second.getByText("The reversal is approved and in the books.")).isVisible();
      anna.use(first);
      anna.button("Refuse the reversal of tabs-1").click();
      assertThat(first.getByRole(AriaRole.ALERT)).containsText("Code: reversal-decided");
      Accessibility.require(first);
      anna.open("/reversals?status=approved");
      assertThat(anna.heading("Reversal of tabs-1")).isVisible();
      dora.requireNoComplaints();
      anna.requireNoComplaints();
    }
  }

  /** One imports a list with one more person, a second one sees what changes and accepts it. */
  private void importOfTwo(Officer sam, Officer lee) throws Exception {
    String inForce =
        Files.readString(
            bank.sandbox().options().data().resolve("lists").resolve("ofac-sdn-sample.csv"));
    String added =
        "900777,\"TESTERSSON, Torvald\",\"individual\",\"SAMPLE\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1960.\"\n";
    sam.open("/lists");
    sam.page().locator("select[name=list]").selectOption("ofac");
    sam.page()
        .locator("input[type=file]")
        .setInputFiles(Files.writeString(folder.resolve("ofac.csv"), added + inForce));
    sam.page().locator("textarea[name=reason]").fill("a test adds a person");
    sam.button("Import the file").click();
    assertThat(sam.page().getByText("The file waits for another person.")).isVisible();
    assertThat(sam.button("Accept the proposal")).isHidden();

    lee.open("/decisions");
    lee.page()
        .getByRole(AriaRole.LINK)
        .filter(new Locator.FilterOptions().setHasText("ofac"))
        .first()
        .click();
    assertThat(lee.page().getByText("TESTERSSON").first()).isVisible();
    Accessibility.require(lee.page());
    Pictures.take(lee.page(), "console-list");
    Locator why = lee.page().locator("textarea[name=confirmation]");
    if (why.count() == 1) {
      lee.type(why, "a test adds a person");
    }
    lee.press(lee.button("Accept the proposal"));
    lee.requireOutcome("The proposal is accepted.");
  }

  /** Her name is a script and a formula; the officer reads it as it is written. */
  private void register(Customer carla, Officer kim) throws Exception {
    String family = FORMULA + " Console";
    carla.wallet().register(new Person(SCRIPT, family, LocalDate.of(1984, 3, 9), "FR", "DOC7"));
    Locator found =
        kim.page()
            .getByRole(AriaRole.LINK)
            .filter(new Locator.FilterOptions().setHasText(SCRIPT + " " + family));
    for (int i = 0; i < 50; i++) {
      kim.open("/people?status=" + (i % 2 == 0 ? "pending" : "review"));
      if (found.count() == 1) {
        break;
      }
      Thread.sleep(200);
    }
    Accessibility.require(kim.page());
    found.click();
    assertThat(kim.heading(SCRIPT + " " + family)).isVisible();
    Accessibility.require(kim.page());
    Pictures.take(kim.page(), "console-case");
    kim.type(kim.page().locator("#approve-reason"), "the passport was seen");
    kim.press(kim.button("Approve the case"));
    kim.requireOutcome("The case is approved.");
    carla.wallet().awaitRegistration(LIMIT);
  }

  private static String record(Officer ida, String funding, String amount) {
    ida.open("/fundings");
    ida.field("Bank").selectOption("default");
    ida.field("Funding").fill(funding);
    ida.field("Amount").fill(amount);
    ida.field("Sender's account").fill(RIGHT_TO_LEFT);
    ida.button("Record the funding").click();
    assertThat(ida.page().getByText("The funding is recorded.")).isVisible();
    assertThat(ida.page().getByText("EUR 1,234.50").first()).isVisible();
    assertThat(ida.page().getByText(RIGHT_TO_LEFT)).isVisible();
    Accessibility.require(ida.page());
    return ida.page().locator(".notice code").textContent();
  }

  /** Takes the approver's key file into her browser. */
  private void takeKey(Officer approver, String name) throws Exception {
    approver.open("/my-key");
    assertThat(approver.heading("This browser has no key of yours")).isVisible();
    approver.field("Network").fill(SandboxOptions.NETWORK);
    approver.field("Key file").setInputFiles(bank.sandbox().installation().seed(name));
    approver.button("Keep a key in this browser").click();
    assertThat(approver.heading("This browser has your key")).isVisible();
    assertThat(approver.page().getByText(bank.sandbox().installation().publicKey(name)))
        .isVisible();
    Accessibility.require(approver.page());
  }

  private static void refuseAnotherAmount(Officer anna) {
    anna.open("/");
    assertThat(anna.link("Mints to approve")).isVisible();
    Pictures.take(anna.page(), "console");
    openMint(anna, "story-1");
    Pictures.take(anna.page(), "console-mint");
    anna.field("Amount that arrived").fill("1234.51");
    anna.button("Check and sign").click();
    assertThat(anna.page().getByText("Nothing was signed")).isVisible();
    Accessibility.require(anna.page());
  }

  private static void openMint(Officer approver, String funding) {
    approver.open("/mints");
    approver.link("Mint of EUR 1,234.50 against " + funding).click();
    assertThat(approver.heading("Mint of EUR 1,234.50")).isVisible();
  }

  /** Signs without a mouse, as it is done by keyboard. */
  private static void sign(Officer approver, String funding) {
    openMint(approver, funding);
    approver.type(approver.field("Amount that arrived"), "1234.50");
    approver.page().keyboard().press("Enter");
    assertThat(approver.heading("Sign this mint?")).isVisible();
    assertThat(approver.page().locator("#confirm-amount")).hasText("EUR 1,234.50");
    assertThat(approver.button("Do not sign")).isFocused();
    approver.page().keyboard().press("Shift+Tab");
    assertThat(approver.button("Sign and approve")).isFocused();
    approver.page().keyboard().press("Enter");
    approver.requireOutcome("Your approval is taken.");
  }

  /** One proposes, a second one releases; the bank pays and says so. */
  private void payOut(Officer ida, Officer anna) throws Exception {
    ida.open("/payouts");
    assertThat(ida.page().getByText(SCRIPT).first()).isVisible();
    assertThat(ida.page().getByText(FORMULA).first()).isVisible();
    Accessibility.require(ida.page());
    Pictures.take(ida.page(), "console-payouts");
    ida.open("/batches");
    ida.field("Bank").selectOption("default");
    ida.press(ida.button("Propose a batch"));
    ida.requireOutcome("The batch is proposed.");
    anna.open("/batches?status=pending");
    anna.press(anna.page().locator("tbody a").first());
    anna.press(anna.button("Release the batch"));
    anna.requireOutcome("The batch is released.");
    Accessibility.require(anna.page());
    ida.open(anna.page().url().replaceFirst("^http://[^/]+", ""));
    Download download =
        ida.page().waitForDownload(() -> ida.link("Download the file for the bank").click());
    Path file = folder.resolve("batch.xml");
    download.saveAs(file);
    Path answer =
        Files.write(
            folder.resolve("answer.xml"),
            new SimulatedBank(Clock.systemUTC()).pay(Files.readAllBytes(file)));
    ida.open("/bank");
    ida.field("Message of the bank").setInputFiles(answer);
    ida.button("Hand in the message").click();
    assertThat(ida.page().getByText("The message is handed in.")).isVisible();
    assertThat(ida.page().getByText("camt.054.001.08")).isVisible();
    assertThat(ida.button("Book the message")).isHidden();
    Accessibility.require(ida.page());
    anna.open("/bank/messages");
    anna.press(anna.page().locator("tbody a").first());
    Pictures.take(anna.page(), "console-message");
    anna.press(anna.button("Book the message"));
    anna.requireOutcome("The message is booked.");
    Accessibility.require(anna.page());
    Page payouts = ida.open("/payouts?status=settled");
    assertThat(payouts.getByText(SCRIPT).first()).isVisible();
  }
}
