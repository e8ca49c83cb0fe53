package io.solidus.protocol;

/**
 * The oldest rules that a core may still name where no serial number is reserved for it yet. An
 * authority that signed floors takes no new core below them, whatever its rules say later.
 *
 * @param policyVersion the oldest policy, not negative; 0 for any
 * @param checkpointVersion the oldest sanction checkpoint, not negative; 0 for any
 * @param period the oldest period
 */
public record StateFloors(long policyVersion, long checkpointVersion, Period period) {
  /** Any rules. */
  public static final StateFloors NONE = new StateFloors(0, 0, Period.NONE);

  public StateFloors {
    if (policyVersion < 0 || checkpointVersion < 0) {
      throw ProtocolException.malformed("a floor is not negative");
    }
  }

  /** The higher floor of each kind. */
  public StateFloors max(StateFloors other) {
    return new StateFloors(
        Math.max(policyVersion, other.policyVersion),
        Math.max(checkpointVersion, other.checkpointVersion),
        period.compareTo(other.period) >= 0 ? period : other.period);
  }

  /** Whether a new core of this period may come with evidence under these rules. */
  public boolean admit(long policy, long checkpoint, Period ofCore) {
    return policy >= policyVersion
        && checkpoint >= checkpointVersion
        && ofCore.compareTo(period) >= 0;
  }

  /**
   * Requires that a new core of this period may come with this evidence.
   *
   * @throws ProtocolException stale-policy, stale-checkpoint or stale-period
   */
  public void require(Evidence evidence, Period ofCore) {
    if (evidence.policyVersion() < policyVersion) {
      throw below(RejectionCode.STALE_POLICY, "policy");
    }
    if (evidence.checkpointVersion() < checkpointVersion) {
      throw below(RejectionCode.STALE_CHECKPOINT, "checkpoint");
    }
    if (ofCore.compareTo(period) < 0) {
      throw below(RejectionCode.STALE_PERIOD, "period");
    }
  }

  private static ProtocolException below(RejectionCode code, String kind) {
    return new ProtocolException(code, "the " + kind + " is below a floor that was signed here");
  }
}
