package io.solidus.platform.production;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A process that must not start as it is configured. Its message names every reason, each with its
 * code, and no secret.
 */
public final class ProductionRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * One reason.
   *
   * @param detail names the property and what it has to be
   */
  public record Reason(ProductionCode code, String detail) {
    @Override
    public String toString() {
      return code + ": " + detail;
    }
  }

  private final transient List<Reason> reasons;

  public ProductionRefusedException(ProductionCode code, String detail) {
    this(List.of(new Reason(code, detail)));
  }

  ProductionRefusedException(List<Reason> reasons) {
    super(
        "refused under the production profile: "
            + reasons.stream().map(Reason::toString).collect(Collectors.joining("; ")));
    this.reasons = List.copyOf(reasons);
  }

  public List<Reason> reasons() {
    return reasons;
  }
}
