package io.solidus.operator.issuance.mint;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.List;

/** Everybody who may approve mints: different persons with different keys. */
public final class Approvers {
  /** How many approve a mint. */
  static final int NEEDED = 2;

  private final List<Approver> all;

  /**
   * @throws IllegalStateException when there are fewer than two, or two are one person
   */
  public Approvers(List<Approver> all) {
    this.all = List.copyOf(all);
    if (all.size() < NEEDED
        || all.stream().map(Approver::key).distinct().count() != all.size()
        || all.stream().map(Approver::subject).distinct().count() != all.size()) {
      throw new IllegalStateException(
          "solidus.issuance.approvers needs at least "
              + NEEDED
              + " approvers with different keys and subjects");
    }
  }

  /**
   * @throws ProtocolException forbidden when {@code subject} is not the person behind {@code name}
   */
  Approver require(String name, String subject) {
    return all.stream()
        .filter(approver -> approver.name().equals(name) && approver.subject().equals(subject))
        .findFirst()
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.FORBIDDEN, "the caller does not own this approver's key"));
  }
}
