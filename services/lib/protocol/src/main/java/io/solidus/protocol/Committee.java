package io.solidus.protocol;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The N = 3f+1 authorities and their threshold key (2f+1 of N). It knows the committees of former
 * epochs, so what is signed in another epoch is judged here and nowhere else.
 *
 * @param epoch counts refreshes of the key shares
 * @param x X = g2^x
 * @param y Y = g2^y
 * @param y1 Y1 = g1^y; there is no g1^x
 * @param members index 1 to N in order
 * @param former of the same key, the newest first
 */
public record Committee(
    NetworkId network,
    int epoch,
    int f,
    G2Point x,
    G2Point y,
    G1Point y1,
    List<CommitteeMember> members,
    List<FormerCommittee> former) {
  public static final int MAX_MEMBERS = 100;

  public Committee {
    members = List.copyOf(members);
    former = List.copyOf(former);
    if (epoch < 0 || f < 1 || members.size() != 3 * f + 1 || members.size() > MAX_MEMBERS) {
      throw ProtocolException.malformed("a committee has 3f+1 members, f at least 1");
    }
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).index() != i + 1) {
        throw ProtocolException.malformed("members are numbered from 1 in order");
      }
    }
    int next = epoch;
    for (FormerCommittee one : former) {
      Committee was = one.committee();
      if (was.epoch != next - 1
          || was.f != f
          || !was.x.equals(x)
          || !was.y.equals(y)
          || !was.former.isEmpty()) {
        throw ProtocolException.malformed("a former committee is of the epoch before and this key");
      }
      next = was.epoch;
    }
  }

  /** A committee without former epochs. */
  public Committee(
      NetworkId network,
      int epoch,
      int f,
      G2Point x,
      G2Point y,
      G1Point y1,
      List<CommitteeMember> members) {
    this(network, epoch, f, x, y, y1, members, List.of());
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
   * How many votes go with a request to show that its core may be finished: f+1, and two in case a
   * validator does not know the former keys of one or two. All of them, with nine points each,
   * would not fit a message of a large committee.
   */
  @Spec("V-41")
  public int certificateVotes() {
    return Math.min(n(), weakQuorum() + 2);
  }

  /** As many of verified votes as go with a request. */
  public List<PartialSignature> enough(List<PartialSignature> votes) {
    return votes.subList(0, Math.min(votes.size(), certificateVotes()));
  }

  /** The committee of an epoch: this one or a former one; empty for an epoch not known here. */
  public Optional<Committee> at(int epochWanted) {
    if (epochWanted == epoch) {
      return Optional.of(this);
    }
    return former.stream()
        .map(FormerCommittee::committee)
        .filter(was -> was.epoch == epochWanted)
        .findFirst();
  }

  /**
   * The key of an authority's votes in an epoch. A key that the authority no longer has counts
   * until the time that the manifest states.
   *
   * @return empty for an epoch or authority not known here, and for a key whose time is over
   */
  @Spec("K-10")
  public Optional<Ed25519PublicKey> voteKey(int authority, int epochOfVote, Instant now) {
    if (authority > n()) {
      return Optional.empty();
    }
    Ed25519PublicKey present = member(authority).noteKey();
    return at(epochOfVote)
        .map(committee -> committee.member(authority).noteKey())
        .filter(key -> key.equals(present) || now.isBefore(retired(authority, key)));
  }

  /** The keys of an authority's notes: the present one and former ones with their times. */
  public NoteKeys noteKeys(int authority) {
    NoteKey present = member(authority).countersigner();
    return new NoteKeys(
        present,
        former.stream()
            .map(was -> was.committee().member(authority).countersigner())
            .filter(key -> !key.equals(present))
            .distinct()
            .map(key -> new NoteKeys.Former(key, retired(authority, key.publicKey())))
            .toList());
  }

  /** When a former note key ends, by the last committee in which its authority had it. */
  private Instant retired(int authority, Ed25519PublicKey key) {
    return former.stream()
        .filter(was -> was.committee().member(authority).noteKey().equals(key))
        .map(FormerCommittee::noteKeysUntil)
        .findFirst()
        .orElse(Instant.MIN);
  }

  /**
   * Returns the first {@code enough} partial signatures whose authorities voted for {@code core},
   * or fewer if there are not so many: one for each authority, of any known epoch. The points are
   * not verified. So many votes prove that at least {@code enough - f} honest authorities checked
   * and reserved the core.
   */
  public List<PartialSignature> votesFor(
      TxCore core, List<PartialSignature> partials, int enough, Instant now) {
    Map<Integer, PartialSignature> votes = new LinkedHashMap<>();
    for (PartialSignature partial : partials) {
      if (votes.size() == enough) {
        break;
      }
      if (!votes.containsKey(partial.authority()) && partial.votesFor(core, this, now)) {
        votes.put(partial.authority(), partial);
      }
    }
    return List.copyOf(votes.values());
  }

  /**
   * Returns checked partial signatures of 2f+1 authorities that combine: of the newest epoch that
   * has so many.
   */
  @Spec("K-09")
  public Optional<List<PartialSignature>> combinable(Collection<PartialSignature> checked) {
    for (int wanted = epoch; wanted >= epoch - former.size(); wanted--) {
      Map<Integer, PartialSignature> found = new LinkedHashMap<>();
      for (PartialSignature partial : checked) {
        if (partial.shareEpoch() == wanted && found.size() < quorum()) {
          found.putIfAbsent(partial.authority(), partial);
        }
      }
      if (found.size() == quorum()) {
        return Optional.of(List.copyOf(found.values()));
      }
    }
    return Optional.empty();
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
