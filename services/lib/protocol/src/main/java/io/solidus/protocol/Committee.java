package io.solidus.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
   * Returns the first {@code enough} partial signatures whose authorities voted for {@code core},
   * or fewer if there are not so many: one for each authority, of any share epoch. The points are
   * not verified. So many votes prove that at least {@code enough - f} honest authorities checked
   * and reserved the core.
   */
  public List<PartialSignature> votesFor(TxCore core, List<PartialSignature> partials, int enough) {
    Map<Integer, PartialSignature> votes = new LinkedHashMap<>();
    for (PartialSignature partial : partials) {
      if (votes.size() == enough) {
        break;
      }
      if (!votes.containsKey(partial.authority()) && partial.votesFor(core, this)) {
        votes.put(partial.authority(), partial);
      }
    }
    return List.copyOf(votes.values());
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
