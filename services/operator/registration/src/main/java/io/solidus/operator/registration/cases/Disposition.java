package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an officer found out about one match. The newest one of a match counts.
 *
 * @param sequence of the disposition; 0 before it is kept
 * @param confirmation of another person; null while there is none
 */
public record Disposition(
    long sequence,
    Verdict verdict,
    String reason,
    String officer,
    Instant at,
    @Nullable Confirmation confirmation) {

  /** A disposition that nobody has confirmed. */
  Disposition(Verdict verdict, String reason, String officer, Instant at) {
    this(0, verdict, reason, officer, at, null);
  }

  /** What another person found out. */
  public record Confirmation(String officer, String reason, Instant at) {

    @Override
    public String toString() {
      return "Confirmation[redacted]";
    }
  }

  /** Whether the person is the listed one. */
  public enum Verdict {
    FALSE_POSITIVE("false-positive"),
    TRUE_MATCH("true-match");

    private final String id;

    Verdict(String id) {
      this.id = id;
    }

    /** The verdict in the API and the database. */
    public String id() {
      return id;
    }

    /**
     * Finds a verdict by its id.
     *
     * @throws ProtocolException malformed-request when there is none
     */
    public static Verdict of(@Nullable String id) {
      for (Verdict verdict : values()) {
        if (verdict.id.equals(id)) {
          return verdict;
        }
      }
      throw ProtocolException.malformed("the verdict is false-positive or true-match");
    }
  }

  @Override
  public String toString() {
    return "Disposition[redacted]";
  }
}
