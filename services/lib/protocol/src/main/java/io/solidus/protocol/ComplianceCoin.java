package io.solidus.protocol;

/**
 * The compliance state that a regulated holder carries from transfer to transfer (protocol section
 * 2). Only its owner knows it.
 *
 * @param period the period that {@code sent} and {@code count} refer to
 * @param sent total paid in the period
 * @param count transfers in the period
 * @param held spendable balance
 * @param com running commitment to the history; zero at the start
 */
public record ComplianceCoin(
    Apk owner,
    FieldElement rho,
    Period period,
    Amount sent,
    int count,
    Amount held,
    FieldElement com) {
  public ComplianceCoin {
    if (count < 0) {
      throw ProtocolException.malformed("a count is not negative");
    }
  }

  @Override
  public String toString() {
    return "ComplianceCoin[redacted]";
  }
}
