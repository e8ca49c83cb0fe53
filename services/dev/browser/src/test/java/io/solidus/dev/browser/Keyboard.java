package io.solidus.dev.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

/** Reaches elements of a page as somebody without a mouse does. */
final class Keyboard {
  /** More than any page has to focus. */
  private static final int TABS = 250;

  private static final String OUTLINE =
      """
      () => {
        const style = getComputedStyle(document.activeElement);
        return style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2;
      }
      """;

  private Keyboard() {}

  /** Moves the focus with the Tab key until it is on an element, and requires it to be visible. */
  static void tabTo(Page page, Locator target) {
    for (int i = 0; i < TABS; i++) {
      page.keyboard().press("Tab");
      if (Boolean.TRUE.equals(target.evaluate("it => it === document.activeElement"))) {
        assertThat(page.evaluate(OUTLINE)).as("the focus is visible").isEqualTo(true);
        return;
      }
    }
    throw new AssertionError("the Tab key does not reach " + target);
  }
}
