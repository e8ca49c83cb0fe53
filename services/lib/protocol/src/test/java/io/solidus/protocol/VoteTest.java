package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
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
    assertThat(vote.votesFor(core, committee)).isTrue();
    assertThat(vote).isEqualTo(voted(2));

    TxCore otherCore = new TxCore(Digest32.of(samples.bytes(32)));
    assertThat(vote.votesFor(otherCore, committee)).isFalse();
    for (PartialSignature altered :
        List.of(
            new PartialSignature(3, EPOCH, points, vote.vote()),
            new PartialSignature(2, EPOCH + 1, points, vote.vote()),
            new PartialSignature(2, EPOCH, points.reversed(), vote.vote()),
            new PartialSignature(2, EPOCH, points.subList(0, 1), vote.vote()),
            new PartialSignature(2, EPOCH, List.of(points.get(0), samples.g1()), vote.vote()),
            new PartialSignature(2, EPOCH, points, voted(3).vote()),
            new PartialSignature(9, EPOCH, points, vote.vote()))) {
      assertThat(altered.votesFor(core, committee)).as("%s", altered).isFalse();
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
    assertThat(committee.votesFor(core, List.of(voted(1), voted(1), voted(1)), 2)).hasSize(1);
    assertThat(committee.votesFor(core, List.of(voted(1), invalid), 2)).containsExactly(voted(1));
    assertThat(committee.votesFor(core, List.of(invalid, voted(2), voted(1), voted(3)), 2))
        .containsExactly(voted(2), voted(1));
  }

  @Test
  void outlivesARefreshOfTheShares() {
    PartialSignature former = PartialSignature.voted(1, EPOCH - 1, core, points, keys.get(0));
    assertThat(committee.votesFor(core, List.of(former), 1)).containsExactly(former);
  }

  @Test
  void aClosedKeySignsNothing() {
    Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(samples.bytes(32));
    key.close();
    assertThatThrownBy(() -> Vote.sign(key, core, EPOCH, points))
        .isInstanceOf(IllegalStateException.class);
  }
}
