package io.solidus.protocol;

import java.time.Instant;
import java.util.List;

/**
 * One authority's signatures on the outputs of a statement; a quorum of them combines.
 *
 * @param authority 1 to N
 * @param shareEpoch counts refreshes of the key shares
 * @param points one per output of the statement, in order
 * @param vote binds the points to the core
 */
public record PartialSignature(int authority, int shareEpoch, List<G1Point> points, Vote vote) {
  private static final int MAX_POINTS = Family.MAX_OUTPUTS;

  public PartialSignature {
    if (authority < 1 || authority > Committee.MAX_MEMBERS) {
      throw ProtocolException.malformed("no such authority");
    }
    if (shareEpoch < 0) {
      throw ProtocolException.malformed("a share epoch is not negative");
    }
    points = List.copyOf(points);
    if (points.isEmpty() || points.size() > MAX_POINTS) {
      throw ProtocolException.malformed("a partial signature has one point per output");
    }
  }

  /** Signs the points with the authority's note key. */
  public static PartialSignature voted(
      int authority, int shareEpoch, TxCore core, List<G1Point> points, Ed25519PrivateKey noteKey) {
    return new PartialSignature(
        authority, shareEpoch, points, Vote.sign(noteKey, core, shareEpoch, points));
  }

  /**
   * Returns whether the authority voted for {@code core} in an epoch that the committee knows. The
   * points are not verified.
   */
  public boolean votesFor(TxCore core, Committee committee, Instant now) {
    return committee
        .voteKey(authority, shareEpoch, now)
        .filter(key -> vote.isBy(key, core, shareEpoch, points))
        .isPresent();
  }
}
