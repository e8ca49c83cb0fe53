package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.Amount;
import io.solidus.wallet.gateway.Person;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two banks on one platform: the staff of one try to see something of the other. */
@Tag("process")
@ExtendWith(RunningConsole.class)
class TwoBanksTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String FIRSTS = "Alba Firstbanksson";
  private static final String SECONDS = "Berta Secondbanksson";

  private final Bank bank;

  @TempDir private Path folder;

  TwoBanksTest(Bank bank) {
    this.bank = bank;
  }

  @Test
  void staffOfOneBankSeeNothingOfTheOther() throws Exception {
    SandboxOptions options = bank.sandbox().options();
    try (Officer finn = bank.officer("first-finn").login();
        Officer sven = bank.officer("second-sven").login();
        Officer sara = bank.officer("second-sara").login();
        Officer kim = bank.officer("operator-kim").login();
        Customer alba =
            Customer.enter(options, bank.sandbox().installation(), folder.resolve("a"));
        Customer berta =
            Customer.enter(options, bank.sandbox().installation(), folder.resolve("b"))) {
      assertThat(sven.page().getByText("Second Bank").first()).isVisible();
      assertThat(sven.link("Bank")).hasCount(0);
      assertThat(sven.link("Decisions")).hasCount(0);
      alba.wallet().register(person(FIRSTS, LocalDate.of(1981, 2, 3), "FIRST1", null));
      berta.wallet().register(person(SECONDS, LocalDate.of(1975, 10, 21), "SECOND1", "second"));
      String albas = finn.findCase(FIRSTS);
      String bertas = sven.findCase(SECONDS);
      approve(finn, albas);
      alba.wallet().awaitRegistration(LIMIT);
      String token = fund(finn, "first-money");
      fund(sven, "second:money");
      alba.wallet().requestMint("first-money", token, Amount.of(1_000));
      finn.open("/mints");
      String mint = finn.page().locator("tbody a").first().getAttribute("href");

      for (Officer officer : List.of(sven, sara)) {
        for (String path : List.of(albas, albas + "/duplicates", "/fundings/first-money", mint)) {
          if (officer == sara && path.endsWith("/duplicates")) {
            continue;
          }
          assertThat(officer.status(path)).as(path).isEqualTo(404);
          requireNothingOfTheFirst(officer.page(), mint);
        }
        for (String path :
            List.of(
                "/",
                "/mints?status=all",
                "/payouts?status=all",
                "/batches",
                "/payees?status=all",
                "/fundings",
                "/reversals?status=all")) {
          assertThat(officer.status(path)).as(path).isEqualTo(200);
          requireNothingOfTheFirst(officer.page(), mint);
        }
        for (String path : List.of("/bank", "/books", "/lines", "/bank/messages", "/screenings")) {
          assertThat(officer.status(path)).as(path).isEqualTo(403);
          requireNothingOfTheFirst(officer.page(), mint);
        }
        officer.forgetComplaints();
      }
      assertThat(sven.open("/fundings").getByText("second:money").first()).isVisible();
      for (String state : List.of("pending", "approved", "review", "possible-duplicate")) {
        requireNothingOfTheFirst(sven.open("/people?status=" + state), mint);
      }
      requireNotFound(sven, "Name", "Alba");
      requireNotFound(sven, "Case", albas.substring(albas.lastIndexOf('/') + 1));
      assertThat(finn.status(bertas)).isEqualTo(404);
      assertThat(finn.page().content()).doesNotContain("Berta");

      // the centre sees both, and whose each is
      kim.open(albas);
      assertThat(kim.page().getByText("First Bank", new Page.GetByTextOptions().setExact(true)))
          .isVisible();
      kim.open(bertas);
      assertThat(kim.page().getByText("Second Bank", new Page.GetByTextOptions().setExact(true)))
          .isVisible();
      Accessibility.require(kim.page());
      kim.requireNoComplaints();
    }
  }

  private static void requireNothingOfTheFirst(Page page, String mint) {
    assertThat(page.content())
        .as(page.url())
        .doesNotContain("Alba", "Firstbanksson", "first-money\"", "First Bank", "\"" + mint);
  }

  private static void requireNotFound(Officer officer, String field, String value) {
    officer.open("/people/search");
    officer.page().locator(field.equals("Name") ? "#name" : "#caseId").fill(value);
    if (field.equals("Name")) {
      officer.page().locator("#birthDate").fill("1981-02-03");
    }
    officer.button("Search").click();
    assertThat(officer.page().getByText("No case was found.")).isVisible();
  }

  private static void approve(Officer officer, String file) {
    officer.open(file);
    officer.page().locator("#approve-reason").fill("the passport was seen");
    officer.button("Approve the case").click();
    assertThat(officer.page().getByText("The case is approved.")).isVisible();
  }

  private static String fund(Officer officer, String funding) {
    officer.open("/fundings");
    assertThat(officer.field("Bank")).hasCount(0);
    officer.field("Funding").fill(funding);
    officer.field("Amount").fill("10.00");
    officer.field("Sender's account").fill("DE89370400440532013000");
    officer.button("Record the funding").click();
    assertThat(officer.page().getByText("The funding is recorded.")).isVisible();
    return officer.page().locator(".notice code").textContent();
  }

  private static Person person(
      String name, LocalDate born, String document, @Nullable String bank) {
    int space = name.indexOf(' ');
    return new Person(
        name.substring(0, space), name.substring(space + 1), born, "FR", document, bank);
  }
}
