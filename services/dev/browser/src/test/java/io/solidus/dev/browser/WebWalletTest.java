package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.SelectOption;
import io.solidus.dev.browser.RunningConsole.Bank;
import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
  /** Of a second each. Tables close every five seconds, and three replicas have to sign. */
  private static final int TRIES = 90;

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long MINTED = 10_000;

  /** A proof in WebAssembly on a machine that does other work as well. */
  private static final LocatorAssertions.ContainsTextOptions PROOF =
      new LocatorAssertions.ContainsTextOptions().setTimeout(180_000);

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
      proveOnTheDevice(alice);

      restoreByKeyboard(bob, bobWords);
      requireOneLineOfParts(bob);
      String request = requestByKeyboard(bob, "12,50", "Kaffee & Kuchen");

      bank.chromium().camera().show(bob.page().locator(".code").screenshot());
      payRequest(alice, request);
      alice.reload("Unlock");
      alice.requireBalance("€87.50");
      payTheRequestAgain(alice, request);

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
      bringMoneyInAndTakeItOut(dora);
      requireOneTab(dora);
      dora.requireNoComplaints();
    }
  }

  /**
   * A page that reads with private queries tells what waits, and gets it with the query of the next
   * opening. Where lists are withheld it says so, and its owner reads everything.
   */
  @Test
  void aWalletThatReadsInPrivateTellsWhatWaits() throws Exception {
    bank.serveWebWallet(true);
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
        SeedPhrase payersPhrase = SeedPhrase.generate(new SecureRandom());
        Customer owner = customer("Erik", phrase);
        Customer payer = customer("Fiona", payersPhrase)) {
      enter(owner, "Erik", "Sandberg-Privat", "WEB4", 0, 1969);
      enter(payer, "Fiona", "Keane-Payer", "WEB5", 2_000, 1984);
      Address to = owner.wallet().address();
      try (Payer erik = payer("en-GB")) {
        erik.restore("I have 24 words", "Restore", phrase.words());
        erik.requireBalance("€0.00");
        // all that there was is read, and the query of this opening is made
        look(erik, erik.page().getByText("Nothing new"));
        erik.field("tab-more").click();
        assertThat(erik.field("read-up-to")).containsText("It knows what came until");

        payer.wallet().pay(to, Amount.of(500), "by a query");
        erik.field("tab-wallet").click();
        look(erik, erik.field("waiting"));
        assertThat(erik.field("waiting")).containsText("Messages waiting: 1. The next query: ");
        erik.requireBalance("€0.00");
        Accessibility.require(erik.page());
        for (int openings = 0; erik.field("waiting").count() > 0; openings++) {
          assertThat(openings).as("openings, each of which makes a query").isLessThan(5);
          erik.reload("Unlock");
          look(erik, erik.page().getByText("Nothing new"));
        }
        erik.requireBalance("€5.00");
        assertThat(erik.page().getByText("by a query")).isVisible();

        payer.wallet().pay(to, Amount.of(300), "withheld");
        erik.context()
            .route(
                Pattern.compile(".*/v1/mailbox/tables/note"),
                route -> route.fulfill(nothingThere(route.request().headerValue("origin"))));
        look(erik, erik.page().getByText("The network shows no signed list of messages"));
        Accessibility.require(erik.page());
        erik.field("tab-more").click();
        erik.button("Read all messages now").click();
        erik.requireBalance("€8.00");
        erik.requireNoComplaints();
      }
    } finally {
      bank.serveWebWallet(false);
    }
  }

  /** Looks for money until something is shown. */
  private static void look(Payer payer, Locator shown) {
    for (int i = 0; i < TRIES && !shown.first().isVisible(); i++) {
      payer.button("Look for money").click();
      payer.page().waitForTimeout(1_000);
    }
    assertThat(shown.first()).isVisible();
  }

  /** A gateway without a list, for the page of this origin. */
  private static Route.FulfillOptions nothingThere(String origin) {
    return new Route.FulfillOptions()
        .setStatus(404)
        .setHeaders(Map.of("Access-Control-Allow-Origin", origin))
        .setContentType("application/problem+json")
        .setBody("{\"code\":\"not-found\",\"detail\":\"withheld\"}");
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

  /** A coin that approvers approve between two reloads, and a payout of a part of it. */
  private void bringMoneyInAndTakeItOut(Payer dora) throws Exception {
    JsonNode funding = bank.operators().recordFunding("web-WEB3", 5_000);
    dora.field("tab-more").click();
    dora.button("Bring money in").click();
    Accessibility.require(dora.page());
    dora.field("funding").fill(funding.path("fundingId").asString());
    dora.field("token").fill("no such code");
    dora.field("amount").fill("50");
    dora.button("Ask for the coin").click();
    assertThat(dora.page().locator(".notice.bad")).isFocused();
    dora.field("funding").fill(funding.path("fundingId").asString());
    dora.field("token").fill(funding.path("accessToken").asString());
    dora.field("amount").fill("50");
    dora.button("Ask for the coin").click();
    assertThat(dora.page().getByText("€50.00 wait for the approvers.")).isVisible();
    dora.reload("Unlock");
    for (MintId mint : bank.operators().waitingMints()) {
      bank.operators().approveMint(mint);
    }
    dora.button("Ask now").click();
    dora.requireBalance("€50.00");
    dora.reload("Unlock");
    dora.requireBalance("€50.00");

    dora.field("tab-more").click();
    dora.button("Take money out").click();
    dora.field("amount").fill("20");
    dora.field("creditor").fill("Dora Lindqvist");
    dora.field("iban").fill("DE03 1203 0000 0000 2020 51");
    dora.button("Check the payout").click();
    assertThat(dora.page().getByText("Check the name and the IBAN.")).isVisible();
    Accessibility.require(dora.page());
    dora.field("iban").fill("DE02 1203 0000 0000 2020 51");
    dora.button("Check the payout").click();
    Accessibility.require(dora.page());
    dora.button("Take out €20.00").click();
    assertThat(dora.page().getByText("€20.00 go to the account.")).isVisible();
    dora.requireBalance("€30.00");
    dora.reload("Unlock");
    dora.requireBalance("€30.00");
    assertThat(bank.operators().payOut()).isEqualTo(2_000);
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
        Customer customer = customer(given, phrase)) {
      enter(customer, given, family, document, minted, born);
      return phrase.words();
    }
  }

  private Customer customer(String given, SeedPhrase phrase) {
    return Customer.enter(
        bank.sandbox().options(), bank.sandbox().installation(), folder.resolve(given), phrase);
  }

  private void enter(
      Customer customer, String given, String family, String document, long minted, int born)
      throws Exception {
    customer.wallet().register(new Person(given, family, LocalDate.of(born, 1, 2), "FR", document));
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

  /** The camera sees the payee's screen. */
  private static void scan(Payer alice, String request) {
    alice.button("Scan a code").click();
    assertThat(alice.field("to")).hasValue(request);
    assertThat(alice.button("Scan a code")).isVisible();
    assertThat(alice.field("camera")).isHidden();
    assertThat(alice.field("amount")).isFocused();
  }

  private static void payRequest(Payer alice, String request) {
    alice.field("tab-pay").click();
    Accessibility.require(alice.page());
    alice.field("to").fill("sld1nonsense");
    alice.button("Check the payment").click();
    assertThat(alice.page().getByText("This is no address of this network.")).isVisible();
    scan(alice, request);
    assertThat(alice.field("amount")).hasValue("12.50");
    assertThat(alice.field("note")).hasValue("Kaffee & Kuchen");
    alice.button("Check the payment").click();
    assertThat(alice.heading("Is this right?")).isFocused();
    Accessibility.require(alice.page());
    Pictures.takeTelephone(alice.page(), "web-wallet-review");
    assertThat(alice.field("told")).containsText("This device computes the proof.");
    AtomicInteger told = new AtomicInteger();
    Consumer<Request> heard =
        asked -> {
          if (asked.url().endsWith("/v1/proofs")) {
            told.incrementAndGet();
          }
        };
    alice.context().onRequest(heard);
    alice.button("Pay €12.50").click();
    assertThat(alice.heading("Paying")).isVisible();
    alice.button("Stop").click();
    assertThat(alice.page().getByText("Stopped. Nothing was paid by it")).isFocused();
    alice.button("Check the payment").click();
    alice.button("Pay €12.50").click();
    assertThat(alice.heading("Paying")).isVisible();
    Accessibility.require(alice.page());
    assertThat(alice.field("paid")).containsText("You paid €12.50.", PROOF);
    alice.context().offRequest(heard);
    assertThat(told).as("proofs of the network's prover").hasValue(0);
    Accessibility.require(alice.page());
    alice.field("name").fill("Beata");
    alice.button("Keep").click();
    assertThat(alice.page().getByText("Beata is a contact now.")).isVisible();
    alice.requireBalance("€87.50");
  }

  /** A request is paid once, also by a wallet that was closed since; its payee is a contact. */
  private static void payTheRequestAgain(Payer alice, String request) {
    alice.field("tab-pay").click();
    alice.field("contact").selectOption(new SelectOption().setLabel("Beata"));
    assertThat(alice.field("to")).hasValue(Pattern.compile("sld1.+"));
    Accessibility.require(alice.page());
    alice.field("to").fill(request);
    alice.button("Check the payment").click();
    assertThat(alice.page().getByText("You paid this request on")).isVisible();
    assertThat(alice.heading("Pay")).isVisible();
    alice.field("tab-history").click();
    assertThat(alice.page().locator(".lines .paid")).hasCount(1);
    assertThat(alice.page().locator(".lines .paid")).containsText("Beata Kaffee & Kuchen");
  }

  /**
   * Downloads what proofs on the device need; the download is stopped, and goes on after a reload
   * with what is missing.
   */
  private static void proveOnTheDevice(Payer alice) {
    Pattern keys = Pattern.compile(".*/v1/keys/files/.*");
    // no answer, as on a bad connection
    alice.context().route(keys, route -> {});
    alice.field("tab-more").click();
    Locator load = alice.page().locator("#proofs button");
    double all = megabytes(load.textContent());
    load.click();
    assertThat(alice.heading("Downloading")).isVisible();
    assertThat(alice.field("measure")).containsText(" MB of " + all + " MB");
    Accessibility.require(alice.page());
    // the prover is here, and the first key is waited for
    assertThat(alice.field("measure")).containsText(Pattern.compile("^[3-9]"));
    alice.button("Stop").click();
    assertThat(alice.page().getByText("what was downloaded is kept")).isFocused();
    alice.context().unroute(keys);
    alice.reload("Unlock");
    alice.field("tab-more").click();
    assertThat(megabytes(load.textContent())).isLessThan(all - 3);
    load.click();
    assertThat(alice.field("proofs")).containsText("This device computes the proofs.");
    Accessibility.require(alice.page());
    alice.reload("Unlock");
    alice.field("tab-more").click();
    assertThat(alice.field("proofs")).containsText("This device computes the proofs.");
  }

  /** The number of a text such as "Download 14.2 MB". */
  private static double megabytes(String text) {
    return Double.parseDouble(text.replaceAll(".* ([0-9.]+) MB.*", "$1"));
  }

  /** The longer words of German have place on a telephone. */
  private static void requireOneLineOfParts(Payer bob) {
    bob.page().setViewportSize(Accessibility.TELEPHONE, 760);
    Object lines =
        bob.page()
            .evaluate(
                "() => new Set([...document.querySelectorAll('nav button')]"
                    + ".map(one => one.offsetTop)).size");
    assertThat(lines).as("lines of the navigation").isEqualTo(1);
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
    assertThat(alice.field("proofs")).containsText("The last proof took");
    alice.field("proofs").scrollIntoViewIfNeeded();
    Pictures.takeTelephone(alice.page(), "web-wallet-more");
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
