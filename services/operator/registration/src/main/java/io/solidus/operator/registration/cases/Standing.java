package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a registered person stands with the bank. */
public enum Standing {
  REGISTERED("registered"),
  SUSPENDED("suspended"),
  CLOSED("closed");

  /** The cause of a closing after which the person registers again. */
  public static final String PHRASE_LOST = "phrase-lost";

  private final String id;

  Standing(String id) {
    this.id = id;
  }

  /** The standing in the API. */
  public String id() {
    return id;
  }

  /** What two people do to a registration, or to a refused case, which they can only erase. */
  public enum Kind {
    SUSPEND("suspend", Standing.SUSPENDED),
    RESUME("resume", Standing.REGISTERED),
    CLOSE("close", Standing.CLOSED),
    ERASE("erase", Standing.CLOSED);

    private final String id;
    private final Standing result;

    Kind(String id, Standing result) {
      this.id = id;
      this.result = result;
    }

    /** The kind in the API and the database. */
    public String id() {
      return id;
    }

    Standing result() {
      return result;
    }

    boolean isPossible(Standing before) {
      return switch (this) {
        case SUSPEND -> before == Standing.REGISTERED;
        case RESUME -> before == Standing.SUSPENDED;
        case CLOSE -> before != Standing.CLOSED;
        case ERASE -> before == Standing.CLOSED;
      };
    }

    /**
     * Finds a kind by its id.
     *
     * @throws ProtocolException malformed-request when there is none
     */
    public static Kind of(@Nullable String id) {
      return Arrays.stream(values())
          .filter(kind -> kind.id.equals(id))
          .findFirst()
          .orElseThrow(
              () -> ProtocolException.malformed("a step is suspend, resume, close or erase"));
    }
  }

  /**
   * A step that one person proposes and another accepts.
   *
   * @param cause of a closing: {@link #PHRASE_LOST}, or null
   * @param verdict accepted, refused or expired; null until it is decided
   */
  public record Step(
      UUID id,
      UUID caseId,
      Kind kind,
      @Nullable String cause,
      String reason,
      String proposedBy,
      Instant proposedAt,
      @Nullable String verdict,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {

    /** The kind and its cause, for the audit log. */
    String name() {
      return cause == null ? kind.id() : kind.id() + " (" + cause + ")";
    }

    @Override
    public String toString() {
      return "Step[" + id + "]";
    }
  }
}
