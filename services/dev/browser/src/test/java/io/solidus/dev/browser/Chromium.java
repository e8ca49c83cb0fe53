package io.solidus.dev.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine's Chromium without a window, driven by Playwright. Use it from one thread. */
final class Chromium implements AutoCloseable {
  /** It fetches nothing by itself and shares no cache between runs. */
  private static final List<String> QUIET =
      List.of(
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final Playwright playwright;
  private final Browser browser;
  private final Camera camera;

  private Chromium(Playwright playwright, Browser browser, Camera camera) {
    this.playwright = playwright;
    this.browser = browser;
    this.camera = camera;
  }

  /** The program, or nothing on a machine without it. */
  static Optional<Path> program() {
    String configured = System.getenv("SOLIDUS_CHROMIUM");
    return Stream.of(configured == null ? "" : configured, "/usr/bin/chromium")
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Chromium start(Path program) {
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Camera camera = new Camera();
    List<String> arguments = new ArrayList<>(QUIET);
    arguments.addAll(camera.arguments());
    if ("root".equals(System.getProperty("user.name"))) {
      arguments.add("--no-sandbox");
    }
    try {
      Browser browser =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(program)
                      .setHeadless(true)
                      .setArgs(arguments));
      return new Chromium(playwright, browser, camera);
    } catch (RuntimeException e) {
      playwright.close();
      throw e;
    }
  }

  Camera camera() {
    return camera;
  }

  Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
