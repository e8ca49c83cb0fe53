package io.solidus.operator.issuance.mint;

import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.List;

/** The persons who may approve mints, each with a different key. */
public final class Approvers {
  /** The number of approvals a mint needs. */
  static final int NEEDED = 2;

  private final List<Approver> all;

  /**
   * Checks the configured approvers.
   *
   * @throws IllegalStateException when there are fewer than two, or two share a key or a subject
   */
  public Approvers(List<Approver> all) {
    this.all = List.copyOf(all);
    if (all.size() < NEEDED
        || all.stream().map(Approver::key).distinct().count() != all.size()
        || all.stream().map(one -> Operator.folded(one.subject())).distinct().count()
            != all.size()) {
      throw new IllegalStateException(
          "solidus.issuance.approvers needs at least "
              + NEEDED
              + " approvers with different keys and subjects");
    }
  }

  /**
   * Finds an approver by name and subject.
   *
   * @throws ProtocolException forbidden when {@code subject} is not the approver {@code name}
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
