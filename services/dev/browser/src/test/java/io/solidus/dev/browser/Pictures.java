package io.solidus.dev.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.solidus.dev.testkit.RepositoryFiles;
import java.nio.file.Path;

/**
 * Pictures of pages for the handbook: in the folder of the property {@code solidus.screenshots},
 * relative to the tree's root, or else in target/screenshots.
 */
final class Pictures {
  private static final int HEIGHT = 800;

  private Pictures() {}

  /** Takes the page that is shown, light and as wide as a desk's screen. */
  static void take(Page page, String name) {
    take(page, name, Accessibility.DESK);
  }

  /** Takes the page that is shown, light and as wide as a telephone. */
  static void takeTelephone(Page page, String name) {
    take(page, name, Accessibility.TELEPHONE);
  }

  private static void take(Page page, String name, int width) {
    String folder = System.getProperty("solidus.screenshots");
    Path target =
        folder == null ? Path.of("target", "screenshots") : RepositoryFiles.root().resolve(folder);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    page.setViewportSize(width, HEIGHT);
    page.screenshot(new Page.ScreenshotOptions().setPath(target.resolve(name + ".png")));
  }
}
