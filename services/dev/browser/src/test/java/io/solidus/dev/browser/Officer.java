package io.solidus.dev.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
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
