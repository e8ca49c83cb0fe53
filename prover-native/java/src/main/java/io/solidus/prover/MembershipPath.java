package io.solidus.prover;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SanctionKey;
import java.util.List;

/**
 * Shows that an address is not on a sanction list: the two adjacent listed keys around it, and the
 * Merkle path of their leaf to the root.
 *
 * @param low the largest listed key below the address
 * @param high the smallest listed key above the address
 * @param index of the leaf
 * @param siblings two per level, the left one first, from the leaves up
 */
public record MembershipPath(
    SanctionKey low, SanctionKey high, int index, List<FieldElement> siblings) {
  /** Levels of the tree. */
  public static final int DEPTH = 12;

  public MembershipPath {
    siblings = NativeRequest.exactly(2 * DEPTH, siblings, "siblings");
    if (index < 0) {
      throw new IllegalArgumentException("an index is not negative");
    }
  }

  NativeRequest write(NativeRequest request) {
    request.bytes(low.bytes()).bytes(high.bytes()).u32(index);
    siblings.forEach(request::field);
    return request;
  }

  static MembershipPath read(NativeReply in) {
    SanctionKey low = new SanctionKey(in.bytes(SanctionKey.BYTES));
    SanctionKey high = new SanctionKey(in.bytes(SanctionKey.BYTES));
    return new MembershipPath(low, high, in.u32(), NativeReply.repeat(2 * DEPTH, in::field));
  }

  @Override
  public String toString() {
    return "MembershipPath[redacted]";
  }
}
