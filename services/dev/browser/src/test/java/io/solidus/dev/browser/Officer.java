package io.solidus.dev.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One person at a browser of her own: cookies, storage and keys are nobody else's. */
final class Officer implements AutoCloseable {
  private static final double PATIENCE_MILLIS = 20_000;

  private final BrowserContext context;
  private final String console;
  private final String name;
  private final String password;
  private final List<String> complaints = new ArrayList<>();
  private Page page;

  Officer(Chromium chromium, String console, String name, String password) {
    this.context = chromium.browser().newContext();
    this.console = console;
    this.name = name;
    this.password = password;
    context.setDefaultTimeout(PATIENCE_MILLIS);
    context.onConsoleMessage(this::heard);
    context.onWebError(error -> complaints.add("error: " + error.error()));
    context.onResponse(this::answered);
    this.page = context.newPage();
  }

  private void heard(ConsoleMessage message) {
    boolean loud = message.type().equals("error") || message.type().equals("warning");
    if (loud && message.location().startsWith(console)) {
      complaints.add(message.type() + ": " + message.text() + " at " + message.location());
    }
  }

  private void answered(Response response) {
    if (response.url().startsWith(console) && response.status() >= 500) {
      complaints.add(response.status() + " " + response.url());
    }
  }

  Page page() {
    return page;
  }

  /** Works in another tab of the same browser from now on. */
  Page newTab() {
    page = context.newPage();
    return page;
  }

  /** Goes on in a tab that was opened before. */
  void use(Page tab) {
    page = tab;
  }

  BrowserContext context() {
    return context;
  }

  /** Opens a page of the console by its path. */
  Page open(String path) {
    page.navigate(console + path);
    return page;
  }

  /** Opens the console and logs in at the provider. */
  Officer login() {
    open("/");
    fillLogin();
    return this;
  }

  /** Logs in without a mouse. */
  Officer loginByKeyboard() {
    open("/");
    page.getByLabel("Username").focus();
    page.keyboard().type(name);
    page.keyboard().press("Tab");
    page.keyboard().type(password);
    page.keyboard().press("Enter");
    page.waitForURL(Pattern.compile(Pattern.quote(console) + ".*"));
    return this;
  }

  /** Logs in again where the provider asks for it; it does not while its own session lasts. */
  void loginIfAsked() {
    page.waitForLoadState();
    if (!page.url().startsWith(console)) {
      fillLogin();
    }
  }

  private void fillLogin() {
    page.getByLabel("Username").fill(name);
    page.getByLabel("Password").fill(password);
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in")).click();
    page.waitForURL(Pattern.compile(Pattern.quote(console) + ".*"));
  }

  /** Presses a button or follows a link without a mouse. */
  void press(Locator target) {
    Keyboard.tabTo(page, target);
    page.keyboard().press("Enter");
    page.waitForLoadState();
  }

  /** Writes into a field without a mouse. */
  Officer type(Locator field, String text) {
    Keyboard.tabTo(page, field);
    page.keyboard().type(text);
    return this;
  }

  /** Chooses one of a group of radio buttons of which none is chosen, without a mouse. */
  Officer choose(Locator first, int down) {
    Keyboard.tabTo(page, first);
    page.keyboard().press("Space");
    for (int i = 0; i < down; i++) {
      page.keyboard().press("ArrowDown");
    }
    return this;
  }

  /** Requires the focus on an outcome that says this, where a screen reader begins to read. */
  void requireOutcome(String text) {
    Locator outcome =
        page.locator("[data-focus]").filter(new Locator.FilterOptions().setHasText(text));
    PlaywrightAssertions.assertThat(outcome).isFocused();
    assertThat(outcome.getAttribute("role")).isIn("status", "alert");
  }

  /** Waits for a case of somebody and returns the path of its file. */
  String findCase(String name) throws InterruptedException {
    Locator found =
        page.getByRole(AriaRole.LINK).filter(new Locator.FilterOptions().setHasText(name));
    List<String> states = List.of("pending", "review", "possible-duplicate");
    for (int i = 0; i < 90; i++) {
      open("/people?status=" + states.get(i % states.size()));
      if (found.count() == 1) {
        return found.getAttribute("href");
      }
      Thread.sleep(150);
    }
    throw new AssertionError("there is no case of " + name);
  }

  /** The status with which the console answers a path. */
  int status(String path) {
    return page.navigate(console + path).status();
  }

  Locator button(String text) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(text).setExact(true));
  }

  Locator link(String text) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(text).setExact(true));
  }

  Locator heading(String text) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(text));
  }

  Locator field(String label) {
    return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  /** Fails when the console logged an error, broke its own policy of contents or failed. */
  void requireNoComplaints() {
    assertThat(complaints).as(name + "'s browser").isEmpty();
  }

  /** Forgets what a test provoked. */
  void forgetComplaints() {
    complaints.clear();
  }

  @Override
  public void close() {
    context.close();
  }
}
