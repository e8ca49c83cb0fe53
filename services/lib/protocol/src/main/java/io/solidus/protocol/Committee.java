package io.solidus.protocol;

import java.util.List;

/**
 * The N = 3f+1 authorities and their threshold key (2f+1 of N).
 *
 * @param epoch counts refreshes of the key shares
 * @param x X = g2^x
 * @param y Y = g2^y
 * @param y1 Y1 = g1^y; there is no g1^x
 * @param members index 1 to N in order
 */
public record Committee(
    NetworkId network,
    int epoch,
    int f,
    G2Point x,
    G2Point y,
    G1Point y1,
    List<CommitteeMember> members) {
  public static final int MAX_MEMBERS = 100;

  public Committee {
    members = List.copyOf(members);
    if (epoch < 0 || f < 1 || members.size() != 3 * f + 1 || members.size() > MAX_MEMBERS) {
      throw ProtocolException.malformed("a committee has 3f+1 members, f at least 1");
    }
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).index() != i + 1) {
        throw ProtocolException.malformed("members are numbered from 1 in order");
      }
    }
  }

  public int n() {
    return members.size();
  }

  /** 2f+1: the number of partial signatures that make a signature. */
  public int quorum() {
    return 2 * f + 1;
  }

  /** f+1: at least one of so many members is honest. */
  public int weakQuorum() {
    return f + 1;
  }

  /**
   * Returns one member.
   *
   * @param index 1 to N
   * @throws ProtocolException malformed-request for another index
   */
  public CommitteeMember member(int index) {
    if (index < 1 || index > n()) {
      throw ProtocolException.malformed("no such authority");
    }
    return members.get(index - 1);
  }
}
