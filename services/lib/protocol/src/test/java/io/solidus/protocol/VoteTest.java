package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Spec("V-19")
class VoteTest {
  private static final int EPOCH = 3;

  private final Samples samples = new Samples(19);
  private final List<Ed25519PrivateKey> keys =
      IntStream.range(0, 4).mapToObj(i -> Ed25519PrivateKey.fromSeed(samples.bytes(32))).toList();
  private final Committee committee = committee();
  private final TxCore core = new TxCore(Digest32.of(samples.bytes(32)));
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);
  private static final Instant UNTIL = NOW.plusSeconds(60);

  private final List<G1Point> points = List.of(samples.g1(), samples.g1());

  private Committee committee() {
    List<CommitteeMember> members = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      members.add(
          new CommitteeMember(
              i, samples.g2(), samples.g2(), samples.g1(), keys.get(i - 1).publicKey()));
    }
    return new Committee(
        new NetworkId("votes"), EPOCH, 1, samples.g2(), samples.g2(), samples.g1(), members);
  }

  private PartialSignature voted(int authority) {
    return PartialSignature.voted(authority, EPOCH, core, points, keys.get(authority - 1));
  }

  @Test
  void bindsEveryPartOfTheAnswer() {
    PartialSignature vote = voted(2);
    assertThat(vote.votesFor(core, committee, NOW)).isTrue();
    assertThat(vote).isEqualTo(voted(2));

    TxCore otherCore = new TxCore(Digest32.of(samples.bytes(32)));
    assertThat(vote.votesFor(otherCore, committee, NOW)).isFalse();
    for (PartialSignature altered :
        List.of(
            new PartialSignature(3, EPOCH, points, vote.vote()),
            new PartialSignature(2, EPOCH + 1, points, vote.vote()),
            new PartialSignature(2, EPOCH, points.reversed(), vote.vote()),
            new PartialSignature(2, EPOCH, points.subList(0, 1), vote.vote()),
            new PartialSignature(2, EPOCH, List.of(points.get(0), samples.g1()), vote.vote()),
            new PartialSignature(2, EPOCH, points, voted(3).vote()),
            new PartialSignature(9, EPOCH, points, vote.vote()))) {
      assertThat(altered.votesFor(core, committee, NOW)).as("%s", altered).isFalse();
    }
  }

  /** Attack: one authority sends its partial signature three times. */
  @Test
  void anAuthorityCombinesOnce() {
    assertThat(committee.combinable(List.of(voted(2), voted(2), voted(2), voted(1)))).isEmpty();
    assertThat(committee.combinable(List.of(voted(2), voted(2), voted(3), voted(1)))).isPresent();
  }

  @Test
  void anAnswerInAFormerEpochIsOfTheSameAuthorityForTheSameOutputs() {
    PartialSignature present = voted(2);
    PartialSignature former = PartialSignature.voted(2, EPOCH - 1, core, points, keys.get(1));
    assertThat(new Answer(present, Optional.of(former)).partials())
        .containsExactly(present, former);
    for (PartialSignature other :
        List.of(
            PartialSignature.voted(3, EPOCH - 1, core, points, keys.get(2)),
            PartialSignature.voted(2, EPOCH, core, points, keys.get(1)),
            PartialSignature.voted(2, EPOCH - 1, core, points.subList(0, 1), keys.get(1)))) {
      assertThatThrownBy(() -> new Answer(present, Optional.of(other)))
          .as("%s", other)
          .isInstanceOf(ProtocolException.class);
    }
  }

  /** Attack: a note with chosen bytes, which an authority would countersign, is never a vote. */
  @Test
  void isNoNote() {
    byte[] message = Vote.message(core, EPOCH, points);
    assertThat(message).startsWith(Bytes.utf8("solidus/vote/v1\0"));
    assertThat(message).hasSize(16 + 32 + 4 + 1 + 2 * 96);
    String line = "\n\u2014 name AAAAAAA=\n";
    assertThat(SignedNote.parse("solidus/vote/v1\n" + line).text()).isEqualTo("solidus/vote/v1\n");
    assertThatThrownBy(() -> SignedNote.parse("solidus/vote/v1\0\n" + line))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void countsEachAuthorityOnce() {
    PartialSignature invalid = new PartialSignature(2, EPOCH, points, voted(1).vote());
    assertThat(committee.votesFor(core, List.of(voted(1), voted(1), voted(1)), 2, NOW)).hasSize(1);
    assertThat(committee.votesFor(core, List.of(voted(1), invalid), 2, NOW))
        .containsExactly(voted(1));
    assertThat(committee.votesFor(core, List.of(invalid, voted(2), voted(1), voted(3)), 2, NOW))
        .containsExactly(voted(2), voted(1));
  }

  @Test
  @Spec("K-08")
  void outlivesARefreshOfTheShares() {
    PartialSignature former = inEpoch(EPOCH - 1, keys.get(0));
    assertThat(
            refreshed(keys.get(0)).votesFor(core, List.of(former), 1, NOW.plusSeconds(1_000_000)))
        .containsExactly(former);
    assertThat(committee.votesFor(core, List.of(former), 1, NOW)).as("an unknown epoch").isEmpty();
  }

  /**
   * An authority that lost its share has another note key since. What it voted before counts until
   * the stated time; the lost key votes in no newer epoch.
   */
  @Test
  @Spec("K-10")
  void aFormerNoteKeyCountsUntilItsTime() {
    Ed25519PrivateKey lost = Ed25519PrivateKey.fromSeed(samples.bytes(32));
    Committee later = refreshed(lost);
    PartialSignature waiting = inEpoch(EPOCH - 1, lost);
    assertThat(later.votesFor(core, List.of(waiting), 1, NOW)).containsExactly(waiting);
    assertThat(later.votesFor(core, List.of(waiting), 1, UNTIL)).isEmpty();
    assertThat(later.votesFor(core, List.of(inEpoch(EPOCH, lost)), 1, NOW)).isEmpty();
    assertThat(later.votesFor(core, List.of(inEpoch(EPOCH - 1, keys.get(0))), 1, NOW)).isEmpty();
  }

  /** Partial signatures of different epochs do not make a quorum together. */
  @Test
  @Spec("K-09")
  void onlyOneEpochCombines() {
    Committee both = refreshed(keys.get(0));
    PartialSignature old1 = inEpoch(EPOCH - 1, keys.get(0));
    PartialSignature old2 = other(old1, 2);
    PartialSignature new2 = voted(2);
    PartialSignature new3 = voted(3);
    assertThat(both.combinable(List.of(old1, new2, new3, old2))).isEmpty();
    assertThat(both.combinable(List.of(new3, old1, new2, old2, voted(4))))
        .contains(List.of(new3, new2, voted(4)));
    assertThat(both.combinable(List.of(old1, new2, new3, old2, other(old1, 3), old1)))
        .contains(List.of(old1, old2, other(old1, 3)));
    assertThat(committee.combinable(List.of(old1, old2, other(old1, 3)))).as("unknown").isEmpty();
  }

  @Test
  void aFormerCommitteeIsOfTheSameKey() {
    Committee stranger =
        new Committee(
            committee.network(),
            EPOCH - 1,
            1,
            samples.g2(),
            committee.y(),
            committee.y1(),
            committee.members());
    assertThatThrownBy(() -> with(stranger)).isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> with(committee)).isInstanceOf(ProtocolException.class);
  }

  private PartialSignature inEpoch(int epoch, Ed25519PrivateKey key) {
    return PartialSignature.voted(1, epoch, core, points, key);
  }

  private static PartialSignature other(PartialSignature like, int authority) {
    return new PartialSignature(authority, like.shareEpoch(), like.points(), like.vote());
  }

  /** The committee, whose first authority had this note key in the epoch before. */
  private Committee refreshed(Ed25519PrivateKey formerKey) {
    List<CommitteeMember> members = new ArrayList<>(committee.members());
    CommitteeMember first = members.getFirst();
    members.set(
        0,
        new CommitteeMember(1, samples.g2(), samples.g2(), first.gamma(), formerKey.publicKey()));
    return with(
        new Committee(
            committee.network(),
            EPOCH - 1,
            1,
            committee.x(),
            committee.y(),
            committee.y1(),
            members));
  }

  private Committee with(Committee former) {
    return new Committee(
        committee.network(),
        EPOCH,
        1,
        committee.x(),
        committee.y(),
        committee.y1(),
        committee.members(),
        List.of(
            new FormerCommittee(
                former, Digest32.of(samples.bytes(32)), NOW.plusSeconds(1), UNTIL)));
  }

  /** Nine points of each of a hundred authorities would not fit a request. */
  @Test
  @Spec("V-41")
  void noMoreVotesGoWithARequestThanFinishIt() {
    Samples samples = new Samples(12);
    List<PartialSignature> all = IntStream.rangeClosed(1, 100).mapToObj(samples::partial).toList();
    assertThat(samples.committee(33).enough(all)).isEqualTo(all.subList(0, 36));
    assertThat(samples.committee(1).enough(all.subList(0, 4))).hasSize(4);
    assertThat(samples.committee(1).certificateVotes()).isEqualTo(4);
    assertThat(samples.committee(33).enough(all.subList(0, 2))).hasSize(2);
  }
}
