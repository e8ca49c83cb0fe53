package io.solidus.operator.console.frame;

import io.solidus.operator.console.api.ApiProblem;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/**
 * Sends what a form says, and shows on the next page how it went. Every form is answered with a
 * redirect: a reload sends nothing twice, and a refusal is shown over the newest state, where the
 * browser fills in the entries again.
 */
public final class Forms {
  private Forms() {}

  /**
   * Sends a form.
   *
   * @param form its name, as in its attribute {@code data-keep}
   * @param page the path of the page that shows the outcome
   * @param done what is said when it succeeded
   * @return the view
   */
  public static String send(
      RedirectAttributes next, String form, String page, String done, Runnable call) {
    try {
      call.run();
      next.addFlashAttribute("done", done);
      next.addFlashAttribute("doneForm", form);
    } catch (ApiProblem problem) {
      next.addFlashAttribute("notice", Notice.of(problem));
    }
    return "redirect:" + page;
  }

  /** Shows on the next page why a form was not sent at all. */
  public static String refuse(RedirectAttributes next, String page, String title, String what) {
    next.addFlashAttribute("notice", new Notice(title, "", what, null, null));
    return "redirect:" + page;
  }
}
