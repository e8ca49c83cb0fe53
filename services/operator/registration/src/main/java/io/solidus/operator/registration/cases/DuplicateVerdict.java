package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Whether two cases are of one person. */
public enum DuplicateVerdict {
  DUPLICATE("duplicate"),
  OTHER_PERSON("other-person"),
  /** The same person, whose earlier registration is closed because she lost her phrase. */
  REGISTERS_AGAIN("registers-again");

  private final String id;

  DuplicateVerdict(String id) {
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
  public static DuplicateVerdict of(@Nullable String id) {
    for (DuplicateVerdict verdict : values()) {
      if (verdict.id.equals(id)) {
        return verdict;
      }
    }
    throw ProtocolException.malformed("the verdict is duplicate, other-person or registers-again");
  }
}
