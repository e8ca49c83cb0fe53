package io.solidus.dev.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;

/** A person with the web wallet on a telephone: what her browser keeps is nobody else's. */
final class Payer implements AutoCloseable {
  static final String PASSPHRASE = "korrekt Pferd Batterie";

  private static final double PATIENCE_MILLIS = 60_000;
  private static final int HEIGHT = 760;

  private final BrowserContext context;
  private final List<String> complaints = new ArrayList<>();
  private final Page page;

  /**
   * Opens the page.
   *
   * @param locale of the browser, which decides the language
   */
  Payer(Chromium chromium, String address, String locale) {
    this.context =
        chromium
            .browser()
            .newContext(
                new Browser.NewContextOptions()
                    .setLocale(locale)
                    .setViewportSize(Accessibility.TELEPHONE, HEIGHT));
    context.setDefaultTimeout(PATIENCE_MILLIS);
    // proofs take longer than the five seconds that an assertion waits by itself
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    context.onConsoleMessage(this::heard);
    context.onWebError(error -> complaints.add("error: " + error.error()));
    this.page = context.newPage();
    page.navigate(address);
  }

  /** A request that fails is the wallet's own affair; a breach of the policy of contents is not. */
  private void heard(ConsoleMessage message) {
    if (message.text().contains("Content Security Policy") || message.text().contains("Trusted")) {
      complaints.add(message.text());
    }
  }

  Page page() {
    return page;
  }

  BrowserContext context() {
    return context;
  }

  Locator button(String text) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(text).setExact(true));
  }

  Locator heading(String text) {
    return page.getByRole(
        AriaRole.HEADING, new Page.GetByRoleOptions().setName(text).setExact(true));
  }

  /** A field by its id, which is the same in all languages. */
  Locator field(String id) {
    return page.locator("#" + id);
  }

  /** Restores a wallet from its words, and waits until it is shown. */
  void restore(String haveWords, String restore, String words) {
    button(haveWords).click();
    field("words").fill(words);
    field("passphrase").fill(PASSPHRASE);
    field("passphrase-again").fill(PASSPHRASE);
    button(restore).click();
    assertThat(field("held")).isVisible();
  }

  /** Reloads the page, and opens the wallet again. */
  void reload(String unlock) {
    page.reload();
    field("passphrase").fill(PASSPHRASE);
    button(unlock).click();
    assertThat(field("held")).isVisible();
  }

  /** Waits until the balance is shown as this; a space is any space. */
  void requireBalance(String amount) {
    assertThat(field("held")).hasText(amount);
  }

  /** Presses a button without a mouse. */
  void press(Locator target) {
    Keyboard.tabTo(page, target);
    page.keyboard().press("Enter");
  }

  /** Writes into a field without a mouse. */
  void type(Locator target, String text) {
    Keyboard.tabTo(page, target);
    page.keyboard().insertText(text);
  }

  /** Fails when a script failed or broke the policy of contents. */
  void requireNoComplaints() {
    assertThat(complaints).isEmpty();
  }

  @Override
  public void close() {
    context.close();
  }
}
