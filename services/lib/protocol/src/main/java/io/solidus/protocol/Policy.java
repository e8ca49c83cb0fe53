package io.solidus.protocol;

/**
 * The limits in force, signed by the policy authority.
 *
 * @param version 1, 2, ...: never reused
 * @param period the limit period that transfers under this policy count in
 * @param maxPerTransfer V_sent
 * @param maxPerPeriod V_total
 * @param maxHeld V_held
 * @param maxEscrow V_escrow: what one escrow may hold; 0 allows none
 * @param maxTransfersPerPeriod V_count
 * @param mintCapPerDay what may be minted per UTC day
 * @param effectiveAtMillis Unix time
 */
public record Policy(
    long version,
    Period period,
    Amount maxPerTransfer,
    Amount maxPerPeriod,
    Amount maxHeld,
    Amount maxEscrow,
    int maxTransfersPerPeriod,
    Amount mintCapPerDay,
    long effectiveAtMillis) {
  private static final String KIND = "policy";

  /** The first line of the notes of policies. */
  public static final String FORMAT = NoteText.header(KIND);

  public Policy {
    if (version < 1 || maxTransfersPerPeriod < 0 || effectiveAtMillis < 0) {
      throw ProtocolException.malformed("a policy's number is out of range");
    }
  }

  public String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("version", version)
        .line("period", period.yyyymm())
        .line("max-per-transfer-minor", maxPerTransfer.minor())
        .line("max-per-period-minor", maxPerPeriod.minor())
        .line("max-held-minor", maxHeld.minor())
        .line("max-escrow-minor", maxEscrow.minor())
        .line("max-transfers-per-period", maxTransfersPerPeriod)
        .line("mint-cap-per-day-minor", mintCapPerDay.minor())
        .line("effective-at-millis", effectiveAtMillis)
        .text();
  }

  public static Policy parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    Policy policy =
        new Policy(
            in.number("version"),
            new Period(in.smallNumber("period")),
            new Amount(in.number("max-per-transfer-minor")),
            new Amount(in.number("max-per-period-minor")),
            new Amount(in.number("max-held-minor")),
            new Amount(in.number("max-escrow-minor")),
            in.smallNumber("max-transfers-per-period"),
            new Amount(in.number("mint-cap-per-day-minor")),
            in.number("effective-at-millis"));
    in.end();
    return policy;
  }
}
