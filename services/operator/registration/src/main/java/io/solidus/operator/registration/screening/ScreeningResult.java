package io.solidus.operator.registration.screening;

import java.util.ArrayList;
import java.util.List;

/**
 * The answer to one screening.
 *
 * @param matches empty exactly when the verdict is clear
 */
public record ScreeningResult(ScreeningBasis basis, Verdict verdict, List<ScreeningMatch> matches) {

  /** What a screening found. Only {@code CLEAR} clears; of several, the last one counts. */
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

  /**
   * The answer for an organisation and who is behind it.
   *
   * @throws ScreeningUnavailableException when they were compared with different lists
   */
  static ScreeningResult ofAll(List<ScreenedName> names, List<ScreeningResult> results) {
    ScreeningBasis basis = results.getFirst().basis();
    Verdict verdict = Verdict.CLEAR;
    List<ScreeningMatch> matches = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      ScreeningResult result = results.get(i);
      if (!result.basis().equals(basis)) {
        throw new ScreeningUnavailableException("the lists changed during a screening");
      }
      if (result.verdict().compareTo(verdict) > 0) {
        verdict = result.verdict();
      }
      ScreenedName name = names.get(i);
      result.matches().forEach(match -> matches.add(match.concerning(name)));
    }
    return new ScreeningResult(basis, verdict, matches);
  }

  public ScreeningResult {
    matches = List.copyOf(matches);
  }

  @Override
  public String toString() {
    return "ScreeningResult[redacted]";
  }
}
