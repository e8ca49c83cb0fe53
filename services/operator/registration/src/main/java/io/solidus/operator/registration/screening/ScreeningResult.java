package io.solidus.operator.registration.screening;

import java.util.List;

/**
 * The answer to one screening.
 *
 * @param matches empty exactly when the verdict is clear
 */
public record ScreeningResult(ScreeningBasis basis, Verdict verdict, List<ScreeningMatch> matches) {

  /** What a screening found. Only {@code CLEAR} clears. */
  public enum Verdict {
    CLEAR("clear"),
    MATCH("match"),
    /** The name cannot be compared with the lists. */
    UNREADABLE("unreadable");

    private final String id;

    Verdict(String id) {
      this.id = id;
    }

    public String id() {
      return id;
    }
  }

  public ScreeningResult {
    matches = List.copyOf(matches);
  }

  @Override
  public String toString() {
    return "ScreeningResult[redacted]";
  }
}
