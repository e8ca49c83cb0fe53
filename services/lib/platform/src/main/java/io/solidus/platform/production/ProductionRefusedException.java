package io.solidus.platform.production;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The configuration violates the rules of the production profile. The message has every reason with
 * its code, and no secret.
 */
public final class ProductionRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * One reason.
   *
   * @param detail the property and its required value
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
