package io.solidus.dev.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Holds a page against WCAG 2.2 AA with axe-core: on a telephone in dark colours, and on a desk in
 * light ones; and at 400 %, where nothing may scroll sideways.
 */
final class Accessibility {
  static final int TELEPHONE = 360;
  static final int DESK = 1280;
  private static final int HEIGHT = 900;
  private static final int ZOOMED = 320;
  private static final int ZOOMED_HEIGHT = 256;

  private static final String AXE = read("/axe.min.js");
  private static final String RUN =
      """
      async () => {
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const found = await axe.run(document, {runOnly: {type: 'tag', values: tags}});
        return found.violations.flatMap(rule =>
          rule.nodes.map(node => rule.id + ' ' + node.target.join(' ') + ': ' + node.failureSummary));
      }
      """;
  private static final String WIDER =
      """
      () => {
        const width = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= width) return [];
        return [...document.querySelectorAll('body *')]
          .filter(e => e.getBoundingClientRect().right > width + 1)
          .map(e => e.tagName + '.' + e.className + ' ' + Math.round(e.getBoundingClientRect().right))
          .slice(0, 8);
      }
      """;

  private Accessibility() {}

  /** Requires the page that is shown to pass in all looks; leaves it as on a desk. */
  static void require(Page page) {
    requireReflow(page);
    require(page, TELEPHONE, ColorScheme.DARK);
    require(page, DESK, ColorScheme.LIGHT);
  }

  /**
   * A desk's screen of 1280 x 1024 at 400 %, for who asks for little motion (WCAG 1.4.10, 2.3.3).
   */
  private static void requireReflow(Page page) {
    page.emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
    page.setViewportSize(ZOOMED, ZOOMED_HEIGHT);
    assertThat((List<?>) page.evaluate(WIDER))
        .as("wider than the screen at 400 %, " + page.url())
        .isEmpty();
    assertThat(page.evaluate("() => document.getAnimations().length"))
        .as("motion, " + page.url())
        .isEqualTo(0);
  }

  private static void require(Page page, int width, ColorScheme scheme) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
    page.setViewportSize(width, HEIGHT);
    String look = page.url() + ", " + scheme + ", " + width + " px";
    if (!Boolean.TRUE.equals(page.evaluate("() => 'axe' in window"))) {
      page.evaluate(AXE);
    }
    assertThat((List<?>) page.evaluate(RUN)).as("axe, " + look).isEmpty();
    assertThat((List<?>) page.evaluate(WIDER)).as("wider than the screen, " + look).isEmpty();
  }

  private static String read(String resource) {
    try (InputStream in = Accessibility.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(resource + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
