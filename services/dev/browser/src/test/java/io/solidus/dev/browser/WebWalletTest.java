package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The web wallet on a telephone's screen: two wallets of the Java library go on in it. */
@Tag("process")
@ExtendWith(RunningConsole.class)
class WebWalletTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long MINTED = 10_000;

  private final Bank bank;
  private String address = "";

  @TempDir private Path folder;

  WebWalletTest(Bank bank) {
    this.bank = bank;
  }

  @BeforeEach
  void requirePage() {
    assumeTrue(bank.webWallet().isPresent(), "the page of the web wallet is not built");
    address = bank.webWallet().orElseThrow();
  }

  @Test
  void twoWalletsPayEachOtherThroughReloadsAndALostNetwork() throws Exception {
    String aliceWords = register("Anders", "Nilsson-Web", "WEB1", MINTED, 1971);
    String bobWords = register("Beata", "Kowalska-Netz", "WEB2", 0, 1993);
    try (Payer alice = payer("en-GB");
        Payer bob = payer("de-DE")) {
      Accessibility.require(alice.page());
      alice.restore("I have 24 words", "Restore", aliceWords);
      alice.requireBalance("€100.00");
      alice.reload("Unlock");
      alice.requireBalance("€100.00");

      restoreByKeyboard(bob, bobWords);
      String request = requestByKeyboard(bob, "12,50", "Kaffee & Kuchen");

      payRequest(alice, request);
      alice.reload("Unlock");
      alice.requireBalance("€87.50");

      bob.press(bob.field("tab-wallet"));
      bob.press(bob.button("Nach Geld sehen"));
      bob.requireBalance("12,50 €");
      assertThat(bob.page().getByText("Kaffee & Kuchen")).isVisible();
      Accessibility.require(bob.page());
      bob.reload("Öffnen");
      bob.requireBalance("12,50 €");

      payWhileTheAnswerIsLost(bob, addressOf(alice));

      alice.field("tab-wallet").click();
      alice.button("Look for money").click();
      alice.requireBalance("€92.50");
      showTheRest(alice);
      alice.requireNoComplaints();
      bob.requireNoComplaints();
    }
  }

  @Test
  void aNewWalletShowsItsWordsIsRegisteredAndOneTabHasIt() throws Exception {
    try (Payer dora = payer("en-GB")) {
      dora.button("Make a new wallet").click();
      Accessibility.require(dora.page());
      dora.field("passphrase").fill("short");
      dora.button("Make the wallet").click();
      assertThat(dora.page().getByText("The passphrase has fewer than 8 characters.")).isVisible();
      dora.field("passphrase").fill(Payer.PASSPHRASE);
      dora.field("passphrase-again").fill(Payer.PASSPHRASE);
      dora.button("Make the wallet").click();
      Locator words = dora.page().locator("#the-words li");
      assertThat(words).hasCount(SeedPhrase.WORDS);
      Accessibility.require(dora.page());
      List<String> phrase = words.allTextContents();

      // a reload before the words were confirmed
      dora.reload("Unlock");
      assertThat(dora.page().getByText("Your 24 words are not confirmed yet.")).isVisible();
      assertThat(dora.page().getByText("This wallet is not registered")).isVisible();
      dora.button("Show the words").click();
      dora.field("passphrase").fill("another passphrase");
      dora.button("Show the 24 words").click();
      assertThat(dora.page().getByText("The passphrase is wrong.")).isFocused();
      dora.field("passphrase").fill(Payer.PASSPHRASE);
      dora.button("Show the 24 words").click();
      assertThat(words).hasCount(SeedPhrase.WORDS);
      assertThat(words.allTextContents()).isEqualTo(phrase);
      dora.button("I have written them down").click();
      Accessibility.require(dora.page());
      for (Locator field : dora.page().locator("main input").all()) {
        int place = Integer.parseInt(field.getAttribute("id").replace("word-", ""));
        field.fill(phrase.get(place - 1));
      }
      dora.button("Continue").click();
      assertThat(dora.page().getByText("Your paper is right.")).isVisible();

      registerInThePage(dora);
      requireOneTab(dora);
      dora.requireNoComplaints();
    }
  }

  /** Details, a reload while officers decide, and the first coin. */
  private void registerInThePage(Payer dora) throws Exception {
    dora.button("Register").click();
    Accessibility.require(dora.page());
    dora.button("Send my details").click();
    assertThat(dora.page().getByText("This is needed.")).isVisible();
    dora.field("givenName").fill("Dora");
    dora.field("familyName").fill("Lindqvist-Seite");
    dora.field("birthDate").fill("1988-04-05");
    dora.field("nationality").fill("SE");
    dora.field("documentNumber").fill("WEB3");
    if (dora.field("bank").isVisible()) {
      dora.field("bank").selectOption("default");
    }
    dora.button("Send my details").click();
    assertThat(dora.page().getByText("waits for the officers")).isVisible();
    dora.reload("Unlock");
    bank.operators().approveCase(caseOf("Lindqvist-Seite"));
    Locator pending = dora.page().getByText("waits for the officers");
    for (int i = 0; i < 30 && pending.count() > 0; i++) {
      dora.button("Ask now").click();
      assertThat(dora.field("held")).isVisible();
    }
    assertThat(pending).hasCount(0);
    assertThat(dora.page().getByText("This wallet is not registered")).hasCount(0);
    dora.field("tab-more").click();
    dora.button("Show the limits").click();
    assertThat(dora.field("limits")).containsText("One payment at most");
  }

  /**
   * The second tab waits until the first one is closed; what the browser keeps is no plain text.
   */
  private void requireOneTab(Payer dora) {
    Page second = dora.context().newPage();
    second.navigate(address);
    assertThat(second.getByText("This wallet is open in another tab")).isVisible();
    dora.page().close();
    assertThat(second.locator("#passphrase")).isVisible();
    Object kept =
        second.evaluate(
            """
            () => new Promise((done, failed) => {
              const opening = indexedDB.open('solidus-wallet');
              opening.onerror = failed;
              opening.onsuccess = () => {
                const table = opening.result.transaction('wallet').objectStore('wallet');
                const asked = table.get('lock');
                asked.onsuccess = () => crypto.subtle.exportKey('raw', asked.result.deviceKey)
                  .then(() => done('exported'), error => done(error.name));
              };
            })
            """);
    assertThat(kept).isEqualTo("InvalidAccessError");
  }

  private Payer payer(String locale) {
    return new Payer(bank.chromium(), address, locale);
  }

  /** Registers a wallet of the Java library, which gets money, and returns its words. */
  private String register(String given, String family, String document, long minted, int born)
      throws Exception {
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
        Customer customer =
            Customer.enter(
                bank.sandbox().options(),
                bank.sandbox().installation(),
                folder.resolve(given),
                phrase)) {
      customer
          .wallet()
          .register(new Person(given, family, LocalDate.of(born, 1, 2), "FR", document));
      bank.operators().approveCase(caseOf(family));
      customer.wallet().awaitRegistration(LIMIT);
      if (minted > 0) {
        JsonNode funding = bank.operators().recordFunding("web-" + document, minted);
        String token = funding.path("accessToken").asString();
        MintId mint =
            customer
                .wallet()
                .requestMint(funding.path("fundingId").asString(), token, Amount.of(minted));
        bank.operators().approveMint(mint);
        assertThat(customer.wallet().awaitMint(mint, LIMIT)).isPresent();
      }
      return phrase.words();
    }
  }

  private String caseOf(String family) throws Exception {
    for (int i = 0; i < 100; i++) {
      for (String status : new String[] {"pending", "review"}) {
        var found = bank.operators().findCase(status, family);
        if (found.isPresent()) {
          return found.get();
        }
      }
      Thread.sleep(100);
    }
    throw new AssertionError("there is no case of " + family);
  }

  private static void restoreByKeyboard(Payer bob, String words) {
    bob.press(bob.button("Ich habe 24 Wörter"));
    assertThat(bob.heading("Wallet wiederherstellen")).isFocused();
    Accessibility.require(bob.page());
    bob.type(bob.field("words"), words);
    bob.type(bob.field("passphrase"), Payer.PASSPHRASE);
    bob.type(bob.field("passphrase-again"), Payer.PASSPHRASE);
    bob.press(bob.button("Wiederherstellen"));
    bob.requireBalance("0,00 €");
    Accessibility.require(bob.page());
  }

  /** Asks for an amount; the code's text is what the payer reads. */
  private static String requestByKeyboard(Payer bob, String amount, String label) {
    bob.press(bob.field("tab-receive"));
    assertThat(bob.page().locator("svg.code")).isVisible();
    bob.type(bob.field("asked"), amount);
    bob.type(bob.field("label"), label);
    bob.press(bob.button("Code für diesen Betrag zeigen"));
    Locator uri = bob.field("uri");
    assertThat(uri).containsText("sld:sldr1");
    Accessibility.require(bob.page());
    Pictures.takeTelephone(bob.page(), "web-wallet-receive");
    return uri.textContent();
  }

  private static void payRequest(Payer alice, String request) {
    alice.field("tab-pay").click();
    Accessibility.require(alice.page());
    alice.field("to").fill("sld1nonsense");
    alice.button("Check the payment").click();
    assertThat(alice.page().getByText("This is no address of this network.")).isVisible();
    alice.field("to").fill(request);
    alice.field("amount").focus();
    assertThat(alice.field("amount")).hasValue("12.50");
    assertThat(alice.field("note")).hasValue("Kaffee & Kuchen");
    alice.button("Check the payment").click();
    assertThat(alice.heading("Is this right?")).isFocused();
    Accessibility.require(alice.page());
    Pictures.takeTelephone(alice.page(), "web-wallet-review");
    alice.button("Pay €12.50").click();
    assertThat(alice.heading("Paying")).isVisible();
    Accessibility.require(alice.page());
    assertThat(alice.field("paid")).containsText("You paid €12.50.");
    Accessibility.require(alice.page());
    alice.button("Done").click();
    alice.requireBalance("€87.50");
  }

  private static String addressOf(Payer alice) {
    alice.field("tab-receive").click();
    return alice.field("uri").textContent();
  }

  /**
   * The authorities sign, and the answer does not arrive; the page is closed and opened without a
   * network, and pays once.
   */
  private static void payWhileTheAnswerIsLost(Payer bob, String aliceAddress) {
    AtomicInteger lost = new AtomicInteger();
    Pattern transfers = Pattern.compile(".*/v1/transfers");
    bob.context()
        .route(
            transfers,
            route -> {
              if (route.request().method().equals("POST")) {
                route.fetch();
                lost.incrementAndGet();
              }
              route.abort();
            });
    bob.field("tab-pay").click();
    bob.type(bob.field("to"), aliceAddress);
    bob.type(bob.field("amount"), "5");
    bob.press(bob.button("Zahlung prüfen"));
    bob.press(bob.button("5,00 € zahlen"));
    bob.page().waitForCondition(() -> lost.get() > 0);
    bob.context().setOffline(true);
    bob.page().reload();
    bob.field("passphrase").fill(Payer.PASSPHRASE);
    bob.button("Öffnen").click();
    assertThat(bob.page().getByText("Eine Zahlung ist unterwegs")).isVisible();
    assertThat(bob.page().getByText("Sie sind offline.")).isVisible();
    Accessibility.require(bob.page());
    bob.field("tab-pay").click();
    assertThat(bob.field("amount")).hasCount(0);
    bob.context().unroute(transfers);
    bob.context().setOffline(false);
    bob.field("tab-wallet").click();
    bob.requireBalance("7,50 €");
    assertThat(bob.page().getByText("Eine Zahlung ist unterwegs")).hasCount(0);
    bob.field("tab-history").click();
    assertThat(bob.page().locator(".lines .paid")).hasCount(1);
    assertThat(bob.page().locator(".lines .claimed")).hasCount(1);
    Accessibility.require(bob.page());
  }

  private static void showTheRest(Payer alice) {
    alice.button("Claim now").click();
    assertThat(alice.page().getByText("Claimed.")).isVisible();
    alice.requireBalance("€92.50");
    Pictures.takeTelephone(alice.page(), "web-wallet");
    alice.field("tab-more").click();
    alice.button("Show the limits").click();
    assertThat(alice.field("limits")).containsText("One payment at most");
    Accessibility.require(alice.page());
    alice.button("Deutsch: Diese Seite auf Deutsch zeigen").click();
    assertThat(alice.heading("Grenzen")).isVisible();
    assertThat(alice.page().locator("html")).hasAttribute("lang", "de");
    alice.field("passphrase-of-removal").fill(Payer.PASSPHRASE);
    alice.button("Für immer entfernen").click();
    assertThat(alice.heading("Geld, das Ihnen gehört")).isVisible();
  }
}
