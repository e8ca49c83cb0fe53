package io.solidus.prover;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SanctionKey;
import java.util.List;

/**
 * Shows that an address is not on a sanction list: the listed neighbours around it and the way of
 * their leaf to the root.
 *
 * @param index of the leaf
 * @param siblings two per level, the left one first, from the leaves up
 */
public record MembershipPath(
    SanctionKey low, SanctionKey high, int index, List<FieldElement> siblings) {
  /** Levels of the tree. */
  public static final int DEPTH = 12;

  public MembershipPath {
    siblings = Codes.exactly(2 * DEPTH, siblings, "siblings");
    if (index < 0) {
      throw new IllegalArgumentException("an index is not negative");
    }
  }

  Call write(Call call) {
    call.bytes(low.bytes()).bytes(high.bytes()).u32(index);
    siblings.forEach(call::field);
    return call;
  }

  static MembershipPath read(Reply in) {
    SanctionKey low = new SanctionKey(in.bytes(SanctionKey.BYTES));
    SanctionKey high = new SanctionKey(in.bytes(SanctionKey.BYTES));
    return new MembershipPath(low, high, in.u32(), Reply.repeat(2 * DEPTH, in::field));
  }

  @Override
  public String toString() {
    return "MembershipPath[redacted]";
  }
}
