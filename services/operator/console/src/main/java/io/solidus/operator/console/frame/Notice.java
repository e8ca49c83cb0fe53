package io.solidus.operator.console.frame;

import io.solidus.operator.console.api.ApiProblem;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A problem as it is shown.
 *
 * @param next what the reader can do
 * @param code stable; null when the console itself has something to say
 * @param trace finds the call in the service's log
 */
public record Notice(
    String title, String detail, String next, @Nullable String code, @Nullable String trace)
    implements java.io.Serializable {

  /** What services say about banks. */
  private static final Map<String, Notice> BANKS =
      Map.of(
          "central-staff-only",
          new Notice(
              "This is for the centre's staff", "", "Ask the staff of the centre.", null, null),
          "unknown-staff-bank",
          new Notice(
              "Your login names no bank of this platform",
              "",
              "Tell whoever gives the roles at your bank.",
              null,
              null),
          "bank-needed",
          new Notice("No bank was chosen", "", "Choose the bank, then send it again.", null, null),
          "funding-id-of-bank",
          new Notice(
              "The name of the funding is not one of its bank",
              "",
              "Begin it with the id of its bank and a colon, such as second:invoice-7, and send it"
                  + " again. The help at the field says more.",
              null,
              null));

  /** Says what a service's problem means for who reads it. */
  public static Notice of(ApiProblem problem) {
    Notice known = BANKS.get(problem.code());
    if (known != null) {
      return new Notice(known.title(), "", known.next(), problem.code(), problem.traceId());
    }
    String title =
        switch (problem.status()) {
          case 401 -> "The " + problem.service() + " service does not accept your login";
          case 403 -> "Your role does not allow this";
          case 404 -> "This does not exist any more, or never did";
          case 409 -> "The state has changed, or does not allow this";
          case 413 -> "The file is too large";
          case 429 -> "Too much at once";
          case 503 -> "The " + problem.service() + " service does not answer";
          default ->
              problem.status() < 500
                  ? "This was not accepted"
                  : "The " + problem.service() + " service failed";
        };
    String next =
        switch (problem.status()) {
          case 401 -> "Log out and in again. If that does not help, tell your administrator.";
          case 403 -> "Ask a colleague who has the role, or whoever gives the roles.";
          case 404 -> "Go back to the list and look for it there.";
          case 409 -> "What you see is the newest state. Check it before you decide again.";
          case 429 -> "Wait a minute, then send it again.";
          case 503 ->
              "Wait a minute and look at the newest state before you send it again: "
                  + "if you were sending something, it may have arrived.";
          default ->
              problem.status() < 500
                  ? "Correct your entries and send them again."
                  : "Try again in a minute. If it fails again, give your administrator the trace.";
        };
    return new Notice(title, sentence(problem.detail()), next, problem.code(), problem.traceId());
  }

  private static String sentence(String detail) {
    return detail.isEmpty()
        ? ""
        : Character.toUpperCase(detail.charAt(0))
            + detail.substring(1)
            + (detail.endsWith(".") ? "" : ".");
  }
}
